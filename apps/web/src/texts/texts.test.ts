import { expect, it } from 'vitest';
import { TRANSLATIONS } from './texts.ts';

it.each([
  ['es', 1145.14, '1.145,14', 'enero'],
  ['en', 1145.14, '1,145.14', 'January'],
] as const)(
  'amounts in %s have thousands of four digits grouped, and months their names',
  (language, eur, text, month) => {
    expect(TRANSLATIONS[language].eur(eur)).toBe(text);
    expect(TRANSLATIONS[language].monthName(1)).toBe(month);
  },
);

it.each([
  [2, '2 s'],
  [120, '120 s'],
  [121, '2 min'],
  [2948, '49 min'],
])('a wait of %i s is said as %s', (seconds, text) => {
  expect(TRANSLATIONS.es.wait(seconds)).toBe(text);
});
