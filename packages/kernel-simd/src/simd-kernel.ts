import {
  type BestByLine,
  blockAt,
  conclude,
  createPlainKernel,
  type Edge,
  groupsFor,
  type KernelAnswer,
  type KernelBlock,
  type KernelTask,
  type Passes,
  type RankingKernel,
  type ScoreLines,
  startsOf,
  TERM,
  thresholdOf,
} from '@tarifario/core';
import { type Arena, createArena, MAX_GROUPS } from './arena.ts';
import { COLUMN_BYTES, DEMAND_INTEGERS, FOUND, padded, USED, USED_BYTES } from './layout.ts';

/** Fewer offers than this are ranked sooner by the plain kernel. */
const FEWEST_ROWS = 256;
/** Memory for the numbers of offers, unless told otherwise: those of some 300 000 offers. */
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
 * asks itself for a few offers, and for more than its memory holds.
 */
export function createSimdKernel({ maxBytes = DEFAULT_MAX_BYTES }: SimdKernelOptions = {}): SimdKernel | null {
  const arena = createArena(maxBytes);
  if (!arena) return null;
  const plain = createPlainKernel();
  return {
    rank(task) {
      const rows = task.blocks.reduce((sum, { mask }) => sum + mask.length, 0);
      const isSmall = rows < FEWEST_ROWS || groupsFor(task.limit) > MAX_GROUPS;
      const count = isSmall ? null : arena.place(task.blocks);
      return count === null ? plain.rank(task) : rankInWasm(arena, task, count);
    },
    memoryBytes: () => arena.memory.buffer.byteLength,
  };
}

function rankInWasm(arena: Arena, task: KernelTask, count: number): KernelAnswer {
  const { exports, fixed } = arena;
  const room = arena.room();
  const { doubles, integers } = arena.views();
  writeDemand(arena, task);
  const { blocks, costs, commissions } = room;
  exports.price(blocks, task.blocks.length, fixed.demand, fixed.found, costs, commissions);
  const at = fixed.found >> 2;
  const rankedCount = integers[at + FOUND.candidates] ?? 0;
  const excludedCount = (integers[at + FOUND.passing] ?? 0) - rankedCount;
  const passes = rankedCount > 0 ? passesOver(arena, task, { count, doubles, integers }) : null;
  return { rankedCount, excludedCount, ...conclude(task, passes) };
}

/** The customer as the module reads it: nine doubles, six integers, and the columns that are used. */
function writeDemand(arena: Arena, { demand, neededPrices, withCommissions }: KernelTask): void {
  const { doubles, integers } = arena.views();
  const address = arena.fixed.demand;
  const { customer, period } = demand;
  const electric = customer.supplyType === 'LUZ' ? customer : null;
  const at = address >> 3;
  doubles[at] = period.days;
  doubles[at + 1] = period.months;
  doubles[at + 2] = demand.energyFeeEur;
  doubles[at + 3] = demand.powerFeeEur;
  doubles[at + 4] = electric?.exportedKwh ?? 0;
  doubles[at + 5] = demand.annualMwh;
  doubles[at + 6] = demand.highestPowerKw ?? 0;
  doubles[at + 7] = demand.energyFeeEurPerYear;
  doubles[at + 8] = demand.powerFeeEurPerYear;
  let used = USED;
  const use = (quantity: number, term: number) => {
    if (quantity === 0) return;
    integers[(address + used) >> 2] = term * COLUMN_BYTES;
    doubles[(address + used + 8) >> 3] = quantity;
    used += USED_BYTES;
  };
  if (customer.supplyType === 'GAS') use(customer.consumptionKwh, TERM.energy);
  electric?.consumptionKwh.forEach((quantity, i) => {
    use(quantity, TERM.energy + i);
  });
  const whole = address >> 2;
  integers[whole + DEMAND_INTEGERS.energyEnd] = used;
  electric?.powerKw.forEach((quantity, i) => {
    use(quantity, TERM.power + i);
  });
  integers[whole + DEMAND_INTEGERS.powerEnd] = used;
  integers[whole + DEMAND_INTEGERS.hasRest] = electric?.exportedKwh === 0 ? 0 : 1;
  integers[whole + DEMAND_INTEGERS.needed] = neededPrices;
  integers[whole + DEMAND_INTEGERS.commissions] = withCommissions ? 1 : 0;
}

