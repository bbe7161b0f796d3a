import { describe, expect, it } from 'vitest';
import { reviewedTerms } from '../../../../../test-fixtures/reviewed-fields.ts';
import { say } from '../messages/message.ts';
import { defineOffer } from './define-offer.ts';
import { SUPPLY_TYPES } from './offer.ts';
import { changeOffer, draftMonth, draftOffer, type OfferChanges } from './offer-changes.ts';

const required = { companyId: 7, offerName: 'Tarifa', tariffType: '2.0TD' } as const;
const sound: OfferChanges = { territories: { peninsula: true }, accepts: { dni: true } };
const luz = (changes: OfferChanges = {}) => draftOffer({ ...required, supplyType: 'LUZ' }, { ...sound, ...changes });
const gas = (changes: OfferChanges = {}) => draftOffer({ ...required, supplyType: 'GAS' }, { ...sound, ...changes });

describe('draftOffer', () => {
  it.each(SUPPLY_TYPES)('A-49: fills in the reviewed defaults for %s', (supplyType) => {
    expect(draftOffer({ ...required, supplyType }, sound)).toEqual({
      issues: [],
      terms: {
        ...reviewedTerms(supplyType),
        ...required,
        accepts: { dni: true, cif: false, cdad: false },
        territories: { peninsula: true, canarias: false, baleares: false, ceuta_melilla: false },
      },
    });
  });

  it('gives a gas offer the fields of gas and no others', () => {
    const { terms, issues } = gas({ gasEnergyEurPerKwh: 0.05, gasFixedEurPerMonth: 4 });
    expect(issues).toEqual([]);
    expect(terms).toMatchObject({ supplyType: 'GAS', gasEnergyEurPerKwh: 0.05, gasFixedEurPerMonth: 4 });
    expect(Object.keys(terms)).not.toContain('energyEurPerKwh');
    expect(Object.keys(terms)).not.toContain('powerTiers');
  });

  it.each<[string, OfferChanges]>([
    ['energyEurPerKwh.1', { energyEurPerKwh: [undefined, 0] }],
    ['powerEurPerKwDay.0', { powerEurPerKwDay: [0.1] }],
    ['feePowerEurPerMwh', { feePowerEurPerMwh: 0 }],
    ['hasSolarPanels', { hasSolarPanels: true }],
    ['surplusEurPerKwh', { surplusEurPerKwh: 0.05 }],
    ['ssaaIncluded', { ssaaIncluded: true }],
    ['powerTiers', { powerTiers: [{ from: 0, to: null, value: 1, type: 'fixed' }] }],
  ])('refuses %s on gas', (path, changes) => {
    expect(gas(changes).issues).toEqual([
      { path, message: say('is not a field of {supply} offers', { supply: 'GAS' }) },
    ]);
  });

  it('refuses gas prices on electricity', () => {
    const { issues } = luz({ gasEnergyEurPerKwh: 0, gasFixedEurPerMonth: 3 });
    expect(issues.map((issue) => issue.path)).toEqual(['gasEnergyEurPerKwh', 'gasFixedEurPerMonth']);
  });

  it('A-49: ignores fields of the other supply that are null or false', () => {
    const nothing: OfferChanges = {
      energyEurPerKwh: [null, undefined],
      powerEurPerKwDay: [],
      feePowerEurPerMwh: null,
      hasSolarPanels: false,
      surplusEurPerKwh: null,
      ssaaIncluded: false,
      powerTiers: [],
    };
    expect(gas(nothing)).toEqual(gas());
    expect(gas({ hasSolarPanels: null, powerTiers: null })).toEqual(gas());
    expect(luz({ gasEnergyEurPerKwh: null, gasFixedEurPerMonth: null })).toEqual(luz());
  });

  it('A-49: refuses null where a field cannot be empty', () => {
    const { issues } = luz({ hasSolarPanels: null, powerTiers: null });
    expect(issues.map((issue) => issue.path)).toEqual(['hasSolarPanels', 'powerTiers']);
  });

  it('A-13: accepts two types of commission for consumption and two for power', () => {
    const tier = { from: 0, to: null, value: 1 };
    const sent = (consumption: string, power: string) =>
      luz({
        commissionType: consumption,
        consumptionTiers: [{ ...tier, type: consumption }],
        powerTiers: [{ ...tier, type: power }],
      });
    expect(sent('fixed', 'fixed').issues).toEqual([]);
    expect(sent('per_mwh', 'per_kw').issues).toEqual([]);
    expect(sent('per_mwh', 'per_kw').terms).toMatchObject({
      commissionType: 'per_mwh',
      consumptionTiers: [{ type: 'per_mwh' }],
      powerTiers: [{ type: 'per_kw' }],
    });
    expect(sent('per_kw', 'per_mwh').issues.map((issue) => issue.path)).toEqual([
      'commissionType',
      'consumptionTiers.0.type',
      'powerTiers.0.type',
    ]);
  });

  it('stores tiers in ascending order, and an issue names the tier in the order of the input', () => {
    const tiers = [
      { from: 10, to: null, value: 3, type: 'fixed' },
      { from: 0, to: 10, value: 2, type: 'fixed' },
    ];
    const { terms } = luz({ consumptionTiers: tiers, powerTiers: tiers });
    expect(terms.consumptionTiers.map((tier) => tier.from)).toEqual([0, 10]);
    expect(terms).toMatchObject({ powerTiers: [{ from: 0 }, { from: 10 }] });
    const overlapping = luz({ consumptionTiers: [tiers[0] ?? fail(), { from: 0, to: 11, value: 2, type: 'fixed' }] });
    expect(overlapping.issues).toEqual([{ path: 'consumptionTiers.0.from', message: 'overlaps another tier' }]);
  });

  it('A-31: stores communities sorted and once each', () => {
    expect(luz({ communities: ['navarra', 'aragon', 'navarra'] }).terms.communities).toEqual(['aragon', 'navarra']);
  });

  it('trims and composes names', () => {
    const sent = { ...required, offerName: '  Cafe\u0301 ', tariffType: ' RL.1 ', supplyType: 'GAS' } as const;
    expect(draftOffer(sent, sound).terms).toMatchObject({ offerName: 'Caf\u00e9', tariffType: 'RL.1' });
  });
});

