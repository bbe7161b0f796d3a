import {
  conclude,
  createPlainKernel,
  endsOf,
  fillShortlist,
  groupsFor,
  type KernelAnswer,
  type KernelTask,
  MICRO,
  narrowed,
  type Passes,
  type RankingKernel,
  type Shortlist,
  shortlistFor,
} from '@tarifario/core';
import { type Arena, createArena, MAX_PARTS, paddedRows } from './arena.ts';
import { type Uses, usesOf, writeDemand } from './demand.ts';
import { type Doubt, doubtOf, lineDoubt } from './doubt.ts';
import { writeEdge } from './edge.ts';
import { FEWEST_PARTS, FOUND, GROUP, padded } from './layout.ts';

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
      const isSmall = rows < FEWEST_ROWS || groupsFor(task.limit) > MAX_PARTS;
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
  const { blocks, costs, commissions, boxes } = arena.room();
  writeDemand(arena, task, uses);
  exports.price(blocks, task.blocks.length, fixed.demand, fixed.found, costs, commissions, boxes);
  const { integers } = arena.views();
  const at = fixed.found >> 2;
  const rankedCount = integers[at + FOUND.candidates] ?? 0;
  const excludedCount = (integers[at + FOUND.passing] ?? 0) - rankedCount;
  return { rankedCount, excludedCount, ...conclude(task, rankedCount > 0 ? passesOver(run) : null) };
}

/** What the filter leaves, with the figures of the definition. */
function passesOver(run: Run): Passes {
  const { arena, task, doubt } = run;
  const { exports, fixed } = arena;
  const { boxes, costs, kept, ...room } = arena.room();
  const groups = paddedRows(task.blocks) / GROUP;
  // Without commissions any finite column does in their place: its weight is 0.
  const commissions = task.withCommissions ? room.commissions : costs;
  writeEnds(run);
  return {
    ...endsOf(listed(run, exports.nearEnds(boxes, groups, costs, commissions, fixed.ends, kept))),
    best({ weight, price, commission, limit, nearness }) {
      const perCost = weight * price.perMicro * MICRO;
      const perCommission = (1 - weight) * commission.perMicro * MICRO;
      const margin = 2 * (lineDoubt(doubt, perCost, perCommission) + nearness);
      const parts = Math.max(FEWEST_PARTS, groupsFor(limit));
      const columns = [boxes, groups, costs, commissions] as const;
      return listed(run, exports.best(...columns, -perCost, perCommission, fixed.highest, parts, limit, margin, kept));
    },
    reaching(lines, edge) {
      writeEdge(arena.views().floats, fixed.edge >> 2, { lines, edge, doubt });
      const count = exports.reachingEdge(boxes, groups, costs, commissions, fixed.edge, kept);
      return narrowed(listed(run, count), lines, edge);
    },
  };
}

/** Up to where and from where on a figure is near an end: who is nowhere near in 32 bits is not at it. */
function writeEnds({ arena, task, doubt }: Run): void {
  const { doubles, floats } = arena.views();
  const found = arena.fixed.found >> 3;
  const at = arena.fixed.ends >> 2;
  floats[at] = (doubles[found] ?? 0) + 3 * doubt.costEur;
  floats[at + 1] = (doubles[found + 1] ?? 0) - 3 * doubt.costEur;
  const { withCommissions } = task;
  floats[at + 2] = withCommissions ? (doubles[found + 2] ?? 0) + 3 * doubt.commissionEur : Number.NEGATIVE_INFINITY;
  floats[at + 3] = withCommissions ? (doubles[found + 3] ?? 0) - 3 * doubt.commissionEur : Number.POSITIVE_INFINITY;
}

/**
 * The rows that the module has just listed, with the figures of the definition. Each block begins with a group of its
 * own, so there are gaps after blocks that do not end with one.
 */
function listed({ arena, task, listFor }: Run, count: number): Shortlist {
  const list = listFor(count);
  const { rows } = list;
  const { integers } = arena.views();
  const kept = arena.room().kept >> 2;
  let i = 0;
  let groupStart = 0;
  let firstRow = 0;
  for (const { mask } of task.blocks) {
    const groupEnd = groupStart + padded(mask.length);
    const shift = firstRow - groupStart;
    for (; i < count; i++) {
      const number = integers[kept + i] ?? 0;
      if (number >= groupEnd) break;
      rows[i] = number + shift;
    }
    if (i === count) break;
    groupStart = groupEnd;
    firstRow += mask.length;
  }
  fillShortlist(task, list);
  return list;
}
