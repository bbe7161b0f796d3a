// The order of ranked rows, and what depends on all of them: ranges, frontier, winners.

import { assert } from '../errors.ts';
import { countBefore, firstOf } from '../in-order.ts';
import type { CalculationPeriod } from '../price/customer.ts';
import { isLong, PIECE_ROWS } from '../turns.ts';
import {
  type Conflict,
  type Contender,
  compareStandings,
  compareTied,
  conflictOf,
  contenderOf,
  type OrderedFigures,
  type Placed,
  placedAt,
  type Range,
  type Ranges,
  type RankedFigures,
  type Standing,
  scoreAt,
  scoresOf,
  shareOf,
  type WinnerSegment,
  weightedScore,
  weightForTolerance,
  winnerAt,
  winnersByWeight,
} from './score.ts';
import type { Question } from './select.ts';

/** What the order of offers depends on. */
type OrderQuestion = Pick<Question, 'weight' | 'tolerance' | 'limit' | 'seesCommissions' | 'withWinners'> & {
  readonly period: CalculationPeriod;
};

/** What is known once all rows are in order. */
export interface Order {
  readonly ranges: Ranges;
  readonly cheapest: Placed;
  /** The first `limit`. */
  readonly first: readonly Placed[];
  /** `null` where commissions are not visible. */
  readonly frontier: readonly RankedFigures[] | null;
  readonly mostEfficient: Placed;
  readonly bestPaid: Contender | null;
  readonly conflict: Conflict | null;
  readonly winners: readonly WinnerSegment[];
}

/**
 * Scores rows and puts them in order; `null` where there are none. A tolerance becomes a weight once the ranges of cost
 * and commission are known. With pauses where there are many.
 *
 * A row that beats another scores no less at any weight and wins a tie. So it comes before the other.
 */
export function* orderOf(
  figures: OrderedFigures,
  count: number,
  { weight: requested, tolerance, limit, period, seesCommissions, withWinners }: OrderQuestion,
): Generator<undefined, { readonly weight: number; readonly order: Order | null }> {
  if (count === 0) return { weight: requested, order: null };
  const ranges = rangesOf(figures, count);
  const weight = tolerance === null ? requested : weightForTolerance(ranges, tolerance, period);
  const counted = scoreRows(figures, count, ranges, weight);
  const deciding = yield* decidingRows(figures, count, counted, { limit, least: ranges.cost.min });
  const { first, cheapest } = deciding;
  assert(cheapest !== null, 'a row has the least cost');
  const frontier = seesCommissions ? deciding.frontier : null;
  const contenders = withWinners && frontier ? frontier.map((point) => contenderOf(point, ranges)) : [];
  const bestPaid = winnerAt(contenders, 0);
  const mostEfficient = first[0] ?? cheapest;
  const conflict = bestPaid && conflictOf({ cheapest, mostEfficient, bestPaid }, { ranges, weight, period });
  // The frontier of rows that are all on it takes as long as the rest.
  if (isLong(contenders.length)) yield;
  const winners = yield* winnersByWeight(contenders);
  return { weight, order: { ranges, cheapest, first, frontier, mostEfficient, bestPaid, conflict, winners } };
}

function rangesOf({ total, paid }: OrderedFigures, count: number): Ranges {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < count; at++) {
    const costEur = total[at] as number;
    const paidEur = paid[at] as number;
    if (costEur < min) min = costEur;
    if (costEur > max) max = costEur;
    if (paidEur < least) least = paidEur;
    if (paidEur > most) most = paidEur;
  }
  return { cost: { min, max }, commission: { min: least, max: most } };
}

/** Steps of the score: enough that one of many rows has few. */
const STEPS = 1024;
const STEPS_A_POINT = STEPS / 10;
/** Steps of the cost. */
const BUCKETS = 256;

/** What is counted while rows are scored, so that few of them have to be sorted. */
interface Counted {
  /** Rows by step of the score. */
  readonly steps: Int32Array;
  /** The most that a row pays by step of the cost, of all that are in a cheaper one; the steps of a EUR. */
  readonly best: Float64Array;
  readonly bucketsAnEur: number;
}