function fail(): never {
  throw new Error('a tier was expected');
}

describe('a stored name older than a rule', () => {
  const stored = { ...luz().terms, offerName: 'En\u034fdesa', tariffType: '2.0\u2800TD' };
  const refused = (changes: OfferChanges) => changeOffer(stored, changes).issues.map(({ path }) => path);

  it('A-55: stays where it is not changed, and a new one follows the rules', () => {
    expect(refused({ servicesEurPerMonth: 2 })).toEqual([]);
    expect(refused({ offerName: ' En\u034fdesa', tariffType: '2.0\u2800TD' })).toEqual([]);
    expect(refused({ offerName: 'En\u034fdesa2' })).toEqual(['offerName']);
    expect(refused({ tariffType: '3.0\u2800TD' })).toEqual(['tariffType']);
    expect(refused({ offerName: '' })).toEqual(['offerName']);
    expect(changeOffer({ ...stored, offerName: '' }, {}).issues).toHaveLength(1);
  });
});

describe('changeOffer', () => {
  const current = defineOffer({
    ...sound,
    id: 3,
    offerName: 'Tarifa',
    supplyType: 'LUZ',
    tariffType: '2.0TD',
    energyEurPerKwh: [0.1, 0.2, 0.3],
    servicesEurPerMonth: 4,
    hasSolarPanels: true,
    surplusEurPerKwh: 0.05,
    communities: ['aragon'],
    consumptionTiers: [{ from: 0, to: null, value: 5, type: 'fixed' }],
  });

  it('A-30: keeps fields that are not sent and erases fields that are sent as null', () => {
    const { terms, issues } = changeOffer(current, { energyEurPerKwh: [undefined, null], servicesEurPerMonth: null });
    expect(issues).toEqual([]);
    const { id, createdAt, updatedAt, ...stored } = current;
    expect(terms).toEqual({
      ...stored,
      energyEurPerKwh: [0.1, null, 0.3, null, null, null],
      servicesEurPerMonth: null,
    });
  });

  it('A-30: replaces lists as a whole', () => {
    const { terms } = changeOffer(current, { consumptionTiers: [], communities: ['navarra'] });
    expect(terms).toMatchObject({ consumptionTiers: [], communities: ['navarra'] });
  });

  it('changes single flags', () => {
    const { terms } = changeOffer(current, {
      accepts: { cif: true },
      territories: { peninsula: false, canarias: true },
    });
    expect(terms.accepts).toEqual({ dni: true, cif: true, cdad: false });
    expect(terms.territories).toEqual({ peninsula: false, canarias: true, baleares: false, ceuta_melilla: false });
  });

  it('checks the offer with the change', () => {
    const { issues } = changeOffer(current, { hasSolarPanels: false });
    expect(issues.map((issue) => issue.path)).toEqual(['surplusEurPerKwh']);
  });
});

describe('draftMonth', () => {
  it('has null for every price that is not sent', () => {
    const { price, issues } = draftMonth('LUZ', { month: '2025-01-01', energyEurPerKwh: [-0.02, 0.1] });
    expect(issues).toEqual([]);
    expect(price).toEqual({
      supplyType: 'LUZ',
      month: '2025-01-01',
      energyEurPerKwh: [-0.02, 0.1, null, null, null, null],
      powerEurPerKwDay: [null, null, null, null, null, null],
    });
    expect(draftMonth('GAS', { month: '2025-01-01', gasFixedEurPerMonth: 3 }).price).toEqual({
      supplyType: 'GAS',
      month: '2025-01-01',
      gasEnergyEurPerKwh: null,
      gasFixedEurPerMonth: 3,
    });
  });

  it('refuses prices of the other supply type and prices out of bounds', () => {
    const misplaced = { month: '2025-01-01', energyEurPerKwh: [0.1], gasEnergyEurPerKwh: 1 };
    expect(draftMonth('LUZ', misplaced).issues).toHaveLength(1);
    expect(draftMonth('GAS', { month: '2025-01-01', energyEurPerKwh: [1], gasEnergyEurPerKwh: 11 }).issues).toEqual([
      { path: 'energyEurPerKwh.0', message: say('is not a field of {supply} offers', { supply: 'GAS' }) },
      {
        path: 'gasEnergyEurPerKwh',
        message: say('must be between {min} and {max} {unit}', { min: -10, max: 10, unit: 'EUR/kWh' }),
      },
    ]);
  });

  it('takes six prices and refuses a seventh, which belongs to no period', () => {
    const prices = (count: number) => Array.from({ length: count }, () => 0.1);
    for (const field of ['energyEurPerKwh', 'powerEurPerKwDay'] as const) {
      expect(luz({ [field]: prices(6) }).issues).toEqual([]);
      expect(luz({ [field]: prices(7) }).issues).toEqual([{ path: field, message: 'has more than six periods' }]);
      const month = { month: '2025-01-01', energyEurPerKwh: prices(6), [field]: prices(7) };
      expect(draftMonth('LUZ', month).issues).toEqual([{ path: field, message: 'has more than six periods' }]);
    }
  });
});
