// Lists that are in order.

/** How many of a list come before one. */
export function countBefore<T>(list: readonly T[], one: T, compare: (a: T, b: T) => number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(list[middle] as T, one) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The first of a list in order and of others, in order. Of a long list few are compared.
 *
 * @param more - The others, in any order.
 */
export function firstOf<T>(
  list: readonly T[],
  more: readonly T[],
  compare: (a: T, b: T) => number,
  limit = Number.POSITIVE_INFINITY,
): readonly T[] {
  const all: T[] = [];
  let taken = 0;
  for (const one of more.toSorted(compare)) {
    const before = countBefore(list, one, compare);
    while (taken < before) all.push(list[taken++] as T);
    if (all.length >= limit) break;
    all.push(one);
  }
  while (taken < list.length && all.length < limit) all.push(list[taken++] as T);
  return all.length > limit ? all.slice(0, limit) : all;
}