function scoreRows({ total, paid, score }: OrderedFigures, count: number, ranges: Ranges, weight: number): Counted {
  const { max: highest, min: lowest } = ranges.cost;
  const { max: most, min: least } = ranges.commission;
  const [costWidth, paidWidth] = [highest - lowest, most - least];
  const steps = new Int32Array(STEPS + 1);
  const best = new Float64Array(BUCKETS + 1).fill(Number.NEGATIVE_INFINITY);
  const bucketsAnEur = costWidth > 0 ? (BUCKETS - 1) / costWidth : 0;
  for (let at = 0; at < count; at++) {
    const costEur = total[at] as number;
    const paidEur = paid[at] as number;
    const scored = scoreAt(weight, shareOf(highest - costEur, costWidth), shareOf(paidEur - least, paidWidth));
    score[at] = scored;
    const step = (scored * STEPS_A_POINT) | 0;
    steps[step] = (steps[step] as number) + 1;
    const bucket = (1 + (costEur - lowest) * bucketsAnEur) | 0;
    if (paidEur > (best[bucket] as number)) best[bucket] = paidEur;
  }
  for (let bucket = 1; bucket <= BUCKETS; bucket++) {
    best[bucket] = Math.max(best[bucket] as number, best[bucket - 1] as number);
  }
  return { steps, best, bucketsAnEur };
}

/** What decides, of some rows. */
interface Deciding {
  /** Those with the `limit` highest scores of all, and some more; in the end the first `limit`. */
  readonly first: readonly Placed[];
  /** The first at weight 1, where the order of ties decides; `null`: none has the least cost. */
  readonly cheapest: Placed | null;
  /** Those that no cheaper one is better paid than, and some more; in the end the frontier. */
  readonly frontier: readonly Placed[];
}

function* decidingRows(
  figures: OrderedFigures,
  count: number,
  counted: Counted,
  { limit, least }: { readonly limit: number; readonly least: number },
): Generator<undefined, Deciding> {
  const { steps } = counted;
  let [step, among] = [STEPS, steps[STEPS] as number];
  while (step > 0 && among < limit) among += steps[--step] as number;
  let all: Deciding = { first: [], cheapest: null, frontier: [] };
  for (let from = 0; from < count; from += PIECE_ROWS) {
    const end = Math.min(from + PIECE_ROWS, count);
    const { first, cheapest, frontier } = decidingIn(figures, { from, end, step, least }, counted);
    const isCheaper = cheapest && (all.cheapest === null || compareTied(cheapest, all.cheapest) < 0);
    all = {
      first: firstOf(all.first, first, compareStandings, limit),
      cheapest: isCheaper ? cheapest : all.cheapest,
      frontier: frontierOf(frontier, all.frontier),
    };
    if (isLong(count)) yield;
  }
  return all;
}

function decidingIn(
  figures: OrderedFigures,
  {
    from,
    end,
    step,
    least,
  }: { readonly from: number; readonly end: number; readonly step: number; readonly least: number },
  { best, bucketsAnEur }: Counted,
): Deciding {
  const { total, paid, score } = figures;
  const first: Placed[] = [];
  const frontier: Placed[] = [];
  let cheapest: Placed | null = null;
  for (let at = from; at < end; at++) {
    const costEur = total[at] as number;
    if ((((score[at] as number) * STEPS_A_POINT) | 0) >= step) first.push(placedAt(figures, at));
    // The best paid of all that are in a cheaper step.
    if ((paid[at] as number) > (best[((costEur - least) * bucketsAnEur) | 0] as number)) {
      frontier.push(placedAt(figures, at));
    }
    if (costEur !== least) continue;
    const placed = placedAt(figures, at);
    if (cheapest === null || compareTied(placed, cheapest) < 0) cheapest = placed;
  }
  return { first, cheapest, frontier };
}

/**
 * The points that are not dominated, by ascending cost and so by ascending commission.
 * Whatever the weight, the best offer is one of them: an offer that another dominates scores no more, and loses
 * a tie.
 *
 * @param known - Points that do not dominate each other, in that order: those of other offers.
 * @see docs/assumptions.md, A-19
 */
export function frontierOf<Point extends RankedFigures>(
  ranked: readonly Point[],
  known: readonly Point[] = [],
): readonly Point[] {
  const points: Point[] = [];
  for (const offer of ranked) {
    const last = points.at(-1);
    const isNext = last !== undefined && compareTied(last, offer) < 0;
    const at = isNext ? points.length : countBefore<RankedFigures>(points, offer, compareTied);
    // Earlier points cost no more, and the last of them has the highest commission.
    const most = points[at - 1]?.commissionEur ?? Number.NEGATIVE_INFINITY;
    if (most >= offer.commissionEur) continue;
    let beaten = at;
    while ((points[beaten]?.commissionEur ?? Number.POSITIVE_INFINITY) <= offer.commissionEur) beaten++;
    points.splice(at, beaten - at, offer);
  }
  // In order nothing has to be put in between, which takes long where there are many.
  return known.length === 0 ? points : frontierOf(firstOf<Point>(known, points, compareTied));
}

/** Whether one of the offers that the points were found among is as good as one of them. */
export function isOn(points: readonly RankedFigures[], { costEur, commissionEur }: Omit<RankedFigures, 'id'>): boolean {
  return points[countBefore(points, { costEur, commissionEur, id: 0 }, compareTied)]?.costEur === costEur;
}

