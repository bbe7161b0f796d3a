// How the rows of a table become those of the next one: most stay as they are, some are changed, some come between them.

/** Rows that stay as they are: from one to another, excluded, and where they begin afterwards. */
interface Unchanged {
  readonly from: number;
  readonly end: number;
  readonly to: number;
}

/** Where each row comes from. */
export interface Move {
  readonly rowCount: number;
  readonly unchanged: readonly Unchanged[];
  /** The changed and added offers in their order: the row of each, and the row that it had; -1: it is new. */
  readonly changed: readonly { readonly at: number; readonly before: number }[];
  /** No offer is added. */
  readonly isInPlace: boolean;
}

/** @param changed - Ids, ascending, each once. */
export function moveFor(ids: Float64Array, changed: readonly number[]): Move {
  const unchanged: Unchanged[] = [];
  const places: { readonly at: number; readonly before: number }[] = [];
  let [from, to] = [0, 0];
  const stay = (end: number) => {
    if (end > from) unchanged.push({ from, end, to });
    to += end - from;
    from = end;
  };
  for (const id of changed) {
    stay(placeOf(ids, id));
    const isKnown = ids[from] === id;
    places.push({ at: to++, before: isKnown ? from++ : -1 });
  }
  stay(ids.length);
  return { rowCount: to, unchanged, changed: places, isInPlace: to === ids.length };
}

/** The first row whose id is not less. @param ids - Ascending. */
export function placeOf(ids: Float64Array, id: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] as number) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The arrays of a table. */
export type Numbers = Float64Array | Int32Array | Uint16Array | Uint8Array;

/** An array with so many numbers a row after a move; those of changed rows are still to be written. */
export function moveNumbers<T extends Numbers>(numbers: T, width: number, move: Move): T {
  // A copy of the whole is the fastest.
  if (move.isInPlace) return numbers.slice() as T;
  const make = numbers.constructor as new (length: number) => T;
  const moved = new make(width * move.rowCount);
  for (const { from, end, to } of move.unchanged) moved.set(numbers.subarray(width * from, width * end), width * to);
  return moved;
}

/** The same of a list; changed rows have nothing. */
export function moveList<T>(list: readonly T[], move: Move): (T | undefined)[] {
  const moved: (T | undefined)[] = move.isInPlace ? list.slice() : new Array(move.rowCount).fill(undefined);
  if (!move.isInPlace) {
    for (const { from, end, to } of move.unchanged) for (let i = from; i < end; i++) moved[to + i - from] = list[i];
  }
  for (const { at } of move.changed) moved[at] = undefined;
  return moved;
}
