import { relation, relations, sheetXml, workbookFile, workbookParts } from './workbook-file.ts';
import { type ZipPart, zipFile } from './zip-file.ts';

/** A file made to harm, and how reading it shall end: a fault (of the first sheet: at which row), or `read` for what harms only who looks at more. */
export interface HostileFile {
  readonly name: string;
  readonly outcome: string;
  /** Makes the file: some take a while. */
  readonly bytes: () => Uint8Array;
}

type Row = readonly [name: string, outcome: string, bytes: () => Uint8Array];

function filesOf(rows: readonly Row[]): readonly HostileFile[] {
  return rows.map(([name, outcome, bytes]) => ({ name, outcome, bytes }));
}

const MB = 1_000_000;
const CELL = '<row r="1"><c r="A1"><v>1</v></c></row>';

const oneSheet = (rows: string, behind = '') => workbookFile({ sheets: { ofertas: sheetXml(rows, behind) } });
const withPart = (part: ZipPart) => workbookFile({ sheets: { ofertas: sheetXml(CELL) }, more: [part] });
const zeros = (megabytes: number) => Buffer.alloc(megabytes * MB);
const sharing = (inside: string) => ({ sheets: { ofertas: sheetXml(CELL) }, sharedStrings: `<sst>${inside}</sst>` });

/** The file with one of its parts changed. */
function changed(name: string, change: (data: string) => string | Uint8Array, more: Partial<ZipPart> = {}): Buffer {
  const parts = workbookParts({ sheets: { ofertas: sheetXml(CELL) }, sharedStrings: '<sst><si><t>x</t></si></sst>' });
  return zipFile(
    parts.map((part) => (part.name === name ? { ...part, ...more, data: change(String(part.data)) } : part)),
  );
}

const NO_WORKBOOKS = filesOf([
  ['nothing', 'not_a_workbook', () => new Uint8Array()],
  ['a text', 'not_a_workbook', () => Buffer.from('offer_id;e1\n1;0,1\n'.repeat(1000))],
  [
    'a workbook of the time before 2007, or one with a password',
    'xls',
    () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), zeros(1)]),
  ],
  ['a zip without a workbook', 'not_a_workbook', () => zipFile([{ name: 'a.txt', data: 'a' }])],
  [
    'a package whose workbook is not there',
    'not_a_workbook',
    () => changed('_rels/.rels', () => relations([relation('r', 'officeDocument', 'xl/other.xml')])),
  ],
  ['a document of another kind', 'not_a_workbook', () => changed('xl/workbook.xml', () => '<document/>')],
  ['the first half of a file', 'damaged', () => half(oneSheet(CELL))],
]);

const LIES = filesOf([
  ['a wrong checksum', 'damaged', () => changed('xl/worksheets/sheet1.xml', (data) => data, { checksum: 1 })],
  ['a part that says more than it is', 'damaged', () => withPart({ name: 'a', data: 'abc', declaredBytes: 4 })],
  [
    'a stored part that says less than it is',
    'damaged',
    () => withPart({ name: 'a', data: zeros(1), method: 'stored', declaredBytes: 4 }),
  ],
  [
    'a packed part that says less than it is',
    'damaged',
    () => withPart({ name: 'a', data: zeros(1), declaredBytes: 4 }),
  ],
  ['a part that says that it is encrypted', 'damaged', () => withPart({ name: 'a', data: 'abc', isEncrypted: true })],
  [
    'a part with an unsupported method of compression',
    'damaged',
    () => withPart({ name: 'a', data: 'abc', method: 'imploded' }),
  ],
  ...[
    ['of 2 PiB that says so in Zip64', 'too_large_unpacked', { declaredBytes: 2 ** 51 }] as const,
    ['that says another size in Zip64', 'damaged', { declaredBytes: 4 }] as const,
    ['that Zip64 says to be behind the file', 'damaged', { declaredAt: 2 ** 52 }] as const,
  ].map(
    ([what, outcome, lie]): Row => [
      `a part ${what}`,
      outcome,
      () => withPart({ name: 'a', data: 'abc', isZip64: true, ...lie }),
    ],
  ),
  ['one name twice', 'duplicate_entry', () => withPart({ name: 'xl/workbook.xml', data: '' })],
  ['one name in large and small letters', 'duplicate_entry', () => withPart({ name: 'XL/Workbook.xml', data: '' })],
  ...['../../tmp/evil', '/etc/evil', 'C:/evil', 'xl\\evil'].map(
    (name): Row => [`a part named ${name}`, 'damaged', () => withPart({ name, data: '' })],
  ),
]);

