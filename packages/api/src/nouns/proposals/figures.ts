import { byYearAndMonth, type ProposalSummary } from '@tarifario/core/service';
import type { Answer, Row } from './page-texts.ts';

/** What is compared of an answer. */
export type Compared = Pick<Answer, 'dias' | 'avisos'>;

/** What the customer pays in the period: the bill where there are taxes, else the cost, in EUR. */
export const paidOf = ({ factura_estimada, cost }: Row) => factura_estimada?.total ?? cost.total;

/**
 * The proposed offer with which least is paid: it depends on no commission. The first of several. One that does not say
 * its balancing services, or has another access tariff, is cheaper than those beside it only on paper.
 */
export function cheapestOf(proposed: readonly Row[], { avisos }: Pick<Compared, 'avisos'>): Row | undefined {
  const { offer_ids = [] } = avisos.find(({ codigo }) => codigo === 'ssaa_mezclados') ?? {};
  const comparable = proposed.filter(
    ({ offer_id, cost, peaje_imposible }) =>
      !peaje_imposible && (cost.ssaa !== undefined || !offer_ids.includes(offer_id)),
  );
  return (comparable.length > 0 ? comparable : proposed).reduce<Row | undefined>(
    (best, row) => (best === undefined || paidOf(row) < paidOf(best) ? row : best),
    undefined,
  );
}

/** Whether the rest of a year costs other than the period does: the discount ends in it. */
export const isDearerLater = ({ condiciones }: Row, { dias }: Pick<Compared, 'dias'>) =>
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

/** The cheapest, unless it is known to save nothing: not a cent. */
export function recommendedOf(proposed: readonly Row[], answer: Compared): Row | undefined {
  const best = cheapestOf(proposed, answer);
  return best && (savingOf(best).eur ?? 1) < 0.005 ? undefined : best;
}

/** What lists show of a proposal, and the names by which it is found. */
export function summaryOf(
  { answer, pagina }: { readonly answer: unknown; readonly pagina: unknown },
  offerIds: readonly number[],
): { readonly summary: ProposalSummary; readonly names: readonly string[] } {
  const compared = answer as Compared;
  const proposed = (pagina as readonly Row[]).filter(({ offer_id }) => offerIds.includes(offer_id));
  const best = cheapestOf(proposed, compared);
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
