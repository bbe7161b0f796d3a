import { extname } from 'node:path';
import { customersInTable, type TableRow } from '@tarifario/api/customer-table';
import { asRefusal, type CellValue, CsvError, DomainError } from '@tarifario/core/service';
import { createWorkbookReader, csvRows } from '@tarifario/runtime';
import { CommandError, UsageError } from '../command.ts';
import { bytesOf, formOfInput, type InputForm, isStandardInput, shownName, streamOf } from '../input-files.ts';

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

/** Maximum length of a line, in characters. */
const MAX_LINE_LENGTH = 1_000_000;

/**
 * The customers of a file in its order, one at a time: a line of NDJSON each, or a row of a CSV or of
 * the first sheet of a workbook. Only a workbook, which has at most 10 MB, is held as a whole.
 *
 * @throws CommandError with line and column for a file that cannot be read; UsageError for another kind of file.
 */
export async function* customersIn(file: string): AsyncGenerator<CustomerRow> {
  const form = isStandardInput(file) ? await formOfInput() : ENDINGS[extname(file).toLowerCase()];
  if (form === undefined) throw new UsageError(`cannot read ${file}: its name must end in .ndjson, .csv or .xlsx`);
  if (form === 'json') yield* ndjsonCustomers(file);
  else yield* tableCustomers(file, form === 'csv' ? csvRows(textOf(file)) : sheetRows(file));
}

const ENDINGS: Readonly<Record<string, InputForm>> = {
  '.ndjson': 'json',
  '.jsonl': 'json',
  '.csv': 'csv',
  '.xlsx': 'xlsx',
};

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
        `${shownName(file)}: line ${line + 1}, column ${MAX_LINE_LENGTH}: a line of more than ${MAX_LINE_LENGTH} characters`,
      );
    }
  }
  if (rest.trim() !== '') yield { line: line + 1, json: rest, body: null, length: rest.length };
}

/** The customers of a table. */
async function* tableCustomers(file: string, rows: AsyncIterable<TableRow>): AsyncGenerator<CustomerRow> {
  try {
    for await (const customer of customersInTable(rows)) yield { json: null, ...customer };
  } catch (error) {
    const refusal = asRefusal(error);
    const isOfFile = refusal instanceof DomainError || refusal instanceof CsvError;
    throw isOfFile ? new CommandError(`${shownName(file)}: ${refusal.message}`) : refusal;
  }
}

/** The rows of the first sheet. */
async function* sheetRows(file: string): AsyncGenerator<TableRow> {
  const workbooks = createWorkbookReader();
  try {
    for await (const part of workbooks.read(await bytesOf(file), 'xlsx')) {
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

/** The text of a file in pieces; UTF-8, with or without a byte order mark. */
async function* textOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  try {
    for await (const bytes of streamOf(file)) {
      const text = decoder.decode(bytes, { stream: true });
      yield text;
      line += text.split('\n').length - 1;
    }
    decoder.decode();
  } catch (error) {
    if (error instanceof CommandError) throw error;
    if (error instanceof TypeError) {
      throw new CommandError(`${shownName(file)}: line ${line} or after it: text that is not UTF-8`);
    }
    throw new CommandError(`cannot read ${shownName(file)}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
