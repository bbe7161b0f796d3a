import { randomUUID } from 'node:crypto';
import { createDispatch, type Dispatch } from '@tarifario/api';
import { type Clock, createShelves, createUsageLog, isUploadQueued, type Secrets, type Store } from '@tarifario/core';
import { createWorkbookReader, createWorkbookWriter, csvTables } from '@tarifario/sheets';
import { openDatabase } from '@tarifario/store';
import { systemClock } from './clock.ts';
import { createImports } from './imports.ts';
import type { Log } from './log.ts';
import type { ServiceCounts } from './metrics.ts';
import { fastestKernel, fastestSieve } from './ranking-thread.ts';
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
  /** Finishes the file that is being applied, writes the calls that are not recorded yet, then closes the store. */
  close(): Promise<void>;
}

export interface ComposeOptions {
  /** Recorded calls older than this, and old files, are deleted now and every hour; `null`: not by this process. */
  readonly usageRetentionDays?: number | null;
  /** Whether this process takes up queued uploads, its own and those of others. */
  readonly worksOnUploads?: boolean;
  /** Connections to PostgreSQL that this process opens at most, besides those of the thread that applies files. */
  readonly maxConnections?: number;
}

/** Opens the store and puts everything together. Nothing is migrated. */
export async function compose(
  databaseUrl: string,
  log: Log,
  { usageRetentionDays = null, worksOnUploads = false, ...pool }: ComposeOptions = {},
): Promise<Service> {
  const report = (error: unknown) => log.error({ error }, 'the database failed');
  const database = await openDatabase(databaseUrl, { ...pool, report });
  const { store } = database;
  const files = { reader: createWorkbookReader(), writer: createWorkbookWriter() };
  const workbooks = { read: files.reader.read, write: files.writer.write };
  const hasWork = () => isUploadQueued({ store, clock: systemClock });
  const imports = createImports({ databaseUrl, log, hasWork: worksOnUploads ? hasWork : null });
  const machine = { store, clock: systemClock, secrets: createSecrets(), tables: csvTables };
  const turn = oneEachTurn();
  const shelves = createShelves({ pause: turn });
  const kernel = fastestKernel();
  const sieve = fastestSieve();
  const reportBug = (error: unknown) => log.error({ error }, 'a bug: the caller was told "internal error"');
  const reportFailure = (error: unknown) => log.error({ error }, 'calls cannot be recorded for now');
  const usageLog = createUsageLog(machine, { name: randomUUID(), reportFailure });
  const { limiter, refusals } = countRefusals(database.limiter ?? createMemoryRateLimiter());
  const dispatch = createDispatch({
    ...machine,
    workbooks,
    imports,
    shelves,
    kernel,
    sieve,
    limiter,
    usageLog,
    reportBug,
    turn,
  });
  const usageJobs = startUsageJobs({ ...machine, usageLog }, { retentionDays: usageRetentionDays, log });
  const counts = () => ({
    usage: { waiting: usageLog.waiting(), dropped: usageLog.dropped() },
    shelves: shelves.counts(),
    refusals,
  });
  const isReady = async () => {
    try {
      await store.read((reader) => reader.account(0));
      return (await database.pending()).length === 0;
    } catch (error) {
      log.warn({ error }, 'the database cannot be used');
      return false;
    }
  };
  const close = async () => {
    await imports.close();
    files.reader.close();
    await files.writer.close();
    await usageJobs.stop().finally(() => store.close());
  };
  return { ...machine, counts, dispatch, isReady, close };
}

export { createWorkbookReader } from '@tarifario/sheets';
export { backUp, exposureOf, migrate } from '@tarifario/store';
