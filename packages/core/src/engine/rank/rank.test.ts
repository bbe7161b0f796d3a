import { flatOffer, gasOffer, ONE_MWH, requestOf, withoutHistory } from '@tarifario/testkit/core/simple-offers';
import { expect, test } from 'vitest';
import type { Offer, OfferWithHistory } from '../offers/offer.ts';
import { perPeriod } from '../periods.ts';
import { finish } from '../turns.ts';
import { type RankOffersInput, rankOffers } from './library.ts';
import { rankInTurns, rankUniverses } from './rank.ts';
import type { RankingRequest } from './ranking.ts';
import { askReasons } from './reasons.ts';
import type { WinnerSegment } from './score.ts';
import { compileUniverse, emptyUniverse, patchInTurns, TABLE_ROWS } from './universe.ts';

function rank(offers: readonly Offer[], input: Partial<RankOffersInput> = {}) {
  return rankOffers({ offers, customer: ONE_MWH, ...input });
}

// Costs 100 to 200, pays 0 to 80.
const THREE = [flatOffer(1, 100, 0), flatOffer(2, 125, 60), flatOffer(3, 200, 80)];

test('A-17: the scores of three offers are those worked out by hand', () => {
  const ranking = rank(THREE, { weight: 0.75 });
  const shown = ranking.results.map((r) => [r.offer.id, r.priceScore, r.commissionScore, r.score]);
  expect(shown).toEqual([
    [1, 10, 0, 7.5],
    [2, 7.5, 7.5, 7.5],
    [3, 0, 10, 2.5],
  ]);
  expect(ranking).toMatchObject({
    rankedCount: 3,
    excludedCount: 0,
    cheapestId: 1,
    bestPaidId: 3,
    mostEfficientId: 1,
    costRangeEur: { min: 100, max: 200 },
    commissionRangeEur: { min: 0, max: 80 },
  });
});

test('A-19: the winners by weight of three offers are those worked out by hand', () => {
  // 3 and 2 meet where 10 (1 - w) = 7.5; 2 and 1 where 7.5 = 10 w.
  const expected: readonly WinnerSegment[] = [
    { fromWeight: 0, toWeight: 0.25, offerId: 3 },
    { fromWeight: 0.25, toWeight: 0.75, offerId: 2 },
    { fromWeight: 0.75, toWeight: 1, offerId: 1 },
  ];
  expect(rank(THREE).winners).toEqual(expected);
  expect(rank(THREE, { weight: 0.25 }).mostEfficientId).toBe(2);
});

test('prices, services and a weight of -0 are answered as those of 0', () => {
  const offers = (zero: number) => [
    { ...flatOffer(1, 100, zero), servicesEurPerMonth: zero },
    gasOffer({ id: 2, gasEnergyEurPerKwh: zero, gasFixedEurPerMonth: zero }),
  ];
  for (const customer of [ONE_MWH, { supplyType: 'GAS', consumptionKwh: 1000 }] as const) {
    const [minus, plus] = [-0, 0].map((zero) => rankOffers({ offers: offers(zero), customer, weight: zero }));
    expect(minus?.results[0]?.cost).toEqual(plus?.results[0]?.cost);
    expect(minus?.weight).toBe(0);
  }
});

test('a weight outside 0 to 1 is a bug of the caller, unless the caller may not see commissions', () => {
  const universe = compileUniverse('LUZ', withoutHistory(THREE));
  for (const weight of [-0.1, 1.1, Number.NaN, 2]) {
    const part = { universe, admits: () => true };
    expect(() => rankUniverses([part], requestOf({ weight })), `${weight}`).toThrow(RangeError);
    expect(rankUniverses([part], requestOf({ weight, seesCommissions: false })).weight).toBe(1);
  }
  for (const weight of [0, 1]) expect(rank(THREE, { weight }).weight).toBe(weight);
});

