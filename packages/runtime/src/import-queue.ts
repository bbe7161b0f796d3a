import {
  type Closing,
  connectionClosed,
  DomainError,
  type ImportJob,
  type ImportReport,
  type Imports,
  onceClosed,
} from '@tarifario/core/service';
import type { ImportThreadData } from './import-service.ts';
import { createImportWorker, type ImportWorker } from './import-worker.ts';
import type { Log } from './log.ts';

/** How many bulk-update files may wait while one is applied; fewer of one account, to leave room for others. */
const MAX_WAITING = 4;
const MAX_WAITING_OF_ONE = 2;
/** `Retry-After` when the queue is full. */
const RETRY_AFTER_SECONDS = 10;
/**
 * How long a caller waits for an answer, from the moment its file has arrived: less than the time-out of our proxies.
 */
const ANSWER_MS = 55_000;
/** How often to look for uploads that another process queued, or left behind when it died. */
const LOOK_EVERY_MS = 5_000;
const DRAIN_MS = 18_000;

export interface ImportSettings extends ImportThreadData {
  readonly log: Log;
  /**
   * Whether an upload is waiting. A cheap query, so that no thread is started for nothing. `null`: another process of
   * the installation applies uploads.
   */
  readonly hasWork: (() => Promise<boolean>) | null;
  /** For tests only. */
  readonly worker?: ImportWorker;
}

export interface ImportQueue extends Imports {
  /**
   * Refuses the waiting files and finishes the running one, for at most 18 seconds. If it takes longer it is abandoned
   * and changes nothing; an upload is then applied again once its lease has expired.
   */
  close(): Promise<void>;
}

interface Waiting {
  readonly job: ImportJob;
  readonly closing: Closing | undefined;
  /** In milliseconds of `performance.now()`. */
  readonly answerAt: number;
  /** Refuses the file at that moment, if it is still waiting. */
  readonly timer: NodeJS.Timeout;
  readonly resolve: (report: ImportReport) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Applies files one at a time in a separate thread: bulk updates in the order in which they arrived, and queued uploads
 * when no bulk update is waiting.
 */
export function createImports({ databaseUrl, regulatedPrices, log, hasWork, ...given }: ImportSettings): ImportQueue {
  const reportBug = (error: unknown) => log.error({ error }, 'a bug: an upload failed with "internal error"');
  const worker = given.worker ?? createImportWorker({ databaseUrl, regulatedPrices, reportBug });
  const waiting: Waiting[] = [];
  let current: Promise<void> | null = null;
  let isQueued = false;
  let isClosed = false;

  /** The work resolves with a function that answers its caller, called once the slot is free again. */
  const begin = (work: Promise<() => void>) => {
    current = work.then((answer) => {
      current = null;
      pump();
      answer();
    });
  };
  const pump = () => {
    if (isClosed || current) return;
    const next = waiting.shift();
    if (next) begin(apply(next));
    else if (isQueued) begin(takeUp());
  };
  const apply = ({ job, closing, answerAt, timer, resolve, reject }: Waiting): Promise<() => void> => {
    clearTimeout(timer);
    return worker.run(job, Math.max(0, answerAt - performance.now()), closing).then(
      (report) => () => resolve(report),
      (error) => () => reject(error),
    );
  };
  const takeUp = async (): Promise<() => void> => {
    isQueued = false;
    try {
      if (await worker.next()) isQueued = true;
    } catch (error) {
      log.error({ error }, 'uploads cannot be worked on for now');
    }
    return () => {};
  };
  const wake = () => {
    if (hasWork === null) return;
    isQueued = true;
    pump();
  };
  const look = async () => {
    try {
      if (!isClosed && !current && (await hasWork?.())) wake();
    } catch (error) {
      log.warn({ error }, 'queued uploads cannot be looked for');
    }
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();

  return {
    wake,
    expectFile() {
      if (!isClosed) worker.expectFile();
    },
    run(job, closing) {
      const own = waiting.filter(({ job: { caller } }) => caller.accountId === job.caller.accountId);
      const isFull = own.length >= MAX_WAITING_OF_ONE || waiting.length >= MAX_WAITING;
      if (isClosed || (current && isFull)) return Promise.reject(queueFull());
      const { promise, resolve, reject } = Promise.withResolvers<ImportReport>();
      const sendAway = (why: DomainError) => {
        const place = waiting.indexOf(entry);
        if (place < 0) return;
        waiting.splice(place, 1);
        clearTimeout(timer);
        reject(why);
      };
      const timer = setTimeout(() => sendAway(queueFull()), ANSWER_MS);
      const entry: Waiting = { job, closing, answerAt: performance.now() + ANSWER_MS, timer, resolve, reject };
      waiting.push(entry);
      pump();
      return promise.finally(onceClosed(closing, () => sendAway(connectionClosed())));
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      for (const { reject, timer } of waiting.splice(0)) {
        clearTimeout(timer);
        reject(queueFull());
      }
      await endedWithin(current, DRAIN_MS);
      await worker.close();
      await current;
    },
  };
}

function queueFull(): DomainError {
  const message = 'other files are being applied: try again later';
  return new DomainError('unavailable', { message, retryAfterSeconds: RETRY_AFTER_SECONDS, isQueueFull: true });
}

async function endedWithin(work: Promise<void> | null, ms: number): Promise<void> {
  if (work === null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const deadline = setTimeout(resolve, ms);
  await Promise.race([work, promise]);
  clearTimeout(deadline);
}
