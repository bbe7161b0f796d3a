import type { Worker } from 'node:worker_threads';
import {
  type Closing,
  connectionClosed,
  DomainError,
  type ImportJob,
  type ImportReport,
  onceClosed,
} from '@tarifario/core/service';
import type {
  FromImportThread,
  ImportThreadData,
  SerializedError,
  StartedImportThread,
  ToImportThread,
} from './import-service.ts';
import { askThread, startThread } from './thread.ts';

/** Heap limit of the thread that applies files: about four times what the largest permitted file needs. */
const MAX_HEAP_MB = 2048;
/** How long the thread may take to apply a file: far longer than the largest permitted file needs. */
const JOB_MS = 40_000;
const IDLE_MS = 60_000;
/**
 * How long an abandoned thread may take to end the processes that read files, and one that is still starting. It loads
 * the store in one piece, and ended meanwhile it would leave its process behind.
 */
const END_MS = { ready: 2_000, starting: 10_000 } as const;
/** `Retry-After` for a file that took longer: the machine may have been busy. */
const RETRY_AFTER_SECONDS = 30;

export interface ImportWorkerSettings extends ImportThreadData {
  /** Called with errors of the thread that are not the answer to a call. */
  readonly reportBug: (error: unknown) => void;
  /** How long an idle thread stays alive. */
  readonly idleMs?: number;
  /** Time limit for one file. */
  readonly jobMs?: number;
  /** Heap limit of the thread. */
  readonly heapMb?: number;
}

/** The thread that applies files. It starts when it is first needed, and again whenever it has ended. */
export interface ImportWorker {
  /**
   * One call at a time. A file that exceeds the time or memory limit ends the thread; what is not committed by then is
   * not applied.
   *
   * @param withinMs - A shorter time limit, where the caller has to be answered sooner.
   * @param closing - Ends the thread as the time limit does.
   * @throws what `runImport` throws; DomainError `unavailable` for the time limit and `too_large` for the memory limit;
   *   Error when the thread ended for another reason.
   */
  run(job: ImportJob, withinMs?: number, closing?: Closing): Promise<ImportReport>;
  /** Starts the thread and its reading process for a file that is on its way. */
  expectFile(): void;
  /**
   * Applies the upload that has waited longest, under the same time limit; `false`: none was waiting. One call at a
   * time.
   */
  next(): Promise<boolean>;
  /** Ends the thread. Work in progress is abandoned and changes nothing. */
  close(): Promise<void>;
}

/** What bounds a question to the thread, and the buffers that go with it. */
interface Asked {
  readonly withinMs: number;
  readonly closing?: Closing | undefined;
  readonly transferred?: readonly ArrayBuffer[];
}

