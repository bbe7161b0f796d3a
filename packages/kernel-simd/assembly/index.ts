// The ranking kernel in 128-bit SIMD. Where everything lies in memory is decided by `src/layout.ts`; nothing is
// allocated here. Every value goes through the operations of `priceOffer` and `commissionOf`, in their order.

/** Offers that are worked on together; each column of a group is this many doubles in a row. */
const GROUP: i32 = 16;
const COLUMN_BYTES: usize = 128;
/** Prices of energy and power, fixed term, services, surplus. */
const COLUMNS: i32 = 15;
const GROUP_BYTES: usize = 1920;
const FIXED: usize = 12 * 128;
const SERVICES: usize = 13 * 128;
const SURPLUS: usize = 14 * 128;
const LINE_GROUP_BYTES: usize = 256;
const ROW_BYTES: usize = 128;
const MICRO: f64 = 1e6;

/** Turns rows of 16 numbers (the last one, the id, is left out) into columns by groups of offers. */
export function columnsOf(from: usize, to: usize, rows: i32): void {
  for (let row = 0; row < rows; row++) {
    const target = to + <usize>(row >> 4) * GROUP_BYTES + <usize>(row & 15) * 8;
    const source = from + <usize>row * ROW_BYTES;
    for (let column = 0; column < COLUMNS; column++) {
      store<f64>(target + <usize>column * COLUMN_BYTES, load<f64>(source + <usize>column * 8));
    }
  }
}

/** Turns pairs of numbers into two columns by groups of offers. */
export function linesOf(from: usize, to: usize, rows: i32): void {
  for (let row = 0; row < rows; row++) {
    const target = to + <usize>(row >> 4) * LINE_GROUP_BYTES + <usize>(row & 15) * 8;
    const source = from + <usize>row * 16;
    store<f64>(target, load<f64>(source));
    store<f64>(target, load<f64>(source, 8), 128);
  }
}

// The customer, as doubles at `demand`: see `src/layout.ts`.
const DAYS: usize = 0;
const MONTHS: usize = 8;
const ENERGY_FEE: usize = 16;
const POWER_FEE: usize = 24;
const EXPORTED: usize = 32;
const ANNUAL_MWH: usize = 40;
const POWER_KW: usize = 48;
const ENERGY_FEE_PER_YEAR: usize = 56;
const POWER_FEE_PER_YEAR: usize = 64;
// Then the columns that are used: where energy ends, where power ends, whether there is a fixed term or surplus.
const ENERGY_END: usize = 72;
const POWER_END: usize = 76;
const HAS_REST: usize = 80;
const NEEDED: usize = 84;
const WITH_COMMISSIONS: usize = 88;
// Used columns from here: offset in the group, padding, quantity.
const USED: usize = 96;
const USED_BYTES: usize = 16;

// A block, as integers at `block`.
const TERMS: usize = 0;
const MASK: usize = 4;
const CONSUMPTION: usize = 8;
const POWER: usize = 12;
const CARE: usize = 16;
const WANT: usize = 20;
const ROWS: usize = 24;
const BLOCK_BYTES: usize = 32;

// What is found, at `found`: four doubles, two integers.
const MIN_COST: usize = 0;
const MAX_COST: usize = 8;
const MIN_COMMISSION: usize = 16;
const MAX_COMMISSION: usize = 24;
const CANDIDATES: usize = 32;
const PASSING: usize = 36;

@inline
function roundedMicros(value: v128): v128 {
  return f64x2.floor(f64x2.add(f64x2.mul(value, f64x2.splat(MICRO)), f64x2.splat(0.5)));
}

@inline
function paidOf(
  consumption: usize,
  power: usize,
  annualMwh: v128,
  energyFee: v128,
  powerKw: v128,
  powerFee: v128,
): v128 {
  const energy = f64x2.add(
    f64x2.add(v128.load(consumption), f64x2.mul(v128.load(consumption, COLUMN_BYTES), annualMwh)),
    energyFee,
  );
  const contracted = f64x2.add(
    f64x2.add(v128.load(power), f64x2.mul(v128.load(power, COLUMN_BYTES), powerKw)),
    powerFee,
  );
  return roundedMicros(f64x2.add(energy, contracted));
}

