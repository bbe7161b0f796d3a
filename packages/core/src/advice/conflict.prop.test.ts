import { type OfferWithHistory, type Ranking, type RankingRequest, weightForTolerance } from '@tarifario/core/service';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryFlatUniverse } from '../../test/arbitrary-requests.ts';
import { holds } from '../../test/laws.ts';
import { flatOffer, ONE_MWH, rankEntries, requestOf, withoutHistory } from '../../test/simple-offers.ts';

/** Offers that cost and pay whole euros, for a year of 365 days: what is expected can be worked out in whole numbers. */
function rankingOf(entries: readonly OfferWithHistory[], changes: Partial<RankingRequest>): Ranking {
  return rankEntries(entries, requestOf({ customer: ONE_MWH, limit: 200, ...changes }));
}

const TOLERANCE = fc.constantFrom(0, 0.25, 0.5, 1, 1.5, 3, 10, 100);

/** Costs, commissions and tolerances are whole quarters, so this is exact. */
function gain(ranked: Ranking['results'][number], tolerance: number): number {
  return tolerance * (ranked.commission?.totalEur ?? 0) - ranked.cost.totalEur;
}

describe('A-73: a tolerance', () => {
  test('has the winner with the most of tolerance times commission less the annual cost', () => {
    holds(
      fc.property(arbitraryFlatUniverse({ maxLength: 20 }), TOLERANCE, (entries, tolerance) => {
        const ranking = rankingOf(entries, { tolerance });
        const gains = ranking.results.map((result) => gain(result, tolerance));
        const { min: least = 0, max: most = 0 } = ranking.costRangeEur ?? {};
        const pays = ranking.commissionRangeEur ?? { min: 0, max: 0 };
        const slack = 3e-10 * (most - least + tolerance * (pays.max - pays.min));
        if (gains.length > 0) expect(gains[0]).toBeGreaterThanOrEqual(Math.max(...gains) - slack);
      }),
      300,
    );
  });

  test('is not changed in the order of two offers by a third one', () => {
    holds(
      fc.property(arbitraryFlatUniverse({ maxLength: 12 }), TOLERANCE, (entries, tolerance) => {
        const order = rankingOf(entries, { tolerance }).results;
        const gains = new Map(order.map((result) => [result.offer.id, gain(result, tolerance)]));
        for (const one of entries) {
          const [first] = rankingOf(
            entries.filter((entry) => entry !== one),
            { tolerance },
          ).results;
          const winner = order[0];
          if (!first || !winner || winner.offer.id === one.offer.id) continue;
          expect(gains.get(first.offer.id)).toBeCloseTo(gain(winner, tolerance), 6);
        }
      }),
      100,
    );
  });

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

  test('has the cost of one EUR of commission at the weight, and what two offers cost and pay beyond the cheapest', () => {
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

  test('has a rate that equals the tolerance of the question', () => {
    holds(
      fc.property(arbitraryFlatUniverse({ maxLength: 12 }), TOLERANCE, (universe, tolerance) => {
        const { conflict, costRangeEur: cost, weight } = rankingOf(universe, { tolerance });
        const rate = conflict?.customerEurPerCommissionEur ?? null;
        if (rate !== null && cost !== null && cost.max > cost.min && weight > 0) expect(rate).toBeCloseTo(tolerance, 6);
      }),
      200,
    );
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
