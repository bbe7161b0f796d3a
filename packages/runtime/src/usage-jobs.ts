import { type Clock, type Store, sweepUploadFiles, sweepUsage, type UsageLog } from '@tarifario/core';
import type { Log } from './log.ts';

/** What a recorded call waits at most before it is written, and as much again while that is done: 1 second in all. */
const FLUSH_EVERY_MS = 500;
const SWEEP_EVERY_MS = 3_600_000;

export interface UsageJobs {
  /** Ends both jobs; what they have begun is finished, and what waits is written. */
  stop(): Promise<void>;
}

/**
 * Writes recorded calls twice a second, and deletes old ones and old files of uploads at once and then every hour.
 *
 * @param options - `retentionDays: null`: nothing is deleted here; another process of the installation does it.
 */
export function startUsageJobs(
  parts: { readonly store: Store; readonly clock: Clock; readonly usageLog: UsageLog },
  options: { readonly retentionDays: number | null; readonly log: Log },
): UsageJobs {
  const { usageLog } = parts;
  const { retentionDays, log } = options;
  let isStopped = false;
  let toldDropped = 0;

  const flush = async () => {
    await usageLog.flush();
    const dropped = usageLog.dropped();
    if (dropped > toldDropped) log.warn({ dropped, waiting: usageLog.waiting() }, 'calls were not recorded');
    toldDropped = dropped;
  };
  const sweep = async () => {
    if (retentionDays === null) return;
    try {
      const deleted = await sweepUsage(parts, { retentionDays, keepGoing: () => !isStopped });
      if (deleted > 0) log.info({ deleted }, 'old calls were deleted');
    } catch (error) {
      log.warn({ error }, 'old calls could not be deleted');
    }
    try {
      const forgotten = await sweepUploadFiles(parts);
      if (forgotten > 0) log.info({ forgotten }, 'old files of uploads were deleted');
    } catch (error) {
      log.warn({ error }, 'old files of uploads could not be deleted');
    }
  };

  const jobs = [repeat(flush, FLUSH_EVERY_MS), repeat(sweep, SWEEP_EVERY_MS, { atOnce: true })];
  return {
    async stop() {
      isStopped = true;
      await Promise.all(jobs.map((job) => job.stop()));
      await flush();
    },
  };
}

/** Runs work again and again, never twice at once; it does not keep the process alive. */
function repeat(work: () => Promise<void>, everyMs: number, { atOnce = false } = {}) {
  let current: Promise<void> | null = null;
  const run = () => {
    current ??= work().finally(() => {
      current = null;
    });
  };
  const timer = setInterval(run, everyMs);
  timer.unref();
  if (atOnce) run();
  return {
    async stop(): Promise<void> {
      clearInterval(timer);
      await current;
    },
  };
}
