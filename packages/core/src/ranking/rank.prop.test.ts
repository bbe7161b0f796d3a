import { compileUniverse, type OfferWithHistory, type Ranking, rankUniverses } from '@tarifario/core/service';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryFlatUniverse, arbitraryQuestion } from '../../test/arbitrary-requests.ts';
import { holds } from '../../test/laws.ts';
import { naiveRanking, withoutAdvice } from '../../test/naive-ranking.ts';
import { flatOffer, rankEntries, requestOf, withoutHistory } from '../../test/simple-offers.ts';

function idsOf(ranking: Ranking): readonly number[] {
  return ranking.results.map(({ offer }) => offer.id);
}

test('A-10, A-17, A-18: the ranking over columns, in any number of parts, equals the naive ranking offer by offer', () => {
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
  const arbitraryInput = arbitraryQuestion().chain(({ entries, request }) =>
    fc.tuple(
      fc.constant(entries),
      fc.shuffledSubarray([...entries], { minLength: entries.length }),
      fc.constant(request),
    ),
  );
  holds(
    fc.property(arbitraryInput, ([entries, shuffled, request]) => {
      const [a, b] = [entries, shuffled].map((order) =>
        rankUniverses([{ universe: compileUniverse(request.customer.supplyType, order), admits: () => true }], request),
      );
      expect(a).toEqual(b);
    }),
  );
});

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

test('between weight 0 and 1 a third offer may change it, because scores are relative to all ranked offers', () => {
  const [a, b, third] = [flatOffer(1, 100, 10), flatOffer(2, 110, 14), flatOffer(3, 400, 0)];
  const order = (offers: readonly OfferWithHistory[]) => idsOf(rankEntries(offers, requestOf({ weight: 0.6 })));
  expect(order(withoutHistory([a, b]))).toEqual([1, 2]);
  expect(order(withoutHistory([a, b, third]))).toEqual([2, 1, 3]);
});
