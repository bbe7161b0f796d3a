// The preselection of a ranking: which rows can matter? Written in AssemblyScript, in 128-bit SIMD without relaxed operations.
// What is answered is a superset: rows, and never a figure. docs/decisions/0030-a-preselection-before-the-definition.md
// proves why a row may be left out.
import {
  costOf,
  costs,
  costSize,
  EXTREMES_BYTES,
  findSizes,
  GROUP,
  GROUP_BYTES,
  groupExtremes,
  groups,
  MAX_COST,
  MAX_PAID,
  MICRO,
  microsOf,
  MIN_PAID,
  paid,
  paidSize,
  priceAll,
  sumOf,
  Task,
} from './pricing';

/** Half the distance from 1 to the next larger float. */
const UNIT: f64 = 1.0 / 16777216.0;
/** From here on a figure is not represented in 32 bits, nor a commission as a whole number of millionths. */
const LARGEST_EUR: f64 = 1073741824.0;
const HIGHEST_SCORE: f64 = 10;
/** More than rounding can move a weighted score and its line. */
const SCORE_ERROR: f64 = 1e-5;
/** How often a row is searched for between two winning rows: twice gives up to three. */
const DEPTH: i32 = 2;
/** Both extremes of cost, the best rows, and the bends. */
const MOST_PLANES: usize = 7;

let planes: usize = 0;
let planesEnd: usize = 0;
/** Score per EUR and per millionth of a commission when all the weight is on it. */
let perCost: f64 = 0;
let perMicro: f64 = 0;
/** The greatest error of the difference of two scores, at any weight. */
let margin: f64 = 0;

/**
 * Lists the rows that can matter, ascending, and returns their number; -1 where it cannot distinguish them, so that
 * every row may matter. Rows are counted through in whole groups, so those of a block begin at a multiple of 32.
 */