@inline
function totalOf(energy: v128, daily: v128, energyFee: v128, days: v128, powerFee: v128): v128 {
  return f64x2.add(f64x2.add(energy, energyFee), f64x2.add(f64x2.mul(daily, days), powerFee));
}

/** Adds what only some customers have, a fixed term and surplus, to two totals. */
function withRest(total: v128, energy: v128, terms: usize, demand: usize): v128 {
  const fixed = f64x2.mul(v128.load(terms, FIXED), v128.load64_splat(demand, MONTHS));
  const worth = f64x2.mul(v128.load64_splat(demand, EXPORTED), v128.load(terms, SURPLUS));
  const credit = f64x2.max(f64x2.splat(0), f64x2.min(worth, energy));
  return f64x2.add(f64x2.add(total, fixed), f64x2.sub(f64x2.splat(0), credit));
}

/** Writes the numbers of the rows whose bits are set. */
function listRows(bits: i32, firstRow: i32, to: usize): usize {
  let left = bits;
  let at = to;
  while (left) {
    store<i32>(at, firstRow + ctz(left));
    at += 4;
    left &= left - 1;
  }
  return at;
}

/** Stores a value, NaN (all bits) where a row is no candidate, and answers what was stored. */
@inline
function keep(to: usize, micros: v128, nan: v128): v128 {
  const kept = v128.or(micros, nan);
  v128.store(to, kept);
  return kept;
}

/**
 * Prices every row of some blocks: whole millionths of a euro to `costs` and `commissions`, NaN (all bits) where a row
 * is no candidate.
 */
