import { BILL_LINES, type Cell, COMMISSION_PARTS, COST_PARTS } from '@tarifario/core/service';
import type { Worded } from '../messages/words.ts';
import type { portfolioAnswer, portfolioRefusal } from '../nouns/portfolio.ts';

/** The answer for a customer, with its line in the file. */
export type CustomerRecord = { readonly line: number } & (
  | ReturnType<typeof portfolioAnswer.toWire>
  | Worded<ReturnType<typeof portfolioRefusal.toWire>>
);

const COST = ['total', ...COST_PARTS.map(({ wire }) => wire)] as const;
const COMMISSION = ['total', ...COMMISSION_PARTS.map(({ wire }) => wire)] as const;

/**
 * The columns of a table of answers: one row for each of the best offers, or one for a customer without offers or with a
 * refusal.
 */
const RECORD_COLUMNS: readonly string[] = [
  ...['line', 'ref', 'place', 'offer_id', 'offer_name', 'company_name', 'is_catalog'],
  ...COST.map((part) => `cost_${part}`),
  ...COMMISSION.map((part) => `commission_${part}`),
  ...['nota', 'nota_precio', 'nota_comision', 'w', 'total', 'excluded_count', 'error_code', 'error'],
  ...['actual_total', 'ahorro_eur', 'ahorro_porcentaje', 'coste_extra', 'comision_extra', 'comision_eur_mwh', 'avisos'],
  'peajes_parecidos',
  'peaje_imposible',
];

/** Columns that follow where bills were asked for. */
const BILL_COLUMNS: readonly string[] = [
  ...BILL_LINES.map(({ wire }) => `factura_${wire}`),
  ...['actual_factura_total', 'ahorro_factura', 'ahorro_factura_porcentaje', 'coste_extra_factura'],
];

/** Columns that follow where an offer has a discount. */
const DISCOUNT_COLUMNS = ['coste_sin_descuento', 'coste_segundo_anio'] as const;

/** Which columns a table has besides those of every table. */
export interface MoreColumns {
  readonly hasBills: boolean;
  readonly hasDiscounts: boolean;
}

export function recordColumns({ hasBills, hasDiscounts }: MoreColumns): readonly string[] {
  return [...RECORD_COLUMNS, ...(hasBills ? BILL_COLUMNS : []), ...(hasDiscounts ? DISCOUNT_COLUMNS : [])];
}

/** The saving and the extra costs of a row without an offer. */
const NO_ADVICE: readonly null[] = [null, null, null, null, null, null];

/** The rows of an answer, in the order of `recordColumns`. */
export function recordRows(
  record: CustomerRecord,
  { hasBills, hasDiscounts }: MoreColumns,
): readonly (readonly Cell[])[] {
  const best = 'error' in record ? [] : record.best;
  return unbilledRows(record).map((row, place) => [
    ...row,
    ...(hasBills ? billCells(record, place) : []),
    ...(hasDiscounts ? DISCOUNT_COLUMNS.map((name) => best[place]?.[name] ?? null) : []),
  ]);
}

function billCells(record: CustomerRecord, place: number): readonly Cell[] {
  const { actual, best } = 'error' in record ? { actual: null, best: [] } : record;
  const { factura_estimada: bill, coste_extra_factura: extra, ahorro } = best[place] ?? {};
  return [
    ...BILL_LINES.map(({ wire }) => bill?.[wire] ?? null),
    ...[actual?.factura_estimada?.total ?? null, ahorro?.factura ?? null, ahorro?.factura_porcentaje ?? null],
    extra ?? null,
  ];
}

function unbilledRows(record: CustomerRecord): readonly (readonly Cell[])[] {
  const { line, ref } = record;
  if ('error' in record) {
    const { code, message, errors = [] } = record.error;
    const findings = errors.map(({ path, error }) => `${path}: ${error}`);
    return [padded([line, ref], [code, [message, ...findings].join('; '), ...NO_ADVICE, null, null, null])];
  }
  const { w, total, excluded_count, best } = record;
  const today = record.actual?.cost?.total ?? null;
  const warnings = [record.avisos.join(' '), record.peajes_parecidos?.join(', ') ?? null];
  if (best.length === 0) {
    return [
      padded([line, ref], [w, total, excluded_count, null, null, today, ...NO_ADVICE.slice(1), ...warnings, null]),
    ];
  }
  return best.map(({ offer_id, offer_name, company_name, is_catalog, cost, commission, ...notas }, place) => [
    ...[line, ref, place + 1, offer_id, offer_name, company_name, is_catalog],
    ...COST.map((part) => cost[part]),
    ...COMMISSION.map((part) => commission?.[part] ?? null),
    ...[notas.nota, notas.nota_precio, notas.nota_comision, w, total, excluded_count, null, null],
    ...[today, notas.ahorro?.eur ?? null, notas.ahorro?.porcentaje ?? null],
    ...[notas.coste_extra, notas.comision_extra, notas.comision_eur_mwh, ...warnings],
    notas.peaje_imposible ?? null,
  ]);
}

function padded(first: readonly Cell[], last: readonly Cell[]): readonly Cell[] {
  const between = Array.from({ length: RECORD_COLUMNS.length - first.length - last.length }, () => null);
  return [...first, ...between, ...last];
}
