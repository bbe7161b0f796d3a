import type { FileCaps, FileFault } from '@tarifario/core/service';
import Papa from 'papaparse';
import { decoderOf, separatedText } from './csv-text.ts';
import { Fault, type Meter, withinCell } from './fault.ts';
import type { PlacedCell } from './frames.ts';

export interface CsvContext {
  readonly caps: FileCaps;
  readonly meter: Meter;
  /** Called with the separator, before any cell. */
  readonly begin: (separator: string) => void;
  /** Called with each non-empty cell. */
  readonly put: (cell: PlacedCell) => void;
  /** Called with the current row, for the position of an error. */
  readonly at: (row: number) => void;
}

const ROWS_PER_CHECK = 100;

/**
 * Reads a CSV, or a JSON list of flat objects, as a sheet in which every cell is text. Rows are counted as a spreadsheet shows them: line breaks in
 * quotes do not start a row, and an empty line is a row.
 *
 * @throws Fault
 */
export async function readCsv(bytes: Uint8Array, { caps, meter, begin, put, at }: CsvContext): Promise<void> {
  const sent = await decoded(bytes, at);
  const { text, separator } = separatedText(/^\s*\[(?!\s*[a-z])/i.test(sent) ? flatList(sent, caps) : sent);
  const end = firstWrongLine(text, { caps, separator });
  begin(separator);
  let row = 0;
  let filledRows = 0;
  // With line ends of one kind the parser sees the lines that were checked.
  Papa.parse<string[]>(text.slice(0, end?.start).replaceAll(/\r\n?/g, '\n'), {
    delimiter: separator,
    step({ data, errors }) {
      row += 1;
      at(row);
      if (row % ROWS_PER_CHECK === 1) meter.checkTime();
      if (errors.length > 0) throw new Fault('damaged');
      if (data.some((cell) => cell !== '')) filledRows += 1;
      if (filledRows > caps.rows) throw new Fault('too_many_rows');
      for (const [column, cell] of data.entries()) {
        if (cell === '') continue;
        if (column >= caps.columns) throw new Fault('too_many_columns');
        meter.shown(cell.length);
        put({ row, column, kind: 'text', text: withinCell(cell, caps.cellBytes) });
      }
    },
  });
  if (end === null) return;
  at(end.line);
  throw new Fault(end.fault);
}

/** A list of flat objects, as Datadis gives a curve, as a CSV with all their members as its header. */
function flatList(json: string, caps: FileCaps): string {
  try {
    const list: readonly unknown[] = JSON.parse(json);
    if (list.length > caps.rows) throw new Fault('too_many_rows');
    const columns = [...new Set(list.flatMap((one) => Object.keys(Object(one))))];
    if (columns.length > caps.columns) throw new Fault('too_many_columns');
    // In JSON a comma is no decimal mark.
    return Papa.unparse(list as object[], { delimiter: ',', newline: '\n', ...(columns.length > 0 && { columns }) });
  } catch (error) {
    throw error instanceof Fault ? error : new Fault('damaged');
  }
}

/** A file may have an empty line beside each row. */
const LINES_PER_ROW = 2;

/**
 * The first line beyond the limits. It is found before the text is parsed, because the parser takes seconds for
 * millions of empty lines, and more memory than there is for millions of quotes.
 */
function firstWrongLine(
  text: string,
  { caps, separator }: { readonly caps: FileCaps; readonly separator: string },
): { readonly line: number; readonly start: number; readonly fault: FileFault } | null {
  const [most, mostQuotes] = [caps.columns, 2 * caps.columns];
  let line = 0;
  for (const { 0: own, index: start } of text.matchAll(/[^\r\n]*(?:\r\n?|\n|$)/g)) {
    line += 1;
    if (line > LINES_PER_ROW * caps.rows) return { line, start, fault: 'too_many_rows' };
    const [first = '', ...others] = own.split('"', mostQuotes + 2);
    if (others.length > mostQuotes) return { line, start, fault: 'damaged' };
    const unquoted = [first, ...others.filter((_, at) => at % 2 === 1)];
    const cells = unquoted.reduce((count, part) => count + part.split(separator, most + 1).length - 1, 1);
    if (cells > most) return { line, start, fault: 'too_many_columns' };
  }
  return null;
}

/** A text has no NUL, of which files of other kinds have many. */
async function decoded(bytes: Uint8Array, at: CsvContext['at']): Promise<string> {
  const decoder = await decoderOf([bytes]);
  if (decoder === null) throw new Fault('not_utf8');
  const text = decoder.decode(bytes);
  const nul = text.indexOf('\0');
  if (nul === -1) return text;
  at(text.slice(0, nul).split('\n').length);
  throw new Fault('not_a_text');
}
