import { relation, relations, sheetXml, workbookFile, workbookParts } from './workbook-file.ts';
import { type ZipPart, zipFile } from './zip-file.ts';

/** A file made to harm, and how reading it shall end: a fault (of the first sheet: at which row), or `read` for what harms only who looks at more. */
export interface HostileFile {
  readonly name: string;
  readonly outcome: string;
  /** Makes the file: some take a while. */
  readonly bytes: () => Uint8Array;
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

const NO_WORKBOOKS: readonly HostileFile[] = [
  { name: 'nothing', outcome: 'not_a_workbook', bytes: () => new Uint8Array() },
  { name: 'a text', outcome: 'not_a_workbook', bytes: () => Buffer.from('offer_id;e1\n1;0,1\n'.repeat(1000)) },
  {
    name: 'a workbook of the time before 2007, or one with a password',
    outcome: 'xls',
    bytes: () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), zeros(1)]),
  },
  { name: 'a zip without a workbook', outcome: 'not_a_workbook', bytes: () => zipFile([{ name: 'a.txt', data: 'a' }]) },
  {
    name: 'a package whose workbook is not there',
    outcome: 'not_a_workbook',
    bytes: () => changed('_rels/.rels', () => relations([relation('r', 'officeDocument', 'xl/other.xml')])),
  },
  {
    name: 'a document of another kind',
    outcome: 'not_a_workbook',
    bytes: () => changed('xl/workbook.xml', () => '<document/>'),
  },
  { name: 'the first half of a file', outcome: 'damaged', bytes: () => half(oneSheet(CELL)) },
];

const LIES: readonly HostileFile[] = [
  {
    name: 'a wrong checksum',
    outcome: 'damaged',
    bytes: () => changed('xl/worksheets/sheet1.xml', (data) => data, { checksum: 1 }),
  },
  {
    name: 'a part that says more than it is',
    outcome: 'damaged',
    bytes: () => withPart({ name: 'a', data: 'abc', declaredBytes: 4 }),
  },
  {
    name: 'a stored part that says less than it is',
    outcome: 'damaged',
    bytes: () => withPart({ name: 'a', data: zeros(1), method: 'stored', declaredBytes: 4 }),
  },
  {
    name: 'a packed part that says less than it is',
    outcome: 'damaged',
    bytes: () => withPart({ name: 'a', data: zeros(1), declaredBytes: 4 }),
  },
  {
    name: 'a part that says that it is encrypted',
    outcome: 'damaged',
    bytes: () => withPart({ name: 'a', data: 'abc', isEncrypted: true }),
  },
  {
    name: 'a part that is packed in a way nobody uses',
    outcome: 'damaged',
    bytes: () => withPart({ name: 'a', data: 'abc', method: 'imploded' }),
  },
  { name: 'one name twice', outcome: 'duplicate_entry', bytes: () => withPart({ name: 'xl/workbook.xml', data: '' }) },
  {
    name: 'one name in large and small letters',
    outcome: 'duplicate_entry',
    bytes: () => withPart({ name: 'XL/Workbook.xml', data: '' }),
  },
  ...['../../tmp/evil', '/etc/evil', 'C:/evil', 'xl\\evil'].map((name) => ({
    name: `a part named ${name}`,
    outcome: 'damaged',
    bytes: () => withPart({ name, data: '' }),
  })),
];