export function price(blocks: usize, count: i32, demand: usize, found: usize, costs: usize, commissions: usize): void {
  let minCost = f64x2.splat(Infinity);
  let minCostToo = minCost;
  let maxCost = f64x2.splat(-Infinity);
  let maxCostToo = maxCost;
  let minPaid = f64x2.splat(Infinity);
  let minPaidToo = minPaid;
  let maxPaid = f64x2.splat(-Infinity);
  let maxPaidToo = maxPaid;
  let candidates = i32x4.splat(0);
  let passing = i32x4.splat(0);
  const needed = i32x4.splat(load<i32>(demand, NEEDED));
  const energyEnd = demand + <usize>load<i32>(demand, ENERGY_END);
  const powerEnd = demand + <usize>load<i32>(demand, POWER_END);
  const withCommissions = load<i32>(demand, WITH_COMMISSIONS);
  const hasRest = load<i32>(demand, HAS_REST);
  const days = v128.load64_splat(demand, DAYS);
  const months = v128.load64_splat(demand, MONTHS);
  const energyFee = v128.load64_splat(demand, ENERGY_FEE);
  const powerFee = v128.load64_splat(demand, POWER_FEE);
  const annualMwh = v128.load64_splat(demand, ANNUAL_MWH);
  const powerKw = v128.load64_splat(demand, POWER_KW);
  const energyFeePerYear = v128.load64_splat(demand, ENERGY_FEE_PER_YEAR);
  const powerFeePerYear = v128.load64_splat(demand, POWER_FEE_PER_YEAR);
  let cost = costs;
  let commission = commissions;
  for (let b = 0; b < count; b++) {
    const block = blocks + <usize>b * BLOCK_BYTES;
    const care = v128.load32_splat(block, CARE);
    const want = v128.load32_splat(block, WANT);
    const groups = (load<i32>(block, ROWS) + GROUP - 1) >> 4;
    let terms = <usize>load<i32>(block, TERMS);
    let mask = <usize>load<i32>(block, MASK);
    let consumption = <usize>load<i32>(block, CONSUMPTION);
    let power = <usize>load<i32>(block, POWER);
    for (let group = 0; group < groups; group++) {
      const m0 = v128.load(mask);
      const m1 = v128.load(mask, 16);
      const m2 = v128.load(mask, 32);
      const m3 = v128.load(mask, 48);
      const p0 = i32x4.eq(v128.and(m0, care), want);
      const p1 = i32x4.eq(v128.and(m1, care), want);
      const p2 = i32x4.eq(v128.and(m2, care), want);
      const p3 = i32x4.eq(v128.and(m3, care), want);
      const c0 = v128.and(p0, i32x4.eq(v128.and(m0, needed), needed));
      const c1 = v128.and(p1, i32x4.eq(v128.and(m1, needed), needed));
      const c2 = v128.and(p2, i32x4.eq(v128.and(m2, needed), needed));
      const c3 = v128.and(p3, i32x4.eq(v128.and(m3, needed), needed));
      passing = i32x4.sub(passing, i32x4.add(i32x4.add(p0, p1), i32x4.add(p2, p3)));
      candidates = i32x4.sub(candidates, i32x4.add(i32x4.add(c0, c1), i32x4.add(c2, c3)));
      // All bits set where a row is no candidate, as NaN has them.
      const n0 = v128.not(c0);
      const n1 = v128.not(c1);
      const n2 = v128.not(c2);
      const n3 = v128.not(c3);
      let e0 = f64x2.splat(0);
      let e1 = e0;
      let e2 = e0;
      let e3 = e0;
      let e4 = e0;
      let e5 = e0;
      let e6 = e0;
      let e7 = e0;
      let used = demand + USED;
      for (; used < energyEnd; used += USED_BYTES) {
        const column = terms + <usize>load<i32>(used);
        const quantity = v128.load64_splat(used, 8);
        e0 = f64x2.add(e0, f64x2.mul(quantity, v128.load(column)));
        e1 = f64x2.add(e1, f64x2.mul(quantity, v128.load(column, 16)));
        e2 = f64x2.add(e2, f64x2.mul(quantity, v128.load(column, 32)));
        e3 = f64x2.add(e3, f64x2.mul(quantity, v128.load(column, 48)));
        e4 = f64x2.add(e4, f64x2.mul(quantity, v128.load(column, 64)));
        e5 = f64x2.add(e5, f64x2.mul(quantity, v128.load(column, 80)));
        e6 = f64x2.add(e6, f64x2.mul(quantity, v128.load(column, 96)));
        e7 = f64x2.add(e7, f64x2.mul(quantity, v128.load(column, 112)));
      }
      let d0 = f64x2.splat(0);
      let d1 = d0;
      let d2 = d0;
      let d3 = d0;
      let d4 = d0;
      let d5 = d0;
      let d6 = d0;
      let d7 = d0;
      for (; used < powerEnd; used += USED_BYTES) {
        const column = terms + <usize>load<i32>(used);
        const quantity = v128.load64_splat(used, 8);
        d0 = f64x2.add(d0, f64x2.mul(quantity, v128.load(column)));
        d1 = f64x2.add(d1, f64x2.mul(quantity, v128.load(column, 16)));
        d2 = f64x2.add(d2, f64x2.mul(quantity, v128.load(column, 32)));
        d3 = f64x2.add(d3, f64x2.mul(quantity, v128.load(column, 48)));
        d4 = f64x2.add(d4, f64x2.mul(quantity, v128.load(column, 64)));
        d5 = f64x2.add(d5, f64x2.mul(quantity, v128.load(column, 80)));
        d6 = f64x2.add(d6, f64x2.mul(quantity, v128.load(column, 96)));
        d7 = f64x2.add(d7, f64x2.mul(quantity, v128.load(column, 112)));
      }
      let t0 = totalOf(e0, d0, energyFee, days, powerFee);
      let t1 = totalOf(e1, d1, energyFee, days, powerFee);
      let t2 = totalOf(e2, d2, energyFee, days, powerFee);
      let t3 = totalOf(e3, d3, energyFee, days, powerFee);
      let t4 = totalOf(e4, d4, energyFee, days, powerFee);
      let t5 = totalOf(e5, d5, energyFee, days, powerFee);
      let t6 = totalOf(e6, d6, energyFee, days, powerFee);
      let t7 = totalOf(e7, d7, energyFee, days, powerFee);
      if (hasRest) {
        t0 = withRest(t0, e0, terms, demand);
        t1 = withRest(t1, e1, terms + 16, demand);
        t2 = withRest(t2, e2, terms + 32, demand);
        t3 = withRest(t3, e3, terms + 48, demand);
        t4 = withRest(t4, e4, terms + 64, demand);
        t5 = withRest(t5, e5, terms + 80, demand);
        t6 = withRest(t6, e6, terms + 96, demand);
        t7 = withRest(t7, e7, terms + 112, demand);
      }
      const k0 = keep(cost, roundedMicros(f64x2.add(t0, f64x2.mul(v128.load(terms, SERVICES + 0), months))), i64x2.extend_low_i32x4_s(n0));
      const k1 = keep(cost + 16, roundedMicros(f64x2.add(t1, f64x2.mul(v128.load(terms, SERVICES + 16), months))), i64x2.extend_high_i32x4_s(n0));
      const k2 = keep(cost + 32, roundedMicros(f64x2.add(t2, f64x2.mul(v128.load(terms, SERVICES + 32), months))), i64x2.extend_low_i32x4_s(n1));
      const k3 = keep(cost + 48, roundedMicros(f64x2.add(t3, f64x2.mul(v128.load(terms, SERVICES + 48), months))), i64x2.extend_high_i32x4_s(n1));
      const k4 = keep(cost + 64, roundedMicros(f64x2.add(t4, f64x2.mul(v128.load(terms, SERVICES + 64), months))), i64x2.extend_low_i32x4_s(n2));
      const k5 = keep(cost + 80, roundedMicros(f64x2.add(t5, f64x2.mul(v128.load(terms, SERVICES + 80), months))), i64x2.extend_high_i32x4_s(n2));
      const k6 = keep(cost + 96, roundedMicros(f64x2.add(t6, f64x2.mul(v128.load(terms, SERVICES + 96), months))), i64x2.extend_low_i32x4_s(n3));
      const k7 = keep(cost + 112, roundedMicros(f64x2.add(t7, f64x2.mul(v128.load(terms, SERVICES + 112), months))), i64x2.extend_high_i32x4_s(n3));
      minCost = f64x2.pmin(minCost, k0);
      minCostToo = f64x2.pmin(minCostToo, k1);
      minCost = f64x2.pmin(minCost, k2);
      minCostToo = f64x2.pmin(minCostToo, k3);
      minCost = f64x2.pmin(minCost, k4);
      minCostToo = f64x2.pmin(minCostToo, k5);
      minCost = f64x2.pmin(minCost, k6);
      minCostToo = f64x2.pmin(minCostToo, k7);
      maxCost = f64x2.pmax(maxCost, k0);
      maxCostToo = f64x2.pmax(maxCostToo, k1);
      maxCost = f64x2.pmax(maxCost, k2);
      maxCostToo = f64x2.pmax(maxCostToo, k3);
      maxCost = f64x2.pmax(maxCost, k4);
      maxCostToo = f64x2.pmax(maxCostToo, k5);
      maxCost = f64x2.pmax(maxCost, k6);
      maxCostToo = f64x2.pmax(maxCostToo, k7);
      if (withCommissions) {
        const q0 = keep(commission, paidOf(consumption, power, annualMwh, energyFeePerYear, powerKw, powerFeePerYear), i64x2.extend_low_i32x4_s(n0));
        const q1 = keep(commission + 16, paidOf(consumption + 16, power + 16, annualMwh, energyFeePerYear, powerKw, powerFeePerYear), i64x2.extend_high_i32x4_s(n0));
        const q2 = keep(commission + 32, paidOf(consumption + 32, power + 32, annualMwh, energyFeePerYear, powerKw, powerFeePerYear), i64x2.extend_low_i32x4_s(n1));
        const q3 = keep(commission + 48, paidOf(consumption + 48, power + 48, annualMwh, energyFeePerYear, powerKw, powerFeePerYear), i64x2.extend_high_i32x4_s(n1));
        const q4 = keep(commission + 64, paidOf(consumption + 64, power + 64, annualMwh, energyFeePerYear, powerKw, powerFeePerYear), i64x2.extend_low_i32x4_s(n2));
        const q5 = keep(commission + 80, paidOf(consumption + 80, power + 80, annualMwh, energyFeePerYear, powerKw, powerFeePerYear), i64x2.extend_high_i32x4_s(n2));
        const q6 = keep(commission + 96, paidOf(consumption + 96, power + 96, annualMwh, energyFeePerYear, powerKw, powerFeePerYear), i64x2.extend_low_i32x4_s(n3));
        const q7 = keep(commission + 112, paidOf(consumption + 112, power + 112, annualMwh, energyFeePerYear, powerKw, powerFeePerYear), i64x2.extend_high_i32x4_s(n3));
        minPaid = f64x2.pmin(minPaid, q0);
        minPaidToo = f64x2.pmin(minPaidToo, q1);
        minPaid = f64x2.pmin(minPaid, q2);
        minPaidToo = f64x2.pmin(minPaidToo, q3);
        minPaid = f64x2.pmin(minPaid, q4);
        minPaidToo = f64x2.pmin(minPaidToo, q5);
        minPaid = f64x2.pmin(minPaid, q6);
        minPaidToo = f64x2.pmin(minPaidToo, q7);
        maxPaid = f64x2.pmax(maxPaid, q0);
        maxPaidToo = f64x2.pmax(maxPaidToo, q1);
        maxPaid = f64x2.pmax(maxPaid, q2);
        maxPaidToo = f64x2.pmax(maxPaidToo, q3);
        maxPaid = f64x2.pmax(maxPaid, q4);
        maxPaidToo = f64x2.pmax(maxPaidToo, q5);
        maxPaid = f64x2.pmax(maxPaid, q6);
        maxPaidToo = f64x2.pmax(maxPaidToo, q7);
        consumption += LINE_GROUP_BYTES;
        power += LINE_GROUP_BYTES;
      }
      terms += GROUP_BYTES;
      mask += 64;
      cost += COLUMN_BYTES;
      commission += COLUMN_BYTES;
    }
  }
  store<f64>(found, lowestOf(f64x2.pmin(minCost, minCostToo)), MIN_COST);
  store<f64>(found, highestOf(f64x2.pmax(maxCost, maxCostToo)), MAX_COST);
  store<f64>(found, lowestOf(f64x2.pmin(minPaid, minPaidToo)), MIN_COMMISSION);
  store<f64>(found, highestOf(f64x2.pmax(maxPaid, maxPaidToo)), MAX_COMMISSION);
  store<i32>(found, sumOf(candidates), CANDIDATES);
  store<i32>(found, sumOf(passing), PASSING);
}

