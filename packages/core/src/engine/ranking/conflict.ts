import { type CalculationPeriod, YEAR } from '../cost/customer.ts';
import { roundHalfUp } from '../numbers.ts';
import type { Range } from './score.ts';

/** What an offer costs the customer and pays beyond the cheapest one, EUR of a year. */
export interface ExtraOfYear {
  /** The id of the offer. */
  readonly offerId: number;
  /** EUR a year, rounded to 6 decimals. */
  readonly costEur: number;
  /** EUR of a contract-year, rounded to 6 decimals. */
  readonly commissionEur: number;
}

/** What the commission costs the customer. */
export interface Conflict {
  /**
   * How many EUR of the customer's annual cost the weight gives for one EUR of commission; `null` at weight 0 and so
   * near to it that the number would be infinite, and where all pay the same.
   */
  readonly customerEurPerCommissionEur: number | null;
  readonly mostEfficient: ExtraOfYear;
  readonly bestPaid: ExtraOfYear;
}

/**
 * The extra cost and commission of one result compared with the cheapest; all `null` where commissions may not be seen.
 */
export interface Extras {
  /** EUR over the calculation period. */
  readonly extraCostEur: number | null;
  /** EUR of a contract-year. */
  readonly extraCommissionEur: number | null;
  /** The commission by annual MWh, EUR/MWh; `null` without consumption. */
  readonly commissionEurPerMwh: number | null;
}

/** A cost over the calculation period and a commission of a contract-year, EUR, with its offer. */
interface OfferPoint {
  readonly id: number;
  readonly costEur: number;
  readonly commissionEur: number;
}

/** The ranges of cost and commission over all ranked offers. */
interface Ranges {
  readonly cost: Range;
  readonly commission: Range;
}

/** EUR of a year. */
function annual(eur: number, { days }: CalculationPeriod): number {
  return (eur * YEAR.days) / days;
}

function widthOf({ min, max }: Range): number {
  return max - min;
}

/**
 * The weight at which the winner is the offer with the most of `tolerance * commission - annual cost`.
 *
 * @param tolerance - EUR of the customer's annual cost for one EUR of commission, >= 0.
 * @see docs/assumptions.md, A-73
 */
export function weightForTolerance(ranges: Ranges, tolerance: number, period: CalculationPeriod): number {
  const [cost, commission] = [annual(widthOf(ranges.cost), period), widthOf(ranges.commission)];
  if (commission === 0) return 1;
  if (cost === 0) return tolerance === 0 ? 1 : 0;
  return cost / (cost + tolerance * commission);
}

/** The offers from which a conflict is computed. */
export interface Corners {
  readonly cheapest: OfferPoint;
  readonly mostEfficient: OfferPoint;
  readonly bestPaid: OfferPoint;
}

/**
 * What the commission costs the customer at a weight.
 *
 * @see docs/assumptions.md, A-72
 */
export function conflictOf(
  { cheapest, mostEfficient, bestPaid }: Corners,
  { ranges, weight, period }: { readonly ranges: Ranges; readonly weight: number; readonly period: CalculationPeriod },
): Conflict {
  const [cost, commission] = [annual(widthOf(ranges.cost), period), widthOf(ranges.commission)];
  const beyondCheapest = ({ id, costEur, commissionEur }: OfferPoint): ExtraOfYear => ({
    offerId: id,
    costEur: roundHalfUp(annual(costEur - cheapest.costEur, period), 6),
    commissionEur: roundHalfUp(commissionEur - cheapest.commissionEur, 6),
  });
  const rate = ((1 - weight) * cost) / commission / weight;
  return {
    customerEurPerCommissionEur: commission > 0 && Number.isFinite(rate) ? roundHalfUp(rate, 6) : null,
    mostEfficient: beyondCheapest(mostEfficient),
    bestPaid: beyondCheapest(bestPaid),
  };
}