interface Priced {
  /** Rows in whole groups. */
  readonly count: number;
  readonly doubles: Float64Array;
  readonly integers: Int32Array;
}

const NONE = new Float64Array(0);

function passesOver(arena: Arena, task: KernelTask, { count, doubles, integers }: Priced): Passes {
  const { exports, fixed } = arena;
  const room = arena.room();
  const { withCommissions } = task;
  const found = fixed.found >> 3;
  const [minCost = 0, maxCost = 0, minPaid = 0, maxPaid = 0] = doubles.subarray(found, found + 4);
  // Without commissions any finite column does in their place: its weight is 0.
  const commissions = withCommissions ? room.commissions : room.costs;
  const columnAt = (address: number) => doubles.subarray(address >> 3, (address >> 3) + count);
  const keptUpTo = (kept: number) => integers.subarray(room.kept >> 2, (room.kept >> 2) + kept);
  return {
    costMicros: columnAt(room.costs),
    commissionMicros: withCommissions ? columnAt(room.commissions) : NONE,
    minCost,
    maxCost,
    minCommission: withCommissions ? minPaid : 0,
    maxCommission: withCommissions ? maxPaid : 0,
    cheapest: exports.indexOf(room.costs, count, minCost),
    bestPaid: withCommissions ? exports.indexOf(room.commissions, count, maxPaid) : 0,
    rowOf: rowFinder(task.blocks),
    best(asked) {
      const groups = groupsFor(asked.limit);
      writeLines(doubles, fixed.lines >> 3, asked);
      exports.highestLines(room.costs, commissions, count, fixed.highest, groups, fixed.lines);
      const highest = doubles.subarray(fixed.highest >> 3, (fixed.highest >> 3) + groups);
      const threshold = thresholdOf(highest, asked);
      return keptUpTo(exports.reaching(room.costs, commissions, count, threshold, fixed.lines, room.kept));
    },
    reaching(lines, edge) {
      writeEdge(doubles, fixed.edge >> 3, { lines, edge });
      return keptUpTo(exports.reachingEdge(room.costs, room.commissions, count, fixed.edge, room.kept));
    },
  };
}

function writeLines(doubles: Float64Array, at: number, asked: BestByLine): void {
  const { weight, price, commission } = asked;
  doubles[at] = asked.maxCost;
  doubles[at + 1] = asked.minCommission;
  doubles[at + 2] = weight * price.perMicro;
  doubles[at + 3] = (1 - weight) * commission.perMicro;
}

function writeEdge(
  doubles: Float64Array,
  at: number,
  { lines, edge }: { readonly lines: ScoreLines; readonly edge: Edge },
): void {
  doubles[at] = lines.maxCost;
  doubles[at + 1] = lines.minCommission;
  doubles[at + 2] = edge.leastPaid;
  doubles[at + 3] = edge.savedWithThat;
  doubles[at + 4] = edge.leastSaved;
  doubles[at + 5] = edge.paidWithThat;
  edge.inner.forEach(({ perSaved, perPaid, height }, index) => {
    doubles[at + 6 + 3 * index] = perSaved;
    doubles[at + 7 + 3 * index] = perPaid;
    doubles[at + 8 + 3 * index] = height;
  });
}

/**
 * The row of a candidate. Each block begins with a group of its own, so there are gaps after blocks that do not end
 * with one.
 */
function rowFinder(blocks: readonly KernelBlock[]): (candidate: number) => number {
  const groups = startsOf(blocks, ({ mask }) => padded(mask.length));
  const rows = startsOf(blocks, ({ mask }) => mask.length);
  return (candidate) => {
    const index = blockAt(groups, candidate);
    return (rows[index] ?? 0) + candidate - (groups[index] ?? 0);
  };
}
