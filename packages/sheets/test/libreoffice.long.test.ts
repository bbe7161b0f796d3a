import type { CellToWrite, SheetToWrite } from '@tarifario/core/service';
import { hasLibreOffice, openLibreOffice } from '@tarifario/testkit/files/libreoffice';
import { afterAll, expect, test } from 'vitest';
import { createWorkbookReader } from '../src/workbook-reader.ts';
import { createWorkbookWriter } from '../src/workbook-writer.ts';
import { wholeOf } from './whole-files.ts';

const writer = createWorkbookWriter();
const reader = createWorkbookReader();
const office = openLibreOffice();
afterAll(async () => {
  office.close();
  reader.close();
  await writer.close();
});

const TEXTS = [
  '=1+1',
  "'quoted",
  '+34 600',
  '@a',
  ' blanks ',
  'a\nb',
  '1,5',
  '007',
  '2026-03',
  '5/3',
  'TRUE',
  '<&>"',
  'ñ€😀',
  '1e999',
];
const NUMBERS = [0, 1, -1, 0.1, 0.1 + 0.2, 1 / 3, 0.123456789012, 1e-7, 123456789.123, 46082, 1e15, 2 ** 53];
const rows: CellToWrite[][] = TEXTS.map((text, index) => [text, NUMBERS[index] ?? null, index % 2 === 0, null, 'end']);

const columns = [
  { header: 'text', width: 20 },
  { header: 'number', width: 12, numberFormat: '#,##0.00 "EUR/MWh"' },
  { header: 'boolean', width: 8 },
  { header: 'choice', width: 8, choices: ['LUZ', 'GAS'] },
  { header: 'end', width: 8 },
];
const SHEETS: SheetToWrite[] = [
  { kind: 'notes', name: 'leeme', widths: [30], lines: [{ heading: true, cells: ['qué es'] }] },
  { kind: 'table', name: 'ofertas', columns, rows },
  { kind: 'table', name: 'borrar', columns: columns.slice(0, 1), rows: [] },
];

test.runIf(hasLibreOffice())('a file that LibreOffice has saved has the same cells', { timeout: 180_000 }, async () => {
  const written = await writer.write(SHEETS);
  const before = await wholeOf(reader.read(written, 'xlsx'));
  const after = await wholeOf(reader.read(await office.savedAgain(written), 'xlsx'));
  expect(after.map(({ name }) => name)).toEqual(['leeme', 'ofertas', 'borrar']);
  expect(before[1]?.rows).toHaveLength(1 + TEXTS.length);
  // It keeps 15 digits of a number.
  const meaning = (sheets: typeof before) =>
    sheets.map(({ rows }) =>
      rows.map(({ row, cells }) => [
        row,
        ...cells.map(({ column, value }) => [column, value.kind === 'number' ? value.number?.toPrecision(15) : value]),
      ]),
    );
  expect(meaning(after)).toEqual(meaning(before));
});
