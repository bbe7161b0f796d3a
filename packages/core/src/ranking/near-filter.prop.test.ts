import {
  commissionOf,
  compileUniverse,
  createPlainKernel,
  demandOf,
  entrantsOf,
  type KernelTask,
  NO_QUANTITIES,
  neededPrices,
  type OfferWithHistory,
  perPeriod,
  priceOffer,
  type RankingRequest,
} from '@tarifario/core';
import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryNearTies, arbitraryQuestion, type Question, WEIGHT } from '../../test/arbitrary-requests.ts';
import { holds } from '../../test/laws.ts';
import { electricityOffer, flatOffer, requestOf, withoutHistory } from '../../test/simple-offers.ts';
import { nearDemandOf } from './near-figures.ts';
import { filterNear } from './near-filter.ts';
import { shortlistFor } from './shortlist.ts';

const exact = createPlainKernel({ near: false });
const near = createPlainKernel({ near: true });

function taskOf({ entries, request }: Question): KernelTask {
  const { customer, period, fees, seesCommissions: withCommissions, limit } = request;
  const demand = demandOf(customer, period, fees);
  const universe = compileUniverse(customer.supplyType, entries);
  const entrants = entrantsOf({ universe, admits: (id) => id !== 5 }, { ...request, demand, withCommissions });
  const weight = withCommissions ? request.weight : 1;
  const rest = { neededPrices: neededPrices(demand), withCommissions, withContenders: withCommissions, weight, limit };
  return { blocks: entrants.map(({ columns }) => columns), demand, ...rest };
}

function agrees(question: Question): void {
  const task = taskOf(question);
  expect(near.rank(task)).toEqual(exact.rank(task));
}

/** Prices of any sign and size, missing ones among them, and one far out now and then. */
const PRICE = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 400_000 }).map((millionths) => millionths / 1e6) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1e-9, -0.05, -2, 37, 1e5) },
  { weight: 1, arbitrary: fc.constant(null) },
);
const PRICES = fc.tuple(PRICE, PRICE, PRICE, PRICE, PRICE, PRICE);
const QUANTITY = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 90_000 }), fc.constantFrom(0.001, 1e6));
const QUANTITIES = fc.tuple(QUANTITY, QUANTITY, QUANTITY, QUANTITY, QUANTITY, QUANTITY);

const WILD: Arbitrary<Question> = fc
  .record({
    offers: fc.array(fc.record({ energy: PRICES, power: PRICES, surplus: PRICE, services: PRICE, pay: PRICE }), {
      minLength: 1,
      maxLength: 70,
    }),
    consumptionKwh: QUANTITIES,
    powerKw: QUANTITIES,
    exportedKwh: QUANTITY,
    weight: WEIGHT,
    limit: fc.constantFrom(1, 4, 50),
    seesCommissions: fc.boolean(),
  })
  .map(({ offers, weight, limit, seesCommissions, ...customer }) => ({
    entries: withoutHistory(
      offers.map(({ energy, power, surplus, services, pay }, index) =>
        electricityOffer({
          id: index + 1,
          energyEurPerKwh: energy,
          powerEurPerKwDay: power,
          hasSolarPanels: index % 2 === 0,
          surplusEurPerKwh: surplus,
          servicesEurPerMonth: services,
          commissionValue: pay ?? 0,
        }),
      ),
    ),
    request: requestOf({
      customer: { supplyType: 'LUZ', ...customer },
      fees: { energyEurPerMwh: 3.3, powerEurPerMwh: 1.1 },
      ...{ weight, limit, seesCommissions },
    }),
  }));

test('whoever is left out by near figures would not have been told: both ways give one answer', () => {
  holds(fc.property(arbitraryQuestion(60), agrees), 1500);
  holds(fc.property(WILD, agrees), 1000);
});

test('near ties, equal offers and ends that all share are told apart by the definition', () => {
  const limit = fc.constantFrom(1, 2, 5, 50);
  holds(
    fc.property(arbitraryNearTies(300), WEIGHT, limit, fc.boolean(), (entries, weight, most, seesCommissions) => {
      agrees({ entries, request: requestOf({ weight, limit: most, seesCommissions }) });
    }),
    1000,
  );
});

