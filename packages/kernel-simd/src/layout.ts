// Where things lie in the memory of the kernel. The same numbers are in `assembly/index.ts`.

/** Offers of a group: each of its columns is this many floats. */
export const GROUP = 32;
export const COLUMN_BYTES = GROUP * 4;
/** Columns of a group of offers: prices of energy and power, fixed term, services, surplus. */
export const COLUMNS = 15;
export const GROUP_BYTES = COLUMNS * COLUMN_BYTES;
/** Columns of a group of commission lines. */
export const LINE_COLUMNS = 2;

/** The demand as floats, then as integers; each takes four bytes. */
export const DEMAND = { exportedKwh: 0, fees: 1, annualMwh: 2, powerKw: 3, feesPerYear: 4 } as const;
export const DEMAND_INTEGERS = { energyEnd: 5, usedEnd: 6, exports: 7, needed: 8, commissions: 9 } as const;
/** Bytes before the used columns, and of each of them. */
export const USED = 40;
export const USED_BYTES = 8;

/** Integers of a block. */
export const BLOCK_INTEGERS = 8; // the last one is spare, so that a block is 32 bytes

/** What is found: four doubles, then two integers at these places. */
export const FOUND = { candidates: 8, passing: 9 } as const;

/** Bytes for the ends of the figures in a group. */
export const BOX_BYTES = 64;

/** Parts of the candidates of which the highest line is kept: no fewer than two vectors have lanes. */
export const FEWEST_PARTS = 8;

/** Rounded up to whole groups. */
export function padded(rows: number): number {
  return Math.ceil(rows / GROUP) * GROUP;
}
