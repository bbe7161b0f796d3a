import type { CellValue } from '@tarifario/core/service';
import { relation, relations, sheetXml, workbookParts } from '@tarifario/testkit/files/workbook-file';
import { zipFile } from '@tarifario/testkit/files/zip-file';
import { expect, test } from 'vitest';
import { outcomeOf, readHere, wholeOf } from './whole-files.ts';

const STYLES = `<styleSheet><numFmts>${[
  ['164', '0.00%'],
  ['165', '[$-C0A]d\\-mmm;@'],
  ['166', '#,##0.00\\ &quot;€ d&quot;'],
  ['167', '0.00&quot;%&quot;'],
  ['168', '[h]:mm'],
  ['169', '[Red]0.0##'],
  ['170', '_-* #,##0.00_d'],
]
  .map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`)
  .join('')}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${[
  ...[0, 9, 10, 14, 17, 22, 2, 4],
  ...[164, 165, 166, 167, 168, 169, 170],
]
  .map((id) => `<xf numFmtId="${id}"/>`)
  .join('')}</cellXfs></styleSheet>`;

function workbook(rows: string, behind = ''): Buffer {
  const parts = workbookParts({ sheets: { ofertas: sheetXml(rows, behind) } }).map((part) =>
    part.name === 'xl/_rels/workbook.xml.rels'
      ? {
          ...part,
          data: relations([
            relation('r0', 'worksheet', 'worksheets/sheet1.xml'),
            relation('s', 'styles', 'styles.xml'),
          ]),
        }
      : part,
  );
  return zipFile([...parts, { name: 'xl/styles.xml', data: STYLES }]);
}

const shown = (value: CellValue) =>
  value.kind === 'number' ? [value.number, ...(value.format ? [value.format] : [])] : [value.kind];

test.each([
  ['General', 0, []],
  ['0%', 1, ['percent']],
  ['0.00%', 2, ['percent']],
  ['a date', 3, ['date']],
  ['a month', 4, ['date']],
  ['a date with a time', 5, ['date']],
  ['0.00', 6, []],
  ['#,##0.00', 7, []],
  ['a percent format of its own', 8, ['percent']],
  ['a day and a month in Spanish', 9, ['date']],
  ['a currency whose text has a d', 10, []],
  ['a sign of percent as a text', 11, []],
  ['hours', 12, ['date']],
  ['a colour', 13, []],
  ['a width of d', 14, []],
])('a number with the format %s', async (_, style, format) => {
  for (const cell of [`<c r="A1" s="${style}"><v>0.1</v></c>`, `<c  r="A1" s="${style}"><v>0.1</v></c>`]) {
    const [sheet] = await wholeOf(readHere(workbook(`<row r="1">${cell}</row>`)));
    expect(sheet?.rows[0]?.cells.map(({ value }) => shown(value))).toEqual([[0.1, ...format]]);
  }
});

/** Numbers by their cells; merged ones in parentheses. */
async function cellsOf(rows: readonly string[], merged: readonly string[]): Promise<readonly string[]> {
  const xml = rows.map((row, index) => {
    const cells = row.split(' ').map((text, column) => {
      const place = `${'ABCDEF'.charAt(column)}${index + 1}`;
      return text === '.' ? `<c r="${place}" s="1"/>` : text === '-' ? '' : `<c r="${place}"><v>${text}</v></c>`;
    });
    return `<row r="${index + 1}">${cells.join('')}</row>`;
  });
  const behind = `<mergeCells>${merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`;
  const [sheet] = await wholeOf(readHere(workbook(xml.join(''), behind)));
  return (sheet?.rows ?? []).map(({ row, cells }) =>
    [
      row,
      ...cells.map(({ column, value, isMerged }) => {
        const text = `${'ABCDEF'.charAt(column)}${'text' in value ? value.text : ''}`;
        return isMerged ? `(${text})` : text;
      }),
    ].join(' '),
  );
}

test.each<[string, readonly string[], readonly string[], readonly string[]]>([
  ['over two rows', ['1 2', '3 .'], ['B1:B2'], ['1 A1 B2', '2 A3 (B2)']],
  ['over rows without a cell there', ['1 2', '3 -', '4 .'], ['B1:B3'], ['1 A1 B2', '2 A3 (B2)', '3 A4 (B2)']],
  ['over columns', ['1 2 . 4', '5 6 7 8'], ['B1:C1'], ['1 A1 B2 (C2) D4', '2 A5 B6 C7 D8']],
  ['over both', ['1 . 3', '. . 6'], ['A1:B2'], ['1 A1 (B1) C3', '2 (A1) (B1) C6']],
  ['beside another', ['1 2 3', '. 5 .'], ['C1:C2', 'A1:A2'], ['1 A1 B2 C3', '2 (A1) B5 (C3)']],
  ['one below the other', ['1', '.', '3', '.'], ['A1:A2', 'A3:A4'], ['1 A1', '2 (A1)', '3 A3', '4 (A3)']],
  ['whose first cell is empty', ['. 2', '3 4'], ['A1:A2'], ['1 B2', '2 A3 B4']],
  ['that hides other values', ['1 2', '3 9'], ['B1:B2'], ['1 A1 B2', '2 A3 (B2)']],
  ['at the end of rows', ['1 2 3', '4', '5'], ['B1:B3', 'C1:C2'], ['1 A1 B2 C3', '2 A4 (B2) (C3)', '3 A5 (B2)']],
  ['wider than a table', ['1 2', '3'], ['A1:XFD9'], ['1 A1 B2', '2 A3']],
])('a merged range %s gives its value to each of its cells', async (_, rows, merged, expected) => {
  expect(await cellsOf(rows, merged)).toEqual(expected);
});

test('merged ranges that overlap are refused, and a text in thousands of merged cells is too', async () => {
  const behind = (...refs: string[]) =>
    `<mergeCells>${refs.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`;
  const rows = Array.from({ length: 700 }, (_, row) => `<row r="${row + 1}"><c r="CV${row + 1}"><v>1</v></c></row>`);
  const long = rows
    .with(0, `<row r="1"><c r="A1" t="inlineStr"><is><t>${'x'.repeat(4000)}</t></is></c></row>`)
    .join('');
  expect(await outcomeOf(readHere(workbook(rows.join(''), behind('A1:C9', 'B2:D3'))))).toBe('damaged ofertas 1');
  expect(await outcomeOf(readHere(workbook(long, behind('A1:CU700')), { caps: { unpackedBytes: 1_000_000 } }))).toBe(
    'too_large_unpacked ofertas 3',
  );
});
