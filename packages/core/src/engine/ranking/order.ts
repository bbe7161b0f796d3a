import {
  type CommissionBreakdown,
  commissionOf,
  discountedCost,
  type PriceQuestion,
  type Pricing,
  priceOffer,
} from '../cost/cost.ts';
import type { CalculationPeriod } from '../cost/customer.ts';
import { assert } from '../errors.ts';
import type { Offer, OfferWithHistory } from '../offers/offer.ts';
import { conflictOf, weightForTolerance } from './conflict.ts';
import { contenderOf, frontierOf, isOn, winnerAt, winnersByWeight } from './frontier.ts';
import type { PreselectionQuestion } from './preselection.ts';
import { type PresentCost, savingOf } from './present-contract.ts';
import type { RankedOffer } from './ranking.ts';
import {
  compareStandings,
  compareTied,
  type Ranges,
  type RankedFigures,
  type Standing,
  scoresOf,
  weightedScore,
} from './score.ts';

/** A block, or a list. */
export interface OfferSource {
  readonly entryAt: (row: number) => OfferWithHistory;
  /** A number for each row; `null` for a list. */
  readonly keys: Float64Array | null;
}

/** The place of an offer. */
export interface OfferPlace {
  readonly source: OfferSource;
  readonly row: number;
}

/** The definition's result for an offer. */
interface PriceDetails {
  readonly offer: Offer;
  readonly pricing: Pricing;
  /** `null` where commissions are not visible, and without a price. */
  readonly commission: CommissionBreakdown | null;
}

/** The figures of an offer that has a cost. Where commissions are not visible, `commissionEur` is 0. */
export interface PricedOffer extends Standing, OfferPlace {
  /** 0 where no bill is asked for. */
  readonly billEur: number;
  /** Set once the ranges are known. */
  score: number;
  /** `null`: they are not stored, and computed again for a shown offer. */
  readonly details: PriceDetails | null;
}

/** Prices an offer by the definition. */
export function detailsAt(
  { source, row }: OfferPlace,
  { demand, month, seesCommissions }: PriceQuestion,
): PriceDetails {
  const entry = source.entryAt(row);
  const { offer } = entry;
  const pricing = priceOffer(entry, demand, month);
  return { offer, pricing, commission: seesCommissions && pricing.priced ? commissionOf(offer, demand) : null };
}

/** The figures that decide the order; the score is set once the ranges are known. */
type Scored = { -readonly [Key in keyof Standing]: Standing[Key] };

/** What the order of offers depends on. */
type OrderQuestion = Omit<PreselectionQuestion, 'demand' | 'month' | 'needed'> & { readonly period: CalculationPeriod };

/**
 * Puts priced offers in order, in steps. The result has the first `limit` offers by A-18 and the figures that depend on
 * all offers; `null` where there are none. A tolerance becomes a weight once the ranges of cost and commission are
 * known.
 *
 * An offer that beats another scores no less at any weight and wins a tie. So it comes before the other, and the
 * priced offers show which of the results are on the frontier.
 */
export function* orderOf<Offer extends Scored>(
  priced: readonly Offer[],
  { weight: requested, tolerance, limit, period, seesCommissions, withWinners }: OrderQuestion,
) {
  const isLong = priced.length > STEP_ROWS;
  if (isLong) yield;
  const ranges = rangesOf(priced);
  if (isLong) yield;
  // The first at weight 1, where the order of ties decides.
  const cheapest = priced.reduce<Offer | null>((a, b) => (a && compareTied(a, b) < 0 ? a : b), null);
  if (!cheapest) return { weight: requested, order: null };
  const weight = tolerance === null ? requested : weightForTolerance(ranges, tolerance, period);
  yield* score(priced, ranges, weight);
  const first = yield* firstOf(priced, limit);
  if (isLong) yield;
  const frontier = seesCommissions ? frontierOf(priced) : null;
  if (isLong) yield;
  const contenders = withWinners && frontier ? frontier.map((point) => contenderOf(point, ranges)) : [];
  const bestPaid = winnerAt(contenders, 0);
  const mostEfficient = first[0] ?? cheapest;
  const conflict = bestPaid && conflictOf({ cheapest, mostEfficient, bestPaid }, { ranges, weight, period });
  const winners = winnersByWeight(contenders);
  return { weight, order: { ranges, cheapest, first, frontier, mostEfficient, bestPaid, conflict, winners } };
}

