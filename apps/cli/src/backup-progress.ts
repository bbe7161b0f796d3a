import { statSync, writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { createProgress } from './progress.ts';

/** What this thread reads while the main thread does nothing but copy. */
export interface GrowingFile {
  readonly file: string;
  /** Its final size, approximately. */
  readonly bytes: number;
  readonly isTerminal: boolean;
  readonly isAsked: boolean;
}

const { file, bytes, isTerminal, isAsked }: GrowingFile = workerData;
// The main thread writes the stream of a thread, and is busy.
const progress = createProgress({ isTerminal, isAsked, write: (text) => writeSync(2, text) });

setInterval(() => {
  const done = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  progress.tell(done / bytes, `${Math.round(done / 1e6)} of ${Math.round(bytes / 1e6)} MB`);
}, 100);
