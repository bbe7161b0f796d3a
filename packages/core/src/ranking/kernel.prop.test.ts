import {
  blockCommissionsEur,
  blockCostsEur,
  commissionOf,
  compileUniverse,
  demandOf,
  NO_QUANTITIES,
  neededPrices,
  priceOffer,
} from '@tarifario/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryQuestion } from '../../test/arbitrary-requests.ts';
import { holds } from '../../test/laws.ts';
import { electricityOffer, rankEntries, requestOf } from '../../test/simple-offers.ts';

test('the columns give the cost, the commission and the exclusions of the definition, bit by bit', () => {
  let priced = 0;
  let excluded = 0;
  holds(
    fc.property(arbitraryQuestion(), ({ entries, request }) => {
      const { customer, period, fees, month } = request;
      const demand = demandOf(customer, period, fees);
      const universe = compileUniverse(customer.supplyType, entries);
      for (const block of universe.blocks) {
        const prices = block.prices(month);
        const costs = blockCostsEur(block, prices, demand);
        const commissions = blockCommissionsEur(block, demand);
        const needed = neededPrices(demand);
        block.entries.forEach((entry, row) => {
          const definition = priceOffer(entry, demand, month);
          expect(((prices.present[row] ?? 0) & needed) === needed).toBe(definition.priced);
          if (definition.priced) expect(costs[row]).toBe(definition.cost.totalEur);
          expect(commissions[row]).toBe(commissionOf(entry.offer, demand).totalEur);
          if (definition.priced) priced++;
          else excluded++;
        });
      }
    }),
    1000,
  );
  expect(Math.min(priced, excluded)).toBeGreaterThan(1000);
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
  expect(mean?.energy[0]?.[0]).toBe(4.5);
  names.forEach((name, index) => {
    expect(block?.prices(name).energy[0]?.[0]).toBe(index + 1);
  });
  expect(block?.prices(null)).toBe(mean);
  const kept = block?.prices('2025-05-01');
  expect(block?.prices('2025-05-01')).toBe(kept);
  for (const name of ['2025-06-01', '2025-07-01', '2025-08-01']) block?.prices(name);
  expect(block?.prices('2025-05-01')).toBe(kept); // four months are kept
  block?.prices('2025-01-01');
  expect(block?.prices('2025-05-01')).not.toBe(kept);
});
