import { arbitraryQuestion } from '@tarifario/testkit/core/arbitrary-requests';
import { holds } from '@tarifario/testkit/core/laws';
import { rankEntries } from '@tarifario/testkit/core/simple-offers';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rankUniverses } from './rank.ts';
import { compileUniverse } from './universe.ts';

test('A-10, A-17, A-18: the ranking over any number of parts is that of all they admit in one, up to its limit', () => {
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
      const reachable = sorted.filter(({ offer }, i) => admits(i % count, offer.companyId));
      const { results, ...rest } = rankEntries(reachable, { ...request, limit: 200 });
      expect(ranking).toEqual({ ...rest, results: results.slice(0, request.limit) });
    }),
    runsOf(500, 1500),
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
      const [a, b] = [entries, shuffled].map((order) => {
        const universe = compileUniverse(request.customer.supplyType, order);
        return rankUniverses([{ universe, admits: () => true }], request);
      });
      expect(a).toEqual(b);
    }),
  );
});
