import { consumptionRate, demandOf, type Offer, powerRate, tierBounds, YEAR } from '@tarifario/core/service';
import { arbitraryElectricityOffer, arbitraryGasOffer } from '@tarifario/core/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holds } from '../../test/laws.ts';
import { electricityOffer } from '../../test/simple-offers.ts';
import { boundsOf, intervalOf } from './tier-intervals.ts';

/** At, between and a little beside every bound of every offer. */
function quantitiesAround(bounds: readonly number[]): readonly number[] {
  const sorted = [...new Set([0, ...bounds])].sort((a, b) => a - b);
  return sorted.flatMap((bound, index) => {
    const next = sorted[index + 1] ?? bound + 10;
    return [bound, bound * (1 + 2 ** -52), (bound + next) / 2, next * (1 - 2 ** -53)];
  });
}

function powerTiersOf(offer: Offer) {
  return offer.supplyType === 'LUZ' ? offer.powerTiers : [];
}

const OFFERS = fc.oneof(
  fc.array(arbitraryElectricityOffer(), { maxLength: 6 }),
  fc.array(arbitraryGasOffer(), { maxLength: 6 }),
);

test('every offer has one rate of commission for all quantities of an interval', () => {
  holds(
    fc.property(OFFERS, (offers) => {
      const at = (row: number) => offers[row] ?? electricityOffer({ id: 1 });
      const bounds = {
        consumption: boundsOf(offers.length, (row) => at(row).consumptionTiers),
        power: boundsOf(offers.length, (row) => powerTiersOf(at(row))),
      };
      const consumptions = quantitiesAround(offers.flatMap(({ consumptionTiers }) => tierBounds(consumptionTiers)));
      const powers = [null, ...quantitiesAround(offers.flatMap((offer) => tierBounds(powerTiersOf(offer))))];
      for (const offer of offers) {
        const known = new Map<string, unknown>();
        const expectSame = (interval: string, rate: unknown) => {
          if (!known.has(interval)) known.set(interval, rate);
          expect(rate, interval).toEqual(known.get(interval));
        };
        for (const mwh of consumptions) {
          expectSame(`${intervalOf(bounds.consumption, mwh)} MWh`, consumptionRate(offer, mwh));
        }
        for (const kw of powers) expectSame(`${intervalOf(bounds.power, kw)} kW`, powerRate(offer, kw));
      }
    }),
    150,
  );
});

test('an interval ends at a bound, which is an interval by itself; without power there is none', () => {
  const bounds = Float64Array.of(1, 2.5);
  expect([null, 0, 1, 2, 2.5, 3].map((quantity) => intervalOf(bounds, quantity))).toEqual([-1, 0, 1, 2, 3, 4]);
});

test('a tier is matched on the rounded quantity of a demand', () => {
  const tiers = [{ from: 0, to: 3.656083, value: 7, type: 'fixed' as const }];
  const offer = electricityOffer({ id: 1, commissionValue: 1, consumptionTiers: tiers });
  const { annualMwh } = demandOf({ supplyType: 'GAS', consumptionKwh: 3656.0834 }, YEAR);
  expect(consumptionRate(offer, annualMwh).value).toBe(7);
});
