import { startChild } from '../child.ts';
import { expectSameIds, line, type Row } from '../line.ts';
import { customers, market, questionFor } from '../market.ts';
import { medianOf, wallMicros } from '../measure.ts';
import { naiveRanking } from '../naive.ts';
import { toPeerOffers, toPeerQuestion } from '../peer-offers.ts';
import type { PortfolioShare } from '../programs/portfolio-thread.ts';

const CUSTOMERS = 10_000;
const OFFERS = 5_000;
const LIMIT = 10;
const ROUNDS = 3;
const WARM_ROUNDS = 3;
/** Customers that DuckDB and plain objects rank. Their times are multiplied. */
const DUCKDB_SAMPLE = 400;
const NAIVE_SAMPLE = 20;
const AGAINST_DUCKDB = { atLeast: 6 };
const WITH_BILLS = { atLeast: 3 };

type Ids = readonly (readonly number[])[];

interface PortfolioFigures {
  readonly ids: Ids;
  /** By the clock of the process that did it, until all of its threads were done. */
  readonly micros: number;
}

/** A process that ranks customers. */
interface Contender {
  run(): Promise<PortfolioFigures>;
  close(): Promise<void>;
}

const ALL: PortfolioShare = { from: 0, to: CUSTOMERS };

function startOurs(threads: number, bills: 0 | 1 = 0): Contender {
  const child = startChild('portfolio', { args: [threads, OFFERS, CUSTOMERS, LIMIT, bills].map(String) });
  return { run: () => child.ask<PortfolioFigures>('rank', ALL), close: () => child.end() };
}

function startDuckDb(): Contender {
  const child = startChild('duckdb-portfolio', { args: [1, OFFERS, DUCKDB_SAMPLE].map(String) });
  return {
    async run() {
      const { ids, micros } = await child.ask<PortfolioFigures>('rank');
      return { ids, micros: (micros * CUSTOMERS) / DUCKDB_SAMPLE };
    },
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
type Times = Readonly<Record<'one' | 'billed' | 'two' | 'duckDb' | 'naive', number>>;

async function measure(): Promise<Times> {
  const [one, two, billed] = [startOurs(1), startOurs(2), startOurs(1, 1)];
  const duckDb = startDuckDb();
  const naive = naiveSample();
  try {
    const { ids: expected } = await one.run();
    expectSame('two threads', expected, (await two.run()).ids);
    // Code is made fast by what it has done, and each of two threads does half.
    for (let turn = 0; turn < WARM_ROUNDS; turn++) {
      for (const contender of [one, two, two, billed]) await contender.run();
    }
    expectSame('bills', expected, (await billed.run()).ids);
    expectSame('DuckDB', expected, (await duckDb.run()).ids);
    expectSame('naive objects', expected, naive.run());
    const rounds: Times[] = [];
    const microsOf = async ({ run }: Pick<Contender, 'run'>) => (await run()).micros;
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({
        one: await microsOf(one),
        billed: await microsOf(billed),
        two: await microsOf(two),
        duckDb: await microsOf(duckDb),
        naive: ((await wallMicros(naive.run)) * CUSTOMERS) / NAIVE_SAMPLE,
      });
    }
    const median = (name: keyof Times) => medianOf(rounds.map((times) => times[name]));
    return {
      one: median('one'),
      billed: median('billed'),
      two: median('two'),
      duckDb: median('duckDb'),
      naive: median('naive'),
    };
  } finally {
    for (const contender of [one, two, billed, duckDb]) await contender.close();
  }
}

function rowsOf({ one, billed, two, duckDb, naive }: Times): readonly Row[] {
  const size = `${CUSTOMERS.toLocaleString('en')} customers, ${OFFERS.toLocaleString('en')} offers`;
  const onOne = { what: size, oursMicros: one, ratio: 'theirs/ours' } as const;
  const onTwo = { what: `${size}, two threads`, oursMicros: two, ratio: 'theirs/ours' } as const;
  return [
    { ...onOne, peer: 'DuckDB', peerMicros: duckDb, goal: AGAINST_DUCKDB },
    {
      ...{ what: `${onOne.what}, with bills`, oursMicros: billed, ratio: 'theirs/ours' },
      ...{ peer: 'DuckDB', peerMicros: duckDb, goal: WITH_BILLS },
    },
    { ...onTwo, peer: 'ours on one thread', peerMicros: one, goal: null },
    { ...onOne, peer: 'naive objects', peerMicros: naive, goal: null },
  ];
}

/**
 * Every customer told his ten best offers in full (costs, commissions, scores, who is cheapest), in pieces of 200 as
 * the command line does it, by one and by two worker threads of a process that have the offers already: whichever is
 * free takes the next piece. DuckDB in memory on one thread gives the same ids with a prepared statement: a join of
 * DUCKDB_SAMPLE customers and the offers, the best ten by max_by. It is spared the bills, the filter, indexed means,
 * the rounding and the tiers: it finds the offers once for each pair of tier intervals, with the commission lines that
 * hold there. Its times, and those of objects for NAIVE_SAMPLE customers, are multiplied. Medians of the wall clock.
 */
export const portfolioLine = line({
  name: 'Portfolio',
  run: async () => rowsOf(await measure()),
});
