import { MICRO } from '../numbers.ts';
import type { BestByLine, ScoreLines } from './best.ts';
import { contenderOf, type Edge, edgeAbove, type Ranges } from './envelope.ts';
import type { RankedColumns } from './frontier.ts';
import type { KernelAnswer, KernelTask, Place } from './kernel.ts';
import { nearnessOf, rangeInEuros, scaleOf } from './scales.ts';
import { commissionScore, compareTied, priceScore, type Standing, weightedScore } from './score.ts';
import type { Shortlist } from './shortlist.ts';

/** A candidate by its figures, whole millionths of a euro. */
export interface End {
  readonly id: number;
  readonly costMicros: number;
  readonly commissionMicros: number;
}

/** What a kernel knows of its candidates, at least one; and two ways to leave most of them out. */
export interface Passes {
  readonly minCost: number;
  readonly maxCost: number;
  readonly minCommission: number;
  readonly maxCommission: number;
  /** The first candidate that costs `minCost`, and the first that pays `maxCommission`. */
  readonly cheapest: End;
  readonly bestPaid: End;
  /** The candidates that may be among the first, rows ascending; good until the next call. */
  readonly best: (asked: BestByLine) => Shortlist;
  /** The candidates that reach the edge, rows ascending; good until the next call. */
  readonly reaching: (lines: ScoreLines, edge: Edge) => Shortlist;
}

/**
 * The end of a ranking, the same for every kernel: the few candidates that can matter get the scores of the
 * definition, and are put in order.
 *
 * @param passes - `null` when nothing is ranked.
 */
export function conclude(task: KernelTask, passes: Passes | null): Omit<KernelAnswer, 'rankedCount' | 'excludedCount'> {
  if (!passes) {
    const contenders = task.withContenders ? NO_POINTS : null;
    return { costRangeEur: null, commissionRangeEur: null, best: [], contenders };
  }
  const { minCost, maxCost, minCommission, maxCommission } = passes;
  const price = scaleOf(minCost, maxCost);
  const commission = scaleOf(minCommission, maxCommission);
  const nearness = nearnessOf(price, commission);
  const { weight, limit } = task;
  const ranges = { cost: rangeInEuros(minCost, maxCost), commission: rangeInEuros(minCommission, maxCommission) };
  const lines = { price, commission, maxCost, minCommission, nearness, weight, limit };
  const best = firstOf(passes.best(lines), { ranges, weight, limit });
  const answer = { costRangeEur: ranges.cost, commissionRangeEur: ranges.commission, best };
  const first = best[0];
  if (!task.withContenders || !first) return { ...answer, contenders: null };
  // Where all pay the same, or cost the same, the other figure alone tells who is at an end.
  const cheapest = price.perMicro === 0 ? passes.bestPaid : passes.cheapest;
  const bestPaid = commission.perMicro === 0 ? passes.cheapest : passes.bestPaid;
  const edge = edgeAbove(lines, {
    pivots: [contenderOf(first, ranges), pivotOf(cheapest, ranges), pivotOf(bestPaid, ranges)],
    costOfBestPaid: bestPaid.costMicros,
    commissionOfCheapest: cheapest.commissionMicros,
  });
  return { ...answer, contenders: pointsOf(passes.reaching(lines, edge)) };
}

function pivotOf({ id, costMicros, commissionMicros }: End, ranges: Ranges) {
  return contenderOf({ costEur: costMicros / MICRO, commissionEur: commissionMicros / MICRO, id }, ranges);
}

interface Asked {
  readonly ranges: Ranges;
  readonly weight: number;
  readonly limit: number;
}

/** The first `limit` of some candidates by A-18. */
function firstOf(list: Shortlist, asked: Asked): readonly Place[] {
  scoreAll(list, asked);
  const found = putInOrder(list, asked.limit);
  const { rows, scores, order } = list;
  const best: Place[] = [];
  for (let place = 0; place < found; place++) {
    const i = order[place] ?? 0;
    const { costEur, commissionEur, id } = figuresAt(list, i);
    best.push({ score: scores[place] ?? 0, costEur, commissionEur, id, row: rows[i] ?? 0 });
  }
  return best;
}

/** A candidate as it is told and compared, in euros. */
function figuresAt({ ids, costMicros, commissionMicros }: Shortlist, i: number): Omit<Standing, 'score'> {
  return {
    costEur: (costMicros[i] ?? 0) / MICRO,
    commissionEur: (commissionMicros[i] ?? 0) / MICRO,
    id: ids[i] ?? 0,
  };
}

/** In a loop of its own, because its divisions take turns in the processor as long as no order depends on them. */
function scoreAll({ count, costMicros, commissionMicros, scores }: Shortlist, { ranges, weight }: Asked): void {
  const { cost, commission } = ranges;
  for (let candidate = 0; candidate < count; candidate++) {
    const price = priceScore((costMicros[candidate] ?? 0) / MICRO, cost);
    const paid = commissionScore((commissionMicros[candidate] ?? 0) / MICRO, commission);
    scores[candidate] = weightedScore(weight, { price, commission: paid });
  }
}

/**
 * Puts the first `limit` into `order` and their scores beside them, one candidate after the other, and answers how many
 * they are. Hardly more than `limit` are left, so pushing aside is faster than sorting with a function that compares.
 */
function putInOrder(list: Shortlist, limit: number): number {
  const { count, scores, order } = list;
  let found = 0;
  for (let i = 0; i < count; i++) {
    // Those put in order stand before it, so its own score is not yet written over.
    const score = scores[i] ?? 0;
    let place = found;
    if (place === limit) {
      const last = scores[place - 1] ?? 0;
      if (last > score || (last === score && isBefore(list, order[place - 1] ?? 0, i))) continue;
      place--;
    } else {
      found++;
    }
    while (place > 0) {
      const ahead = scores[place - 1] ?? 0;
      if (ahead > score || (ahead === score && isBefore(list, order[place - 1] ?? 0, i))) break;
      scores[place] = ahead;
      order[place] = order[place - 1] ?? 0;
      place--;
    }
    scores[place] = score;
    order[place] = i;
  }
  return found;
}

/** Whether the first of two candidates with the same score comes first. */
function isBefore(list: Shortlist, first: number, second: number): boolean {
  return compareTied(figuresAt(list, first), figuresAt(list, second)) < 0;
}

/** Some candidates as columns of their own, without scores. */
function pointsOf(list: Shortlist): RankedColumns {
  const { count } = list;
  const points: Record<'ids' | 'costEur' | 'commissionEur', number[]> = { ids: [], costEur: [], commissionEur: [] };
  for (let point = 0; point < count; point++) {
    const { costEur, commissionEur, id } = figuresAt(list, point);
    points.ids.push(id);
    points.costEur.push(costEur);
    points.commissionEur.push(commissionEur);
  }
  return { ...points, count };
}

const NO_POINTS: RankedColumns = { ids: [], costEur: [], commissionEur: [], count: 0 };