export function candidates(task: Task): i32 {
  const sees = task.sees;
  findSizes(task);
  if (!(costSize < LARGEST_EUR && task.fees < LARGEST_EUR && paidSize < LARGEST_EUR)) return -1;
  priceAll(task);
  if (task.ranked == 0) return 0;
  if (task.ranked <= task.limit) return -1;

  const error = 24 * UNIT * costSize + (costSize + task.fees) / 35184372088832.0 + 1e-6;
  const lowest = -extremeOf(0, -1);
  const range = extremeOf(MAX_COST, 1) - lowest;
  if (range < 64 * error) return -1;
  let leastPaid: i32 = -1;
  let bestPaid: i32 = -1;
  perCost = HIGHEST_SCORE / range;
  perMicro = 0;
  margin = 9 * error * perCost + 2 * SCORE_ERROR;
  let weight = task.weight;
  if (sees) {
    leastPaid = rowAtExtreme(MIN_PAID, -1);
    bestPaid = rowAtExtreme(MAX_PAID, 1);
    const paidRange = microsOf(bestPaid) - microsOf(leastPaid);
    if (paidRange > 0) perMicro = HIGHEST_SCORE / paidRange;
    if (task.tolerance >= 0) weight = range / (range + (task.tolerance * paidRange) / MICRO);
    margin += 12 * UNIT * (paidSize * MICRO + 1) * perMicro;
  }

  const withWinners = sees && task.withWinners;
  planes = planesEnd = task.rows + (<usize>task.rowCount << 2);
  addPlane(-1, 0, -(lowest + (withWinners ? margin / perCost : 3 * error)));
  addPlane(1, 0, lowest + range - 3 * error);
  const slope = -weight * perCost;
  const paidSlope = (1 - weight) * perMicro;
  const highest = planes + MOST_PLANES * 16;
  const end = highest + (<usize>task.parts << 2);
  addHighestLines(<f32>slope, <f32>paidSlope, highest, end);
  const low = slope * (lowest + range) + (sees ? paidSlope * microsOf(leastPaid) : 0) - margin;
  addPlane(slope, paidSlope, reachedBy(task.limit, <f32>low, highest, end) - margin);
  let leastWithWinners: f32 = Infinity;
  let mostCost: f32 = 0;
  if (withWinners) {
    addBends(highestRow(-1, 0, -Infinity), bestPaid, DEPTH);
    leastWithWinners = perMicro > 0 ? <f32>(microsOf(bestPaid) - margin / perMicro) : -Infinity;
    mostCost = <f32>(costOf(bestPaid) + 3 * error);
  }
  return listRows(task.rows, leastWithWinners, mostCost, leastPaid, bestPaid);
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

/** The row with the lowest or highest commission; of several the one that costs least. */
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

/** A score at some weight but for a constant. A lower cost and a higher commission never make it lower. */
@inline
function lineAt(cost: v128, commission: v128, slope: v128, paidSlope: v128): v128 {
  return f32x4.add(f32x4.mul(cost, slope), f32x4.mul(commission, paidSlope));
}

/** Divides the rows into parts, at least 8, and keeps the highest line of each from `highest` on. */
function addHighestLines(slope: f32, paidSlope: f32, highest: usize, end: usize): void {
  const a = f32x4.splat(slope);
  const b = f32x4.splat(paidSlope);
  const cost = costs;
  const commission = paid;
  const last = end - highest - 1;
  for (let part = highest; part < end; part += 16) v128.store(part, f32x4.splat(-Infinity));
  const rows = <usize>groups * GROUP_BYTES;
  for (let at: usize = 0; at < rows; at += 32) {
    const part = highest + (at & last);
    const first = lineAt(v128.load(cost + at), v128.load(commission + at), a, b);
    const second = lineAt(v128.load(cost + at, 16), v128.load(commission + at, 16), a, b);
    v128.store(part, f32x4.pmax(v128.load(part), first));
    v128.store(part, f32x4.pmax(v128.load(part, 16), second), 16);
  }
}

/** The first row with the highest line above some height, or -1. No row in a lane is above that of its extremes. */
function highestRow(slope: f32, paidSlope: f32, height: f32): i32 {
  const a = f32x4.splat(slope);
  const b = f32x4.splat(paidSlope);
  let highest = f32x4.splat(height);
  let found: i32 = -1;
  let extremes = groupExtremes;
  const end = <usize>groups * GROUP_BYTES;
  for (let group: usize = 0; group < end; group += GROUP_BYTES) {
    const corner = lineAt(v128.load(extremes), v128.load(extremes, MAX_PAID), a, b);
    extremes += EXTREMES_BYTES;
    if (!v128.any_true(f32x4.gt(corner, highest))) continue;
    for (let at = group; at < group + GROUP_BYTES; at += 16) {
      const lines = lineAt(v128.load(costs + at), v128.load(paid + at), a, b);
      if (!v128.any_true(f32x4.gt(lines, highest))) continue;
      highest = f32x4.splat(highestLane(f32x4.pmax(highest, lines)));
      found = <i32>(at >> 2) + ctz(i32x4.bitmask(f32x4.eq(lines, highest)));
    }
  }
  return found;
}

/** How often the interval that has the wanted line is halved. */
const HALVINGS: i32 = 12;

/**
 * A line that is the highest of its part for at least `limit` parts, and for few more; minus infinity where there is
 * none. It is searched from `low` on, below which there is no line.
 */
function reachedBy(limit: i32, low: f32, highest: usize, end: usize): f64 {
  let most = f32x4.splat(-Infinity);
  for (let at = highest; at < end; at += 16) most = f32x4.pmax(most, v128.load(at));
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
 * The lines that a row must reach to win at a weight where one of two rows wins, or one that is found between them: at
 * the weight where the better paid one becomes the winner.
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

/**
 * Writes the rows that reach a plane, or pay at least `leastPaid` and cost at most `mostCost`, and the rows `one` and
 * `other`.
 */
function listRows(rows: usize, leastPaid: f32, mostCost: f32, one: i32, other: i32): i32 {
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
      // No row of a lane is higher than its best corner, which has no commission where commissions do not count.
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
