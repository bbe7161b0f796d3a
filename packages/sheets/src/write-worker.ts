// The thread that writes one file: it receives sheets and rows as messages and answers each, the last with the file.
import { parentPort } from 'node:worker_threads';
import type { CellToWrite } from '@tarifario/core/service';
import { createSheetWriting, type SheetHead } from './sheet-writing.ts';

export type ToWriteWorker =
  | { readonly kind: 'sheet'; readonly head: SheetHead }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly CellToWrite[])[] }
  | { readonly kind: 'finish' };

/** The file; `null`: ready for the next message. */
export type FromWriteWorker = Uint8Array<ArrayBuffer> | null;

const writing = createSheetWriting();

parentPort?.on('message', async (message: ToWriteWorker) => {
  if (message.kind === 'sheet') writing.sheet(message.head);
  if (message.kind === 'rows') writing.rows(message.rows);
  const answer: FromWriteWorker = message.kind === 'finish' ? await writing.finish() : null;
  parentPort?.postMessage(answer, answer === null ? [] : [answer.buffer]);
});
