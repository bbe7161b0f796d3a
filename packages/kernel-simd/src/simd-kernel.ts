import {
  type BestByLine,
  commissionsOf,
  conclude,
  costsOf,
  createPlainKernel,
  type Edge,
  type End,
  eachSpan,
  fillShortlist,
  groupsFor,
  type KernelAnswer,
  type KernelBlock,
  type KernelTask,
  MICRO,
  type Passes,
  type RankingKernel,
  reachingEdge,
  type ScoreLines,
  type Shortlist,
  shortlistFor,
} from '@tarifario/core';
import { type Arena, createArena, MAX_GROUPS, paddedRows } from './arena.ts';
import { type Doubt, doubtOf, lineDoubt, type Use, type Uses, usesOf } from './doubt.ts';
import { COLUMN_BYTES, DEMAND, DEMAND_INTEGERS, FEWEST_GROUPS, FOUND, padded, USED, USED_BYTES } from './layout.ts';

/** Fewer offers than this are ranked sooner by the plain kernel. */
const FEWEST_ROWS = 256;
/** Memory for the numbers of offers, unless told otherwise: those of some 600 000 offers. */
const DEFAULT_MAX_BYTES = 64 * 2 ** 20;

export interface SimdKernelOptions {
  /** Bytes for the numbers of offers, at most; what was ranked longest ago makes room. */
  readonly maxBytes?: number;
}

export interface SimdKernel extends RankingKernel {
  /** What it holds of WebAssembly memory: it grows towards a bound, and never shrinks. */
  readonly memoryBytes: () => number;
}

/**
 * The kernel in 128-bit SIMD, or `null` where WebAssembly has none. It answers bit by bit as the plain one, which it
 * asks itself for a few offers, for more than its memory holds, and for numbers that 32 bits cannot hold.
 */
export function createSimdKernel({ maxBytes = DEFAULT_MAX_BYTES }: SimdKernelOptions = {}): SimdKernel | null {
  const arena = createArena(maxBytes);
  if (!arena) return null;
  const plain = createPlainKernel();
  const listFor = keptShortlist();
  return {
    rank(task) {
      let rows = 0;
      for (const { mask } of task.blocks) rows += mask.length;
      const isSmall = rows < FEWEST_ROWS || groupsFor(task.limit) > MAX_GROUPS;
      const placed = isSmall ? null : arena.place(task.blocks);
      if (!placed) return plain.rank(task);
      const uses = usesOf(task.demand);
      const doubt = doubtOf(task, placed, uses);
      return doubt ? rankInWasm({ arena, task, doubt, listFor }, uses) : plain.rank(task);
    },
    memoryBytes: () => arena.memory.buffer.byteLength,
  };
}

/** One list that grows when a longer one is asked for. */
function keptShortlist(): (count: number) => Shortlist {
  let list = shortlistFor(1024);
  return (count) => {
    if (list.rows.length < count) list = shortlistFor(2 * count);
    list.count = count;
    return list;
  };
}

/** One ranking. */
interface Run {
  readonly arena: Arena;
  readonly task: KernelTask;
  readonly doubt: Doubt;
  readonly listFor: (count: number) => Shortlist;
}

function rankInWasm(run: Run, uses: Uses): KernelAnswer {
  const { arena, task } = run;
  const { exports, fixed } = arena;
  const { blocks, costs, commissions } = arena.room();
  writeDemand(arena, task, uses);
  exports.price(blocks, task.blocks.length, fixed.demand, fixed.found, costs, commissions);
  const { integers } = arena.views();
  const at = fixed.found >> 2;
  const rankedCount = integers[at + FOUND.candidates] ?? 0;
  const excludedCount = (integers[at + FOUND.passing] ?? 0) - rankedCount;
  return { rankedCount, excludedCount, ...conclude(task, rankedCount > 0 ? passesOver(run) : null) };
}

