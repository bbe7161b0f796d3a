import { expect, it } from 'vitest';
import { TRANSLATIONS } from '../texts/texts.ts';
import { numberFault } from './number-fault.ts';
import { readNumber } from './numbers.ts';

it.each([
  ['1.200 kWh', 'es', '1200', '1,2'],
  ['345.678', 'es', '345678', '345,678'],
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
