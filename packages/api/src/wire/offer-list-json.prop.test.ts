import type { Company, Firm, ListedOffer } from '@tarifario/core/service';
import { arbitraryCompany, arbitraryFirm, arbitraryOffer } from '@tarifario/core/testing';
import { holds } from '@tarifario/testkit/core/laws';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFragments } from './fragments.ts';
import { createOfferListJson, toWireOffers, type WireOfferPage } from './offer-list-json.ts';

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

const LISTED = fc
  .tuple(fc.option(fc.integer({ min: 1, max: 1e9 })), arbitraryOffer(), arbitraryCompany(), fc.option(arbitraryFirm()))
  .map(([key, offer, company, firm]): ListedOffer => ({ key, company, firm, offer: () => offer }));

const PAGE = fc.record(
  {
    total: fc.nat(),
    limit: fc.nat(),
    offset: fc.nat(),
    results: fc.uniqueArray(LISTED, { selector: ({ key }) => key ?? {}, maxLength: 5 }),
    unknownTerms: fc.nat(),
    next: fc.string(),
  },
  { requiredKeys: ['total', 'limit', 'offset', 'results'] },
);

test('a page of offers in bytes is the page that JSON.stringify writes, masked or not, the first time and the next', () => {
  holds(
    fc.property(PAGE, fc.constantFrom(300, 5000, 1e6), (page, maxBytes) => {
      const json = createOfferListJson(createFragments(maxBytes));
      for (const seesCommissions of [true, false, true, false]) {
        const visibility = { seesCommissions };
        expect(textOf(json(page, visibility).json)).toBe(JSON.stringify(toWireOffers(page, visibility)));
      }
    }),
  );
});

const STAMPS = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
const COMPANY: Company = { id: 1, firmId: 1, name: 'Una', logoUrl: null, isActive: true, ...STAMPS };
const FIRM: Firm = { id: 1, name: 'Firma', imageUrl: null, catalogDefault: 'all', isActive: true, ...STAMPS };

test('a stored piece of an offer is used only for the same key, company and firm', () => {
  const json = createOfferListJson(createFragments(1e6));
  const [offer] = fc.sample(arbitraryOffer(), { numRuns: 1, seed: 7 });
  if (!offer) throw new Error('there is no sample');
  let made = 0;
  const read = () => {
    made++;
    return offer;
  };
  const pageOf = (listed: Partial<ListedOffer>): WireOfferPage => {
    const result = { key: 5, company: COMPANY, firm: FIRM, offer: read, ...listed };
    return { total: 1, limit: 1, offset: 0, results: [result] };
  };
  const textFor = (listed: Partial<ListedOffer>) => textOf(json(pageOf(listed), { seesCommissions: true }).json);
  expect(textFor({})).toBe(textFor({}));
  expect(made).toBe(1);
  expect(textFor({ company: { ...COMPANY, name: 'Dos' } })).toContain('"Dos"');
  expect(textFor({ firm: { ...FIRM, name: 'Tres' } })).toContain('"Tres"');
  expect(textFor({ key: 6 })).not.toContain('"Tres"');
  expect(made).toBe(4);
  expect(textOf(json(pageOf({ key: 6 }), { seesCommissions: false }).json)).toContain('"commission":null');
  // Without a key nothing is cached.
  for (const expected of [6, 7]) {
    textFor({ key: null });
    expect(made).toBe(expected);
  }
});