test('a ranking of up to 20,000 offers pauses where it reads them, and one of more in each piece of its work', () => {
  const pausesOf = (count: number, asked: Partial<RankingRequest>) => {
    const offers = Array.from({ length: count }, (_, index) => flatOffer(index + 1, 100 + (index % 7), index % 3));
    const parts = [{ universe: compileUniverse('LUZ', withoutHistory(offers)), admits: () => true }];
    const steps = rankInTurns(parts, requestOf(asked));
    let pauses = 0;
    while (!steps.next().done) pauses += 1;
    return pauses;
  };
  // Of 20 tables: while offers are selected, priced, and looked at for warnings; of 5 pieces: while they are ordered.
  const [tables, pieces] = [20, 5];
  const kinds: readonly (readonly [Partial<RankingRequest>, number, ofFew: number])[] = [
    [{}, 3 * tables + pieces, 0],
    [{ search: { words: ['o'], companyNameOf: () => '' } }, 5 * tables + 2 * pieces, 3],
    [{ reasons: askReasons({ thresholds: true }) }, 4 * tables + pieces, 0],
  ];
  for (const [asked, pauses, ofFew] of kinds) {
    expect(pausesOf(3000, asked)).toBe(ofFew);
    expect(pausesOf(20_001, asked), Object.keys(asked).join()).toBe(pauses);
  }
});

test('a retrospective of long histories pauses, and a question in between does not change its answer', () => {
  const price = perPeriod(() => null);
  const monthAt = (at: number) => `${2015 + Math.floor(at / 12)}-${String(1 + (at % 12)).padStart(2, '0')}-01`;
  const months = Array.from({ length: 120 }, (_, at) => ({
    ...{ supplyType: 'LUZ' as const, month: monthAt(at), powerEurPerKwDay: price },
    energyEurPerKwh: perPeriod((period) => (at % 7) + period),
  }));
  const entries = Array.from({ length: 30 }, (_, index) => {
    return { offer: { ...flatOffer(index + 1, 100, index), isIndexed: true }, months };
  });
  const parts = [{ universe: compileUniverse('LUZ', entries), admits: () => true }];
  const asked = requestOf({ reasons: askReasons({ retrospective: true, why: { againstId: null }, thresholds: true }) });
  const other = { ...ONE_MWH, consumptionKwh: perPeriod(() => 7) };
  const steps = rankInTurns(parts, asked);
  let [step, pauses] = [steps.next(), 0];
  for (; !step.done; step = steps.next()) {
    pauses += 1;
    rankUniverses(parts, requestOf({ customer: other, weight: 0 }));
  }
  expect(pauses).toBe(6);
  expect(step.value).toEqual(rankUniverses(parts, asked));
});

test.each([3000, 20_001])(
  'a ranking of %i offers reads the texts of one table at most between two pauses, whatever is asked',
  (count) => {
    const rows = withoutHistory(
      Array.from({ length: count }, (_, index) => ({
        ...flatOffer(index + 1, 100 + (index % 7), index % 3),
        isIndexed: true,
      })),
    ).map((entry) => ({ entry, text: JSON.stringify(entry) }));
    let read = 0;
    const readText = (text: string): OfferWithHistory => {
      read += 1;
      return JSON.parse(text);
    };
    const kinds: Readonly<Record<string, Partial<RankingRequest>>> = {
      month: { month: '2026-05-01' },
      search: { search: { words: ['1'], companyNameOf: () => '' } },
      'prices of power': { leastPowerPrices: { '2.0TD': [0.01, 0.01, null, null, null, null] } },
    };
    const other = { ...ONE_MWH, consumptionKwh: perPeriod(() => 7) };
    for (const [name, kind] of Object.entries(kinds)) {
      const parts = [{ universe: finish(patchInTurns(emptyUniverse('LUZ'), rows, readText)), admits: () => true }];
      const asked = requestOf({ ...kind, limit: 1 });
      const steps = rankInTurns(parts, asked);
      let [most, sum] = [0, 0];
      for (let isDone = false; !isDone; ) {
        read = 0;
        const step = steps.next();
        [most, sum] = [Math.max(most, read), sum + read];
        isDone = step.done === true;
        // One in between changes nothing.
        const between = rankUniverses(parts, step.done ? asked : requestOf({ customer: other, weight: 0, limit: 1 }));
        if (step.done) expect(step.value, name).toEqual(between);
      }
      expect(sum, name).toBeGreaterThanOrEqual(count);
      expect(most, name).toBeLessThanOrEqual(TABLE_ROWS);
    }
  },
);
