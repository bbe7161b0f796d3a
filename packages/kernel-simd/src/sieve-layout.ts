// Where things lie in the memory of the sieve. The same numbers are in `assembly/portfolio.ts`.

/** Customers that are priced at once. */
export const WIDTH = 4;
/** Offers of a vector, and of a group: each column of a group is this many floats. */
export const LANES = 4;
export const GROUP = 8;
export const COLUMN_BYTES = GROUP * 4;
/** Offers of a chunk, and what is kept of each: the lowest and the highest of a column, the highest line. */
export const CHUNK = 32;
export const ENDS_BYTES = 32;
export const TOP_BYTES = 16;
/** Bytes of an offer: fifteen prices; a pair of numbers that make a commission line. */
export const TERMS_BYTES = 60;
export const LINES_BYTES = 8;
