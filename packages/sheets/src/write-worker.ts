// The thread that writes one file: it receives sheets and rows as messages and answers with the file.
import { parentPort } from 'node:worker_threads';
import type { CellToWrite } from '@tarifario/core/service';
import { createSheetWriting, type SheetHead } from './sheet-writing.ts';

export type ToWriteWorker =
  | { readonly kind: 'sheet'; readonly head: SheetHead }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly CellToWrite[])[] }
  | { readonly kind: 'finish' };

export type FromWriteWorker = { readonly kind: 'next' } | { readonly kind: 'file'; readonly bytes: Uint8Array };

const writing = createSheetWriting();

parentPort?.on('message', async (message: ToWriteWorker) => {
  switch (message.kind) {
    case 'sheet':
      writing.sheet(message.head);
      return send({ kind: 'next' });
    case 'rows':
      writing.rows(message.rows);
      return send({ kind: 'next' });
    case 'finish': {
      const bytes = await writing.finish();
      return send({ kind: 'file', bytes }, [bytes.buffer]);
    }
  }
});

function send(message: FromWriteWorker, moved: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, moved);
}
