import type { FileCaps } from '@tarifario/core/service';
import Papa from 'papaparse';
import { separatorOf } from './csv-rows.ts';
import { Fault, type Meter, withinCell } from './fault.ts';
import type { PlacedCell } from './frames.ts';

export interface CsvContext {
  readonly caps: FileCaps;
  readonly meter: Meter;
  /** Takes a cell that holds something. */
  readonly put: (cell: PlacedCell) => void;
  /** Learns which row is being read, for the report of a fault. */
  readonly at: (row: number) => void;
}

/**
 * Reads a CSV as a sheet in which every cell is a text. Rows are counted as a spreadsheet would show them: one that
 * holds line breaks in quotes is one, and an empty line is one too.
 *
 * @throws Fault
 */
export function readCsv(bytes: Uint8Array, { caps, meter, put, at }: CsvContext): void {
  const text = decode(bytes);
  let row = 0;
  let filledRows = 0;
  Papa.parse<string[]>(text, {
    delimiter: separatorOf(text),
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
