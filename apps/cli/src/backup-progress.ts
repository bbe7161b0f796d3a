import { statSync, writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { createProgress } from './progress.ts';

/** What this thread reads while the main thread does nothing but copy. */
export interface GrowingFile {
  readonly file: string;
  /** How large it will be, about. */
  readonly bytes: number;
  readonly isTerminal: boolean;
  readonly isAsked: boolean;
}

const { file, bytes, isTerminal, isAsked }: GrowingFile = workerData;
// The stream of a thread is written by the main thread, which is busy.
const progress = createProgress({ isTerminal, isAsked, write: (text) => writeSync(2, text) });

setInterval(() => {
  const done = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  progress.tell(done / bytes, `${Math.round(done / 1e6)} of ${Math.round(bytes / 1e6)} MB`);
}, 100);
