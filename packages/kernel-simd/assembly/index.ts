// The filter of the ranking kernel in 128-bit SIMD: costs and commissions in 32 bits, near enough to tell who cannot
// matter. Who is left gets the figures of the definition in TypeScript. Where everything lies in memory is decided by
// `src/layout.ts`; nothing is allocated here. How far the figures here may be off is proved in decision 11: who adds an
// operation to a chain has to count again.

/** Offers that are worked on together; each column of a group is this many floats in a row. */
const GROUP_BITS: i32 = 5;
const LAST_IN_GROUP: i32 = 31;
const COLUMN_BYTES: usize = 128;
/** Prices of energy and power, fixed term, services, surplus. */
const COLUMNS: i32 = 15;
const GROUP_BYTES: usize = 1920;
const SURPLUS: usize = 14 * 128;
const LINE_GROUP_BYTES: usize = 256;
const ROW_BYTES: usize = 128;

/**
 * Turns rows of 16 doubles (the last one, the id, is left out) into columns of floats by groups of offers, and tells
 * the largest size in each column, as doubles at `bounds`.
 */
export function columnsOf(from: usize, to: usize, rows: i32, bounds: usize): void {
  for (let column = 0; column < COLUMNS; column++) {
    let largest: f64 = 0;
    for (let row = 0; row < rows; row++) {
      const value = load<f64>(from + <usize>row * ROW_BYTES + (<usize>column << 3));
      largest = max(largest, abs(value));
      const group = to + <usize>(row >> GROUP_BITS) * GROUP_BYTES + <usize>column * COLUMN_BYTES;
      store<f32>(group + (<usize>(row & LAST_IN_GROUP) << 2), <f32>value);
    }
    store<f64>(bounds + (<usize>column << 3), largest);
  }
}

/** The same for pairs of doubles: two columns. */
export function linesOf(from: usize, to: usize, rows: i32, bounds: usize): void {
  let largest: f64 = 0;
  let steepest: f64 = 0;
  for (let row = 0; row < rows; row++) {
    const fixed = load<f64>(from + (<usize>row << 4));
    const perUnit = load<f64>(from + (<usize>row << 4), 8);
    largest = max(largest, abs(fixed));
    steepest = max(steepest, abs(perUnit));
    const place = to + <usize>(row >> GROUP_BITS) * LINE_GROUP_BYTES + (<usize>(row & LAST_IN_GROUP) << 2);
    store<f32>(place, <f32>fixed);
    store<f32>(place, <f32>perUnit, COLUMN_BYTES);
  }
  store<f64>(bounds, largest);
  store<f64>(bounds, steepest, 8);
}

// The customer, at `demand`: floats, then integers; see `src/layout.ts`.
const EXPORTED: usize = 0;
const FEES: usize = 4;
const ANNUAL_MWH: usize = 8;
const POWER_KW: usize = 12;
const FEES_PER_YEAR: usize = 16;
/** Where the columns of energy end, and where all end, counted from `demand`. */
const ENERGY_END: usize = 20;
const USED_END: usize = 24;
const EXPORTS: usize = 28;
const NEEDED: usize = 32;
const WITH_COMMISSIONS: usize = 36;
// Used columns from here: offset in the group, and what to multiply it with.
const USED: usize = 40;
const USED_BYTES: usize = 8;

// A block, as integers at `block`.
const TERMS: usize = 0;
const MASK: usize = 4;
const CONSUMPTION: usize = 8;
const POWER: usize = 12;
const CARE: usize = 16;
const WANT: usize = 20;
const ROWS: usize = 24;
const BLOCK_BYTES: usize = 32;

// The ends of each lane of a group, at `box`; the lowest cost comes first.
const BOX_MAX_COST: usize = 16;
const BOX_MIN_PAID: usize = 32;
const BOX_MAX_PAID: usize = 48;
const BOX_BYTES: usize = 64;

// What is found, at `found`: four doubles, two integers.
const MIN_COST: usize = 0;
const MAX_COST: usize = 8;
const MIN_COMMISSION: usize = 16;
const MAX_COMMISSION: usize = 24;
const CANDIDATES: usize = 32;
const PASSING: usize = 36;

/** What is left of an energy cost after the surplus that the customer exports: at most all of it. */
@inline
function afterSurplus(energy: v128, terms: usize, exported: v128): v128 {
  const worth = f32x4.mul(exported, v128.load(terms, SURPLUS));
  return f32x4.sub(energy, f32x4.pmax(f32x4.splat(0), f32x4.pmin(worth, energy)));
}

