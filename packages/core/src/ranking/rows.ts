/** Where each of some blocks begins when their rows are counted through. */
export function startsOf<T>(blocks: readonly T[], lengthOf: (block: T) => number): Int32Array {
  const starts = new Int32Array(blocks.length);
  let next = 0;
  blocks.forEach((block, index) => {
    starts[index] = next;
    next += lengthOf(block);
  });
  return starts;
}

/** The number of the block that a row is in; the row has to be in one. */
export function blockAt(starts: Int32Array, row: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? 0) <= row) low = middle;
    else high = middle;
  }
  return low;
}
