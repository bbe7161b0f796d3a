// The filter of a ranking: which rows can matter? Written in AssemblyScript, in 128-bit SIMD without relaxed operations.
// Costs are worked out in 32 bits, commissions exactly. What is answered is a superset: rows, and never a figure.
// docs/decisions/0030-one-filter-before-the-definition.md proves how far a cost may be off and why a row may be left
// out; an operation that is added to a sum has to be counted there. Where things lie in memory is decided by
// `src/ranking/filter-memory.ts`; nothing is allocated here.

/** Rows that are worked on together: each column of a group is this many floats in a row. */
const GROUP: i32 = 32;
const GROUP_BYTES: usize = 128;
const COLUMNS: usize = 15;
const SURPLUS: usize = 14;

// The question, at `task`: addresses and integers, then doubles, then the columns that are used.
const BLOCKS: usize = 0;
const BLOCK_COUNT: usize = 4;
const NEEDED: usize = 8;
const SEES_COMMISSIONS: usize = 12;
const WITH_WINNERS: usize = 16;
const LIMIT: usize = 20;
const PARTS: usize = 24;
const ENERGY_END: usize = 28;
const USES_END: usize = 32;
const COSTS: usize = 36;
const PAID: usize = 40;
const MICROS: usize = 44;
const GROUP_EXTREMES: usize = 48;
const ROWS: usize = 52;
const RANKED: usize = 56;
const EXCLUDED: usize = 60;
const WEIGHT: usize = 64;
const EXPORTED: usize = 72;
const FEES: usize = 80;
const ANNUAL_MWH: usize = 88;
const POWER_KW: usize = 96;
const ENERGY_FEE: usize = 104;
const POWER_FEE: usize = 112;
/** A column that is used: its number, the quantity as a float, the quantity. */
const USES: usize = 120;
const USE_BYTES: usize = 16;
const PLANES: usize = 384;
const HIGHEST: usize = 512;

// A block, as integers. Terms begin with the largest size in each column, lines with that of both columns.
const TERMS: usize = 0;
const MASK: usize = 4;
const CONSUMPTION: usize = 8;
const POWER: usize = 12;
const CARE: usize = 16;
const WANT: usize = 20;
const GROUPS: usize = 24;
const BLOCK_BYTES: usize = 32;
const TERMS_HEAD: usize = 128;
const LINES_HEAD: usize = 16;

// The extremes of each lane of a group: lowest and highest cost, lowest and highest commission.
const MAX_COST: usize = 16;
const MIN_PAID: usize = 32;
const MAX_PAID: usize = 48;
const EXTREMES_BYTES: usize = 64;

/** Half the distance from 1 to the next larger float. */
const UNIT: f64 = 1.0 / 16777216.0;
/** From here on no figure is taken for one of 32 bits, nor a commission for a whole number of millionths. */
const LARGEST_EUR: f64 = 1073741824.0;
const LARGEST_TERM: f64 = 1e18;
const MICRO: f64 = 1e6;
const HIGHEST_SCORE: f64 = 10;
/** More than rounding moves a weighted score and its line. */
const SCORE_ERROR: f64 = 1e-5;
/** How often a row is looked for between two that win: twice gives up to three. */
const DEPTH: i32 = 2;

// What is known of the question at hand.
let groups: i32 = 0;
let costs: usize = 0;
let paid: usize = 0;
let micros: usize = 0;
let groupExtremes: usize = 0;
let planesEnd: usize = 0;
/** Score per EUR and per millionth of a commission when all the weight is on it. */
let perCost: f64 = 0;
let perMicro: f64 = 0;
/** How far two scores that are compared may be off together, at any weight. */
let margin: f64 = 0;

/**
 * Lists the rows that can matter, ascending, and answers how many they are; -1 where it cannot tell, and every row may.
 * Rows are counted through in whole groups, so those of a block begin at a multiple of 32.
 */
