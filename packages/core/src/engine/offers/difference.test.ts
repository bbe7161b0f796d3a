import { arbitraryOfferTerms } from '@tarifario/core/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changedTerms, changeOf, differenceOf, isMaskedChange } from './difference.ts';
import { FIELD_LIST, fieldPartsOf, initialTerms } from './field-parts.ts';
import type { Offer } from './offer.ts';

const stamps = { id: 1, createdAt: '2026-01-01', updatedAt: '2026-01-02' };
const terms = {
  ...initialTerms('LUZ'),
  offerName: 'Una',
  energyEurPerKwh: [0.1, 0.2, null, null, null, null],
  communities: ['galicia', 'madrid'],
  consumptionTiers: [{ from: 0, to: 5, value: 1, type: 'fixed' }],
} as const;
const offer: Offer = { ...terms, ...stamps };

function pathsOf(after: Partial<typeof offer>): readonly string[] {
  return differenceOf(offer, { ...offer, ...after } as Offer).map(({ part }) => part.path);
}

describe('the difference of two offers', () => {
  test('has each changed value of a list of prices or flags by itself, in the order of the table', () => {
    const after = { ...offer, offerName: 'Otra', energyEurPerKwh: [0.1, 0.3, 0, null, null, null] } as const;
    expect(differenceOf(offer, { ...after, accepts: { ...offer.accepts, cif: true } })).toMatchObject([
      { part: { path: 'offerName' }, before: 'Una', after: 'Otra' },
      { part: { path: 'energyEurPerKwh.1' }, before: 0.2, after: 0.3 },
      { part: { path: 'energyEurPerKwh.2' }, before: null, after: 0 },
      { part: { path: 'accepts.cif' }, before: false, after: true },
    ]);
  });

  test('is empty for copies of the same values with other stamps, whatever the order of fields of a tier', () => {
    const copy = { ...structuredClone(offer), id: 2, updatedAt: '', maskedUpdatedAt: '' };
    const consumptionTiers = [{ type: 'fixed', value: 1, to: 5, from: 0 }] as const;
    expect(differenceOf(offer, { ...copy, consumptionTiers })).toEqual([]);
  });

  test('has a list of tiers when a bound, an amount, a type or the length differs, and a list of communities', () => {
    const [tier] = terms.consumptionTiers;
    const others = [{ from: 1 }, { to: 6 }, { to: null }, { value: 2 }, { type: 'per_mwh' as const }];
    for (const consumptionTiers of [...others.map((other) => [{ ...tier, ...other }]), [], [tier, tier]]) {
      expect(pathsOf({ consumptionTiers }), JSON.stringify(consumptionTiers)).toEqual(['consumptionTiers']);
    }
    expect(pathsOf({ communities: ['galicia'] })).toEqual(['communities']);
  });

  test('of a new offer, compared with nothing, has every value but null and empty lists', () => {
    const all = differenceOf(null, terms);
    expect(all.every(({ before }) => before === null || Array.isArray(before))).toBe(true);
    const paths = all.map(({ part }) => part.path);
    expect(paths).toContain('isIndexed');
    expect(paths).toContain('consumptionTiers');
    expect(paths).not.toContain('powerTiers');
    expect(paths).not.toContain('energyEurPerKwh.2');
  });

  test('of two months has their prices', () => {
    const price = {
      supplyType: 'GAS',
      month: '2026-01-01',
      gasEnergyEurPerKwh: 0.1,
      gasFixedEurPerMonth: null,
    } as const;
    expect(differenceOf(price, { ...price, gasEnergyEurPerKwh: -0.1 })).toMatchObject([
      { part: { wire: 'gas_energy' } },
    ]);
    expect(differenceOf(price, { ...price })).toEqual([]);
  });

  test('is empty exactly where the texts of all values are equal', () => {
    const text = (one: object) => JSON.stringify(FIELD_LIST.map(({ name }) => Reflect.get(one, name)));
    const two = fc.tuple(arbitraryOfferTerms(), arbitraryOfferTerms(), fc.subarray(FIELD_LIST.map(({ name }) => name)));
    fc.assert(
      fc.property(two, ([one, other, kept]) => {
        fc.pre(one.supplyType === other.supplyType);
        const after = { ...other, ...Object.fromEntries(kept.map((name) => [name, Reflect.get(one, name)])) } as Offer;
        for (const name of kept) if (Reflect.get(one, name) === undefined) Reflect.deleteProperty(after, name);
        expect(differenceOf(one, after).length === 0).toBe(text(one) === text(after));
        const changed = new Set(differenceOf(one, after).map(({ part }) => part.path));
        const parts = FIELD_LIST.flatMap(fieldPartsOf).map(({ path }) => path);
        expect([...changed]).toEqual(parts.filter((path) => changed.has(path)));
      }),
    );
  });
});

describe('what has to be written', () => {
  test('is nothing where an offer has these terms already, unless that counts as a change', () => {
    expect(changeOf(offer, { ...terms })).toBeNull();
    expect(changeOf(offer, terms, { isBlind: true })).toEqual({
      ...{ before: offer, terms, sections: ['commissions'], isBlind: true },
    });
  });

  test('A-26: is masked where nothing but commissions differs', () => {
    const sectionsOf = (change: Partial<typeof offer>) =>
      changeOf(offer, { ...offer, ...change } as Offer)?.sections ?? [];
    for (const [change, sections, isMasked] of [
      [{ commissionValue: 1 }, ['commissions'], true],
      [{ consumptionTiers: [] }, ['commissions'], true],
      [{ commissionValue: 1, consumptionTiers: [], isActive: false }, ['commissions', 'reach'], false],
      [{ offerName: 'Otra' }, ['identity'], false],
    ] as const) {
      expect(sectionsOf(change)).toEqual(sections);
      expect(isMaskedChange({ sections })).toBe(isMasked);
    }
  });

  test('is what differs from a firm, or nothing', () => {
    const firm = { ...stamps, name: 'A', imageUrl: null as string | null };
    expect(changedTerms(firm, { name: 'A' })).toBeNull();
    expect(changedTerms(firm, { name: 'A', imageUrl: '' })).toEqual({ imageUrl: '' });
  });
});
