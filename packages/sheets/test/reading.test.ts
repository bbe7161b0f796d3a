import type { CellValue } from '@tarifario/core/service';
import { relation, relations, sheetXml, workbookFile, workbookParts } from '@tarifario/testkit/files/workbook-file';
import { zipFile } from '@tarifario/testkit/files/zip-file';
import { describe, expect, test } from 'vitest';
import { outcomeOf, readHere, wholeOf } from './whole-files.ts';

/** The cells of the first sheet as `row:column`. */
async function cellsOf(file: Uint8Array): Promise<Record<string, CellValue>> {
  const [sheet] = await wholeOf(readHere(file));
  const cells = sheet?.rows.flatMap(({ row, cells }) => cells.map((cell) => [`${row}:${cell.column}`, cell.value]));
  return Object.fromEntries(cells ?? []);
}

const cellsIn = (rows: string, sharedStrings?: string) =>
  cellsOf(
    workbookFile({ sheets: { ofertas: sheetXml(rows) }, ...(sharedStrings === undefined ? {} : { sharedStrings }) }),
  );

const text = (value: string): CellValue => ({ kind: 'text', text: value });
const number = (value: string, double: number | null): CellValue => ({ kind: 'number', text: value, number: double });

describe('a cell', () => {
  test.each([
    ['0.1', 0.1],
    ['-1.5E-3', -0.0015],
    ['46023', 46023],
    ['9007199254740993', 9007199254740992],
    ['1e999', null],
    ['12abc', null],
    ['1,5', null],
    ['0x10', null],
    ['1_000', null],
    ['Infinity', null],
    ['NaN', null],
  ])('with the number %s keeps its digits and means %s', async (digits, double) => {
    expect(await cellsIn(`<row r="1"><c r="A1"><v>${digits}</v></c></row>`)).toEqual({ '1:0': number(digits, double) });
  });

  test('is not a date just because of its format', async () => {
    // The reader ignores styles.
    expect(await cellsIn('<row><c s="7"><v>46023.5</v></c></row>')).toEqual({ '1:0': number('46023.5', 46023.5) });
  });

  test('is a boolean, an error, a formula, a text, or a date in words', async () => {
    const cells = await cellsIn(
      `<row><c t="b"><v>1</v></c><c t="b"><v>false</v></c><c t="e"><v>#REF!</v></c><c><f>1+1</f><v>2</v></c>
       <c t="str"><f t="shared" si="0"/><v>x</v></c><c t="str"><v>=1+1</v></c><c t="d"><v>2026-03-01</v></c></row>`,
    );
    expect(cells).toEqual({
      '1:0': { kind: 'boolean', value: true },
      '1:1': { kind: 'boolean', value: false },
      '1:2': { kind: 'error', text: '#REF!' },
      '1:3': { kind: 'formula' },
      '1:4': { kind: 'formula' },
      '1:5': text('=1+1'),
      '1:6': text('2026-03-01'),
    });
  });

  test.each([
    ['2026-03-01', '2026-03-01'],
    ['2026-03-01T00:00:00', '2026-03-01'],
    ['2026-03-31T23:59:59.999Z', '2026-03-31'],
    [' 2026-03-01T12:30 ', '2026-03-01'],
    ['2026-03', '2026-03'],
    ['12:30:00', '12:30:00'],
    ['2026-03-01T', '2026-03-01T'],
    ['2026-03-01Tx', '2026-03-01Tx'],
  ])('A-43: with the date %j of ISO 8601 is the text %j', async (iso, day) => {
    for (const cell of [`<c r="A1" t="d"><v>${iso}</v></c>`, `<c r="A1" s="2" t="d"><!-- --><v>${iso}</v></c>`]) {
      expect(await cellsIn(`<row r="1">${cell}</row>`)).toEqual({ '1:0': text(day) });
    }
  });

  test('is a boolean when its formula is nothing else, as LibreOffice saves it', async () => {
    const cells = await cellsIn(
      '<row><c t="b"><f aca="false">TRUE()</f><v>1</v></c><c t="b"><f>FALSE()</f><v>1</v></c><c t="b"><f>NOT(TRUE())</f><v>0</v></c></row>',
    );
    expect(cells).toEqual({
      '1:0': { kind: 'boolean', value: true },
      '1:1': { kind: 'boolean', value: false },
      '1:2': { kind: 'formula' },
    });
  });

  test('has its text inline or shared, plain or rich, without phonetic hints', async () => {
    const shared = `<sst><si><t xml:space="preserve"> uno </t></si><si><r><rPr><b/></rPr><t>do</t></r><r><t>s</t></r></si>
      <si><t>tres</t><rPh sb="0" eb="1"><t>toresu</t></rPh><phoneticPr fontId="1"/></si><si/><si><t>a&amp;<![CDATA[<b>]]>&#233;<!-- no -->!</t></si></sst>`;
    const cells = await cellsIn(
      `<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c><c t="s"><v>3</v></c><c t="s"><v>4</v></c>
       <c t="inlineStr"><is><t>in</t></is></c><c t="inlineStr"><is><r><t>ri</t></r><r><t>ch</t></r><rPh sb="0" eb="1"><t>no</t></rPh></is></c></row>`,
      shared,
    );
    expect(cells).toEqual({
      '1:0': text(' uno '),
      '1:1': text('dos'),
      '1:2': text('tres'),
      '1:4': text('a&<b>é!'),
      '1:5': text('in'),
      '1:6': text('rich'),
    });
  });

  test('can contain characters that XML cannot, with the escapes of spreadsheets', async () => {
    const cells = await cellsIn('<row><c t="inlineStr"><is><t>a_x000D_b_x005F_x0041_c_x41_</t></is></c></row>');
    expect(cells).toEqual({ '1:0': text('a\rb_x0041_c_x41_') });
  });

  test('without a value is empty, styled or not', async () => {
    const cells = await cellsIn('<row r="2"><c r="A2" s="1"/><c r="B2" t="s"><v/></c><c r="C2"><v> </v></c></row>');
    expect(cells).toEqual({});
  });
});