@inline
function paidOf(consumption: usize, power: usize, annualMwh: v128, powerKw: v128, fees: v128): v128 {
  const energy = f32x4.relaxed_madd(v128.load(consumption, COLUMN_BYTES), annualMwh, f32x4.add(v128.load(consumption), fees));
  return f32x4.relaxed_madd(v128.load(power, COLUMN_BYTES), powerKw, f32x4.add(energy, v128.load(power)));
}

/** All bits where a row has the wanted ones. */
@inline
function passesAt(bits: v128, care: v128, want: v128): v128 {
  return i32x4.eq(v128.and(bits, care), want);
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

/**
 * Prices every row of some blocks in euros: to `costs` and `commissions`, NaN (all bits) where a row is no candidate.
 * Eight vectors of offers are worked on at once, so that a quantity is fetched once for 32 of them. The ends of each
 * lane of these go to `boxes`: lowest and highest cost, lowest and highest commission.
 */
export function price(
  blocks: usize,
  count: i32,
  demand: usize,
  found: usize,
  costs: usize,
  commissions: usize,
  boxes: usize,
): void {
  let minCost = f32x4.splat(Infinity);
  let maxCost = f32x4.splat(-Infinity);
  let minPaid = minCost;
  let maxPaid = maxCost;
  let candidates = i32x4.splat(0);
  let passing = i32x4.splat(0);
  const needed = v128.load32_splat(demand, NEEDED);
  const energyEnd = demand + <usize>load<i32>(demand, ENERGY_END);
  const usedEnd = demand + <usize>load<i32>(demand, USED_END);
  const exports = load<i32>(demand, EXPORTS);
  const withCommissions = load<i32>(demand, WITH_COMMISSIONS);
  let cost = costs;
  let commission = commissions;
  let box = boxes;
  for (let b = 0; b < count; b++) {
    const block = blocks + <usize>b * BLOCK_BYTES;
    const care = v128.load32_splat(block, CARE);
    const want = v128.load32_splat(block, WANT);
    const groups = (load<i32>(block, ROWS) + LAST_IN_GROUP) >> GROUP_BITS;
    let terms = <usize>load<i32>(block, TERMS);
    let mask = <usize>load<i32>(block, MASK);
    let consumption = <usize>load<i32>(block, CONSUMPTION);
    let power = <usize>load<i32>(block, POWER);
    for (let group = 0; group < groups; group++) {
      let a0 = f32x4.splat(0);
      let a1 = a0;
      let a2 = a0;
      let a3 = a0;
      let a4 = a0;
      let a5 = a0;
      let a6 = a0;
      let a7 = a0;
      let used = demand + USED;
      for (; used < energyEnd; used += USED_BYTES) {
        const column = terms + <usize>load<i32>(used);
        const quantity = v128.load32_splat(used, 4);
        a0 = f32x4.relaxed_madd(v128.load(column), quantity, a0);
        a1 = f32x4.relaxed_madd(v128.load(column, 16), quantity, a1);
        a2 = f32x4.relaxed_madd(v128.load(column, 32), quantity, a2);
        a3 = f32x4.relaxed_madd(v128.load(column, 48), quantity, a3);
        a4 = f32x4.relaxed_madd(v128.load(column, 64), quantity, a4);
        a5 = f32x4.relaxed_madd(v128.load(column, 80), quantity, a5);
        a6 = f32x4.relaxed_madd(v128.load(column, 96), quantity, a6);
        a7 = f32x4.relaxed_madd(v128.load(column, 112), quantity, a7);
      }
      if (exports) {
        const exported = v128.load32_splat(demand, EXPORTED);
        a0 = afterSurplus(a0, terms, exported);
        a1 = afterSurplus(a1, terms + 16, exported);
        a2 = afterSurplus(a2, terms + 32, exported);
        a3 = afterSurplus(a3, terms + 48, exported);
        a4 = afterSurplus(a4, terms + 64, exported);
        a5 = afterSurplus(a5, terms + 80, exported);
        a6 = afterSurplus(a6, terms + 96, exported);
        a7 = afterSurplus(a7, terms + 112, exported);
      }
      for (; used < usedEnd; used += USED_BYTES) {
        const column = terms + <usize>load<i32>(used);
        const quantity = v128.load32_splat(used, 4);
        a0 = f32x4.relaxed_madd(v128.load(column), quantity, a0);
        a1 = f32x4.relaxed_madd(v128.load(column, 16), quantity, a1);
        a2 = f32x4.relaxed_madd(v128.load(column, 32), quantity, a2);
        a3 = f32x4.relaxed_madd(v128.load(column, 48), quantity, a3);
        a4 = f32x4.relaxed_madd(v128.load(column, 64), quantity, a4);
        a5 = f32x4.relaxed_madd(v128.load(column, 80), quantity, a5);
        a6 = f32x4.relaxed_madd(v128.load(column, 96), quantity, a6);
        a7 = f32x4.relaxed_madd(v128.load(column, 112), quantity, a7);
      }
      terms += GROUP_BYTES;
      const fees = v128.load32_splat(demand, FEES);
      const p0 = passesAt(v128.load(mask), care, want);
      const c0 = v128.and(p0, passesAt(v128.load(mask), needed, needed));
      const k0 = v128.or(f32x4.add(a0, fees), v128.not(c0));
      v128.store(cost, k0);
      passing = i32x4.sub(passing, p0);
      candidates = i32x4.sub(candidates, c0);
      let lowest = f32x4.pmin(f32x4.splat(Infinity), k0);
      let highest = f32x4.pmax(f32x4.splat(-Infinity), k0);
      const p1 = passesAt(v128.load(mask, 16), care, want);
      const c1 = v128.and(p1, passesAt(v128.load(mask, 16), needed, needed));
      const k1 = v128.or(f32x4.add(a1, fees), v128.not(c1));
      v128.store(cost, k1, 16);
      passing = i32x4.sub(passing, p1);
      candidates = i32x4.sub(candidates, c1);
      lowest = f32x4.pmin(lowest, k1);
      highest = f32x4.pmax(highest, k1);
      const p2 = passesAt(v128.load(mask, 32), care, want);
      const c2 = v128.and(p2, passesAt(v128.load(mask, 32), needed, needed));
      const k2 = v128.or(f32x4.add(a2, fees), v128.not(c2));
      v128.store(cost, k2, 32);
      passing = i32x4.sub(passing, p2);
      candidates = i32x4.sub(candidates, c2);
      lowest = f32x4.pmin(lowest, k2);
      highest = f32x4.pmax(highest, k2);
      const p3 = passesAt(v128.load(mask, 48), care, want);
      const c3 = v128.and(p3, passesAt(v128.load(mask, 48), needed, needed));
      const k3 = v128.or(f32x4.add(a3, fees), v128.not(c3));
      v128.store(cost, k3, 48);
      passing = i32x4.sub(passing, p3);
      candidates = i32x4.sub(candidates, c3);
      lowest = f32x4.pmin(lowest, k3);
      highest = f32x4.pmax(highest, k3);
      const p4 = passesAt(v128.load(mask, 64), care, want);
      const c4 = v128.and(p4, passesAt(v128.load(mask, 64), needed, needed));
      const k4 = v128.or(f32x4.add(a4, fees), v128.not(c4));
      v128.store(cost, k4, 64);
      passing = i32x4.sub(passing, p4);
      candidates = i32x4.sub(candidates, c4);
      lowest = f32x4.pmin(lowest, k4);
      highest = f32x4.pmax(highest, k4);
      const p5 = passesAt(v128.load(mask, 80), care, want);
      const c5 = v128.and(p5, passesAt(v128.load(mask, 80), needed, needed));
      const k5 = v128.or(f32x4.add(a5, fees), v128.not(c5));
      v128.store(cost, k5, 80);
      passing = i32x4.sub(passing, p5);
      candidates = i32x4.sub(candidates, c5);
      lowest = f32x4.pmin(lowest, k5);
      highest = f32x4.pmax(highest, k5);
      const p6 = passesAt(v128.load(mask, 96), care, want);
      const c6 = v128.and(p6, passesAt(v128.load(mask, 96), needed, needed));
      const k6 = v128.or(f32x4.add(a6, fees), v128.not(c6));
      v128.store(cost, k6, 96);
      passing = i32x4.sub(passing, p6);
      candidates = i32x4.sub(candidates, c6);
      lowest = f32x4.pmin(lowest, k6);
      highest = f32x4.pmax(highest, k6);
      const p7 = passesAt(v128.load(mask, 112), care, want);
      const c7 = v128.and(p7, passesAt(v128.load(mask, 112), needed, needed));
      const k7 = v128.or(f32x4.add(a7, fees), v128.not(c7));
      v128.store(cost, k7, 112);
      passing = i32x4.sub(passing, p7);
      candidates = i32x4.sub(candidates, c7);
      lowest = f32x4.pmin(lowest, k7);
      highest = f32x4.pmax(highest, k7);
      v128.store(box, lowest);
      v128.store(box, highest, BOX_MAX_COST);
      minCost = f32x4.pmin(minCost, lowest);
      maxCost = f32x4.pmax(maxCost, highest);
      let least = f32x4.splat(0);
      let most = least;
      if (withCommissions) {
        const annualMwh = v128.load32_splat(demand, ANNUAL_MWH);
        const powerKw = v128.load32_splat(demand, POWER_KW);
        const feesPerYear = v128.load32_splat(demand, FEES_PER_YEAR);
        const q0 = v128.or(paidOf(consumption, power, annualMwh, powerKw, feesPerYear), v128.not(c0));
        v128.store(commission, q0);
        least = f32x4.pmin(f32x4.splat(Infinity), q0);
        most = f32x4.pmax(f32x4.splat(-Infinity), q0);
        const q1 = v128.or(paidOf(consumption + 16, power + 16, annualMwh, powerKw, feesPerYear), v128.not(c1));
        v128.store(commission, q1, 16);
        least = f32x4.pmin(least, q1);
        most = f32x4.pmax(most, q1);
        const q2 = v128.or(paidOf(consumption + 32, power + 32, annualMwh, powerKw, feesPerYear), v128.not(c2));
        v128.store(commission, q2, 32);
        least = f32x4.pmin(least, q2);
        most = f32x4.pmax(most, q2);
        const q3 = v128.or(paidOf(consumption + 48, power + 48, annualMwh, powerKw, feesPerYear), v128.not(c3));
        v128.store(commission, q3, 48);
        least = f32x4.pmin(least, q3);
        most = f32x4.pmax(most, q3);
        const q4 = v128.or(paidOf(consumption + 64, power + 64, annualMwh, powerKw, feesPerYear), v128.not(c4));
        v128.store(commission, q4, 64);
        least = f32x4.pmin(least, q4);
        most = f32x4.pmax(most, q4);
        const q5 = v128.or(paidOf(consumption + 80, power + 80, annualMwh, powerKw, feesPerYear), v128.not(c5));
        v128.store(commission, q5, 80);
        least = f32x4.pmin(least, q5);
        most = f32x4.pmax(most, q5);
        const q6 = v128.or(paidOf(consumption + 96, power + 96, annualMwh, powerKw, feesPerYear), v128.not(c6));
        v128.store(commission, q6, 96);
        least = f32x4.pmin(least, q6);
        most = f32x4.pmax(most, q6);
        const q7 = v128.or(paidOf(consumption + 112, power + 112, annualMwh, powerKw, feesPerYear), v128.not(c7));
        v128.store(commission, q7, 112);
        least = f32x4.pmin(least, q7);
        most = f32x4.pmax(most, q7);
        minPaid = f32x4.pmin(minPaid, least);
        maxPaid = f32x4.pmax(maxPaid, most);
        consumption += LINE_GROUP_BYTES;
        power += LINE_GROUP_BYTES;
      }
      v128.store(box, least, BOX_MIN_PAID);
      v128.store(box, most, BOX_MAX_PAID);
      box += BOX_BYTES;
      mask += COLUMN_BYTES;
      cost += COLUMN_BYTES;
      commission += COLUMN_BYTES;
    }
  }
  store<f64>(found, lowestOf(minCost), MIN_COST);
  store<f64>(found, highestOf(maxCost), MAX_COST);
  store<f64>(found, lowestOf(minPaid), MIN_COMMISSION);
  store<f64>(found, highestOf(maxPaid), MAX_COMMISSION);
  store<i32>(found, sumOf(candidates), CANDIDATES);
  store<i32>(found, sumOf(passing), PASSING);
}

function lowestOf(values: v128): f64 {
  const halves = f32x4.pmin(values, i32x4.shuffle(values, values, 2, 3, 0, 1));
  return <f64>min(f32x4.extract_lane(halves, 0), f32x4.extract_lane(halves, 1));
}

function highestOf(values: v128): f64 {
  const halves = f32x4.pmax(values, i32x4.shuffle(values, values, 2, 3, 0, 1));
  return <f64>max(f32x4.extract_lane(halves, 0), f32x4.extract_lane(halves, 1));
}

function sumOf(counts: v128): i32 {
  return (
    i32x4.extract_lane(counts, 0) +
    i32x4.extract_lane(counts, 1) +
    i32x4.extract_lane(counts, 2) +
    i32x4.extract_lane(counts, 3)
  );
}

/**
 * Lists the candidates that are near an end of either figure, and answers how many they are: `ends` are four floats,
 * up to which and from which on a cost is, then a commission.
 */
export function nearEnds(boxes: usize, groups: i32, costs: usize, commissions: usize, ends: usize, to: usize): i32 {
  const lowCost = v128.load32_splat(ends);
  const highCost = v128.load32_splat(ends, 4);
  const lowPaid = v128.load32_splat(ends, 8);
  const highPaid = v128.load32_splat(ends, 12);
  let next = to;
  for (let group = 0; group < groups; group++) {
    const box = boxes + <usize>group * BOX_BYTES;
    const cheap = f32x4.le(v128.load(box), lowCost);
    const dear = f32x4.ge(v128.load(box, BOX_MAX_COST), highCost);
    const poor = f32x4.le(v128.load(box, BOX_MIN_PAID), lowPaid);
    const rich = f32x4.ge(v128.load(box, BOX_MAX_PAID), highPaid);
    if (!v128.any_true(v128.or(v128.or(cheap, dear), v128.or(poor, rich)))) continue;
    for (let lane: usize = 0; lane < COLUMN_BYTES; lane += 16) {
      const at = <usize>group * COLUMN_BYTES + lane;
      const cost = v128.load(costs + at);
      const paid = v128.load(commissions + at);
      const atCost = v128.or(f32x4.le(cost, lowCost), f32x4.ge(cost, highCost));
      const atPaid = v128.or(f32x4.le(paid, lowPaid), f32x4.ge(paid, highPaid));
      next = listRows(i32x4.bitmask(v128.or(atCost, atPaid)), <i32>(at >> 2), next);
    }
  }
  return <i32>(next - to) >> 2;
}

/** The weighted score of an offer but for a constant; it grows with the commission and falls with the cost. */
@inline
function lineAt(cost: v128, commission: v128, perCost: v128, perCommission: v128): v128 {
  return f32x4.relaxed_madd(commission, perCommission, f32x4.mul(cost, perCost));
}

/** How often the span in which the threshold lies is halved: to less than what tells two of the best apart. */
const HALVINGS: i32 = 12;

/**
 * A line that at least `limit` of the highest lines reach, and hardly more; minus infinity when they are fewer.
 * `groups` is a multiple of 4.
 */
function reachedBy(limit: i32, highest: usize, groups: i32): f32 {
  let lowest = f32x4.splat(Infinity);
  let most = f32x4.splat(-Infinity);
  const end = highest + (<usize>groups << 2);
  for (let at = highest; at < end; at += 16) {
    const lines = v128.load(at);
    // Groups without a candidate are minus infinity, and no such span can be halved.
    const isLine = f32x4.gt(lines, f32x4.splat(-Infinity));
    lowest = f32x4.pmin(lowest, v128.bitselect(lines, f32x4.splat(Infinity), isLine));
    most = f32x4.pmax(most, lines);
  }
  let low = <f32>lowestOf(lowest);
  let high = <f32>highestOf(most);
  if (countFrom(low, highest, end) < limit) return -Infinity;
  for (let i = 0; i < HALVINGS; i++) {
    const middle: f32 = low + (high - low) * 0.5;
    if (countFrom(middle, highest, end) >= limit) low = middle;
    else high = middle;
  }
  return low;
}

function countFrom(least: f32, highest: usize, end: usize): i32 {
  const bound = f32x4.splat(least);
  let counts = i32x4.splat(0);
  for (let at = highest; at < end; at += 16) counts = i32x4.sub(counts, f32x4.ge(v128.load(at), bound));
  return sumOf(counts);
}

/**
 * Lists the candidates whose line is at most `margin` below one that `limit` of them reach, and answers how many they
 * are. `parts` is a power of two and at least 8: of each the highest line is kept at `highest`. Lines are compared
 * without what they have in common, so what a commission is worth is given as it is and what a cost is worth below 0.
 */
export function best(
  boxes: usize,
  groups: i32,
  costs: usize,
  commissions: usize,
  perCost: f32,
  perCommission: f32,
  highest: usize,
  parts: i32,
  limit: i32,
  margin: f32,
  to: usize,
): i32 {
  const costs4 = f32x4.splat(perCost);
  const pays4 = f32x4.splat(perCommission);
  const none = f32x4.splat(-Infinity);
  for (let part = 0; part < parts; part += 4) v128.store(highest + (<usize>part << 2), none);
  const end = <usize>groups * COLUMN_BYTES;
  const lastPart = (<usize>parts << 2) - 1;
  for (let at: usize = 0; at < end; at += 32) {
    const first = lineAt(v128.load(costs + at), v128.load(commissions + at), costs4, pays4);
    const second = lineAt(v128.load(costs + at, 16), v128.load(commissions + at, 16), costs4, pays4);
    const part = highest + (at & lastPart);
    v128.store(part, f32x4.pmax(v128.load(part), first));
    v128.store(part, f32x4.pmax(v128.load(part, 16), second), 16);
  }
  const least = f32x4.splat(reachedBy(limit, highest, parts) - margin);
  let next = to;
  for (let group = 0; group < groups; group++) {
    const box = boxes + <usize>group * BOX_BYTES;
    // No line in a box is higher than that of its best corner. One that is no number may hide some.
    const corner = lineAt(v128.load(box), v128.load(box, BOX_MAX_PAID), costs4, pays4);
    if (i32x4.all_true(f32x4.lt(corner, least))) continue;
    for (let lane: usize = 0; lane < COLUMN_BYTES; lane += 32) {
      const at = <usize>group * COLUMN_BYTES + lane;
      const a = f32x4.ge(lineAt(v128.load(costs + at), v128.load(commissions + at), costs4, pays4), least);
      const b = f32x4.ge(lineAt(v128.load(costs + at, 16), v128.load(commissions + at, 16), costs4, pays4), least);
      if (v128.any_true(v128.or(a, b))) {
        next = listRows(i32x4.bitmask(a) | (i32x4.bitmask(b) << 4), <i32>(at >> 2), next);
      }
    }
  }
  return <i32>(next - to) >> 2;
}

// The edge, as floats at `edge`; see `src/edge.ts`.
const LEAST_PAID: usize = 0;
const COST_WITH_THAT: usize = 4;
const MOST_COST: usize = 8;
const PAID_WITH_THAT: usize = 12;
const SLOPE: usize = 16;
const HEIGHT: usize = 20;
const SLOPE_TOO: usize = 24;
const HEIGHT_TOO: usize = 28;

/** All bits where a cost and a commission reach the edge, which no lower cost and no higher commission can miss. */
@inline
function reaches(cost: v128, paid: v128, edge: usize): v128 {
  const isBestPaid = v128.and(
    f32x4.ge(paid, v128.load32_splat(edge, LEAST_PAID)),
    f32x4.le(cost, v128.load32_splat(edge, COST_WITH_THAT)),
  );
  const isCheapest = v128.and(
    f32x4.le(cost, v128.load32_splat(edge, MOST_COST)),
    f32x4.ge(paid, v128.load32_splat(edge, PAID_WITH_THAT)),
  );
  const slope = v128.load32_splat(edge, SLOPE);
  const first = f32x4.le(cost, f32x4.relaxed_madd(paid, slope, v128.load32_splat(edge, HEIGHT)));
  const slopeToo = v128.load32_splat(edge, SLOPE_TOO);
  const second = f32x4.le(cost, f32x4.relaxed_madd(paid, slopeToo, v128.load32_splat(edge, HEIGHT_TOO)));
  return v128.or(v128.or(isBestPaid, isCheapest), v128.or(first, second));
}

/** Lists the candidates that reach the edge, and answers how many they are. */
export function reachingEdge(
  boxes: usize,
  groups: i32,
  costs: usize,
  commissions: usize,
  edge: usize,
  to: usize,
): i32 {
  let next = to;
  for (let group = 0; group < groups; group++) {
    const box = boxes + <usize>group * BOX_BYTES;
    if (!v128.any_true(reaches(v128.load(box), v128.load(box, BOX_MAX_PAID), edge))) continue;
    for (let lane: usize = 0; lane < COLUMN_BYTES; lane += 16) {
      const at = <usize>group * COLUMN_BYTES + lane;
      const bits = i32x4.bitmask(reaches(v128.load(costs + at), v128.load(commissions + at), edge));
      next = listRows(bits, <i32>(at >> 2), next);
    }
  }
  return <i32>(next - to) >> 2;
}
