import { extrasOf } from '../advice/conflict.ts';
import { type PresentCost, savingOf } from '../advice/present-contract.ts';
import type { OfferWithHistory } from '../offers/offer.ts';
import type { CommissionBreakdown, Pricing } from './cost.ts';
import type { Demand } from './customer.ts';
import { type FrontierPoint, isOn, type Ranges } from './frontier.ts';
import type { RankedOffer } from './ranking.ts';
import { commissionScore, compareStandings, compareTied, priceScore, type Standing, weightedScore } from './score.ts';

/** What the definition says of one offer. */
export interface Figures extends Omit<Extract<Pricing, { readonly priced: true }>, 'priced'> {
  /** `null` where commissions are not seen. */
  readonly commission: CommissionBreakdown | null;
}

/** An offer that the definition has priced. */
export interface PricedOffer extends Standing {
  /** Known once the ranges are. */
  score: number;
  /** 0 where commissions are not seen. */
  readonly commissionEur: number;
  readonly entry: OfferWithHistory;
  /** `null` in a long list, of which few are shown: objects that live long are collected dearly. */
  readonly figures: Figures | null;
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

/** Scores all of them, in steps; answers with the first `limit` by A-18, in order. */
export function* firstOf(
  priced: readonly PricedOffer[],
  { ranges, weight, limit }: Asked,
): Generator<undefined, readonly PricedOffer[]> {
  for (let index = 0; index < priced.length; index++) {
    const offer = priced[index];
    if (offer) offer.score = weightedScore(weight, scoresOf(offer, ranges));
    if (index % SCORED_AT_ONCE === SCORED_AT_ONCE - 1) yield;
  }
  if (priced.length <= FEW) return priced.toSorted(compareStandings).slice(0, limit);
  yield;
  // Numbers are sorted sooner than offers.
  const least = Float64Array.from(priced, ({ score }) => score).sort()[priced.length - limit] ?? 0;
  yield;
  return priced
    .filter(({ score }) => score >= least)
    .sort(compareStandings)
    .slice(0, limit);
}

/** Offers that are scored in one step. */
const SCORED_AT_ONCE = 16_384;
const FEW = 300;

function scoresOf({ costEur, commissionEur }: Omit<Standing, 'score'>, { cost, commission }: Ranges) {
  return { price: priceScore(costEur, cost), commission: commissionScore(commissionEur, commission) };
}

/** Where an offer stands, and what it is compared to. */
interface Place {
  readonly place: number;
  readonly ranges: Ranges;
  /** `null` where commissions are not seen. */
  readonly frontier: readonly FrontierPoint[] | null;
  readonly cheapest: PricedOffer;
  readonly demand: Demand;
  readonly present: PresentCost | null;
}

/** An offer in its place, as it is shown. */
export function resultOf(
  offer: PricedOffer,
  { prices, origin, cost, commission }: Figures,
  { place, ranges, frontier, cheapest, demand, present }: Place,
): RankedOffer {
  const scores = scoresOf(offer, ranges);
  const { extraCostEur, extraCommissionEur, commissionEurPerMwh } = extrasOf(cost, commission, { cheapest, demand });
  return {
    offer: offer.entry.offer,
    prices,
    origin,
    cost,
    commission,
    score: offer.score,
    priceScore: scores.price,
    commissionScore: commission && scores.commission,
    isOptimal: place === 0,
    isOnFrontier: frontier && isOn(frontier, offer),
    extraCostEur,
    extraCommissionEur,
    commissionEurPerMwh,
    saving: present && savingOf(present, cost.totalEur),
  };
}
