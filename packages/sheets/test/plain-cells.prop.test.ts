import { FILE_CAPS } from '@tarifario/core/service';
import { workbookFile } from '@tarifario/testkit/files/workbook-file';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMeter } from '../src/fault.ts';
import type { PlacedCell } from '../src/frames.ts';
import { readSheetXml } from '../src/sheet-xml.ts';
import { readHere, wholeOf } from './whole-files.ts';

/** What the reader makes of a sheet and of the texts that it shares: every cell, or how it ends. */
async function cellsOf(rows: string, items: string): Promise<unknown> {
  const sheet = `<worksheet><sheetData>${rows}</sheetData><c r="Z9"><v>9</v></c></worksheet>`;
  const file = workbookFile({ sheets: { ofertas: sheet }, sharedStrings: `<sst>${items}</sst>` });
  return wholeOf(readHere(file)).catch((error: unknown) => String(error));
}

/** Equivalent XML with tags that no spreadsheet writes, so that the parser reads it. */
const inOtherWords = (xml: string) => xml.replaceAll('<c r=', '<c  r=').replaceAll('<si><t', '<si ><t');

const text = fc.constantFrom(
  '0.5',
  '-1E-3',
  '7',
  'a_x000D_b',
  'ñ',
  '😀',
  ' ',
  '',
  '"',
  "'",
  ';',
  '%',
  '~',
  'x'.repeat(4097),
);
const value = fc.oneof(
  text.map((inside) => `<v>${inside}</v>`),
  fc.constantFrom('', '<v/>', '<v>&lt;</v>', '<v>0<!----></v>'),
);
const typed = fc.constantFrom('', ' t="n"', ' t="b"', ' t="str"', ' t="e"', ' s="1"', ' s="3" t="str"', ' t="odd"');
const shared = fc.nat(4).map((index) => ({ type: ' t="s"', inside: `<v>${index}</v>` }));
const cell = fc.oneof(shared, fc.record({ type: typed, inside: value }));
const row = fc.record({
  attributes: fc.constantFrom(
    '',
    '',
    ' spans="1:3" ht="15"',
    ' ht="1" ht="1"',
    ' r="1"',
    " ht='1'",
    ' ht="<"',
    ' a:b="c>d"',
  ),
  cells: fc.array(cell, { maxLength: 4 }),
});
const item = fc.oneof(
  text.map((inside) => `<si><t>${inside}</t></si>`),
  fc.constantFrom('<si/>', '<si><t xml:space="preserve"> a </t></si>', '<si><r><t>a</t></r><r><t>b</t></r></si>'),
);

function sheetOf(
  rows: readonly { readonly attributes: string; readonly cells: readonly { type: string; inside: string }[] }[],
) {
  return rows
    .map(({ attributes, cells }, at) => {
      const inside = cells.map(({ type, inside }, column) => `<c r="${'ABCD'[column]}${at + 1}"${type}>${inside}</c>`);
      return `<row r="${at + 1}"${attributes}>${inside.join('').replaceAll('></c>', '/>')}</row>`;
    })
    .join('');
}

/** An insertion or removal at a random place. */
const damage = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.nat(3),
  inserted: fc.constantFrom(
    '',
    '',
    '>',
    '<',
    '&',
    ']]>',
    '\u0001',
    '"',
    ' ',
    '<!--',
    '-->',
    '</c>',
    '</row>',
    '<c r="A1">',
    '/',
    '1',
    'r',
  ),
});
function damaged(
  xml: string,
  { at, removed, inserted }: { readonly at: number; readonly removed: number; readonly inserted: string },
): string {
  const from = Math.floor(at * xml.length);
  return xml.slice(0, from) + inserted + xml.slice(from + removed);
}

