import { type Ranking, rankOffers, reweigh } from '@tarifario/core';
import { arbitraryElectricityCustomer, arbitraryUniverse } from '@tarifario/core/testing';
import { holds } from '@tarifario/testkit/core/laws';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { expect, test } from 'vitest';

/** What another weight may change. */
function shown({ weight, winners, conflict, results }: Ranking) {
  const order = results.map(({ offer, score, priceScore, commissionScore, isOnFrontier }) => {
    return { id: offer.id, score, priceScore, commissionScore, isOnFrontier };
  });
  return { weight, winners, conflict, order };
}

const PREFERENCE = fc.oneof(
  fc.record({ weight: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ weight: fc.constantFrom(0, 0.5, 1) }),
  fc.record({ tolerance: fc.double({ min: 0, max: 100, noNaN: true }) }),
);

test('a ranking at another weight or tolerance equals a new ranking', () => {
  holds(
    fc.property(
      arbitraryUniverse({ supplyType: 'LUZ' }),
      arbitraryElectricityCustomer(),
      PREFERENCE,
      fc.integer({ min: 1, max: 400 }),
      (offers, customer, preference, days) => {
        const question = { offers, customer, period: { days }, limit: 1000 };
        const there = rankOffers({ ...question, weight: 0.3 });
        const figures = there.results.map(({ offer, cost, commission }) => {
          return { id: offer.id, costEur: cost.totalEur, commissionEur: commission?.totalEur ?? 0 };
        });
        const { results, ...rest } = reweigh(figures.toReversed(), preference, there.period);
        const order = results.map(({ costEur: _cost, commissionEur: _commission, ...result }) => result);
        expect({ ...rest, order }).toEqual(shown(rankOffers({ ...question, ...preference })));
      },
    ),
    runsOf(100, 300),
  );
});
