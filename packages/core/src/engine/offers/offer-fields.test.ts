import { expect, test } from 'vitest';
import { defineOffer } from './define-offer.ts';
import { FIELD_LIST, fieldPartsOf, initialTerms, withoutCommissions } from './field-parts.ts';
import type { FieldTable } from './field-spec.ts';
import { OFFER_FIELDS } from './offer-fields.ts';

test('the table of offer fields: a row that is missing or disagrees with the type of an offer does not compile', () => {
  const { surplusEurPerKwh, ...others } = OFFER_FIELDS;
  // @ts-expect-error: a field without a row
  others satisfies FieldTable;
  const wrong = [
    // @ts-expect-error: a number is no flag
    { ...surplusEurPerKwh, kind: 'flag' } as const satisfies FieldTable['surplusEurPerKwh'],
    // @ts-expect-error: the default says that there can be no price
    { ...surplusEurPerKwh, initial: 0 } as const satisfies FieldTable['surplusEurPerKwh'],
    // @ts-expect-error: gas has no panels
    { ...surplusEurPerKwh, supply: 'GAS' } as const satisfies FieldTable['surplusEurPerKwh'],
  ];
  expect(wrong).toHaveLength(3);
});

test('the table of offer fields: no two values share a path, a name on the wire or a column', () => {
  const parts = FIELD_LIST.flatMap(fieldPartsOf);
  for (const key of ['path', 'wire', 'column'] as const) {
    expect(new Set(parts.map((part) => part[key])).size).toBe(parts.length);
  }
});

test('terms of a new offer: each supply has its own fields and no others', () => {
  expect(Object.keys(initialTerms('GAS'))).not.toContain('energyEurPerKwh');
  expect(Object.keys(initialTerms('LUZ'))).not.toContain('gasEnergyEurPerKwh');
  expect(initialTerms('LUZ')).toMatchObject({ supplyType: 'LUZ', powerTiers: [], isActive: true });
});

test('an offer without commissions: every commission field has its default, and no other field is changed', () => {
  const tier = { from: 0, to: null, value: 1, type: 'fixed' } as const;
  const paid = { commissionValue: 7, commissionType: 'per_mwh', consumptionTiers: [tier] } as const;
  const common = {
    id: 1,
    offerName: 'Tarifa',
    tariffType: '2.0TD',
    accepts: { dni: true },
    territories: { canarias: true },
  };
  const luz = defineOffer({ ...common, ...paid, supplyType: 'LUZ', powerTiers: [tier] });
  expect(withoutCommissions(luz)).toEqual(defineOffer({ ...common, supplyType: 'LUZ' }));
  const gas = defineOffer({ ...common, ...paid, supplyType: 'GAS' });
  expect(withoutCommissions(gas)).toEqual(defineOffer({ ...common, supplyType: 'GAS' }));
});
