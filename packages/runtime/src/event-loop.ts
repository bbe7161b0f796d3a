import { createFairQueue, type QueueKey } from '@tarifario/core/service';

/**
 * Creates a function to call before a piece of work: it yields to the event loop, and lets one caller continue per turn
 * of the loop. Many pieces that start at the same moment do not add up to one long block, because other events run in
 * between. Keys take turns, however much work waits under one of them.
 */
export function createYieldQueue(): (key: QueueKey) => Promise<void> {
  const queue = createFairQueue({ places: 1 });
  return (key) => queue.run(key, nextTurn);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Reuses the last answer of `work` for some milliseconds. Calls that arrive while it runs wait for the same answer, so
 * it never runs twice at once.
 */
export function remembered<T>(ms: number, work: () => Promise<T>): () => Promise<T> {
  let last: { readonly answer: Promise<T>; until: number } | null = null;
  return () => {
    if (last !== null && performance.now() < last.until) return last.answer;
    const next = { answer: work(), until: Number.POSITIVE_INFINITY };
    const end = () => {
      next.until = performance.now() + ms;
    };
    next.answer.then(end, end);
    last = next;
    return next.answer;
  };
}
