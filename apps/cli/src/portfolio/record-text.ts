import type { Cell } from '@tarifario/core/service';
import { csvTables } from '@tarifario/runtime/ranking-thread';
import type { CustomerRecord } from './ranker.ts';

/** `csv-es`: as a spreadsheet in Spanish reads it. */
export type OutputForm = 'ndjson' | 'csv' | 'csv-es';

const COST = ['total', 'energia', 'potencia', 'fijo', 'excedentes', 'servicios'] as const;
const COMMISSION = ['total', 'energia', 'potencia'] as const;

/**
 * The columns of a CSV: one row for each of the best offers, or one for a customer without offers or with a refusal.
 */
const COLUMNS: readonly string[] = [
  ...['line', 'ref', 'place', 'offer_id', 'offer_name', 'company_name', 'is_catalog'],
  ...COST.map((part) => `cost_${part}`),
  ...COMMISSION.map((part) => `commission_${part}`),
  ...['nota', 'nota_precio', 'nota_comision', 'w', 'total', 'excluded_count', 'error_code', 'error'],
  ...['actual_total', 'ahorro_eur', 'ahorro_porcentaje', 'coste_extra', 'comision_extra', 'comision_eur_mwh', 'avisos'],
];

/** What a row without an offer says of its saving and its extras. */
const NO_ADVICE: readonly null[] = [null, null, null, null, null, null];

/** The head of the output. */
export function headOf(form: OutputForm): string {
  return form === 'ndjson' ? '' : csvOf([COLUMNS], form);
}

/** Records as text: lines of JSON or rows of a CSV. */
export function textOf(records: readonly CustomerRecord[], form: OutputForm): string {
  if (form === 'ndjson') return records.map((record) => `${JSON.stringify(record)}\n`).join('');
  // A table has a byte order mark only before its header.
  return csvOf(records.flatMap(rowsOf), form).replace(/^\uFEFF/, '');
}

function csvOf(rows: readonly (readonly Cell[])[], form: OutputForm): string {
  return rows.length === 0 ? '' : [...csvTables.csv(rows, { separator: form === 'csv-es' ? ';' : ',' })].join('');
}

function rowsOf(record: CustomerRecord): readonly (readonly Cell[])[] {
  const { line, ref } = record;
  if ('error' in record) {
    const { code, message } = record.error;
    return [padded([line, ref], [code, [message, ...findingsOf(record.error)].join('; '), ...NO_ADVICE, null])];
  }
  const { w, total, excluded_count, best } = record;
  const today = record.actual?.cost.total ?? null;
  const avisos = record.avisos.join(' ');
  if (best.length === 0) {
    return [padded([line, ref], [w, total, excluded_count, null, null, today, ...NO_ADVICE.slice(1), avisos])];
  }
  return best.map(({ offer_id, offer_name, company_name, is_catalog, cost, commission, ...notas }, place) => [
    ...[line, ref, place + 1, offer_id, offer_name, company_name, is_catalog],
    ...COST.map((part) => cost[part]),
    ...COMMISSION.map((part) => commission?.[part] ?? null),
    ...[notas.nota, notas.nota_precio, notas.nota_comision, w, total, excluded_count, null, null],
    ...[today, notas.ahorro?.eur ?? null, notas.ahorro?.porcentaje ?? null],
    ...[notas.coste_extra, notas.comision_extra, notas.comision_eur_mwh, avisos],
  ]);
}

function padded(first: readonly Cell[], last: readonly Cell[]): readonly Cell[] {
  const between = Array.from({ length: COLUMNS.length - first.length - last.length }, () => null);
  return [...first, ...between, ...last];
}

function findingsOf(error: { readonly errors?: readonly object[] }): readonly string[] {
  return (error.errors ?? []).map((entry) => {
    const { path, error: message } = { path: '', error: '', ...entry };
    return `${path}: ${message}`;
  });
}
