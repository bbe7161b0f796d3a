import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { answerParent } from '../child.ts';
import { wallMicros } from '../measure.ts';
import type { PortfolioShare, PortfolioThreadData } from './portfolio-thread.ts';

/** Threads that rank portfolios. Arguments: how many, offers, customers, offers that each is told, and with or without. */
const [threads = 1, offerCount = 0, customerCount = 0, limit = 1] = process.argv.slice(2, 6).map(Number);
const data: PortfolioThreadData = { offerCount, customerCount, limit, withSieve: process.argv[6] === 'sieve' };
const workers = Array.from({ length: threads }, () => {
  const options = { workerData: data, execArgv: ['--conditions=source'] };
  return new Worker(new URL('portfolio-thread.ts', import.meta.url), options);
});
await Promise.all(workers.map((worker) => once(worker, 'message')));

/** Has each thread rank as many, and waits for all. */
async function rank({ from, to }: PortfolioShare): Promise<readonly Int32Array[]> {
  const each = (to - from) / threads;
  return Promise.all(
    workers.map(async (worker, index): Promise<Int32Array> => {
      const answered = once(worker, 'message');
      const share: PortfolioShare = { from: from + index * each, to: from + (index + 1) * each };
      worker.postMessage(share);
      const [ids] = await answered;
      return ids;
    }),
  );
}

answerParent(
  {
    rank: async (share: PortfolioShare) => {
      let parts: readonly Int32Array[] = [];
      const micros = await wallMicros(async () => {
        parts = await rank(share);
      });
      const ids = parts.flatMap((part) => [...part]);
      const told = Array.from({ length: ids.length / limit }, (_, i) => ids.slice(i * limit, (i + 1) * limit));
      return { ids: told, micros };
    },
  },
  () => Promise.all(workers.map((worker) => worker.terminate())),
);
