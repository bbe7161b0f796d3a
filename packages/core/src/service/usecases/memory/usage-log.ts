import { secondsAfter } from '../../../engine/calendar.ts';
import type { Caller } from '../../access/caller.ts';
import { USE_STORED_SECONDS } from '../../accounts/account.ts';
import type { UsageEntry } from '../../accounts/usage.ts';
import type { Clock } from '../../ports/machine.ts';
import type { Store } from '../../ports/stores.ts';

/**
 * Buffers recorded calls in memory until they are written. Answers never wait for it, and if the store fails only the
 * entries beyond the bound are lost.
 */
export interface UsageLog {
  /**
   * Adds an entry for the next `flush`. When the log is full the entry is dropped and counted.
   *
   * @param caller - Where its key was not used lately, its use is stored too.
   */
  record(entry: UsageEntry, caller?: Pick<Caller, 'keyId' | 'lastUsedAt'>): void;
  /**
   * Writes the recorded entries in their order, and the uses of keys.
   *
   * @returns `false` when the store failed: the entries are written by the next `flush`. Entries that the failed store
   *   had written after all are not written twice.
   */
  flush(): Promise<boolean>;
  /** The number of waiting entries. */
  waiting(): number;
  /** The number of entries dropped since the process started. */
  dropped(): number;
}

/** The name of a log, its size, and where it reports failures. */
interface UsageLogOptions {
  /** Unique over all processes. */
  readonly name: string;
  /** Called with the error when the store fails, once until it works again. */
  readonly reportFailure: (error: unknown) => void;
  /** The most entries that wait; `DEFAULT_MAX_WAITING` when left out. */
  readonly maxWaiting?: number;
}

/** Entries that wait unless another number is given. */
const DEFAULT_MAX_WAITING = 20_000;
/** The most entries of one unit of work: other writers wait for it. */
export const USAGE_BATCH = 1000;

/** An empty log; one per process. */
export function createUsageLog(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  { name, reportFailure, maxWaiting = DEFAULT_MAX_WAITING }: UsageLogOptions,
): UsageLog {
  let queue: UsageEntry[] = [];
  /** Keys whose use is to be stored. */
  const usedKeys = new Set<number>();
  /** The first entries of the queue, which are sent together until it is certain that they are written. */
  let batch: { readonly number: number; readonly size: number } | null = null;
  let lastNumber = 0;
  let droppedCount = 0;
  let isFailing = false;
  let lastFlush = Promise.resolve(true);

  const writeWaiting = async (): Promise<boolean> => {
    // Entries recorded during the write are left for the next flush, so that this ends even under constant traffic.
    for (let remaining = queue.length; remaining > 0; ) {
      batch ??= { number: lastNumber + 1, size: Math.min(remaining, USAGE_BATCH) };
      const { number, size } = batch;
      const entries = queue.slice(0, size);
      const [used, at] = [[...usedKeys], clock.now()];
      try {
        await store.write({ keyId: null, at, concerns: ['usage'] }, async (writer) => {
          await writer.usage.insert(entries, { log: name, number });
          if (used.length > 0) await writer.keys.markUsed(used, secondsAfter(at, -USE_STORED_SECONDS));
        });
      } catch (error) {
        if (!isFailing) reportFailure(error);
        isFailing = true;
        return false;
      }
      isFailing = false;
      queue = queue.slice(size);
      for (const keyId of used) usedKeys.delete(keyId);
      remaining -= size;
      lastNumber = number;
      batch = null;
    }
    return true;
  };

  return {
    record(entry, caller) {
      if (queue.length < maxWaiting) queue.push(entry);
      else droppedCount += 1;
      if (caller && isUseStored(caller, entry.createdAt)) usedKeys.add(caller.keyId);
    },
    flush() {
      lastFlush = lastFlush.then(writeWaiting);
      return lastFlush;
    },
    waiting: () => queue.length,
    dropped: () => droppedCount,
  };
}

/** Whether a use at an instant is stored. */
function isUseStored({ lastUsedAt }: Pick<Caller, 'lastUsedAt'>, at: string): boolean {
  return lastUsedAt === null || lastUsedAt < secondsAfter(at, -USE_STORED_SECONDS);
}
