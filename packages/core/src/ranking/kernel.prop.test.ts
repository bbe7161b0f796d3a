import {
  type Contender,
  commissionOf,
  compileUniverse,
  contenderOf,
  createPlainKernel,
  demandOf,
  entrantsOf,
  frontierOf,
  matchesFilter,
  NO_QUANTITIES,
  neededPrices,
  type OfferWithHistory,
  priceOffer,
  type RankingRequest,
  winnersByWeight,
} from '@tarifario/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryHalves, arbitraryNearTies, arbitraryQuestion, WEIGHT } from '../../test/arbitrary-requests.ts';
import { holds } from '../../test/laws.ts';
import { naiveRanking } from '../../test/naive-ranking.ts';
import { electricityOffer, flatOffer, rankEntries, requestOf, withoutHistory } from '../../test/simple-offers.ts';

test('the kernel gives the cost, the commission and the exclusions of the definition, bit by bit', () => {
  const kernel = createPlainKernel();
  let priced = 0;
  let excluded = 0;
  holds(
    fc.property(arbitraryQuestion(), ({ entries, request }) => {
      const { customer, period, fees, month } = request;
      const demand = demandOf(customer, period, fees);
      const universe = compileUniverse(customer.supplyType, entries);
      const query = { ...request, demand, withCommissions: true };
      const blocks = entrantsOf({ universe, admits: () => true }, query).map(({ columns }) => columns);
      const asked = {
        blocks,
        demand,
        neededPrices: neededPrices(demand),
        withCommissions: true,
        withContenders: true,
        weight: 0.5,
      };
      const answer = kernel.rank({ ...asked, limit: 100 });
      const rows = universe.blocks.flatMap((block) => block.entries);
      for (const { row, id, costEur, commissionEur } of answer.best) {
        const entry = rows[row];
        const definition = entry && priceOffer(entry, demand, month);
        expect(id).toBe(entry?.offer.id);
        expect(definition?.priced && definition.cost.totalEur).toBe(costEur);
        expect(entry && commissionOf(entry.offer, demand).totalEur).toBe(commissionEur);
        priced++;
      }
      const passing = rows.filter(({ offer }) => offer.isActive && matchesFilter(offer, request.filter));
      const missing = passing.filter((entry) => !priceOffer(entry, demand, month).priced);
      expect(answer.excludedCount).toBe(missing.length);
      excluded += missing.length;
      const masked = kernel.rank({ ...asked, withCommissions: false, withContenders: false, weight: 1, limit: 100 });
      expect(masked.commissionRangeEur).toEqual(masked.costRangeEur && { min: 0, max: 0 });
      expect(masked.best.every(({ commissionEur }) => commissionEur === 0)).toBe(true);
      expect(masked.contenders).toBeNull();
      expect(answer.best.length).toBe(answer.rankedCount);
    }),
    1000,
  );
  expect(Math.min(priced, excluded)).toBeGreaterThan(500);
});

test('A-03: at half a millionth, where the order of an addition tells, the kernel rounds as the definition does', () => {
  holds(
    fc.property(arbitraryHalves(), WEIGHT, ({ entries, request }, weight) => {
      const { winners, ...rest } = rankEntries(entries, { ...request, weight });
      expect(rest).toEqual(naiveRanking(entries, { ...request, weight }));
    }),
    300,
  );
});

/** The winners among all that are ranked, with no one left out beforehand. */
function allWinners(entries: readonly OfferWithHistory[], request: RankingRequest) {
  const { results, costRangeEur, commissionRangeEur } = naiveRanking(entries, { ...request, limit: entries.length });
  if (!costRangeEur || !commissionRangeEur) return [];
  const column = (value: (result: (typeof results)[number]) => number) => Float64Array.from(results, value);
  const points = frontierOf({
    ids: column(({ offer }) => offer.id),
    costEur: column(({ cost }) => cost.totalEur),
    commissionEur: column(({ commission }) => commission?.totalEur ?? Number.NaN),
    count: results.length,
  });
  const ranges = { cost: costRangeEur, commission: commissionRangeEur };
  return winnersByWeight(points.map((point): Contender => contenderOf(point, ranges)));
}

