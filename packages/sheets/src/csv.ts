import type { Cell, CsvForm, Tables } from '@tarifario/core/service';
import Papa from 'papaparse';

// This entry has no I/O, so that a browser can use it too.
export { csvRows } from './csv-rows.ts';
export { decoderOf } from './csv-text.ts';

/** How many rows one piece has: it takes about a millisecond, and other work runs between two pieces. */
const ROWS_PER_PIECE = 100;
const BYTE_ORDER_MARK = '\uFEFF';

/** Writes tables as CSV, in the standard format or for spreadsheets in Spanish. */
export const csvTables: Tables = { csv: writeCsv };

function* writeCsv(rows: Iterable<readonly Cell[]>, { separator }: CsvForm): Generator<string> {
  const write = (piece: readonly string[][]) =>
    `${Papa.unparse([...piece], { delimiter: separator, newline: '\r\n', escapeFormulae: false })}\r\n`;
  const decimalComma = separator === ';';
  let piece: string[][] = [];
  if (decimalComma) yield BYTE_ORDER_MARK;
  for (const row of rows) {
    piece.push(row.map((cell) => textOf(cell, decimalComma)));
    if (piece.length < ROWS_PER_PIECE) continue;
    yield write(piece);
    piece = [];
  }
  if (piece.length > 0) yield write(piece);
}

function textOf(cell: Cell, decimalComma: boolean): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return harmless(cell);
  const text = String(cell);
  return typeof cell === 'number' && decimalComma ? text.replace('.', ',') : text;
}

// What a spreadsheet may take for a formula: =, +, - or @, also in their full-width and small forms, after anything
// that it or its user may remove (space, controls such as NUL, invisible marks such as a byte order mark, an
// apostrophe). A tab or a line break in front is enough.
const FORMULA_START = /^['\s\p{Cc}\p{Cf}]*([=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B]|[\t\r\n])/u;

/**
 * The text, with an apostrophe in front if a spreadsheet could run it as a formula. So has one that begins with an
 * apostrophe: removing one always gives back the text.
 */
function harmless(text: string): string {
  return text.startsWith("'") || FORMULA_START.test(text) ? `'${text}` : text;
}
