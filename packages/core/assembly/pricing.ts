// The question, and the figures of all rows: costs in 32 bits, commissions exactly. Count an operation that you add to
// a sum of costs in docs/decisions/0030-one-filter-before-the-definition.md, which proves how far a cost may be off.
// Where things lie in memory is decided by `src/ranking/filter-memory.ts`; nothing is allocated here.

/** Rows that are computed together: each column of a group has this many floats in a row. */
export const GROUP: i32 = 32;
export const GROUP_BYTES: usize = 128;
const HALF: usize = 64;
const COLUMNS: usize = 15;
const SURPLUS: usize = 14;

// The question, at `task`: addresses and integers, then doubles, then the columns that are used. `filter.ts` has the rest.
const BLOCKS: usize = 0;
const BLOCK_COUNT: usize = 4;
const NEEDED: usize = 8;
export const SEES_COMMISSIONS: usize = 12;
const ENERGY_END: usize = 28;
const USES_END: usize = 32;
const COSTS: usize = 36;
const PAID: usize = 40;
const MICROS: usize = 44;
const GROUP_EXTREMES: usize = 48;
export const RANKED: usize = 56;
const EXCLUDED: usize = 60;
const EXPORTED: usize = 72;
const ANNUAL_MWH: usize = 88;
const POWER_KW: usize = 96;
const ENERGY_FEE: usize = 104;
const POWER_FEE: usize = 112;
/** A column that is used: its number, the quantity as a float, the quantity. */
const USES: usize = 128;
const USE_BYTES: usize = 16;

// A block, as integers. Terms begin with the largest size in each column, lines with that of both columns.
const TERMS: usize = 0;
const MASK: usize = 4;
const CONSUMPTION: usize = 8;
const POWER: usize = 12;
const GROUPS: usize = 16;
const BLOCK_BYTES: usize = 32;
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

// The address of the figures of the present question.
export let groups: i32 = 0;
export let costs: usize = 0;
export let paid: usize = 0;
let micros: usize = 0;
export let groupExtremes: usize = 0;

/**
 * An upper bound for the sum of the sizes of all terms of a cost. Energy counts twice where surplus subtracts some of
 * it.
 */
export function largestCost(task: usize): f64 {
  const energyEnd = task + <usize>load<i32>(task, ENERGY_END);
  const usesEnd = task + <usize>load<i32>(task, USES_END);
  const exported = load<f64>(task, EXPORTED);
  let largest: f64 = 0;
  for (let b = 0; b < load<i32>(task, BLOCK_COUNT); b++) {
    const terms = <usize>load<i32>(blockAt(task, b), TERMS);
    let size = exported > 0 ? exported * sizeAt(terms + (SURPLUS << 3)) : 0;
    for (let use = task + USES; use < usesEnd; use += USE_BYTES) {
      const part = load<f64>(use, 8) * sizeAt(terms + (<usize>load<i32>(use) << 3));
      size += exported > 0 && use < energyEnd ? 2 * part : part;
    }
    largest = max(largest, size);
  }
  return largest;
}

export function largestCommission(task: usize): f64 {
  let largest: f64 = 0;
  for (let b = 0; b < load<i32>(task, BLOCK_COUNT); b++) {
    const consumption = <usize>load<i32>(blockAt(task, b), CONSUMPTION);
    const power = <usize>load<i32>(blockAt(task, b), POWER);
    const energySize = sizeAt(consumption) + load<f64>(task, ANNUAL_MWH) * sizeAt(consumption + 8);
    largest = max(largest, energySize + sizeAt(power) + load<f64>(task, POWER_KW) * sizeAt(power + 8));
  }
  return largest + load<f64>(task, ENERGY_FEE) + load<f64>(task, POWER_FEE);
}

/** The largest size in a column; infinite where a float could not represent it. */
function sizeAt(at: usize): f64 {
  const size = load<f64>(at);
  return size < LARGEST_TERM ? size : Infinity;
}

@inline
function blockAt(task: usize, index: i32): usize {
  return <usize>load<i32>(task, BLOCKS) + <usize>index * BLOCK_BYTES;
}

/** Costs (without fees) and commissions of all rows, NaN where a row is not ranked, and the extremes of each group. */
export function priceAll(task: usize, sees: i32): void {
  costs = load<i32>(task, COSTS);
  micros = load<i32>(task, MICROS);
  groupExtremes = load<i32>(task, GROUP_EXTREMES);
  // Without commissions any finite column may take their place, because it is multiplied by 0.
  paid = sees ? <usize>load<i32>(task, PAID) : costs;
  const needed = v128.load32_splat(task, NEEDED);
  const energyEnd = task + <usize>load<i32>(task, ENERGY_END);
  const usesEnd = task + <usize>load<i32>(task, USES_END);
  const exported = <f32>load<f64>(task, EXPORTED);
  const annualMwh = v128.load64_splat(task, ANNUAL_MWH);
  const powerKw = v128.load64_splat(task, POWER_KW);
  const energyFee = v128.load64_splat(task, ENERGY_FEE);
  const powerFee = v128.load64_splat(task, POWER_FEE);
  let ranked = i32x4.splat(0);
  let passing = i32x4.splat(0);
  let cost = costs;
  let commission = paid;
  let exact = micros;
  let extremes = groupExtremes;
  for (let b = 0; b < load<i32>(task, BLOCK_COUNT); b++) {
    const block = blockAt(task, b);
    const count = load<i32>(block, GROUPS);
    const column = <usize>count << 8;
    let terms = <usize>load<i32>(block, TERMS) + TERMS_HEAD;
    let mask = <usize>load<i32>(block, MASK);
    let consumption = <usize>load<i32>(block, CONSUMPTION) + LINES_HEAD;
    let power = <usize>load<i32>(block, POWER) + LINES_HEAD;
    for (let group = 0; group < count; group++) {
      priceHalf(task + USES, energyEnd, usesEnd, exported, terms, cost);
      priceHalf(task + USES, energyEnd, usesEnd, exported, terms + HALF, cost + HALF);
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
  groups = <i32>((cost - costs) / GROUP_BYTES);
  store<i32>(task, sumOf(ranked), RANKED);
  store<i32>(task, sumOf(passing) - sumOf(ranked), EXCLUDED);
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
