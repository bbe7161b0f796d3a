import type { Dialect } from './dialects.ts';

/**
 * What `work` answers for the items, in order, some of them at a time: as many as the database takes at once. Between
 * chunks everything else that waits may run, other requests included; an `await` alone would not let them.
 */
export async function inChunks<T, R>(
  { chunkSize }: Dialect,
  items: readonly T[],
  work: (chunk: readonly T[]) => Promise<readonly R[]>,
): Promise<readonly R[]> {
  if (items.length <= chunkSize) return items.length === 0 ? [] : await work(items);
  const answers: R[] = [];
  for (let start = 0; start < items.length; start += chunkSize) {
    for (const answer of await work(items.slice(start, start + chunkSize))) answers.push(answer);
    await pause();
  }
  return answers;
}

/** Lets everything else that waits run. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
