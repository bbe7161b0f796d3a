import { expect, it } from 'vitest';
import { TRANSLATIONS } from '../texts/texts.ts';
import { numberFault, unitFault } from './number-fault.ts';
import { readNumber } from './numbers.ts';

it.each([
  ['1.200 kWh', 'es', '1200', '1,2'],
  ['345.678', 'es', '345678', '345,678'],
  ['1.200 €/kWh', 'es', '1200', '1,2'],
  [' 1,200', 'en', '1200', '1.2'],
] as const)(
  'A-104: %s in %s may be thousands or decimals, and is shown as both',
  (text, language, thousands, decimals) => {
    expect(readNumber(text, language)).toBe('ambiguous');
    const shown = numberFault('ambiguous', text)(TRANSLATIONS[language]);
    expect(shown.match(/\d[\d.,]*/g)).toEqual([thousands, decimals]);
    const [asThousands = Number.NaN, asDecimals = Number.NaN] = [thousands, decimals].map((one) =>
      readNumber(one, language),
    );
    expect(Number(asThousands) / Number(asDecimals)).toBe(1000);
  },
);

it.each([
  [unitFault('EUR/kWh', 19), '¿Céntimos? Escriba 0,19'],
  [unitFault('EUR/kWh', 2), undefined],
  [unitFault('EUR/kW·day', 36.5), '¿Al año? Al día son 0,1'],
  [unitFault('EUR/kW·day', 1), undefined],
  [unitFault('EUR/month', 19), undefined],
  [unitFault('kW', 4600), '¿4,6 kW? Escriba kW, no W'],
  [unitFault('kW', 999), undefined],
  [unitFault('kW', 15_000), '¿15 kW? Escriba kW, no W'],
  [unitFault('kW', 15_001), undefined],
])('A-121: the fault of a number that is too high names the unit it was probably meant in (%#)', (fault, text) => {
  expect(fault?.(TRANSLATIONS.es)).toBe(text);
});
