import {
  commissionOf,
  compileUniverse,
  createPlainKernel,
  demandOf,
  entrantsOf,
  type KernelTask,
  neededPrices,
  type OfferWithHistory,
  perPeriod,
  priceOffer,
  type RankingRequest,
} from '@tarifario/core';
import { createSimdKernel } from '@tarifario/kernel-simd';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryQuestion, type Question, WEIGHT } from '../../core/test/arbitrary-requests.ts';
import { holds } from '../../core/test/laws.ts';
import { electricityOffer, requestOf, withoutHistory } from '../../core/test/simple-offers.ts';
import { createArena } from '../src/arena.ts';
import { usesOf, writeDemand } from '../src/demand.ts';
import { doubtOf } from '../src/doubt.ts';

// Without a filter of its own: what both filters are held to.
const plain = createPlainKernel({ near: false });
const simd = createSimdKernel();
const arena = createArena(2 ** 24);

function taskOf(entries: readonly OfferWithHistory[], request: RankingRequest): KernelTask {
  const { customer, period, fees, seesCommissions: withCommissions } = request;
  const demand = demandOf(customer, period, fees);
  const universe = compileUniverse(customer.supplyType, entries);
  const entrants = entrantsOf({ universe, admits: () => true }, { ...request, demand, withCommissions });
  const weight = withCommissions ? request.weight : 1;
  const rest = { neededPrices: neededPrices(demand), withCommissions, withContenders: withCommissions, weight };
  return { blocks: entrants.map(({ columns }) => columns), demand, limit: request.limit, ...rest };
}

/** By how much of the doubt the figures of the filter are off at most: those of all offers that are priced. */
function shareOfDoubt({ entries, request }: Question): { readonly cost: number; readonly commission: number } {
  const task = taskOf(entries, request);
  if (task.blocks.length === 0) return { cost: 0, commission: 0 };
  const placed = arena?.place(task.blocks);
  if (!arena || !placed) throw new Error('there is SIMD, and room');
  const uses = usesOf(task.demand);
  const doubt = doubtOf(task, placed, uses);
  if (!doubt) throw new Error('these numbers fit 32 bits');
  writeDemand(arena, task, uses);
  const { blocks, costs, commissions, boxes } = arena.room();
  const { demand: at, found } = arena.fixed;
  arena.exports.price(blocks, task.blocks.length, at, found, costs, commissions, boxes);
  const { floats } = arena.views();
  let [cost, commission] = [0, 0];
  entries.forEach((entry, row) => {
    const near = floats[(costs >> 2) + row] ?? Number.NaN;
    if (Number.isNaN(near)) return;
    const pricing = priceOffer(entry, task.demand, request.month);
    if (!pricing.priced) throw new Error('a candidate has a cost');
    cost = Math.max(cost, Math.abs(near - pricing.cost.totalEur) / doubt.costEur);
    if (!task.withCommissions) return;
    const paid = floats[(commissions >> 2) + row] ?? Number.NaN;
    const exact = commissionOf(entry.offer, task.demand).totalEur;
    commission = Math.max(commission, Math.abs(paid - exact) / doubt.commissionEur);
  });
  return { cost, commission };
}

test('no cost and no commission of the filter is further from the definition than is proved', () => {
  let [cost, commission] = [0, 0];
  const see = (question: Question) => {
    const share = shareOfDoubt(question);
    expect(Math.max(share.cost, share.commission)).toBeLessThanOrEqual(1);
    cost = Math.max(cost, share.cost);
    commission = Math.max(commission, share.commission);
  };
  holds(fc.property(arbitraryQuestion(60), see), 300);
  holds(fc.property(CROWD, see), 100);
  // Otherwise the doubt would be so wide that the law says nothing.
  expect(Math.min(cost, commission)).toBeGreaterThan(0.05);
});

const PRICE = fc.integer({ min: 1, max: 400_000 }).map((millionths) => millionths / 1e6);
const PRICES = fc.tuple(PRICE, PRICE, PRICE, PRICE, PRICE, PRICE);

/**
 * Offers that 32 bits cannot tell apart: a few tariffs, each many times over with a price or a commission a hair away,
 * for a firm that uses all periods, pays tens of thousands and exports.
 */
const CROWD = fc
  .record({
    tariffs: fc.array(fc.tuple(PRICES, PRICES, fc.integer({ min: 0, max: 900 })), { minLength: 1, maxLength: 4 }),
    hairs: fc.array(fc.tuple(fc.nat(5), fc.integer({ min: -3, max: 3 }), fc.integer({ min: -2, max: 2 })), {
      minLength: 300,
      maxLength: 500,
    }),
    hairEur: fc.constantFrom(1e-12, 1e-11, 1e-9),
    kwh: fc.integer({ min: 1000, max: 90_000 }),
    weight: WEIGHT,
    limit: fc.constantFrom(1, 3, 50),
  })
  .map(({ tariffs, hairs, hairEur, kwh, weight, limit }): Question => {
    const offers = hairs.map(([period, hair, pay], index) => {
      const [energy, power, commission] = tariffs[index % tariffs.length] ?? [];
      if (!energy || !power || commission === undefined) throw new Error('there is a tariff');
      return electricityOffer({
        id: index + 1,
        energyEurPerKwh: perPeriod((i) => (energy[i] ?? 0) + (i === period ? hair * hairEur : 0)),
        powerEurPerKwDay: power,
        commissionValue: 1000 + commission + pay * 1e-6,
        servicesEurPerMonth: 4.99,
        hasSolarPanels: index % 2 === 0,
        surplusEurPerKwh: index % 2 === 0 ? 0.0512345 : null,
      });
    });
    const customer = {
      supplyType: 'LUZ',
      consumptionKwh: perPeriod((i) => kwh + 1000.1 * i),
      powerKw: perPeriod((i) => 17.3 + i),
      exportedKwh: 1234.5,
    } as const;
    const fees = { energyEurPerMwh: 3.3, powerEurPerMwh: 1.1 };
    return { entries: withoutHistory(offers), request: requestOf({ customer, fees, weight, limit }) };
  });

test('offers that 32 bits cannot tell apart are told apart by the definition', () => {
  let ties = 0;
  holds(
    fc.property(CROWD, ({ entries, request }) => {
      const task = taskOf(entries, request);
      const answer = simd?.rank(task);
      expect(answer).toEqual(plain.rank(task));
      const costs = answer?.best.map(({ costEur }) => costEur) ?? [];
      const floats = new Set(costs.map(Math.fround));
      ties += new Set(costs).size - floats.size;
    }),
    150,
  );
  expect(ties).toBeGreaterThan(100);
});

test('numbers that 32 bits cannot hold are ranked as well', () => {
  const offers = Array.from({ length: 300 }, (_, index) =>
    electricityOffer({
      id: index + 1,
      energyEurPerKwh: perPeriod((i) => (i === 0 ? (index % 7) * 1e37 : 0.1)),
      powerEurPerKwDay: perPeriod(() => 0.04),
      commissionValue: index,
    }),
  );
  const task = taskOf(withoutHistory(offers), requestOf({ limit: 20 }));
  expect(simd?.rank(task)).toEqual(plain.rank(task));
  const cheap = taskOf(withoutHistory(offers.map((offer) => ({ ...offer, commissionValue: 1e300 }))), requestOf());
  expect(simd?.rank(cheap)).toEqual(plain.rank(cheap));
});