function rangesOf(priced: readonly Scored[]): Ranges {
  const cost = { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
  const commission = { ...cost };
  for (const { costEur, commissionEur } of priced) {
    if (costEur < cost.min) cost.min = costEur;
    if (costEur > cost.max) cost.max = costEur;
    if (commissionEur < commission.min) commission.min = commissionEur;
    if (commissionEur > commission.max) commission.max = commissionEur;
  }
  return { cost, commission };
}

/** Scores all offers, in steps. */
function* score(priced: readonly Scored[], ranges: Ranges, weight: number): Generator<undefined, void> {
  for (let index = 0; index < priced.length; index++) {
    const offer = priced[index];
    if (offer) offer.score = weightedScore(weight, scoresOf(offer, ranges));
    if (index % SCORED_AT_ONCE === SCORED_AT_ONCE - 1) yield;
  }
}

/** The first `limit` of scored offers in order, in steps. */
export function* firstOf<Offer extends Standing>(
  priced: readonly Offer[],
  limit: number,
): Generator<undefined, readonly Offer[]> {
  if (priced.length <= FEW) return priced.toSorted(compareStandings).slice(0, limit);
  yield;
  // Sorting numbers is faster than sorting offers.
  const least = Float64Array.from(priced, ({ score }) => score).sort()[priced.length - limit] ?? 0;
  yield;
  return priced
    .filter(({ score }) => score >= least)
    .sort(compareStandings)
    .slice(0, limit);
}

/**
 * The places of some offers among all, from 1, in steps.
 *
 * @param some - In order: those of `all` whose places are wanted.
 */
export function* placesAmong<Offer extends Standing>(
  all: readonly Offer[],
  some: readonly Offer[],
  compare: (a: Standing, b: Standing) => number = compareStandings,
): Generator<undefined, readonly number[]> {
  // How many come before the first, and between one and the next.
  const counts = some.map(() => 0);
  for (const [index, offer] of all.entries()) {
    let [low, high] = [0, some.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const one = some[middle];
      if (one && compare(one, offer) <= 0) low = middle + 1;
      else high = middle;
    }
    if (low < counts.length) counts[low] = (counts[low] ?? 0) + 1;
    if (index % SCORED_AT_ONCE === SCORED_AT_ONCE - 1) yield;
  }
  let place = 1;
  return counts.map((count) => {
    place += count;
    return place;
  });
}

/** Offers that are priced, or put in order, in one step: as many as a block has. */
export const STEP_ROWS = 1024;
/** How many offers are scored in one step. */
const SCORED_AT_ONCE = 16_384;
/** Up to this many are put in order without selecting the first ones beforehand. */
const FEW = 300;

/** What the figures of a result depend on, and what it is compared with. */
interface Compared extends PriceQuestion {
  readonly ranges: Ranges;
  /** `null` where commissions are not visible. */
  readonly frontier: readonly RankedFigures[] | null;
  readonly cheapest: PricedOffer;
  readonly mostEfficient: PricedOffer;
  readonly present: PresentCost | null;
  /** Whether some ranked offer has a discount. */
  readonly hasDiscounts: boolean;
  /** Those of the offers among all; `null`: not asked for. */
  readonly places: readonly number[] | null;
}

/** Offers in their order, with all shown figures. */
export function resultsOf(first: readonly PricedOffer[], question: Compared): readonly RankedOffer[] {
  const { ranges, frontier, cheapest, mostEfficient, present, hasDiscounts, places } = question;
  const { annualMwh, period } = question.demand;
  return first.map((priced, index) => {
    const place = places?.[index];
    const { score, costEur, commissionEur, source, row } = priced;
    const { offer, pricing, commission } = priced.details ?? detailsAt(priced, question);
    assert(pricing.priced, 'an offer that has a cost has it again');
    const { priceScore, commissionScore } = scoresOf(priced, ranges);
    const result: RankedOffer = {
      key: source.keys?.[row] ?? null,
      ...(place !== undefined && { place }),
      offer,
      prices: pricing.prices,
      origin: pricing.origin,
      cost: pricing.cost,
      commission,
      score,
      priceScore,
      commissionScore: commission && commissionScore,
      isOptimal: priced === mostEfficient,
      isOnFrontier: frontier && isOn(frontier, priced),
      extraCostEur: commission && costEur - cheapest.costEur,
      extraCommissionEur: commission && commissionEur - cheapest.commissionEur,
      commissionEurPerMwh: commission && annualMwh > 0 ? commissionEur / annualMwh : null,
      saving: present && savingOf(present, costEur, period.days),
    };
    return hasDiscounts ? { ...result, discounted: discountedCost(source.entryAt(row), question) } : result;
  });
}
