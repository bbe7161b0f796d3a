import { createFairQueue, type QueueKey } from '@tarifario/core/service';

/**
 * Makes all work wait for a turn of the event loop of its own. Work that many begin at the same moment does not add up
 * to one long stop: whatever else is ready runs in between. Keys get turns one after the other, however much work waits
 * under one of them.
 */
export function oneEachTurn(): (key: QueueKey) => Promise<void> {
  const queue = createFairQueue({ places: 1 });
  return (key) => queue.run(key, nextTurn);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Makes work answer for a while what it answered last. Those who ask while it is under way wait for the same answer, so
 * it is under way once at most.
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
