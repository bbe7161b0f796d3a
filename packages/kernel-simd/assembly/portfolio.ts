// The sieve of portfolios: single precision, four offers at once, to leave out those that cannot matter to a customer.
// Who is left gets exact figures elsewhere. How far a figure here can be from the exact one is bounded in
// `src/sieve-bounds.ts`: whoever adds an operation has to count it there. Addresses are decided by `src/sieve-arena.ts`.

/** Offers of a group: each of its columns is this many floats in a row. */
const GROUP: i32 = 8;
const COLUMN_BYTES: usize = 32;
const COLUMNS: i32 = 15;
const GROUP_BYTES: usize = 480;
const SURPLUS: usize = 14 * 32;
const LINE_GROUP_BYTES: usize = 64;
/** Offers of a chunk, whose ends are kept: 4 groups, 8 vectors. */
const CHUNK_BYTES: usize = 128;
const ROW_BYTES: usize = 128;

/** Turns rows of 16 numbers (the last one, the id, is left out) into columns by groups of offers. */
export function narrowTerms(from: usize, to: usize, rows: i32): void {
  for (let row = 0; row < rows; row++) {
    const target = to + <usize>(row >> 3) * GROUP_BYTES + <usize>(row & 7) * 4;
    const source = from + <usize>row * ROW_BYTES;
    for (let column = 0; column < COLUMNS; column++) {
      store<f32>(target + <usize>column * COLUMN_BYTES, <f32>load<f64>(source + <usize>column * 8));
    }
  }
}

/** Turns pairs of numbers into two columns by groups of offers. */
export function narrowLines(from: usize, to: usize, rows: i32): void {
  for (let row = 0; row < rows; row++) {
    const target = to + <usize>(row >> 3) * LINE_GROUP_BYTES + <usize>(row & 7) * 4;
    const source = from + <usize>row * 16;
    store<f32>(target, <f32>load<f64>(source));
    store<f32>(target, <f32>load<f64>(source, 8), COLUMN_BYTES);
  }
}

/** Writes 0 where an offer has every price that is needed and NaN where not; answers how many have. Whole chunks. */
export function lackingOf(mask: usize, rows: i32, needed: i32, to: usize): i32 {
  const bits = i32x4.splat(needed);
  let complete = i32x4.splat(0);
  for (let row = 0; row < rows; row += 4) {
    const has = i32x4.eq(v128.and(v128.load(mask + (<usize>row << 2)), bits), bits);
    complete = i32x4.sub(complete, has);
    v128.store(to + (<usize>row << 2), v128.not(has));
  }
  return (
    i32x4.extract_lane(complete, 0) +
    i32x4.extract_lane(complete, 1) +
    i32x4.extract_lane(complete, 2) +
    i32x4.extract_lane(complete, 3)
  );
}

// Four customers at `block`: where the used columns of energy end, where all end, whether there is surplus; what each
// exports. Then the used columns: offset in the group, padding to 16 bytes, four quantities.
const ENERGY_END: usize = 0;
const USED_END: usize = 4;
const HAS_SURPLUS: usize = 8;
const EXPORTED: usize = 16;
const USED: usize = 32;
const USED_BYTES: usize = 32;
const QUANTITY: usize = 16;

@inline
function plus(sum: v128, quantity: v128, price: v128): v128 {
  return f32x4.add(sum, f32x4.mul(quantity, price));
}

/** Takes off what surplus is worth: at most the energy, which is all that was added up so far. */
@inline
function lessCredit(energy: v128, exported: v128, price: v128): v128 {
  return f32x4.sub(energy, f32x4.pmax(f32x4.splat(0), f32x4.pmin(f32x4.mul(exported, price), energy)));
}

