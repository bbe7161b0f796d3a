import type { FileCaps, FileForm } from '@tarifario/core/service';
import Papa from 'papaparse';
import { separatorOf } from './csv-rows.ts';
import { Fault, type Meter, withinCell } from './fault.ts';
import type { PlacedCell } from './frames.ts';

export interface CsvContext {
  readonly form: Exclude<FileForm, 'xlsx'>;
  readonly caps: FileCaps;
  readonly meter: Meter;
  /** Called with each non-empty cell. */
  readonly put: (cell: PlacedCell) => void;
  /** Called with the current row, for the position of an error. */
  readonly at: (row: number) => void;
}

/**
 * Reads a CSV as a sheet in which every cell is text. Rows are counted as a spreadsheet shows them: line breaks in
 * quotes do not start a row, and an empty line is a row.
 *
 * @throws Fault
 */
export function readCsv(bytes: Uint8Array, { form, caps, meter, put, at }: CsvContext): void {
  const text = form === 'csv' ? decode(bytes) : decodeCurve(bytes, at);
  let row = 0;
  let filledRows = 0;
  Papa.parse<string[]>(text, {
    delimiter: form === 'csv' ? separatorOf(text) : curveSeparator(text),
    step({ data, errors }) {
      row += 1;
      at(row);
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
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Fault('not_utf8');
  }
}

/** The encoding that distributors use. A text has no NUL, of which UTF-16 and files of other kinds have many. */
function decodeCurve(bytes: Uint8Array, at: CsvContext['at']): string {
  let text: string;
  try {
    text = decode(bytes);
  } catch {
    text = new TextDecoder('latin1').decode(bytes);
  }
  const nul = text.indexOf('\0');
  if (nul === -1) return text;
  at(text.slice(0, nul).split('\n').length);
  throw new Fault('not_a_text');
}

/** The separator of any CSV, or tabs; lines without text may come first. */
function curveSeparator(text: string): ',' | ';' | '\t' {
  const header = /[^\r\n]+/.exec(text)?.[0] ?? '';
  return /^[^;,]*\t[^;,]*$/.test(header) ? '\t' : separatorOf(header);
}