/** Files that are much larger than they look, or cost much more. */
export const BOMBS = filesOf([
  ['a part of 300 MB that says so', 'too_large_unpacked', () => withPart({ name: 'xl/media/a.png', data: zeros(300) })],
  [
    'a part of 300 MB that says 1 KB, which nobody asks for',
    'damaged',
    () => withPart({ name: 'xl/media/a.png', data: zeros(300), declaredBytes: 1000 }),
  ],
  [
    'a sheet of 100 MB that says 1 KB',
    'damaged',
    () => changed('xl/worksheets/sheet1.xml', () => Buffer.alloc(100 * MB, ' '), { declaredBytes: 1000 }),
  ],
  [
    '60 000 parts',
    'too_many_entries',
    () => zipFile(Array.from({ length: 60_000 }, (_, index) => ({ name: `${index}`, data: '', method: 'stored' }))),
  ],
  [
    '100 000 sheets that are one part',
    'damaged',
    () => changed('xl/workbook.xml', (data) => data.replace(/<sheet .*\/>/, (sheet) => sheet.repeat(100_000))),
  ],
  [
    'a shared text of 200 MB',
    'too_large_unpacked',
    () => workbookFile(sharing(`<si><t>${'a'.repeat(200 * MB)}</t></si>`)),
  ],
  ['a shared text of 60 MB', 'cell_too_long', () => workbookFile(sharing(`<si><t>${'a'.repeat(60 * MB)}</t></si>`))],
  [
    'a shared text of 10 million escaped signs',
    // Whichever limit of the process comes first.
    'too_costly or too_much_memory',
    () => workbookFile(sharing(`<si><t>${'&amp;'.repeat(10 * MB)}</t></si>`)),
  ],
  ['5 million shared texts', 'too_large_unpacked', () => workbookFile(sharing('<si><t>x</t></si>'.repeat(5 * MB)))],
  ['5 million empty shared texts', 'read', () => workbookFile(sharing('<si/>'.repeat(5 * MB)))],
  [
    'a text of 4 KB in a million cells',
    'too_large_unpacked',
    () => {
      const rows = `<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`.repeat(10_000);
      const sharedStrings = `<sst><si><t>${'a'.repeat(4000)}</t></si></sst>`;
      return workbookFile({ sheets: { ofertas: sheetXml(rows) }, sharedStrings });
    },
  ],
  ['10 million nested tags', 'too_deep', () => oneSheet('<a>'.repeat(10 * MB))],
  ['a million rows with styles alone', 'read', () => oneSheet('<row><c s="1"/></row>'.repeat(MB))],
  ['more rows than the caps allow', 'too_many_rows', () => oneSheet('<row><c><v>1</v></c></row>'.repeat(50_001))],
  [
    'a tag with a million attributes',
    'read',
    () => oneSheet(`<row ${Array.from({ length: MB }, (_, index) => `a${index}=""`).join(' ')}/>`),
  ],
  ['a row number of 50 MB', 'bad_position', () => oneSheet(`<row r="${'1'.repeat(50 * MB)}"/>`)],
]);