/** Files that are much larger than they look, or cost much more. */
export const BOMBS: readonly HostileFile[] = [
  {
    name: 'a part of 300 MB that says so',
    outcome: 'too_large_unpacked',
    bytes: () => withPart({ name: 'xl/media/a.png', data: zeros(300) }),
  },
  {
    name: 'a part of 300 MB that says 1 KB, which nobody asks for',
    outcome: 'damaged',
    bytes: () => withPart({ name: 'xl/media/a.png', data: zeros(300), declaredBytes: 1000 }),
  },
  {
    name: 'a sheet of 100 MB that says 1 KB',
    outcome: 'damaged',
    bytes: () => changed('xl/worksheets/sheet1.xml', () => Buffer.alloc(100 * MB, ' '), { declaredBytes: 1000 }),
  },
  {
    name: '60 000 parts',
    outcome: 'too_many_entries',
    bytes: () =>
      zipFile(Array.from({ length: 60_000 }, (_, index) => ({ name: `${index}`, data: '', method: 'stored' }))),
  },
  {
    name: '100 000 sheets that are one part',
    outcome: 'damaged',
    bytes: () => changed('xl/workbook.xml', (data) => data.replace(/<sheet .*\/>/, (sheet) => sheet.repeat(100_000))),
  },
  {
    name: 'a shared text of 200 MB',
    outcome: 'too_large_unpacked',
    bytes: () => workbookFile(sharing(`<si><t>${'a'.repeat(200 * MB)}</t></si>`)),
  },
  {
    name: 'a shared text of 60 MB',
    outcome: 'cell_too_long',
    bytes: () => workbookFile(sharing(`<si><t>${'a'.repeat(60 * MB)}</t></si>`)),
  },
  {
    name: 'a shared text of 10 million escaped signs',
    outcome: 'too_costly',
    bytes: () => workbookFile(sharing(`<si><t>${'&amp;'.repeat(10 * MB)}</t></si>`)),
  },
  {
    name: '5 million shared texts',
    outcome: 'too_large_unpacked',
    bytes: () => workbookFile(sharing('<si><t>x</t></si>'.repeat(5 * MB))),
  },
  { name: '5 million empty shared texts', outcome: 'read', bytes: () => workbookFile(sharing('<si/>'.repeat(5 * MB))) },
  {
    name: 'a text of 4 KB in a million cells',
    outcome: 'too_large_unpacked',
    bytes: () => {
      const rows = `<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`.repeat(10_000);
      const sharedStrings = `<sst><si><t>${'a'.repeat(4000)}</t></si></sst>`;
      return workbookFile({ sheets: { ofertas: sheetXml(rows) }, sharedStrings });
    },
  },
  { name: '10 million nested tags', outcome: 'too_deep', bytes: () => oneSheet('<a>'.repeat(10 * MB)) },
  {
    name: 'a million rows with styles alone',
    outcome: 'read',
    bytes: () => oneSheet('<row><c s="1"/></row>'.repeat(MB)),
  },
  {
    name: 'more rows than the caps allow',
    outcome: 'too_many_rows',
    bytes: () => oneSheet('<row><c><v>1</v></c></row>'.repeat(50_001)),
  },
  {
    name: 'a tag with a million attributes',
    outcome: 'read',
    bytes: () => oneSheet(`<row ${Array.from({ length: MB }, (_, index) => `a${index}=""`).join(' ')}/>`),
  },
  {
    name: 'a row number of 50 MB',
    outcome: 'bad_position',
    bytes: () => oneSheet(`<row r="${'1'.repeat(50 * MB)}"/>`),
  },
];

