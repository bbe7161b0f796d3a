import { Worker } from 'node:worker_threads';
import { DomainError, type ImportJob, type ImportReport } from '@tarifario/core/service';
import type { CrossedError, FromImportThread, ToImportThread } from './import-service.ts';

/** Of the thread that applies files: some four times what the largest file takes that keeps within the caps. */
const MAX_HEAP_MB = 2048;
/** From the moment when the thread is given a file until it is applied: far longer than the largest file takes. */
const JOB_MS = 40_000;
/** What a caller is told whose file took longer: it may have been the machine. */
const RETRY_AFTER_SECONDS = 30;

export interface ImportWorkerSettings {
  readonly databaseUrl: string;
  /** How long the thread is kept when there is nothing to do. */
  readonly idleMs: number;
  /** Takes what went wrong in the thread and is nobody's answer. */
  readonly reportBug: (error: unknown) => void;
  /** What a file may take of time. */
  readonly jobMs?: number;
  /** Of the memory of the thread. */
  readonly heapMb?: number;
}

/** The thread that applies files. It begins when it is needed first, and again after it has ended, however it did. */
export interface ImportWorker {
  /**
   * One call at a time. A file that takes longer than it may, or more memory than there is, loses its thread, and what
   * was not committed by then never was.
   *
   * @param withinMs - When its caller has to be answered, where that is sooner.
   * @throws what `runImport` throws; DomainError `unavailable` and `too_large` when the thread was lost so; Error when
   *   it ended otherwise.
   */
  run(job: ImportJob, withinMs?: number): Promise<ImportReport>;
  /** Gets ready for a file that is on its way. */
  expectFile(): void;
  /** Takes up the upload that waits longest, and has the time of any file; `false`: none waits. One call at a time. */
  next(): Promise<boolean>;
  /** Ends the thread; what it is at is given up, and leaves no trace. */
  close(): Promise<void>;
}

export function createImportWorker(settings: ImportWorkerSettings): ImportWorker {
  const { databaseUrl, idleMs, reportBug, jobMs = JOB_MS, heapMb = MAX_HEAP_MB } = settings;
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | null = null;
  let isAsked = false;

  const running = (): Worker => {
    if (worker) return worker;
    const started = start(databaseUrl, heapMb);
    const forget = () => {
      if (worker === started) worker = null;
    };
    started.on('message', (message: FromImportThread) => {
      if (message.kind === 'bug') reportBug(toError(message.error));
    });
    started.on('error', (error) => {
      forget();
      // Whoever waits for an answer is told. Without a listener it would end this process.
      if (!isAsked) reportBug(error);
    });
    started.on('exit', forget);
    worker = started;
    return started;
  };
  const idleFrom = (asked: Worker) => {
    if (idle) clearTimeout(idle);
    idle = setTimeout(() => {
      if (worker !== asked) return;
      worker = null;
      asked.postMessage({ kind: 'close' } satisfies ToImportThread);
    }, idleMs).unref();
  };
  const ask = async (
    message: ToImportThread,
    withinMs: number,
    given: readonly ArrayBuffer[] = [],
  ): Promise<FromImportThread> => {
    if (idle) clearTimeout(idle);
    const asked = running();
    isAsked = true;
    asked.ref();
    const late = Promise.withResolvers<never>();
    // The place is free at once: what a thread is at may take a while to end.
    const timer = setTimeout(() => {
      if (worker === asked) worker = null;
      void asked.terminate();
      late.reject(tookTooLong());
    }, withinMs);
    try {
      return await Promise.race([answerOf(asked, message, given), late.promise]);
    } finally {
      clearTimeout(timer);
      isAsked = false;
      asked.unref();
      idleFrom(asked);
    }
  };
  return {
    expectFile() {
      const asked = running();
      asked.postMessage({ kind: 'expect' } satisfies ToImportThread);
      if (isAsked) return;
      asked.unref();
      idleFrom(asked);
    },
    async run(job, withinMs = jobMs) {
      const bytes = ownBytes(job.bytes);
      const answer = await ask({ kind: 'run', job: { ...job, bytes } }, Math.min(withinMs, jobMs), [bytes.buffer]);
      if (answer.kind === 'report') return answer.report;
      throw errorIn(answer);
    },
    async next() {
      const answer = await ask({ kind: 'next' }, jobMs);
      if (answer.kind === 'looked') return answer.hadWork;
      throw errorIn(answer);
    },
    async close() {
      if (idle) clearTimeout(idle);
      await worker?.terminate();
      worker = null;
    },
  };
}

function start(databaseUrl: string, heapMb: number): Worker {
  const isSource = import.meta.url.endsWith('.ts');
  const flags = process.execArgv.filter((flag) => flag === '--experimental-strip-types');
  return new Worker(new URL(isSource ? './import-thread.ts' : './import-thread.js', import.meta.url), {
    env: databaseEnvironment(),
    execArgv: isSource ? ['--conditions=tarifario-source', ...flags] : [],
    workerData: { databaseUrl },
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
}

/** What PostgreSQL is reached with where its address does not say it: `PGPASSWORD`, say, or the file in the home. */
function databaseEnvironment(): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter((name) => /^(PG[A-Z]+|USER|USERNAME|HOME|APPDATA)$/.test(name));
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

/** Bytes that can be given away: small ones share their memory with others. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(bytes);
}

function answerOf(worker: Worker, message: ToImportThread, given: readonly ArrayBuffer[]): Promise<FromImportThread> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      worker.removeListener('message', onMessage);
      worker.removeListener('error', onError);
      worker.removeListener('exit', onExit);
      act();
    };
    const onMessage = (answer: FromImportThread) => {
      if (answer.kind !== 'bug') settle(() => resolve(answer));
    };
    const onError = (cause: unknown) => settle(() => reject(lossOf(cause)));
    const onExit = () => settle(() => reject(new Error('the thread that applies files has ended')));
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.on('exit', onExit);
    worker.postMessage(message, given);
  });
}

/** What a caller is told whose file the thread did not survive. */
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

function toError({ name, message, stack }: CrossedError): Error {
  const error = new Error(message);
  error.name = name;
  error.stack = stack;
  return error;
}
