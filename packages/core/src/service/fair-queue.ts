import { DomainError } from '../engine/errors.ts';
import type { Message } from '../engine/messages/message.ts';

/** Identifies the owner of work: all work under one key gets one fair share. */
export type QueueKey = number | string;

/** Limits how much work runs at once. Waiting keys get free places in turn, however much work each has. */
export interface FairQueue {
  /**
   * Waits for a place.
   *
   * @returns A function that gives the place back.
   * @throws DomainError `unavailable` when too much work of the key is waiting, when it has waited too long, and once
   *   the queue is closed.
   */
  take(key: QueueKey): Promise<() => void>;
  /** Waits for a place and runs work in it. @throws What `take` throws, and what `work` throws. */
  run<T>(key: QueueKey, work: () => Promise<T>): Promise<T>;
  /** Refuses all waiting and later work. */
  close(): void;
}

/** How much work may run and wait. */
export interface FairQueueSettings {
  /** How much work may run at once. */
  readonly places: number;
  /** How much work of one key may run at once; as much as there are places when left out. */
  readonly placesPerKey?: number;
  /** How much work of one key may wait; any amount when left out. */
  readonly waitingPerKey?: number;
  /** The refusal of work that cannot run. */
  readonly refusal?: { readonly message?: Message; readonly retryAfterSeconds: number };
  /** Starts a timer that calls `giveUp` when work has waited too long; returns a function that stops it. */
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
  /** Keys in the order in which they get places. A key that got one moves to the end. */
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
    const others = (waiting.get(key) ?? []).filter((other) => other !== entry);
    if (others.length > 0) waiting.set(key, others);
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
