import { expect, test } from 'vitest';
import { TRANSLATIONS } from './texts.ts';
import { valueText } from './value-text.ts';

const TIER = { consumption_to: null, commission: 40.5, commission_type: 'fixed' };

test.each([
  [{ consumption_from: 0, ...TIER }, '0 MWh – sin límite: 40,5 € al año'],
  [{ power_from: 0, power_to: 15, commission: 3, commission_type: 'per_kw' }, '0 kW – 15 kW: 3 € por kW'],
  [{ reference_month: '2026-08-01', e1: 0.2, e2: null }, 'ago 2026 (Precio de la energía P1 0,2 €/kWh)'],
  [{ codigo: 'x', total: 2 }, 'codigo x, total 2'],
  [{}, ''],
])('the stored value %j is shown in words', (value, text) => {
  expect(valueText(value, TRANSLATIONS.es)).toBe(text);
});
