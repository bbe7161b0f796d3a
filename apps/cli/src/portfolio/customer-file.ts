import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { asRefusal, type CellValue, DomainError, withoutCups } from '@tarifario/core/service';
import { CsvError, createWorkbookReader, csvRows } from '@tarifario/runtime';
import { CommandError, UsageError } from '../command.ts';
import { CONTRACT, CUSTOMER_COLUMNS, ENERGY, NUMBERS, POWER } from './customer-columns.ts';

/** A customer as in the file, not yet parsed. */
export interface CustomerRow {
  /** The line of the file; the first is 1. */
  readonly line: number;
  /** JSON text, or a body made from cells. */
  readonly json: string | null;
  readonly body: unknown;
  /** Approximate number of characters in the file. */
  readonly length: number;
}

const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false, sí: true, si: true, no: false };

/** Maximum length of a line, in characters. */
const MAX_LINE_LENGTH = 1_000_000;

/**
 * The customers of a file in its order, one at a time: a line of NDJSON each, or a row of a CSV or of
 * the first sheet of a workbook. Only a workbook, which has at most 10 MB, is held as a whole.
 *
 * @throws CommandError with line and column for a file that cannot be read; UsageError for another kind of file.
 */
export function customersIn(file: string): AsyncGenerator<CustomerRow> {
  const type = extname(file).toLowerCase();
  if (type === '.ndjson' || type === '.jsonl') return ndjsonCustomers(file);
  if (type === '.csv') return tableCustomers(file, csvRows(textOf(file)));
  if (type === '.xlsx') return tableCustomers(file, sheetRows(file));
  throw new UsageError(`cannot read ${file}: its name must end in .ndjson, .csv or .xlsx`);
}

async function* ndjsonCustomers(file: string): AsyncGenerator<CustomerRow> {
  let line = 0;
  let rest = '';
  for await (const chunk of textOf(file)) {
    const [first = '', ...others] = chunk.split('\n');
    const lines = [rest + first, ...others];
    rest = lines.pop() ?? '';
    for (const json of lines) {
      line += 1;
      if (json.trim() !== '') yield { line, json, body: null, length: json.length + 1 };
    }
    if (rest.length > MAX_LINE_LENGTH) {
      throw new CommandError(
        `${file}: line ${line + 1}, column ${MAX_LINE_LENGTH}: a line of more than ${MAX_LINE_LENGTH} characters`,
      );
    }
  }
  if (rest.trim() !== '') yield { line: line + 1, json: rest, body: null, length: rest.length };
}

/** A row of a table. */
interface TableRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly separator: string;
}

/** The customers of a table, whose first row names its columns. */
async function* tableCustomers(file: string, rows: AsyncIterable<TableRow>): AsyncGenerator<CustomerRow> {
  let header: readonly string[] | null = null;
  try {
    for await (const { cells, ...place } of rows) {
      if (header === null) header = headerOf(cells, { file, ...place });
      else yield rowOf(header, cells, { file, ...place });
    }
  } catch (error) {
    const refusal = asRefusal(error);
    if (!(refusal instanceof DomainError || refusal instanceof CsvError)) throw refusal;
    throw new CommandError(`${file}: ${refusal.message}`);
  }
  if (header === null) throw new CommandError(`${file}: line 1, column 1: a header is missing`);
}

/** The rows of the first sheet. */
async function* sheetRows(file: string): AsyncGenerator<TableRow> {
  const workbooks = createWorkbookReader();
  try {
    for await (const part of workbooks.read(await readFile(file), 'xlsx')) {
      if (part.sheet > 0) break;
      for (const { row: line, cells } of part.rows) {
        const texts: string[] = [];
        for (const { column, value } of cells) texts[column] = textIn(value);
        yield { line, cells: Array.from(texts, (text) => text ?? ''), separator: ',' };
      }
    }
  } finally {
    workbooks.close();
  }
}

function textIn(value: CellValue): string {
  if (value.kind === 'boolean') return String(value.value);
  // Formulas and errors are not valid in any column.
  return value.kind === 'text' || value.kind === 'number' ? value.text : '#';
}

function rowOf(
  header: readonly string[],
  cells: readonly string[],
  { file, line, separator }: { readonly file: string; readonly line: number; readonly separator: string },
): CustomerRow {
  const extra = cells.slice(header.length).findIndex((text) => text !== '');
  const length = cells.reduce((sum, text) => sum + text.length + 1, 0);
  if (extra < 0) return { line, json: null, body: bodyOf(header, cells, separator), length };
  throw new CommandError(`${file}: line ${line}, column ${header.length + extra + 1}: a cell beyond the header`);
}

function headerOf(cells: readonly string[], { file, line }: { file: string; line: number }): readonly string[] {
  const names = cells.map((text) => text.trim());
  names.forEach((name, index) => {
    const place = `${file}: line ${line}, column ${index + 1}`;
    // In a file without a header it is a value.
    const shown = withoutCups(name).slice(0, 60);
    if (!CUSTOMER_COLUMNS.includes(name)) throw new CommandError(`${place}: there is no column "${shown}"`);
    if (names.indexOf(name) !== index) throw new CommandError(`${place}: the column ${name} comes twice`);
  });
  return names;
}

/** The body from a row. Cells without a valid value stay text, which is refused later. */
function bodyOf(header: readonly string[], cells: readonly string[], separator: string): object {
  const body: Record<string, unknown> = {};
  const energia: Record<string, unknown> = {};
  const potencia: Record<string, unknown> = {};
  const contrato_actual: Record<string, unknown> = {};
  header.forEach((name, index) => {
    const text = (cells[index] ?? '').trim();
    if (text === '') return;
    if (ENERGY.includes(name)) energia[name] = numberIn(text, separator);
    else if (POWER.includes(name)) potencia[name] = numberIn(text, separator);
    else if (CONTRACT.includes(name)) contrato_actual[name.slice('actual_'.length)] = numberIn(text, separator);
    else if (NUMBERS.includes(name)) body[name] = numberIn(text, separator);
    else if (name === 'ssaa_included') body[name] = FLAGS[text.toLowerCase()] ?? text;
    else body[name] = text;
  });
  return {
    ...body,
    ...(Object.keys(energia).length > 0 ? { energia } : {}),
    ...(Object.keys(potencia).length > 0 ? { potencia } : {}),
    ...(Object.keys(contrato_actual).length > 0 ? { contrato_actual } : {}),
  };
}

function numberIn(text: string, separator: string): number | string {
  const decimal = separator === ';' ? text.replace(',', '.') : text;
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(decimal) ? Number(decimal) : text;
}

/** The text of a file in pieces; UTF-8, with or without a byte order mark. */
async function* textOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  try {
    for await (const bytes of createReadStream(file)) {
      const text = decoder.decode(bytes, { stream: true });
      yield text;
      line += text.split('\n').length - 1;
    }
    decoder.decode();
  } catch (error) {
    if (error instanceof CommandError) throw error;
    if (error instanceof TypeError) throw new CommandError(`${file}: line ${line} or after it: text that is not UTF-8`);
    throw new CommandError(`cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
