import { byYearAndMonth, type ProposalSummary } from '@tarifario/core/service';
import type { Answer, Row } from './page-texts.ts';

/** What is compared of an answer. */
export type Compared = Pick<Answer, 'dias'>;

/** What the customer pays in the period: the bill where there are taxes, else the cost, in EUR. */
export const paidOf = ({ factura_estimada, cost }: Row) => factura_estimada?.total ?? cost.total;

/**
 * The proposed offer with which least is paid: it depends on no commission. The first of several. One with another access
 * tariff, or without balancing services beside some that include them, is cheaper on paper alone.
 */
export function cheapestOf(proposed: readonly Row[]): Row | undefined {
  const possible = proposed.filter((row) => !row.peaje_imposible);
  const some = possible.length > 0 ? possible : proposed;
  const isMixed = some.some((row) => row.ssaa_incluidos);
  const isWhole = (row: Row) => !isMixed || row.ssaa_incluidos === true || row.cost.ssaa !== undefined;
  return some
    .filter(isWhole)
    .reduce<Row | undefined>((best, row) => (best === undefined || paidOf(row) < paidOf(best) ? row : best), undefined);
}

/** Whether the rest of a year costs other than the period does: the discount ends in it. */
export const isDearerLater = ({ condiciones }: Row, { dias }: Compared) =>
  dias < 365 && typeof condiciones?.descuento_meses === 'number' && condiciones.descuento_meses < 12;

/**
 * What an offer saves in the period: of bills, or before taxes where there are none or the bill of today is not known;
 * `null`: nothing of the present contract is known.
 */
export function savingOf({ ahorro }: Row) {
  const hasTaxes = typeof ahorro?.factura === 'number';
  const [eur, percent] = hasTaxes ? [ahorro.factura, ahorro.factura_porcentaje] : [ahorro?.eur, ahorro?.porcentaje];
  return { eur: eur ?? null, percent: percent ?? null, hasTaxes };
}

const savesNothing = (row: Row) => (savingOf(row).eur ?? 1) < 0.005;

/** Each is known to save nothing: not a cent. */
export const mayStay = (proposed: readonly Row[]): boolean => proposed.every(savesNothing);

/** The cheapest, unless it is known to save nothing, or the customer cannot have it. */
export function recommendedOf(proposed: readonly Row[]): Row | undefined {
  const best = cheapestOf(proposed);
  return best && (savesNothing(best) || best.peaje_imposible) ? undefined : best;
}

/** What lists show of a proposal, and the names by which it is found. */
export function summaryOf(
  { answer, pagina }: { readonly answer: unknown; readonly pagina: unknown },
  offerIds: readonly number[],
): { readonly summary: ProposalSummary; readonly names: readonly string[] } {
  const compared = answer as Compared;
  const proposed = (pagina as readonly Row[]).filter(({ offer_id }) => offerIds.includes(offer_id));
  const best = cheapestOf(proposed);
  if (best === undefined) throw new RangeError('every proposed offer has a row');
  const { eur, percent, hasTaxes } = savingOf(best);
  const isKnown = eur !== null && !isDearerLater(best, compared);
  const summary = {
    offers: proposed.length,
    offerId: best.offer_id,
    offerName: best.offer_name,
    companyName: best.company_name,
    savingPerYearEur: isKnown ? byYearAndMonth(eur, { days: compared.dias }).yearEur : null,
    savingPercent: percent,
    hasTaxes,
  };
  return { summary, names: proposed.flatMap(({ offer_name, company_name }) => [offer_name, company_name]) };
}
