import { extrasOf } from '../advice/conflict.ts';
import { type PresentCost, savingOf } from '../advice/present-contract.ts';
import type { Offer, OfferWithHistory } from '../offers/offer.ts';
import type { AppliedPrices, PriceOrigin } from './applied-price.ts';
import type { CommissionBreakdown, CostBreakdown } from './cost.ts';
import type { Demand } from './customer.ts';
import { type FrontierPoint, isOn, type Ranges } from './frontier.ts';
import type { RankedOffer } from './ranking.ts';
import { commissionScore, compareStandings, compareTied, priceScore, type Standing, weightedScore } from './score.ts';

/** An offer that the definition has priced, and its scores once the ranges are known. */
export interface PricedOffer extends Omit<Standing, 'score'> {
  score: number;
  priceScore: number;
  commissionScore: number;
  readonly entry: OfferWithHistory;
  readonly offer: Offer;
  readonly cost: CostBreakdown;
  readonly prices: AppliedPrices;
  readonly origin: PriceOrigin | null;
  /** `null` where commissions are not seen; `commissionEur` is 0 then. */
  readonly commission: CommissionBreakdown | null;
}

/** Both ends of cost and commission; `null` when nothing is ranked. */
export function rangesOf(priced: readonly PricedOffer[]): Ranges | null {
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
export function firstByCost(priced: readonly PricedOffer[]): PricedOffer | null {
  let first: PricedOffer | null = null;
  for (const offer of priced) if (!first || compareTied(offer, first) < 0) first = offer;
  return first;
}

interface Asked {
  readonly ranges: Ranges;
  readonly weight: number;
  readonly limit: number;
}

/** Scores all of them, in steps; the first `limit` by A-18 come first and in order, the others follow. */
export function* inOrder(
  priced: readonly PricedOffer[],
  { ranges, weight, limit }: Asked,
): Generator<undefined, readonly PricedOffer[]> {
  let scored = 0;
  for (const offer of priced) {
    offer.priceScore = priceScore(offer.costEur, ranges.cost);
    offer.commissionScore = commissionScore(offer.commissionEur, ranges.commission);
    offer.score = weightedScore(weight, { price: offer.priceScore, commission: offer.commissionScore });
    scored += 1;
    if (scored % SCORED_AT_ONCE === 0) yield;
  }
  if (priced.length <= FEW) return sortFew(priced);
  yield;
  // Numbers are sorted sooner than offers.
  const least = Float64Array.from(priced, ({ score }) => score).sort()[priced.length - limit] ?? 0;
  yield;
  const first = priced.filter(({ score }) => score >= least).sort(compareStandings);
  return first.concat(priced.filter(({ score }) => !(score >= least)));
}

/** Offers that are scored in one step. */
const SCORED_AT_ONCE = 16_384;
/** Up to so many are sorted faster by moving each to its place than by a function that is called for every two. */
const FEW = 300;

function sortFew(priced: readonly PricedOffer[]): readonly PricedOffer[] {
  const sorted = [...priced];
  for (let i = 1; i < sorted.length; i++) {
    const offer = sorted[i];
    if (!offer) continue;
    let at = i;
    for (; at > 0; at--) {
      const before = sorted[at - 1];
      if (!before || compareStandings(before, offer) < 0) break;
      sorted[at] = before;
    }
    sorted[at] = offer;
  }
  return sorted;
}

/** Where an offer stands, and what it is compared to. */
interface Place {
  readonly place: number;
  /** `null` where commissions are not seen. */
  readonly frontier: readonly FrontierPoint[] | null;
  readonly cheapest: PricedOffer;
  readonly demand: Demand;
  readonly present: PresentCost | null;
}

/** An offer in its place, as it is shown. */
export function resultOf(priced: PricedOffer, { place, frontier, cheapest, demand, present }: Place): RankedOffer {
  const { offer, prices, origin, cost, commission, score } = priced;
  const { extraCostEur, extraCommissionEur, commissionEurPerMwh } = extrasOf(cost, commission, { cheapest, demand });
  return {
    offer,
    prices,
    origin,
    cost,
    commission,
    score,
    priceScore: priced.priceScore,
    commissionScore: commission && priced.commissionScore,
    isOptimal: place === 0,
    isOnFrontier: frontier && isOn(frontier, priced),
    extraCostEur,
    extraCommissionEur,
    commissionEurPerMwh,
    saving: present && savingOf(present, cost.totalEur),
  };
}
