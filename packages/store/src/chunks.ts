import type { Dialect } from './dialects.ts';

/**
 * What `work` answers for the items, in order, some of them at a time: as many as the database takes at once. Between
 * chunks everything else that waits may run, other requests included; an `await` alone would not let them.
 *
 * Where the database works elsewhere, the next chunk is begun while it does: it is made ready meanwhile, and its first
 * statement waits its turn.
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
    // Whoever fails first is heard; the others fail with it, because their transaction is lost.
    chunk.catch(() => undefined);
    underWay.push(chunk);
    await pause();
    if (!worksElsewhere || underWay.length > 1)
      for (const answer of (await underWay.shift()) ?? []) answers.push(answer);
  }
  for (const chunk of underWay) for (const answer of await chunk) answers.push(answer);
  return answers;
}

/** Lets everything else that waits run. */
export function pause(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