/** The customer as the module reads it. */
function writeDemand(arena: Arena, { demand, neededPrices, withCommissions }: KernelTask, uses: Uses): void {
  const { floats, integers } = arena.views();
  const at = arena.fixed.demand >> 2;
  floats[at + DEMAND.exportedKwh] = uses.exportedKwh;
  floats[at + DEMAND.fees] = demand.energyFeeEur + demand.powerFeeEur;
  floats[at + DEMAND.annualMwh] = demand.annualMwh;
  floats[at + DEMAND.powerKw] = demand.highestPowerKw ?? 0;
  floats[at + DEMAND.feesPerYear] = demand.energyFeeEurPerYear + demand.powerFeeEurPerYear;
  let used = USED;
  const write = ({ term, quantity }: Use) => {
    integers[at + (used >> 2)] = term * COLUMN_BYTES;
    floats[at + (used >> 2) + 1] = quantity;
    used += USED_BYTES;
  };
  uses.energy.forEach(write);
  integers[at + DEMAND_INTEGERS.energyEnd] = used;
  uses.rest.forEach(write);
  integers[at + DEMAND_INTEGERS.usedEnd] = used;
  integers[at + DEMAND_INTEGERS.exports] = uses.exportedKwh === 0 ? 0 : 1;
  integers[at + DEMAND_INTEGERS.needed] = neededPrices;
  integers[at + DEMAND_INTEGERS.commissions] = withCommissions ? 1 : 0;
}

/** What the filter leaves, with the figures of the definition. */
function passesOver(run: Run): Passes {
  const { arena, task, doubt } = run;
  const { exports, fixed } = arena;
  const room = arena.room();
  const { floats } = arena.views();
  const count = paddedRows(task.blocks);
  // Without commissions any finite column does in their place: its weight is 0.
  const commissions = task.withCommissions ? room.commissions : room.costs;
  const cost = endsOf(run, 'costMicros');
  const paid = task.withCommissions ? endsOf(run, 'commissionMicros') : null;
  return {
    minCost: cost.min,
    maxCost: cost.max,
    minCommission: paid?.min ?? 0,
    maxCommission: paid?.max ?? 0,
    cheapest: cost.lowest,
    bestPaid: paid?.highest ?? cost.lowest,
    best(asked) {
      const [perCost, perCommission] = writeLines(floats, fixed.lines >> 2, asked);
      const margin = 2 * (lineDoubt(doubt, perCost, perCommission) + asked.nearness);
      const groups = Math.max(FEWEST_GROUPS, groupsFor(asked.limit));
      const { lines, highest } = fixed;
      const { limit } = asked;
      const found = exports.best(room.costs, commissions, count, lines, highest, groups, limit, margin, room.kept);
      const list = listed(run, found);
      fillShortlist(task, list);
      return list;
    },
    reaching(lines, edge) {
      writeEdge(floats, fixed.edge >> 2, { lines, edge, doubt });
      const list = listed(run, exports.reachingEdge(room.costs, room.commissions, count, fixed.edge, room.kept));
      fillShortlist(task, list);
      return narrowed(list, lines, edge);
    },
  };
}

/**
 * The rows that the module has just listed. Each block begins with a group of its own, so there are gaps after blocks
 * that do not end with one.
 */
function listed({ arena, task, listFor }: Run, count: number): Shortlist {
  const list = listFor(count);
  const { integers } = arena.views();
  const kept = arena.room().kept >> 2;
  let listedRows = 0;
  let groupStart = 0;
  let firstRow = 0;
  for (const { mask } of task.blocks) {
    const groupEnd = groupStart + padded(mask.length);
    for (; listedRows < count; listedRows++) {
      const number = integers[kept + listedRows] ?? 0;
      if (number >= groupEnd) break;
      list.rows[listedRows] = firstRow + number - groupStart;
    }
    groupStart = groupEnd;
    firstRow += mask.length;
  }
  return list;
}

/** The ends of a figure, and the first candidate at each. */
interface Ends {
  readonly min: number;
  readonly max: number;
  readonly lowest: End;
  readonly highest: End;
}

