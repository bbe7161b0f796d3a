import { arbitraryQuestion } from '@tarifario/testkit/core/arbitrary-requests';
import { holds } from '@tarifario/testkit/core/laws';
import { rankEntries, requestOf } from '@tarifario/testkit/core/simple-offers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../errors.ts';
import type { Ranking } from './ranking.ts';
import { askReasons } from './reasons.ts';

const millionths = (eur: number) => Math.round(eur * 1e6);

describe('A-116: why an offer costs more', () => {
  test('the differences of each result sum to the difference of the costs to the last millionth', () => {
    holds(
      fc.property(arbitraryQuestion(), ({ entries, request }) => {
        const ranking = rankEntries(entries, { ...request, reasons: askReasons({ why: { againstId: null } }) });
        const { results, cheapestId, reasons, costRangeEur } = ranking;
        expect(reasons).toEqual({ againstId: cheapestId });
        // Above, a double has no millionths.
        if (costRangeEur === null || costRangeEur.max > 1e9) return;
        for (const { cost, reasons: own, extraCostEur } of results) {
          const sum = own?.why?.reduce((all, { eur }) => all + millionths(eur), 0);
          expect(sum).toBe(millionths(cost.totalEur - costRangeEur.min));
          if (extraCostEur !== null) expect(sum).toBe(millionths(extraCostEur));
        }
      }),
    );
  });

  test('nothing else of an answer depends on them', () => {
    holds(
      fc.property(arbitraryQuestion(), fc.boolean(), ({ entries, request }, isAgainst) => {
        const bare = rankEntries(entries, request);
        const againstId = isAgainst ? (bare.results[0]?.offer.id ?? null) : null;
        const full = rankEntries(entries, { ...request, reasons: askReasons({ why: { againstId } }) });
        expect(withoutReasons(full)).toEqual(withoutReasons(bare));
      }),
    );
  });

  test('an offer against another one has the opposite of the reasons of that one', () => {
    holds(
      fc.property(arbitraryQuestion(), ({ entries, request }) => {
        const [first, second] = rankEntries(entries, request).results;
        if (!first || !second) return;
        const of = (id: number, againstId: number) =>
          rankEntries(entries, { ...request, reasons: askReasons({ why: { againstId } }) }).results.find(
            ({ offer }) => offer.id === id,
          )?.reasons?.why;
        const there = of(first.offer.id, second.offer.id)?.map(({ eur, ...line }) => ({ ...line, eur: 0 - eur }));
        const back = of(second.offer.id, first.offer.id);
        expect(back?.reduce((sum, { eur }) => sum + millionths(eur), 0)).toBe(
          there?.reduce((sum, { eur }) => sum + millionths(eur), 0),
        );
      }),
    );
  });

  test('an offer that is not ranked is refused by its field, and so is one that does not exist', () => {
    const ask = () => rankEntries([], requestOf({ reasons: askReasons({ why: { againstId: 7 } }) }));
    const issues = [{ path: 'reasons.why.againstId', message: 'is not ranked' }] as const;
    expect(ask).toThrow(new DomainError('business_rule', { issues }));
  });
});

function withoutReasons(ranking: Ranking) {
  const { reasons: _all, results, ...rest } = ranking;
  return { ...rest, results: results.map(({ reasons: _own, ...result }) => result) };
}
