// The question, and the figures of all rows: costs in 32 bits, commissions exactly. Count an operation that you add to
// a sum of costs in docs/decisions/0030-a-preselection-before-the-definition.md, which proves how far a cost may be off.
// Where things lie in memory is decided by `src/ranking/preselection-memory.ts`; nothing is allocated here.

/** Rows that are computed together: each column of a group has this many floats in a row. */
export const GROUP: i32 = 32;
export const GROUP_BYTES: usize = 128;
const HALF: usize = 64;
const COLUMNS: usize = 15;
const SURPLUS: usize = 14;

/** The question, as `src/ranking/preselection.ts` writes it. */
@unmanaged
export class Task {
  weight: f64;
  exported: f64;
  fees: f64;
  annualMwh: f64;
  powerKw: f64;
  energyFee: f64;
  powerFee: f64;
  /** EUR of cost that one EUR of commission is worth; below 0 where the weight is given. */
  tolerance: f64;
  needed: i32;
  sees: i32;
  withWinners: i32;
  limit: i32;
  /** A power of two, at least 8. */
  parts: i32;
  rowCount: i32;
  blockCount: i32;
  blocks: usize;
  /** Where figures are written: 22 bytes for each row, 4 for each part, and 112. */
  figures: usize;
  /** The columns that are used, energy first: the number of the column, the quantity as a float, the quantity. */
  uses: usize;
  energyEnd: usize;
  usesEnd: usize;
  // Answers: how many rows are ranked and how many lack a price, and addresses: of the rows that can matter, and for a test
  // of the figures.
  ranked: i32;
  excluded: i32;
  rows: usize;
  costs: usize;
  micros: usize;
}

const USE_BYTES: usize = 16;

/** Terms begin with the largest size in each column, lines with that of both columns. */
@unmanaged
class Block {
  terms: usize;
  mask: usize;
  consumption: usize;
  power: usize;
  groups: i32;
}

const TERMS_HEAD: usize = 128;
const LINES_HEAD: usize = 16;

// The extremes of each lane of a group: lowest and highest cost, lowest and highest commission.
export const MAX_COST: usize = 16;
export const MIN_PAID: usize = 32;
export const MAX_PAID: usize = 48;
export const EXTREMES_BYTES: usize = 64;

/** From here on a price is not converted to a float. */
const LARGEST_TERM: f64 = 1e18;
export const MICRO: f64 = 1e6;

// The addresses of the figures of the present question.
export let groups: i32 = 0;
export let costs: usize = 0;
export let paid: usize = 0;
let micros: usize = 0;
export let groupExtremes: usize = 0;

/**
 * Upper bounds for the sum of the sizes of all terms of a cost, and of a commission. Energy counts twice where surplus
 * subtracts some of it.
 */
export let costSize: f64 = 0;
export let paidSize: f64 = 0;

export function findSizes(task: Task): void {
  costSize = paidSize = 0;
  for (let at = task.blocks; at < blocksEnd(task); at += offsetof<Block>()) {
    const block = changetype<Block>(at);
    let size = task.exported > 0 ? task.exported * sizeAt(block.terms + (SURPLUS << 3)) : 0;
    for (let use = task.uses; use < task.usesEnd; use += USE_BYTES) {
      const part = load<f64>(use, 8) * sizeAt(block.terms + (<usize>load<i32>(use) << 3));
      size += task.exported > 0 && use < task.energyEnd ? 2 * part : part;
    }
    costSize = max(costSize, size);
    if (!task.sees) continue;
    const energySize = sizeAt(block.consumption) + task.annualMwh * sizeAt(block.consumption + 8);
    const powerSize = sizeAt(block.power) + task.powerKw * sizeAt(block.power + 8);
    paidSize = max(paidSize, energySize + powerSize + task.energyFee + task.powerFee);
  }
}

/** The largest size in a column; infinite where a float could not represent it. */
function sizeAt(at: usize): f64 {
  const size = load<f64>(at);
  return size < LARGEST_TERM ? size : Infinity;
}

@inline
function blocksEnd(task: Task): usize {
  return task.blocks + <usize>task.blockCount * offsetof<Block>();
}

