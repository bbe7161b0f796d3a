import {
  compileUniverse,
  createRowFilter,
  type ElectricityCustomer,
  NO_QUANTITIES,
  type OfferFilter,
  type OfferWithHistory,
  perPeriod,
  type RankingRequest,
  rankUniverses,
  type SupplyType,
} from '@tarifario/core/service';
import { arbitraryMonth, arbitraryOfferFilter, arbitraryRequest, arbitraryUniverse } from '@tarifario/core/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holds } from '../../test/laws.ts';
import { naiveRanking, withoutAdvice } from '../../test/naive-ranking.ts';
import { electricityOffer, flatOffer, requestOf, withoutHistory } from '../../test/simple-offers.ts';
import { createBoundedCache } from './bounded-cache.ts';

/** Asked about the fewest offers too, so that what is kept of one question could answer another. */
const FILTER = createRowFilter().filter;

type Asked = readonly [request: RankingRequest, admitted: readonly number[]];

/** Asks one universe many things in a row: what a block keeps of one request must not answer another. */
function expectEachRight(supplyType: SupplyType, entries: readonly OfferWithHistory[], asked: readonly Asked[]): void {
  const sorted = entries.toSorted((a, b) => a.offer.id - b.offer.id);
  const universe = compileUniverse(supplyType, sorted);
  for (const [request, admitted] of asked) {
    const admits = (companyId: number) => admitted.includes(companyId);
    const ranking = rankUniverses([{ universe, admits }], request, { filter: FILTER });
    // Warnings come from facts that are kept of blocks with the filter, and from the priced offers without.
    expect(ranking).toEqual(rankUniverses([{ universe, admits }], request, { filter: null }));
    const { winners, ...rest } = withoutAdvice(ranking);
    const reachable = sorted.filter(({ offer }) => admits(offer.companyId));
    expect(rest).toEqual(naiveRanking(reachable, request));
    expect(winners === null).toBe(!request.seesCommissions);
  }
}

test('requests one after the other, with any filter, month and companies, each get their own answer', () => {
  const given = fc.constantFrom<SupplyType>('LUZ', 'GAS').chain((supplyType) =>
    fc.record({
      supplyType: fc.constant(supplyType),
      entries: arbitraryUniverse({ supplyType, maxLength: 25 }),
      request: arbitraryRequest(supplyType),
      variants: fc.array(
        fc.record({
          month: fc.option(arbitraryMonth(), { nil: null }),
          filter: arbitraryOfferFilter(supplyType),
          admitted: fc.oneof(fc.constant([1, 2, 3, 4, 5]), fc.subarray([1, 2, 3, 4, 5])),
        }),
        { minLength: 2, maxLength: 14 },
      ),
    }),
  );
  holds(
    fc.property(given, ({ supplyType, entries, request, variants }) => {
      const asked = variants.map(({ month, filter, admitted }): Asked => [{ ...request, month, filter }, admitted]);
      expectEachRight(supplyType, entries, asked);
    }),
    300,
  );
});

function filtered(filter: Partial<OfferFilter>, month: string | null = null): RankingRequest {
  const request = requestOf({ month });
  return { ...request, filter: { ...request.filter, ...filter } };
}

test('a block of 70 tariffs distinguishes them, with and without a community', () => {
  const entries = withoutHistory(
    Array.from({ length: 210 }, (_, i) => ({
      ...flatOffer(i + 1, 100 + i, 0),
      tariffType: `T${i % 70}`,
      communities: i % 3 === 0 ? (['madrid'] as const) : [],
    })),
  );
  const names = [0, 1, 61, 62, 63, 64, 69, 70].map((number) => `T${number}`);
  const asked = names.flatMap((tariffType): Asked[] => [
    [filtered({ tariffType }), [1]],
    [filtered({ tariffType, community: 'madrid' }), [1]],
    [filtered({ tariffType, community: 'galicia' }), [1]],
  ]);
  expectEachRight('LUZ', entries, [...asked, ...asked.toReversed()]);
});

test('the same filter for other companies has its own mask', () => {
  const entries = withoutHistory(
    Array.from({ length: 20 }, (_, i) => ({ ...flatOffer(i + 1, i, 0), companyId: i % 4 })),
  );
  const companies = [[0], [1, 2], [], [0, 1, 2, 3], [3], [0]];
  const asked = [filtered({}), filtered({ community: 'madrid' })].flatMap((request) =>
    companies.map((admitted): Asked => [request, admitted]),
  );
  expectEachRight('LUZ', entries, asked);
});

test('the same community, tariff and companies with another filter have their own mask', () => {
  const open = { dni: false, cif: false, cdad: false };
  const entries = withoutHistory(
    (['dni', 'cif', 'cdad'] as const).map((type, i) => ({
      ...flatOffer(i + 1, 100 + i, 0),
      accepts: { ...open, [type]: true },
      hasSolarPanels: type === 'cif',
    })),
  );
  const filters = [{ customerType: 'dni' }, { customerType: 'cif' }, { hasSolarPanels: false }, {}] as const;
  const asked = filters.map((filter): Asked => [filtered({ ...filter, community: 'madrid' }), [1]]);
  expectEachRight('LUZ', entries, [...asked, ...asked.toReversed()]);
});

test('the mask of one month is not used for another month with the same community', () => {
  const months = [1, 2].map((number) => ({
    supplyType: 'LUZ' as const,
    month: `2026-0${number}-01`,
    energyEurPerKwh: [number === 1 ? 0.1 : null, null, null, null, null, null] as const,
    powerEurPerKwDay: [null, null, null, null, null, null] as const,
  }));
  const entries = [{ offer: electricityOffer({ id: 1, isIndexed: true }), months }];
  const asked = ['2026-01-01', '2026-02-01', null, '2026-01-01'].map(
    (month): Asked => [filtered({ community: 'madrid' }, month), [1]],
  );
  expectEachRight('LUZ', entries, asked);
});

