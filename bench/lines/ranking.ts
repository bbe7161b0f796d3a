import { compileUniverse, type OfferWithHistory, type RankingRequest, rankUniverses } from '@tarifario/core';
import { startChild } from '../child.ts';
import { expectSameIds, type Goal, line, type Row } from '../line.ts';
import { customers, market, questionFor } from '../market.ts';
import { sideBySide } from '../measure.ts';
import { naiveRanking } from '../naive.ts';
import { toPeerOffers, toPeerQuestion } from '../peer-offers.ts';
import { readLimit } from '../read-limit.ts';

const QUESTIONS = 16;
/** Goals hold where a firm or the catalog lies. */
const GOAL_SIZES = [5_000, 10_000];
const AGAINST_LIMIT: Goal = { atMost: 9 };
const AGAINST_NAIVE: Goal = { atLeast: 100 };
const LARGEST = 1_000_000;

/** Asks `rankUniverses` one question after the other: the whole ranking with 50 offers told, not the kernel alone. */
export function rankingOf(entries: readonly OfferWithHistory[], questions: readonly RankingRequest[]) {
  const parts = [{ universe: compileUniverse('LUZ', entries), admits: () => true }];
  return (turn: number) => {
    const question = questions[turn % questions.length];
    if (!question) throw new RangeError('there is a question');
    return rankUniverses(parts, question);
  };
}

export function idsOf(ranking: ReturnType<typeof rankUniverses>): readonly number[] {
  return ranking.results.map(({ offer }) => offer.id);
}

async function rowsOf(offerCount: number): Promise<readonly Row[]> {
  const questions = customers(QUESTIONS).map((customer) => questionFor(customer));
  const entries = market('LUZ', offerCount);
  const peerOffers = toPeerOffers(entries);
  const peerQuestions = questions.map(toPeerQuestion);
  const rank = rankingOf(entries, questions);
  const naive = (turn: number) => {
    const question = peerQuestions[turn % QUESTIONS];
    return question && naiveRanking(peerOffers, question);
  };
  for (let turn = 0; turn < QUESTIONS; turn++) expectSameIds('naive objects', idsOf(rank(turn)), naive(turn) ?? []);
  const rounds = offerCount > 10_000 ? 5 : 11;
  const { ours, theirs } = await sideBySide({ ours: rank, theirs: naive }, { rounds, turnMs: 40 });
  const limit = await readLimit(offerCount);
  const what = `${offerCount.toLocaleString('en')} offers`;
  const hasGoal = GOAL_SIZES.includes(offerCount);
  const row = { what, oursMicros: ours };
  return [
    {
      ...row,
      peer: `memory read (${limit.by})`,
      peerMicros: limit.micros,
      ratio: 'ours/theirs',
      goal: hasGoal ? AGAINST_LIMIT : null,
    },
    { ...row, peer: 'naive objects', peerMicros: theirs, ratio: 'theirs/ours', goal: hasGoal ? AGAINST_NAIVE : null },
  ];
}

/** A million objects need a heap of their own; the naive ranking would take ten seconds a question. */
async function rowsOfLargest(): Promise<readonly Row[]> {
  const child = startChild('large-ranking', { args: [String(LARGEST)], heapMb: 6_000 });
  try {
    const micros = await child.ask<number>('rank');
    const limit = await readLimit(LARGEST);
    const what = `${LARGEST.toLocaleString('en')} offers`;
    return [
      {
        what,
        oursMicros: micros,
        peer: `memory read (${limit.by})`,
        peerMicros: limit.micros,
        ratio: 'ours/theirs',
        goal: { atMost: 1.8 },
      },
    ];
  } finally {
    await child.end();
  }
}

export const rankingLine = line({
  name: 'Ranking in memory, TypeScript',
  about:
    'One customer with six periods, one thread: the whole of `rankUniverses` (filter, indexed means, services, ' +
    'surplus, fees, tiers, scores, frontier, winners by weight, 50 offers told) against reading the bytes it has to ' +
    'touch, and against filter, map, sort and slice over objects, which only finds the same 50 ids.',
  run: async () => {
    const rows: Row[] = [];
    for (const offerCount of [1_000, 5_000, 10_000, 100_000]) rows.push(...(await rowsOf(offerCount)));
    return [...rows, ...(await rowsOfLargest())];
  },
});
