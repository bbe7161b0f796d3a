import { arbitraryQuestion } from '@tarifario/testkit/core/arbitrary-requests';
import { holds } from '@tarifario/testkit/core/laws';
import { rankEntries } from '@tarifario/testkit/core/simple-offers';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OfferWithHistory } from '../offers/offer.ts';
import { MAX_SSAA_EUR_PER_MWH } from '../price/customer.ts';
import type { Ranking, RankingRequest } from './ranking.ts';

/** Of electricity, and every third offer says that it includes balancing services, or bills them apart, or nothing. */
const QUESTION = arbitraryQuestion()
  .filter(({ request }) => request.customer.supplyType === 'LUZ')
  .map(({ entries, request }) => ({
    entries: entries.map(mixed),
    request: { ...request, limit: 200, tolerance: null },
  }));

function mixed({ offer, months }: OfferWithHistory, at: number): OfferWithHistory {
  if (offer.supplyType === 'GAS') return { offer, months };
  return { offer: { ...offer, ssaaIncluded: [true, false, null][at % 3] ?? null }, months };
}

const at = (request: RankingRequest, ssaaEurPerMwh: number) => ({ ...request, ssaaEurPerMwh });

function cheapestIsApart({ results, costRangeEur }: Ranking): boolean {
  return results.some(({ cost, offer }) => {
    return cost.totalEur === costRangeEur?.min && offer.supplyType === 'LUZ' && offer.ssaaIncluded === false;
  });
}

test('A-115: below the threshold some cheapest offer bills balancing services apart, above it none does', () => {
  let turned = 0;
  holds(
    fc.property(QUESTION, ({ entries, request }) => {
      const ranking = rankEntries(entries, request);
      const { ssaaThresholdEurPerMwh: most } = ranking;
      const isMixed = ranking.warnings.some(({ code }) => code === 'ssaa_mezclados');
      expect(most !== undefined).toBe(isMixed);
      if (most === undefined) return;
      if (most === null) {
        if (request.customer.consumptionKwh === 0) return;
        for (const price of [1, MAX_SSAA_EUR_PER_MWH]) {
          const isApart = cheapestIsApart(rankEntries(entries, at(request, price)));
          if (isApart) expect(ranking.results.every(({ cost }) => cost.ssaaEur === undefined)).toBe(true);
        }
        return;
      }
      expect(cheapestIsApart(ranking)).toBe(true);
      for (const [price, isApart] of [
        [most * 0.999 - 0.001, true],
        [most * 1.001 + 0.001, false],
      ] as const) {
        if (price < 0 || price > MAX_SSAA_EUR_PER_MWH) continue;
        const charged = rankEntries(entries, at(request, price));
        expect(cheapestIsApart(charged)).toBe(isApart);
        turned++;
        // It counts from the prices of the offers, whatever is added already.
        if (isApart) expect(charged.ssaaThresholdEurPerMwh).toBeCloseTo(most, 3);
      }
    }),
    runsOf(75, 600),
  );
  expect(turned).toBeGreaterThan(10);
});

test('A-115: the price is added to the offers that bill them apart and to no other; 0 changes nothing', () => {
  holds(
    fc.property(QUESTION, fc.constantFrom(0.5, 16, 200), ({ entries, request }, price) => {
      const plain = rankEntries(entries, request);
      expect(rankEntries(entries, at(request, 0))).toEqual(plain);
      const mwh = (request.customer.consumptionKwh as readonly number[]).reduce((sum, kwh) => sum + kwh, 0) / 1000;
      const before = new Map(plain.results.map((result) => [result.offer.id, result]));
      const charged = rankEntries(entries, at(request, price));
      expect(charged.rankedCount).toBe(plain.rankedCount);
      for (const { offer, cost, commission } of charged.results) {
        const was = before.get(offer.id);
        const isApart = offer.supplyType === 'LUZ' && offer.ssaaIncluded === false && mwh > 0;
        expect(cost.ssaaEur).toBe(isApart ? price * mwh : undefined);
        expect(cost.totalEur).toBeCloseTo((was?.cost.totalEur ?? 0) + (cost.ssaaEur ?? 0), 5);
        expect(commission).toEqual(was?.commission);
      }
    }),
    runsOf(40, 300),
  );
});
