import { BILL_LINES, type Cell, COMMISSION_PARTS, COST_PARTS } from '@tarifario/core/service';
import type { Worded } from '../messages/words.ts';
import type { portfolioAnswer, portfolioRefusal } from '../nouns/portfolio.ts';
import { columnText } from './headers.ts';

/** The answer for a customer, with its line in the file. */
export type CustomerRecord = { readonly line: number } & (
  | ReturnType<typeof portfolioAnswer.toWire>
  | Worded<ReturnType<typeof portfolioRefusal.toWire>>
);

const COST = ['total', ...COST_PARTS.map(({ wire }) => wire)] as const;
const COMMISSION = ['total', ...COMMISSION_PARTS.map(({ wire }) => wire)] as const;

const DISCOUNT_COLUMNS = ['coste_sin_descuento', 'coste_segundo_anio'] as const;

/** The name of each column in a Spanish file; what customers have too is called as in their tables. */
type Names = Readonly<Record<string, string>>;

/**
 * The columns of a table of answers: one row for each of the best offers, or one for a customer without offers or with a
 * refusal.
 */
const RECORD_NAMES: Names = {
  line: 'Línea',
  ref: columnText('ref', 'es'),
  ...{ place: 'Puesto', offer_id: 'Número de la oferta', offer_name: 'Oferta', company_name: 'Comercializadora' },
  is_catalog: 'Del catálogo',
  cost_total: 'Coste de la oferta sin impuestos',
  ...Object.fromEntries(COST_PARTS.map(({ wire, es }) => [`cost_${wire}`, `Coste: ${es}`])),
  commission_total: 'Comisión',
  ...{ commission_energia: 'Comisión por energía', commission_potencia: 'Comisión por potencia' },
  ...{ nota: 'Nota', nota_precio: 'Nota de precio', nota_comision: 'Nota de comisión' },
  w: columnText('w', 'es'),
  ...{ total: 'Ofertas comparadas', excluded_count: 'Ofertas que no se comparan' },
  ...{ error_code: 'Código del error', error: 'Error' },
  actual_total: columnText('actual_coste_total', 'es'),
  ...{ ahorro_eur: 'Ahorro sin impuestos', ahorro_porcentaje: 'Porcentaje de ahorro sin impuestos' },
  ...{ coste_extra: 'Coste extra', comision_extra: 'Comisión extra', comision_eur_mwh: 'Comisión (€/MWh)' },
  ...{ avisos: 'Avisos', peajes_parecidos: 'Peajes parecidos', peaje_imposible: 'Peaje imposible' },
};
const RECORD_COLUMNS = Object.keys(RECORD_NAMES);

/** Columns that follow where bills were asked for. */
const BILL_NAMES: Names = {
  ...Object.fromEntries(BILL_LINES.map(({ wire, es }) => [`factura_${wire}`, `Factura: ${es}`])),
  factura_total: 'Factura de la oferta con impuestos',
  actual_factura_total: columnText('actual_factura_total', 'es'),
  ...{ ahorro_factura: 'Ahorro con impuestos', ahorro_factura_porcentaje: 'Porcentaje de ahorro con impuestos' },
  coste_extra_factura: 'Coste extra con impuestos',
};

/** Columns that follow where an offer has a discount. */
const DISCOUNT_NAMES: Names = {
  coste_sin_descuento: 'Coste sin descuento',
  coste_segundo_anio: 'Coste del segundo año',
};

/** How a table is written. */
export interface RecordForm {
  /** Which columns it has besides those of every table. */
  readonly hasBills: boolean;
  readonly hasDiscounts: boolean;
  /** Whether its columns and yes and no are in Spanish; else they are those of the wire, which programs know. */
  readonly isSpanish: boolean;
}

const namesIn = ({ hasBills, hasDiscounts }: RecordForm): Names => ({
  ...RECORD_NAMES,
  ...(hasBills && BILL_NAMES),
  ...(hasDiscounts && DISCOUNT_NAMES),
});

/** The columns, by their names on the wire. */
export const recordColumns = (form: RecordForm): readonly string[] => Object.keys(namesIn(form));

/** The first row of a table. */
export const recordHeader = (form: RecordForm): readonly string[] =>
  form.isSpanish ? Object.values(namesIn(form)) : recordColumns(form);

/** The saving and the extra costs of a row without an offer. */
const NO_ADVICE: readonly null[] = [null, null, null, null, null, null];

/** The rows of an answer, in the order of `recordColumns`. */
export function recordRows(
  record: CustomerRecord,
  { hasBills, hasDiscounts, isSpanish }: RecordForm,
): readonly (readonly Cell[])[] {
  const best = 'error' in record ? [] : record.best;
  return unbilledRows(record).map((row, place) => [
    ...(isSpanish ? row.map(spanish) : row),
    ...(hasBills ? billCells(record, place) : []),
    ...(hasDiscounts ? DISCOUNT_COLUMNS.map((name) => best[place]?.[name] ?? null) : []),
  ]);
}

const spanish = (cell: Cell): Cell => (typeof cell === 'boolean' ? (cell ? 'sí' : 'no') : cell);

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
