import { arbitraryQuestion, type Question } from '@tarifario/testkit/core/arbitrary-requests';
import { holds } from '@tarifario/testkit/core/laws';
import { electricityOffer, rankEntries } from '@tarifario/testkit/core/simple-offers';
import { runsOf } from '@tarifario/testkit/share';
import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import type { OfferWithHistory } from '../offers/offer.ts';
import { matchesFilter, type TermsFilter } from '../offers/offer-filter.ts';
import { perPeriod } from '../periods.ts';
import { createMarket, rankOffers } from './library.ts';
import { rankUniverses } from './rank.ts';
import type { Ranking, RankingRequest } from './ranking.ts';
import { recommendFrom } from './recommend.ts';
import { compileUniverse } from './universe.ts';

const TERMS = fc.record({
  permanenceMonths: fc.constantFrom(null, 0, 11, 12, 13),
  fixedPriceMonths: fc.constantFrom(null, 11, 12, 13),
  isGreen: fc.constantFrom(null, true, false),
});
const NO_TERMS: TermsFilter = { maxPermanenceMonths: null, minFixedPriceMonths: null, isGreen: null };
const ASKED: Arbitrary<TermsFilter> = fc.record({
  maxPermanenceMonths: fc.constantFrom(null, 0, 12),
  minFixedPriceMonths: fc.constantFrom(null, 12),
  isGreen: fc.constantFrom(null, true, false),
});
const SIZE = 30;

const arbitraryTerms: Arbitrary<Question & { readonly asked: TermsFilter }> = fc
  .record({
    question: arbitraryQuestion(SIZE),
    terms: fc.array(TERMS, { minLength: SIZE, maxLength: SIZE }),
    asked: ASKED,
  })
  .map(({ question: { entries, request }, terms, asked }) => ({
    asked,
    request: { ...request, filter: { ...request.filter, ...NO_TERMS } },
    entries: entries.map(({ offer, months }, i) => ({ offer: { ...offer, ...terms[i] }, months })),
  }));

function withFilter(request: RankingRequest, asked: TermsFilter): RankingRequest {
  return { ...request, filter: { ...request.filter, ...asked } };
}

/** What is known and asked for, in pairs: a second way to the verdict of the definition. */
function known({ offer }: OfferWithHistory, asked: TermsFilter) {
  const pairs = [
    [asked.maxPermanenceMonths, offer.permanenceMonths, (wanted: number, has: number) => has <= wanted],
    [asked.minFixedPriceMonths, offer.fixedPriceMonths, (wanted: number, has: number) => has >= wanted],
    [asked.isGreen, offer.isGreen, (wanted: number, has: number) => has === wanted],
  ] as const;
  const relevant = pairs.filter(([wanted]) => wanted !== null);
  const said = relevant.filter(([, has]) => has !== null);
  const passes = said.every(([wanted, has, test]) => test(Number(wanted), Number(has)));
  return { isLeftOut: passes && said.length < relevant.length, passes: passes && said.length === relevant.length };
}

/** The warnings about a filter that nothing passes depend on what other filters would leave. */
const OF_LIST = ['terminos_desconocidos', 'sin_ofertas', 'peaje_sin_ofertas'];

function withoutListWarnings(ranking: Ranking) {
  const { warnings, ...rest } = ranking;
  return { ...rest, warnings: warnings.filter(({ code }) => !OF_LIST.includes(code)) };
}

test('A-126: a ranking with a filter on terms is that of the offers that pass, and those that do not say them are named', () => {
  let [left, ranked] = [0, 0];
  holds(
    fc.property(arbitraryTerms, ({ entries, request, asked }) => {
      const filtered = rankEntries(entries, withFilter(request, asked));
      const passing = entries.filter((entry) => known(entry, asked).passes);
      expect(withoutListWarnings(filtered)).toEqual(withoutListWarnings(rankEntries(passing, request)));
      const others = entries.filter(({ offer }) => offer.isActive && matchesFilter(offer, request.filter));
      const unknown = others.filter((entry) => known(entry, asked).isLeftOut).map(({ offer }) => offer.id);
      const [warning] = filtered.warnings.filter(({ code }) => code === 'terminos_desconocidos');
      expect([warning?.total ?? 0, warning?.offerIds ?? []]).toEqual([unknown.length, unknown.sort((a, b) => a - b)]);
      left += unknown.length;
      ranked += filtered.rankedCount;
    }),
    runsOf(150, 300),
  );
  expect(left).toBeGreaterThan(100);
  expect(ranked).toBeGreaterThan(100);
});

