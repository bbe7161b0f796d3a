import type { CellToWrite, CellValue } from '@tarifario/core/service';
import { relation, sheetXml, workbookFile, workbookParts } from '@tarifario/testkit/files/workbook-file';
import { zipFile } from '@tarifario/testkit/files/zip-file';
import ExcelJS from 'exceljs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSheetWriting } from '../src/sheet-writing.ts';
import { readAsBrowser, readHere, wholeOf } from './whole-files.ts';

/** The cells of each sheet as the other reader has them, in the words of ours. */
async function cellsByExcelJs(bytes: Uint8Array): Promise<Record<string, unknown>> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(new Uint8Array(bytes).buffer);
  const cells: Record<string, unknown> = {};
  for (const sheet of workbook.worksheets) {
    sheet.eachRow((row, number) => {
      row.eachCell((cell, column) => {
        cells[`${sheet.name} ${number}:${column - 1}`] = cell.value;
      });
    });
  }
  return cells;
}

async function ourCells(bytes: Uint8Array): Promise<Record<string, CellValue>> {
  const sheets = await wholeOf(readHere(bytes));
  expect(await wholeOf(readAsBrowser(bytes))).toEqual(sheets);
  const cells = sheets.flatMap(({ name, rows }) =>
    rows.flatMap(({ row, cells }) => cells.map(({ column, value }) => [`${name} ${row}:${column}`, value] as const)),
  );
  return Object.fromEntries(cells);
}

/** Our value as the other reader would say it. */
function plain(value: CellValue): unknown {
  switch (value.kind) {
    case 'text':
      return value.text;
    case 'number':
      return value.number;
    case 'boolean':
      return value.value;
    default:
      return value.kind;
  }
}

const harmlessCell: fc.Arbitrary<CellToWrite> = fc.oneof(
  // What must be escaped, the other reader shows as it is escaped: see below.
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => !/[\p{Cc}\p{Cs}]|_x/u.test(text)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.boolean(),
  fc.constant(null),
);

test('another reader finds the same cells in what we write', async () => {
  const row = fc.array(harmlessCell, { minLength: 6, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 10 }), async (rows) => {
      const writing = createSheetWriting();
      const columns = [0, 1, 2, 3, 4, 5].map((index) => ({ header: `h${index}`, width: 9, numberFormat: '0.00' }));
      writing.sheet({ kind: 'notes', name: 'leeme', widths: [9], lines: [{ heading: true, cells: ['a'] }] });
      writing.sheet({ kind: 'table', name: 'ofertas', columns });
      writing.rows(rows);
      const bytes = await writing.finish();
      const ours = Object.entries(await ourCells(bytes)).map(([place, value]) => [place, plain(value)]);
      expect(Object.fromEntries(ours)).toEqual(await cellsByExcelJs(bytes));
    }),
    { seed: 20_261_120, numRuns: 30 },
  );
});

test('another reader finds the same cells in what others write', async () => {
  const file = workbookFile({
    sheets: {
      uno: sheetXml(
        '<row r="2"><c r="B2" t="s"><v>1</v></c><c r="D2"><v>-1.5E-3</v></c></row><row r="9"><c r="A9" t="b"><v>0</v></c></row>',
      ),
      dos: sheetXml(
        '<row r="1"><c r="A1" t="inlineStr"><is><t>in line</t></is></c><c r="B1" t="str"><v>x</v></c></row>',
      ),
    },
    sharedStrings: '<sst><si><t>a</t></si><si><t xml:space="preserve"> b&amp;c </t></si></sst>',
  });
  const ours = Object.entries(await ourCells(file)).map(([place, value]) => [place, plain(value)]);
  expect(Object.keys(ours)).toHaveLength(5);
  expect(Object.fromEntries(ours)).toEqual(await cellsByExcelJs(file));
});

const number = (text: string, value: number | null): CellValue => ({ kind: 'number', text, number: value });
const STYLES =
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts><numFmt numFmtId="164" formatCode="#,##0.00\\ \\E\\U\\R/\\M\\W\\h"/></numFmts><fonts><font/></fonts><fills><fill/></fills><borders><border/></borders><cellStyleXfs><xf/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs></styleSheet>';

/** Where the other reader is wrong: the content of the cell, its reading, and ours. */
const MISREADINGS: readonly (readonly [cell: string, theirs: unknown, ours: CellValue])[] = [
  ['<c r="A1"><v>1e999</v></c>', Number.POSITIVE_INFINITY, number('1e999', null)],
  ['<c r="A1"><v>12abc</v></c>', 12, number('12abc', null)],
  ['<c r="A1"><v>1,5</v></c>', 1, number('1,5', null)],
  // The letters of the unit look like those of a date.
  ['<c r="A1" s="1"><v>85.5</v></c>', new Date('1900-03-25T12:00:00.000Z'), number('85.5', 85.5)],
  ['<c r="A1" t="inlineStr"><is><t>a_x000D_b</t></is></c>', 'a_x000D_b', { kind: 'text', text: 'a\rb' }],
];

describe('the other reader misreads', () => {
  test.each(MISREADINGS)('%s', async (cell, theirs, ours) => {
    const more = [
      { name: 'xl/styles.xml', data: STYLES },
      { name: '[Content_Types].xml', data: '<Types/>' },
    ];
    const parts = workbookParts({ sheets: { a: sheetXml(`<row r="1">${cell}</row>`) }, more });
    const styled = parts.map((part) =>
      part.name === 'xl/_rels/workbook.xml.rels'
        ? { ...part, data: String(part.data).replace('</Rel', `${relation('st', 'styles', 'styles.xml')}</Rel`) }
        : part,
    );
    const file = zipFile(styled);
    expect(await cellsByExcelJs(file)).toEqual({ 'a 1:0': theirs });
    expect(await ourCells(file)).toEqual({ 'a 1:0': ours });
  });

  test('formulas without a result, silently', async () => {
    const file = workbookFile({ sheets: { a: sheetXml('<row r="1"><c r="A1"><f>1+1</f></c></row>') } });
    expect(await cellsByExcelJs(file)).toEqual({ 'a 1:0': { formula: '1+1', result: undefined } });
    expect(await ourCells(file)).toEqual({ 'a 1:0': { kind: 'formula' } });
  });

  test('positions beyond the last column, silently', async () => {
    const twice = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1"><c r="A1"><v>2</v></c></row>';
    expect(await cellsByExcelJs(workbookFile({ sheets: { a: sheetXml(twice) } }))).toEqual({ 'a 1:0': 2 });
  });
});
