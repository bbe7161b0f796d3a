import {
  bestByLine,
  compileUniverse,
  createPlainKernel,
  demandOf,
  entrantsOf,
  groupsFor,
  type KernelAnswer,
  neededPrices,
  type OfferWithHistory,
} from '@tarifario/core';
import { expect, test } from 'vitest';
import { flatOffer, requestOf, withoutHistory } from '../../test/simple-offers.ts';
import { chance, speedCustomer, speedRequest, speedUniverse } from '../../test/speed/speed-universe.ts';
import { scaleOf } from './scales.ts';

// That nobody is left out who matters is a law elsewhere. Here: that hardly anybody else is left, which is what the
// lines are for.

function answerOf(entries: readonly OfferWithHistory[], request = requestOf()): KernelAnswer {
  const demand = demandOf(request.customer, request.period, request.fees);
  const universe = compileUniverse('LUZ', entries);
  const entrants = entrantsOf({ universe, admits: () => true }, { ...request, demand, withCommissions: true });
  return createPlainKernel().rank({
    blocks: entrants.map(({ columns }) => columns),
    demand,
    neededPrices: neededPrices(demand),
    withCommissions: true,
    withContenders: true,
    weight: request.weight,
    limit: request.limit,
  });
}

/** So many points in a square, cheap ones and well paid ones far apart. */
function scattered(count: number, seed: number): readonly OfferWithHistory[] {
  const next = chance(seed);
  return withoutHistory(
    Array.from({ length: count }, (_, i) => flatOffer(i + 1, 100 + 900 * next(), 50 + 700 * next())),
  );
}

test('few offers of a market are contenders, whatever the weight', () => {
  const market = speedUniverse(2000);
  const next = chance(5);
  for (const weight of [0, 0.3, 0.5, 0.8, 1]) {
    const { rankedCount, contenders } = answerOf(market, { ...speedRequest(speedCustomer(next)), weight });
    expect(rankedCount).toBeGreaterThan(1000);
    expect(contenders?.count).toBeLessThan(250);
  }
});

test('of points in a square a few are contenders', () => {
  for (const seed of [1, 2, 3]) {
    for (const weight of [0.2, 0.5, 0.7]) {
      const { contenders } = answerOf(scattered(1500, seed), requestOf({ weight, limit: 5 }));
      expect(contenders?.count).toBeGreaterThan(2);
      expect(contenders?.count).toBeLessThan(60);
    }
  }
});

test('where all pay the same only the cheapest contend, where all cost the same only the best paid', () => {
  const next = chance(9);
  const [costs, pays] = [
    Array.from({ length: 300 }, () => 100 + 900 * next()),
    Array.from({ length: 300 }, () => 50 + 700 * next()),
  ];
  const samePay = withoutHistory(costs.map((cost, i) => flatOffer(i + 1, cost, 40)));
  const sameCost = withoutHistory(pays.map((pay, i) => flatOffer(i + 1, 100, pay)));
  for (const weight of [0, 0.5, 1]) {
    expect(answerOf(samePay, requestOf({ weight })).contenders?.costEur).toEqual([
      Math.round(Math.min(...costs) * 1e6) / 1e6,
    ]);
    expect(answerOf(sameCost, requestOf({ weight })).contenders?.commissionEur).toEqual([
      Math.round(Math.max(...pays) * 1e6) / 1e6,
    ]);
  }
});

test('hardly more offers than are asked for are kept for the scores of the definition', () => {
  const next = chance(4);
  const count = 4000;
  const column = () => Float64Array.from({ length: count }, () => Math.floor(1e9 * next()));
  const [costMicros, commissionMicros] = [column(), column()];
  const [price, commission] = [costMicros, commissionMicros].map((all) => scaleOf(Math.min(...all), Math.max(...all)));
  if (!price || !commission) throw new Error('two scales');
  const room = { kept: new Int32Array(count), lines: new Float64Array(count) };
  for (const limit of [1, 5, 50, 200]) {
    const asked = {
      ...{ price, commission, weight: 0.4, limit, nearness: 1e-9 },
      ...{ maxCost: Math.max(...costMicros), minCommission: Math.min(...commissionMicros) },
    };
    const kept = bestByLine({ costMicros, commissionMicros, ...room }, count, asked);
    expect(kept).toBeGreaterThanOrEqual(limit);
    expect(kept).toBeLessThanOrEqual(limit + 3);
  }
});

test('there are two groups or more for each of the best, a power of two', () => {
  expect([1, 2, 3, 10, 50, 64, 65, 200].map(groupsFor)).toEqual([2, 4, 8, 32, 128, 128, 256, 512]);
});

test('a scale is a line over the millionths, flat where all figures are the same', () => {
  const scale = scaleOf(2_000_000, 12_000_000);
  expect(scale).toMatchObject({ base: 0, perMicro: 1e-6 });
  expect(scale.slack).toBeGreaterThan(0.5e-9);
  expect(scale.slack).toBeLessThan(0.52e-9);
  expect(scale.blur).toBeLessThan(1e-8);
  expect(scaleOf(-5e6, 1e6).blur).toBe(2 ** -51 * 5e6);
  expect(scaleOf(1e16, 1e16 + 2).slack).toBeGreaterThan(10);
  expect(scaleOf(7, 7)).toMatchObject({ base: 10, perMicro: 0, slack: 0 });
});
