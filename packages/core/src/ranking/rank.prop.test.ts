import { compileUniverse, type OfferWithHistory, type Ranking, rankUniverses } from '@tarifario/core/service';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryFlatUniverse, arbitraryQuestion, WEIGHT } from '../../test/arbitrary-requests.ts';
import { holds } from '../../test/laws.ts';
import { naiveRanking, withoutAdvice } from '../../test/naive-ranking.ts';
import { flatOffer, rankEntries, requestOf, withoutHistory } from '../../test/simple-offers.ts';

function idsOf(ranking: Ranking): readonly number[] {
  return ranking.results.map(({ offer }) => offer.id);
}

test('the ranking over columns, in any number of parts, equals the naive ranking offer by offer', () => {
  const parts = fc.integer({ min: 1, max: 4 });
  const admitted = fc.array(fc.subarray([1, 2, 3, 4, 5]), { minLength: 4, maxLength: 4 });
  holds(
    fc.property(arbitraryQuestion(), parts, admitted, fc.boolean(), ({ entries, request }, count, companies, all) => {
      const sorted = entries.toSorted((a, b) => a.offer.id - b.offer.id);
      const admits = (part: number, companyId: number) => all || (companies[part] ?? []).includes(companyId);
      const shares = Array.from({ length: count }, (_, part) => sorted.filter((_entry, i) => i % count === part));
      const ranking = rankUniverses(
        shares.map((share, part) => ({
          universe: compileUniverse(request.customer.supplyType, share),
          admits: (companyId) => admits(part, companyId),
        })),
        request,
      );
      const { winners, ...rest } = withoutAdvice(ranking);
      const reachable = sorted.filter(({ offer }, i) => admits(i % count, offer.companyId));
      expect(rest).toEqual(naiveRanking(reachable, request));
      expect(winners === null).toBe(!request.seesCommissions);
      expect(winners?.length === 0).toBe(request.seesCommissions && rest.rankedCount === 0);
    }),
    1500,
  );
});

test('the order of the input does not matter', () => {
  const given = arbitraryQuestion().chain(({ entries, request }) =>
    fc.tuple(
      fc.constant(entries),
      fc.shuffledSubarray([...entries], { minLength: entries.length }),
      fc.constant(request),
    ),
  );
  holds(
    fc.property(given, ([entries, shuffled, request]) => {
      const [a, b] = [entries, shuffled].map((order) =>
        rankUniverses([{ universe: compileUniverse(request.customer.supplyType, order), admits: () => true }], request),
      );
      expect(a).toEqual(b);
    }),
  );
});

test('A-18: the first of the results is the most efficient and alone optimal', () => {
  holds(
    fc.property(arbitraryQuestion(), ({ entries, request }) => {
      const ranking = rankEntries(entries, request);
      expect(ranking.mostEfficientId).toBe(idsOf(ranking)[0] ?? null);
      expect(ranking.results.map(({ isOptimal }) => isOptimal)).toEqual(ranking.results.map((_, i) => i === 0));
      expect(ranking.results.length).toBe(Math.min(request.limit, ranking.rankedCount));
    }),
  );
});

test('A-18: at weight 1 the order is by cost, and the cheapest is the first', () => {
  holds(
    fc.property(arbitraryQuestion(), ({ entries, request }) => {
      const ranking = rankEntries(entries, { ...request, weight: 1, tolerance: null });
      const costs = ranking.results.map(({ cost }) => cost.totalEur);
      expect(costs).toEqual(costs.toSorted((a, b) => a - b));
      expect(ranking.cheapestId).toBe(ranking.mostEfficientId);
      for (const { score, priceScore } of ranking.results) expect(score).toBe(priceScore);
    }),
  );
});

test('A-18: at weight 0 the order is by commission, and the best paid is the first', () => {
  holds(
    fc.property(arbitraryQuestion(), ({ entries, request }) => {
      const ranking = rankEntries(entries, { ...request, weight: 0, tolerance: null, seesCommissions: true });
      const scores = ranking.results.map(({ commissionScore }) => commissionScore ?? Number.NaN);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(ranking.bestPaidId).toBe(ranking.mostEfficientId);
    }),
  );
  holds(
    fc.property(arbitraryFlatUniverse(), (entries) => {
      const paid = rankEntries(entries, requestOf({ weight: 0 })).results.map((r) => r.commission?.totalEur ?? -1);
      expect(paid).toEqual(paid.toSorted((a, b) => b - a));
    }),
  );
});