const EVERYTHING = 'A1:XFD1048576';
const POSITIONS = filesOf([
  ...['4294967290', '1000000000', '1048577', '-1', '0', '1.5', '1e3', ''].map(
    (row): Row => [
      `the row ${row || 'without a number'}`,
      'bad_position',
      () => oneSheet(`<row r="${row}"><c><v>1</v></c></row>`),
    ],
  ),
  ...['ZZZZZZ1', 'A2', 'A', '1', 'A01', 'a1', '$A$1', 'A-1', 'A4294967297'].map(
    (cell): Row => [
      `the cell ${cell} in row 1`,
      'bad_position',
      () => oneSheet(`<row r="1"><c r="${cell}"><v>1</v></c></row>`),
    ],
  ),
  ['a row twice', 'bad_position', () => oneSheet('<row r="2"/><row r="2"/>')],
  ['a row before an earlier one', 'bad_position', () => oneSheet('<row r="2"/><row r="1"/>')],
  ['a cell twice', 'bad_position', () => oneSheet('<row r="1"><c r="B1"/><c r="B1"/></row>')],
  ['the last column of a spreadsheet', 'too_many_columns', () => oneSheet('<row r="1"><c r="XFD1"><v>1</v></c></row>')],
  [
    'a merged range as large as the sheet',
    'read',
    () => oneSheet(CELL, `<mergeCells><mergeCell ref="${EVERYTHING}"/></mergeCells>`),
  ],
  [
    'a merged range over 50,001 rows without a cell of their own',
    'too_many_rows',
    () => oneSheet(`${CELL}${'<row/>'.repeat(50_000)}`, `<mergeCells><mergeCell ref="A1:A50001"/></mergeCells>`),
  ],
  [
    'a merged range over all columns and 100,000 empty rows',
    'too_large_unpacked',
    () => oneSheet(`${CELL}${'<row/>'.repeat(100_000)}`, `<mergeCells><mergeCell ref="A1:CV1048576"/></mergeCells>`),
  ],
  [
    'a validation as large as the sheet',
    'read',
    () => oneSheet(CELL, `<dataValidations><dataValidation type="list" sqref="${EVERYTHING}"/></dataValidations>`),
  ],
  [
    'a name for the whole sheet',
    'read',
    () =>
      workbookFile({
        sheets: { ofertas: sheetXml(CELL) },
        behindSheets: '<definedNames><definedName name="n">ofertas!$A$1:$XFD$1048576</definedName></definedNames>',
      }),
  ],
]);

/** Files whose XML is not what it should be; where something is to be fetched, it is from `address`. */
export function xmlAttacks(address: string): readonly HostileFile[] {
  const external = `<!DOCTYPE x [<!ENTITY e SYSTEM "${address}/entity">]>`;
  const laughs = `<!DOCTYPE x [<!ENTITY a "${'ha'.repeat(1000)}"><!ENTITY b "${'&a;'.repeat(1000)}">]>`;
  const parts = [
    '_rels/.rels',
    'xl/workbook.xml',
    'xl/_rels/workbook.xml.rels',
    'xl/sharedStrings.xml',
    'xl/worksheets/sheet1.xml',
  ];
  const inSheet = (before: string, value = '1') =>
    changed(
      'xl/worksheets/sheet1.xml',
      (data) => before + data.replace(/^<\?.*\?>\s*/, '').replace('<v>1<', `<v>${value}<`),
    );
  return filesOf([
    ...parts.map(
      (part): Row => [
        `a document type in ${part}`,
        'doctype',
        () => changed(part, (data) => external + data.replace(/^<\?.*\?>\s*/, '')),
      ],
    ),
    ['an entity from elsewhere', 'doctype', () => inSheet(external, '&e;')],
    ['an entity from this machine', 'doctype', () => inSheet(external.replace(/".*"/, '"file:///etc/passwd"'), '&e;')],
    ['rules from elsewhere', 'doctype', () => inSheet(`<!DOCTYPE x SYSTEM "${address}/dtd">`)],
    ['entities within entities', 'doctype', () => inSheet(laughs, '&b;')],
    ['an entity that nobody declared', 'damaged', () => inSheet('', '&e;')],
    ['a tag that does not end', 'damaged', () => inSheet('', '<b>')],
    ['a control character', 'damaged', () => inSheet('', '&#1;')],
    ['a text number that is none', 'damaged', () => oneSheet('<row><c t="s"><v>0</v></c></row>')],
    ['a kind of cell that is none', 'damaged', () => oneSheet('<row><c t="x"><v>0</v></c></row>')],
    [
      'bytes that are no text',
      'not_utf8',
      () => changed('xl/worksheets/sheet1.xml', (data) => Buffer.from(data.replace('<v>1<', '<v>\u00e9<'), 'latin1')),
    ],
    [
      'a sheet in UTF-16',
      'not_utf8',
      () => changed('xl/worksheets/sheet1.xml', (data) => Buffer.from(`\uFEFF${data}`, 'utf16le')),
    ],
    [
      'a sheet that says another encoding',
      'not_utf8',
      () => changed('xl/worksheets/sheet1.xml', (data) => data.replace('UTF-8', 'UTF-7')),
    ],
  ]);
}

/** Small files that were seen to kill or to fool a reader of spreadsheets. */
export const HOSTILE_FILES: readonly HostileFile[] = [...NO_WORKBOOKS, ...LIES, ...POSITIONS];

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2);
}
