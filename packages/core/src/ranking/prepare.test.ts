import { expect, test } from 'vitest';
import { electricityOffer, ONE_MWH, requestOf, withoutHistory } from '../../test/simple-offers.ts';
import { makeColumns } from './prepare.ts';
import { rankUniverses } from './rank.ts';
import type { RankingRequest } from './ranking.ts';
import { BLOCK_ROWS, compileUniverse } from './universe.ts';

const MONTH = '2025-03-01';

/** Offers in three blocks, whose commissions change at 5 MWh and at 5 kW. */
function threeBlocks() {
  const tiers = [
    { from: 0, to: 5, value: 1, type: 'fixed' },
    { from: 5, to: null, value: 2, type: 'fixed' },
  ] as const;
  const offers = Array.from({ length: 2 * BLOCK_ROWS + 7 }, (_, index) =>
    electricityOffer({ id: index + 1, consumptionTiers: tiers, powerTiers: tiers }),
  );
  const universe = compileUniverse('LUZ', withoutHistory(offers));
  return { blocks: universe.blocks, parts: [{ universe, admits: () => true }] };
}

function using(mwh: number, kw: number): RankingRequest['customer'] {
  return { ...ONE_MWH, consumptionKwh: [1000 * mwh, 0, 0, 0, 0, 0], powerKw: [kw, 0, 0, 0, 0, 0] };
}

test('what a ranking reads is made one block after the other, and then nothing is left to be made', () => {
  const { blocks, parts } = threeBlocks();
  const request = requestOf({ customer: using(1, 1), month: MONTH });
  const isReady = () => blocks.map((block) => block.keepsPrices(MONTH) && block.commissions.areKept(1, 1));
  const work = makeColumns(parts, request);
  expect(isReady()).toEqual([false, false, false]);
  expect(work.next().value).toBe(blocks[0]);
  expect(isReady()).toEqual([true, false, false]);
  expect([...work]).toEqual(blocks.slice(1));
  expect(isReady()).toEqual([true, true, true]);
  expect([...makeColumns(parts, request)]).toEqual([]);
});

test('a ranking leaves everything made, so the next customer of that size waits for nothing', () => {
  const { blocks, parts } = threeBlocks();
  rankUniverses(parts, requestOf({ customer: using(1, 1) }));
  expect([...makeColumns(parts, requestOf({ customer: using(2, 3) }))]).toEqual([]);
  for (const customer of [using(6, 1), using(1, 6), using(1, 0)]) {
    expect([...makeColumns(parts, requestOf({ customer }))]).toEqual(blocks);
  }
});

test('who sees no commissions needs none', () => {
  const { blocks, parts } = threeBlocks();
  const blind = requestOf({ customer: using(1, 1), seesCommissions: false });
  expect([...makeColumns(parts, blind)]).toEqual([]);
  expect([...makeColumns(parts, { ...blind, month: MONTH })]).toEqual(blocks);
  expect(blocks.some((block) => block.commissions.areKept(1, 1))).toBe(false);
});
