import { type CustomerRecord, type MoreColumns, recordColumns, recordRows } from '@tarifario/api/customer-table';
import type { Cell } from '@tarifario/core/service';
import { csvTables } from '@tarifario/runtime/ranking-thread';

export interface OutputForm extends MoreColumns {
  /** `csv-es`: as a spreadsheet in Spanish reads it. */
  readonly format: 'ndjson' | 'csv' | 'csv-es';
}

/** The head of the output. */
export function headOf(form: OutputForm): string {
  return form.format === 'ndjson' ? '' : csvOf([recordColumns(form)], form);
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

function csvOf(rows: readonly (readonly Cell[])[], { format }: OutputForm): string {
  return rows.length === 0 ? '' : [...csvTables.csv(rows, { separator: format === 'csv-es' ? ';' : ',' })].join('');
}
