import { parentPort, workerData } from 'node:worker_threads';
import { rankPortfolio } from '@tarifario/core/service';
import { customers, market, questionFor, withBills } from '../market.ts';
import { partsOf } from '../universe-parts.ts';

/** The settings of a thread. */
export interface PortfolioThreadData {
  readonly offerCount: number;
  readonly customerCount: number;
  readonly limit: number;
  readonly hasBills: boolean;
}

/** Which customers are ranked. */
export interface PortfolioShare {
  readonly from: number;
  readonly to: number;
}

/** A share that several threads rank together. */
export interface SharedPortfolio extends PortfolioShare {
  /** The first customer that no thread has begun with. A free thread takes its next piece from there. */
  readonly next: Int32Array<SharedArrayBuffer>;
  /** The best of each, side by side. */
  readonly ids: Int32Array<SharedArrayBuffer>;
}

/** Customers that are ranked at once, as the command line does it. */
const PIECE = 200;

function serve(port: NonNullable<typeof parentPort>, data: PortfolioThreadData): void {
  const { offerCount, customerCount, limit, hasBills } = data;
  const parts = partsOf(market('LUZ', offerCount));
  const plain = customers(customerCount).map((customer) => ({ ...questionFor(customer), limit }));
  const requests = hasBills ? plain.map(withBills) : plain;
  port.on('message', ({ from, to, next, ids }: SharedPortfolio) => {
    const take = () => Atomics.add(next, 0, PIECE);
    for (let start = take(); start < to; start = take()) {
      const answers = rankPortfolio(parts, requests.slice(start, Math.min(start + PIECE, to)));
      for (const [place, answer] of answers.entries()) {
        if (!answer.ranked) throw answer.error;
        const first = (start + place - from) * limit;
        ids.set(
          answer.ranking.results.map(({ offer }) => offer.id),
          first,
        );
      }
    }
    port.postMessage('done');
  });
  port.postMessage('ready');
}

if (parentPort !== null) serve(parentPort, workerData);
