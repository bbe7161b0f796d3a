import type { CellToWrite, SheetToWrite } from '@tarifario/core/service';
import { RETRY_ON_NOISE, watched } from '@tarifario/testkit/loop-watch';
import { expectWithin } from '@tarifario/testkit/share';
import ExcelJS from 'exceljs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkbookWriter } from '../src/workbook-writer.ts';
import { readHere, wholeOf } from './whole-files.ts';

const writer = createWorkbookWriter();
let written: Uint8Array;
beforeAll(async () => {
  written = await writer.write([NOTES, OFFERS]);
});
afterAll(() => writer.close());

const OFFERS: SheetToWrite = {
  kind: 'table',
  name: 'ofertas',
  columns: [
    { header: 'offer_id', width: 10, numberFormat: '0' },
    { header: 'supply_type', width: 12, choices: ['LUZ', 'GAS "natural"'] },
    { header: 'e1', width: 14, numberFormat: '0.000000' },
    { header: 'notes', width: 40 },
    { header: 'is_active', width: 10 },
  ],
  rows: [
    [1, 'LUZ', 0.1 + 0.2, '=1+1', true],
    [2, null, null, '', false],
    [3, 'GAS "natural"', -1e-7, ' @SUM(A1)\n+1 ', null],
  ],
};
const NOTES: SheetToWrite = {
  kind: 'notes',
  name: 'leeme',
  widths: [20, 60],
  lines: [
    { heading: true, cells: ['columna', 'qué es'] },
    { heading: false, cells: ['e1', 'EUR/kWh, without tax'] },
  ],
};

async function inExcel(bytes: Uint8Array): Promise<ExcelJS.Workbook> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.load(new Uint8Array(bytes).buffer);
  return workbook;
}

const text = (value: string) => ({ kind: 'text', text: value });
const number = (value: number) => ({ kind: 'number', text: String(value), number: value });
const boolean = (value: boolean) => ({ kind: 'boolean', value });

describe('a workbook as it is written', () => {
  test('is read back as it was written, each text as text', async () => {
    const sheets = await wholeOf(readHere(written));
    const cells = sheets.map(({ name, rows }) => [name, ...rows.map((row) => row.cells.map(({ value }) => value))]);
    expect(cells).toEqual([
      ['leeme', [text('columna'), text('qué es')], [text('e1'), text('EUR/kWh, without tax')]],
      [
        'ofertas',
        ['offer_id', 'supply_type', 'e1', 'notes', 'is_active'].map(text),
        [number(1), text('LUZ'), number(0.30000000000000004), text('=1+1'), boolean(true)],
        [number(2), boolean(false)],
        [number(3), text('GAS "natural"'), number(-1e-7), text(' @SUM(A1)\n+1 ')],
      ],
    ]);
    expect(sheets[1]?.rows[2]?.cells.map(({ column }) => column)).toEqual([0, 4]);
  });

  test('A-98: has the same bytes whenever it is written, because its only date is the first day of the zip format', async () => {
    const bytes = Buffer.from(written);
    const days = new Set<number>();
    for (const [mark, place] of [
      ['PK\x03\x04', 10],
      ['PK\x01\x02', 12],
    ] as const) {
      for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1))
        days.add(bytes.readUInt32LE(at + place));
    }
    expect([...days]).toEqual([0x00210000]);
    expect((await inExcel(bytes)).created).toEqual(new Date('1980-01-01T00:00:00Z'));
    expect(Buffer.from(await writer.write([NOTES, OFFERS])).equals(bytes)).toBe(true);
  });

  test('has a frozen header, widths, formats and choices', async () => {
    const workbook = await inExcel(written);
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(['leeme', 'ofertas']);
    const sheet = workbook.getWorksheet('ofertas');
    expect(sheet?.views).toMatchObject([{ state: 'frozen', ySplit: 1 }]);
    expect(sheet?.getCell('A1').font.bold).toBe(true);
    expect(sheet?.getCell('A1').numFmt).toBeUndefined();
    expect(sheet?.getColumn(4).width).toBe(40);
    expect(sheet?.getCell('C2').numFmt).toBe('0.000000');
    expect(sheet?.getCell('D2').numFmt).toBeUndefined();
    expect(sheet?.getCell('B2').dataValidation).toMatchObject({ type: 'list', allowBlank: true });
    expect(sheet?.getCell('B2').dataValidation.formulae).toEqual(['"LUZ,GAS ""natural"""']);
    // Below the last row too, for added rows; not in the header, and not in other columns.
    expect(sheet?.getCell('B1004').dataValidation).toMatchObject({ type: 'list' });
    expect(sheet?.getCell('B1').dataValidation).toBeUndefined();
    expect(sheet?.getCell('C2').dataValidation).toBeUndefined();
    expect(workbook.getWorksheet('leeme')?.getCell('A1').font.bold).toBe(true);
    expect(workbook.getWorksheet('leeme')?.getCell('B2').alignment.wrapText).toBe(true);
  });

  test('of 3 000 rows does not hold up this thread for more than 50 ms', RETRY_ON_NOISE, async () => {
    const columns = Array.from({ length: 35 }, (_, index) => ({ header: `c${index}`, width: 10 }));
    const row = (index: number): CellToWrite[] =>
      columns.map((_, column) => (column % 2 ? index / 7 : `text ${index}`));
    const rows = Array.from({ length: 3_000 }, (_, index) => row(index));
    const { blockedMs, value } = await watched(() => writer.write([{ kind: 'table', name: 'ofertas', columns, rows }]));
    expectWithin(blockedMs, 50);
    const [sheet] = await wholeOf(readHere(value));
    expect(sheet?.rows.length).toBe(3_001);
    expect(sheet?.rows.at(-1)?.cells[1]?.value).toEqual(number(2_999 / 7));
  });
});

describe('what no cell can hold is refused', () => {
  const table = (rows: readonly (readonly CellToWrite[])[], choices: readonly string[] = []): SheetToWrite => ({
    kind: 'table',
    name: 'ofertas',
    columns: [{ header: 'a', width: 10, choices }],
    rows,
  });

  test.each([
    ['a number that is none', table([[Number.NaN]])],
    ['a number without end', table([[Number.POSITIVE_INFINITY]])],
    ['a text longer than a cell', table([['a'.repeat(32_768)]])],
    ['a row longer than its header', table([[1, 2]])],
    ['a choice with a comma', table([], ['a,b'])],
    ['choices that are too long', table([], ['a'.repeat(128), 'b'.repeat(127)])],
  ])('%s', async (_, sheet) => {
    await expect(writer.write([sheet])).rejects.toThrow(RangeError);
  });

  test('and the longest possible text is not', async () => {
    const sheet = table([['a'.repeat(32_767)]], ['a'.repeat(127), 'b'.repeat(127)]);
    expect((await inExcel(await writer.write([sheet]))).worksheets).toHaveLength(1);
  });
});

test('one file is written at a time; others are refused when the queue is full or closed', async () => {
  const busy = createWorkbookWriter(1);
  const [first, second] = [busy.write([OFFERS]), busy.write([OFFERS])];
  const refused = { code: 'unavailable', details: { retryAfterSeconds: 5 } };
  await expect(busy.write([OFFERS])).rejects.toMatchObject(refused);
  expect([(await first).length > 0, (await second).length > 0]).toEqual([true, true]);
  await busy.close();
  await expect(busy.write([OFFERS])).rejects.toMatchObject(refused);
});
