import { holds } from '@tarifario/testkit/core/laws';
import { flatOffer, ONE_MWH, requestOf, withoutHistory } from '@tarifario/testkit/core/simple-offers';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOSTILE } from '../../../test/hostile-universes.ts';
import type { OfferWithHistory, SupplyType } from '../offers/offer.ts';
import { type PortfolioAnswer, rankPortfolio, rankUniverses } from './rank.ts';
import type { RankingRequest } from './ranking.ts';
import { compileUniverse } from './universe.ts';

/** Two parts that admit different companies. */
function partsOf(supplyType: SupplyType, entries: readonly OfferWithHistory[]) {
  const sorted = entries.toSorted((a, b) => a.offer.id - b.offer.id);
  return [0, 1].map((part) => ({
    universe: compileUniverse(
      supplyType,
      sorted.filter((_, i) => i % 2 === part),
    ),
    admits: (companyId: number) => part === 0 || companyId !== 2,
  }));
}

/** What `rankUniverses` tells one customer, as a portfolio tells it. */
function alone(parts: ReturnType<typeof partsOf>, request: RankingRequest): PortfolioAnswer {
  const { excluded, winners, bestPaidId, conflict, ssaaThresholdEurPerMwh, ...ranking } = rankUniverses(parts, request);
  return { ranked: true, ranking };
}

test('one bad customer gets an error, and the others get their rankings', () => {
  const parts = partsOf('LUZ', withoutHistory([flatOffer(1, 100, 5), flatOffer(2, 90, 1)]));
  const good = requestOf({ limit: 1 });
  const bad = [
    requestOf({ customer: { ...ONE_MWH, consumptionKwh: [-1, 0, 0, 0, 0, 0] } }),
    requestOf({ customer: { ...ONE_MWH, exportedKwh: Number.NaN } }),
    requestOf({ weight: 2 }),
    requestOf({ period: { days: 0, months: 0 } }),
  ];
  const answers = rankPortfolio(parts, [good, ...bad, good]);
  expect(answers.map(({ ranked }) => ranked)).toEqual([true, false, false, false, false, true]);
  for (const answer of answers.slice(1, -1)) expect(answer).toMatchObject({ error: expect.any(RangeError) });
  expect(answers[0]).toEqual(alone(parts, good));
  expect(answers[5]).toEqual(answers[0]);
});

test('a bug in the ranking of one customer is reported for that customer alone, and the others get rankings', () => {
  const parts = partsOf('LUZ', withoutHistory([flatOffer(1, 100, 5), flatOffer(2, 90, 1)]));
  const good = requestOf();
  const bug = new Error('a bug');
  const broken: RankingRequest = {
    ...good,
    get filter(): RankingRequest['filter'] {
      throw bug;
    },
  };
  expect(rankPortfolio(parts, [good, broken, good])).toEqual([
    alone(parts, good),
    { ranked: false, error: bug },
    alone(parts, good),
  ]);
});

test('every customer of a portfolio gets the ranking that a single question gets', () => {
  holds(
    fc.property(fc.oneof(...Object.values(HOSTILE)), ({ entries, request }) => {
      const parts = partsOf(request.customer.supplyType, entries);
      expect(rankPortfolio(parts, [request])).toEqual([alone(parts, request)]);
    }),
    runsOf(75, 150),
  );
});