test('a cache keeps what was made last, up to its size', () => {
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
  ask('8'); // the first one goes
  ask('1');
  ask('0');
  expect(made).toEqual([...names, '8', '0']);
});

test('A-10: of two parts with more exclusions than are listed, the lowest ids are', () => {
  const unpriced = (ids: readonly number[]) => withoutHistory(ids.map((id) => electricityOffer({ id })));
  const even = Array.from({ length: 250 }, (_, i) => 2 * i + 2);
  const odd = Array.from({ length: 250 }, (_, i) => 2 * i + 1);
  const parts = [even, odd].map((ids) => ({ universe: compileUniverse('LUZ', unpriced(ids)), admits: () => true }));
  const { excluded, excludedCount } = rankUniverses(parts, requestOf());
  expect(excludedCount).toBe(500);
  expect(excluded.map(({ offer }) => offer.id)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
});

test('A-10: customers who use other periods get other exclusions, with other reasons', () => {
  const priced = [0.1, 0.1, 0.1, 0.1, 0.1, 0.1] as const;
  const offers = [
    electricityOffer({ id: 1, energyEurPerKwh: [0.1, null, null, 0.1, 0.1, 0.1], powerEurPerKwDay: priced }),
    electricityOffer({ id: 2, energyEurPerKwh: [0.1, 0.1, null, 0.1, 0.1, 0.1], powerEurPerKwDay: priced }),
    electricityOffer({ id: 3, energyEurPerKwh: priced, powerEurPerKwDay: priced }),
  ];
  const parts = [{ universe: compileUniverse('LUZ', withoutHistory(offers)), admits: () => true }];
  const excludedFor = (consumptionKwh: ElectricityCustomer['consumptionKwh']) => {
    const customer = { supplyType: 'LUZ', consumptionKwh, powerKw: priced, exportedKwh: 0 } as const;
    const { excluded } = rankUniverses(parts, requestOf({ customer }));
    return excluded.map(({ offer, exclusion }) => [offer.id, exclusion]);
  };
  const lacks = (period: number) => ({ code: 'sin_precio_energia', period });
  for (let round = 0; round < 2; round++) {
    expect(excludedFor([1, 1, 1, 0, 0, 0])).toEqual([
      [1, lacks(2)],
      [2, lacks(3)],
    ]);
    expect(excludedFor([1, 0, 1, 0, 0, 0])).toEqual([
      [1, lacks(3)],
      [2, lacks(3)],
    ]);
    expect(excludedFor([1, 1, 0, 0, 0, 0])).toEqual([[1, lacks(2)]]);
    expect(excludedFor([1, 0, 0, 0, 0, 0])).toEqual([]);
  }
});

test('exclusions are also right for more kinds of customers than are cached', () => {
  const offers = Array.from({ length: 6 }, (_, period) =>
    electricityOffer({ id: period + 1, energyEurPerKwh: perPeriod((i) => (i === period ? null : 0.1)) }),
  );
  const parts = [{ universe: compileUniverse('LUZ', withoutHistory(offers)), admits: () => true }];
  for (let bits = 0; bits < 128; bits++) {
    const consumptionKwh = perPeriod((i) => (bits >> i) & 1);
    const customer = { supplyType: 'LUZ', consumptionKwh, powerKw: NO_QUANTITIES, exportedKwh: 0 } as const;
    const { excluded } = rankUniverses(parts, requestOf({ customer }));
    const expected = [0, 1, 2, 3, 4, 5].filter((i) => consumptionKwh[i] === 1).map((i) => i + 1);
    expect(excluded.map(({ offer }) => offer.id)).toEqual(expected);
  }
});

test('two filters have their own exclusions: all tariffs, then the first one of the block', () => {
  const offers = ['2.0TD', '3.0TD'].map((tariffType, index) => electricityOffer({ id: index + 1, tariffType }));
  const parts = [{ universe: compileUniverse('LUZ', withoutHistory(offers)), admits: () => true }];
  const { filter } = requestOf();
  const excludedFor = (asked: Partial<OfferFilter>) =>
    rankUniverses(parts, requestOf({ filter: { ...filter, ...asked } })).excluded.map(({ offer }) => offer.id);
  for (let round = 0; round < 2; round++) {
    expect(excludedFor({})).toEqual([1, 2]);
    expect(excludedFor({ tariffType: '2.0TD' })).toEqual([1]);
    expect(excludedFor({ tariffType: '3.0TD' })).toEqual([2]);
  }
});

test('the exclusions of the latest eight kinds of customers are cached', () => {
  const parts = [
    {
      universe: compileUniverse('LUZ', withoutHistory([1, 2].map((id) => electricityOffer({ id })))),
      admits: () => true,
    },
  ];
  const listedFor = (bits: number) => {
    const consumptionKwh = perPeriod((i) => (bits >> i) & 1);
    const customer = { supplyType: 'LUZ', consumptionKwh, powerKw: NO_QUANTITIES, exportedKwh: 0 } as const;
    return rankUniverses(parts, requestOf({ customer, limit: 1 }), { filter: FILTER }).excluded[0];
  };
  const first = listedFor(1);
  expect(first?.exclusion).toEqual({ code: 'sin_precio_energia', period: 1 });
  for (let bits = 2; bits <= 8; bits++) listedFor(bits);
  expect(listedFor(1)).toBe(first);
  listedFor(9);
  expect(listedFor(1)).not.toBe(first);
  expect(listedFor(9)).toBe(listedFor(9));
});
