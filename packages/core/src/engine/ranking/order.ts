// The order of ranked rows, and what depends on all of them: ranges, frontier, winners.
import type { CalculationPeriod } from '../cost/customer.ts';
import type { Figures } from '../cost/rule.ts';
import { assert } from '../errors.ts';
import { type Conflict, conflictOf, weightForTolerance } from './conflict.ts';
import { type Contender, contenderOf, frontierOf, winnerAt, winnersByWeight } from './frontier.ts';
import type { Question } from './question.ts';
import type { WinnerSegment } from './ranking.ts';
import {
  compareStandings,
  compareTied,
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
