import { flatOffer, ONE_MWH, rankEntries, requestOf, withoutHistory } from '@tarifario/testkit/core/simple-offers';
import { describe, expect, test } from 'vitest';
import type { OfferWithHistory } from '../offers/offer.ts';
import type { Ranking, RankingRequest } from './ranking.ts';
import { weightForTolerance } from './score.ts';

/** Offers that cost and pay whole euros, for a year of 365 days, so the expected figures are whole numbers. */
function rankingOf(entries: readonly OfferWithHistory[], changes: Partial<RankingRequest>): Ranking {
  return rankEntries(entries, requestOf({ customer: ONE_MWH, limit: 200, ...changes }));
}

describe('A-73: a tolerance', () => {
  test.each([
    [{ cost: [1, 3], commission: [4, 4] }, 5, 1],
    [{ cost: [2, 2], commission: [4, 9] }, 0, 1],
    [{ cost: [2, 2], commission: [4, 9] }, 1, 0],
    [{ cost: [2, 2], commission: [4, 4] }, 1, 1],
    [{ cost: [0, 10], commission: [0, 5] }, 2, 0.5],
    [{ cost: [0, 10], commission: [0, 5] }, 0, 1],
  ] as const)('of %j at %d EUR is the weight %d', (ends, tolerance, weight) => {
    const range = ([min, max]: readonly [number, number]) => ({ min, max });
    const ranges = { cost: range(ends.cost), commission: range(ends.commission) };
    expect(weightForTolerance(ranges, tolerance, { days: 365, months: 12 })).toBe(weight);
  });

  test('is about the annual cost: in half a year it counts twice', () => {
    const ranges = { cost: { min: 0, max: 10 }, commission: { min: 0, max: 10 } };
    expect(weightForTolerance(ranges, 1, { days: 73, months: 2.4 })).toBe(50 / 60);
  });

  test('replaces the weight, and is answered as one; without commissions it is ignored', () => {
    const entries = withoutHistory([flatOffer(1, 100, 0), flatOffer(2, 110, 5)]);
    expect(rankingOf(entries, { tolerance: 3, weight: 1 })).toMatchObject({ weight: 10 / 25, mostEfficientId: 2 });
    expect(rankingOf(entries, { tolerance: 1, weight: 0 })).toMatchObject({ weight: 10 / 15, mostEfficientId: 1 });
    expect(rankingOf(entries, { tolerance: 100, seesCommissions: false })).toMatchObject({ weight: 1, conflict: null });
  });

  test.each([-0.1, 100.1, Number.NaN])('of %d is a bug of the caller', (tolerance) => {
    expect(() => rankingOf([], { tolerance })).toThrow(RangeError);
  });
});

describe('A-72: the conflict', () => {
  const entries = withoutHistory([flatOffer(1, 100, 10), flatOffer(2, 130, 40), flatOffer(3, 180, 50)]);

  test('has the cost of one EUR of commission at the weight, and the extra cost and commission of two offers beyond the cheapest', () => {
    // R = 80, S = 40: at 0.5 one EUR of commission is worth 2 of the customer, at 0.8 a quarter of that.
    const bestPaid = { offerId: 3, costEur: 80, commissionEur: 40 };
    const conflict = rankingOf(entries, { weight: 0.5 }).conflict;
    const second = { offerId: 2, costEur: 30, commissionEur: 30 };
    expect(conflict).toEqual({ customerEurPerCommissionEur: 2, mostEfficient: second, bestPaid });
    expect(rankingOf(entries, { weight: 0.8 }).conflict?.customerEurPerCommissionEur).toBeCloseTo(0.5, 12);
    expect(rankingOf(entries, { weight: 1 }).conflict?.customerEurPerCommissionEur).toBe(0);
    expect(rankingOf(entries, { weight: 0 }).conflict?.customerEurPerCommissionEur).toBeNull();
  });

  test('has no rate at a weight so small that it would be infinite', () => {
    expect(rankingOf(entries, { weight: 5e-324 }).conflict?.customerEurPerCommissionEur).toBeNull();
    const alike = withoutHistory([flatOffer(1, 100, 10), flatOffer(2, 100, 20)]);
    expect(rankingOf(alike, { weight: 5e-324 }).conflict?.customerEurPerCommissionEur).toBe(0);
    expect(rankingOf(alike, { weight: 0 }).conflict?.customerEurPerCommissionEur).toBeNull();
  });

  test('has no rate where all pay the same, and is null where nothing is ranked', () => {
    const alike = withoutHistory([flatOffer(1, 100, 10), flatOffer(2, 130, 10)]);
    expect(rankingOf(alike, { weight: 0.5 }).conflict?.customerEurPerCommissionEur).toBeNull();
    expect(rankingOf([], {}).conflict).toBeNull();
    expect(rankingOf(entries, { seesCommissions: false }).conflict).toBeNull();
  });

  test('of results is answered only to callers who see commissions', () => {
    const [first, second] = rankingOf(entries, { weight: 1 }).results;
    expect([first?.extraCostEur, first?.extraCommissionEur, first?.commissionEurPerMwh]).toEqual([0, 0, 10]);
    expect([second?.extraCostEur, second?.extraCommissionEur, second?.commissionEurPerMwh]).toEqual([30, 30, 40]);
    for (const result of rankingOf(entries, { seesCommissions: false }).results) {
      expect([result.extraCostEur, result.extraCommissionEur, result.commissionEurPerMwh]).toEqual([null, null, null]);
    }
  });
});