function lowestOf(values: v128): f64 {
  return min(f64x2.extract_lane(values, 0), f64x2.extract_lane(values, 1));
}

function highestOf(values: v128): f64 {
  return max(f64x2.extract_lane(values, 0), f64x2.extract_lane(values, 1));
}

function sumOf(counts: v128): i32 {
  return (
    i32x4.extract_lane(counts, 0) +
    i32x4.extract_lane(counts, 1) +
    i32x4.extract_lane(counts, 2) +
    i32x4.extract_lane(counts, 3)
  );
}

/** The first of `count` doubles that equals a value, or `count`. */
export function indexOf(values: usize, count: i32, value: f64): i32 {
  const wanted = f64x2.splat(value);
  for (let i = 0; i < count; i += 2) {
    const hits = i64x2.bitmask(f64x2.eq(v128.load(values + (<usize>i << 3)), wanted));
    if (hits) return i + ctz(hits);
  }
  return count;
}

@inline
function lineAt(
  cost: usize,
  commission: usize,
  maxCost: v128,
  minCommission: v128,
  perCost: v128,
  perCommission: v128,
): v128 {
  return f64x2.add(
    f64x2.mul(f64x2.sub(maxCost, v128.load(cost)), perCost),
    f64x2.mul(f64x2.sub(v128.load(commission), minCommission), perCommission),
  );
}

