import { expect, test } from 'vitest';
import { errorsOf, FORMULA, partsOf, sheet, type TestWorkbook } from '../../test/simple-bulk.ts';
import type { SheetPart } from '../engine/cells.ts';
import { inWords } from '../engine/messages/message.ts';
import { createRowReader, readRows } from './read-rows.ts';
import { MAX_ROWS_SHOWN } from './row-errors.ts';

const HEADER = ['offer_id', 'offer_name', 'e1'] as const;
const COMMISSIONS = ['offer_id', 'commission'] as const;
const NO_HEADER = 'the first row that holds anything must have the names of the columns';

function read(workbook: TestWorkbook) {
  return readRows(partsOf(workbook), 'own');
}

test('an empty cell is null, and a missing column is absent', () => {
  const { sheets } = read({ ofertas: [HEADER, [10, 'A', '']] });
  const [draft] = sheets.ofertas?.rows ?? [];
  expect(draft).toEqual({ row: 2, id: 10, values: { offer_id: 10, offer_name: 'A', e1: null }, unreadable: [] });
  expect(sheets.ofertas?.columns).toEqual(HEADER);
  expect(sheets.borrar).toBeNull();
});

test('empty rows are ignored, and the others keep the row numbers of the spreadsheet', () => {
  const { sheets, errorCount } = read({
    ofertas: [[], HEADER, [], ['  ', null, '\u00a0'], [10, 'A', 1], [11, 'B', 2]],
  });
  expect(sheets.ofertas?.rows.map(({ row }) => row)).toEqual([5, 6]);
  expect(errorCount).toBe(0);
});

test('names of sheets and headers ignore case and surrounding spaces', () => {
  const { sheets, errorCount } = read({
    ' Ofertas ': [
      [' OFFER_ID', 'Offer_Name ', 'E1'],
      [10, 'A', 1],
    ],
  });
  expect(sheets.ofertas?.rows[0]?.values).toEqual({ offer_id: 10, offer_name: 'A', e1: 1 });
  expect(errorCount).toBe(0);
});

test('the sheet leeme is ignored, whatever its content', () => {
  expect(read({ Leeme: [['Hola', FORMULA]] })).toMatchObject({ errorCount: 0, sheetOrder: [] });
});

test('a sheet without a name, as in a CSV, is ofertas', () => {
  expect(read({ '': [HEADER, [10, 'A', 1]] }).sheets.ofertas?.rows).toHaveLength(1);
});

test('an empty sheet is treated as absent', () => {
  expect(read({ tramos_consumo: [], borrar: [[' ']] })).toMatchObject({
    errorCount: 0,
    sheets: { tramos_consumo: null, borrar: null },
  });
});

test('A-43: an unknown sheet is an error, empty or not, and is shown without invisible characters', () => {
  const unknown = 'unknown sheet: there are ofertas, precios_indexados, tramos_consumo, tramos_potencia, borrar, leeme';
  expect(errorsOf({ Hoja1: [[], ['x']] })).toEqual([`Hoja1 2 - -: ${unknown}`]);
  expect(errorsOf({ Hoja1: [] })).toEqual([`Hoja1 1 - -: ${unknown}`]);
  expect(errorsOf({ 'a\u202eb\n': [] })).toEqual([`a b 1 - -: ${unknown}`]);
  expect(errorsOf({ ['x'.repeat(500)]: [] })).toEqual([`${'x'.repeat(60)}… 1 - -: ${unknown}`]);
});

test('text above the header is reported at its row, and the rows below are not', () => {
  const workbook = {
    ofertas: [[], ['Ofertas de 2026'], HEADER, [10, 'A', 'x'], [null, null, 1, 2, 3]],
    precios_indexados: [
      ['cliente', 'company_name', 'offer_name', 'reference_month'],
      ['Norte', 'Iber', 'Una nueva', '2026-01'],
    ],
  };
  expect(errorsOf(workbook)).toEqual([`ofertas 2 - Ofertas de 2026: unknown column: ${NO_HEADER}`]);
});

test('a sheet that occurs twice is an error', () => {
  expect(errorsOf({ borrar: [['offer_id'], [10]], BORRAR: [['offer_id'], [11]] })).toEqual([
    'borrar 1 - -: the sheet is there twice',
  ]);
});

