// The order of ranked rows, and what depends on all of them: ranges, frontier, winners.
import { assert } from '../errors.ts';
import type { CalculationPeriod } from '../price/customer.ts';
import {
  type Conflict,
  type Contender,
  compareStandings,
  compareTied,
  conflictOf,
  contenderOf,
  frontierOf,
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
 * and commission are known.
 *
 * A row that beats another scores no less at any weight and wins a tie. So it comes before the other.
 */
export function orderOf(
  figures: OrderedFigures,
  count: number,
  { weight: requested, tolerance, limit, period, seesCommissions, withWinners }: OrderQuestion,
): { readonly weight: number; readonly order: Order | null } {
  if (count === 0) return { weight: requested, order: null };
  const ranges = rangesOf(figures, count);
  const weight = tolerance === null ? requested : weightForTolerance(ranges, tolerance, period);
  const counted = scoreRows(figures, count, ranges, weight);
  const { highest, cheapest, undominated } = decidingRows(figures, count, counted, { limit, least: ranges.cost.min });
  const first = highest.sort(compareStandings).slice(0, limit);
  const frontier = seesCommissions ? frontierOf(undominated) : null;
  const contenders = withWinners && frontier ? frontier.map((point) => contenderOf(point, ranges)) : [];
  const bestPaid = winnerAt(contenders, 0);
  const mostEfficient = first[0] ?? cheapest;
  const conflict = bestPaid && conflictOf({ cheapest, mostEfficient, bestPaid }, { ranges, weight, period });
  const winners = winnersByWeight(contenders);
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

/** Used by one ranking after the other: none pauses while it puts its rows in order. */
const STEP_COUNTS = /* @__PURE__ */ new Int32Array(STEPS + 1);
const BEST_PAID = /* @__PURE__ */ new Float64Array(BUCKETS + 1);

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
  const steps = STEP_COUNTS.fill(0);
  const best = BEST_PAID.fill(Number.NEGATIVE_INFINITY);
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

/** Few rows among which are those that decide. */
interface Deciding {
  /** Those with the `limit` highest scores, and some more. */
  readonly highest: Placed[];
  /** The first at weight 1, where the order of ties decides. */
  readonly cheapest: Placed;
  /** Those that no cheaper one is better paid than, the whole frontier among them. */
  readonly undominated: Placed[];
}

function decidingRows(
  figures: OrderedFigures,
  count: number,
  { steps, best, bucketsAnEur }: Counted,
  { limit, least }: { readonly limit: number; readonly least: number },
): Deciding {
  const { total, paid, score } = figures;
  let [step, among] = [STEPS, steps[STEPS] as number];
  while (step > 0 && among < limit) among += steps[--step] as number;
  const highest: Placed[] = [];
  const undominated: Placed[] = [];
  let cheapest: Placed | null = null;
  for (let at = 0; at < count; at++) {
    const costEur = total[at] as number;
    if ((((score[at] as number) * STEPS_A_POINT) | 0) >= step) highest.push(placedAt(figures, at));
    // The best paid of all that are in a cheaper step.
    if ((paid[at] as number) > (best[((costEur - least) * bucketsAnEur) | 0] as number)) {
      undominated.push(placedAt(figures, at));
    }
    if (costEur !== least) continue;
    const placed = placedAt(figures, at);
    if (cheapest === null || compareTied(placed, cheapest) < 0) cheapest = placed;
  }
  assert(cheapest !== null, 'a row has the least cost');
  return { highest, cheapest, undominated };
}

/**
 * The places of some rows among all, from 1.
 *
 * @param some - In order.
 */
export function placesAmong(
  figures: OrderedFigures,
  count: number,
  some: readonly Placed[],
  compare: (a: Standing, b: Standing) => number = compareStandings,
): readonly number[] {
  // How many come before the first, and between one and the next.
  const counts = some.map(() => 0);
  for (let at = 0; at < count; at++) {
    const placed = placedAt(figures, at);
    let [low, high] = [0, some.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const one = some[middle];
      if (one && compare(one, placed) <= 0) low = middle + 1;
      else high = middle;
    }
    if (low < counts.length) counts[low] = (counts[low] ?? 0) + 1;
  }
  let place = 1;
  return counts.map((before) => {
    place += before;
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
