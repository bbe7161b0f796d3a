import type { BillNotice } from './bill-terms.ts';

/** What an offer costs before tax and what its bill is, EUR. */
export interface BilledOffer {
  readonly id: number;
  readonly costEur: number;
  readonly billEur: number;
}

/** Negative where the bill of `a` is the lower one; of equal bills the one of lower cost, then of lower id. */
export function compareBilled(a: BilledOffer, b: BilledOffer): number {
  return a.billEur - b.billEur || a.costEur - b.costEur || a.id - b.id;
}

/**
 * The notice that taxes change which offer is the cheapest.
 *
 * @param leastEur - The lowest cost before tax. Which of the offers of that cost is the first depends on commissions, and
 *   the notice must not.
 */
export function orderNotices(cheapest: BilledOffer | null, leastEur: number): readonly BillNotice[] {
  return cheapest !== null && cheapest.costEur > leastEur ? ['orden_distinto_con_impuestos'] : [];
}
