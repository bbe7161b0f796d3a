import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { customersInTable, firstSheet, type TableRow } from '@tarifario/api/customer-table';
import { asRefusal, CsvError, DomainError, type Issue } from '@tarifario/core/service';
import { createWorkbookReader, csvRows, decoderOf } from '@tarifario/runtime';
import { CommandError, UsageError } from '../command.ts';
import { bytesOf, formOfInput, type InputForm, isStandardInput, shownName, streamOf } from '../input-files.ts';

/** A customer as in the file, not yet parsed. */
export interface CustomerRow {
  /** The line of the file; the first is 1. */
  readonly line: number;
  /** JSON text, or a body made from cells. */
  readonly json: string | null;
  readonly body: unknown;
  /** What is wrong with cells, by their place in the body. */
  readonly faults: readonly Issue[];
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
  else yield* tableCustomers(file, form === 'csv' ? await csvTable(file) : await sheetTable(file));
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
      if (json.trim() !== '') yield { line, json, body: null, faults: [], length: json.length + 1 };
    }
    if (rest.length > MAX_LINE_LENGTH) {
      throw new CommandError(
        `${shownName(file)}: line ${line + 1}, column ${MAX_LINE_LENGTH}: a line of more than ${MAX_LINE_LENGTH} characters`,
      );
    }
  }
  if (rest.trim() !== '') yield { line: line + 1, json: rest, body: null, faults: [], length: rest.length };
}

/** A table that can be read again from its beginning. */
type Table = () => AsyncIterable<TableRow>;

/** The customers of a table. */
async function* tableCustomers(file: string, rows: Table): AsyncGenerator<CustomerRow> {
  try {
    for await (const customer of customersInTable(rows)) yield { json: null, ...customer };
  } catch (error) {
    throw ofFile(file, error);
  }
}

function ofFile(file: string, error: unknown): unknown {
  const refusal = asRefusal(error);
  const isOfFile = refusal instanceof DomainError || refusal instanceof CsvError;
  return isOfFile ? new CommandError(`${shownName(file)}: ${refusal.message}`) : refusal;
}

async function csvTable(file: string): Promise<Table> {
  const stream = isStandardInput(file) ? await keptInput() : () => streamOf(file);
  const decoder = await decoderOf(stream()).catch((error: unknown) => {
    throw unread(file, error);
  });
  if (decoder === null) throw new CommandError(`${shownName(file)}: a part of its text is not UTF-8`);
  return () => csvRows(textOf(file, { stream: stream(), decoder }));
}

/** Standard input is kept in a file without a name, which is gone with this process. */
async function keptInput(): Promise<() => Readable> {
  const path = join(tmpdir(), `tarifario-${randomUUID()}`);
  const kept = await open(path, 'wx+', 0o600);
  await rm(path);
  for await (const bytes of process.stdin) await kept.write(bytes);
  return () => kept.createReadStream({ start: 0, autoClose: false });
}

/** The rows of the first sheet. */
async function sheetTable(file: string): Promise<Table> {
  const workbooks = createWorkbookReader();
  try {
    const { rows } = await firstSheet(workbooks.read(await bytesOf(file), 'xlsx'));
    return async function* again() {
      yield* rows;
    };
  } catch (error) {
    throw ofFile(file, error);
  } finally {
    workbooks.close();
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a file in pieces, without a byte order mark. */
async function* textOf(file: string, { stream = streamOf(file), decoder = UTF8 } = {}): AsyncGenerator<string> {
  let line = 1;
  try {
    for await (const bytes of stream) {
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
    throw unread(file, error);
  }
}

function unread(file: string, error: unknown): CommandError {
  return new CommandError(`cannot read ${shownName(file)}: ${error instanceof Error ? error.message : String(error)}`);
}
