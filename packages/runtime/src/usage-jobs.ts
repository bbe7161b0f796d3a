import {
  type Clock,
  type Store,
  sweepAnswers,
  sweepUploadFiles,
  sweepUsage,
  type UsageLog,
} from '@tarifario/core/service';
import type { Log } from './log.ts';

/** What a recorded call waits at most before it is written, and as much again while that is done: 1 second in all. */
const FLUSH_EVERY_MS = 500;
const SWEEP_EVERY_MS = 3_600_000;

export interface UsageJobs {
  /** Ends the jobs; what they have begun is finished, and what waits is written. */
  stop(): Promise<void>;
}

/**
 * Writes recorded calls twice a second, and deletes old ones at once and then every hour, together with old files of
 * uploads and kept answers that are no longer in force.
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
  const keepGoing = () => !isStopped;
  const sweep = (what: string, work: (days: number) => Promise<number>) => async () => {
    if (retentionDays === null) return;
    try {
      const deleted = await work(retentionDays);
      if (deleted > 0) log.info({ deleted }, `old ${what} were deleted`);
    } catch (error) {
      log.warn({ error }, `old ${what} could not be deleted`);
    }
  };
  const sweepCalls = sweep('calls', (days) => sweepUsage(parts, { retentionDays: days, keepGoing }));
  const sweepFiles = sweep('files of uploads', () => sweepUploadFiles(parts));
  const sweepKept = sweep('answers', () => sweepAnswers(parts, { keepGoing }));

  const jobs = [
    repeat(flush, FLUSH_EVERY_MS),
    repeat(sweepCalls, SWEEP_EVERY_MS, { atOnce: true }),
    repeat(sweepFiles, SWEEP_EVERY_MS, { atOnce: true }),
    repeat(sweepKept, SWEEP_EVERY_MS, { atOnce: true }),
  ];
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
