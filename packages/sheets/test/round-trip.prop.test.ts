import type { CellToWrite, CellValue } from '@tarifario/core/service';
import { ANY_CHARACTER } from '@tarifario/core/testing';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSheetWriting } from '../src/sheet-writing.ts';
import { readHere, wholeOf } from './whole-files.ts';

/** Texts that are hard on formats: signs of XML, what it cannot hold, halves of signs, and what looks like an escape. */
const hardText = fc
  .array(
    fc.oneof(
      fc.string({ unit: ANY_CHARACTER, maxLength: 6 }),
      fc.constantFrom(
        '_x0041_',
        '_x005F_',
        '_x00',
        '01_',
        '\u0000',
        '\u001f',
        '\r\n',
        '\t',
        ' ',
        '\uD800',
        '\uDC00',
        '\uFFFE',
      ),
      fc.constantFrom('=1+1', '+', "'", '"', '<a>', '&amp;', ']]>', '<![CDATA[', '😀', 'ñ', '\uFEFF'),
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(''));

const cell: fc.Arbitrary<CellToWrite> = fc.oneof(
  hardText,
  // Cells know no negative zero.
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);

const table = fc
  .integer({ min: 1, max: 8 })
  .chain((columns) => fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { maxLength: 12 }));

function asRead(value: CellToWrite): CellValue | null {
  if (value === null || value === '') return null;
  if (typeof value === 'string') return { kind: 'text', text: value };
  if (typeof value === 'boolean') return { kind: 'boolean', value };
  return { kind: 'number', text: String(value), number: value };
}

test('a table is read as it was written, whatever its content', async () => {
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      const writing = createSheetWriting();
      const columns = (rows[0] ?? ['']).map((_, index) => ({ header: `h${index}`, width: 9 }));
      writing.sheet({ kind: 'table', name: 'first', columns });
      writing.rows(rows);
      writing.sheet({ kind: 'notes', name: 'second', widths: [], lines: [] });
      const [first, second] = await wholeOf(readHere(await writing.finish()));
      const expected = rows.flatMap((row, index) => {
        const cells = row
          .map((value, column) => ({ column, value: asRead(value) }))
          .filter(({ value }) => value !== null);
        return cells.length === 0 ? [] : [{ row: index + 2, cells }];
      });
      expect(first?.rows.slice(1)).toEqual(expected);
      expect(second).toEqual({ name: 'second', rows: [] });
    }),
    { seed: 20_261_120, numRuns: runsOf(50, 150) },
  );
});