test('offers that are hard to tell apart are ranked as the rules tell, offer by offer, and so are their winners', () => {
  const limit = fc.constantFrom(1, 2, 5, 50);
  holds(
    fc.property(arbitraryNearTies(), WEIGHT, limit, fc.boolean(), (entries, weight, most, seesCommissions) => {
      const request = requestOf({ weight, limit: most, seesCommissions });
      const { winners, ...rest } = rankEntries(entries, request);
      expect(rest).toEqual(naiveRanking(entries, request));
      expect(winners).toEqual(seesCommissions ? allWinners(entries, request) : null);
    }),
    2000,
  );
});

test('costs and commissions may all be below 0', () => {
  const entries = withoutHistory(Array.from({ length: 20 }, (_, i) => flatOffer(i + 1, -1 - i, -1 - (i % 7))));
  for (const weight of [0, 0.5, 1]) {
    const { winners, ...rest } = rankEntries(entries, requestOf({ weight }));
    expect(rest).toEqual(naiveRanking(entries, requestOf({ weight })));
    expect(winners).toEqual(allWinners(entries, requestOf({ weight })));
  }
});

test('A-19: leaving out offers that never win changes no winner', () => {
  holds(
    fc.property(arbitraryQuestion(40), ({ entries, request }) => {
      const asked = { ...request, seesCommissions: true };
      expect(rankEntries(entries, asked).winners).toEqual(allWinners(entries, asked));
    }),
    500,
  );
});

test('offers in several blocks are ranked as those in one, at the edges of blocks too', () => {
  const counts = fc.constantFrom(1023, 1024, 1025, 2048, 2049);
  holds(
    fc.property(counts, fc.integer({ min: 1, max: 97 }), WEIGHT, fc.boolean(), (count, step, weight, sees) => {
      const entries = Array.from({ length: count }, (_, i) => {
        const flat = flatOffer(i + 1, 50 + ((i * step) % 61), (i * step) % 53);
        // One offer in 100 has no price, the last one of a block among them.
        return i % 100 === 23 ? electricityOffer({ id: i + 1 }) : flat;
      });
      const request = requestOf({ weight, limit: 30, seesCommissions: sees });
      const { winners, ...rest } = rankEntries(withoutHistory(entries), request);
      expect(rest).toEqual(naiveRanking(withoutHistory(entries), request));
      expect(winners).toEqual(sees ? allWinners(withoutHistory(entries), request) : null);
    }),
    12,
  );
});

test('A-10: an indexed offer without history is excluded also for a customer who uses nothing', () => {
  const customer = {
    supplyType: 'LUZ',
    consumptionKwh: NO_QUANTITIES,
    powerKw: NO_QUANTITIES,
    exportedKwh: 0,
  } as const;
  const indexed = { offer: electricityOffer({ id: 1, isIndexed: true }), months: [] };
  const fixed = { offer: electricityOffer({ id: 2 }), months: [] };
  const ranking = rankEntries([indexed, fixed], requestOf({ customer }));
  expect(ranking.results.map(({ offer }) => offer.id)).toEqual([2]);
  expect(ranking.excluded).toEqual([{ offer: indexed.offer, exclusion: { code: 'sin_historico' } }]);
});

test('the prices of an offer for another month do not change those of its mean', () => {
  const month = (name: string, price: number) => ({
    supplyType: 'LUZ' as const,
    month: name,
    energyEurPerKwh: [price, null, null, null, null, null] as const,
    powerEurPerKwDay: [null, null, null, null, null, null] as const,
  });
  const names = Array.from({ length: 8 }, (_, index) => `2025-0${index + 1}-01`);
  const entry = {
    offer: electricityOffer({ id: 1, isIndexed: true }),
    months: names.map((name, index) => month(name, index + 1)),
  };
  const [block] = compileUniverse('LUZ', [entry]).blocks;
  const mean = block?.prices(null);
  expect(mean?.terms[0]).toBe(4.5);
  names.forEach((name, index) => {
    expect(block?.prices(name).terms[0]).toBe(index + 1);
  });
  expect(block?.prices(null)).toBe(mean);
  const kept = block?.prices('2025-05-01');
  expect(block?.prices('2025-05-01')).toBe(kept);
  for (const name of ['2025-06-01', '2025-07-01', '2025-08-01']) block?.prices(name);
  expect(block?.prices('2025-05-01')).toBe(kept); // four months are kept
  block?.prices('2025-01-01');
  expect(block?.prices('2025-05-01')).not.toBe(kept);
});
