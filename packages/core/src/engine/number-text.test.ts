import { describe, expect, test } from 'vitest';
import { inWords } from './messages/message.ts';
import { createMarks, numberIn, openFault } from './number-text.ts';

test.each([
  ['1.200,5', 1200.5, ','],
  ['1,200.5', 1200.5, '.'],
  ['12.345.678', 12_345_678, ','],
  ['1,234,567', 1_234_567, '.'],
  ['1 200', 1200, null],
  ['15\u00a0000,25 kWh', 15_000.25, ','],
  ['1 200.500', 1200.5, '.'],
  ['0,123', 0.123, ','],
  ['0.123', 0.123, '.'],
  ['1200.500', 1200.5, '.'],
  ['4,60', 4.6, ','],
  ['-12,5 €', -12.5, ','],
  ['+3', 3, null],
  ['−5', -5, null],
  [',5', 0.5, ','],
  ['5.', 5, '.'],
  ['1,5E-7', 1.5e-7, ','],
  ['-0', 0, null],
] as const)('A-104: %s is one number, whatever the file, and shows its decimal mark', (text, value, mark) => {
  expect(numberIn(text)).toEqual({ value, mark });
});

test.each([
  '',
  '1.2.3',
  '1,2,3',
  '12abc',
  '1e999',
  'Infinity',
  '0x10',
  '--1',
  '.',
  '1 00',
  '1.2000,5',
  '60 €/año',
  '5 %',
])('A-104: %j is no number', (text) => expect(numberIn(text)).toEqual({ value: null, mark: null }));

test.each([
  ['1.200', 1200, 1.2],
  ['15.000', 15_000, 15],
  ['345,678', 345_678, 345.678],
  ['-1.019', -1019, -1.019],
  ['9,080 kW', 9080, 9.08],
])('A-104: %s is open, with both readings', (text, thousands, decimals) => {
  expect(numberIn(text).value).toMatchObject({ thousands, decimals });
});

describe('A-104: an open number of a column', () => {
  const OPEN = { mark: '.', thousands: 1019, decimals: 1.019 } as const;
  test.each<[string, readonly [number, string][], number | null]>([
    ['is thousands beside a decimal comma', [[0, '987,5']], 1019],
    ['has decimals beside a decimal point', [[0, '987.5']], 1.019],
    [
      'follows its own column and not the others',
      [
        [0, '4.6'],
        [1, '4,6'],
      ],
      1.019,
    ],
    [
      'follows the others where its own shows nothing',
      [
        [0, '1400'],
        [1, '4,6'],
      ],
      1019,
    ],
    [
      'stays open where its column shows both marks',
      [
        [0, '4,6'],
        [0, '4.6'],
      ],
      null,
    ],
    [
      'stays open where the others show both',
      [
        [1, '4,6'],
        [2, '4.6'],
      ],
      null,
    ],
    [
      'stays open where nothing shows a mark',
      [
        [0, '1400'],
        [1, '1.400'],
      ],
      null,
    ],
  ])('%s', (_, texts, value) => {
    const marks = createMarks();
    for (const [column, text] of texts) marks.read(column, text);
    expect(marks.meant(0, OPEN, 1e9)).toBe(value);
  });

  test('has decimals in a file whose usual mark is a point, and where thousands are more than the column may have', () => {
    const marks = createMarks();
    expect(marks.meant(0, OPEN, 10)).toBe(1.019);
    marks.separatedByCommas();
    expect(marks.meant(0, OPEN, 1e9)).toBe(1.019);
  });

  test.each([
    ['1.200', '900', null],
    ['1.200', '0', 1.019],
    ['1.200', '15.000', 1.019],
    ['1.019', '900', 1.019],
  ])(
    'between commas, %s in a column with %s: %s, open where no program writes both with decimals',
    (open, other, value) => {
      const marks = createMarks();
      marks.separatedByCommas();
      for (const text of [open, other]) marks.read(0, text);
      expect(marks.meant(0, OPEN, 1e9)).toBe(value);
    },
  );

  test('with a comma has decimals where nothing shows a mark, unless commas separate cells or a point is open too', () => {
    const [alone, between, beside] = [createMarks(), createMarks(), createMarks()];
    between.separatedByCommas();
    beside.read(1, '8.973');
    const comma = { ...OPEN, mark: ',' } as const;
    expect([alone, between, beside].map((marks) => marks.meant(0, comma, null))).toEqual([1.019, null, null]);
  });

  test('is refused with both readings', () => {
    expect(inWords(openFault({ mark: '.', thousands: 1200, decimals: 1.2 }))).toBe(
      '1.200 is 1200 or 1.2: write it without a separator of thousands',
    );
  });
});