test('A-43: unknown, repeated and nameless headers are errors, and the cells below them are ignored', () => {
  const header = ['offer_id', 'e1', 'E1 ', 'precio', FORMULA, null];
  expect(errorsOf({ ofertas: [header, [10, 0.1, 0.2, 'x', 'y', 'z']] })).toEqual([
    'ofertas 1 - E1: the column is there twice',
    'ofertas 1 - precio: unknown column',
    'ofertas 1 - -: a header must be text',
    'ofertas 2 10 -: column F has no header',
  ]);
});

test('A-85: the curve of a meter in place of a workbook does not name its supply point', () => {
  const row = ['ES0021000000000001AB0F', '2026/01/02', 1, 0.5];
  const spaced = `${'x'.repeat(40)} ES 0021 0000 0000 0001 AB 0F`;
  const errors = errorsOf({ ofertas: [row, row], borrar: [[spaced]], [`curva ${row[0]}`]: [[1]] }).join('\n');
  expect(errors).toContain('ofertas 1 - (CUPS): unknown column');
  expect(errors).not.toContain('0021');
});

test('own files have no catalog_offer_id, and those of the catalog no cliente', () => {
  expect(errorsOf({ borrar: [['catalog_offer_id']] })).toEqual([
    `borrar 1 - catalog_offer_id: unknown column: ${NO_HEADER}`,
  ]);
  const catalog = { format: 'catalog', seesCommissions: true, boundFirmId: null } as const;
  expect(errorsOf({ ofertas: [['catalog_offer_id', 'cliente']] }, catalog)).toEqual([
    'ofertas 1 - cliente: unknown column',
  ]);
});

test('all wrong cells of a row are reported, with the id of the row', () => {
  expect(errorsOf({ ofertas: [HEADER, [10, FORMULA, 'abc'], ['x', 'A', { kind: 'error', text: '#N/A' }]] })).toEqual([
    'ofertas 2 10 offer_name: must not be a formula',
    'ofertas 2 10 e1: must be a number, such as 1234,56, without unit or thousands separators',
    'ofertas 3 - offer_id: must be the whole number of an offer',
    'ofertas 3 - e1: must not be an error',
  ]);
});

test('a row without a required value is an error', () => {
  const workbook = {
    precios_indexados: sheet(['offer_id', 'e1'], [10, 0.1]),
    tramos_consumo: sheet(['offer_id', 'consumption_from', 'consumption_to', 'commission'], [10, 0, 5, null]),
    borrar: sheet(['offer_id', 'x'], [null, 1]),
  };
  expect(errorsOf(workbook)).toEqual([
    'precios_indexados 2 10 reference_month: must not be empty',
    'precios_indexados 2 10 -: only indexed offers have monthly prices',
    'tramos_consumo 2 10 commission: must not be empty',
    'borrar 1 - x: unknown column',
    'borrar 2 - offer_id: must not be empty',
  ]);
});

test('A-43: the first thousand errors are listed, in the order of the file, and all are counted', () => {
  const rows = Array.from({ length: 6000 }, (_, index) => [index + 1, FORMULA, 'x']);
  const drafts = read({ borrar: [['offer_id'], ['x']], ofertas: [HEADER, ...rows] });
  expect(drafts.errorCount).toBe(12_001);
  expect(drafts.errors).toHaveLength(MAX_ROWS_SHOWN);
  expect(drafts.errors.slice(0, 2).map(({ sheet, row }) => [sheet, row])).toEqual(sheet(['borrar', 2], ['ofertas', 2]));
  expect(drafts.errors.at(-1)).toMatchObject({ sheet: 'ofertas', row: 501 });
});

test('a sheet may be read in many parts', () => {
  const [whole] = partsOf({ ofertas: [HEADER, [10, 'A', 1], [11, 'B', FORMULA]] });
  const second = partsOf({ borrar: [['offer_id'], [12]] }).map((part) => ({ ...part, sheet: 1 }));
  if (!whole) throw new Error('no sheet');
  const pieces: readonly SheetPart[] = [[], ...whole.rows.map((row) => [row])].map((rows) => ({ ...whole, rows }));
  const reader = createRowReader('own');
  for (const part of [...pieces, ...second]) reader.take(part);
  expect(reader.finish()).toEqual(readRows([whole, ...second], 'own'));
});

