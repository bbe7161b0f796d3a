import { arbitraryOfferWithHistory } from '@tarifario/core/testing';
import { holds } from '@tarifario/testkit/core/laws';
import { electricityOffer, gasOffer } from '@tarifario/testkit/core/simple-offers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OfferWithHistory } from './offer.ts';
import { OFFER_VALUES, offerOfRow, offerOfText, rowOf, textOfRow } from './offer-row.ts';

/** The same offer, read from its row and from its text. */
function readTwice(entry: OfferWithHistory): readonly OfferWithHistory[] {
  const row = rowOf(entry);
  return [offerOfRow(row), offerOfText(textOfRow(row))];
}

test('an offer read from its row, or from the text of its row, equals the offer that the row was made of', () => {
  const seen = { months: 0, tiers: 0, empty: 0 };
  holds(
    fc.property(fc.array(arbitraryOfferWithHistory(), { maxLength: 12 }), (entries) => {
      for (const entry of entries) expect(readTwice(entry)).toEqual([entry, entry]);
      seen.months += entries.filter(({ months }) => months.length > 0).length;
      seen.tiers += entries.filter(({ offer }) => offer.consumptionTiers.length > 1).length;
      seen.empty += entries.filter(({ offer }) => offer.consumptionTiers.length === 0).length;
    }),
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(20);
});

test('null and zero and the smallest amounts stay distinct, and a text has no minus zero', () => {
  const amounts = [null, 0, 5e-324, Number.MAX_SAFE_INTEGER, -1e-9];
  const offers = amounts.flatMap((amount, index) => [
    electricityOffer({
      id: index + 1,
      servicesEurPerMonth: amount,
      energyEurPerKwh: [amount, 0, null, 1, 0, amount],
      surplusEurPerKwh: amount,
      ssaaIncluded: [null, true, false][index % 3] ?? null,
      consumptionTiers: [{ from: 0, to: amount, value: amount ?? 0, type: 'per_mwh' }],
      powerTiers: [{ from: 0, to: null, value: 0, type: 'per_kw' }],
    }),
    gasOffer({ id: 100 + index, gasEnergyEurPerKwh: amount, gasFixedEurPerMonth: amount }),
  ]);
  for (const offer of offers) expect(readTwice({ offer, months: [] })).toEqual(Array(2).fill({ offer, months: [] }));
  const [row, text] = readTwice({ offer: gasOffer({ id: 1, gasFixedEurPerMonth: -0 }), months: [] });
  expect(row?.offer).toMatchObject({ gasFixedEurPerMonth: -0 });
  expect(text?.offer).toMatchObject({ gasFixedEurPerMonth: 0 });
});

test('two offers made of one row share no object', () => {
  const row = rowOf({ offer: electricityOffer({ id: 1 }), months: [] });
  const [first, second] = [offerOfText(textOfRow(row)), offerOfText(textOfRow(row))];
  expect(first.offer.accepts).not.toBe(second.offer.accepts);
  expect(first.offer.consumptionTiers).not.toBe(second.offer.consumptionTiers);
});

test('a row has a value for each field of both supplies, those of the other supply empty', () => {
  const values = rowOf({ offer: gasOffer({ id: 1 }), months: [] }).values;
  expect(values).toHaveLength(OFFER_VALUES.length);
  OFFER_VALUES.forEach(({ field }, index) => {
    if (field === 'energyEurPerKwh' || field === 'powerTiers') expect(values[index]).toBeNull();
  });
});
