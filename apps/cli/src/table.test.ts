import { expect, it } from 'vitest';
import { type Column, formatTable } from './table.ts';

type Row = readonly [number, string, string];
const columns: readonly Column<Row>[] = [
  { title: 'id', align: 'right', cell: ([id]) => String(id) },
  { title: 'name', cell: ([, name]) => name },
  { title: 'address', cell: ([, , address]) => address, maxWidth: 20 },
];
const rows: readonly Row[] = [
  [7, 'Comercializadora del Ñandú', 'Calle Mayor, 1'],
  [123_456, 'Una', 'x'.repeat(30)],
];

it('is as wide as its text, with long cells cut', () => {
  expect(formatTable(columns, rows)).toEqual([
    '    id name                       address',
    '────── ────────────────────────── ────────────────────',
    '     7 Comercializadora del Ñandú Calle Mayor, 1',
    `123456 Una                        ${'x'.repeat(19)}…`,
  ]);
});

it.each([80, 50, 40, 30])('fits %i columns by cutting its widest texts, and keeps numbers', (width) => {
  const lines = formatTable(columns, rows, width);
  for (const line of lines) expect([...line].length).toBeLessThanOrEqual(width);
  expect(lines[3]).toMatch(/^123456 Una /);
});

it('is never narrower than can be read', () => {
  expect(formatTable(columns, rows, 5)[2]).toMatch(/^ {5}7 Comercial… Calle May…$/);
});