describe('a sheet', () => {
  test('counts rows and cells without explicit positions', async () => {
    const cells = await cellsIn(
      '<row><c><v>1</v></c><c r="D1"><v>2</v></c><c><v>3</v></c></row><row r="7"><c><v>4</v></c></row><row><c r="CV8"><v>5</v></c></row>',
    );
    expect(Object.keys(cells)).toEqual(['1:0', '1:3', '1:4', '7:0', '8:99']);
  });

  test('gives only its cells, whatever else it contains', async () => {
    const behind =
      '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells><dataValidations><dataValidation sqref="A1:XFD1048576"><formula1>1</formula1></dataValidation></dataValidations><extLst><ext><row r="9"><c r="A9"><v>9</v></c></row></ext></extLst>';
    const file = workbookFile({
      sheets: { ofertas: sheetXml('<row><c><v>1</v><extLst><ext><v>8</v></ext></extLst></c></row>', behind) },
      behindSheets: '<definedNames><definedName name="n">ofertas!$A$1:$XFD$1048576</definedName></definedNames>',
    });
    expect(await cellsOf(file)).toEqual({ '1:0': number('1', 1) });
  });

  test('may be written with a prefix, and what has another one is not its own', async () => {
    const sheet =
      '<x:worksheet xmlns:x="m" xmlns:y="n"><x:sheetData><x:row><x:c><x:v>1</x:v><y:v>2</y:v></x:c><y:c><y:v>3</y:v></y:c><c><v>4</v></c></x:row></x:sheetData></x:worksheet>';
    expect(await cellsOf(workbookFile({ sheets: { a: sheet } }))).toEqual({ '1:0': number('1', 1) });
  });

  test('may be hidden, empty, or a chart, and keeps its place', async () => {
    const parts = workbookParts({ sheets: { uno: sheetXml(''), dos: sheetXml('<row><c><v>1</v></c></row>') } });
    const workbook =
      '<x:workbook xmlns:x="m" xmlns:q="n"><x:sheets><x:sheet name="dos" sheetId="9" state="veryHidden" q:id="r1"/><x:sheet name="chart" q:id="c"/><x:sheet name="u&amp;no" q:id="r0"/></x:sheets></x:workbook>';
    const targets = [
      relation('r0', 'worksheet', '/xl/worksheets/sheet1.xml'),
      relation('r1', 'worksheet', './../XL/worksheets/sheet2.xml'),
      relation('c', 'chartsheet', 'chartsheets/c.xml'),
    ];
    const changed = parts.map((part) => {
      if (part.name === 'xl/workbook.xml') return { ...part, data: workbook };
      return part.name === 'xl/_rels/workbook.xml.rels' ? { ...part, data: relations(targets) } : part;
    });
    // The order of the parts in the package has no effect.
    const sheets = await wholeOf(readHere(zipFile(changed.toReversed())));
    expect(sheets.map(({ name, rows }) => [name, rows.length])).toEqual([
      ['dos', 1],
      ['chart', 0],
      ['u&no', 0],
    ]);
  });

  test('A-43: of a strict workbook is read, its dates included', async () => {
    const strict = 'http://purl.oclc.org/ooxml';
    const rows =
      '<row r="1"><c r="A1" t="inlineStr"><is><t>mes</t></is></c></row><row r="2"><c r="A2" t="d"><v>2026-03-01T00:00:00</v></c></row>';
    const parts = workbookParts({ sheets: { ofertas: sheetXml(rows) } }).map(({ name, data }) => ({
      name,
      data: String(data)
        .replaceAll('http://schemas.openxmlformats.org/officeDocument/2006', `${strict}/officeDocument`)
        .replaceAll('http://schemas.openxmlformats.org/spreadsheetml/2006/main', `${strict}/spreadsheetml/main`)
        .replace(
          /<workbook[^>]*/,
          `<workbook xmlns="${strict}/spreadsheetml/main" xmlns:r="${strict}/officeDocument/relationships" conformance="strict"`,
        ),
    }));
    expect(parts.some(({ data }) => data.includes(`${strict}/officeDocument/relationships/worksheet`))).toBe(true);
    expect(await cellsOf(zipFile(parts))).toEqual({ '1:0': text('mes'), '2:0': text('2026-03-01') });
  });

  test('reports when its dates count from 1904', async () => {
    const days = async (beforeSheets: string) => {
      for await (const part of readHere(workbookFile({ sheets: { a: sheetXml('') }, beforeSheets })))
        return part.dates1904;
    };
    expect(await days('<workbookPr date1904="1"/>')).toBe(true);
    expect(await days('<workbookPr date1904="0"/>')).toBe(false);
    expect(await days('')).toBe(false);
  });
});

