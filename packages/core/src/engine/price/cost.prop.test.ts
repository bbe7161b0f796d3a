import {
  arbitraryCustomer,
  arbitraryElectricityCustomer,
  arbitraryFees,
  arbitraryGasCustomer,
  arbitraryPeriod,
  arbitraryUniverse,
} from '@tarifario/core/testing';
import { arbitraryProfile, profiledCustomer } from '@tarifario/testkit/core/arbitrary-requests';
import { holds } from '@tarifario/testkit/core/laws';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundHalfUp } from '../numbers.ts';
import type { SupplyType } from '../offers/offer.ts';
import { commissionOf, priceOffer } from './cost.ts';
import { type Customer, demandOf } from './customer.ts';
import { COST_PARTS } from './rule.ts';

test('the total is the sum of the parts, rounded once', () => {
  const customer = fc.oneof(arbitraryElectricityCustomer(), arbitraryGasCustomer());
  const arbitraryInput = fc.tuple(customer, arbitraryPeriod(), arbitraryFees()).chain(([one, period, fees]) =>
    arbitraryUniverse({ supplyType: one.supplyType, maxLength: 8 }).map((entries) => ({
      one,
      period,
      fees,
      entries,
    })),
  );
  holds(
    fc.property(arbitraryInput, ({ one, period, fees, entries }) => {
      const demand = demandOf(one, period, fees);
      for (const entry of entries) {
        const pricing = priceOffer(entry, demand, null);
        if (!pricing.priced) continue;
        const { totalEur } = pricing.cost;
        const parts = COST_PARTS.map(({ name }) => pricing.cost[name]);
        expect(totalEur).toBe(
          roundHalfUp(
            parts.reduce((sum, part) => sum + part),
            6,
          ),
        );
        const largest = Math.max(...parts.map(Math.abs));
        const shownEur = parts.map((part) => Math.round(part * 1e6) / 1e6).reduce((sum, part) => sum + part);
        expect(Math.abs(totalEur - shownEur)).toBeLessThanOrEqual(3e-6 + largest * 2 ** -49);
        for (const { name, sign } of COST_PARTS) if (sign < 0) expect(pricing.cost[name]).toBeLessThanOrEqual(0);
        const commission = commissionOf(entry.offer, demand);
        expect(commission.totalEur).toBe(roundHalfUp(commission.energyEur + commission.powerEur, 6));
      }
    }),
    200,
  );
});

const PROFILED = fc.constantFrom<SupplyType>('LUZ', 'GAS').chain((supplyType) =>
  fc.record({
    entries: arbitraryUniverse({ supplyType, maxLength: 8 }),
    customer: arbitraryCustomer(supplyType),
    profile: arbitraryProfile(supplyType),
    period: arbitraryPeriod(),
    fees: arbitraryFees(supplyType),
  }),
);

test('A-81: a profile of one entry without a month costs what the whole period costs, to the last bit', () => {
  let priced = 0;
  holds(
    fc.property(PROFILED, ({ entries, customer, profile: [entry], period: { months }, fees }) => {
      if (!entry) return;
      const period = { days: entry.days, months };
      const { year: _year, indices: _hours, ...plain } = entry;
      const profiled = profiledCustomer(customer, [{ ...plain, month: null }]);
      const { profile, ...whole } = profiled;
      for (const each of entries) {
        const pricing = priceOffer(each, demandOf(profiled, period, fees), null);
        expect(pricing).toEqual(priceOffer(each, demandOf(whole as Customer, period, fees), null));
        if (pricing.priced) priced++;
      }
    }),
    200,
  );
  expect(priced).toBeGreaterThan(200);
});
