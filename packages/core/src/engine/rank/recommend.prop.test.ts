import { arbitraryOfferFilter } from '@tarifario/core/testing';
import { arbitraryQuestion } from '@tarifario/testkit/core/arbitrary-requests';
import { holds } from '@tarifario/testkit/core/laws';
import { electricityOffer, flatOffer, rankEntries, withoutHistory } from '@tarifario/testkit/core/simple-offers';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roundHalfUp } from '../numbers.ts';
import type { OfferWithHistory } from '../offers/offer.ts';
import { ANY_COMPANY, anyOffer, matchesFilter } from '../offers/offer-filter.ts';
import { limitExclusion } from '../price/conditions.ts';
import {
  annualQuantities,
  type ExpectedCommission,
  expectedCommission,
  type RecommendationRequest,
  recommendFrom,
} from './recommend.ts';
import { compileUniverse } from './universe.ts';

function recommended(entries: readonly OfferWithHistory[], request: RecommendationRequest, parts = 1) {
  const sorted = entries.toSorted((a, b) => a.offer.id - b.offer.id);
  const shares = Array.from({ length: parts }, (_, part) => sorted.filter((_entry, i) => i % parts === part));
  return recommendFrom(
    shares.map((share) => ({
      universe: compileUniverse(request.filter.supplyType, share),
      admits: (companyId) => companyId !== 5,
    })),
    request,
  );
}

/** Without what a recommendation says of its tariff. */
function unmarked(result: ExpectedCommission | undefined) {
  const { isImpossibleTariff: _, ...commission } = result ?? {};
  return commission;
}

test('A-16: ranking, recommend and calculator agree on what an offer pays', () => {
  holds(
    fc.property(arbitraryQuestion(), ({ entries, request }) => {
      const { customer, period } = request;
      const fees = { energyEurPerMwh: 0, powerEurPerMwh: 0 };
      const ranking = rankEntries(entries, { ...request, limit: 200, fees, seesCommissions: true });
      const kwh =
        customer.supplyType === 'LUZ' ? customer.consumptionKwh.reduce((a, b) => a + b) : customer.consumptionKwh;
      const contracted = customer.supplyType === 'LUZ' ? Math.max(...customer.powerKw) : 0;
      const powerKw = contracted > 0 ? contracted : null;
      const annualMwh = ((kwh / 1000) * 365) / period.days;
      const filter = anyOffer(customer.supplyType);
      const page = { filter, company: ANY_COMPANY, limit: 200, offset: 0 };
      const paid = new Map(
        recommended(entries, { annualMwh, powerKw, ...page }).results.map((result) => [result.offer.id, result]),
      );
      for (const { offer, commission } of ranking.results) {
        const calculated = expectedCommission(offer, annualQuantities(annualMwh, powerKw));
        expect(calculated.consumption.valueEur).toBe(commission?.energyEur);
        expect(calculated.power?.valueEur ?? 0).toBe(commission?.powerEur);
        expect(calculated.totalEur).toBe(commission?.totalEur);
        if (offer.companyId !== 5) expect(unmarked(paid.get(offer.id))).toEqual(calculated);
      }
    }),
    runsOf(150, 300),
  );
});

test('A-33: recommend gives the active offers that match, by commission and then id, in pages', () => {
  const arbitraryInput = arbitraryQuestion().chain(({ entries, request }) =>
    fc.record({
      entries: fc.constant(entries),
      request: fc.record({
        annualMwh: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.double({ min: 0, max: 50, noNaN: true })),
        powerKw: fc.option(fc.double({ min: 0, max: 60, noNaN: true }), { nil: null }),
        filter: fc.oneof(
          fc.constant(anyOffer(request.customer.supplyType)),
          arbitraryOfferFilter(request.customer.supplyType),
        ),
        company: fc.constant(ANY_COMPANY),
        limit: fc.integer({ min: 1, max: 10 }),
        offset: fc.nat({ max: 10 }),
      }),
      parts: fc.integer({ min: 1, max: 3 }),
    }),
  );
  holds(
    fc.property(arbitraryInput, ({ entries, request, parts }) => {
      const quantities = annualQuantities(request.annualMwh, request.powerKw);
      const use = { annualMwh: quantities.annualMwh, highestPowerKw: quantities.powerKw };
      const all = entries
        .filter(({ offer }) => offer.isActive && offer.companyId !== 5 && matchesFilter(offer, request.filter))
        .filter(({ offer }) => limitExclusion(offer, use) === null)
        .map(({ offer }) => expectedCommission(offer, quantities))
        .sort((a, b) => b.totalEur - a.totalEur || a.offer.id - b.offer.id);
      const { total, results } = recommended(entries, request, parts);
      expect(total).toBe(all.length);
      expect(results.map(unmarked)).toEqual(all.slice(request.offset, request.offset + request.limit));
    }),
    runsOf(150, 300),
  );
});

test('A-33: equal commissions are ordered by id', () => {
  const offers = [flatOffer(9, 1, 5), flatOffer(2, 9, 5), flatOffer(4, 5, 7)];
  const request = { annualMwh: 1, powerKw: null, filter: anyOffer('LUZ'), company: ANY_COMPANY, limit: 9, offset: 0 };
  expect(recommended(withoutHistory(offers), request).results.map(({ offer }) => offer.id)).toEqual([4, 2, 9]);
});

test('A-03, A-15: quantities are rounded to six decimals before tiers are matched, and a power of 0 is a power', () => {
  expect(annualQuantities(5.0000004, 10.0000004)).toEqual({ annualMwh: 5, powerKw: 10 });
  expect(annualQuantities(0, 0)).toEqual({ annualMwh: 0, powerKw: 0 });
  expect(annualQuantities(1, null)).toEqual({ annualMwh: 1, powerKw: null });
  const offer = electricityOffer({
    id: 1,
    commissionValue: 0.3,
    commissionType: 'per_mwh',
    powerTiers: [{ from: 0, to: 10, value: 0.1, type: 'per_kw' }],
  });
  const paid = expectedCommission(offer, annualQuantities(1 / 3, 2.2));
  expect(paid.totalEur).toBe(roundHalfUp(0.3 * 0.333333 + 0.1 * 2.2, 6));
  expect(paid.totalEur).toBe(0.32);
  expect(expectedCommission(offer, annualQuantities(1, null)).power.type).toBeNull();
});
