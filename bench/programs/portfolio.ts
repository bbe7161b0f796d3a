import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { answerParent } from '../child.ts';
import { wallMicros } from '../measure.ts';
import type { PortfolioShare, PortfolioThreadData, SharedPortfolio } from './portfolio-thread.ts';

/** Threads that rank portfolios. Arguments: how many, offers, customers, offers in each answer, 1 for bills. */
const [threads = 1, offerCount = 0, customerCount = 0, limit = 1, bills = 0] = process.argv.slice(2).map(Number);
const data: PortfolioThreadData = {
  offerCount,
  customerCount,
  limit,
  hasBills: bills === 1,
};
const workers = Array.from({ length: threads }, () => {
  const options = { workerData: data, execArgv: ['--conditions=tarifario-source'] };
  return new Worker(new URL('portfolio-thread.ts', import.meta.url), options);
});
await Promise.all(workers.map((worker) => once(worker, 'message')));

/** Has the threads rank customers, and waits for all of them. */
async function rank({ from, to }: PortfolioShare): Promise<Int32Array> {
  const next = new Int32Array(new SharedArrayBuffer(4)).fill(from);
  const ids = new Int32Array(new SharedArrayBuffer(4 * limit * (to - from)));
  const shared: SharedPortfolio = { from, to, next, ids };
  await Promise.all(
    workers.map((worker) => {
      const done = once(worker, 'message');
      worker.postMessage(shared);
      return done;
    }),
  );
  return ids;
}

answerParent(
  {
    rank: async (share: PortfolioShare) => {
      let ids: Int32Array = new Int32Array();
      const micros = await wallMicros(async () => {
        ids = await rank(share);
      });
      const customers = share.to - share.from;
      const idsOfEach = Array.from({ length: customers }, (_, i) => [...ids.subarray(i * limit, (i + 1) * limit)]);
      return { ids: idsOfEach, micros };
    },
  },
  () => Promise.all(workers.map((worker) => worker.terminate())),
);
