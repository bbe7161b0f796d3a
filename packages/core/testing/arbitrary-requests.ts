import fc, { type Arbitrary } from 'fast-check';
import type { SupplyType } from '../src/engine/offers/offer.ts';
import { ANY_COMPANY, anyOffer } from '../src/engine/offers/offer-filter.ts';
import type { RankingRequest } from '../src/engine/rank/ranking.ts';
import { arbitraryCustomer, arbitraryFees, arbitraryPeriod } from './arbitrary-customers.ts';
import { arbitraryDay, arbitraryMonth, arbitraryOfferFilter } from './arbitrary-offers.ts';
import { SHRINKING_ACROSS } from './arbitrary-values.ts';
import { checkSupply, takesNothing } from './given.ts';

/** A weight, 0 to 1: often one of the ends or a round one. */
export function arbitraryWeight(...none: never[]): Arbitrary<number> {
  takesNothing('arbitraryWeight', none);
  return fc.oneof(SHRINKING_ACROSS, fc.constantFrom(0, 0.5, 1, 0.25, 0.3), fc.double({ min: 0, max: 1, noNaN: true }));
}

/**
 * Any request for a supply, for every company: months asked for, fees, filters, small limits, with and without
 * commissions.
 */
export function arbitraryRequest(supplyType: SupplyType, ...none: never[]): Arbitrary<RankingRequest> {
  checkSupply('arbitraryRequest', supplyType);
  takesNothing('arbitraryRequest of a supply', none);
  return fc
    .record({
      customer: arbitraryCustomer(supplyType),
      period: arbitraryPeriod(),
      fees: arbitraryFees(supplyType),
      weight: arbitraryWeight(),
      month: fc.option(arbitraryMonth(), { nil: null, freq: 2 }),
      filter: fc.oneof(
        SHRINKING_ACROSS,
        { weight: 2, arbitrary: fc.constant(anyOffer(supplyType)) },
        { weight: 1, arbitrary: arbitraryOfferFilter(supplyType) },
      ),
      limit: fc.oneof(SHRINKING_ACROSS, fc.constantFrom(1, 2, 3, 200), fc.integer({ min: 1, max: 30 })),
      seesCommissions: fc.boolean(),
      company: fc.constant(ANY_COMPANY),
      signing: fc.option(arbitraryDay(), { nil: null }),
    })
    .map(({ signing, ...request }) => (signing === null ? request : { ...request, signingDay: signing }));
}
