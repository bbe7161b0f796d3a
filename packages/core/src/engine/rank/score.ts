// Scores and ties of ranked offers, the frontier and the winners by weight, and what a commission costs the customer.

import { roundHalfUp } from '../numbers.ts';
import { type CalculationPeriod, YEAR } from '../price/customer.ts';
import type { Figures } from '../price/rule.ts';
import { isLong } from '../turns.ts';

/** The lowest and the highest of a figure over all ranked offers. */
export interface Range {
  /** EUR, included. */
  readonly min: number;
  /** EUR, included. */
  readonly max: number;
}

/** The ranges that scores are relative to, EUR. */
export interface Ranges {
  readonly cost: Range;
  readonly commission: Range;
}

/** The two scores of an offer, 0 to 10 with 9 decimals. */
export interface Scores {
  /** 0 to 10, 9 decimals. */
  readonly priceScore: number;
  /** 0 to 10, 9 decimals. */
  readonly commissionScore: number;
}

/** Scores are 0 to this, both included. */
const HIGHEST_SCORE = 10;

/**
 * The scores of an offer: the cheapest has a price score of 10 and the most expensive 0, the best paid a commission
 * score of 10 and the worst paid 0. Where all are equal they have 10.
 *
 * @see docs/assumptions.md, A-17
 */
export function scoresOf(offer: Omit<RankedFigures, 'id'>, { cost, commission }: Ranges): Scores {
  return {
    priceScore: shareOf(cost.max - offer.costEur, cost.max - cost.min),
    commissionScore: shareOf(offer.commissionEur - commission.min, commission.max - commission.min),
  };
}

/** The score of a distance from the worse end of a range, whose width is 0 where all are equal. */
export function shareOf(distance: number, width: number): number {
  return width > 0 ? roundHalfUp((HIGHEST_SCORE * distance) / width, 9) : HIGHEST_SCORE;
}

/**
 * The score that decides: `weight` parts of the price score and the rest of the commission score.
 *
 * @param weight - 0 (commission only) to 1 (savings only), both included.
 */
export function weightedScore(weight: number, { priceScore, commissionScore }: Scores): number {
  return scoreAt(weight, priceScore, commissionScore);
}

/** The same of numbers alone: thousands of offers are scored. */
export function scoreAt(weight: number, priceScore: number, commissionScore: number): number {
  return roundHalfUp(weight * priceScore + (1 - weight) * commissionScore, 9);
}

/** What a ranked offer costs over the period and pays a year, EUR with 6 decimals. */
export interface RankedFigures {
  /** EUR over the calculation period. */
  readonly costEur: number;
  /** EUR of a contract-year; equal for all where the caller may not see commissions. */
  readonly commissionEur: number;
  /** The id of the offer. */
  readonly id: number;
}

/** The values of a ranked offer that determine the order. */
export interface Standing extends RankedFigures {
  /** 0 to 10, 9 decimals. */
  readonly score: number;
}

/**
 * The order of a ranking: score descending, cost ascending, commission descending, id ascending. Negative when `a`
 * comes first; never 0 for two different offers.
 *
 * @see docs/assumptions.md, A-18
 */
export function compareStandings(a: Standing, b: Standing): number {
  return b.score - a.score || compareTied(a, b);
}

/** The rest of that order, for offers with equal scores. */
export function compareTied(a: RankedFigures, b: RankedFigures): number {
  return a.costEur - b.costEur || b.commissionEur - a.commissionEur || a.id - b.id;
}

/** The figures that decide the order of a row, and their place. */
export interface Placed extends Standing {
  readonly at: number;
}

/** The figures that an order needs. */
export type OrderedFigures = Pick<Figures, 'ids' | 'total' | 'paid' | 'score'>;

/** The figures of a row. */
export function placedAt({ ids, total, paid, score }: OrderedFigures, at: number): Placed {
  return {
    score: score[at] as number,
    costEur: total[at] as number,
    commissionEur: paid[at] as number,
    id: ids[at] as number,
    at,
  };
}

/** A frontier point with its two scores: a straight line over the weight. */
export type Contender = RankedFigures & Scores;

/** A point with its two scores. */
export function contenderOf({ costEur, commissionEur, id }: RankedFigures, ranges: Ranges): Contender {
  const { priceScore, commissionScore } = scoresOf({ costEur, commissionEur }, ranges);
  return { costEur, commissionEur, id, priceScore, commissionScore };
}

/** The best offer at a weight, 0 to 1; `null` when there is no contender. */
export function winnerAt(contenders: readonly Contender[], weight: number): Contender | null {
  let best: Contender | null = null;
  let highest = Number.NEGATIVE_INFINITY;
  for (const contender of contenders) {
    const score = weightedScore(weight, contender);
    // Stryker disable next-line EqualityOperator: no two offers have one id, so none is exactly tied
    const isBetter = score > highest || (score === highest && best !== null && compareTied(contender, best) < 0);
    if (!isBetter) continue;
    best = contender;
    highest = score;
  }
  return best;
}

/** A segment narrower than this is only a rounding error of the division: the contenders there are tied. */
const NARROWEST = 1e-12;
/** Segments between two pauses, where there are many contenders. */
const SEGMENTS = 256;

/**
 * The winner at each weight: the upper envelope of the contenders' lines, covering 0 to 1 without gap. Where the winner
 * exactly at a bound is neither neighbour (scores are rounded before they are compared), it has a segment of its own
 * from the bound to the bound.
 *
 * @param contenders - As `frontierOf` orders them: by ascending cost, so that the steepest line comes first.
 * @see docs/assumptions.md, A-19
 */
