import { bestByLine } from './best.ts';
import { conclude, type End, type Passes } from './conclude.ts';
import { reachingEdge } from './envelope.ts';
import type { KernelBlock, KernelTask, RankingKernel } from './kernel.ts';
import { leftOutOf } from './left-out.ts';
import { filterNear, type NearScratch } from './near-filter.ts';
import { commissionsOf, costsOf, fillShortlist, type Shortlist, shortlistFor } from './shortlist.ts';

/** Working memory, kept from one ranking to the next. Each column is as long as there are rows. */
interface Scratch extends NearScratch {
  /** The row over all blocks of each candidate so far. */
  readonly rows: Int32Array;
}

function scratchFor(rows: number): Scratch {
  return {
    rows: new Int32Array(rows),
    costMicros: new Float64Array(rows + 1),
    commissionMicros: new Float64Array(rows + 1),
    kept: new Int32Array(rows),
    lines: new Float64Array(rows),
    nearCost: new Int32Array(rows),
    nearPaid: new Int32Array(rows),
    list: shortlistFor(rows),
  };
}

/** Fewer rows than this are priced exactly as soon as nearly. */
const FEWEST_ROWS = 256;
/** Near figures are those of all rows, exact ones of candidates alone: with a smaller share of them these take less. */
const LEAST_SHARE = 1 / 2;

/** How a plain kernel works; the answer is the same, bit for bit. */
export interface PlainKernelOptions {
  /**
   * Whether rows are priced nearly first; unless told, where that takes less. Without, every candidate gets the figures
   * of the definition at once.
   */
  readonly near?: boolean;
}

/** The kernel in plain TypeScript: works everywhere, and is what others are measured against. */
export function createPlainKernel({ near }: PlainKernelOptions = {}): RankingKernel {
  let scratch = scratchFor(0);
  return {
    rank(task) {
      const rows = task.blocks.reduce((sum, { mask }) => sum + mask.length, 0);
      if (scratch.rows.length < rows) scratch = scratchFor(rows);
      const found = (near ?? isSoonerNear(task, rows)) ? filterNear(task, scratch) : null;
      if (found) {
        return { rankedCount: found.candidates, excludedCount: found.excluded, ...conclude(task, found.passes) };
      }
      const { candidates, excluded } = priceAll(task, scratch);
      const passes = candidates > 0 ? passesOver(task, scratch, candidates) : null;
      return { rankedCount: candidates, excludedCount: excluded, ...conclude(task, passes) };
    },
  };
}

function isSoonerNear({ blocks, neededPrices }: KernelTask, rows: number): boolean {
  if (rows < FEWEST_ROWS) return false;
  const left = blocks.reduce((sum, block) => sum + leftOutOf(block, neededPrices).rows.length, 0);
  return rows - left >= LEAST_SHARE * rows;
}

/** How many rows of the blocks so far are candidates, and how many lack a price. */
interface Found {
  readonly candidates: number;
  readonly excluded: number;
}

function priceAll({ blocks, demand, neededPrices, withCommissions }: KernelTask, scratch: Scratch): Found {
  let found: Found = { candidates: 0, excluded: 0 };
  let firstRow = 0;
  for (const block of blocks) {
    const from = found.candidates;
    found = selectRows(block, scratch, { needed: neededPrices, firstRow, found });
    const span = { demand, from, to: found.candidates, firstRow };
    costsOf(block, scratch, span);
    if (withCommissions) commissionsOf(block, scratch, span);
    else scratch.commissionMicros.fill(0, span.from, span.to);
    firstRow += block.mask.length;
  }
  return found;
}

interface Selection {
  readonly needed: number;
  readonly firstRow: number;
  readonly found: Found;
}

/** Finds the candidates among the rows that pass the filter. */
function selectRows(block: KernelBlock, scratch: Scratch, { needed, firstRow, found }: Selection): Found {
  const { mask, care, want } = block;
  const { rows } = scratch;
  let candidates = found.candidates;
  let excluded = found.excluded;
  const length = mask.length;
  for (let row = 0; row < length; row++) {
    const bits = mask[row] ?? 0;
    if ((bits & care) !== want) continue;
    if ((bits & needed) === needed) rows[candidates++] = firstRow + row;
    else excluded++;
  }
  return { candidates, excluded };
}

/** The lowest and the highest of both figures, and the candidates that are cheapest and best paid. */
function extremesOf({ costMicros, commissionMicros }: Scratch, count: number) {
  let minCost = Number.POSITIVE_INFINITY;
  let maxCost = Number.NEGATIVE_INFINITY;
  let minCommission = Number.POSITIVE_INFINITY;
  let maxCommission = Number.NEGATIVE_INFINITY;
  let cheapest = 0;
  let bestPaid = 0;
  for (let i = 0; i < count; i++) {
    const cost = costMicros[i] ?? 0;
    const commission = commissionMicros[i] ?? 0;
    if (cost < minCost) {
      minCost = cost;
      cheapest = i;
    }
    if (cost > maxCost) maxCost = cost;
    if (commission > maxCommission) {
      maxCommission = commission;
      bestPaid = i;
    }
    if (commission < minCommission) minCommission = commission;
  }
  return { minCost, maxCost, minCommission, maxCommission, cheapest, bestPaid };
}

/** The figures of all candidates, and what is told of them. */
function passesOver(task: KernelTask, scratch: Scratch, count: number): Passes {
  const { cheapest, bestPaid, ...range } = extremesOf(scratch, count);
  const { kept, list } = scratch;
  /** The candidates that were kept, side by side. */
  const listed = (keptCount: number): Shortlist => {
    for (let i = 0; i < keptCount; i++) list.rows[i] = scratch.rows[kept[i] ?? 0] ?? 0;
    list.count = keptCount;
    // Their figures are worked out again, which is less than it takes to find their blocks.
    fillShortlist(task, list);
    return list;
  };
  const endOf = (candidate: number): End => {
    kept[0] = candidate;
    const { ids, costMicros, commissionMicros } = listed(1);
    return { id: ids[0] ?? 0, costMicros: costMicros[0] ?? 0, commissionMicros: commissionMicros[0] ?? 0 };
  };
  return {
    ...range,
    cheapest: endOf(cheapest),
    bestPaid: endOf(bestPaid),
    best: (asked) => listed(bestByLine(scratch, count, asked)),
    reaching: (lines, edge) => listed(reachingEdge(scratch, count, { ...lines, edge })),
  };
}