export function candidates(task: usize): i32 {
  costs = load<i32>(task, COSTS);
  micros = load<i32>(task, MICROS);
  groupExtremes = load<i32>(task, GROUP_EXTREMES);
  const sees = load<i32>(task, SEES_COMMISSIONS);
  // Without commissions any finite column does in their place: it is multiplied by 0.
  paid = sees ? <usize>load<i32>(task, PAID) : costs;
  const costSize = largestCost(task);
  const paidSize = sees ? largestCommission(task) : 0;
  const fees = load<f64>(task, FEES);
  if (!(costSize < LARGEST_EUR && fees < LARGEST_EUR && paidSize < LARGEST_EUR)) return -1;
  priceAll(task, sees);
  const ranked = load<i32>(task, RANKED);
  const limit = load<i32>(task, LIMIT);
  if (ranked == 0) return 0;
  if (ranked <= limit) return -1;

  const error = 24 * UNIT * costSize + (costSize + fees) / 35184372088832.0 + 1e-6;
  const lowest = -extremeOf(0, -1);
  const range = extremeOf(MAX_COST, 1) - lowest;
  if (range < 64 * error) return -1;
  let leastPaid: i32 = -1;
  let bestPaid: i32 = -1;
  perCost = HIGHEST_SCORE / range;
  perMicro = 0;
  margin = 8 * error * perCost + 2 * SCORE_ERROR;
  if (sees) {
    leastPaid = rowAtExtreme(MIN_PAID, -1);
    bestPaid = rowAtExtreme(MAX_PAID, 1);
    const paidRange = microsOf(bestPaid) - microsOf(leastPaid);
    if (paidRange > 0) perMicro = HIGHEST_SCORE / paidRange;
    margin += 12 * UNIT * (paidSize * MICRO + 1) * perMicro;
  }

  const withWinners = sees && load<i32>(task, WITH_WINNERS);
  planesEnd = task + PLANES;
  addPlane(-1, 0, -(lowest + (withWinners ? margin / perCost : 3 * error)));
  addPlane(1, 0, lowest + range - 3 * error);
  const weight = load<f64>(task, WEIGHT);
  const slope = -weight * perCost;
  const paidSlope = (1 - weight) * perMicro;
  const highest = task + HIGHEST;
  const parts = load<i32>(task, PARTS);
  highestLines(<f32>slope, <f32>paidSlope, highest, parts);
  addPlane(slope, paidSlope, reachedBy(limit, highest, parts) - margin);
  let leastWithWinners: f32 = Infinity;
  let mostCost: f32 = 0;
  if (withWinners) {
    const cheapest = cheapestRow(<f32>lowest);
    addBends(cheapest, bestPaid, DEPTH);
    leastWithWinners = perMicro > 0 ? <f32>(microsOf(bestPaid) - margin / perMicro) : -Infinity;
    mostCost = <f32>(costOf(bestPaid) + 3 * error);
  }
  return listRows(task, leastWithWinners, mostCost, leastPaid, bestPaid);
}

