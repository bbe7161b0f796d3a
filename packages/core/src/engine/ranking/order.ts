// The order of ranked rows, and what depends on all of them: ranges, frontier, winners.
import type { CalculationPeriod } from '../cost/customer.ts';
import type { Figures } from '../cost/rule.ts';
import { type Conflict, conflictOf, weightForTolerance } from './conflict.ts';
import { type Contender, contenderOf, frontierOf, winnerAt, winnersByWeight } from './frontier.ts';
import type { Question } from './question.ts';
import type { WinnerSegment } from './ranking.ts';
import {
  compareStandings,
  compareTied,
  type Range,
  type Ranges,
  type RankedFigures,
  type Standing,
  scoreAt,
  shareOf,
} from './score.ts';

/** The figures that decide the order of a row, and their place. */
export interface Placed extends Standing {
  readonly at: number;
}

/** The figures that an order needs. */
export type OrderedFigures = Pick<Figures, 'ids' | 'total' | 'paid' | 'score'>;

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
  const ranges = { cost: rangeOf(figures.total, count), commission: rangeOf(figures.paid, count) };
  const weight = tolerance === null ? requested : weightForTolerance(ranges, tolerance, period);
  scoreRows(figures, count, ranges, weight);
  const cheapest = placedAt(figures, cheapestOf(figures, count, ranges.cost.min));
  const first = highestScores(figures, count, limit).sort(compareStandings).slice(0, limit);
  const frontier = seesCommissions ? frontierOf(undominated(figures, count, ranges.cost)) : null;
  const contenders = withWinners && frontier ? frontier.map((point) => contenderOf(point, ranges)) : [];
  const bestPaid = winnerAt(contenders, 0);
  const mostEfficient = first[0] ?? cheapest;
  const conflict = bestPaid && conflictOf({ cheapest, mostEfficient, bestPaid }, { ranges, weight, period });
  const winners = winnersByWeight(contenders);
  return { weight, order: { ranges, cheapest, first, frontier, mostEfficient, bestPaid, conflict, winners } };
}

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

function rangeOf(values: Float64Array, count: number): Range {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < count; at++) {
    const value = values[at] as number;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { min, max };
}

function scoreRows({ total, paid, score }: OrderedFigures, count: number, ranges: Ranges, weight: number): void {
  const { max: highest, min: lowest } = ranges.cost;
  const { max: most, min: least } = ranges.commission;
  const [costWidth, paidWidth] = [highest - lowest, most - least];
  for (let at = 0; at < count; at++) {
    const priceScore = shareOf(highest - (total[at] as number), costWidth);
    score[at] = scoreAt(weight, priceScore, shareOf((paid[at] as number) - least, paidWidth));
  }
}

/** The first at weight 1, where the order of ties decides. */
function cheapestOf(figures: OrderedFigures, count: number, least: number): number {
  let first = -1;
  for (let at = 0; at < count; at++) {
    if (figures.total[at] !== least) continue;
    if (first < 0 || compareTied(placedAt(figures, at), placedAt(figures, first)) < 0) first = at;
  }
  return first;
}

/** Steps of the score: enough that one of many rows has few. */
const STEPS = 4096;
const HIGHEST_SCORE = 10;

/** Rows that have the `limit` highest scores among them, and few others. */
function highestScores(figures: OrderedFigures, count: number, limit: number): Placed[] {
  const { score } = figures;
  const steps = new Int32Array(STEPS + 1);
  for (let at = 0; at < count; at++) {
    const step = ((score[at] as number) * (STEPS / HIGHEST_SCORE)) | 0;
    steps[step] = (steps[step] as number) + 1;
  }
  let [step, among] = [STEPS, steps[STEPS] as number];
  while (step > 0 && among < limit) among += steps[--step] as number;
  const placed: Placed[] = [];
  for (let at = 0; at < count; at++) {
    if ((((score[at] as number) * (STEPS / HIGHEST_SCORE)) | 0) >= step) placed.push(placedAt(figures, at));
  }
  return placed;
}

/** Steps of the cost, in each of which the best paid row is kept. */
const BUCKETS = 256;

/** The rows that no cheaper one is better paid than, by steps of the cost: few, and the whole frontier among them. */
function undominated(figures: OrderedFigures, count: number, { min, max }: Range): readonly Placed[] {
  const { total, paid } = figures;
  const scale = max > min ? (BUCKETS - 1) / (max - min) : 0;
  const best = new Float64Array(BUCKETS + 1).fill(Number.NEGATIVE_INFINITY);
  for (let at = 0; at < count; at++) {
    const bucket = (1 + ((total[at] as number) - min) * scale) | 0;
    if ((paid[at] as number) > (best[bucket] as number)) best[bucket] = paid[at] as number;
  }
  for (let bucket = 1; bucket <= BUCKETS; bucket++) {
    best[bucket] = Math.max(best[bucket] as number, best[bucket - 1] as number);
  }
  const left: Placed[] = [];
  for (let at = 0; at < count; at++) {
    // The best paid of all that are in a cheaper step.
    const bucket = (((total[at] as number) - min) * scale) | 0;
    if ((paid[at] as number) > (best[bucket] as number)) left.push(placedAt(figures, at));
  }
  return left;
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
