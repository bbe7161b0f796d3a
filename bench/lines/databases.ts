import { type Child, startChild } from '../child.ts';
import type { DatabaseAnswer } from '../database-peer.ts';
import { expectSameIds, line, type Row, VoidRow } from '../line.ts';
import { customers, market, questionFor, withBills } from '../market.ts';
import { medianOf, wallMicros } from '../measure.ts';
import { findPostgres } from '../postgres.ts';
import { partsOf } from '../universe-parts.ts';
import { idsOf, rankingOf } from './ranking.ts';

/** How many offers, how many customers ask, and in how many rounds; the first round is not counted. */
const SIZES = [
  { offerCount: 1_000, questions: 16, rounds: 5 },
  { offerCount: 5_000, questions: 16, rounds: 5 },
  { offerCount: 10_000, questions: 8, rounds: 4 },
  { offerCount: 100_000, questions: 3, rounds: 3 },
];
/** The size at which the goal is set. */
const GOAL_SIZE = 5_000;

interface Peer {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
}

const PEERS: readonly Peer[] = [
  { name: 'SQLite', program: 'sqlite-peer', args: [] },
  { name: 'DuckDB', program: 'duckdb-peer', args: ['1'] },
];

async function rowsOf(
  peers: readonly (Peer & { readonly child: Child })[],
  { offerCount, questions, rounds }: (typeof SIZES)[number],
): Promise<readonly Row[]> {
  const parts = partsOf(market('LUZ', offerCount));
  const requests = customers(questions).map((customer) => questionFor(customer));
  const rank = rankingOf(parts, requests);
  const rankWithBills = rankingOf(parts, requests.map(withBills));
  const expected = Array.from({ length: questions }, (_, turn) => idsOf(rank(turn)));
  const times = new Map<string, number[]>(peers.map(({ name }) => [name, []]));
  const ours: number[] = [];
  const billed: number[] = [];
  for (const { child } of peers) await child.ask('load', { offerCount });
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < 4 * questions; turn++) {
      ours.push(await wallMicros(() => rank(turn)));
      billed.push(await wallMicros(() => rankWithBills(turn)));
    }
    for (const { name, child } of peers) {
      const { ids, micros } = await child.ask<DatabaseAnswer>('rank', { customerCount: questions });
      for (const [turn, own] of expected.entries()) expectSameIds(name, own, ids[turn] ?? []);
      // The first round finds cold caches and plans.
      if (round > 0) times.get(name)?.push(...micros);
    }
  }
  const what = `${offerCount.toLocaleString('en')} offers`;
  const goal = offerCount === GOAL_SIZE ? { atLeast: 20 } : null;
  return peers.flatMap(({ name }) => {
    const row = { peer: name, peerMicros: medianOf(times.get(name) ?? []), ratio: 'theirs/ours', goal } as const;
    return [
      { what, oursMicros: medianOf(ours), ...row },
      { what: `${what}, with bills`, oursMicros: medianOf(billed), ...row },
    ];
  });
}

/**
 * The same customers and offers, asked in SQL with prepared statements in memory or on one connection: filter, tiers
 * by join, scores, order, the best 50 ids. Prices of indexed offers are worked out for the databases beforehand, and
 * they are spared the bills; DuckDB has one thread. Ours is the whole ranking; medians of the wall clock.
 */
export const databasesLine = line({
  name: 'Ranking against databases',
  run: async () => {
    const postgres = await findPostgres();
    const all = postgres ? [...PEERS, { name: 'PostgreSQL', program: 'postgres-peer', args: [postgres.url] }] : PEERS;
    const peers = all.map((peer) => ({ ...peer, child: startChild(peer.program, { args: peer.args }) }));
    try {
      const rows: Row[] = [];
      for (const size of SIZES) rows.push(...(await rowsOf(peers, size)));
      return rows;
    } catch (error) {
      if (error instanceof VoidRow) throw error;
      throw new Error('a database peer failed; BENCH_VERBOSE=1 shows its output', { cause: error });
    } finally {
      for (const { child } of peers) await child.end();
      await postgres?.stop();
    }
  },
});