test('whoever is alone at an end of a scale is found, wherever he stands', () => {
  const figure = fc.integer({ min: 200, max: 800 });
  const row = fc.nat(99);
  const given = fc.record({
    figures: fc.array(fc.tuple(figure, figure), { minLength: 100, maxLength: 130 }),
    alone: fc.tuple(row, row, row, row),
    // All of them below 0, too.
    shiftEur: fc.constantFrom(0, -1000),
    weight: WEIGHT,
  });
  holds(
    fc.property(given, ({ figures, alone: [cheapest, dearest, worstPaid, bestPaid], shiftEur, weight }) => {
      const offers = figures.map(([cost, pay], index) => {
        const costEur = index === cheapest ? 199.999 : index === dearest ? 800.001 : cost;
        const payEur = index === worstPaid ? 199.999 : index === bestPaid ? 800.001 : pay;
        return flatOffer(index + 1, shiftEur + costEur, shiftEur + payEur);
      });
      agrees({ entries: withoutHistory(offers), request: requestOf({ weight, limit: 3 }) });
    }),
    300,
  );
});

test('prices far out of those who take no part widen the doubt of all, and nobody is lost', () => {
  const figure = fc.integer({ min: 100_000, max: 200_000 }).map((thousandths) => thousandths / 1000);
  const given = fc.record({
    figures: fc.array(fc.tuple(figure, figure), { minLength: 100, maxLength: 130 }),
    farEur: fc.constantFrom(1e3, 1e4, 1e5, 1e6),
    weight: WEIGHT,
    limit: fc.constantFrom(1, 3, 20),
  });
  holds(
    fc.property(given, ({ figures, farEur, weight, limit }) => {
      const offers = figures.map(([costEur, payEur], index) => flatOffer(index + 1, costEur, payEur));
      const far = { ...flatOffer(999, farEur, farEur), isActive: false };
      agrees({ entries: withoutHistory([...offers, far]), request: requestOf({ weight, limit }) });
    }),
    300,
  );
});

test('none, one, an odd number, blocks with odd ends, and more of the best than there are', () => {
  const entries = withoutHistory(Array.from({ length: 2051 }, (_, i) => flatOffer(i + 1, 50 + (i % 7), i % 5)));
  for (const count of [0, 1, 2, 3, 1023, 1024, 1025, 2051]) {
    for (const limit of [1, 400, 3000]) agrees({ entries: entries.slice(0, count), request: requestOf({ limit }) });
  }
  // Nobody costs or pays anything.
  const nothing = withoutHistory(Array.from({ length: 5 }, (_, i) => flatOffer(5 - i, 0, 0)));
  agrees({ entries: nothing, request: requestOf({ limit: 2 }) });
  const unpriced = withoutHistory(Array.from({ length: 9 }, (_, i) => electricityOffer({ id: i + 1 })));
  agrees({ entries: unpriced, request: requestOf() });
});

/** The near figures of a task beside those of the definition, in doubts: the largest difference of each. */
function sharesOfDoubt({ entries, request }: Question): { readonly cost: number; readonly paid: number } {
  const task = taskOf({ entries, request });
  const rows = entries.length;
  const [costMicros, commissionMicros] = [new Float64Array(rows + 1), new Float64Array(rows + 1)];
  const room = () => new Int32Array(rows);
  const lists = { kept: room(), nearCost: room(), nearPaid: room(), list: shortlistFor(rows) };
  const demand = nearDemandOf(task);
  const found = filterNear(task, { costMicros, commissionMicros, lines: new Float64Array(rows), ...lists });
  if (!found || !demand || task.blocks.length === 0) return { cost: 0, paid: 0 };
  let [cost, paid] = [0, 0];
  entries.forEach((entry, row) => {
    const figure = costMicros[row] ?? Number.NaN;
    if (Number.isNaN(figure)) return;
    const pricing = priceOffer(entry, task.demand, request.month);
    const exactly = pricing.priced ? pricing.cost.totalEur : Number.NaN;
    cost = Math.max(cost, Math.abs(figure - exactly * 1e6) / demand.costDoubt);
    if (!task.withCommissions) return;
    const pays = commissionOf(entry.offer, task.demand).totalEur;
    paid = Math.max(paid, Math.abs((commissionMicros[row] ?? Number.NaN) - pays * 1e6) / demand.paidDoubt);
  });
  return { cost, paid };
}

