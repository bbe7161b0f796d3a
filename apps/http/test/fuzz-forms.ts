import { operations } from '@tarifario/api';
import type { CellToWrite } from '@tarifario/core/service';
import type { Row } from '@tarifario/testkit/api/contract';
import type { SheetsByHand } from '@tarifario/testkit/api/workbooks';
import { FORM_TYPE, formBytes, xlsxFile } from '@tarifario/testkit/http/forms';
import { ODD_TEXTS } from '@tarifario/testkit/http/fuzz-values';
import fc from 'fast-check';

/** A form in terms of records that exist, as in `fuzz-values.ts`. */
export interface FormDraft {
  readonly fields: readonly (readonly [string, string])[];
  /** What the workbook holds; in place of it a text: what the file is instead. */
  readonly file: SheetsByHand | string;
  readonly fileName?: string;
  /** What becomes of the body on its way. */
  readonly damage?: string;
  readonly contentType?: string;
}

/** What may happen to a body on its way. */
const DAMAGES = new Map<string, (text: string) => string>([
  ['cut in the middle', (text) => text.slice(0, text.length / 2)],
  ['without its end', (text) => text.slice(0, -8)],
  ['sent twice', (text) => text.replace(/--\r\n$/, '\r\n') + text],
  ['under another name', (text) => text.replace('name="file"', 'name="fichero"')],
  ['without a file name', (text) => text.replace(/; filename="[^"]*"/, '')],
  ['without a disposition', (text) => text.replace('Content-Disposition', 'X-Disposition')],
  ['nothing', () => ''],
]);

/** The first column of a sheet names an offer by the id that it has in the document. */
function referring(sheets: SheetsByHand): SheetsByHand {
  const reference = (header: CellToWrite | undefined, id: CellToWrite | undefined): CellToWrite => {
    if (typeof id !== 'number') return id ?? null;
    return header === 'catalog_offer_id' ? `@catalogOffers:${id - 5}` : `@offers:${id - 1}`;
  };
  const named = Object.entries(sheets).map(([name, [header = [], ...rows]]) => [
    name,
    [header, ...rows.map(([id, ...cells]) => [reference(header[0], id), ...cells])],
  ]);
  return Object.fromEntries(named);
}

/** The form of an example, which the document itself cannot show; `null`: the operation takes none. */
export function exampleForm({ operation }: Row): FormDraft | null {
  const { examples = [] } = operations.find(({ id }) => id === operation.operationId) ?? {};
  const example = examples.find(({ form }) => form !== undefined);
  if (!example?.form) return null;
  return { fields: Object.entries(example.form.fields ?? {}), file: referring(example.form.sheets) };
}

const BROKEN_FILES: readonly string[] = ['', 'PK', 'PK\u0003\u0004', 'nombre;precio\n1;2', '{}', 'x'.repeat(100_000)];

/** Forms that differ from an example in one thing. */
export function formDrafts(row: Row): readonly FormDraft[] {
  const example = exampleForm(row);
  if (!example) return [];
  const names = ['client_id', 'kind', 'file_name', 'unknown', '__proto__', 'constructor', 'file[0]', ''];
  const values = ['', '@clients:0', '@clients:foreign', '@clients:missing', '0', 'x', 'file', 'catalog_bulk_update'];
  const other = (name: string) => example.fields.filter(([own]) => own !== name);
  const wrongSheets: readonly SheetsByHand[] = [
    {},
    { otra: [['x']] },
    { ofertas: [['otra']] },
    { ofertas: [['offer_id'], ['@offers:foreign'], ['@offers:missing'], ['x'], [-1]] },
    { borrar: [['catalog_offer_id'], ['@catalogOffers:foreign'], ['@offers:0'], [null]] },
    { ofertas: [[], [1]] },
  ];
  return [
    example,
    ...names.flatMap((name) =>
      values.map((value) => ({ ...example, fields: [...other(name), [name, value] as const] })),
    ),
    { ...example, fields: [...example.fields, ['client_id', '@clients:0'], ['client_id', '@clients:0']] },
    ...BROKEN_FILES.map((file) => ({ ...example, file })),
    ...wrongSheets.map((file) => ({ ...example, file })),
    ...['', 'a/', 'x'.repeat(300), 'a\u202eb.xlsx'].map((fileName) => ({ ...example, fileName })),
    ...[...DAMAGES.keys()].map((damage) => ({ ...example, damage })),
    ...['multipart/form-data', 'multipart/mixed; boundary=x', 'text/plain', 'application/json'].map((contentType) => ({
      ...example,
      contentType,
    })),
  ];
}

/** Forms at random: an example with some cells set anew, or any bytes. */
export function randomForm(example: FormDraft): fc.Arbitrary<FormDraft> {
  const cell = fc.oneof(
    fc.constantFrom<CellToWrite>(...ODD_TEXTS.filter((text) => /^[^\p{C}]*$/u.test(text) && text.isWellFormed())),
    fc.constantFrom<CellToWrite>(null, true, 0, -1, 1.5, 1e300, '@offers:1', '@catalogOffers:1', '@offers:foreign'),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const place = fc.record({ sheet: fc.nat(9), row: fc.nat(9), column: fc.nat(20), cell });
  const changed = fc.array(place, { maxLength: 3 }).map((changes) => {
    if (typeof example.file === 'string') return example.file;
    const sheets = Object.entries(example.file).map(([name, rows]) => ({
      name,
      rows: rows.map((cells) => [...cells]),
    }));
    for (const { sheet, row, column, cell: value } of changes) {
      const { rows = [] } = sheets[sheet % Math.max(1, sheets.length)] ?? {};
      const cells = rows[row % Math.max(1, rows.length)];
      if (cells && cells.length > 0) cells[column % cells.length] = value;
    }
    return Object.fromEntries(sheets.map(({ name, rows }) => [name, rows]));
  });
  const bytes = fc.string({ unit: 'binary-ascii', maxLength: 200 });
  const file = fc.oneof({ weight: 6, arbitrary: changed }, { weight: 1, arbitrary: bytes });
  return file.map((one) => ({ ...example, file: one }));
}

function fileBytes(file: FormDraft['file'], resolve: (text: string) => string): Uint8Array<ArrayBuffer> {
  return typeof file === 'string'
    ? new TextEncoder().encode(file)
    : new Uint8Array(xlsxFile(JSON.parse(resolve(JSON.stringify(file)))));
}

/** The file of a form that is as it should be and can be written as one object; else `null`. */
export function fileOfForm(draft: FormDraft, resolve: (text: string) => string): File | null {
  const { fields, file, fileName, damage, contentType } = draft;
  const names = fields.map(([name]) => name);
  const isOdd = [fileName, damage, contentType].some((part) => part !== undefined) || names.includes('file');
  return isOdd || new Set(names).size < names.length ? null : new File([fileBytes(file, resolve)], 'hoja.xlsx');
}

/** The body of a form, with the ids of records in it put in by `resolve`. */
export function bodyOfForm(draft: FormDraft, resolve: (text: string) => string) {
  const { fields, file, fileName, damage, contentType = FORM_TYPE } = draft;
  const bytes = fileBytes(file, resolve);
  const texts: Record<string, string[]> = {};
  for (const [name, value] of fields)
    texts[name] = [...(Object.hasOwn(texts, name) ? (texts[name] ?? []) : []), resolve(value)];
  const whole = formBytes({ fields: texts, bytes, ...(fileName === undefined ? {} : { fileName }) });
  const damaging = DAMAGES.get(damage ?? '');
  if (damaging === undefined) return { contentType, body: whole };
  const broken = damaging(Buffer.from(whole).toString('latin1'));
  return { contentType, body: new Uint8Array(Buffer.from(broken, 'latin1')) };
}