test('A-126: without a filter on them, the terms of offers change no figure and no warning', () => {
  holds(
    fc.property(arbitraryTerms, ({ entries, request }) => {
      const none = { permanenceMonths: null, fixedPriceMonths: null, isGreen: null };
      const unsaid = entries.map(({ offer, months }) => ({ offer: { ...offer, ...none }, months }));
      const bare = (ranking: Ranking) => {
        const { excluded, results, ...rest } = ranking;
        const idOf = <T extends { readonly offer: { readonly id: number } }>({ offer, ...figures }: T) => ({
          id: offer.id,
          ...figures,
        });
        return { ...rest, excluded: excluded.map(idOf), results: results.map(idOf) };
      };
      expect(bare(rankEntries(entries, request))).toEqual(bare(rankEntries(unsaid, request)));
    }),
    runsOf(100, 200),
  );
});

test('A-126: a list that is ranked once and a universe give one answer to each filter on terms, asked in turn', () => {
  let ranked = 0;
  holds(
    fc.property(arbitraryTerms, fc.array(ASKED, { maxLength: 3 }), ({ entries, request, asked }, others) => {
      const universe = compileUniverse(
        request.customer.supplyType,
        entries.toSorted((a, b) => a.offer.id - b.offer.id),
      );
      const parts = [{ universe, admits: () => true }];
      for (const terms of [asked, ...others, { ...asked, isGreen: true }, { ...asked, isGreen: false }]) {
        const question = withFilter(request, terms);
        const selected = rankUniverses(parts, question);
        expect(rankEntries(entries, question)).toEqual(selected);
        ranked += selected.rankedCount;
      }
    }),
    runsOf(100, 200),
  );
  expect(ranked).toBeGreaterThan(50);
});

test('A-126: recommend leaves out and names the offers that a ranking leaves out and names', () => {
  let left = 0;
  holds(
    fc.property(arbitraryTerms, ({ entries, request, asked }) => {
      const { supplyType } = request.customer;
      const universe = compileUniverse(
        supplyType,
        entries.toSorted((a, b) => a.offer.id - b.offer.id),
      );
      const parts = [{ universe, admits: () => true }];
      const year = { annualMwh: 3.5, powerKw: null, company: request.company, limit: 200, offset: 0 };
      const { results, warnings } = recommendFrom(parts, { ...year, filter: { ...request.filter, ...asked } });
      const all = recommendFrom(parts, { ...year, filter: request.filter }).results;
      const ids = (some: readonly { readonly offer: { readonly id: number } }[]) => some.map(({ offer }) => offer.id);
      const passes = ids(entries.filter((entry) => known(entry, asked).passes));
      expect(ids(results)).toEqual(ids(all).filter((id) => passes.includes(id)));
      const named = (some: readonly { readonly code: string }[]) =>
        some.filter(({ code }) => code === 'terminos_desconocidos');
      const ranking = rankUniverses(parts, withFilter(request, asked));
      expect(named(warnings)).toEqual(named(ranking.warnings));
      left += named(warnings).length;
    }),
    runsOf(100, 200),
  );
  expect(left).toBeGreaterThan(30);
});

test('A-126: where the only offers do not say what is asked for, both warnings say so and the filter is named', () => {
  const definition = {
    customer: { supplyType: 'LUZ', consumptionKwh: [1000], powerKw: [4.6] },
    filter: { isGreen: true },
  } as const;
  const green = {
    energyEurPerKwh: perPeriod(() => 0.1),
    powerEurPerKwDay: perPeriod(() => 0.1),
    isGreen: true,
  } as const;
  const [unsaid, other] = [electricityOffer({ id: 2, ...green, isGreen: null }), electricityOffer({ id: 1, ...green })];
  const left = { code: 'terminos_desconocidos', total: 1, offerIds: [2] };
  const empty = { code: 'sin_ofertas', total: 0, offerIds: [], filterName: 'isGreen' };
  for (const [offers, expected] of [
    [[unsaid], [left, empty]],
    [[unsaid, other], [left]],
    [[other], []],
  ] as const) {
    const ofTerms = (warnings: Ranking['warnings']) => warnings.filter(({ code }) => OF_LIST.includes(code));
    expect(ofTerms(rankOffers({ ...definition, offers }).warnings)).toEqual(expected);
    expect(ofTerms(createMarket(offers).rank(definition).warnings)).toEqual(expected);
  }
});

test.each([
  { maxPermanenceMonths: -1 },
  { maxPermanenceMonths: 61 },
  { maxPermanenceMonths: 0.5 },
  { minFixedPriceMonths: 0 },
  { minFixedPriceMonths: 121 },
  { minFixedPriceMonths: Number.NaN },
])('A-126: a filter of %j, which no offer can have, is refused', (filter) => {
  const customer = { supplyType: 'GAS', consumptionKwh: 1000 } as const;
  expect(() => rankOffers({ customer, filter, offers: [] })).toThrow(RangeError);
});
