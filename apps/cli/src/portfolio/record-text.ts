import { type CustomerRecord, RECORD_COLUMNS, recordRows } from '@tarifario/api/customer-table';
import type { Cell } from '@tarifario/core/service';
import { csvTables } from '@tarifario/runtime/ranking-thread';

/** `csv-es`: as a spreadsheet in Spanish reads it. */
export type OutputForm = 'ndjson' | 'csv' | 'csv-es';

/** The head of the output. */
export function headOf(form: OutputForm): string {
  return form === 'ndjson' ? '' : csvOf([RECORD_COLUMNS], form);
}

/** Records as text: lines of JSON or rows of a CSV. */
export function textOf(records: readonly CustomerRecord[], form: OutputForm): string {
  if (form === 'ndjson') return records.map((record) => `${JSON.stringify(record)}\n`).join('');
  // A table has a byte order mark only before its header.
  return csvOf(records.flatMap(recordRows), form).replace(/^\uFEFF/, '');
}

function csvOf(rows: readonly (readonly Cell[])[], form: OutputForm): string {
  return rows.length === 0 ? '' : [...csvTables.csv(rows, { separator: form === 'csv-es' ? ';' : ',' })].join('');
}