/** Of two weights, the lower first. */
const TWO_WEIGHTS = fc.tuple(WEIGHT, WEIGHT).map(([a, b]): readonly [number, number] => (a <= b ? [a, b] : [b, a]));
const ROUND_WEIGHTS = fc
  .tuple(fc.nat({ max: 64 }), fc.nat({ max: 64 }))
  .map(([a, b]): readonly [number, number] => [Math.min(a, b) / 64, Math.max(a, b) / 64]);

test('more weight on savings never makes the best offer more expensive, nor better paid', () => {
  holds(
    fc.property(arbitraryFlatUniverse(), ROUND_WEIGHTS, (entries, [low, high]) => {
      const [a, b] = [low, high].map((weight) => rankEntries(entries, requestOf({ weight })).results[0]);
      if (!a || !b) return;
      expect(b.cost.totalEur).toBeLessThanOrEqual(a.cost.totalEur);
      expect(b.commission?.totalEur).toBeLessThanOrEqual(a.commission?.totalEur ?? -1);
    }),
    500,
  );
});

test('where rounding lets a more expensive offer win at a higher weight, the two are tied at both weights', () => {
  holds(
    fc.property(arbitraryQuestion(), TWO_WEIGHTS, ({ entries, request }, weights) => {
      const rankings = weights.map((weight) =>
        rankEntries(entries, { ...request, weight, tolerance: null, seesCommissions: true }),
      );
      const [a, b] = rankings.map((ranking) => ranking.results[0]);
      if (!a || !b || b.cost.totalEur <= a.cost.totalEur) return;
      for (const weight of weights) {
        const [one, other] = [a, b].map((r) => weight * r.priceScore + (1 - weight) * (r.commissionScore ?? 0));
        expect(Math.abs((one ?? 0) - (other ?? 0))).toBeLessThanOrEqual(1.00001e-9);
      }
    }),
    300,
  );
});

test('no offer is as cheap and as well paid as the best offer and better in one of them', () => {
  holds(
    fc.property(arbitraryQuestion(), ({ entries, request }) => {
      const ranking = rankEntries(entries, { ...request, limit: 200, seesCommissions: true });
      const [best] = ranking.results;
      for (const other of ranking.results) {
        const [cost, bestCost] = [other.cost.totalEur, best?.cost.totalEur ?? 0];
        const [pay, bestPay] = [other.commission?.totalEur ?? 0, best?.commission?.totalEur ?? 0];
        expect(cost <= bestCost && pay >= bestPay && (cost < bestCost || pay > bestPay)).toBe(false);
      }
      expect(best?.isOnFrontier ?? true).toBe(true);
    }),
  );
});

test('at weight 0 and 1 a third offer never changes the order of two', () => {
  const end = fc.constantFrom(0, 1);
  holds(
    fc.property(arbitraryFlatUniverse(), end, fc.nat(), (entries, weight, index) => {
      const without = entries.filter((_, i) => i !== index % Math.max(1, entries.length));
      const [all, fewer] = [entries, without].map((some) => idsOf(rankEntries(some, requestOf({ weight }))));
      const left = new Set(without.map(({ offer }) => offer.id));
      expect(fewer).toEqual(all?.filter((id) => left.has(id)));
    }),
    200,
  );
});

test('between weight 0 and 1 a third offer may change it, because scores are relative to all ranked offers', () => {
  const [a, b, third] = [flatOffer(1, 100, 10), flatOffer(2, 110, 14), flatOffer(3, 400, 0)];
  const order = (offers: readonly OfferWithHistory[]) => idsOf(rankEntries(offers, requestOf({ weight: 0.6 })));
  expect(order(withoutHistory([a, b]))).toEqual([1, 2]);
  expect(order(withoutHistory([a, b, third]))).toEqual([2, 1, 3]);
});

test('A-10: ranked and excluded offers together are the matching offers, each once', () => {
  holds(
    fc.property(arbitraryQuestion(), ({ entries, request }) => {
      const ranking = rankEntries(entries, { ...request, limit: 200 });
      const excluded = ranking.excluded.map(({ offer }) => offer.id);
      const seen = [...idsOf(ranking), ...excluded];
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.length).toBe(ranking.rankedCount + ranking.excludedCount);
      expect(excluded).toEqual(excluded.toSorted((a, b) => a - b));
    }),
  );
});
