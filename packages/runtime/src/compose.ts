import { createDispatch, type Dispatch } from '@tarifario/api';
import { type Clock, createShelves, createUsageLog, type Secrets, type Store } from '@tarifario/core';
import { csvTables } from '@tarifario/sheets';
import { openStore, pendingMigrations } from '@tarifario/store';
import { systemClock } from './clock.ts';
import type { Log } from './log.ts';
import type { ServiceCounts } from './metrics.ts';
import { createMemoryRateLimiter } from './rate-limiter.ts';
import { countRefusals } from './refusal-count.ts';
import { createSecrets } from './secrets.ts';
import { oneEachTurn } from './turns.ts';
import { startUsageJobs } from './usage-jobs.ts';

/** The parts of one process, wired together. */
export interface Service {
  readonly store: Store;
  readonly clock: Clock;
  readonly secrets: Secrets;
  /** What this process counted so far, and what it holds. */
  counts(): ServiceCounts;
  /** Answers one request of any door. Never rejects. */
  readonly dispatch: Dispatch;
  /** Whether the database can be reached and has every migration. */
  readonly isReady: () => Promise<boolean>;
  /** Writes the calls that are not recorded yet, then closes the store. */
  close(): Promise<void>;
}

export interface ComposeOptions {
  /** Recorded calls older than this are deleted now and every hour; `null`: not by this process. */
  readonly usageRetentionDays?: number | null;
}

/** Opens the store and puts everything together. Nothing is migrated. */
export async function compose(
  databaseUrl: string,
  log: Log,
  { usageRetentionDays = null }: ComposeOptions = {},
): Promise<Service> {
  const store = await openStore(databaseUrl);
  const machine = { store, clock: systemClock, secrets: createSecrets(), tables: csvTables };
  const turn = oneEachTurn();
  const shelves = createShelves({ pause: turn });
  const reportBug = (error: unknown) => log.error({ error }, 'a bug: the caller was told "internal error"');
  const reportFailure = (error: unknown) => log.error({ error }, 'calls cannot be recorded for now');
  const usageLog = createUsageLog(machine, { reportFailure });
  const { limiter, refusals } = countRefusals(createMemoryRateLimiter());
  const dispatch = createDispatch({ ...machine, shelves, limiter, usageLog, reportBug, turn });
  const usageJobs = startUsageJobs({ ...machine, usageLog }, { retentionDays: usageRetentionDays, log });
  const counts = () => ({
    usage: { waiting: usageLog.waiting(), dropped: usageLog.dropped() },
    shelves: shelves.counts(),
    refusals,
  });
  const isReady = async () => {
    try {
      await store.read((reader) => reader.account(0));
      return (await pendingMigrations(databaseUrl)).length === 0;
    } catch (error) {
      log.warn({ error }, 'the database cannot be used');
      return false;
    }
  };
  const close = () => usageJobs.stop().finally(() => store.close());
  return { ...machine, counts, dispatch, isReady, close };
}

export { backUp, migrate } from '@tarifario/store';