describe('cells and texts that are read without the parser', () => {
  test('are read, or refused, as the parser reads or refuses them', async () => {
    const sheets = fc.tuple(
      fc.array(row, { maxLength: 4 }),
      fc.array(item, { maxLength: 5 }),
      fc.array(damage, { maxLength: 2 }),
    );
    await fc.assert(
      fc.asyncProperty(sheets, async ([rows, items, faults]) => {
        const sheet = faults.reduce(damaged, sheetOf(rows));
        const texts = faults.length === 1 ? faults.reduce(damaged, items.join('')) : items.join('');
        expect(await cellsOf(sheet, texts)).toEqual(await cellsOf(inOtherWords(sheet), inOtherWords(texts)));
      }),
      { seed: 20_261_120, numRuns: runsOf(200, 600) },
    );
  });

  test.each([
    ['what ends a CDATA section', '<c r="B1"><v>1]]></v></c>'],
    ['a control character', '<c r="B1"><v>1\u0001</v></c>'],
    ['a reference to nothing', '<c r="B1"><v>1&x;</v></c>'],
    ['an attribute twice', '</row><row r="2" ht="1" ht="1"><c r="A2"/>'],
    ['the number of a row twice', '</row><row r="2" r="2"><c r="A2"/>'],
    ['a tag in an attribute', '</row><row r="2" ht="<"><c r="A2"/>'],
    ['an end of something else', '<c r="B1"><v>1</t></c>'],
  ])('are refused with %s', async (_, cells) => {
    expect(await cellsOf(`<row r="1"><c r="A1"></c>${cells}</row>`, '')).toMatch(/damaged/);
  });

  test.each([
    ['a control character', 'a\u0001'],
    ['what ends a CDATA section', ']]>'],
    ['no character', '\ufffe'],
  ])('are refused as texts with %s', async (_, inside) => {
    expect(await cellsOf('', `<si><t>a</t></si><si><t>${inside}</t></si>`)).toMatch(/damaged/);
  });

  test('are the same wherever the bytes are cut', async () => {
    const rows = [
      '<row r="1"><c r="A1"></c><c r="B1" t="s"><v>0</v></c>\r\n<c r="C1" t="inlineStr"><is><t>ñ<![CDATA[</c>]]>&lt;</t></is></c>',
      '<c r="D1"><v>2</v></c></row><row r="2" ht="15"><c r="A2" t="b"><v>1</v></c><!-- </c><c r="B2"><v>9</v></c> --></row>',
    ];
    const bytes = Buffer.from(`\ufeff<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`);
    const readIn = async (pieces: readonly Uint8Array[]) => {
      const cells: PlacedCell[] = [];
      const meter = createMeter(FILE_CAPS, Number.POSITIVE_INFINITY, () => 0);
      const put = (cell: PlacedCell) => void cells.push(cell);
      const context = { sharedStrings: ['ñ'], formats: [], ranges: [], caps: FILE_CAPS, meter, put, at: () => {} };
      await readSheetXml(ReadableStream.from(pieces), context);
      return cells.map(({ text }) => text);
    };
    const texts = ['ñ', 'ñ</c><', '2', '1'];
    expect(await readIn(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))).toEqual(texts);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(await readIn([bytes.subarray(0, cut), bytes.subarray(cut)]), `cut at ${cut}`).toEqual(texts);
    }
  });

  test('are read as what they are in XML 1.1, where a line may end in another character', async () => {
    const rows = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>';
    const sheet = `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
    const sharedStrings = '<?xml version="1.1"?><sst><si><t>a\u2028b</t></si><si><t>a\u2028b</t></si></sst>';
    const [ofertas] = await wholeOf(readHere(workbookFile({ sheets: { ofertas: sheet }, sharedStrings })));
    const texts = ofertas?.rows[0]?.cells.map(({ value }) => (value.kind === 'text' ? value.text : null));
    expect(texts).toEqual(['a\nb', 'a\nb']);
  });

  const plain = '<c r="B1"><v>2</v></c>';
  test.each([
    ['a comment', `<row r="1"><c r="A1"/><!-- </c>${plain} --><c r="C1"><v>3</v></c></row>`, ['3']],
    [
      'a part of other vocabulary',
      `<row r="1"><c r="A1"><v>1</v></c><extLst><c r="A1"></c>${plain}</extLst></row>`,
      ['1'],
    ],
    ['what is no row', `<row r="1"><c r="A1"><v>1</v></c></row></sheetData><c r="A2"></c>${plain}<sheetData>`, ['1']],
  ])('are not read inside %s', async (_, rows, texts) => {
    const sheets = await cellsOf(rows, '');
    expect(sheets).toMatchObject([{ rows: [{ row: 1, cells: texts.map((one) => ({ value: { text: one } })) }] }]);
  });
});