/** The highest line of each of `groups` groups of candidates; `count` is a multiple of 16. */
export function highestLines(costs: usize, commissions: usize, count: i32, highest: usize, groups: i32, lines: usize): void {
  const maxCost = v128.load64_splat(lines);
  const minCommission = v128.load64_splat(lines, 8);
  const perCost = v128.load64_splat(lines, 16);
  const perCommission = v128.load64_splat(lines, 24);
  const none = f64x2.splat(-Infinity);
  for (let group = 0; group < groups; group += 2) v128.store(highest + (<usize>group << 3), none);
  const end = <usize>count << 3;
  const lastGroup = (<usize>groups << 3) - 1;
  for (let at: usize = 0; at < end; at += 16) {
    const line = lineAt(costs + at, commissions + at, maxCost, minCommission, perCost, perCommission);
    const group = highest + (at & lastGroup);
    v128.store(group, f64x2.pmax(v128.load(group), line));
  }
}

/** Lists the candidates whose line reaches a threshold, and answers how many they are. */
export function reaching(costs: usize, commissions: usize, count: i32, threshold: f64, lines: usize, to: usize): i32 {
  const maxCost = v128.load64_splat(lines);
  const minCommission = v128.load64_splat(lines, 8);
  const perCost = v128.load64_splat(lines, 16);
  const perCommission = v128.load64_splat(lines, 24);
  const least = f64x2.splat(threshold);
  let next = to;
  for (let i = 0; i < count; i += 4) {
    const at = <usize>i << 3;
    const first = lineAt(costs + at, commissions + at, maxCost, minCommission, perCost, perCommission);
    const second = lineAt(costs + at + 16, commissions + at + 16, maxCost, minCommission, perCost, perCommission);
    const a = f64x2.ge(first, least);
    const b = f64x2.ge(second, least);
    if (v128.any_true(v128.or(a, b))) next = listRows(i64x2.bitmask(a) | (i64x2.bitmask(b) << 2), i, next);
  }
  return <i32>(next - to) >> 2;
}

