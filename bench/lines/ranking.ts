import { type RankingRequest, rankUniverses, type UniversePart } from '@tarifario/core/service';
import { startChild } from '../child.ts';
import { expectSameIds, line, type Row } from '../line.ts';
import { customers, market, questionFor } from '../market.ts';
import { sideBySide } from '../measure.ts';
import { naiveRanking } from '../naive.ts';
import { toPeerOffers, toPeerQuestion } from '../peer-offers.ts';
import { type ReadLimit, readLimit } from '../read-limit.ts';
import { partsOf } from '../universe-parts.ts';

const QUESTIONS = 16;
const LARGEST = 1_000_000;

/** Ranks one question after the other, as the service does: the whole ranking, with 50 offers in the answer. */
export function rankingOf(parts: readonly UniversePart[], questions: readonly RankingRequest[]) {
  return (turn: number) => rankUniverses(parts, at(questions, turn));
}

export function idsOf(ranking: ReturnType<typeof rankUniverses>): readonly number[] {
  return ranking.results.map(({ offer }) => offer.id);
}

function at<T>(values: readonly T[], turn: number): T {
  const value = values[turn % values.length];
  if (value === undefined) throw new RangeError('there is a question');
  return value;
}

/** The time of one size. */
export async function timesOf(parts: readonly UniversePart[], questions: readonly RankingRequest[], rounds: number) {
  const whole = rankingOf(parts, questions);
  return sideBySide({ whole }, { rounds, turnMs: 40 });
}

type Times = Awaited<ReturnType<typeof timesOf>>;

function rowsAgainstLimit(offerCount: number, { whole }: Times, limit: ReadLimit): readonly Row[] {
  const what = `${offerCount.toLocaleString('en')} offers, whole ranking`;
  const peer = `memory read (${limit.by})`;
  return [{ what, oursMicros: whole, peer, peerMicros: limit.micros, ratio: 'ours/theirs', goal: null }];
}

async function rowsOf(offerCount: number): Promise<readonly Row[]> {
  const questions = customers(QUESTIONS).map((customer) => questionFor(customer));
  const entries = market('LUZ', offerCount);
  const peerOffers = toPeerOffers(entries);
  const peerQuestions = questions.map(toPeerQuestion);
  const parts = partsOf(entries);
  const rank = rankingOf(parts, questions);
  const naive = (turn: number) => naiveRanking(peerOffers, at(peerQuestions, turn));
  for (let turn = 0; turn < QUESTIONS; turn++) expectSameIds('naive objects', idsOf(rank(turn)), naive(turn));
  const rounds = offerCount > 10_000 ? 5 : 11;
  const times = await timesOf(parts, questions, rounds);
  const { theirs } = await sideBySide({ theirs: naive }, { rounds, turnMs: 40 });
  const size = `${offerCount.toLocaleString('en')} offers`;
  const row = { peer: 'naive objects', peerMicros: theirs, ratio: 'theirs/ours' } as const;
  return [
    ...rowsAgainstLimit(offerCount, times, await readLimit(offerCount)),
    { what: `${size}, whole ranking`, oursMicros: times.whole, ...row, goal: null },
  ];
}

/** A million objects need a heap of their own; the naive ranking would take seconds a question. */
async function rowsOfLargest(): Promise<readonly Row[]> {
  const child = startChild('large-ranking', { args: [String(LARGEST)], heapMb: 6_000 });
  try {
    return rowsAgainstLimit(LARGEST, await child.ask<Times>('times'), await readLimit(LARGEST));
  } finally {
    await child.end();
  }
}

/**
 * One customer with six periods, one thread, 50 offers told in full: filter, indexed means, services, surplus, fees,
 * tiers, scores, winners by weight, and who is excluded. Against reading the bytes it has to touch, and against filter, map, sort and slice over
 * objects, which only finds the same 50 ids.
 */
export const rankingLine = line({
  name: 'Ranking in memory',
  run: async () => {
    const rows: Row[] = [];
    for (const offerCount of [1_000, 5_000, 10_000, 100_000]) rows.push(...(await rowsOf(offerCount)));
    return [...rows, ...(await rowsOfLargest())];
  },
});
