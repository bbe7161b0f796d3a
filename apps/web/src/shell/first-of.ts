/** The first of a list, over its pages; without a count all of it. */
export async function firstOf<T>(list: AsyncIterable<T>, count = Number.POSITIVE_INFINITY): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const one of list) {
    all.push(one);
    if (all.length >= count) break;
  }
  return all;
}
