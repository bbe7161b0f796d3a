// Two offers in one number. A double holds whole numbers of 52 bits exactly, so a product of small whole numbers and a
// sum of such products can be worked out for two offers at once: one stands in the 26 bits below, the other above.

/** A price as a whole number is 0 to this: 11 bits. */
const STEPS = 2047;
/** Where the second offer of a pair begins. */
export const LANE = 2 ** 26;
/** What a sum may come to before its factors are rounded: fifteen halves of `STEPS` below `LANE`, and some. */
const ROOM = LANE - 2 ** 14;

/** Columns of rows, two rows to a number: row `2j` in the lower lane of pair `j`, row `2j + 1` in the higher one. */
export interface Lanes {
  /** Pair by pair, as many numbers each as a row has columns. */
  readonly pairs: Float64Array;
  /** What 0 stands for in each column: its lowest value, or 0 where that is higher. */
  readonly lowest: Float64Array;
  /** What 1 stands for above that. */
  readonly step: Float64Array;
}

/** By the rows that they are made of, which are never changed, and with which they go. */
const kept = new WeakMap<Float64Array, Lanes>();

/** Some rows as lanes; made when they are asked for first. */
export function lanesOf(rows: Float64Array, columns: number): Lanes {
  const known = kept.get(rows);
  if (known) return known;
  const lanes = packed(rows, columns);
  kept.set(rows, lanes);
  return lanes;
}

function packed(rows: Float64Array, columns: number): Lanes {
  const lowest = new Float64Array(columns);
  const highest = new Float64Array(columns);
  for (let at = 0; at < rows.length; at++) {
    const column = at % columns;
    const value = rows[at] ?? 0;
    lowest[column] = Math.min(lowest[column] ?? 0, value);
    highest[column] = Math.max(highest[column] ?? 0, value);
  }
  const step = highest.map((high, column) => (high - (lowest[column] ?? 0)) / STEPS);
  const pairs = new Float64Array(Math.ceil(rows.length / (2 * columns)) * columns);
  for (let at = 0; at < rows.length; at++) {
    const column = at % columns;
    const row = (at - column) / columns;
    const size = step[column] ?? 0;
    // Where all are equal to 0 there is no step, and steps that are hardly numbers may come to more than `STEPS`.
    const steps = size > 0 ? Math.min(STEPS, Math.round(((rows[at] ?? 0) - (lowest[column] ?? 0)) / size)) : 0;
    const to = (row >> 1) * columns + column;
    pairs[to] = (pairs[to] ?? 0) + (row % 2 === 0 ? steps : steps * LANE);
  }
  return { pairs, lowest, step };
}

/** What the columns come to at most with these quantities, in size: the range of each times its quantity. */
export function spanOf({ step }: Lanes, quantities: Float64Array): number {
  let span = 0;
  for (let column = 0; column < step.length; column++) span += (quantities[column] ?? 0) * (step[column] ?? 0) * STEPS;
  return span;
}

/** Smaller units are of no use: figures are told apart by millionths. And 0 is none, nor what doubles have few bits for. */
const LEAST_UNIT = 2 ** -100;

/** What 1 stands for in sums that come to `span` at most. */
export function unitOf(span: number): number {
  return Math.max(span / ROOM, LEAST_UNIT);
}

/**
 * Halves of a step, in price and in quantity, by which a sum of fifteen products may be off, in units: 15 * 2047 / 2
 * for the quantities, and the span over 4 094 for the prices. Together 31 741.
 */
export const UNITS_OF_DOUBT = 2 ** 15;

/** Writes each quantity as a whole number of units for a step of its column; answers what the lowest values come to. */
export function factorsOf(
  { step, lowest }: Lanes,
  quantities: Float64Array,
  unit: number,
  factors: Float64Array,
): number {
  let base = 0;
  for (let column = 0; column < step.length; column++) {
    const quantity = quantities[column] ?? 0;
    base += quantity * (lowest[column] ?? 0);
    factors[column] = Math.round((quantity * (step[column] ?? 0)) / unit);
  }
  return base;
}