/** Costs (without fees) and commissions of all rows, NaN where a row is not ranked, and the extremes of each group. */
export function priceAll(task: Task): void {
  const sees = task.sees;
  const rowCount = <usize>task.rowCount;
  micros = task.figures;
  costs = micros + (rowCount << 3);
  groupExtremes = costs + (rowCount << 2);
  // Without commissions any finite column may take their place, because it is multiplied by 0.
  paid = sees ? groupExtremes + (rowCount << 1) : costs;
  task.rows = groupExtremes + (rowCount << 1) + (rowCount << 2);
  task.costs = costs;
  task.micros = micros;
  const needed = i32x4.splat(task.needed);
  const exported = <f32>task.exported;
  const annualMwh = f64x2.splat(task.annualMwh);
  const powerKw = f64x2.splat(task.powerKw);
  const energyFee = f64x2.splat(task.energyFee);
  const powerFee = f64x2.splat(task.powerFee);
  let ranked = i32x4.splat(0);
  let passing = i32x4.splat(0);
  let cost = costs;
  let commission = paid;
  let exact = micros;
  let extremes = groupExtremes;
  for (let at = task.blocks; at < blocksEnd(task); at += offsetof<Block>()) {
    const block = changetype<Block>(at);
    const count = block.groups;
    const column = <usize>count << 8;
    let terms = block.terms + TERMS_HEAD;
    let mask = block.mask;
    let consumption = block.consumption + LINES_HEAD;
    let power = block.power + LINES_HEAD;
    for (let group = 0; group < count; group++) {
      priceHalf(task.uses, task.energyEnd, task.usesEnd, exported, terms, cost);
      priceHalf(task.uses, task.energyEnd, task.usesEnd, exported, terms + HALF, cost + HALF);
      let minCost = f32x4.splat(Infinity);
      let maxCost = f32x4.splat(-Infinity);
      let minPaid = minCost;
      let maxPaid = maxCost;
      for (let lane: usize = 0; lane < GROUP_BYTES; lane += 16) {
        const bits = v128.load(mask + lane);
        const missing = i32x4.ne(v128.and(bits, needed), needed);
        passing = i32x4.sub(passing, i32x4.ne(bits, i32x4.splat(0)));
        ranked = i32x4.add(i32x4.add(ranked, missing), i32x4.splat(1));
        const figure = v128.or(v128.load(cost + lane), missing);
        v128.store(cost + lane, figure);
        minCost = f32x4.pmin(minCost, figure);
        maxCost = f32x4.pmax(maxCost, figure);
        if (sees) {
          const at = lane << 1;
          const one = paidOf(consumption + at, power + at, column, annualMwh, powerKw, energyFee, powerFee);
          const two = paidOf(consumption + at + 16, power + at + 16, column, annualMwh, powerKw, energyFee, powerFee);
          const low = v128.or(one, i64x2.extend_low_i32x4_s(missing));
          const high = v128.or(two, i64x2.extend_high_i32x4_s(missing));
          v128.store(exact + at, low);
          v128.store(exact + at, high, 16);
          const near = i64x2.shuffle(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 2);
          v128.store(commission + lane, near);
          minPaid = f32x4.pmin(minPaid, near);
          maxPaid = f32x4.pmax(maxPaid, near);
        }
      }
      v128.store(extremes, minCost);
      v128.store(extremes, maxCost, MAX_COST);
      v128.store(extremes, minPaid, MIN_PAID);
      v128.store(extremes, maxPaid, MAX_PAID);
      terms += COLUMNS * GROUP_BYTES;
      mask += GROUP_BYTES;
      consumption += <usize>GROUP << 3;
      power += <usize>GROUP << 3;
      cost += GROUP_BYTES;
      commission += GROUP_BYTES;
      exact += GROUP_BYTES << 1;
      extremes += EXTREMES_BYTES;
    }
  }
  groups = task.rowCount / GROUP;
  task.ranked = sumOf(ranked);
  task.excluded = sumOf(passing) - task.ranked;
}

/** The costs of half a group: energy, less the value of surplus, and the rest. */
@inline
function priceHalf(uses: usize, energyEnd: usize, usesEnd: usize, exported: f32, terms: usize, cost: usize): void {
  let a = f32x4.splat(0);
  let b = a;
  let c = a;
  let d = a;
  for (let use = uses; use < usesEnd; use += USE_BYTES) {
    if (use == energyEnd && exported > 0) {
      const quantity = f32x4.splat(exported);
      const surplus = terms + SURPLUS * GROUP_BYTES;
      a = afterSurplus(a, f32x4.mul(quantity, v128.load(surplus)));
      b = afterSurplus(b, f32x4.mul(quantity, v128.load(surplus, 16)));
      c = afterSurplus(c, f32x4.mul(quantity, v128.load(surplus, 32)));
      d = afterSurplus(d, f32x4.mul(quantity, v128.load(surplus, 48)));
    }
    const column = terms + <usize>load<i32>(use) * GROUP_BYTES;
    const quantity = v128.load32_splat(use, 4);
    a = f32x4.add(a, f32x4.mul(v128.load(column), quantity));
    b = f32x4.add(b, f32x4.mul(v128.load(column, 16), quantity));
    c = f32x4.add(c, f32x4.mul(v128.load(column, 32), quantity));
    d = f32x4.add(d, f32x4.mul(v128.load(column, 48), quantity));
  }
  v128.store(cost, a);
  v128.store(cost, b, 16);
  v128.store(cost, c, 32);
  v128.store(cost, d, 48);
}

@inline
function afterSurplus(energy: v128, worth: v128): v128 {
  return f32x4.sub(energy, f32x4.pmax(f32x4.splat(0), f32x4.pmin(worth, energy)));
}

/** Commissions in whole millionths: the operations of `commissionOf` in their order, without the last division. */
@inline
function paidOf(
  consumption: usize,
  power: usize,
  column: usize,
  annualMwh: v128,
  powerKw: v128,
  energyFee: v128,
  powerFee: v128,
): v128 {
  const energy = f64x2.add(v128.load(consumption), f64x2.mul(v128.load(consumption + column), annualMwh));
  const powers = f64x2.add(v128.load(power), f64x2.mul(v128.load(power + column), powerKw));
  const total = f64x2.add(f64x2.add(energy, energyFee), f64x2.add(powers, powerFee));
  return f64x2.floor(f64x2.add(f64x2.mul(total, f64x2.splat(MICRO)), f64x2.splat(0.5)));
}

export function sumOf(counts: v128): i32 {
  const halves = i32x4.add(counts, i64x2.shuffle(counts, counts, 1, 0));
  return i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1);
}

@inline
export function costOf(row: i32): f64 {
  return <f64>load<f32>(costs + (<usize>row << 2));
}

@inline
export function microsOf(row: i32): f64 {
  return load<f64>(micros + (<usize>row << 3));
}
