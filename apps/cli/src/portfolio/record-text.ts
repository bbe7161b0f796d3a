import { type CustomerRecord, type RecordForm, recordHeader, recordRows } from '@tarifario/api/customer-table';
import type { Cell } from '@tarifario/core/service';
import { csvTables } from '@tarifario/runtime/ranking-thread';

export interface OutputForm extends RecordForm {
  readonly format: 'ndjson' | 'csv';
}

/** The head of the output. */
export function headOf(form: OutputForm): string {
  return form.format === 'ndjson' ? '' : csvOf([recordHeader(form)], form);
}

/** Records as text: lines of JSON or rows of a CSV. */
export function textOf(records: readonly CustomerRecord[], form: OutputForm): string {
  if (form.format === 'ndjson') return records.map((record) => `${JSON.stringify(record)}\n`).join('');
  // A table has a byte order mark only before its header.
  return csvOf(
    records.flatMap((record) => recordRows(record, form)),
    form,
  ).replace(/^\uFEFF/, '');
}

/** A spreadsheet in Spanish has semicolons between its cells. */
function csvOf(rows: readonly (readonly Cell[])[], { isSpanish }: OutputForm): string {
  return rows.length === 0 ? '' : [...csvTables.csv(rows, { separator: isSpanish ? ';' : ',' })].join('');
}
