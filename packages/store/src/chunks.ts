/** Records read or written in one go. Drivers may work without letting others run: this bounds for how long. */
const CHUNK_SIZE = 100;

/**
 * What `work` answers for the items, in order, `CHUNK_SIZE` of them at a time. Between chunks everything else that
 * waits may run, other requests included; an `await` alone would not let them.
 */
export async function inChunks<T, R>(
  items: readonly T[],
  work: (chunk: readonly T[]) => Promise<readonly R[]>,
): Promise<readonly R[]> {
  if (items.length <= CHUNK_SIZE) return items.length === 0 ? [] : await work(items);
  const answers: R[] = [];
  for (let start = 0; start < items.length; start += CHUNK_SIZE) {
    for (const answer of await work(items.slice(start, start + CHUNK_SIZE))) answers.push(answer);
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