test.each<[string, TestWorkbook, string[], unknown]>([
  ['is thousands beside decimal commas of its column', { ofertas: [COMMISSIONS, [1, '1.200'], [2, '12,5']] }, [], 1200],
  [
    'has decimals beside a decimal point in another sheet',
    {
      ofertas: [COMMISSIONS, [1, '1.200']],
      tramos_consumo: [
        ['offer_id', 'consumption_from'],
        [1, '0.5'],
      ],
    },
    ['tramos_consumo 2 1 commission: must not be empty'],
    1.2,
  ],
  [
    'is thousands where another sheet has decimal commas, a later one',
    {
      tramos_potencia: [
        ['offer_id', 'power_from', 'commission'],
        [1, '15.000', 3],
      ],
      ofertas: [COMMISSIONS, [1, '1.200'], [2, '0,4']],
    },
    [],
    1200,
  ],
  [
    'stays open beside both marks, and is refused with both readings',
    { ofertas: [COMMISSIONS, [1, '1.200'], [2, '0,4'], [3, '0.4']] },
    ['ofertas 2 1 commission: 1.200 is 1200 or 1.2: write it without a separator of thousands'],
    undefined,
  ],
  [
    'stays open where all other numbers are whole or typed',
    { ofertas: [COMMISSIONS, [1, '15.000'], [2, 0.4], [3, '900']] },
    ['ofertas 2 1 commission: 15.000 is 15000 or 15.0: write it without a separator of thousands'],
    undefined,
  ],
  [
    'has decimals where thousands are no price',
    {
      ofertas: [
        ['offer_id', 'e1'],
        [1, '1.234'],
      ],
    },
    [],
    1.234,
  ],
])('A-104: a number with three decimals or thousands %s', (_, workbook, errors, value) => {
  const drafts = read(workbook);
  expect(
    drafts.errors.map(({ sheet, row, id, column, message }) => `${sheet} ${row} ${id} ${column}: ${inWords(message)}`),
  ).toEqual(errors);
  const [draft] = drafts.sheets.ofertas?.rows ?? [];
  expect(draft?.values[drafts.sheets.ofertas?.columns[1] ?? '']).toBe(value);
  expect(draft?.unreadable).toEqual(value === undefined ? ['commission'] : []);
});

/** A sheet with the columns of a header; `^` is the value above, merged. */
function mergedParts(name: string, header: readonly string[], ...rows: readonly (readonly string[])[]): SheetPart[] {
  const above: string[] = [];
  const cellsOf = (texts: readonly string[]) =>
    texts.flatMap((text, column): SheetPart['rows'][number]['cells'] => {
      if (text === '') return [];
      if (text !== '^') above[column] = text;
      const value = { kind: 'text', text: above[column] ?? '' } as const;
      return [text === '^' ? { column, value, isMerged: true } : { column, value }];
    });
  return [
    {
      sheet: 0,
      name,
      dates1904: false,
      rows: [header, ...rows].map((texts, at) => ({ row: at + 1, cells: cellsOf(texts) })),
    },
  ];
}

test.each<[string, SheetPart[], string[]]>([
  [
    'prices and retailers',
    mergedParts('ofertas', ['company_name', 'offer_name', 'p1'], ['A', 'x', '0,08'], ['^', 'y', '^']),
    [],
  ],
  ['a month', mergedParts('precios_indexados', ['offer_id', 'reference_month'], ['1', '2026-01'], ['2', '^']), []],
  [
    'an offer with its tiers',
    mergedParts('tramos_potencia', ['offer_id', 'power_from', 'commission'], ['1', '0', '5'], ['^', '10', '6']),
    [],
  ],
  ['rows of merged cells alone', mergedParts('ofertas', ['offer_id', 'p1'], ['1', '0,08'], ['^', '^'], ['', '^']), []],
  ['an id', mergedParts('ofertas', ['offer_id', 'p1'], ['1', '0,08'], ['^', '0,09']), ['ofertas 3 offer_id']],
  [
    'the name of an offer',
    mergedParts('ofertas', ['offer_name', 'p1'], ['A', '0,08'], ['^', '0,09']),
    ['ofertas 3 offer_name'],
  ],
  ['a version', mergedParts('ofertas', ['offer_name', 'version'], ['A', '2'], ['B', '^']), ['ofertas 3 version']],
  ['an offer to be deactivated', mergedParts('borrar', ['offer_id'], ['1'], ['^']), []],
])('A-43: merged cells: %s', (_, parts, refused) => {
  const { sheets, errors } = readRows(parts, 'own');
  expect(errors.map(({ sheet, row, column }) => `${sheet} ${row} ${column}`)).toEqual(refused);
  for (const { message } of errors) expect(message).toBe('is merged with another cell, and each needs its own');
  const [first, second] = Object.values(sheets).flatMap((one) => one?.rows ?? []);
  for (const column of ['p1', 'company_name', 'reference_month'] as const) {
    if (refused.length === 0 && second) expect(second.values[column]).toBe(first?.values[column]);
  }
});
