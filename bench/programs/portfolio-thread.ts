import { parentPort, workerData } from 'node:worker_threads';
import { openPortfolio } from '@tarifario/core';
import { createSimdSieve } from '@tarifario/kernel-simd';
import { KERNELS, partsOf } from '../kernels.ts';
import { customers, market, questionFor } from '../market.ts';

/** What a thread is started with. */
export interface PortfolioThreadData {
  readonly offerCount: number;
  readonly customerCount: number;
  readonly limit: number;
  /** Whether offers that cannot matter are left out before the kernel. */
  readonly withSieve: boolean;
}

/** Which customers a thread ranks. */
export interface PortfolioShare {
  readonly from: number;
  readonly to: number;
}

/** Customers that are ranked at once, as the command line does it. */
const PIECE = 200;

function serve(port: NonNullable<typeof parentPort>, data: PortfolioThreadData): void {
  const { offerCount, customerCount, limit, withSieve } = data;
  const parts = partsOf(market('LUZ', offerCount));
  const requests = customers(customerCount).map((customer) => ({ ...questionFor(customer), limit }));
  const sieve = withSieve ? createSimdSieve() : null;
  port.on('message', ({ from, to }: PortfolioShare) => {
    const portfolio = openPortfolio(parts, { ...KERNELS[0], sieve });
    const ids = new Int32Array((to - from) * limit);
    for (let start = from; start < to; start += PIECE) {
      const answers = portfolio.rank(requests.slice(start, Math.min(start + PIECE, to)));
      for (const [place, answer] of answers.entries()) {
        if (!answer.ranked) throw answer.error;
        const first = (start + place - from) * limit;
        ids.set(
          answer.ranking.results.map(({ offer }) => offer.id),
          first,
        );
      }
    }
    port.postMessage(ids);
  });
  port.postMessage('ready');
}

if (parentPort !== null) serve(parentPort, workerData);
