import { describe, expect, it } from 'vitest';
import { DomainError } from '../errors.ts';
import { say } from '../messages/message.ts';
import { defineHistory, defineOffer } from './define-offer.ts';
import type { OfferChanges } from './offer-changes.ts';

const sound: OfferChanges = { territories: { peninsula: true }, accepts: { dni: true } };

function issuesOf(define: () => unknown) {
  try {
    define();
  } catch (error) {
    if (error instanceof DomainError && error.code === 'business_rule') return error.details.issues;
  }
  return null;
}

describe('defineOffer', () => {
  it('completes an offer for programs that embed the engine', () => {
    const offer = defineOffer({ ...sound, id: 9, offerName: 'Gas', supplyType: 'GAS', tariffType: 'RL.1' });
    expect(offer).toMatchObject({ id: 9, companyId: 0, createdAt: '1970-01-01T00:00:00.000Z', isActive: true });
  });

  it('refuses an offer that breaks a rule, with every finding', () => {
    const define = () => defineOffer({ id: 9, offerName: 'Gas', supplyType: 'GAS', tariffType: 'RL.1' });
    expect(define).toThrow(DomainError);
    expect(issuesOf(define)?.map((issue) => issue.path)).toEqual(['territories', 'accepts']);
  });

  it('says in the message which offer and which fields, for programs that let the error pass', () => {
    const define = (changes: OfferChanges) => () =>
      defineOffer({ ...sound, ...changes, id: 9, offerName: 'Gas', supplyType: 'GAS', tariffType: 'RL.1' });
    expect(define({ gasEnergyEurPerKwh: 50 })).toThrow('offer 9: gasEnergyEurPerKwh must be between 0 and 10');
    const bad = { from: -1, to: -2, value: -1, type: 'fixed' };
    expect(define({ consumptionTiers: [bad], gasEnergyEurPerKwh: -1, gasFixedEurPerMonth: -1 })).toThrow(
      /, and 2 more$/,
    );
  });

  // What a compiler would not let through, and a program in JavaScript or a parsed file may bring.
  it.each<[string, object]>([
    ['offerName', { offerName: undefined }],
    ['offerName', { offerName: 7 }],
    ['tariffType', { tariffType: undefined }],
    ['supplyType', { supplyType: 'luz' }],
    ['supplyType', { supplyType: undefined }],
    ['energyEurPerKwh.0', { energyEurPerKwh: ['0.18'] }],
    ['servicesEurPerMonth', { servicesEurPerMonth: '2' }],
    ['commissionValue', { commissionValue: '20' }],
    ['commissionValue', { commissionValue: null }],
    ['consumptionTiers.0.value', { consumptionTiers: [{ from: 0, to: null, value: '20', type: 'fixed' }] }],
  ])('refuses a wrong type of %s, which would enter the calculation', (path, changes) => {
    const definition = { ...sound, id: 9, offerName: 'Luz', supplyType: 'LUZ', tariffType: '2.0TD' } as const;
    const issues = issuesOf(() => defineOffer({ ...definition, ...changes }));
    expect(issues?.map((issue) => issue.path)).toEqual([path]);
  });

  it('refuses a field that no offer has, which would cost or pay nothing, and one that is undefined has no effect', () => {
    const definition = { ...sound, id: 9, offerName: 'Luz', supplyType: 'LUZ', tariffType: '2.0TD' } as const;
    const wrong = { servicesEurPerMonths: 5, comissionValue: 20, constructor: undefined };
    expect(issuesOf(() => defineOffer({ ...definition, ...wrong }))).toEqual([
      { path: 'servicesEurPerMonths', message: 'unknown field' },
      { path: 'comissionValue', message: 'unknown field' },
    ]);
    const offer = { ...defineOffer(definition), maskedUpdatedAt: '2026-01-01T00:00:00.000Z' };
    expect(defineOffer({ ...offer, id: 10 }).id).toBe(10);
  });

  it.each([0, 1.5, Number.NaN, 2 ** 53])('throws for the id %d', (id) => {
    const define = () => defineOffer({ ...sound, id, offerName: 'Gas', supplyType: 'GAS', tariffType: 'RL.1' });
    expect(define).toThrow(RangeError);
  });
});