/** What each offer costs each of four customers, without fees: a column of floats a customer, `stride` bytes apart. */
export function costsOfFour(terms: usize, lacking: usize, groups: i32, block: usize, to: usize, stride: usize): void {
  const energyEnd = <usize>load<i32>(block, ENERGY_END);
  const usedEnd = <usize>load<i32>(block, USED_END);
  const hasSurplus = load<i32>(block, HAS_SURPLUS);
  let group = terms;
  let target = to;
  let missing = lacking;
  for (let i = 0; i < groups; i++) {
    let a0 = v128.load(missing);
    let a1 = v128.load(missing, 16);
    let b0 = a0;
    let b1 = a1;
    let c0 = a0;
    let c1 = a1;
    let d0 = a0;
    let d1 = a1;
    let used = block + USED;
    for (; used < energyEnd; used += USED_BYTES) {
      const column = group + <usize>load<i32>(used);
      const x = v128.load(column);
      const y = v128.load(column, 16);
      const a = v128.load32_splat(used, QUANTITY);
      const b = v128.load32_splat(used, QUANTITY + 4);
      const c = v128.load32_splat(used, QUANTITY + 8);
      const d = v128.load32_splat(used, QUANTITY + 12);
      a0 = plus(a0, a, x);
      a1 = plus(a1, a, y);
      b0 = plus(b0, b, x);
      b1 = plus(b1, b, y);
      c0 = plus(c0, c, x);
      c1 = plus(c1, c, y);
      d0 = plus(d0, d, x);
      d1 = plus(d1, d, y);
    }
    if (hasSurplus) {
      const x = v128.load(group, SURPLUS);
      const y = v128.load(group, SURPLUS + 16);
      const a = v128.load32_splat(block, EXPORTED);
      const b = v128.load32_splat(block, EXPORTED + 4);
      const c = v128.load32_splat(block, EXPORTED + 8);
      const d = v128.load32_splat(block, EXPORTED + 12);
      a0 = lessCredit(a0, a, x);
      a1 = lessCredit(a1, a, y);
      b0 = lessCredit(b0, b, x);
      b1 = lessCredit(b1, b, y);
      c0 = lessCredit(c0, c, x);
      c1 = lessCredit(c1, c, y);
      d0 = lessCredit(d0, d, x);
      d1 = lessCredit(d1, d, y);
    }
    for (; used < usedEnd; used += USED_BYTES) {
      const column = group + <usize>load<i32>(used);
      const x = v128.load(column);
      const y = v128.load(column, 16);
      const a = v128.load32_splat(used, QUANTITY);
      const b = v128.load32_splat(used, QUANTITY + 4);
      const c = v128.load32_splat(used, QUANTITY + 8);
      const d = v128.load32_splat(used, QUANTITY + 12);
      a0 = plus(a0, a, x);
      a1 = plus(a1, a, y);
      b0 = plus(b0, b, x);
      b1 = plus(b1, b, y);
      c0 = plus(c0, c, x);
      c1 = plus(c1, c, y);
      d0 = plus(d0, d, x);
      d1 = plus(d1, d, y);
    }
    let row = target;
    v128.store(row, a0);
    v128.store(row, a1, 16);
    row += stride;
    v128.store(row, b0);
    v128.store(row, b1, 16);
    row += stride;
    v128.store(row, c0);
    v128.store(row, c1, 16);
    row += stride;
    v128.store(row, d0);
    v128.store(row, d1, 16);
    group += GROUP_BYTES;
    missing += COLUMN_BYTES;
    target += COLUMN_BYTES;
  }
}

/** What offers pay, without fees, as a column of floats. Whole groups. */
export function paysOf(
  consumption: usize,
  power: usize,
  lacking: usize,
  groups: i32,
  annualMwh: f32,
  powerKw: f32,
  to: usize,
): void {
  const mwh = f32x4.splat(annualMwh);
  const kw = f32x4.splat(powerKw);
  for (let i = 0; i < groups; i++) {
    const at = <usize>i * LINE_GROUP_BYTES;
    const c = consumption + at;
    const p = power + at;
    const column = <usize>i * COLUMN_BYTES;
    const first = f32x4.add(f32x4.add(v128.load(c), v128.load(p)), v128.load(lacking + column));
    const second = f32x4.add(f32x4.add(v128.load(c, 16), v128.load(p, 16)), v128.load(lacking + column, 16));
    v128.store(to + column, plus(plus(first, mwh, v128.load(c, 32)), kw, v128.load(p, 32)));
    v128.store(to + column, plus(plus(second, mwh, v128.load(c, 48)), kw, v128.load(p, 48)), 16);
  }
}

/**
 * The lowest and the highest of each chunk of a column, vector by vector, to `ends` (lowest, highest; 32 bytes a
 * chunk), and those of all to `found`.
 */
export function endsOf(values: usize, chunks: i32, ends: usize, found: usize): void {
  let lowest = f32x4.splat(Infinity);
  let highest = f32x4.splat(-Infinity);
  for (let chunk = 0; chunk < chunks; chunk++) {
    const at = values + <usize>chunk * CHUNK_BYTES;
    const v0 = v128.load(at);
    const v1 = v128.load(at, 16);
    const v2 = v128.load(at, 32);
    const v3 = v128.load(at, 48);
    const v4 = v128.load(at, 64);
    const v5 = v128.load(at, 80);
    const v6 = v128.load(at, 96);
    const v7 = v128.load(at, 112);
    // A value that is NaN has to come second, where it is not taken.
    const none = f32x4.splat(Infinity);
    let low = f32x4.pmin(none, v0);
    let lowToo = f32x4.pmin(none, v1);
    low = f32x4.pmin(low, v2);
    lowToo = f32x4.pmin(lowToo, v3);
    low = f32x4.pmin(low, v4);
    lowToo = f32x4.pmin(lowToo, v5);
    low = f32x4.pmin(low, v6);
    lowToo = f32x4.pmin(lowToo, v7);
    low = f32x4.pmin(low, lowToo);
    const least = f32x4.splat(-Infinity);
    let high = f32x4.pmax(least, v0);
    let highToo = f32x4.pmax(least, v1);
    high = f32x4.pmax(high, v2);
    highToo = f32x4.pmax(highToo, v3);
    high = f32x4.pmax(high, v4);
    highToo = f32x4.pmax(highToo, v5);
    high = f32x4.pmax(high, v6);
    highToo = f32x4.pmax(highToo, v7);
    high = f32x4.pmax(high, highToo);
    const to = ends + (<usize>chunk << 5);
    v128.store(to, low);
    v128.store(to, high, 16);
    lowest = f32x4.pmin(lowest, low);
    highest = f32x4.pmax(highest, high);
  }
  v128.store(found, lowest);
  v128.store(found, highest, 16);
}