describe('A-45: a file is refused beyond each cap, and accepted up to it', () => {
  const row = (cell: string) => sheetXml(`<row>${cell}</row>`);
  const inline = (value: string) => row(`<c t="inlineStr"><is><t>${value}</t></is></c>`);
  const filled = (count: number) => sheetXml('<row><c><v>1</v></c></row><row><c/></row>'.repeat(count));
  const outcome = (sheet: string, caps = {}) =>
    outcomeOf(readHere(workbookFile({ sheets: { hoja: sheet } }), { caps }));

  test('non-empty rows', async () => {
    expect(await outcome(filled(3), { rows: 3 })).toBe('read');
    expect(await outcome(filled(4), { rows: 3 })).toBe('too_many_rows hoja 7');
  });

  test('non-empty columns', async () => {
    expect(await outcome(row('<c r="CV1"><v>1</v></c><c r="CW1"/>'))).toBe('read');
    expect(await outcome(row('<c r="CW1"><v>1</v></c>'))).toBe('too_many_columns hoja 1');
  });

  test('bytes of a cell, in UTF-8', async () => {
    expect(await outcome(inline('a'.repeat(4096)))).toBe('read');
    expect(await outcome(inline('a'.repeat(4097)))).toBe('cell_too_long hoja 1');
    expect(await outcome(inline('é'.repeat(2048)))).toBe('read');
    expect(await outcome(inline('é'.repeat(2049)))).toBe('cell_too_long hoja 1');
  });

  test('entries', async () => {
    const more = Array.from({ length: 197 }, (_, index) => ({ name: `more/${index}`, data: '' }));
    const file = (count: number) => workbookFile({ sheets: { a: sheetXml('') }, more: more.slice(0, count) });
    expect(await outcomeOf(readHere(file(196)))).toBe('read');
    expect(await outcomeOf(readHere(file(197)))).toBe('too_many_entries');
  });

  test('unpacked bytes, including unread parts', async () => {
    const parts = workbookParts({ sheets: { a: sheetXml('') }, more: [{ name: 'media', data: 'x'.repeat(5000) }] });
    const size = parts.reduce((sum, part) => sum + Buffer.byteLength(part.data), 0);
    const outcome = (unpackedBytes: number) => outcomeOf(readHere(zipFile(parts), { caps: { unpackedBytes } }));
    expect(await outcome(size)).toBe('read');
    expect(await outcome(size - 1)).toBe('too_large_unpacked');
  });

  test('characters of cells, also of one text in many cells', async () => {
    const sharedStrings = `<sst><si><t>${'a'.repeat(4000)}</t></si></sst>`;
    const sheet = sheetXml(`<row>${'<c t="s"><v>0</v></c>'.repeat(20)}</row>`);
    const file = workbookFile({ sheets: { a: sheet }, sharedStrings });
    const outcome = (unpackedBytes: number) => outcomeOf(readHere(file, { caps: { unpackedBytes } }));
    expect(await outcome(80_000)).toBe('read');
    expect(await outcome(79_999)).toBe('too_large_unpacked a 1');
    // Longer than a frame is meant to be, and still one row.
    const [whole] = await wholeOf(readHere(file));
    expect(whole?.rows.map(({ cells }) => cells.length)).toEqual([20]);
  });
});

