import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { startChild } from '../child.ts';
import { expectSameIds, line, type Row } from '../line.ts';
import { customers, market, questionFor } from '../market.ts';
import { medianOf, wallMicros } from '../measure.ts';
import { naiveRanking } from '../naive.ts';
import { toPeerOffers, toPeerQuestion } from '../peer-offers.ts';
import type { PortfolioShare, PortfolioThreadData } from '../programs/portfolio-thread.ts';

const CUSTOMERS = 10_000;
const OFFERS = 5_000;
const LIMIT = 10;
const ROUNDS = 5;
const WARM_ROUNDS = 4;
/** Customers that DuckDB is asked about, and plain objects; their times are multiplied. */
const DUCKDB_SAMPLE = 400;
const NAIVE_SAMPLE = 20;
const AGAINST_DUCKDB = { atLeast: 40 };
const TWO_THREADS = { atLeast: 1.5 };

type Ids = readonly (readonly number[])[];

/** A whole portfolio ranked by some threads. */
interface Contender {
  run(): Promise<Ids>;
  close(): Promise<void>;
}

async function startThreads(count: number, withSieve: boolean): Promise<Contender> {
  const data: PortfolioThreadData = { offerCount: OFFERS, customerCount: CUSTOMERS, limit: LIMIT, withSieve };
  const workers = Array.from({ length: count }, () => {
    const options = { workerData: data, execArgv: ['--conditions=tarifario-source'] };
    return new Worker(new URL('../programs/portfolio-thread.ts', import.meta.url), options);
  });
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  const each = CUSTOMERS / count;
  return {
    async run() {
      const shares = await Promise.all(
        workers.map(async (worker, index): Promise<Int32Array> => {
          const answered = once(worker, 'message');
          const share: PortfolioShare = { from: index * each, to: (index + 1) * each };
          worker.postMessage(share);
          const [ids] = await answered;
          return ids;
        }),
      );
      return shares.flatMap((ids) =>
        Array.from({ length: ids.length / LIMIT }, (_, i) => [...ids.subarray(i * LIMIT, (i + 1) * LIMIT)]),
      );
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

async function startDuckDb(threads: number): Promise<Contender & { readonly micros: () => number }> {
  const child = startChild('duckdb-portfolio', { args: [threads, OFFERS, DUCKDB_SAMPLE].map(String) });
  let took = 0;
  return {
    async run() {
      const { ids, micros } = await child.ask<{ readonly ids: Ids; readonly micros: number }>('rank');
      took = micros;
      return ids;
    },
    micros: () => took,
    close: () => child.end(),
  };
}

function naiveSample(): { readonly run: () => Ids } {
  const offers = toPeerOffers(market('LUZ', OFFERS));
  const questions = customers(CUSTOMERS)
    .slice(0, NAIVE_SAMPLE)
    .map((customer) => toPeerQuestion(questionFor(customer)));
  return { run: () => questions.map((question) => naiveRanking(offers, question).slice(0, LIMIT)) };
}

function expectSame(peer: string, ours: Ids, theirs: Ids): void {
  for (const [customer, ids] of theirs.entries()) expectSameIds(peer, ours[customer] ?? [], ids);
}

/** Wall-clock times of a whole portfolio, microseconds: those of samples are multiplied. */
interface Times {
  readonly one: number;
  readonly two: number;
  readonly unsifted: number;
  readonly duckOne: number;
  readonly duckTwo: number;
  readonly naive: number;
}

async function measure(): Promise<Times> {
  const [one, two] = [await startThreads(1, true), await startThreads(2, true)];
  const unsifted = await startThreads(1, false);
  const [duckOne, duckTwo] = [await startDuckDb(1), await startDuckDb(2)];
  const naive = naiveSample();
  const all = [one, two, unsifted, duckOne, duckTwo];
  try {
    const expected = await one.run();
    expectSame('two threads', expected, await two.run());
    // Code is made fast by what it has done, and each of two threads does half.
    for (let turn = 0; turn < WARM_ROUNDS; turn++) {
      await one.run();
      await two.run();
      await two.run();
    }
    expectSame('no sieve', expected, await unsifted.run());
    expectSame('DuckDB, one thread', expected, await duckOne.run());
    expectSame('DuckDB, two threads', expected, await duckTwo.run());
    expectSame('naive objects', expected, naive.run());
    const rounds: Times[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const times = { one: await wallMicros(one.run), two: await wallMicros(two.run) };
      const without = await wallMicros(unsifted.run);
      for (const duck of [duckOne, duckTwo]) await duck.run();
      rounds.push({
        ...times,
        unsifted: without,
        duckOne: (duckOne.micros() * CUSTOMERS) / DUCKDB_SAMPLE,
        duckTwo: (duckTwo.micros() * CUSTOMERS) / DUCKDB_SAMPLE,
        naive: ((await wallMicros(naive.run)) * CUSTOMERS) / NAIVE_SAMPLE,
      });
    }
    const median = (name: keyof Times) => medianOf(rounds.map((times) => times[name]));
    return {
      one: median('one'),
      two: median('two'),
      unsifted: median('unsifted'),
      duckOne: median('duckOne'),
      duckTwo: median('duckTwo'),
      naive: median('naive'),
    };
  } finally {
    for (const contender of all) await contender.close();
  }
}

function rowsOf({ one, two, unsifted, duckOne, duckTwo, naive }: Times): readonly Row[] {
  const size = `${CUSTOMERS.toLocaleString('en')} customers, ${OFFERS.toLocaleString('en')} offers`;
  const onOne = { what: `${size}, one thread`, oursMicros: one, ratio: 'theirs/ours' } as const;
  const onTwo = { what: `${size}, two threads`, oursMicros: two, ratio: 'theirs/ours' } as const;
  return [
    { ...onOne, peer: 'DuckDB, one thread', peerMicros: duckOne, goal: AGAINST_DUCKDB },
    { ...onTwo, peer: 'DuckDB, two threads', peerMicros: duckTwo, goal: AGAINST_DUCKDB },
    { ...onTwo, peer: 'ours on one thread', peerMicros: one, goal: TWO_THREADS },
    { ...onOne, peer: 'naive objects', peerMicros: naive, goal: null },
    { ...onOne, peer: 'ours without the sieve', peerMicros: unsifted, goal: null },
  ];
}

export const portfolioLine = line({
  name: 'Portfolio',
  about:
    'Every customer told his ten best offers in full (costs, commissions, scores, who is cheapest), in pieces of 200 as ' +
    'the command line does it, by one and by two worker threads that have the offers already. DuckDB in memory gives ' +
    `the same ids with a prepared statement: a join of ${DUCKDB_SAMPLE} customers and the offers, the best ten by max_by. ` +
    'It is spared the filter, indexed means, the rounding and the tiers: it finds the offers once for each pair of tier ' +
    `intervals, with the commission lines that hold there. Its times, and those of objects for ${NAIVE_SAMPLE} customers, ` +
    'are multiplied. Medians of the wall clock.',
  run: async () => rowsOf(await measure()),
});
