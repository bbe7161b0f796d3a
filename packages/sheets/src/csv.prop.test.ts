import type { Cell } from '@tarifario/core/service';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { csvTables } from './csv.ts';

const SIGNS = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫', '\t', '\r', '\n'];
const UNSEEN = [' ', '\u00a0', '\u3000', '\0', '\u0007', '\ufeff', '\u200b', '\u202e', '\u00ad', "'", '"', ',', ';'];

/** Texts with many special characters: signs, invisible ones, separators, and any others. */
const text = fc
  .array(fc.oneof(fc.constantFrom(...SIGNS), fc.constantFrom(...UNSEEN), fc.string({ unit: 'grapheme', maxLength: 4 })))
  .map((parts) => parts.join(''));
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.constantFrom(-0.5, 0, 0.1 + 0.2, 1e-7, 1e21),
);
const cell: fc.Arbitrary<Cell> = fc.oneof(text, text, number, fc.boolean(), fc.constant(null));
const table = fc
  .integer({ min: 2, max: 6 })
  .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 250 }));
const separator = fc.constantFrom(',' as const, ';' as const);

const written = (rows: readonly (readonly Cell[])[], form: ',' | ';') =>
  [...csvTables.csv(rows, { separator: form })].join('');

/** The cells of a file, read without a guess about what they mean. */
function cellsOf(file: string, form: ',' | ';'): string[][] {
  const text = form === ';' ? file.slice(1) : file;
  expect(text.endsWith('\r\n')).toBe(true);
  const { data, errors } = Papa.parse<string[]>(text.slice(0, -2), { delimiter: form, newline: '\r\n' });
  expect(errors).toEqual([]);
  return data;
}

/** Said a second time, without the expression that the source uses: is the first thing to be seen a sign? */
function isRunnable(cellText: string, passedOver = ''): boolean {
  for (const character of cellText) {
    if (SIGNS.includes(character)) return true;
    if (!passedOver.includes(character) && !/[\s\p{Cc}\p{Cf}]/u.test(character)) return false;
  }
  return false;
}

/** What the cell says, once an apostrophe in front is taken away. */
function withoutApostrophe(cellText: string): string {
  return cellText.replace(/^'/, '');
}

/** The text that stands for a cell. */
function textOf(value: Cell, form: ',' | ';'): string {
  if (value === null) return '';
  return typeof value === 'number' && form === ';' ? String(value).replace('.', ',') : String(value);
}

describe('CSV', () => {
  it('A-35: that is read back has every value of the table, whatever its content', () => {
    fc.assert(
      fc.property(table, separator, (rows, form) => {
        const back = cellsOf(written(rows, form), form);
        const texts = back.map((row, y) =>
          row.map((read, x) => (typeof rows[y]?.[x] === 'string' ? withoutApostrophe(read) : read)),
        );
        expect(texts).toEqual(rows.map((row) => row.map((value) => textOf(value, form))));
      }),
      { seed: 20_261_120, numRuns: 200 },
    );
  });

  it('A-35: has no text that a spreadsheet could run as a formula, and no apostrophe in front of a number', () => {
    fc.assert(
      fc.property(table, separator, (rows, form) => {
        cellsOf(written(rows, form), form).forEach((row, y) => {
          row.forEach((read, x) => {
            const value = rows[y]?.[x];
            if (typeof value === 'string') expect(isRunnable(read)).toBe(false);
            if (typeof value === 'number') expect(read).toBe(textOf(value, form));
          });
        });
      }),
      { seed: 20_261_120, numRuns: 200 },
    );
  });

  it('maps different texts to different cells', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [one, other] = cellsOf(
          written(
            [
              [a, 'x'],
              [b, 'x'],
            ],
            ',',
          ),
          ',',
        );
        expect(one?.[0] === other?.[0]).toBe(a === b);
      }),
      { seed: 20_261_120, numRuns: 500 },
    );
  });
});
