import { arbitraryMonth, arbitraryOfferFilter, arbitraryRequest, arbitraryUniverse } from '@tarifario/core/testing';
import { holds } from '@tarifario/testkit/core/laws';
import { electricityOffer, rankEntries, requestOf, withoutHistory } from '@tarifario/testkit/core/simple-offers';
import { runsOf } from '@tarifario/testkit/share';
import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { createBoundedCache } from '../bounded-cache.ts';
import type { OfferWithHistory, SupplyType } from '../offers/offer.ts';
import { NO_QUANTITIES, perPeriod } from '../periods.ts';
import { rankUniverses } from './rank.ts';
import type { RankingRequest } from './ranking.ts';
import { compileUniverse } from './universe.ts';

type Question = readonly [request: RankingRequest, admitted: readonly number[]];

/** Ranks one universe for many requests: nothing that is kept for one may answer another. */
function expectEachRight(
  supplyType: SupplyType,
  entries: readonly OfferWithHistory[],
  questions: readonly Question[],
): void {
  const sorted = entries.toSorted((a, b) => a.offer.id - b.offer.id);
  const universe = compileUniverse(supplyType, sorted);
  for (const [request, admitted] of questions) {
    const admits = (companyId: number) => admitted.includes(companyId);
    const ranking = rankUniverses([{ universe, admits }], request);
    const reachable = sorted.filter(({ offer }) => admits(offer.companyId));
    expect(ranking).toEqual(rankEntries(reachable, request));
  }
}

const pairOf = <T>(value: Arbitrary<T>) => fc.tuple(value, value);

test('requests one after the other, with any filter, month and companies, each get their own answer', () => {
  const given = fc.constantFrom<SupplyType>('LUZ', 'GAS').chain((supplyType) =>
    fc.record({
      supplyType: fc.constant(supplyType),
      entries: arbitraryUniverse({ supplyType, maxLength: 25 }),
      request: arbitraryRequest(supplyType),
      months: pairOf(fc.option(arbitraryMonth(), { nil: null })),
      filters: pairOf(arbitraryOfferFilter(supplyType)),
      companies: pairOf(fc.oneof(fc.constant([1, 2, 3, 4, 5]), fc.subarray([1, 2, 3, 4, 5]))),
      choices: fc.array(fc.nat({ max: 31 }), { minLength: 2, maxLength: 14 }),
    }),
  );
  holds(
    fc.property(given, ({ supplyType, entries, request, months, filters, companies, choices }) => {
      // Many differ in one of their parts.
      const questions = choices.map((choice): Question => {
        const one = <T>(bit: number, [a, b]: readonly [T, T]) => ((choice >> bit) & 1 ? b : a);
        const { tariffType } = one(0, filters);
        const { community } = one(1, filters);
        const filter = { ...one(2, filters), tariffType, community };
        return [{ ...request, month: one(3, months), filter, limit: 2 }, one(4, companies)];
      });
      expectEachRight(supplyType, entries, questions);
    }),
    runsOf(100, 300),
  );
});

test('a cache keeps the entries that were used last, up to its size', () => {
  const cache = createBoundedCache<string, string>(8);
  const made: string[] = [];
  const ask = (name: string) =>
    cache.at(name, () => {
      made.push(name);
      return name;
    });
  const names = Array.from({ length: 8 }, (_, index) => `${index}`);
  for (const name of [...names, ...names]) ask(name);
  expect(made).toEqual(names);
  ask('0');
  ask('8'); // evicts the second one
  ask('0');
  ask('1');
  expect(made).toEqual([...names, '8', '1']);
});

test('A-10: of two parts with more exclusions than are listed, the lowest ids are listed', () => {
  const unpriced = (ids: readonly number[]) => withoutHistory(ids.map((id) => electricityOffer({ id })));
  const even = Array.from({ length: 250 }, (_, i) => 2 * i + 2);
  const odd = Array.from({ length: 250 }, (_, i) => 2 * i + 1);
  const parts = [even, odd].map((ids) => ({ universe: compileUniverse('LUZ', unpriced(ids)), admits: () => true }));
  const { excluded, excludedCount } = rankUniverses(parts, requestOf());
  expect(excludedCount).toBe(500);
  expect(excluded.map(({ offer }) => offer.id)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
});

test('the exclusions of one customer after the other are their own', () => {
  const offers = Array.from({ length: 6 }, (_, period) =>
    electricityOffer({ id: period + 1, energyEurPerKwh: perPeriod((i) => (i === period ? null : 0.1)) }),
  );
  const parts = [{ universe: compileUniverse('LUZ', withoutHistory(offers)), admits: () => true }];
  for (let bits = 0; bits < 128; bits++) {
    const consumptionKwh = perPeriod((i) => (bits >> i) & 1);
    const customer = { supplyType: 'LUZ', consumptionKwh, powerKw: NO_QUANTITIES, exportedKwh: 0 } as const;
    const { excluded } = rankUniverses(parts, requestOf({ customer, limit: 1 }));
    const expected = [1, 2, 3, 4, 5, 6].filter((period) => consumptionKwh[period - 1] === 1);
    const exclusions = excluded.map(({ offer, exclusion }) => [offer.id, exclusion]);
    expect(exclusions).toEqual(expected.map((period) => [period, { code: 'sin_precio_energia', period }]));
  }
});

test('an offer that lacks two prices, or breaks two limits, is told with that of each customer in turn', () => {
  const offer = {
    ...electricityOffer({ id: 1, minPowerKw: 5, maxPowerKw: 10 }),
    energyEurPerKwh: perPeriod(() => null),
  };
  const parts = [{ universe: compileUniverse('LUZ', withoutHistory([offer])), admits: () => true }];
  const exclusionFor = (period: number, kw: number) => {
    const consumptionKwh = perPeriod((i) => (i === period ? 1 : 0));
    const powerKw = perPeriod((i) => (i === 0 ? kw : 0));
    const customer = { supplyType: 'LUZ', consumptionKwh, powerKw, exportedKwh: 0 } as const;
    return rankUniverses(parts, requestOf({ customer, limit: 1 })).excluded[0]?.exclusion;
  };
  for (const turn of [0, 1, 0]) {
    expect(exclusionFor(turn, 7)).toEqual({ code: 'sin_precio_energia', period: turn + 1 });
    expect(exclusionFor(turn, 4)).toEqual({ code: 'fuera_de_limites', limit: 'minPowerKw', bound: 5 });
    expect(exclusionFor(turn, 11)).toEqual({ code: 'fuera_de_limites', limit: 'maxPowerKw', bound: 10 });
  }
});
