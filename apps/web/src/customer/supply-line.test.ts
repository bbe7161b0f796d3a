import type { Ranking } from '@tarifario/client';
import { expect, test } from 'vitest';
import { TRANSLATIONS } from '../texts/texts.ts';
import { supplyLine } from './supply-line.ts';

const QUESTION = { supply_type: 'LUZ', tariff_type: '2.0TD', energia: { e1: 3500 }, potencia: { p1: 4.6 } } as const;

test.each([
  ['with its bill', { cost: { total: 730 }, factura_estimada: { total: 912.5 } }, 'hoy 76,04 €/mes'],
  ['of which no bill is known', { cost: { total: 730 } }, 'hoy 60,83 €/mes sin impuestos'],
])('a supply %s says what is paid today, and where that is before tax', (_, actual, today) => {
  const ranking = { dias: 365, actual } as Ranking;
  expect(supplyLine(QUESTION, ranking, TRANSLATIONS.es)).toBe(`2.0TD · 3.500 kWh/año · 4,6 kW · ${today}`);
});

test('a supply of a curve of 30 days says what it consumes in them, and not in a year', () => {
  const part = { mes: 6, dias: 12, energia: { e1: 100 } };
  const perfil = [part, { ...part, mes: 7, dias: 18, energia: { e1: 69 } }];
  const { energia: _energy, ...supply } = QUESTION;
  expect(supplyLine({ ...supply, perfil }, null, TRANSLATIONS.es)).toBe('2.0TD · 169 kWh en 30 días · 4,6 kW');
});