describe('defineHistory', () => {
  const definition = { ...sound, id: 9, offerName: 'Luz', supplyType: 'LUZ', tariffType: '2.0TD' } as const;
  const indexed = defineOffer({ ...definition, isIndexed: true });
  const NONE = [null, null, null, null, null, null];

  it('A-12: completes the months of an indexed offer, from any real day of them, and sorts them', () => {
    const months = [
      { month: '2025-02-17', energyEurPerKwh: [0.2, -0.01] },
      { month: '2025-01', powerEurPerKwDay: [0.1] },
    ];
    expect(defineHistory(indexed, months)).toEqual({
      offer: indexed,
      months: [
        { supplyType: 'LUZ', month: '2025-01-01', energyEurPerKwh: NONE, powerEurPerKwDay: [0.1, ...NONE.slice(1)] },
        {
          supplyType: 'LUZ',
          month: '2025-02-01',
          energyEurPerKwh: [0.2, -0.01, ...NONE.slice(2)],
          powerEurPerKwDay: NONE,
        },
      ],
    });
    const gas = defineOffer({ ...definition, supplyType: 'GAS', tariffType: 'RL.1', isIndexed: true });
    expect(defineHistory(gas, [{ month: '2025-01', gasEnergyEurPerKwh: 0.04 }]).months).toEqual([
      { supplyType: 'GAS', month: '2025-01-01', gasEnergyEurPerKwh: 0.04, gasFixedEurPerMonth: null },
    ]);
  });

  it('accepts an indexed offer without any month, which is excluded when it is ranked', () => {
    expect(defineHistory(indexed, [])).toEqual({ offer: indexed, months: [] });
  });

  it('refuses months with their position in the given list', () => {
    const wrong = [
      { month: '2025-02', energyEurPerKwh: [0.2] },
      { month: '2025-02-30', energyEurPerKwh: [11] },
      { month: '2025-02-28', energyEurPerKwh: [0.3] },
      { month: '2025-03' },
    ];
    expect(issuesOf(() => defineHistory(indexed, wrong))).toEqual([
      {
        path: 'months.1.month',
        message: say('must be a month from {min} to {max}', { min: '1990-01', max: '2199-12' }),
      },
      {
        path: 'months.1.energyEurPerKwh.0',
        message: say('must be between {min} and {max} {unit}', { min: -10, max: 10, unit: 'EUR/kWh' }),
      },
      { path: 'months.2.month', message: 'comes twice' },
      { path: 'months.3.month', message: 'needs at least one price' },
    ]);
    expect(() => defineHistory(indexed, wrong)).toThrow('offer 9: months.1.month must be a month');
  });

  it('refuses a misspelt field of a month, which would be no price, and takes the months of another history', () => {
    const misspelt = { month: '2025-02', energyEurPerKWh: [0.3], powerEurPerKwDay: [0.1] };
    const { months } = defineHistory(indexed, [{ month: '2025-01', energyEurPerKwh: [0.1] }]);
    expect(issuesOf(() => defineHistory(indexed, [...months, misspelt]))).toEqual([
      { path: 'months.1.energyEurPerKWh', message: 'unknown field' },
    ]);
    expect(defineHistory(indexed, months)).toEqual({ offer: indexed, months });
  });

  it('refuses months of an offer that is not indexed, which has prices of its own', () => {
    const own = defineOffer(definition);
    expect(issuesOf(() => defineHistory(own, [{ month: '2025-02', energyEurPerKwh: [0.2] }]))).toEqual([
      { path: 'isIndexed', message: 'must be true for an offer with monthly prices' },
    ]);
  });
});