/** The ends of a figure by the definition: who is nowhere near one in 32 bits is not at it. */
function endsOf(run: Run, figure: 'costMicros' | 'commissionMicros'): Ends {
  const { arena, task, doubt } = run;
  const isCost = figure === 'costMicros';
  const at = (arena.fixed.found >> 3) + (isCost ? 0 : 2);
  const { doubles } = arena.views();
  const near = 3 * (isCost ? doubt.costEur : doubt.commissionEur);
  const low = (doubles[at] ?? 0) + near;
  const high = (doubles[at + 1] ?? 0) - near;
  const { costs, commissions, kept } = arena.room();
  const found = arena.exports.nearEnds(isCost ? costs : commissions, paddedRows(task.blocks), low, high, kept);
  const list = listed(run, found);
  const figuresOf = isCost ? costsOf : commissionsOf;
  eachSpan(task, list, (block, span) => figuresOf(block, list, span));
  const figures = list[figure];
  let [lowest, highest] = [0, 0];
  for (let i = 1; i < found; i++) {
    const value = figures[i] ?? 0;
    if (value < (figures[lowest] ?? 0)) lowest = i;
    if (value > (figures[highest] ?? 0)) highest = i;
  }
  const [min, max] = [figures[lowest] ?? 0, figures[highest] ?? 0];
  const [first = 0, last = 0] = [list.rows[lowest], list.rows[highest]];
  return { min, max, lowest: endAt(run, first), highest: endAt(run, last) };
}

function endAt({ task, listFor }: Run, row: number): End {
  const list = listFor(1);
  list.rows[0] = row;
  fillShortlist(task, list);
  return { id: list.ids[0] ?? 0, costMicros: list.costMicros[0] ?? 0, commissionMicros: list.commissionMicros[0] ?? 0 };
}

/** @returns What a EUR saved and a EUR paid are worth. */
function writeLines(floats: Float32Array, at: number, asked: BestByLine): readonly [number, number] {
  const { weight, price, commission } = asked;
  const perCost = weight * price.perMicro * MICRO;
  const perCommission = (1 - weight) * commission.perMicro * MICRO;
  floats[at] = asked.maxCost / MICRO;
  floats[at + 1] = asked.minCommission / MICRO;
  floats[at + 2] = perCost;
  floats[at + 3] = perCommission;
  return [perCost, perCommission];
}

interface EdgeInDoubt {
  readonly lines: ScoreLines;
  readonly edge: Edge;
  readonly doubt: Doubt;
}

/** The edge in euros, lowered by what the figures of the filter may be off. */
function writeEdge(floats: Float32Array, at: number, { lines, edge, doubt }: EdgeInDoubt): void {
  floats[at] = lines.maxCost / MICRO;
  floats[at + 1] = lines.minCommission / MICRO;
  floats[at + 2] = edge.leastPaid / MICRO - 2 * doubt.commissionEur;
  floats[at + 3] = edge.savedWithThat / MICRO - 2 * doubt.costEur;
  floats[at + 4] = edge.leastSaved / MICRO - 2 * doubt.costEur;
  floats[at + 5] = edge.paidWithThat / MICRO - 2 * doubt.commissionEur;
  let to = at + 6;
  for (const { perSaved, perPaid, height } of edge.inner) {
    const [perCost, perCommission] = [perSaved * MICRO, perPaid * MICRO];
    floats[to] = perCost;
    floats[to + 1] = perCommission;
    floats[to + 2] = height - lineDoubt(doubt, perCost, perCommission);
    to += 3;
  }
}

/** Those of some candidates that reach the edge with the figures of the definition. */
function narrowed(list: Shortlist, lines: ScoreLines, edge: Edge): Shortlist {
  const { rows, ids, costMicros, commissionMicros, order: kept } = list;
  const count = reachingEdge({ costMicros, commissionMicros, kept }, list.count, { ...lines, edge });
  for (let i = 0; i < count; i++) {
    const from = kept[i] ?? 0;
    rows[i] = rows[from] ?? 0;
    ids[i] = ids[from] ?? 0;
    costMicros[i] = costMicros[from] ?? 0;
    commissionMicros[i] = commissionMicros[from] ?? 0;
  }
  list.count = count;
  return list;
}
