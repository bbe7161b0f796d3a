import { type PresentCost, savingOf } from '../advice/present-contract.ts';
import type { Offer } from '../offers/offer.ts';
import type { CommissionBreakdown, Pricing } from './cost.ts';
import type { Demand } from './customer.ts';
import { type FrontierPoint, isOn } from './frontier.ts';
import type { RankedOffer } from './ranking.ts';
import { compareStandings, compareTied, type Ranges, type Standing, scoresOf, weightedScore } from './score.ts';

/** An offer that the definition has priced. */
export interface PricedOffer extends Standing {
  /** Set once the ranges are known. */
  score: number;
  readonly offer: Offer;
  readonly pricing: Extract<Pricing, { readonly priced: true }>;
  /** `null` where commissions are not seen; `commissionEur` is 0 then. */
  readonly commission: CommissionBreakdown | null;
}

/** The ranges of cost and commission; `null` when nothing is ranked. */
export function rangesOf(priced: readonly Omit<FrontierPoint, 'id'>[]): Ranges | null {
  const cost = { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
  const commission = { ...cost };
  for (const { costEur, commissionEur } of priced) {
    if (costEur < cost.min) cost.min = costEur;
    if (costEur > cost.max) cost.max = costEur;
    if (commissionEur < commission.min) commission.min = commissionEur;
    if (commissionEur > commission.max) commission.max = commissionEur;
  }
  return priced.length > 0 ? { cost, commission } : null;
}

/** The first at weight 1: the cheapest, and the rest of the order is that of ties. */
export function firstByCost<Point extends FrontierPoint>(priced: readonly Point[]): Point | null {
  return priced.reduce<Point | null>((first, one) => (first && compareTied(first, one) < 0 ? first : one), null);
}

/** Scores all of them, in steps; answers with the first `limit` by A-18, in order. */
export function* firstOf(
  priced: readonly PricedOffer[],
  { ranges, weight, limit }: { readonly ranges: Ranges; readonly weight: number; readonly limit: number },
): Generator<undefined, readonly PricedOffer[]> {
  for (let index = 0; index < priced.length; index++) {
    const offer = priced[index];
    if (offer) offer.score = weightedScore(weight, scoresOf(offer, ranges));
    if (index % SCORED_AT_ONCE === SCORED_AT_ONCE - 1) yield;
  }
  if (priced.length <= FEW) return sorted(priced).slice(0, limit);
  yield;
  // Sorting numbers is faster than sorting offers.
  const least = Float64Array.from(priced, ({ score }) => score).sort()[priced.length - limit] ?? 0;
  yield;
  return priced
    .filter(({ score }) => score >= least)
    .sort(compareStandings)
    .slice(0, limit);
}

/** How many offers are scored in one step. */
const SCORED_AT_ONCE = 16_384;
/** Up to so many are sorted faster by moving each to its place than by a function that is called for every two. */
const FEW = 300;

function sorted(priced: readonly PricedOffer[]): readonly PricedOffer[] {
  const first: PricedOffer[] = [];
  for (const offer of priced) {
    let at = first.length;
    for (; at > 0; at--) {
      const before = first[at - 1];
      if (!before || compareStandings(before, offer) < 0) break;
      first[at] = before;
    }
    first[at] = offer;
  }
  return first;
}

/** What every result is compared to. */
interface Compared {
  readonly ranges: Ranges;
  /** `null` where commissions are not seen. */
  readonly frontier: readonly FrontierPoint[] | null;
  readonly cheapest: PricedOffer;
  readonly demand: Demand;
  readonly present: PresentCost | null;
}

/** Offers in their order, as they are shown. */
export function resultsOf(
  first: readonly PricedOffer[],
  { ranges, frontier, cheapest, demand, present }: Compared,
): readonly RankedOffer[] {
  const { annualMwh } = demand;
  return first.map((priced, place) => {
    const { offer, pricing, commission, score, costEur, commissionEur } = priced;
    const { priceScore, commissionScore } = scoresOf(priced, ranges);
    return {
      offer,
      prices: pricing.prices,
      origin: pricing.origin,
      cost: pricing.cost,
      commission,
      score,
      priceScore,
      commissionScore: commission && commissionScore,
      isOptimal: place === 0,
      isOnFrontier: frontier && isOn(frontier, priced),
      extraCostEur: commission && costEur - cheapest.costEur,
      extraCommissionEur: commission && commissionEur - cheapest.commissionEur,
      commissionEurPerMwh: commission && annualMwh > 0 ? commissionEur / annualMwh : null,
      saving: present && savingOf(present, costEur),
    };
  });
}