test('no near figure is further from the definition than is proved, and the doubt is not so wide that this is nothing', () => {
  let [largestCost, largestPaid] = [0, 0];
  const see = (question: Question) => {
    const { cost, paid } = sharesOfDoubt(question);
    expect(Math.max(cost, paid)).toBeLessThanOrEqual(1);
    largestCost = Math.max(largestCost, cost);
    largestPaid = Math.max(largestPaid, paid);
  };
  holds(fc.property(arbitraryQuestion(60), see), 500);
  holds(fc.property(WILD, see), 500);
  expect(largestCost).toBeGreaterThan(0.1);
  expect(largestPaid).toBeGreaterThan(0.1);
});

test('surplus worth more than the energy of a small bill leaves the rest of it, to the doubt', () => {
  const offers = Array.from({ length: 40 }, (_, i) =>
    electricityOffer({
      id: i + 1,
      energyEurPerKwh: perPeriod(() => 0.1 + i / 1000),
      powerEurPerKwDay: perPeriod(() => 0),
      hasSolarPanels: true,
      surplusEurPerKwh: i % 2 === 0 ? 0.05 : 0.01,
      servicesEurPerMonth: i / 100,
    }),
  );
  const customer = {
    supplyType: 'LUZ',
    consumptionKwh: perPeriod((i) => (i === 0 ? 10 : 0)),
    powerKw: NO_QUANTITIES,
    exportedKwh: 40,
  } as const;
  const question: Question = { entries: withoutHistory(offers), request: requestOf({ customer, limit: 5 }) };
  expect(nearDemandOf(taskOf(question))?.costDoubt).toBeLessThan(50_000);
  expect(sharesOfDoubt(question).cost).toBeLessThanOrEqual(1);
  agrees(question);
});

test('figures too large to be told apart by whole numbers are priced exactly', () => {
  const offers = (value: number, pay: number): readonly OfferWithHistory[] =>
    withoutHistory(
      Array.from({ length: 40 }, (_, index) =>
        electricityOffer({
          id: index + 1,
          energyEurPerKwh: perPeriod((i) => (i === 0 ? (index % 7) * value : 0.1)),
          powerEurPerKwDay: perPeriod(() => 0.04),
          commissionValue: index + pay,
        }),
      ),
    );
  const request: RankingRequest = requestOf({ limit: 20 });
  for (const [value, pay] of [
    [1e37, 0],
    [0.1, 1e300],
    [0.1, 1e9],
  ] as const) {
    const task = taskOf({ entries: offers(value, pay), request });
    expect(nearDemandOf(task)).toBeNull();
    expect(near.rank(task)).toEqual(exact.rank(task));
  }
  // Fees of the period alone, and of the year alone.
  for (const [fee, period] of [
    [6e8, { days: 1100, months: 36 }],
    [1e8, { days: 30, months: 1 }],
  ] as const) {
    const fees = { energyEurPerMwh: fee, powerEurPerMwh: fee };
    const task = taskOf({ entries: offers(0.1, 0), request: requestOf({ limit: 20, period, fees }) });
    expect(nearDemandOf(task)).toBeNull();
    expect(near.rank(task)).toEqual(exact.rank(task));
  }
});

test('figures too small for a unit of their own are told apart as all others', () => {
  const question = (costEur: number, pay: number, kwh: number): Question => ({
    entries: withoutHistory(Array.from({ length: 9 }, (_, i) => flatOffer(i + 1, (8 - i) * costEur, (i % 4) * pay))),
    request: requestOf({
      customer: { supplyType: 'LUZ', consumptionKwh: [kwh, 0, 0, 0, 0, 0], powerKw: NO_QUANTITIES, exportedKwh: 0 },
      limit: 3,
    }),
  });
  for (const least of [Number.MIN_VALUE, 1e-320, 1e-310, 1e-305, 1e-300]) {
    agrees(question(1000 * least, 1, 1));
    agrees(question(1000 * least, 1, 1e9));
    agrees(question(100, least, 1000));
    agrees(question(100, 1, least));
  }
});