const EVERYTHING = 'A1:XFD1048576';
const POSITIONS: readonly HostileFile[] = [
  ...['4294967290', '1000000000', '1048577', '-1', '0', '1.5', '1e3', ''].map((row) => ({
    name: `the row ${row || 'without a number'}`,
    outcome: 'bad_position',
    bytes: () => oneSheet(`<row r="${row}"><c><v>1</v></c></row>`),
  })),
  ...['ZZZZZZ1', 'A2', 'A', '1', 'A01', 'a1', '$A$1', 'A-1', 'A4294967297'].map((cell) => ({
    name: `the cell ${cell} in row 1`,
    outcome: 'bad_position',
    bytes: () => oneSheet(`<row r="1"><c r="${cell}"><v>1</v></c></row>`),
  })),
  { name: 'a row twice', outcome: 'bad_position', bytes: () => oneSheet('<row r="2"/><row r="2"/>') },
  { name: 'a row before an earlier one', outcome: 'bad_position', bytes: () => oneSheet('<row r="2"/><row r="1"/>') },
  { name: 'a cell twice', outcome: 'bad_position', bytes: () => oneSheet('<row r="1"><c r="B1"/><c r="B1"/></row>') },
  {
    name: 'the last column of a spreadsheet',
    outcome: 'too_many_columns',
    bytes: () => oneSheet('<row r="1"><c r="XFD1"><v>1</v></c></row>'),
  },
  {
    name: 'a merged range as large as the sheet',
    outcome: 'read',
    bytes: () => oneSheet(CELL, `<mergeCells><mergeCell ref="${EVERYTHING}"/></mergeCells>`),
  },
  {
    name: 'a validation as large as the sheet',
    outcome: 'read',
    bytes: () =>
      oneSheet(CELL, `<dataValidations><dataValidation type="list" sqref="${EVERYTHING}"/></dataValidations>`),
  },
  {
    name: 'a name for the whole sheet',
    outcome: 'read',
    bytes: () =>
      workbookFile({
        sheets: { ofertas: sheetXml(CELL) },
        behindSheets: '<definedNames><definedName name="n">ofertas!$A$1:$XFD$1048576</definedName></definedNames>',
      }),
  },
];

/** Files whose XML is not what it should be; where something is to be fetched, it is from `address`. */
export function xmlAttacks(address: string): HostileFile[] {
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
  return [
    ...parts.map((part) => ({
      name: `a document type in ${part}`,
      outcome: 'doctype',
      bytes: () => changed(part, (data) => external + data.replace(/^<\?.*\?>\s*/, '')),
    })),
    { name: 'an entity from elsewhere', outcome: 'doctype', bytes: () => inSheet(external, '&e;') },
    {
      name: 'an entity from this machine',
      outcome: 'doctype',
      bytes: () => inSheet(external.replace(/".*"/, '"file:///etc/passwd"'), '&e;'),
    },
    { name: 'rules from elsewhere', outcome: 'doctype', bytes: () => inSheet(`<!DOCTYPE x SYSTEM "${address}/dtd">`) },
    { name: 'entities within entities', outcome: 'doctype', bytes: () => inSheet(laughs, '&b;') },
    { name: 'an entity that nobody declared', outcome: 'damaged', bytes: () => inSheet('', '&e;') },
    { name: 'a tag that does not end', outcome: 'damaged', bytes: () => inSheet('', '<b>') },
    { name: 'a control character', outcome: 'damaged', bytes: () => inSheet('', '&#1;') },
    {
      name: 'a text number that is none',
      outcome: 'damaged',
      bytes: () => oneSheet('<row><c t="s"><v>0</v></c></row>'),
    },
    {
      name: 'a kind of cell that is none',
      outcome: 'damaged',
      bytes: () => oneSheet('<row><c t="x"><v>0</v></c></row>'),
    },
    {
      name: 'bytes that are no text',
      outcome: 'not_utf8',
      bytes: () =>
        changed('xl/worksheets/sheet1.xml', (data) => Buffer.from(data.replace('<v>1<', '<v>\u00e9<'), 'latin1')),
    },
    {
      name: 'a sheet in UTF-16',
      outcome: 'not_utf8',
      bytes: () => changed('xl/worksheets/sheet1.xml', (data) => Buffer.from(`\uFEFF${data}`, 'utf16le')),
    },
    {
      name: 'a sheet that says another encoding',
      outcome: 'not_utf8',
      bytes: () => changed('xl/worksheets/sheet1.xml', (data) => data.replace('UTF-8', 'UTF-7')),
    },
  ];
}

/** Small files that were seen to kill or to fool a reader of spreadsheets. */
export const HOSTILE_FILES: readonly HostileFile[] = [...NO_WORKBOOKS, ...LIES, ...POSITIONS];

function half(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2);
}