/** Writes the numbers of the rows whose bits are set. */
@inline
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

/** Lists the rows whose value is at most a bound, and answers how many they are. */
export function atMost(values: usize, ends: usize, chunks: i32, bound: f32, to: usize): i32 {
  const most = f32x4.splat(bound);
  let next = to;
  for (let chunk = 0; chunk < chunks; chunk++) {
    if (!v128.any_true(f32x4.le(v128.load(ends + (<usize>chunk << 5)), most))) continue;
    const at = values + <usize>chunk * CHUNK_BYTES;
    for (let vector = 0; vector < 8; vector++) {
      const bits = i32x4.bitmask(f32x4.le(v128.load(at + (<usize>vector << 4)), most));
      next = listRows(bits, (chunk << 5) + (vector << 2), next);
    }
  }
  return <i32>(next - to) >> 2;
}

/** Lists the rows whose value is at least a bound, and answers how many they are. */
export function atLeast(values: usize, ends: usize, chunks: i32, bound: f32, to: usize): i32 {
  const least = f32x4.splat(bound);
  let next = to;
  for (let chunk = 0; chunk < chunks; chunk++) {
    if (!v128.any_true(f32x4.ge(v128.load(ends + (<usize>chunk << 5), 16), least))) continue;
    const at = values + <usize>chunk * CHUNK_BYTES;
    for (let vector = 0; vector < 8; vector++) {
      const bits = i32x4.bitmask(f32x4.ge(v128.load(at + (<usize>vector << 4)), least));
      next = listRows(bits, (chunk << 5) + (vector << 2), next);
    }
  }
  return <i32>(next - to) >> 2;
}

@inline
function lineAt(costs: usize, pays: usize, perCost: v128, perPay: v128): v128 {
  return f32x4.sub(f32x4.mul(v128.load(pays), perPay), f32x4.mul(v128.load(costs), perCost));
}

/**
 * The highest line of each chunk, vector by vector, to `tops` (16 bytes a chunk), and of each of some groups of offers
 * to `highest`: `vectors` of four groups, a power of two.
 */
export function highestLines(
  costs: usize,
  pays: usize,
  chunks: i32,
  perCostEur: f32,
  perPaidEur: f32,
  tops: usize,
  highest: usize,
  vectors: i32,
): void {
  const perCost = f32x4.splat(perCostEur);
  const perPay = f32x4.splat(perPaidEur);
  const none = f32x4.splat(-Infinity);
  for (let vector = 0; vector < vectors; vector++) v128.store(highest + (<usize>vector << 4), none);
  for (let chunk = 0; chunk < chunks; chunk++) {
    const at = <usize>chunk * CHUNK_BYTES;
    const c = costs + at;
    const p = pays + at;
    let top = f32x4.pmax(none, lineAt(c, p, perCost, perPay));
    let topToo = f32x4.pmax(none, lineAt(c + 16, p + 16, perCost, perPay));
    top = f32x4.pmax(top, lineAt(c + 32, p + 32, perCost, perPay));
    topToo = f32x4.pmax(topToo, lineAt(c + 48, p + 48, perCost, perPay));
    top = f32x4.pmax(top, lineAt(c + 64, p + 64, perCost, perPay));
    topToo = f32x4.pmax(topToo, lineAt(c + 80, p + 80, perCost, perPay));
    top = f32x4.pmax(top, lineAt(c + 96, p + 96, perCost, perPay));
    topToo = f32x4.pmax(topToo, lineAt(c + 112, p + 112, perCost, perPay));
    top = f32x4.pmax(top, topToo);
    v128.store(tops + (<usize>chunk << 4), top);
    const group = highest + (<usize>(chunk & (vectors - 1)) << 4);
    v128.store(group, f32x4.pmax(v128.load(group), top));
  }
}

/** Lists the rows whose line is at least a bound, and answers how many they are. */
export function reaching(
  costs: usize,
  pays: usize,
  chunks: i32,
  perCostEur: f32,
  perPaidEur: f32,
  tops: usize,
  bound: f32,
  to: usize,
): i32 {
  const perCost = f32x4.splat(perCostEur);
  const perPay = f32x4.splat(perPaidEur);
  const least = f32x4.splat(bound);
  let next = to;
  for (let chunk = 0; chunk < chunks; chunk++) {
    if (!v128.any_true(f32x4.ge(v128.load(tops + (<usize>chunk << 4)), least))) continue;
    const at = <usize>chunk * CHUNK_BYTES;
    for (let vector = 0; vector < 8; vector++) {
      const offset = at + (<usize>vector << 4);
      const line = lineAt(costs + offset, pays + offset, perCost, perPay);
      next = listRows(i32x4.bitmask(f32x4.ge(line, least)), (chunk << 5) + (vector << 2), next);
    }
  }
  return <i32>(next - to) >> 2;
}
