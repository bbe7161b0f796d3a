import { holds } from '@tarifario/testkit/core/laws';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasCups, withoutCups } from './cups.ts';

/** The check letters a second time, digit by digit. */
function checkLetters(digits: readonly number[]): readonly string[] {
  const rest = digits.reduce((sum, digit) => (sum * 10 + digit) % 529, 0);
  return [(rest - (rest % 23)) / 23, rest % 23].map((at) => 'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(at));
}

/** By the numbering system of CLDR, which knows the digits of each. */
const SCRIPTS = [
  'latn',
  ...['arab', 'arabext', 'beng', 'deva', 'fullwide', 'khmr', 'mathbold', 'mong', 'tamldec', 'thai'],
].map((system) => new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false }));

/** Spellings of Latin capitals, by alphabet; a letter that an alphabet does not have stays. */
const ALPHABETS: readonly ((letter: string) => string)[] = [
  (letter) => letter,
  (letter) => letter.toLowerCase(),
  (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xff21 - 65),
  (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0x1d400 - 65),
  (letter) => `${letter}\u0301`,
  (letter) =>
    ({ A: 'А', B: 'В', C: 'С', E: 'Е', H: 'Н', K: 'К', M: 'М', P: 'Р', S: 'Ѕ', T: 'Т', X: 'Х', Y: 'У' })[letter] ??
    letter,
  (letter) => ({ C: 'с', E: 'е', P: 'р', S: 'ѕ', X: 'х', Y: 'у', V: 'ѵ', J: 'ј' })[letter] ?? letter,
  (letter) =>
    ({ A: 'Α', B: 'Β', E: 'Ε', F: 'Ϝ', H: 'Η', K: 'Κ', M: 'Μ', N: 'Ν', P: 'Ρ', T: 'Τ', X: 'Χ', Z: 'Ζ' })[letter] ??
    letter,
];
const GAPS = ['', '', '', ' ', '\u00a0', '-', '\u2013', '.', '_', '/', ' - ', '\n', '\u200b', '\u2060', '·', ', '];

const spelled = fc
  .record({
    digits: fc.array(fc.nat({ max: 9 }), { minLength: 16, maxLength: 16 }),
    hasEs: fc.boolean(),
    suffix: fc.constantFrom('', '0F', '1P'),
    script: fc.constantFrom(...SCRIPTS),
    alphabet: fc.constantFrom(...ALPHABETS),
    gaps: fc.oneof(
      fc.array(fc.constantFrom(...GAPS), { minLength: 20, maxLength: 20 }),
      fc.constantFrom(...GAPS).map((gap) => Array.from({ length: 20 }, (_, at) => (at % 4 === 1 ? gap : ''))),
    ),
  })
  .map(({ digits, hasEs, suffix, script, alphabet, gaps }) => {
    const [first = '', second = ''] = checkLetters(digits);
    const letters = [...(hasEs ? ['E', 'S'] : []), ...digits, first, second];
    const shown = letters.map((each) => (typeof each === 'number' ? script.format(each) : alphabet(each)));
    return shown.map((each, at) => (at === 0 ? each : `${gaps[at]}${each}`)).join('') + suffix;
  });

test('A-85: a CUPS is found in any spacing, script and alphabet, with and without ES, and nothing else is removed', () => {
  const before = fc.constantFrom('', 'CUPS ', 'Luz de Ana, piso 2: ', 'consumos_', '(', 'nº 4 ', 'ñ😀 ', '01/02/2026 ');
  const after = fc.constantFrom('', '.csv', '_20260101_20260131.xlsx', ' (2.0TD)', ', con 4,6 kW', ' ñ😀', '\n2 kWh');
  holds(
    fc.property(spelled, before, after, (cups, start, end) => {
      expect(hasCups(start + cups + end)).toBe(true);
      expect(withoutCups(start + cups + end)).toBe(`${start}(CUPS)${end}`);
    }),
  );
});