/** What the sizes of all terms of a cost add up to at most; energy counts twice where surplus takes some off again. */
function largestCost(task: usize): f64 {
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

function largestCommission(task: usize): f64 {
  let largest: f64 = 0;
  for (let b = 0; b < load<i32>(task, BLOCK_COUNT); b++) {
    const consumption = <usize>load<i32>(blockAt(task, b), CONSUMPTION);
    const power = <usize>load<i32>(blockAt(task, b), POWER);
    const energySize = sizeAt(consumption) + load<f64>(task, ANNUAL_MWH) * sizeAt(consumption + 8);
    largest = max(largest, energySize + sizeAt(power) + load<f64>(task, POWER_KW) * sizeAt(power + 8));
  }
  return largest + load<f64>(task, ENERGY_FEE) + load<f64>(task, POWER_FEE);
}

/** The largest size in a column; infinite where a float could not hold it. */
function sizeAt(at: usize): f64 {
  const size = load<f64>(at);
  return size < LARGEST_TERM ? size : Infinity;
}

@inline
function blockAt(task: usize, index: i32): usize {
  return <usize>load<i32>(task, BLOCKS) + <usize>index * BLOCK_BYTES;
}

/** Costs (without fees) and commissions of all rows, NaN where a row is not ranked, and the extremes of each group. */
function priceAll(task: usize, sees: i32): void {
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
    const care = v128.load32_splat(block, CARE);
    const want = v128.load32_splat(block, WANT);
    const column = <usize>count << 8;
    let terms = <usize>load<i32>(block, TERMS) + TERMS_HEAD;
    let mask = <usize>load<i32>(block, MASK);
    let consumption = <usize>load<i32>(block, CONSUMPTION) + LINES_HEAD;
    let power = <usize>load<i32>(block, POWER) + LINES_HEAD;
    for (let group = 0; group < count; group++) {
      priceGroup(task + USES, energyEnd, usesEnd, exported, terms, cost);
      let minCost = f32x4.splat(Infinity);
      let maxCost = f32x4.splat(-Infinity);
      let minPaid = minCost;
      let maxPaid = maxCost;
      for (let lane: usize = 0; lane < GROUP_BYTES; lane += 16) {
        const bits = v128.load(mask + lane);
        const passes = i32x4.eq(v128.and(bits, care), want);
        const missing = v128.not(v128.and(passes, i32x4.eq(v128.and(bits, needed), needed)));
        passing = i32x4.sub(passing, passes);
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

/** The costs of a group: energy, less what surplus is worth, and the rest. */
function priceGroup(uses: usize, energyEnd: usize, usesEnd: usize, exported: f32, terms: usize, cost: usize): void {
  let a = f32x4.splat(0);
  let b = a;
  let c = a;
  let d = a;
  let e = a;
  let f = a;
  let g = a;
  let h = a;
  for (let use = uses; use < usesEnd; use += USE_BYTES) {
    if (use == energyEnd && exported > 0) {
      const quantity = f32x4.splat(exported);
      const surplus = terms + SURPLUS * GROUP_BYTES;
      a = afterSurplus(a, f32x4.mul(quantity, v128.load(surplus)));
      b = afterSurplus(b, f32x4.mul(quantity, v128.load(surplus, 16)));
      c = afterSurplus(c, f32x4.mul(quantity, v128.load(surplus, 32)));
      d = afterSurplus(d, f32x4.mul(quantity, v128.load(surplus, 48)));
      e = afterSurplus(e, f32x4.mul(quantity, v128.load(surplus, 64)));
      f = afterSurplus(f, f32x4.mul(quantity, v128.load(surplus, 80)));
      g = afterSurplus(g, f32x4.mul(quantity, v128.load(surplus, 96)));
      h = afterSurplus(h, f32x4.mul(quantity, v128.load(surplus, 112)));
    }
    const column = terms + <usize>load<i32>(use) * GROUP_BYTES;
    const quantity = v128.load32_splat(use, 4);
    a = f32x4.add(a, f32x4.mul(v128.load(column), quantity));
    b = f32x4.add(b, f32x4.mul(v128.load(column, 16), quantity));
    c = f32x4.add(c, f32x4.mul(v128.load(column, 32), quantity));
    d = f32x4.add(d, f32x4.mul(v128.load(column, 48), quantity));
    e = f32x4.add(e, f32x4.mul(v128.load(column, 64), quantity));
    f = f32x4.add(f, f32x4.mul(v128.load(column, 80), quantity));
    g = f32x4.add(g, f32x4.mul(v128.load(column, 96), quantity));
    h = f32x4.add(h, f32x4.mul(v128.load(column, 112), quantity));
  }
  v128.store(cost, a);
  v128.store(cost, b, 16);
  v128.store(cost, c, 32);
  v128.store(cost, d, 48);
  v128.store(cost, e, 64);
  v128.store(cost, f, 80);
  v128.store(cost, g, 96);
  v128.store(cost, h, 112);
}

@inline
function afterSurplus(energy: v128, worth: v128): v128 {
  return f32x4.sub(energy, f32x4.pmax(f32x4.splat(0), f32x4.pmin(worth, energy)));
}

/** Commissions in whole millionths: the operations of `commissionOf` in their order, but for the last division. */
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

function sumOf(counts: v128): i32 {
  const halves = i32x4.add(counts, i64x2.shuffle(counts, counts, 1, 0));
  return i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1);
}

/** The highest of one extreme over all groups, or with the sign -1 the lowest, with that sign. */
function extremeOf(which: usize, sign: f32): f64 {
  const signs = f32x4.splat(sign);
  let highest = f32x4.splat(-Infinity);
  for (let group = 0; group < groups; group++) {
    highest = f32x4.pmax(highest, f32x4.mul(signs, v128.load(groupExtremes + <usize>group * EXTREMES_BYTES + which)));
  }
  return <f64>highestLane(highest);
}

function highestLane(values: v128): f32 {
  const halves = f32x4.pmax(values, i64x2.shuffle(values, values, 1, 0));
  return max(f32x4.extract_lane(halves, 0), f32x4.extract_lane(halves, 1));
}

@inline
function costOf(row: i32): f64 {
  return <f64>load<f32>(costs + (<usize>row << 2));
}

@inline
function microsOf(row: i32): f64 {
  return load<f64>(micros + (<usize>row << 3));
}

/** The row at one extreme of commissions; of several the one that costs least. */
function rowAtExtreme(which: usize, sign: f32): i32 {
  const near = f32x4.splat(sign * <f32>extremeOf(which, sign));
  let found: i32 = -1;
  for (let group = 0; group < groups; group++) {
    if (!v128.any_true(f32x4.eq(v128.load(groupExtremes + <usize>group * EXTREMES_BYTES + which), near))) continue;
    for (let row = group * GROUP; row < (group + 1) * GROUP; row++) {
      const more = sign * (microsOf(row) - (found < 0 ? -sign * Infinity : microsOf(found)));
      if (more > 0 || (more == 0 && costOf(row) < costOf(found))) found = row;
    }
  }
  return found;
}

/** The first row that costs least. */
function cheapestRow(lowest: f32): i32 {
  const near = f32x4.splat(lowest);
  let group = 0;
  while (!v128.any_true(f32x4.eq(v128.load(groupExtremes + <usize>group * EXTREMES_BYTES), near))) group++;
  let row = group * GROUP;
  while (costOf(row) != <f64>lowest) row++;
  return row;
}

/** A score at some weight but for a constant. A lower cost and a higher commission never make it lower. */
@inline
function lineAt(cost: v128, commission: v128, slope: v128, paidSlope: v128): v128 {
  return f32x4.add(f32x4.mul(cost, slope), f32x4.mul(commission, paidSlope));
}

/** Divides the rows into parts, a power of two and at least 8, and keeps the highest line of each at `highest`. */
function highestLines(slope: f32, paidSlope: f32, highest: usize, parts: i32): void {
  const a = f32x4.splat(slope);
  const b = f32x4.splat(paidSlope);
  const cost = costs;
  const commission = paid;
  const size = <usize>parts << 2;
  for (let part: usize = 0; part < size; part += 16) v128.store(highest + part, f32x4.splat(-Infinity));
  const end = <usize>groups * GROUP_BYTES;
  for (let at: usize = 0; at < end; at += 32) {
    const part = highest + (at & (size - 1));
    const first = lineAt(v128.load(cost + at), v128.load(commission + at), a, b);
    const second = lineAt(v128.load(cost + at, 16), v128.load(commission + at, 16), a, b);
    v128.store(part, f32x4.pmax(v128.load(part), first));
    v128.store(part, f32x4.pmax(v128.load(part, 16), second), 16);
  }
}

/** No row in a lane of a group has a higher line: that of its lowest cost and its highest commission. */
@inline
function cornerAt(extremes: usize, slope: v128, paidSlope: v128): v128 {
  return lineAt(v128.load(extremes), v128.load(extremes, MAX_PAID), slope, paidSlope);
}

/** The first row with the highest line above some height, or -1: lower costs and higher commissions make it higher. */
function highestRow(slope: f32, paidSlope: f32, height: f32): i32 {
  const a = f32x4.splat(slope);
  const b = f32x4.splat(paidSlope);
  let highest = f32x4.splat(height);
  let found: i32 = -1;
  let extremes = groupExtremes;
  const end = <usize>groups * GROUP_BYTES;
  for (let group: usize = 0; group < end; group += GROUP_BYTES) {
    const isHigher = v128.any_true(f32x4.gt(cornerAt(extremes, a, b), highest));
    extremes += EXTREMES_BYTES;
    if (!isHigher) continue;
    for (let at = group; at < group + GROUP_BYTES; at += 16) {
      const lines = lineAt(v128.load(costs + at), v128.load(paid + at), a, b);
      if (!v128.any_true(f32x4.gt(lines, highest))) continue;
      const line = highestLane(f32x4.pmax(highest, lines));
      highest = f32x4.splat(line);
      found = <i32>(at >> 2) + ctz(i32x4.bitmask(f32x4.eq(lines, highest)));
    }
  }
  return found;
}

/** How often the span in which a line lies that enough rows reach is halved. */
const HALVINGS: i32 = 12;

/** A line that is the highest of its part for `limit` of them, and hardly for more; minus infinity where there is none. */
function reachedBy(limit: i32, highest: usize, parts: i32): f64 {
  const end = highest + (<usize>parts << 2);
  let most = f32x4.splat(-Infinity);
  let least = f32x4.splat(Infinity);
  for (let at = highest; at < end; at += 16) {
    const lines = v128.load(at);
    // Parts without a row are minus infinity, and no such span can be halved.
    least = f32x4.pmin(least, v128.bitselect(lines, f32x4.splat(Infinity), f32x4.gt(lines, f32x4.splat(-Infinity))));
    most = f32x4.pmax(most, lines);
  }
  let low = -highestLane(f32x4.neg(least));
  let high = highestLane(most);
  if (countFrom(low, highest, end) < limit) return -Infinity;
  for (let i = 0; i < HALVINGS; i++) {
    const middle: f32 = low + (high - low) * 0.5;
    if (countFrom(middle, highest, end) >= limit) low = middle;
    else high = middle;
  }
  return <f64>low;
}

function countFrom(least: f32, highest: usize, end: usize): i32 {
  const bound = f32x4.splat(least);
  let counts = i32x4.splat(0);
  for (let at = highest; at < end; at += 16) counts = i32x4.sub(counts, f32x4.ge(v128.load(at), bound));
  return sumOf(counts);
}

/** Rows on this side of a line can matter. */
function addPlane(slope: f64, paidSlope: f64, height: f64): void {
  store<f32>(planesEnd, <f32>slope);
  store<f32>(planesEnd, <f32>paidSlope, 4);
  store<f32>(planesEnd, <f32>height, 8);
  planesEnd += 16;
}

/**
 * The lines that a row must reach to win at a weight at which one of two rows does, or one that is found between them: at
 * the weight at which the better paid one takes over.
 */
function addBends(cheaper: i32, betterPaid: i32, depth: i32): void {
  const saves = (costOf(betterPaid) - costOf(cheaper)) * perCost;
  const pays = (microsOf(betterPaid) - microsOf(cheaper)) * perMicro;
  if (!(saves > 0 && pays > 0)) return;
  const weight = pays / (saves + pays);
  const slope = -weight * perCost;
  const paidSlope = (1 - weight) * perMicro;
  const height = slope * costOf(cheaper) + paidSlope * microsOf(cheaper);
  const row = depth > 0 ? highestRow(<f32>slope, <f32>paidSlope, <f32>(height + margin)) : -1;
  if (row < 0) return addPlane(slope, paidSlope, height - margin);
  addBends(cheaper, row, depth - 1);
  addBends(row, betterPaid, depth - 1);
}

/** Writes the rows that reach a plane, or pay that much at no more than that cost, or are one of two. */
function listRows(task: usize, leastPaid: f32, mostCost: f32, one: i32, other: i32): i32 {
  const rows = <usize>load<i32>(task, ROWS);
  const planes = task + PLANES;
  const end = planesEnd;
  const count = groups;
  let extremes = groupExtremes;
  let cost = costs;
  let commission = paid;
  const least = f32x4.splat(leastPaid);
  const most = f32x4.splat(mostCost);
  let next = rows;
  for (let group = 0; group < count; group++) {
    let bits = rowIn(group, one) | rowIn(group, other);
    for (let plane = planes; plane < end; plane += 16) {
      const a = v128.load32_splat(plane);
      const b = v128.load32_splat(plane, 4);
      const height = v128.load32_splat(plane, 8);
      // No row of a lane is higher than its best corner, which lacks a commission where none is asked for.
      const corner = v128.load(extremes, 0);
      const highCost = v128.load(extremes, MAX_COST);
      const cheap = v128.bitselect(corner, highCost, f32x4.lt(a, f32x4.splat(0)));
      const paidMost = v128.and(v128.load(extremes, MAX_PAID), f32x4.gt(b, f32x4.splat(0)));
      if (!v128.any_true(f32x4.ge(lineAt(cheap, paidMost, a, b), height))) continue;
      for (let lane: usize = 0; lane < GROUP_BYTES; lane += 16) {
        const line = lineAt(v128.load(cost + lane), v128.load(commission + lane), a, b);
        bits |= i32x4.bitmask(f32x4.ge(line, height)) << <i32>(lane >> 2);
      }
    }
    if (v128.any_true(v128.and(f32x4.ge(v128.load(extremes, MAX_PAID), least), f32x4.le(v128.load(extremes), most)))) {
      for (let lane: usize = 0; lane < GROUP_BYTES; lane += 16) {
        const isPaid = f32x4.ge(v128.load(commission + lane), least);
        bits |= i32x4.bitmask(v128.and(isPaid, f32x4.le(v128.load(cost + lane), most))) << <i32>(lane >> 2);
      }
    }
    for (; bits; bits &= bits - 1) {
      store<i32>(next, group * GROUP + ctz(bits));
      next += 4;
    }
    extremes += EXTREMES_BYTES;
    cost += GROUP_BYTES;
    commission += GROUP_BYTES;
  }
  return <i32>(next - rows) >> 2;
}

@inline
function rowIn(group: i32, row: i32): i32 {
  return row >> 5 == group ? 1 << (row & 31) : 0;
}
