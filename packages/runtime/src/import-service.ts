// The program of the thread that applies files. It has its own database connection and reads files in its own process,
// so no file slows down the thread that answers requests.
import { createHash } from 'node:crypto';
import type { MessagePort } from 'node:worker_threads';
import {
  DomainError,
  type ImportJob,
  type ImportReport,
  type RefusalCode,
  type RefusalDetails,
  type RegulatedPrice,
  runImport,
  runNextUpload,
  type Store,
} from '@tarifario/core/service';
import { createWorkbookReader } from '@tarifario/sheets';
import { endReadingProcesses, type ReadingProcess } from '@tarifario/sheets/reading-process';
import { systemClock } from './clock.ts';

export type ToImportThread =
  | { readonly kind: 'run'; readonly job: ImportJob }
  /** Apply the upload that has waited longest. */
  | { readonly kind: 'next' }
  /** Get ready for a file. */
  | { readonly kind: 'expect' }
  /** End the processes that read files, and then the thread: what it does is abandoned. */
  | { readonly kind: 'abandon' }
  | { readonly kind: 'close' };

/** An error in a form that can be sent to another thread. Its other properties may not be plain data. */
export interface SerializedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

export type FromImportThread =
  | { readonly kind: 'report'; readonly report: ImportReport }
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly details: RefusalDetails }
  | { readonly kind: 'failed'; readonly error: SerializedError }
  /** Whether there was an upload to apply. */
  | { readonly kind: 'looked'; readonly hadWork: boolean }
  /** Not an answer: the thread takes messages from now on. */
  | { readonly kind: 'ready' }
  /** Not an answer: an error for the log. */
  | { readonly kind: 'bug'; readonly error: SerializedError };

/** What the thread is started with. */
export interface ImportThreadData {
  readonly databaseUrl: string;
  /** With those of the operator; left out: the table of core. */
  readonly regulatedPrices?: readonly RegulatedPrice[] | undefined;
}

export interface StartedImportThread extends ImportThreadData {
  /** Shared; once it is 1, nothing is committed any more. */
  readonly abandoned: Int32Array;
}

/** @param ready - The process that reads the first file. */
export function serveImports(
  port: MessagePort,
  { databaseUrl, regulatedPrices, abandoned }: StartedImportThread,
  { ready }: { readonly ready: ReadingProcess },
): void {
  const send = (message: FromImportThread) => port.postMessage(message);
  const isAbandoned = () => Atomics.load(abandoned, 0) === 1;
  const reportBug = (error: unknown) => {
    if (!isAbandoned()) send({ kind: 'bug', error: serializedError(error) });
  };
  const workbooks = createWorkbookReader({ ready });
  let opening: Promise<Store> | null = null;
  const opened = () => {
    opening ??= open(databaseUrl, reportBug);
    return opening;
  };
  const parts = {
    store: {
      read: async (work) => (await opened()).read(work),
      write: async (context, work) =>
        (await opened()).write(context, async (writer) => {
          const result = await work(writer);
          if (isAbandoned()) throw new Error('the file was abandoned');
          return result;
        }),
    } satisfies Pick<Store, 'read' | 'write'>,
    clock: systemClock,
    workbooks,
    regulatedPrices,
    sha256: (content: Uint8Array | string) => createHash('sha256').update(content).digest('hex'),
    reportBug,
  };
  port.on('message', async (message: ToImportThread) => {
    if (message.kind === 'close') {
      workbooks.close();
      await (await opened()).close();
      return port.close();
    }
    if (message.kind === 'abandon') {
      await endReadingProcesses();
      // Of this thread.
      return process.exit();
    }
    // Loading the store blocks this thread for a while, so it starts after the file has been sent to its process.
    setImmediate(opened);
    if (message.kind === 'expect') return workbooks.expect();
    try {
      send(
        message.kind === 'run'
          ? { kind: 'report', report: await runImport(parts, message.job) }
          : { kind: 'looked', hadWork: await runNextUpload(parts) },
      );
    } catch (error) {
      if (error instanceof DomainError) send({ kind: 'refused', code: error.code, details: error.details });
      else send({ kind: 'failed', error: serializedError(error) });
    }
  });
  send({ kind: 'ready' });
}

async function open(databaseUrl: string, report: (error: unknown) => void): Promise<Store> {
  try {
    const { openStore } = await import('@tarifario/store');
    // One connection to write, and one to find out the outcome of a commit whose answer was lost.
    return await openStore(databaseUrl, { maxConnections: 2, report });
  } catch (error) {
    // Without a database the thread ends, the waiting caller gets an error, and the next file gets a new thread.
    setImmediate(() => {
      throw error;
    });
    return new Promise<never>(() => {});
  }
}

function serializedError(error: unknown): SerializedError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: '' };
  return { name: error.name, message: error.message, stack: error.stack ?? '' };
}
