import { DomainError } from '../errors.ts';

/** Whose work it is: all work under one key has one fair share. */
export type QueueKey = number | string;

/** Lets work wait until there is a place for it. Keys that wait get places in turn, however much work each has. */
export interface FairQueue {
  /**
   * Waits for a place.
   *
   * @returns What gives the place back.
   * @throws DomainError `unavailable` when too much work of the key waits already, when it has waited for too long, and
   *   once the queue is closed.
   */
  take(key: QueueKey): Promise<() => void>;
  /** Runs work in a place. @throws What `take` throws, and what `work` throws. */
  run<T>(key: QueueKey, work: () => Promise<T>): Promise<T>;
  /** Refuses all work that waits or comes later. */
  close(): void;
}

/** How much work may be under way and may wait. */
export interface FairQueueSettings {
  /** Work that may be under way at once. */
  readonly places: number;
  /** Work of one key that may be under way at once; as much as there are places when left out. */
  readonly placesPerKey?: number;
  /** Work of one key that may wait; any amount when left out. */
  readonly waitingPerKey?: number;
  /** What work is told that is refused. */
  readonly refusal?: { readonly message?: string; readonly retryAfterSeconds: number };
  /** Begins to count how long work waits, and calls `giveUp` once that is too long; returns what ends the count. */
  readonly startTimer?: (giveUp: () => void) => () => void;
}

interface Entry {
  readonly begin: () => void;
  readonly refuse: () => void;
}

/** An empty queue. */
export function createFairQueue({
  places,
  placesPerKey = places,
  waitingPerKey = Number.POSITIVE_INFINITY,
  refusal = { retryAfterSeconds: 1 },
  startTimer = () => () => {},
}: FairQueueSettings): FairQueue {
  const underWay = new Map<QueueKey, number>();
  /** Keys in the order in which they get places: a key that got one goes behind the others. */
  const waiting = new Map<QueueKey, Entry[]>();
  let free = places;
  let isClosed = false;
  const refused = () => new DomainError('unavailable', refusal);

  const fillPlaces = (): void => {
    for (const [key, entries] of waiting) {
      if (free === 0) return;
      const count = underWay.get(key) ?? 0;
      if (count >= placesPerKey) continue;
      const entry = entries.shift();
      waiting.delete(key);
      if (entries.length > 0) waiting.set(key, entries);
      underWay.set(key, count + 1);
      free -= 1;
      entry?.begin();
    }
  };
  const giveBack = (key: QueueKey): void => {
    const count = (underWay.get(key) ?? 0) - 1;
    if (count > 0) underWay.set(key, count);
    else underWay.delete(key);
    free += 1;
    fillPlaces();
  };
  const leave = (key: QueueKey, entry: Entry): void => {
    const left = (waiting.get(key) ?? []).filter((other) => other !== entry);
    if (left.length > 0) waiting.set(key, left);
    else waiting.delete(key);
  };
  const take = async (key: QueueKey): Promise<() => void> => {
    const isFree = free > 0 && (underWay.get(key) ?? 0) < placesPerKey;
    const isFull = (waiting.get(key)?.length ?? 0) >= waitingPerKey;
    if (isClosed || (isFull && !isFree)) throw refused();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const entry: Entry = { begin: resolve, refuse: () => reject(refused()) };
    const others = waiting.get(key);
    if (others) others.push(entry);
    else waiting.set(key, [entry]);
    fillPlaces();
    const endTimer = isFree
      ? () => {}
      : startTimer(() => {
          leave(key, entry);
          entry.refuse();
        });
    try {
      await promise;
    } finally {
      endTimer();
    }
    return () => giveBack(key);
  };

  return {
    take,
    async run(key, work) {
      const end = await take(key);
      try {
        return await work();
      } finally {
        end();
      }
    },
    close() {
      isClosed = true;
      const entries = [...waiting.values()].flat();
      waiting.clear();
      for (const { refuse } of entries) refuse();
    },
  };
}
