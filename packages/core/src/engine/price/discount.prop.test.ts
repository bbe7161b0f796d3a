import {
  arbitraryCustomer,
  arbitraryElectricityCustomer,
  arbitraryFees,
  arbitraryPeriod,
  arbitraryUniverse,
} from '@tarifario/core/testing';
import { arbitraryProfile, profiledCustomer } from '@tarifario/testkit/core/arbitrary-requests';
import { holds } from '@tarifario/testkit/core/laws';
import { electricityOffer, gasOffer } from '@tarifario/testkit/core/simple-offers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ProfileEntry } from '../consumption/profile.ts';
import type { ElectricityOffer, Offer, OfferWithHistory, SupplyType } from '../offers/offer.ts';
import { type PerPeriod, perPeriod } from '../periods.ts';
import { discountedCost, priceOffer } from './cost.ts';
import { type Customer, type Demand, demandOf, periodOf } from './customer.ts';

const PERCENT = fc.oneof(
  fc.constantFrom(0, 5, 100),
  fc.integer({ min: 1, max: 9999 }).map((n) => n / 100),
);
const MONTHS = fc.integer({ min: 1, max: 36 });

function withDiscount(
  { offer, months }: OfferWithHistory,
  [energy, power, lasting]: readonly [number, number, number],
) {
  // For everybody: limits would leave hardly any offer with a cost.
  const both = { energyDiscountPercent: energy, discountMonths: lasting, minAnnualKwh: null, maxAnnualKwh: null };
  const discounted: Offer =
    offer.supplyType === 'LUZ'
      ? { ...offer, ...both, powerDiscountPercent: power, minPowerKw: null, maxPowerKw: null }
      : { ...offer, ...both };
  return { offer: discounted, months };
}

/** A negative price is not lowered by a discount. */
function hasOnlyCharges({ offer, months }: OfferWithHistory): boolean {
  const prices = [offer, ...months].flatMap((one) =>
    one.supplyType === 'LUZ' ? [...one.energyEurPerKwh, ...one.powerEurPerKwDay] : [one.gasEnergyEurPerKwh],
  );
  return prices.every((price) => price === null || price >= 0);
}

const QUESTION = fc.constantFrom<SupplyType>('LUZ', 'GAS').chain((supplyType) =>
  fc.record({
    entries: arbitraryUniverse({ supplyType, maxLength: 6 }),
    customer: arbitraryCustomer(supplyType),
    profile: fc.option(arbitraryProfile(supplyType), { nil: null }),
    period: arbitraryPeriod(),
    fees: arbitraryFees(supplyType),
    discount: fc.tuple(PERCENT, PERCENT, MONTHS),
  }),
);

function costIn(entry: OfferWithHistory, demand: Demand) {
  const pricing = priceOffer(entry, demand, null);
  return pricing.priced ? pricing.cost : null;
}

test('A-127: a discount changes energy, power and the cap of surplus, and makes no offer dearer', () => {
  let lowered = 0;
  holds(
    fc.property(QUESTION, ({ entries, customer, profile, period, fees, discount }) => {
      const profiled = profile ? profiledCustomer(customer, profile) : customer;
      const demand = demandOf(profiled, profile ? periodOf(profiled, {}) : period, fees);
      for (const entry of entries) {
        const discounted = withDiscount(entry, discount);
        const cost = costIn(discounted, demand);
        const plain = costIn({ ...entry, offer: { ...entry.offer, discountMonths: null } }, demand);
        if (!cost || !plain || !hasOnlyCharges(entry)) continue;
        const besides = discountedCost(discounted, { demand, month: null });
        expect(besides?.withoutDiscountEur).toBe(plain.totalEur);
        expect([cost.fixedEur, cost.servicesEur]).toEqual([plain.fixedEur, plain.servicesEur]);
        expect(plain.totalEur).toBeGreaterThanOrEqual(cost.totalEur);
        expect(plain.totalEur).toBeGreaterThanOrEqual(besides?.secondYearEur ?? Number.NaN);
        expect(besides?.secondYearEur).toBeGreaterThanOrEqual(cost.totalEur);
        if (plain.totalEur > cost.totalEur) lowered++;
      }
    }),
    200,
  );
  expect(lowered).toBeGreaterThan(100);
});

function times(prices: PerPeriod<number>, factor: number): PerPeriod<number> {
  return perPeriod((i) => (prices[i] ?? 0) * factor);
}

test('A-127: a discount over the whole period is that of the prices', () => {
  holds(
    fc.property(
      arbitraryElectricityCustomer(),
      fc.tuple(PERCENT, PERCENT),
      fc.integer({ min: 1, max: 1095 }),
      (customer, [energy, power], days) => {
        const offerOf = (terms: Partial<ElectricityOffer>, less: readonly [number, number] = [1, 1]) =>
          electricityOffer({
            ...{ id: 1, energyEurPerKwh: times([0.25, 0.15, 0.1, 0.2, 0.3, 0.05], less[0]) },
            ...{ powerEurPerKwDay: times([0.1, 0.05, 0.04, 0.03, 0.02, 0.01], less[1]), servicesEurPerMonth: 3 },
            ...{ hasSolarPanels: true, surplusEurPerKwh: 0.06, ...terms },
          });
        const demand = demandOf(customer, periodOf(customer, { days }));
        const discounted = offerOf({ energyDiscountPercent: energy, powerDiscountPercent: power, discountMonths: 36 });
        const lower = offerOf({}, [1 - energy / 100, 1 - power / 100]);
        const [own, other] = [discounted, lower].map((offer) => costIn({ offer, months: [] }, demand)?.totalEur ?? 0);
        expectNear(own ?? Number.NaN, other ?? Number.NaN);
      },
    ),
    200,
  );
});