export function createImportWorker(settings: ImportWorkerSettings): ImportWorker {
  const { databaseUrl, regulatedPrices, idleMs = IDLE_MS, reportBug, jobMs = JOB_MS, heapMb = MAX_HEAP_MB } = settings;
  let worker: ImportThread | null = null;
  let idle: NodeJS.Timeout | null = null;
  let isAsked = false;
  const running = (): ImportThread => {
    if (worker) return worker;
    const started = start({ databaseUrl, regulatedPrices }, heapMb);
    const forget = () => {
      if (worker === started) worker = null;
    };
    const { thread } = started;
    thread.on('message', (message: FromImportThread) => {
      if (message.kind === 'bug') reportBug(toError(message.error));
    });
    thread.on('error', (error) => {
      forget();
      // A waiting caller gets the error by its own listener. Without any listener the error would end this process.
      if (!isAsked) reportBug(error);
    });
    thread.on('exit', forget);
    worker = started;
    return started;
  };
  const idleFrom = (started: ImportThread) => {
    if (idle) clearTimeout(idle);
    idle = setTimeout(() => {
      if (worker !== started) return;
      worker = null;
      started.thread.postMessage({ kind: 'close' } satisfies ToImportThread);
    }, idleMs).unref();
  };
  const ask = async (message: ToImportThread, asked: Asked): Promise<FromImportThread> => {
    const { withinMs, closing, transferred = [] } = asked;
    if (idle) clearTimeout(idle);
    const started = running();
    const { thread } = started;
    isAsked = true;
    thread.ref();
    const late = Promise.withResolvers<never>();
    // The slot is freed at once, because ending the thread may take a while.
    const abandon = (why: DomainError) => {
      if (worker === started) worker = null;
      started.abandon();
      late.reject(why);
    };
    const timer = setTimeout(() => abandon(tookTooLong()), withinMs);
    const forget = onceClosed(closing, () => abandon(connectionClosed()));
    try {
      const isAnswer = ({ kind }: FromImportThread) => kind !== 'bug' && kind !== 'ready';
      const about = { worker: thread, name: 'the thread that applies files', isAnswer, lossOf };
      return await Promise.race([askThread<FromImportThread>({ ...about, message, transferred }), late.promise]);
    } finally {
      clearTimeout(timer);
      forget();
      isAsked = false;
      thread.unref();
      idleFrom(started);
    }
  };
  return {
    expectFile() {
      const started = running();
      const { thread } = started;
      thread.postMessage({ kind: 'expect' } satisfies ToImportThread);
      if (isAsked) return;
      thread.unref();
      idleFrom(started);
    },
    async run(job, withinMs = jobMs, closing) {
      if (closing?.aborted) throw connectionClosed();
      const bytes = ownBytes(job.bytes);
      const limits = { withinMs: Math.min(withinMs, jobMs), closing, transferred: [bytes.buffer] };
      const answer = await ask({ kind: 'run', job: { ...job, bytes } }, limits);
      if (answer.kind === 'report') return answer.report;
      throw errorIn(answer);
    },
    async next() {
      const answer = await ask({ kind: 'next' }, { withinMs: jobMs });
      if (answer.kind === 'looked') return answer.hadWork;
      throw errorIn(answer);
    },
    async close() {
      if (idle) clearTimeout(idle);
      await worker?.thread.terminate();
      worker = null;
    },
  };
}

interface ImportThread {
  readonly thread: Worker;
  /** Ends it, after the processes that it has started. What it has not committed is not applied. */
  abandon(): void;
}

function start(data: ImportThreadData, heapMb: number): ImportThread {
  const abandoned = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const thread = startThread(new URL('./import-thread.ts', import.meta.url), {
    env: threadEnvironment(),
    workerData: { ...data, abandoned } satisfies StartedImportThread,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  let isReady = false;
  thread.on('message', ({ kind }: FromImportThread) => {
    if (kind === 'ready') isReady = true;
  });
  return {
    thread,
    abandon() {
      Atomics.store(abandoned, 0, 1);
      thread.postMessage({ kind: 'abandon' } satisfies ToImportThread);
      const timer = setTimeout(() => void thread.terminate(), isReady ? END_MS.ready : END_MS.starting).unref();
      thread.once('exit', () => clearTimeout(timer));
    },
  };
}

/**
 * Variables that complete the address of PostgreSQL, such as `PGPASSWORD`, or `HOME` for the password file, and where
 * Node keeps compiled code: a start takes half as long with it.
 */
function threadEnvironment(): NodeJS.ProcessEnv {
  const wanted = /^(PG[A-Z]+|USER|USERNAME|HOME|APPDATA|NODE_COMPILE_CACHE)$/;
  const names = Object.keys(process.env).filter((name) => wanted.test(name));
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

/** Bytes that can be transferred to the thread. Small buffers share their memory with others, so those are copied. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(bytes);
}

/** The error for a caller whose file ended the thread. */
function lossOf(cause: unknown): Error {
  if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return new DomainError('too_large', {
      message: 'the file is too large: to apply it takes more memory than there is',
    });
  }
  return new Error('the thread that applies files failed', { cause });
}

function tookTooLong(): DomainError {
  const message = 'applying the file took too long, and nothing was changed: try again later, or with a smaller file';
  return new DomainError('unavailable', { message, retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function errorIn(answer: FromImportThread): Error {
  if (answer.kind === 'refused') return new DomainError(answer.code, answer.details);
  if (answer.kind === 'failed') return toError(answer.error);
  return new Error(`the thread that applies files answered ${answer.kind}`);
}

function toError({ name, message, stack }: SerializedError): Error {
  const error = new Error(message);
  error.name = name;
  error.stack = stack;
  return error;
}
