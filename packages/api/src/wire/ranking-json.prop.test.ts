import {
  type Company,
  emptyUniverse,
  NO_PRICES,
  type Offer,
  type OfferWithHistory,
  patchUniverse,
  type RankingAnswer,
  rankUniverses,
} from '@tarifario/core/service';
import { ANY_CHARACTER } from '@tarifario/core/testing';
import { arbitraryQuestion } from '@tarifario/testkit/core/arbitrary-requests';
import { holds } from '@tarifario/testkit/core/laws';
import { flatOffer, rankEntries, requestOf, withoutHistory } from '@tarifario/testkit/core/simple-offers';
import { runsOf } from '@tarifario/testkit/share';
import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { createFragments } from './fragments.ts';
import { newJsonBytes, putMillionths, roomFor } from './json-bytes.ts';
import { notaToMillionths, toMillionths, toWireEur, toWireNota } from './numbers.ts';
import { toWireRanking } from './ranking.ts';
import { createRankingJson, type RankingJson } from './ranking-json.ts';

const STAMPS = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };

function company(fields: Partial<Company> = {}): Company {
  return { id: 1, firmId: 1, name: 'Energía', logoUrl: null, isActive: true, ...STAMPS, ...fields };
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

function expectSameBytes(json: RankingJson, answer: RankingAnswer): void {
  const bytes = json(answer);
  const expected = Buffer.from(JSON.stringify(toWireRanking(answer)));
  expect(textOf(bytes)).toBe(expected.toString());
  expect(Buffer.from(bytes).equals(expected)).toBe(true);
}

/** Names of any well-formed text: quotes, backslashes, controls, U+2028, beyond the basic plane. */
const ODD_NAME = fc.oneof(
  fc.string({ unit: ANY_CHARACTER, minLength: 1, maxLength: 12 }),
  fc.constantFrom('"\\/\b\f\n\r\t\u0000\u001f\u007f', '\u2028\u2029\ufeff', 'ñ€漢𝒳😀\u{10ffff}', '\ud7ff\ue000'),
);

const ODD_COMPANY = fc.record({
  firmId: fc.constantFrom(null, 1),
  name: ODD_NAME,
  logoUrl: fc.constantFrom(null, 'https://example.com/logo.png'),
});

const ANSWER: Arbitrary<RankingAnswer> = fc
  .tuple(arbitraryQuestion(), fc.array(fc.tuple(ODD_NAME, ODD_COMPANY), { minLength: 3, maxLength: 3 }))
  .map(([{ entries, request }, odd]) => {
    const named = entries.map(({ offer, months }, index): OfferWithHistory => {
      const [offerName] = odd[index % odd.length] ?? [offer.offerName];
      return { offer: { ...offer, offerName, companyId: 1 + (index % odd.length) }, months };
    });
    const companies = odd.map(([, fields], index) => company({ ...fields, id: index + 1 }));
    return { ranking: rankEntries(named, request), companies: new Map(companies.map((one) => [one.id, one])) };
  });

test('a ranking in bytes is the ranking that JSON.stringify writes, the first time and the next', () => {
  const json = createRankingJson();
  holds(
    fc.property(ANSWER, (answer) => {
      expectSameBytes(json, answer);
      expectSameBytes(json, answer);
    }),
    runsOf(100, 400),
  );
});

test('a ranking in bytes is the same where no piece, or few, can be stored', () => {
  const [none, little] = [createRankingJson(createFragments(0)), createRankingJson(createFragments(3000))];
  holds(
    fc.property(ANSWER, (answer) => {
      expectSameBytes(none, answer);
      expectSameBytes(little, answer);
    }),
    runsOf(50, 100),
  );
});

function putText(millionths: number): string {
  const json = newJsonBytes();
  const block = roomFor(json, 64);
  return textOf(block.subarray(0, putMillionths(millionths, json.view, 0)));
}

const EDGES = [
  0,
  -0,
  1,
  -1,
  999_999,
  1e6,
  -1e6,
  1e12,
  999_999_999_999_999,
  1e15,
  -1e15,
  1e15 + 1,
  2 ** 53,
  1e27,
  1e300,
];
const NOT_FINITE = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

test('millionths are written as JSON.stringify writes their number', () => {
  for (const value of [...EDGES, ...NOT_FINITE]) expect(putText(value)).toBe(JSON.stringify(value / 1e6));
  const magnitudes = fc
    .integer({ min: 0, max: 18 })
    .chain((digits) => fc.double({ min: -(10 ** digits), max: 10 ** digits, noNaN: true }));
  holds(
    fc.property(magnitudes, (value) => {
      const millionths = Math.round(value);
      expect(putText(millionths)).toBe(JSON.stringify(millionths / 1e6));
    }),
    5000,
  );
});

test('amounts and notas in millionths are the numbers of the wire', () => {
  const amount = fc.oneof(fc.double({ min: -1e9, max: 1e9, noNaN: true }), fc.double());
  holds(
    fc.property(amount, fc.double({ min: 0, max: 10, noNaN: true }), (eur, score) => {
      expect(putText(toMillionths(eur))).toBe(JSON.stringify(toWireEur(eur)));
      expect(putText(notaToMillionths(score))).toBe(JSON.stringify(toWireNota(score)));
    }),
    5000,
  );
});

test('ids of a conflict, however large, are written as JSON.stringify writes them', () => {
  const json = createRankingJson();
  for (const id of [1, 1e9, 1e11 - 1, 1e11 + 1, 2 ** 52 + 1, Number.MAX_SAFE_INTEGER]) {
    const ranking = rankEntries(withoutHistory([flatOffer(id, 10, 1), flatOffer(id - 1 || 2, 20, 2)]), requestOf());
    expect(ranking.conflict).not.toBeNull();
    expectSameBytes(json, { ranking, companies: new Map([[1, company()]]) });
  }
});

/** An answer with one offer, and a count of the reads of its name. */
function countedAnswer(id: number): { readonly answer: RankingAnswer; readonly reads: () => number } {
  let reads = 0;
  const named = Object.defineProperty<Offer>({ ...flatOffer(id, 10, 1) }, 'offerName', {
    enumerable: true,
    get: () => {
      reads += 1;
      return `Tarifa ${id}`;
    },
  });
  const ranked = rankEntries(withoutHistory([flatOffer(id, 10, 1)]), requestOf());
  const ranking = { ...ranked, results: ranked.results.map((result) => ({ ...result, offer: named })) };
  return { answer: { ranking, companies: new Map([[1, company()]]) }, reads: () => reads };
}

test('the part of an answer that depends on the offer alone is written once', () => {
  const json = createRankingJson();
  const { answer, reads } = countedAnswer(1);
  json(answer);
  const first = reads();
  expect(first).toBeGreaterThan(0);
  json(answer);
  expect(reads()).toBe(first);
});

test('pieces that were not used for long are dropped, and often used pieces are not', () => {
  const json = createRankingJson(createFragments(8000));
  const [often, once] = [countedAnswer(1), countedAnswer(2)];
  json(often.answer);
  json(once.answer);
  const [firstOfOften, firstOfOnce] = [often.reads(), once.reads()];
  for (let id = 3; id < 100; id++) {
    json(countedAnswer(id).answer);
    json(often.answer);
  }
  expect(often.reads()).toBe(firstOfOften);
  json(once.answer);
  expect(once.reads()).toBeGreaterThan(firstOfOnce);
});

test('a changed company is shown with its present name', () => {
  const json = createRankingJson();
  const ranking = rankEntries(withoutHistory([flatOffer(1, 10, 1)]), requestOf());
  expect(textOf(json({ ranking, companies: new Map([[1, company({ name: 'Antes' })]]) }))).toContain('Antes');
  const after = textOf(json({ ranking, companies: new Map([[1, company({ name: 'Después' })]]) }));
  expect(after).toContain('Después');
  expect(after).not.toContain('Antes');
});

test('an offer shows the prices of the requested month, with its present months', () => {
  const json = createRankingJson();
  const offer = { ...flatOffer(1, 10, 1), isIndexed: true };
  const historyOf = (...prices: readonly number[]): OfferWithHistory => {
    const months = prices.map((price, index) => {
      const energyEurPerKwh = [price, price, price, price, price, price] as const;
      return {
        supplyType: 'LUZ',
        month: `2026-0${index + 1}-01`,
        energyEurPerKwh,
        powerEurPerKwDay: NO_PRICES,
      } as const;
    });
    return { offer, months };
  };
  let universe = patchUniverse(emptyUniverse('LUZ'), [historyOf(0.1, 0.2)]);
  const expectEach = () => {
    for (const month of [null, '2026-01-01', '2026-02-01', null, '2026-01-01']) {
      const ranking = rankUniverses([{ universe, admits: () => true }], requestOf({ month }));
      expect(ranking.rankedCount).toBe(1);
      expectSameBytes(json, { ranking, companies: new Map([[1, company()]]) });
    }
  };
  expectEach();
  universe = patchUniverse(universe, [historyOf(0.3, 0.4)]);
  expectEach();
});

test('answers longer than a block are whole, and no bytes of an earlier answer are overwritten', () => {
  const json = createRankingJson();
  const offers = Array.from({ length: 200 }, (_, index) => ({
    ...flatOffer(index + 1, index, 1),
    offerName: '漢'.repeat(200),
  }));
  const logoUrl = `https://example.com/${'x'.repeat(2000)}`;
  const answer = {
    ranking: rankEntries(withoutHistory(offers), requestOf()),
    companies: new Map([[1, company({ logoUrl })]]),
  };
  const expected = JSON.stringify(toWireRanking(answer));
  const copies = Array.from({ length: 5 }, () => json(answer));
  const small = countedAnswer(1).answer;
  const others = Array.from({ length: 2000 }, () => json(small));
  for (const bytes of copies) expect(textOf(bytes)).toBe(expected);
  for (const bytes of others) expect(textOf(bytes)).toBe(JSON.stringify(toWireRanking(small)));
});

test('an answer that failed while it was written leaves no bytes in the next', () => {
  const json = createRankingJson();
  const { answer } = countedAnswer(1);
  expect(() => json({ ...answer, companies: new Map() })).toThrow('has no company');
  expectSameBytes(json, answer);
});
