import {
  type Clock,
  type Store,
  sweepAnswers,
  sweepUploadFiles,
  sweepUsage,
  type UsageLog,
} from '@tarifario/core/service';
import type { Log } from './log.ts';

/** A recorded call waits at most this long before it is written. Writing may take as long again: 1 second in all. */
const FLUSH_EVERY_MS = 500;
const SWEEP_EVERY_MS = 3_600_000;

interface UsageJobs {
  /** Ends the jobs. Work in progress is finished, and waiting calls are written. */
  stop(): Promise<void>;
}

/**
 * Writes recorded calls twice a second. Deletes old calls now and then every hour, together with old files of uploads
 * and stored answers that are no longer valid.
 *
 * @param options - `retentionDays: null`: this process deletes nothing; another process of the installation does.
 */
export function startUsageJobs(
  parts: { readonly store: Store; readonly clock: Clock; readonly usageLog: UsageLog },
  options: { readonly retentionDays: number | null; readonly log: Log },
): UsageJobs {
  const { usageLog } = parts;
  const { retentionDays, log } = options;
  let isStopped = false;
  let reportedDropped = 0;

  const flush = async () => {
    await usageLog.flush();
    const dropped = usageLog.dropped();
    if (dropped > reportedDropped) log.warn({ dropped, waiting: usageLog.waiting() }, 'calls were not recorded');
    reportedDropped = dropped;
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
  const sweepStoredAnswers = sweep('answers', () => sweepAnswers(parts, { keepGoing }));

  const jobs = [
    repeat(flush, FLUSH_EVERY_MS),
    repeat(sweepCalls, SWEEP_EVERY_MS, { atOnce: true }),
    repeat(sweepFiles, SWEEP_EVERY_MS, { atOnce: true }),
    repeat(sweepStoredAnswers, SWEEP_EVERY_MS, { atOnce: true }),
  ];
  return {
    async stop() {
      isStopped = true;
      await Promise.all(jobs.map((job) => job.stop()));
      await flush();
    },
  };
}

/** Runs work repeatedly, never twice at once. It does not keep the process alive. */
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