describe('A-45: another kind of spreadsheet is recognised', () => {
  const outcome = (bytes: Buffer) => outcomeOf(readHere(bytes));
  const sheets = { sheets: { ofertas: sheetXml('') } };

  test('an XLSB workbook, by where its package begins', async () => {
    const parts = workbookParts(sheets).map(({ name, data }) => ({
      name: name === 'xl/workbook.xml' ? 'xl/workbook.bin' : name,
      data: String(data).replace('xl/workbook.xml', 'xl/workbook.bin'),
    }));
    expect(await outcome(zipFile(parts))).toBe('xlsb');
  });

  test('an ODS spreadsheet, by its parts', async () => {
    const mimetype = { name: 'mimetype', data: 'application/vnd.oasis.opendocument.spreadsheet' };
    expect(await outcome(zipFile([mimetype, { name: 'content.xml', data: '<office:document-content/>' }]))).toBe('ods');
    expect(await outcome(zipFile([mimetype]))).toBe('not_a_workbook');
  });

  test('an XLS workbook or one with a password, by its first bytes', async () => {
    const begin = Buffer.from('d0cf11e0a1b11ae1', 'hex');
    expect(await outcome(Buffer.concat([begin, Buffer.alloc(504)]))).toBe('xls');
    expect(await outcome(begin.subarray(0, 7))).toBe('not_a_workbook');
  });
});

describe('a CSV', () => {
  const outcome = (csv: string | Uint8Array, caps = {}) => outcomeOf(readHere(Buffer.from(csv), { form: 'csv', caps }));
  const rowsOf = async (csv: string, caps = {}) => {
    const [sheet] = await wholeOf(readHere(Buffer.from(csv), { form: 'csv', caps }));
    return sheet?.rows.map(({ row, cells }) => [row, ...cells.map(({ column, value }) => [column, value])]);
  };

  test('is a sheet of texts, its decimal commas and signs left alone', async () => {
    const csv = '\uFEFFoffer_id;e1;notes\r\n1;0,15;"a;""b""\nc"\r\n;;\r\n\r\n2;=1+1; x ';
    expect(await rowsOf(csv)).toEqual([
      [1, [0, text('offer_id')], [1, text('e1')], [2, text('notes')]],
      [2, [0, text('1')], [1, text('0,15')], [2, text('a;"b"\nc')]],
      [5, [0, text('2')], [1, text('=1+1')], [2, text(' x ')]],
    ]);
  });

  test('may be separated by commas, also with semicolons further down or in a quoted header', async () => {
    expect(await rowsOf('"a;b",c\n1;2,3')).toEqual([
      [1, [0, text('a;b')], [1, text('c')]],
      [2, [0, text('1;2')], [1, text('3')]],
    ]);
  });

  test('ends where the caps say', async () => {
    const caps = { rows: 2, columns: 2, cellBytes: 3 };
    expect(await rowsOf('a,b\n\n1,é1\n', caps)).toHaveLength(2);
    expect(await outcome('a,b\n1,2\n\n3,4', caps)).toBe('too_many_rows  4');
    expect(await outcome('a,b\n1,2,3', caps)).toBe('too_many_columns  2');
    expect(await outcome('a,b\n1,éé', caps)).toBe('cell_too_long  2');
  });

  test.each([
    ['UTF-8', Buffer.from('año')],
    ['Latin-1', Buffer.from('año', 'latin1')],
    ['UTF-16 with its mark', Buffer.from('\uFEFFaño', 'utf16le')],
    ['UTF-16 with its mark, the greater byte first', Buffer.from('\uFEFFaño', 'utf16le').swap16()],
  ])('in %s is read', async (_, bytes) => {
    const [sheet] = await wholeOf(readHere(bytes, { form: 'csv' }));
    expect(sheet?.rows).toEqual([{ row: 1, cells: [{ column: 0, value: text('año') }] }]);
  });

  test.each([
    ['quotes that do not end', 'a,b\n"1,2', 'damaged  2'],
    ['UTF-8 and a byte that is none', Buffer.concat([Buffer.from('año'), Buffer.of(0xf1, 10)]), 'not_utf8 '],
    ['a byte that is none and UTF-8', Buffer.concat([Buffer.of(0xf1, 10), Buffer.from('año')]), 'not_utf8 '],
    ['UTF-8 that is cut', Buffer.from('año ñ').subarray(0, -1), 'not_utf8 '],
    ['a NUL', 'a\n\0', 'not_a_text  2'],
  ])('with %s is refused', async (_, csv, fault) => {
    expect(await outcome(csv)).toBe(fault);
  });
});
