import { MICRO } from '../numbers.ts';
import type { BestByLine, Figures, ScoreLines } from './best.ts';
import { contenderOf, type Edge, edgeAbove, type Ranges } from './envelope.ts';
import type { RankedColumns } from './frontier.ts';
import { type KernelAnswer, type KernelTask, type Place, TERM, TERMS_PER_ROW } from './kernel.ts';
import { blockAt, startsOf } from './rows.ts';
import { nearnessOf, rangeInEuros, scaleOf } from './scales.ts';
import { commissionScore, compareStandings, priceScore, weightedScore } from './score.ts';

/** What a kernel knows when all candidates are priced, at least one; and two ways to leave most of them out. */
export interface Passes extends Figures {
  readonly minCost: number;
  readonly maxCost: number;
  readonly minCommission: number;
  readonly maxCommission: number;
  /** A candidate that costs `minCost`, and one that pays `maxCommission`. */
  readonly cheapest: number;
  readonly bestPaid: number;
  readonly rowOf: (candidate: number) => number;
  /** The candidates that may be among the first; good until the next call. */
  readonly best: (asked: BestByLine) => Int32Array;
  /** The candidates that reach the edge; good until the next call. */
  readonly reaching: (lines: ScoreLines, edge: Edge) => Int32Array;
}

/**
 * The end of a ranking, the same for every kernel: the few candidates that can matter get the scores of the
 * definition, and are put in order.
 *
 * @param passes - `null` when nothing is ranked.
 */
export function conclude(task: KernelTask, passes: Passes | null): Omit<KernelAnswer, 'rankedCount' | 'excludedCount'> {
  if (!passes) {
    const contenders = task.withContenders ? pointsFor(0) : null;
    return { costRangeEur: null, commissionRangeEur: null, best: [], contenders };
  }
  const { minCost, maxCost, minCommission, maxCommission } = passes;
  const price = scaleOf(minCost, maxCost);
  const commission = scaleOf(minCommission, maxCommission);
  const lines = { price, commission, maxCost, minCommission, nearness: nearnessOf(price, commission) };
  const ranges = { cost: rangeInEuros(minCost, maxCost), commission: rangeInEuros(minCommission, maxCommission) };
  const idAt = idFinder(task.blocks);
  const placeAt = (candidate: number) => placeOf(task.weight, passes, { candidate, ranges, idAt });
  const kept = passes.best({ ...lines, weight: task.weight, limit: task.limit });
  const best = firstOf(kept, placeAt, task.limit);
  const answer = { costRangeEur: ranges.cost, commissionRangeEur: ranges.commission, best };
  const first = best[0];
  if (!task.withContenders || !first) return { ...answer, contenders: null };
  // Where all pay the same, or cost the same, the other figure alone tells who is at an end.
  const cheapest = price.perMicro === 0 ? passes.bestPaid : passes.cheapest;
  const bestPaid = commission.perMicro === 0 ? passes.cheapest : passes.bestPaid;
  const edge = edgeAbove(lines, {
    pivots: [first, placeAt(cheapest), placeAt(bestPaid)].map((pivot) => contenderOf(pivot, ranges)),
    costOfBestPaid: passes.costMicros[bestPaid] ?? 0,
    commissionOfCheapest: passes.commissionMicros[cheapest] ?? 0,
  });
  return { ...answer, contenders: pointsAt(passes, passes.reaching(lines, edge), idAt) };
}

/** More than this many times the limit, candidates are put in order one by one instead of all at once. */
const SORTED_PER_PLACE = 8;

/** The first `limit` of some candidates by A-18. */
function firstOf(candidates: Int32Array, place: (candidate: number) => Place, limit: number): readonly Place[] {
  if (candidates.length <= SORTED_PER_PLACE * limit) {
    return listOf(candidates, place).sort(compareStandings).slice(0, limit);
  }
  const best: Place[] = [];
  for (const candidate of candidates) insert(best, place(candidate), limit);
  return best;
}

function insert(best: Place[], place: Place, limit: number): void {
  let low = 0;
  let high = best.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = best[middle];
    if (other && compareStandings(other, place) < 0) low = middle + 1;
    else high = middle;
  }
  if (low >= limit) return;
  best.splice(low, 0, place);
  if (best.length > limit) best.pop();
}

interface Candidate {
  readonly candidate: number;
  readonly ranges: Ranges;
  readonly idAt: (row: number) => number;
}

function placeOf(weight: number, passes: Passes, { candidate, ranges, idAt }: Candidate): Place {
  const row = passes.rowOf(candidate);
  const id = idAt(row);
  const costEur = (passes.costMicros[candidate] ?? 0) / MICRO;
  const commissionEur = (passes.commissionMicros[candidate] ?? 0) / MICRO;
  const price = priceScore(costEur, ranges.cost);
  const score = weightedScore(weight, { price, commission: commissionScore(commissionEur, ranges.commission) });
  return { score, costEur, commissionEur, id, row };
}

/** Some candidates as columns, without scores. */
function pointsAt(passes: Passes, candidates: Int32Array, idAt: (row: number) => number): RankedColumns {
  const points = pointsFor(candidates.length);
  for (let i = 0; i < candidates.length; i++) {
    const candidate = candidates[i] ?? 0;
    points.ids[i] = idAt(passes.rowOf(candidate));
    points.costEur[i] = (passes.costMicros[candidate] ?? 0) / MICRO;
    points.commissionEur[i] = (passes.commissionMicros[candidate] ?? 0) / MICRO;
  }
  return points;
}

function pointsFor(count: number) {
  return {
    ids: new Float64Array(count),
    costEur: new Float64Array(count),
    commissionEur: new Float64Array(count),
    count,
  };
}

/** A list of what a function makes of each candidate: `Array.from` takes several times as long. */
function listOf(candidates: Int32Array, place: (candidate: number) => Place): Place[] {
  const places: Place[] = [];
  for (let i = 0; i < candidates.length; i++) places.push(place(candidates[i] ?? 0));
  return places;
}

/** The id of the offer in a row over all blocks. */
function idFinder(blocks: KernelTask['blocks']): (row: number) => number {
  const starts = startsOf(blocks, ({ mask }) => mask.length);
  return (row) => {
    const index = blockAt(starts, row);
    return blocks[index]?.terms[(row - (starts[index] ?? 0)) * TERMS_PER_ROW + TERM.id] ?? 0;
  };
}
