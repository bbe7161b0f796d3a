import { arbitraryElectricityOffer, arbitraryGasOffer } from '@tarifario/core/testing';
import { holds } from '@tarifario/testkit/core/laws';
import { electricityOffer } from '@tarifario/testkit/core/simple-offers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { demandOf, YEAR } from '../price/customer.ts';
import { amountAt, tiersAt } from '../price/rows.ts';
import { compileTable } from '../price/table.ts';
import { commissionAt, consumptionRate, powerRate, powerTiersOf } from './commission.ts';
import type { AnyTier } from './tier.ts';

/** At, between and a little beside every bound of every offer. */
function quantitiesAround(bounds: readonly number[]): readonly number[] {
  const sorted = [...new Set([0, ...bounds])].sort((a, b) => a - b);
  return sorted.flatMap((bound, index) => {
    const next = sorted[index + 1] ?? bound + 10;
    return [bound, bound * (1 + 2 ** -52), (bound + next) / 2, next * (1 - 2 ** -53)];
  });
}

function boundsOf(tiers: readonly AnyTier[]): readonly number[] {
  return tiers.flatMap(({ from, to }) => (to === null ? [from] : [from, to]));
}

const OFFERS = fc.oneof(
  fc.array(arbitraryElectricityOffer(), { minLength: 1, maxLength: 6 }),
  fc.array(arbitraryGasOffer(), { minLength: 1, maxLength: 6 }),
);

test('a table has the rate of commission of each of its offers at every quantity, asked in turn', () => {
  holds(
    fc.property(OFFERS, (list) => {
      const offers = list.map((offer, index) => ({ ...offer, id: index + 1 }));
      const entries = offers.map((offer) => ({ offer, months: [] }));
      const table = compileTable(
        offers[0]?.supplyType ?? 'LUZ',
        entries.map((entry) => ({ entry })),
      );
      const consumptions = quantitiesAround(offers.flatMap((offer) => boundsOf(offer.consumptionTiers)));
      const powers = quantitiesAround(offers.flatMap((offer) => boundsOf(powerTiersOf(offer))));
      const expectRate = (list: 'consumption' | 'power', row: number, quantity: number, expected: number) => {
        const { starts, tiers } = table.rates[list];
        const at = amountAt(starts, tiersAt(table.rates[list], quantity), row);
        expect(0 + (tiers[at] ?? 0) + (tiers[at + 1] ?? 0) * quantity, `${list} ${quantity}`).toBe(expected);
      };
      for (const [row, offer] of offers.entries()) {
        for (const mwh of consumptions)
          expectRate('consumption', row, mwh, commissionAt(consumptionRate(offer, mwh), mwh));
        for (const kw of powers) expectRate('power', row, kw, commissionAt(powerRate(offer, kw), kw));
      }
    }),
    150,
  );
});

test('a tier is matched on the rounded quantity of a demand', () => {
  const tiers = [{ from: 0, to: 3.656083, value: 7, type: 'fixed' as const }];
  const offer = electricityOffer({ id: 1, commissionValue: 1, consumptionTiers: tiers });
  const { annualMwh } = demandOf({ supplyType: 'GAS', consumptionKwh: 3656.0834 }, YEAR);
  expect(consumptionRate(offer, annualMwh).value).toBe(7);
});