/** The days of a year in some parts. */
const PARTS_OF_YEAR = fc
  .uniqueArray(fc.integer({ min: 1, max: 364 }), { maxLength: 11 })
  .map((ends) => [...ends.toSorted((a, b) => a - b), 365].map((end, part, all) => end - (all[part - 1] ?? 0)));

test('A-127: the same year twice costs what the first and the second year cost', () => {
  let differing = 0;
  holds(
    fc.property(QUESTION, PARTS_OF_YEAR, ({ entries, customer, profile, fees, discount }, days) => {
      const supplied = profile ?? [{ month: null, days: 365, consumptionKwh: [1000], exportedKwh: 0 }];
      const year = days.map((length, part) => ({ ...supplied[part % supplied.length], days: length }) as ProfileEntry);
      const demandFor = (parts: readonly ProfileEntry[]) => {
        const profiled = profiledCustomer(customer, parts);
        return demandOf(profiled, periodOf(profiled, {}), fees);
      };
      const [one, two] = [demandFor(year), demandFor([...year, ...year])];
      for (const entry of entries) {
        const discounted = withDiscount(entry, discount);
        const [first, both] = [costIn(discounted, one), costIn(discounted, two)];
        if (!first || !both) continue;
        const second = discountedCost(discounted, { demand: one, month: null })?.secondYearEur ?? Number.NaN;
        expectNear(first.totalEur + second, both.totalEur);
        if (second !== first.totalEur) differing++;
      }
    }),
    200,
  );
  expect(differing).toBeGreaterThan(50);
});

/** Two roundings apart, and the last bits of large sums. */
function expectNear(actual: number, expected: number) {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(3e-6 + Math.abs(expected) * 1e-12);
}

const OFFER = electricityOffer({
  ...{
    id: 1,
    energyEurPerKwh: [0.2, null, null, null, null, null],
    powerEurPerKwDay: [0.1, null, null, null, null, null],
  },
  ...{ servicesEurPerMonth: 1, energyDiscountPercent: 20, powerDiscountPercent: 10 },
});
const HOME: Customer = {
  supplyType: 'LUZ',
  consumptionKwh: [1000, 0, 0, 0, 0, 0],
  powerKw: [5, 0, 0, 0, 0, 0],
  exportedKwh: 0,
};

describe('A-127: the months of a discount', () => {
  // Energy 200, power 5 * 0.1 * 365 = 182.5, services 12.
  test.each([
    [3, 200 * 0.95 + 182.5 * 0.975 + 12, 394.5],
    [12, 160 + 164.25 + 12, 394.5],
    [18, 160 + 164.25 + 12, 200 * 0.9 + 182.5 * 0.95 + 12],
    [24, 160 + 164.25 + 12, 160 + 164.25 + 12],
  ])('%i months: a year costs %d, and the second year %d', (discountMonths, eur, secondYearEur) => {
    const entry = { offer: { ...OFFER, discountMonths }, months: [] };
    const demand = demandOf(HOME, periodOf(HOME, {}));
    expect(costIn(entry, demand)?.totalEur).toBe(Math.round(eur * 1e6) / 1e6);
    expect(discountedCost(entry, { demand, month: null })).toEqual({ withoutDiscountEur: 394.5, secondYearEur });
  });

  test('a shorter period has the discount in all of it, and the first entries of a profile use it up', () => {
    const entry = { offer: { ...OFFER, servicesEurPerMonth: null, discountMonths: 6 }, months: [] };
    const short = demandOf(HOME, periodOf(HOME, { days: 73 }));
    expect(costIn(entry, short)).toMatchObject({ energyEur: 160, powerEur: 36.5 * 0.9 });
    const part = (days: number, kwh: number) => ({ month: null, days, consumptionKwh: [kwh], exportedKwh: 0 });
    const profiled = profiledCustomer(HOME, [part(146, 100), part(73, 200), part(146, 700)]);
    // Half of 365 days: all of the first entry, 36.5 of the 73 days of the second.
    const energyEur = 100 * 0.2 * 0.8 + 200 * 0.2 * 0.9 + 700 * 0.2;
    expect(costIn(entry, demandOf(profiled, periodOf(profiled, {})))?.energyEur).toBeCloseTo(energyEur, 9);
  });

  test('surplus is capped by the discounted energy', () => {
    const solar = { ...OFFER, hasSolarPanels: true, surplusEurPerKwh: 0.1, discountMonths: 12 };
    const demand = demandOf({ ...HOME, exportedKwh: 5000 }, periodOf(HOME, {}));
    expect(costIn({ offer: solar, months: [] }, demand)).toMatchObject({ energyEur: 160, surplusEur: -160 });
  });

  test('gas has one of energy, and its fixed term none', () => {
    const offer = gasOffer({
      ...{ id: 1, gasEnergyEurPerKwh: 0.05, gasFixedEurPerMonth: 5, energyDiscountPercent: 50, discountMonths: 12 },
    });
    const demand = demandOf({ supplyType: 'GAS', consumptionKwh: 1000 }, periodOf({}, {}));
    expect(costIn({ offer, months: [] }, demand)).toMatchObject({ energyEur: 25, fixedEur: 60 });
  });

  test('an offer without one has no costs besides', () => {
    const demand = demandOf(HOME, periodOf(HOME, {}));
    const offer = { ...OFFER, energyDiscountPercent: null, powerDiscountPercent: null, discountMonths: null };
    expect(discountedCost({ offer, months: [] }, { demand, month: null })).toBeNull();
  });
});
