// The thread that applies files: one message in, one answer out, one at a time. It has a connection of its own and
// reads files through a process of its own, so nothing that a file does is felt by whoever answers requests.
import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import {
  DomainError,
  type ImportJob,
  type ImportReport,
  type RefusalCode,
  type RefusalDetails,
  runImport,
  runNextUpload,
} from '@tarifario/core';
import { createWorkbookReader } from '@tarifario/sheets';
import { openStore } from '@tarifario/store';
import { systemClock } from './clock.ts';

export type ToImportThread =
  | { readonly kind: 'run'; readonly job: ImportJob }
  /** Take up the upload that waits longest. */
  | { readonly kind: 'next' }
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

const port = parentPort;
if (port === null) throw new Error('this program is a thread of another');
const { databaseUrl }: { readonly databaseUrl: string } = workerData;

const workbooks = createWorkbookReader();
const reportBug = (error: unknown) => send({ kind: 'bug', error: crossed(error) });
// One to write, and one to ask what became of a write whose answer was lost.
const store = await openStore(databaseUrl, { maxConnections: 2, report: reportBug });
const parts = {
  store,
  clock: systemClock,
  workbooks,
  sha256: (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex'),
  reportBug,
};

port.on('message', async (message: ToImportThread) => {
  if (message.kind === 'close') {
    workbooks.close();
    await store.close();
    port.close();
    return;
  }
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

function send(message: FromImportThread): void {
  port?.postMessage(message);
}

function crossed(error: unknown): CrossedError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: '' };
  return { name: error.name, message: error.message, stack: error.stack ?? '' };
}
