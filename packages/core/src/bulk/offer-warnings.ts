import { TARIFFS } from '../engine/consumption/tariff-periods.ts';
import { fieldPartsOf, fieldsOf } from '../engine/offers/field-parts.ts';
import { indicesOf, type OfferTerms } from '../engine/offers/offer.ts';
import { isPenaltyTooHigh } from '../engine/offers/penalty.ts';
import { meantAs } from '../engine/plausible.ts';
import { isBelowLeast, type LeastPowerPrices } from '../engine/power/least-prices.ts';
import { type BulkPlan, type BulkWarning, ROWS_OF_WARNING } from './plan.ts';
import type { BulkDrafts, RowValues } from './read-rows.ts';
import { OFFER_COLUMNS, type SheetName } from './sheets.ts';
import type { BulkState } from './state.ts';

/**
 * The rows of `ofertas` whose active offer, whether or not the file changes it, has a tariff that does not exist, sells
 * power below the least prices (such a price is last year's, or a slip), has a penalty that the law forbids or a price that
 * is likely in cents or yearly, months with such a price, columns of percentages that may be shares, and indices that are
 * not loaded.
 *
 * @param known - `loaded`: the indices that have prices.
 * @see docs/assumptions.md, A-04, A-120, A-128 and A-165
 */
export function offerWarnings(
  drafts: BulkDrafts,
  { plan, state }: { readonly plan: BulkPlan; readonly state: BulkState },
  known: { readonly least: LeastPowerPrices; readonly loaded: ReadonlySet<string> },
): readonly BulkWarning[] {
  const { least, loaded } = known;
  const written = new Map([...plan.created, ...plan.changed].map(({ rows, terms }) => [rows.ofertas, terms]));
  const stored = new Map(state.offers.map(({ offer }) => [offer.id, offer]));
  const active = (drafts.sheets.ofertas?.rows ?? []).flatMap(({ row, id }) => {
    const offer = written.get(row) ?? stored.get(id ?? 0);
    return offer?.isActive ? [{ row, offer }] : [];
  });
  const warning = (code: BulkWarning['code'], isMeant: (offer: OfferTerms) => boolean): readonly BulkWarning[] => {
    const rows = active.flatMap(({ row, offer }) => (isMeant(offer) ? [row] : []));
    return warningOf(code, 'ofertas', rows);
  };
  const months = (drafts.sheets.precios_indexados?.rows ?? []).filter(({ values }) => isMonthMeantOtherwise(values));
  const tariffsOf = (supply: OfferTerms['supplyType']): readonly string[] => TARIFFS[supply];
  return [
    ...warning('peaje_desconocido', ({ supplyType, tariffType }) => !tariffsOf(supplyType).includes(tariffType)),
    ...warning('potencia_bajo_regulado', (offer) => offer.supplyType === 'LUZ' && isBelowLeast(offer, least)),
    ...warning('penalizacion_sobre_el_limite', isPenaltyTooHigh),
    ...warning('precio_improbable', isMeantOtherwise),
    ...warningOf(
      'precio_improbable',
      'precios_indexados',
      months.map(({ row }) => row),
    ),
    ...PERCENTAGES.flatMap(({ header }) => improbable(drafts, header)),
    ...warning('indice_sin_cargar', (offer) => indicesOf(offer).some((index) => !loaded.has(index))),
  ];
}

/** Whether some offer follows the hours of an index. */
export function nameIndices({ plan, state }: { readonly plan: BulkPlan; readonly state: BulkState }): boolean {
  const written = [...plan.created, ...plan.changed].map(({ terms }) => terms);
  return [...written, ...state.offers.map(({ offer }) => offer)].some((offer) => indicesOf(offer).length > 0);
}

function warningOf(code: BulkWarning['code'], sheet: SheetName, rows: readonly number[]): readonly BulkWarning[] {
  return rows.length === 0 ? [] : [{ code, sheet, count: rows.length, rows: rows.slice(0, ROWS_OF_WARNING) }];
}

const PRICES = fieldsOf('prices', 'costs', 'options').flatMap((field) =>
  field.kind === 'amount' || field.kind === 'periods' ? [field] : [],
);

/** Whether a price is above what contracts have, though within its bounds. */
function isMeantOtherwise(offer: OfferTerms): boolean {
  return PRICES.some(({ name, bounds }) =>
    [Reflect.get(offer, name)]
      .flat()
      .some((price) => typeof price === 'number' && meantAs(bounds.unit, price) !== null),
  );
}

/** The same of the prices of a month. */
function isMonthMeantOtherwise(values: RowValues): boolean {
  return PRICES.flatMap(fieldPartsOf).some(({ wire, field }) => {
    const price = values[wire];
    return 'bounds' in field && typeof price === 'number' && meantAs(field.bounds.unit, price) !== null;
  });
}

const PERCENTAGES = OFFER_COLUMNS.filter(({ unit }) => unit === '%');

/** Percentages that are all above 0 and at most 1 may be shares: 0.1 for 10 %. */
function improbable({ sheets }: BulkDrafts, header: string): readonly BulkWarning[] {
  const sent = (sheets.ofertas?.rows ?? []).flatMap(({ row, values }) => {
    const percentage = values[header];
    return typeof percentage === 'number' && percentage !== 0 ? [{ row, percentage }] : [];
  });
  const [first] = sent;
  if (first === undefined || sent.some(({ percentage }) => percentage < 0 || percentage > 1)) return [];
  const rows = sent.slice(0, ROWS_OF_WARNING).map(({ row }) => row);
  const { percentage } = first;
  return [{ code: 'porcentaje_improbable', sheet: 'ofertas', count: sent.length, rows, columns: [header], percentage }];
}