/** Lists the candidates that reach the edge, twelve doubles as `reachingEdge` of core has them. */
export function reachingEdge(costs: usize, commissions: usize, count: i32, edge: usize, to: usize): i32 {
  const maxCost = v128.load64_splat(edge);
  const minCommission = v128.load64_splat(edge, 8);
  const leastPaid = v128.load64_splat(edge, 16);
  const savedWithThat = v128.load64_splat(edge, 24);
  const leastSaved = v128.load64_splat(edge, 32);
  const paidWithThat = v128.load64_splat(edge, 40);
  const perSaved = v128.load64_splat(edge, 48);
  const perPaid = v128.load64_splat(edge, 56);
  const height = v128.load64_splat(edge, 64);
  const perSavedToo = v128.load64_splat(edge, 72);
  const perPaidToo = v128.load64_splat(edge, 80);
  const heightToo = v128.load64_splat(edge, 88);
  let next = to;
  for (let i = 0; i < count; i += 2) {
    const at = <usize>i << 3;
    const saved = f64x2.sub(maxCost, v128.load(costs + at));
    const paid = f64x2.sub(v128.load(commissions + at), minCommission);
    const atEnds = v128.or(
      v128.and(f64x2.ge(paid, leastPaid), f64x2.ge(saved, savedWithThat)),
      v128.and(f64x2.ge(saved, leastSaved), f64x2.ge(paid, paidWithThat)),
    );
    const first = f64x2.ge(f64x2.add(f64x2.mul(perSaved, saved), f64x2.mul(perPaid, paid)), height);
    const second = f64x2.ge(f64x2.add(f64x2.mul(perSavedToo, saved), f64x2.mul(perPaidToo, paid)), heightToo);
    const reaches = v128.or(atEnds, v128.or(first, second));
    if (v128.any_true(reaches)) next = listRows(i64x2.bitmask(reaches), i, next);
  }
  return <i32>(next - to) >> 2;
}