const number = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));
const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const ordinary = fc.oneof(
  fc.tuple(fc.constantFrom('+34 ', '0034', ''), number(9)).map((parts) => parts.join('')),
  fc.tuple(number(3), number(2), number(2), number(2)).map((parts) => parts.join(' ')),
  day,
  day.map((text) => text.replaceAll('-', '')),
  day.map((text) => text.split('-').toReversed().join('/')),
  fc
    .tuple(number(2), number(4), number(4), number(4), number(4), number(4))
    .map(([check, ...rest]) => `ES${check} ${rest.join(' ')}`),
  number(22).map((digits) => `ES${digits}`),
  number(20),
  fc.tuple(number(4), number(4)).map((parts) => `${parts.join(',')} EUR/kWh`),
  fc.double({ min: 0, max: 1e6, noNaN: true }).map((value) => `${value} kWh`),
  fc.constantFrom('2.0TD', '3.0TDVE', '6.1TD', 'RL.4', 'Tarifa Plana 24h', 'es', 'clientes', 'de', 'final', 'v2', 'ES'),
);

test('A-85: telephones, days, accounts, prices and names of tariffs are no CUPS, one after another neither', () => {
  const text = fc.array(ordinary, { minLength: 1, maxLength: 6 });
  holds(
    fc.property(text, fc.constantFrom(' ', ', ', ' - ', '_'), (words, between) => {
      expect(withoutCups(words.join(between))).toBe(words.join(between));
    }),
  );
});

test('A-85: after ES 16 digits in fours count with any two letters, and two days do not', () => {
  for (const number of ['ES0021000000000001AB', 'es 0021 0000 0000 0001 ab', 'xES.0021-0000-0000-0001.A.B']) {
    expect(hasCups(number), number).toBe(true);
  }
  const others = ['clientes_20250101_20251231_es.xlsx', 'meses 01/01/2025-31/12/2025 de', '0021000000000001AB'];
  // Letters that go on are a word, and not those that check.
  const words = ['Consumo de los últimos meses: 0120, 0130, 0110, 0100 kWh', 'pedido 0021000073519284KBc'];
  for (const name of [...others, ...words]) expect(hasCups(name), name).toBe(false);
  expect(withoutCups('01/01/2025 31/12/2025 ES0021000000000001AB')).toBe('01/01/2025 31/12/2025 (CUPS)');
});

test('A-85: without ES 16 digits count with any two letters where one sign parts their fours, and accounts do not', () => {
  const parted = ['0021.0000.0000.0001.ab', 'CUPS:0021-0000-0000-0001 AB 0F', '0021  0000  0000  0001 AB'];
  const dashed = ['0021–0000–0000–0001 AB', '0021 - 0000 - 0000 - 0001 AB'];
  const afterNumbers = ['28013 0021 0000 0000 0001 AB', 'Calle Mayor, 2 0021.0000.0000.0001 AB'];
  for (const number of ['0021 0000 0000 0001 AB', ...parted, ...dashed, ...afterNumbers]) {
    expect(hasCups(number), number).toBe(true);
  }
  const passing = ['0021000000000001AB', '1021 0000 0000 0001 AB', '00 21 0000 0000 0001 AB', 'ES1021000000000001AB'];
  const accounts = [
    '2100 0418 4502 0005 1332 de',
    'ES91 2100 0418 4502 0005 1332 de',
    'ES91.0049.0418.4502.0005.1332.DE',
    '0049 0418 4502 0005 1332 de',
    '0049  0418  4502  0005  1332 de',
    '0049 - 0418 - 4502 - 0005 - 1332 de',
  ];
  const words = ['de 0800-1400 y 0900-1300 en', '0120, 0130, 0110, 0100 kW', '0021 0000 0000 0001 kWh'];
  for (const text of [...passing, ...accounts, ...words]) expect(hasCups(text), text).toBe(false);
});

test('A-85: every decimal digit of Unicode is read as the one that it is', () => {
  const digits = Array.from({ length: 0x110000 }, (_, code) => code).filter(
    (code) => (code < 0xd800 || code > 0xdfff) && /\p{Nd}/u.test(String.fromCodePoint(code)),
  );
  // Unicode assigns them in rows of ten.
  for (let row = 0; row < digits.length; row += 10) {
    const shown = [...'0021000073519284'].map((digit) => String.fromCodePoint((digits[row] ?? 0) + Number(digit)));
    expect(withoutCups(`${shown.join('')}KB`), String(digits[row])).toBe('(CUPS)');
  }
});
