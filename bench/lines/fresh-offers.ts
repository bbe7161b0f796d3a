import { rankOffers } from '@tarifario/core/service';
import { startChild } from '../child.ts';
import { expectSameIds, line, type Row } from '../line.ts';
import { customers, market, questionFor } from '../market.ts';
import { sideBySide } from '../measure.ts';
import { naiveRanking } from '../naive.ts';
import { toPeerOffers, toPeerQuestion } from '../peer-offers.ts';
import type { OfferMemory } from '../programs/offer-memory.ts';
import { openService } from '../service-work.ts';
import { idsOf } from './ranking.ts';

const SIZES = [300, 5_000] as const;
const QUESTIONS = 16;
const KEPT_OFFERS = 100_000;

/** The call of an embedder, for offers that were never ranked before. The naive program starts from the applied prices. */
async function freshRow(offerCount: number): Promise<Row> {
  const entries = market('LUZ', offerCount);
  const offers = toPeerOffers(entries);
  const questions = customers(QUESTIONS).map((customer) => questionFor(customer));
  const at = (turn: number) => {
    const question = questions[turn % QUESTIONS];
    if (!question) throw new RangeError('there is a question');
    return question;
  };
  const rank = (turn: number) => {
    const { customer, fees, weight, filter, limit } = at(turn);
    if (customer.supplyType !== 'LUZ') throw new RangeError('the questions are about electricity');
    return rankOffers({ offers: entries, customer, fees, weight, filter, limit });
  };
  const naive = (turn: number) => naiveRanking(offers, toPeerQuestion(at(turn)));
  for (let turn = 0; turn < QUESTIONS; turn++) expectSameIds('naive objects', idsOf(rank(turn)), naive(turn));
  const micros = await sideBySide({ rank, naive }, { turnMs: 100 });
  const what = `${offerCount.toLocaleString('en')} offers ranked for the first time`;
  const peer = { peer: 'naive objects', peerMicros: micros.naive, ratio: 'ours/theirs' } as const;
  return { what, oursMicros: micros.rank, ...peer, goal: { atMost: 1.5 } };
}

/** The memory of a process that holds an account ready for rankings. */
async function memoryRows(): Promise<readonly Row[]> {
  const { file, accountId, close } = await openService(KEPT_OFFERS);
  const child = startChild('offer-memory', { args: [file, String(accountId)], flags: ['--expose-gc'] });
  try {
    const { retainedBytes, grownBytes, marketBytes } = await child.ask<OfferMemory>('memory');
    const rowOf = (what: string, bytes: number, most: number): Row => ({
      ...{ what, oursMicros: bytes, peer: 'the goal', peerMicros: most, inBytes: true },
      ...{ ratio: 'ours/theirs', goal: { atMost: 1 } },
    });
    const kept = `an offer of ${KEPT_OFFERS.toLocaleString('en')}`;
    return [
      rowOf(`memory that a collection leaves, ${kept}`, retainedBytes / KEPT_OFFERS, 1_200),
      rowOf(`growth of the process, ${kept}`, grownBytes / KEPT_OFFERS, 3_000),
      rowOf('memory of a market beside its offers, three of ten with 24 months, an offer', marketBytes, 1_200),
    ];
  } finally {
    await child.end();
    await close();
  }
}

/**
 * `rankOffers`, the call of an embedder, over objects that it has not seen before, everything included, against
 * filter, map, sort and slice over objects whose indexed prices are worked out beforehand and which only finds the
 * ids. And what a process takes for an account that is read from SQLite and kept ready: what is left after a
 * collection, and how much the process grew; and what a market of an embedder takes beside the objects that it holds.
 */
export const freshOffersLine = line({
  name: 'Offers for the first time, and their memory',
  run: async () => {
    const rows: Row[] = [];
    for (const offerCount of SIZES) rows.push(await freshRow(offerCount));
    return [...rows, ...(await memoryRows())];
  },
});
