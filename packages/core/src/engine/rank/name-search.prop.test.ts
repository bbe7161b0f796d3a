import { arbitraryNearTies, arbitraryQuestion } from '@tarifario/testkit/core/arbitrary-requests';
import { holds } from '@tarifario/testkit/core/laws';
import { flatOffer, requestOf, withoutHistory } from '@tarifario/testkit/core/simple-offers';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OfferWithHistory } from '../offers/offer.ts';
import { rankUniverses } from './rank.ts';
import type { Ranking, RankingRequest } from './ranking.ts';
import { askReasons } from './reasons.ts';
import { nameSearch } from './select.ts';
import { compileUniverse, type UniversePart } from './universe.ts';

const COMPANIES = new Map(['Luz Norte', 'Ñandú', 'gas  del SUR'].map((name, index) => [index + 1, { name }]));
const NAMES = ['Tarifa Luz', 'TARIFA ñu', 'tarífa', '100% Verde', 'Sur'];
/** The words of each, as they stand in names without case and accents. */
const SEARCHES = new Map([
  ['tarifa', ['tarifa']],
  ['LÚZ', ['luz']],
  ['Nandu  tarifa', ['nandu', 'tarifa']],
  ['sur', ['sur']],
  ['%', ['%']],
  ['nada', ['nada']],
]);

function renamed(entries: readonly OfferWithHistory[], seed: number): readonly OfferWithHistory[] {
  return entries.map(({ offer, months }, index) => ({
    offer: { ...offer, offerName: NAMES[(index * seed) % NAMES.length] ?? '', companyId: 1 + ((index + seed) % 3) },
    months,
  }));
}

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

function expected(whole: Ranking, text: string, { limit, offset = 0 }: RankingRequest): Ranking {
  const words = SEARCHES.get(text) ?? [];
  const found = whole.results
    .map((result, index) => ({ ...result, place: index + 1 }))
    .filter(({ offer }) => {
      const names = [offer.offerName, COMPANIES.get(offer.companyId)?.name ?? ''].map(plain);
      return words.every((word) => names.some((name) => name.includes(word)));
    });
  return { ...whole, foundCount: found.length, results: found.slice(offset, offset + limit) };
}

const QUESTION = fc.oneof(
  arbitraryQuestion(),
  fc.record({
    entries: arbitraryNearTies(),
    request: fc
      .record({ weight: fc.constantFrom(0, 0.5, 1), seesCommissions: fc.boolean() })
      .map((fields) => requestOf(fields)),
  }),
);
const PAGE = fc.record({ limit: fc.integer({ min: 1, max: 8 }), offset: fc.integer({ min: 0, max: 6 }) });
const REASONS = fc.constantFrom(
  null,
  askReasons({
    why: { againstId: null },
    margin: true,
    thresholds: true,
    retrospective: true,
  }),
);

test('A-130: a ranking with a search is the whole ranking with the offers that have its words, at their places', () => {
  holds(
    fc.property(
      fc.record({
        question: QUESTION,
        page: PAGE,
        reasons: REASONS,
        text: fc.constantFrom(...SEARCHES.keys()),
        seed: fc.integer({ min: 1, max: 9 }),
      }),
      ({ question: { entries, request: any }, page, reasons, text, seed }) => {
        const all = renamed(entries, seed);
        const request = { ...any, ...page, reasons };
        const parts = [0, 1].map((part): UniversePart => {
          const some = all.filter((_, index) => index % 2 === part);
          return {
            universe: compileUniverse(request.customer.supplyType, some),
            admits: (id) => id !== 3 || seed % 2 === 0,
          };
        });
        const whole = rankUniverses(parts, { ...request, limit: 1000, offset: 0 });
        const search = nameSearch(text, COMPANIES);
        expect(rankUniverses(parts, { ...request, search })).toEqual(expected(whole, text, request));
      },
    ),
    runsOf(300, 1500),
  );
});

test.each([true, false])(
  'A-130: a search among 5,000 offers, many of them tied, finds them with their places (commissions: %s)',
  (seesCommissions) => {
    const offers = Array.from({ length: 5000 }, (_, index) => flatOffer(index + 1, 100 + (index % 7), index % 3));
    const parts = [{ universe: compileUniverse('LUZ', renamed(withoutHistory(offers), 1)), admits: () => true }];
    const request = requestOf({ limit: 50, offset: 700, seesCommissions });
    const search = nameSearch('sur', COMPANIES);
    const whole = rankUniverses(parts, { ...request, limit: 5000, offset: 0 });
    const ranking = rankUniverses(parts, { ...request, search });
    expect(ranking).toEqual(expected(whole, 'sur', request));
    expect(ranking.results[0]?.place).toBeGreaterThan(700);
  },
);
