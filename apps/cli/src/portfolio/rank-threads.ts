import type { Worker } from 'node:worker_threads';
import { askThread, startThread } from '@tarifario/runtime';
import type { CustomerRow } from './customer-file.ts';
import { createPieceMaker, type Piece, type PieceWork, type RankThreadData } from './rank-thread.ts';

/** Makes pieces of the output, several at once. */
export interface PieceMakers {
  /** How many pieces are made at once. */
  readonly count: number;
  make(rows: readonly CustomerRow[]): Promise<Piece>;
  close(): Promise<void>;
}

/** @param count - Number of threads; 1: this one, which alone can call what ranks. */
export function startPieceMakers(count: number, work: PieceWork): PieceMakers {
  const { ranking } = work;
  if (count === 1 || typeof ranking === 'function') {
    return { count: 1, make: createPieceMaker(work), close: async () => {} };
  }
  const data = { ...work, ranking };
  const idle = Array.from({ length: count }, () => start(data));
  const all = [...idle];
  const waiting: ((worker: Worker) => void)[] = [];
  const release = (worker: Worker) => {
    const next = waiting.shift();
    if (next) next(worker);
    else idle.push(worker);
  };
  const take = async (): Promise<Worker> => idle.pop() ?? new Promise((resolve) => waiting.push(resolve));
  return {
    count,
    async make(rows) {
      const worker = await take();
      try {
        return await askThread<Piece>({ worker, name: 'a thread that ranks', message: rows });
      } finally {
        release(worker);
      }
    },
    async close() {
      await Promise.all(all.map((worker) => worker.terminate()));
    },
  };
}

function start(data: RankThreadData): Worker {
  const worker = startThread(new URL('./rank-thread.ts', import.meta.url), { workerData: data });
  // The waiting caller gets the error by its own listener; without any listener the program would end first.
  worker.on('error', () => {});
  return worker;
}