/**
 * The places of some rows among all, from 1, with pauses where there are many.
 *
 * @param some - In order.
 */
export function* placesAmong(
  figures: OrderedFigures,
  count: number,
  some: readonly Placed[],
  compare: (a: Standing, b: Standing) => number = compareStandings,
): Generator<undefined, readonly number[]> {
  // How many come before the first, and between one and the next, which is counted.
  const counts = some.map(() => 0);
  for (let at = 0; at < count; at++) {
    const before = countBefore(some, placedAt(figures, at), compare);
    if (before < counts.length) counts[before] = (counts[before] ?? 0) + 1;
    if (isLong(count) && at % PIECE_ROWS === 0) yield;
  }
  let place = 0;
  return counts.map((count) => {
    place += count;
    return place;
  });
}

/** The figures of all ranked offers but one; `except` -1: it is not among them. */
interface Others extends Pick<OrderedFigures, 'total' | 'paid'> {
  readonly count: number;
  readonly except: number;
}

/**
 * The highest cost at which an offer is the first of a ranking, EUR: above it another one is. Infinity where it always
 * is, -Infinity where it never is. The scores are the usual ones, and the range of costs moves with the offer's own. They
 * are compared without their rounding, but where the offer's cost does not change them: there the rounding decides.
 *
 * @param commissionEur - Of that one.
 * @param weight - 0 to 1.
 * @see docs/assumptions.md, A-116
 */
export function winningCost(others: Others, commissionEur: number, weight: number): number {
  const { total, paid: pays, count, except } = others;
  assert(weight >= 0 && weight <= 1, 'a weight is 0 to 1');
  const cost = { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
  const paid = { min: commissionEur, max: commissionEur };
  for (let at = 0; at < count; at++) {
    if (at === except) continue;
    cost.min = Math.min(cost.min, total[at] as number);
    cost.max = Math.max(cost.max, total[at] as number);
    paid.min = Math.min(paid.min, pays[at] as number);
    paid.max = Math.max(paid.max, pays[at] as number);
  }
  const atEnd = (costEur: number, paidEur: number) =>
    weightedScore(weight, scoresOf({ costEur, commissionEur: paidEur }, { cost: ENDS, commission: paid }));
  const own = { cheapest: atEnd(ENDS.min, commissionEur), dearest: atEnd(ENDS.max, commissionEur) };
  const width = paid.max - paid.min;
  let highest = Number.POSITIVE_INFINITY;
  for (let at = 0; at < count; at++) {
    if (at === except) continue;
    const paidEur = pays[at] as number;
    // What the commission gives the offer beyond the other one, in the same unit as the weight.
    const lead = width === 0 ? 0 : ((1 - weight) * (commissionEur - paidEur)) / width;
    // The other one has its best score where it is the cheapest of all, and its worst where it is the dearest.
    if (own.dearest > atEnd(ENDS.min, paidEur)) continue;
    if (own.cheapest < atEnd(ENDS.max, paidEur)) return Number.NEGATIVE_INFINITY;
    highest = Math.min(
      highest,
      costTied(total[at] as number, cost, { ahead: counted(weight + lead), behind: counted(weight - lead) }),
    );
  }
  return highest;
}

/** Costs for the two ends of a range, whatever it is. */
const ENDS: Range = { min: 0, max: 1 };

/** Half of the last decimal of a score, which is ten times a share: less is a tie, and so is what is negative by rounding. */
const LEAST_SHARE = 5e-11;

function counted(share: number): number {
  return share < LEAST_SHARE ? 0 : share;
}

/**
 * At which cost of an offer its score is that of another one.
 *
 * @param range - Of the costs of all others.
 * @param shares - What the offer is ahead by where it is the cheapest of all and the other one the dearest, and behind by
 *   where it is the other way round, as shares of the highest score: together twice the weight.
 */
function costTied(
  otherEur: number,
  { min, max }: Range,
  { ahead, behind }: { readonly ahead: number; readonly behind: number },
): number {
  // No cost changes the scores: they are equal, and the cheaper one is first.
  if (ahead + behind === 0) return otherEur;
  // Dearer than all others the offer is one end of the range itself, and cheaper than all the other one. The differences
  // are never positive for an other that is at that end, so a tie that no cost ends begins at the bound.
  const above = (ahead + behind) * (otherEur - min) - 2 * behind * (max - min);
  if (above > 0) return max + above / (2 * behind);
  const below = (ahead + behind) * (max - otherEur) - 2 * ahead * (max - min);
  if (below > 0) return min - below / (2 * ahead);
  return otherEur + ((ahead - behind) * (max - min)) / (ahead + behind);
}
