// What the thread that applies files does. It has a connection of its own and reads files through a process of its own,
// so nothing that a file does is felt by whoever answers requests.
import { createHash } from 'node:crypto';
import type { MessagePort } from 'node:worker_threads';
import {
  DomainError,
  type ImportJob,
  type ImportReport,
  type RefusalCode,
  type RefusalDetails,
  runImport,
  runNextUpload,
  type Store,
} from '@tarifario/core/service';
import { createWorkbookReader } from '@tarifario/sheets';
import type { ReadingProcess } from '@tarifario/sheets/reading-process';
import { systemClock } from './clock.ts';

export type ToImportThread =
  | { readonly kind: 'run'; readonly job: ImportJob }
  /** Take up the upload that waits longest. */
  | { readonly kind: 'next' }
  /** Get ready for a file. */
  | { readonly kind: 'expect' }
  | { readonly kind: 'close' };

/** An error as it crosses: whatever else hangs on it may be no plain data. */
export interface CrossedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

export type FromImportThread =
  | { readonly kind: 'report'; readonly report: ImportReport }
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly details: RefusalDetails }
  | { readonly kind: 'failed'; readonly error: CrossedError }
  /** Whether there was an upload to take up. */
  | { readonly kind: 'looked'; readonly hadWork: boolean }
  /** No answer: something to be told to the log. */
  | { readonly kind: 'bug'; readonly error: CrossedError };

/** @param ready - The process that reads the first file. */
export function serveImports(
  port: MessagePort,
  databaseUrl: string,
  { ready }: { readonly ready: ReadingProcess },
): void {
  const send = (message: FromImportThread) => port.postMessage(message);
  const reportBug = (error: unknown) => send({ kind: 'bug', error: crossed(error) });
  const workbooks = createWorkbookReader({ ready });
  let opening: Promise<Store> | null = null;
  const opened = () => {
    opening ??= open(databaseUrl, reportBug);
    return opening;
  };
  const parts = {
    store: {
      read: async (work) => (await opened()).read(work),
      write: async (context, work) => (await opened()).write(context, work),
    } satisfies Pick<Store, 'read' | 'write'>,
    clock: systemClock,
    workbooks,
    sha256: (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex'),
    reportBug,
  };
  port.on('message', async (message: ToImportThread) => {
    if (message.kind === 'close') {
      workbooks.close();
      await (await opened()).close();
      return port.close();
    }
    // To load it takes a while, in which nothing else is done: not before the file is on its way to its process.
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
      else send({ kind: 'failed', error: crossed(error) });
    }
  });
}

async function open(databaseUrl: string, report: (error: unknown) => void): Promise<Store> {
  try {
    const { openStore } = await import('@tarifario/store');
    // One to write, and one to ask what became of a write whose answer was lost.
    return await openStore(databaseUrl, { maxConnections: 2, report });
  } catch (error) {
    // Without a database the thread ends, whoever waits is told, and the next file has another thread.
    setImmediate(() => {
      throw error;
    });
    return new Promise<never>(() => {});
  }
}

function crossed(error: unknown): CrossedError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: '' };
  return { name: error.name, message: error.message, stack: error.stack ?? '' };
}
