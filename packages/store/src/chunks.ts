import type { Dialect } from './dialects.ts';

/**
 * Runs `work` over the items in chunks of the size that suits the database, and returns the results in order. Between
 * chunks it yields to the event loop, so that other requests can run; an `await` alone would not allow that.
 *
 * If the database runs in another process, the next chunk is prepared while it works, and its first statement waits its
 * turn.
 */
export async function inChunks<T, R>(
  { chunkSize, worksElsewhere }: Dialect,
  items: readonly T[],
  work: (chunk: readonly T[]) => Promise<readonly R[]>,
): Promise<readonly R[]> {
  if (items.length <= chunkSize) return items.length === 0 ? [] : await work(items);
  const answers: R[] = [];
  const underWay: Promise<readonly R[]>[] = [];
  for (let start = 0; start < items.length; start += chunkSize) {
    const chunk = work(items.slice(start, start + chunkSize));
    // Only the first error is reported. The other chunks fail with it, because their transaction is lost.
    chunk.catch(() => undefined);
    underWay.push(chunk);
    await pause();
    if (!worksElsewhere || underWay.length > 1)
      for (const answer of (await underWay.shift()) ?? []) answers.push(answer);
  }
  for (const chunk of underWay) for (const answer of await chunk) answers.push(answer);
  return answers;
}

/** Yields to the event loop. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
