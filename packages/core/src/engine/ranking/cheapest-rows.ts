import { GROUP } from './block-prices.ts';

/** Costs that the module has written, row by row of whole groups. */
interface WrittenCosts {
  readonly floats: Float32Array;
  /** The index of the cost of the first row. A row that is not ranked has NaN. */
  readonly costs: number;
  /** The index of the extremes of the first group, which begin with the lowest cost in each of four lanes. */
  readonly extremes: number;
  /** A cost that is higher by more is not the lowest. */
  readonly margin: number;
}

/** The floats of the extremes of a group. */
const EXTREMES = 16;
const LANES = 4;

/**
 * The rows that can be the cheapest of those with bits, by block.
 *
 * @param masks - Of the blocks in the order in which they were written; 0 for a row that is left out.
 */
export function cheapestRows(written: WrittenCosts, masks: readonly Int32Array[]): readonly (readonly number[])[] {
  const rows = masks.map((): number[] => []);
  const least = scan(written, masks, { most: Number.POSITIVE_INFINITY, rows: null });
  scan(written, masks, { most: least + written.margin, rows });
  return rows;
}

/**
 * The lowest cost of the rows with bits, and in `rows` those that cost `most` or less. Groups that cost more are left out.
 * One function with plain loops: a call for each row would put each cost on the heap.
 */
function scan(
  { floats, costs, extremes }: WrittenCosts,
  masks: readonly Int32Array[],
  { most, rows }: { readonly most: number; readonly rows: readonly number[][] | null },
): number {
  let bound = most;
  let first = 0;
  for (const [block, mask] of masks.entries()) {
    for (let from = 0; from < mask.length; from += GROUP) {
      const lanes = extremes + ((first + from) / GROUP) * EXTREMES;
      let isNear = false;
      for (let lane = 0; lane < LANES; lane++) isNear ||= (floats[lanes + lane] ?? 0) <= bound;
      if (!isNear) continue;
      for (let row = from; row < from + GROUP; row++) {
        const cost = floats[costs + first + row] ?? Number.NaN;
        if (mask[row] === 0 || !(cost <= bound)) continue;
        if (rows) rows[block]?.push(row);
        else bound = cost;
      }
    }
    first += mask.length;
  }
  return bound;
}
