import { type RankingRequest, rankUniverses, type UniversePart } from '@tarifario/core';
import { startChild } from '../child.ts';
import { idsOfBest, KERNELS, type NamedKernel, partsOf, tasksOf } from '../kernels.ts';
import { expectSameIds, type Goal, line, type Row } from '../line.ts';
import { customers, market, questionFor } from '../market.ts';
import { sideBySide } from '../measure.ts';
import { naiveRanking } from '../naive.ts';
import { toPeerOffers, toPeerQuestion } from '../peer-offers.ts';
import { type ReadLimit, readLimit } from '../read-limit.ts';

const QUESTIONS = 16;
const LARGEST = 1_000_000;
/** Goals hold where a firm or the catalog lies, and for a million offers. */
const GOAL_SIZES = [5_000, 10_000];
const AGAINST_LIMIT: Readonly<Record<NamedKernel['name'], Goal>> = { SIMD: { atMost: 3 }, TypeScript: { atMost: 9 } };
const AGAINST_NAIVE: Readonly<Record<NamedKernel['name'], Goal>> = {
  SIMD: { atLeast: 200 },
  TypeScript: { atLeast: 100 },
};
const LARGEST_AGAINST_LIMIT: Goal = { atMost: 1.8 };

/** Asks one question after the other, as the service does: the whole ranking with 50 offers told. */
export function rankingOf(parts: readonly UniversePart[], questions: readonly RankingRequest[]) {
  const [best] = KERNELS;
  return (turn: number) => rankUniverses(parts, at(questions, turn), best ?? {});
}

export function idsOf(ranking: ReturnType<typeof rankUniverses>): readonly number[] {
  return ranking.results.map(({ offer }) => offer.id);
}

function at<T>(values: readonly T[], turn: number): T {
  const value = values[turn % values.length];
  if (value === undefined) throw new RangeError('there is a question');
  return value;
}

/** What one size gives: each kernel alone, and the whole ranking. */
export async function timesOf(parts: readonly UniversePart[], questions: readonly RankingRequest[], rounds: number) {
  const rank = rankingOf(parts, questions);
  const kernels: { readonly name: NamedKernel['name']; readonly micros: number }[] = [];
  for (const { name, kernel } of KERNELS) {
    const tasks = tasksOf(parts, questions, kernel);
    for (let turn = 0; turn < questions.length; turn++) {
      expectSameIds(`the ${name} kernel`, idsOf(rank(turn)), idsOfBest(kernel.rank(at(tasks, turn))));
    }
    const run = (turn: number) => kernel.rank(at(tasks, turn));
    kernels.push({ name, micros: (await sideBySide({ run }, { rounds, turnMs: 40 })).run });
  }
  return { kernels, whole: (await sideBySide({ rank }, { rounds, turnMs: 40 })).rank };
}

type Times = Awaited<ReturnType<typeof timesOf>>;

function rowsAgainstLimit(offerCount: number, { kernels, whole }: Times, limit: ReadLimit): readonly Row[] {
  const size = `${offerCount.toLocaleString('en')} offers`;
  const row = { peer: `memory read (${limit.by})`, peerMicros: limit.micros, ratio: 'ours/theirs' } as const;
  const goalOf = (name: NamedKernel['name']) => {
    if (offerCount === LARGEST) return name === 'SIMD' ? LARGEST_AGAINST_LIMIT : null;
    return GOAL_SIZES.includes(offerCount) ? AGAINST_LIMIT[name] : null;
  };
  return [
    ...kernels.map(({ name, micros }) => {
      return { what: `${size}, ${name} kernel`, oursMicros: micros, ...row, goal: goalOf(name) };
    }),
    { what: `${size}, whole ranking`, oursMicros: whole, ...row, goal: null },
  ];
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
    ...times.kernels.map(({ name, micros }) => {
      const goal = GOAL_SIZES.includes(offerCount) ? AGAINST_NAIVE[name] : null;
      return { what: `${size}, ${name} kernel`, oursMicros: micros, ...row, goal };
    }),
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

export const rankingLine = line({
  name: 'Ranking in memory',
  about:
    'One customer with six periods, one thread. A kernel finds the best 50 and what the frontier is made of (filter, ' +
    'indexed means, services, surplus, fees, tiers, scores); the whole ranking also tells the 50 by the definitions of ' +
    'cost and commission, the winners by weight and who is excluded. Against reading the bytes it has to touch, and ' +
    'against filter, map, sort and slice over objects, which only finds the same 50 ids.',
  run: async () => {
    const rows: Row[] = [];
    for (const offerCount of [1_000, 5_000, 10_000, 100_000]) rows.push(...(await rowsOf(offerCount)));
    return [...rows, ...(await rowsOfLargest())];
  },
});
