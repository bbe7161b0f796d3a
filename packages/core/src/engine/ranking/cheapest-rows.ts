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
  let least = Number.POSITIVE_INFINITY;
  forRows(written, masks, {
    mayMatter: (cost) => cost < least,
    take: (_block, _row, cost) => {
      if (cost < least) least = cost;
    },
  });
  const rows = masks.map((): number[] => []);
  const most = least + written.margin;
  forRows(written, masks, {
    mayMatter: (cost) => cost <= most,
    take: (block, row, cost) => {
      if (cost <= most) rows[block]?.push(row);
    },
  });
  return rows;
}

interface Search {
  /** Whether a group with this lowest cost is looked at row by row. */
  readonly mayMatter: (lowestOfGroup: number) => boolean;
  readonly take: (block: number, row: number, cost: number) => void;
}

/** The rows with bits, but for groups that do not matter. */
function forRows({ floats, costs, extremes }: WrittenCosts, masks: readonly Int32Array[], { mayMatter, take }: Search) {
  let first = 0;
  masks.forEach((mask, block) => {
    for (let from = 0; from < mask.length; from += GROUP) {
      const lanes = extremes + ((first + from) / GROUP) * EXTREMES;
      let lowest = Number.POSITIVE_INFINITY;
      for (let lane = 0; lane < LANES; lane++) lowest = Math.min(lowest, floats[lanes + lane] ?? lowest);
      if (!mayMatter(lowest)) continue;
      for (let row = from; row < from + GROUP; row++) {
        if (mask[row] !== 0) take(block, row, floats[costs + first + row] ?? Number.NaN);
      }
    }
    first += mask.length;
  });
}
