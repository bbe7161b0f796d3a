// Where things lie in the memory of the kernel. The same numbers are in `assembly/index.ts`.

/** Offers of a group: each of its columns is this many doubles. */
export const GROUP = 16;
export const COLUMN_BYTES = GROUP * 8;
/** A group of offers: prices of energy and power, fixed term, services, surplus. */
export const GROUP_BYTES = 15 * COLUMN_BYTES;

/** Integers of the demand, which follow nine doubles. */
export const DEMAND_INTEGERS = { energyEnd: 18, powerEnd: 19, hasRest: 20, needed: 21, commissions: 22 };
/** Bytes before the used columns, and of each of them. */
export const USED = 96;
export const USED_BYTES = 16;

/** Integers of a block. */
export const BLOCK_INTEGERS = 8; // the last one is spare, so that a block is 32 bytes

/** What is found: four doubles, then two integers at these places. */
export const FOUND = { candidates: 8, passing: 9 };

/** Rounded up to whole groups. */
export function padded(rows: number): number {
  return Math.ceil(rows / GROUP) * GROUP;
}
