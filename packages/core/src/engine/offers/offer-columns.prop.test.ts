import { arbitraryOfferWithHistory } from '@tarifario/core/testing';
import { holds } from '@tarifario/testkit/core/laws';
import { electricityOffer, gasOffer } from '@tarifario/testkit/core/simple-offers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OfferWithHistory } from './offer.ts';
import { columnise, materialise, OFFER_VALUES, rowAt, rowOf } from './offer-columns.ts';

const SUPPLIES = ['LUZ', 'GAS'] as const;

function ofSupply(entries: readonly OfferWithHistory[], supplyType: string) {
  return entries.filter(({ offer }) => offer.supplyType === supplyType);
}

test('offers read from columns equal the offers that the columns were made of, whatever the other rows are', () => {
  const seen = { months: 0, tiers: 0, empty: 0 };
  holds(
    fc.property(fc.array(arbitraryOfferWithHistory(), { maxLength: 12 }), (entries) => {
      for (const supplyType of SUPPLIES) {
        const list = ofSupply(entries, supplyType);
        const columns = columnise(supplyType, list.map(rowOf));
        expect(list.map((_, row) => materialise(columns, row))).toEqual(list);
        // Read from columns once more, a row is still the same.
        expect(list.map((_, row) => rowAt(columns, row))).toEqual(list.map(rowOf));
      }
      seen.months += entries.filter(({ months }) => months.length > 0).length;
      seen.tiers += entries.filter(({ offer }) => offer.consumptionTiers.length > 1).length;
      seen.empty += entries.filter(({ offer }) => offer.consumptionTiers.length === 0).length;
    }),
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(20);
});

test('null and zero, minus zero and the smallest amounts stay distinct', () => {
  const amounts = [null, 0, -0, 5e-324, Number.MAX_SAFE_INTEGER, -1e-9];
  const offers = amounts.flatMap((amount, index) => [
    electricityOffer({
      id: index + 1,
      servicesEurPerMonth: amount,
      energyEurPerKwh: [amount, 0, null, 1, -0, amount],
      surplusEurPerKwh: amount,
      ssaaIncluded: [null, true, false][index % 3] ?? null,
      consumptionTiers: [{ from: -0, to: amount, value: amount ?? 0, type: 'per_mwh' }],
      powerTiers: [{ from: 0, to: null, value: -0, type: 'per_kw' }],
    }),
    gasOffer({ id: 100 + index, gasEnergyEurPerKwh: amount, gasFixedEurPerMonth: amount }),
  ]);
  for (const supplyType of SUPPLIES) {
    const list = offers.filter((offer) => offer.supplyType === supplyType).map((offer) => ({ offer, months: [] }));
    const columns = columnise(supplyType, list.map(rowOf));
    expect(list.map((_, row) => materialise(columns, row))).toEqual(list);
  }
});

test('a thousand offers with texts of their own and with the most tiers keep all of them', () => {
  const tiers = Array.from({ length: 50 }, (_, from) => ({
    from,
    to: from + 1,
    value: from / 7,
    type: 'fixed' as const,
  }));
  const list = Array.from({ length: 1024 }, (_, index) => ({
    offer: electricityOffer({
      id: index + 1,
      offerName: `${'Tarifa ñandú 🔌 '.repeat(12)}${index}`,
      tariffType: `T${index}`,
      createdAt: `2026-01-01T00:00:00.${String(index).padStart(4, '0')}Z`,
      updatedAt: `2026-02-01T00:00:00.${String(index).padStart(4, '0')}Z`,
      consumptionTiers: tiers,
    }),
    months: [],
  }));
  const columns = columnise('LUZ', list.map(rowOf));
  expect(list.map((_, row) => materialise(columns, row))).toEqual(list);
  expect(columns.bytes).toBeGreaterThan(1024 * (50 * 25 + 190));
});

test('two offers made of one row share no object', () => {
  const columns = columnise('LUZ', [rowOf({ offer: electricityOffer({ id: 1 }), months: [] })]);
  const [first, second] = [materialise(columns, 0), materialise(columns, 0)];
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