export function* winnersByWeight(contenders: readonly Contender[]): Generator<undefined, readonly WinnerSegment[]> {
  if (contenders.length === 0) return [];
  const segments: WinnerSegment[] = [];
  const places: number[] = [];
  const beside = neighbours(contenders);
  let current = winnerAt(contenders, 0);
  let at = current ? contenders.indexOf(current) : 0;
  let fromWeight = 0;
  while (current) {
    const { from, among } = beside(at);
    const next = overtaker(among, current);
    const toWeight = next?.weight ?? 1;
    // Stryker disable next-line EqualityOperator: no two weights are exactly that far apart
    if (!next || toWeight - fromWeight > NARROWEST) {
      segments.push({ fromWeight, toWeight, offerId: current.id });
      places.push(at);
      fromWeight = toWeight;
    }
    current = next?.contender ?? null;
    at = current ? from + among.indexOf(current) : at;
    if (isLong(contenders.length) && segments.length % SEGMENTS === 0) yield;
  }
  const all: WinnerSegment[] = [];
  for (let index = 0; index <= segments.length; index++) {
    const before = segments[index - 1];
    const after = segments[index];
    const bound = before?.toWeight ?? 0;
    const winner = winnerAt(beside(places[Math.max(0, index - 1)] ?? 0, bound).among, bound);
    if (winner && before?.offerId !== winner.id && after?.offerId !== winner.id) {
      all.push({ fromWeight: bound, toWeight: bound, offerId: winner.id });
    }
    if (after) all.push(after);
    if (isLong(contenders.length) && index % SEGMENTS === 0) yield;
  }
  return all;
}

/**
 * The contender that first overtakes a winner before weight 1, the steepest of several at the same weight; `null`:
 * none.
 */
function overtaker(
  contenders: readonly Contender[],
  current: Contender,
): { readonly weight: number; readonly contender: Contender } | null {
  const slope = current.priceScore - current.commissionScore;
  let first: Contender | null = null;
  let soonest = 1 - NARROWEST;
  for (const contender of contenders) {
    const gain = contender.priceScore - contender.commissionScore - slope;
    const weight = (current.commissionScore - contender.commissionScore) / gain;
    // Also excludes NaN. Only a steeper line can overtake, so the search ends.
    // Stryker disable next-line EqualityOperator: a line that is parallel and above would have won before
    if (!(gain > 0 && weight < soonest)) continue;
    first = contender;
    soonest = weight;
  }
  return first && { weight: soonest, contender: first };
}

/** Scores that are as near may be tied: by their last decimal, and by the noise of doubles as a share of all scores. */
const NEAR = 2e-9;
const NEAR_SHARE = 1e-11;

/**
 * Gives those among which the best at a weight is, beside one that is as good there; without a weight, those among which is
 * the first that overtakes that one. They end at corners of the hull of all that are clearly lower: what is behind is lower
 * still.
 */
function neighbours(contenders: readonly Contender[]) {
  const isCorner = cornersOf(contenders);
  const heightOf = (weight: number, at: number) => {
    const { priceScore, commissionScore } = contenders[at] as Contender;
    return weight * priceScore + (1 - weight) * commissionScore;
  };
  let scale = 0;
  for (const { priceScore, commissionScore } of contenders) {
    scale = Math.max(scale, Math.abs(priceScore), Math.abs(commissionScore));
  }
  const overtakenAt = (at: number) => {
    let corner = at - 1;
    while (isCorner[corner] === 0) corner--;
    return overtaker(contenders.slice(Math.max(0, corner), at), contenders[at] as Contender)?.weight ?? 1;
  };
  return (at: number, weight = overtakenAt(at)) => {
    const least = heightOf(weight, at) - NEAR - NEAR_SHARE * scale;
    const isBehind = (index: number) => isCorner[index] === 1 && heightOf(weight, index) < least;
    let [from, end] = [at, at + 1];
    while (from > 0 && !isBehind(from)) from -= 1;
    while (end < contenders.length && !isBehind(end)) end += 1;
    return { from, among: contenders.slice(from, end) };
  };
}

/** 1 for each contender that is a corner of the upper hull of all. */
function cornersOf(contenders: readonly Contender[]): Uint8Array {
  const isCorner = new Uint8Array(contenders.length);
  const corners: number[] = [];
  const isUnder = (middle: Contender, from: Contender, to: Contender) =>
    (middle.priceScore - from.priceScore) * (to.commissionScore - from.commissionScore) <=
    (to.priceScore - from.priceScore) * (middle.commissionScore - from.commissionScore);
  const cornerAt = (index: number) => contenders[corners[index] ?? 0] as Contender;
  for (const [at, contender] of contenders.entries()) {
    while (corners.length > 1 && isUnder(cornerAt(corners.length - 1), cornerAt(corners.length - 2), contender)) {
      corners.pop();
    }
    corners.push(at);
  }
  for (const at of corners) isCorner[at] = 1;
  return isCorner;
}

/** The weights at which one offer is the best: from `fromWeight` to `toWeight`, both included. */
export interface WinnerSegment {
  /** A weight, 0 to 1. */
  readonly fromWeight: number;
  /** A weight, 0 to 1. */
  readonly toWeight: number;
  /** The id of the offer. */
  readonly offerId: number;
}

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

/**
 * What the commission costs the customer at a weight.
 *
 * @see docs/assumptions.md, A-72
 */
export function conflictOf(
  { cheapest, mostEfficient, bestPaid }: Readonly<Record<'cheapest' | 'mostEfficient' | 'bestPaid', RankedFigures>>,
  { ranges, weight, period }: { readonly ranges: Ranges; readonly weight: number; readonly period: CalculationPeriod },
): Conflict {
  const [cost, commission] = [annual(widthOf(ranges.cost), period), widthOf(ranges.commission)];
  const beyondCheapest = ({ id, costEur, commissionEur }: RankedFigures): ExtraOfYear => ({
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
