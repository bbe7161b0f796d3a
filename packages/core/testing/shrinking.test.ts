import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OfferWithHistory, type RankedOffer, rankOffers } from '@tarifario/core';
import * as testing from '@tarifario/core/testing';
import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { reviewedTerms } from '../../../test-fixtures/reviewed-fields.ts';

/** The page says for what each arbitrary is; this file plants one bug for each. */
const page = readFileSync(join(import.meta.dirname, '../../../docs/arbitraries.md'), 'utf8');
const SEEDS = Array.from({ length: 24 }, (_, index) => index + 1);

const START = '2020-01-01T00:00:00.000Z';
const STAMPS = { createdAt: START, updatedAt: START };
const NONE = [null, null, null, null, null, null];
const FIRM = { name: 'Iberdrola', imageUrl: null, catalogDefault: 'all', isActive: false };
const COMPANY = { firmId: null, name: 'Iberdrola', logoUrl: null, isActive: false };
/** The terms to which an offer shrinks: those of a new offer, with these. */
const COMMON = {
  companyId: 1,
  offerName: 'Iberdrola',
  accepts: { dni: true, cif: false, cdad: false },
  territories: { peninsula: true, canarias: false, baleares: false, ceuta_melilla: false },
  isActive: false,
};
const GAS = { ...reviewedTerms('GAS'), ...COMMON, tariffType: 'RL.1' };
const LUZ = { ...reviewedTerms('LUZ'), ...COMMON, tariffType: '2.0TD' };
const MONTH = { supplyType: 'GAS', month: '2023-01-01', gasEnergyEurPerKwh: null, gasFixedEurPerMonth: 0 };
const NEGATIVE = { gasEnergyEurPerKwh: -0.00001, gasFixedEurPerMonth: null };
const PRESELECTION = {
  tariffType: null,
  territory: null,
  community: null,
  customerType: null,
  ssaaIncluded: null,
  hasSolarPanels: null,
};
const CUSTOMER = { supplyType: 'LUZ', consumptionKwh: [0, 0, 0, 0, 0, 0], powerKw: [0, 0, 0, 0, 0, 0], exportedKwh: 0 };

const SMALL = {
  ...{ ...GAS, offerName: 'Tarifa', gasEnergyEurPerKwh: 0, gasFixedEurPerMonth: 0, isActive: true },
  ...{ id: 1, ...STAMPS },
};

/** What a program that is wrong would say of a sound value; `false`: the bug shows. */
interface PlantedBug {
  readonly counterexampleOf: (seed: number) => unknown;
  readonly expected: unknown;
}

function bug<T>(arbitrary: Arbitrary<T>, law: (value: T) => boolean, expected: unknown): PlantedBug {
  const counterexampleOf = (seed: number) => {
    const { counterexample } = fc.check(fc.property(arbitrary, law), { seed, numRuns: 2000 });
    return counterexample?.[0] ?? 'the bug was not found';
  };
  return { counterexampleOf, expected };
}

const t = testing;
const hasNegativeMonth = ({ offer, months }: OfferWithHistory) =>
  offer.supplyType === 'GAS' &&
  months.some((month) => month.supplyType === 'GAS' && (month.gasEnergyEurPerKwh ?? 0) < 0);

const BUGS: Readonly<Record<string, PlantedBug>> = {
  arbitraryElectricityCustomer: bug(t.arbitraryElectricityCustomer(), ({ exportedKwh }) => exportedKwh < 10, {
    ...CUSTOMER,
    exportedKwh: 10,
  }),
  arbitraryGasCustomer: bug(t.arbitraryGasCustomer(), ({ consumptionKwh }) => consumptionKwh < 10, {
    supplyType: 'GAS',
    consumptionKwh: 10,
  }),
  arbitraryCustomer: bug(
    t.arbitraryCustomer('LUZ'),
    ({ consumptionKwh }) => typeof consumptionKwh === 'number' || consumptionKwh[2] < 100,
    { ...CUSTOMER, consumptionKwh: [0, 0, 100, 0, 0, 0] },
  ),
  arbitraryPeriod: bug(t.arbitraryPeriod(), ({ days, months }) => months !== 12 || days < 366, {
    days: 366,
    months: 12,
  }),
  arbitraryFees: bug(t.arbitraryFees(), ({ powerEurPerMwh }) => powerEurPerMwh < 5, {
    energyEurPerMwh: 0,
    powerEurPerMwh: 5,
  }),
  arbitraryFirmTerms: bug(t.arbitraryFirmTerms(), ({ catalogDefault }) => catalogDefault === 'all', {
    ...FIRM,
    catalogDefault: 'none',
  }),
  arbitraryFirm: bug(t.arbitraryFirm(), ({ isActive }) => !isActive, { ...FIRM, isActive: true, id: 1, ...STAMPS }),
  arbitraryCompany: bug(t.arbitraryCompany(), ({ firmId }) => firmId === null, {
    ...COMPANY,
    firmId: 1,
    id: 1,
    ...STAMPS,
  }),
  arbitraryCompanyFilter: bug(t.arbitraryCompanyFilter(), ({ ownCompanyId }) => ownCompanyId === null, {
    ownCompanyId: 1,
    companyName: null,
  }),
  arbitraryConsumptionTiers: bug(t.arbitraryConsumptionTiers(), (tiers) => tiers.length < 3, [
    { from: 0, to: 1, value: 0, type: 'fixed' },
    { from: 1, to: 2, value: 0, type: 'fixed' },
    { from: 2, to: 3, value: 0, type: 'fixed' },
  ]),
  arbitraryPowerTiers: bug(t.arbitraryPowerTiers(), (tiers) => tiers.every(({ type }) => type === 'fixed'), [
    { from: 0, to: 1, value: 0, type: 'per_kw' },
  ]),
  arbitraryElectricityTerms: bug(t.arbitraryElectricityTerms(), ({ surplusEurPerKwh }) => surplusEurPerKwh === null, {
    ...LUZ,
    hasSolarPanels: true,
    surplusEurPerKwh: 0,
  }),
  arbitraryGasTerms: bug(t.arbitraryGasTerms(), ({ gasFixedEurPerMonth }) => gasFixedEurPerMonth === null, {
    ...GAS,
    gasFixedEurPerMonth: 0,
  }),
  arbitraryOfferTerms: bug(t.arbitraryOfferTerms(), (terms) => terms.supplyType === 'LUZ' || !terms.isIndexed, {
    ...GAS,
    isIndexed: true,
  }),
  arbitraryElectricityOffer: bug(t.arbitraryElectricityOffer(), ({ powerTiers }) => powerTiers.length === 0, {
    ...LUZ,
    powerTiers: [{ from: 0, to: 1, value: 0, type: 'fixed' }],
    id: 1,
    ...STAMPS,
  }),
  arbitraryGasOffer: bug(t.arbitraryGasOffer(), ({ territories }) => !territories.canarias, {
    ...GAS,
    territories: { ...GAS.territories, peninsula: false, canarias: true },
    id: 1,
    ...STAMPS,
  }),
  arbitraryOffer: bug(t.arbitraryOffer(), (offer) => offer.supplyType === 'GAS' || offer.ssaaIncluded === null, {
    ...LUZ,
    ssaaIncluded: false,
    id: 1,
    ...STAMPS,
  }),
  arbitraryMonth: bug(t.arbitraryMonth(), (month) => month < '2025', '2025-01-01'),
  arbitraryElectricityMonth: bug(
    t.arbitraryElectricityMonth(),
    ({ powerEurPerKwDay }) => powerEurPerKwDay[3] === null,
    {
      supplyType: 'LUZ',
      month: '2023-01-01',
      energyEurPerKwh: NONE,
      powerEurPerKwDay: [null, null, null, 0, null, null],
    },
  ),
  arbitraryGasMonth: bug(t.arbitraryGasMonth(), ({ gasEnergyEurPerKwh }) => (gasEnergyEurPerKwh ?? 0) >= 0, {
    ...MONTH,
    ...NEGATIVE,
  }),
  arbitraryMonthlyPrice: bug(
    t.arbitraryMonthlyPrice('GAS'),
    (price) => price.supplyType === 'LUZ' || (price.gasEnergyEurPerKwh ?? 0) >= 0,
    {
      ...MONTH,
      ...NEGATIVE,
    },
  ),
  arbitraryHistory: bug(
    t.arbitraryHistory('GAS'),
    (months) => !months.some((price) => price.supplyType === 'GAS' && (price.gasEnergyEurPerKwh ?? 0) < 0),
    [{ ...MONTH, ...NEGATIVE }],
  ),
  withArbitraryHistory: bug(t.withArbitraryHistory(t.arbitraryGasOffer()), (entry) => !hasNegativeMonth(entry), {
    offer: { ...GAS, isIndexed: true, id: 1, ...STAMPS },
    months: [{ ...MONTH, ...NEGATIVE }],
  }),
  arbitraryOfferWithHistory: bug(t.arbitraryOfferWithHistory(), (entry) => !hasNegativeMonth(entry), {
    offer: { ...GAS, isIndexed: true, id: 1, ...STAMPS },
    months: [{ ...MONTH, ...NEGATIVE }],
  }),
  arbitraryOfferFilter: bug(t.arbitraryOfferFilter('LUZ'), ({ territory }) => territory === null, {
    supplyType: 'LUZ',
    ...PRESELECTION,
    territory: 'peninsula',
  }),
  arbitraryWeight: bug(t.arbitraryWeight(), (weight) => weight < 1, 1),
  arbitraryRequest: bug(t.arbitraryRequest('GAS'), ({ limit }) => limit > 1, {
    customer: { supplyType: 'GAS', consumptionKwh: 0 },
    period: { days: 365, months: 12 },
    fees: { energyEurPerMwh: 0, powerEurPerMwh: 0 },
    weight: 0,
    month: null,
    filter: { supplyType: 'GAS', ...PRESELECTION },
    limit: 1,
    seesCommissions: false,
    company: { ownCompanyId: null, companyName: null },
  }),
  arbitraryUniverse: bug(
    t.arbitraryUniverse({ supplyType: 'GAS', maxLength: 4 }),
    (entries) => entries.every(({ offer }) => offer.supplyType === 'LUZ' || offer.gasFixedEurPerMonth === null),
    [{ offer: { ...GAS, isActive: true, gasFixedEurPerMonth: 0, id: 1, ...STAMPS }, months: [] }],
  ),
  arbitrarySmallCustomer: bug(
    t.arbitrarySmallCustomer('GAS'),
    ({ consumptionKwh }) => typeof consumptionKwh !== 'number' || consumptionKwh < 300,
    { supplyType: 'GAS', consumptionKwh: 300 },
  ),
  arbitrarySmallUniverse: bug(
    t.arbitrarySmallUniverse('GAS'),
    (entries) => entries.every(({ offer }) => offer.commissionValue < 30),
    [{ offer: { ...SMALL, commissionValue: 30 }, months: [] }],
  ),
  arbitraryName: bug(t.arbitraryName(), (name) => name.length < 3, 'Iberdrola'),
  arbitraryBulkState: bug(
    t.arbitraryBulkState('own', { maxOffers: 3 }),
    ({ offers }) => !offers.some(({ offer }) => offer.supplyType === 'GAS' && offer.isActive),
    {
      firms: [{ ...FIRM, id: 1, ...STAMPS }],
      companies: [{ ...COMPANY, firmId: 1, id: 1, ...STAMPS }],
      offers: [{ offer: { ...GAS, isActive: true, id: 10, ...STAMPS }, months: [] }],
    },
  ),
};

test('the page and this file have every exported arbitrary', () => {
  const exported = Object.keys(testing).filter((name) => /[aA]rbitrary/.test(name));
  expect(Object.keys(BUGS).toSorted()).toEqual(exported.toSorted());
  const named = page.match(/(?<=`)\w*[aA]rbitrary\w+(?=`)/g);
  expect(named?.toSorted()).toEqual(exported.toSorted());
});

test.each(Object.entries(BUGS))(
  'a bug planted for %s shrinks to the same counterexample with 24 seeds',
  (_name, one) => {
    const noisy = SEEDS.filter((seed) => {
      const counterexample = one.counterexampleOf(seed);
      try {
        expect(counterexample).toEqual(one.expected);
        return false;
      } catch {
        return true;
      }
    });
    expect(noisy.length === 0 ? [] : [noisy.length, one.counterexampleOf(noisy[0] ?? 1)]).toEqual([]);
  },
);

/** Each step takes one of five offers away, or lessens one of their three numbers or the consumption, of up to 9. */
const MOST_SHRINKS = 144;
const ORDER_LAWS: Readonly<Record<string, (before: RankedOffer, after: RankedOffer) => boolean>> = {
  'by cost': (before, after) => before.cost.totalEur <= after.cost.totalEur,
  'by id': (before, after) => before.offer.id < after.offer.id,
  'with costs that are equal or far apart': (before, after) => {
    const apart = after.cost.totalEur - before.cost.totalEur;
    return apart === 0 || Math.abs(apart) > 4;
  },
};

test.each(Object.entries(ORDER_LAWS))(
  'a false law about an order, that results are %s, shrinks to few offers in at most 144 steps with 24 seeds',
  (_name, holds) => {
    const law = fc.property(t.arbitrarySmallUniverse('LUZ'), t.arbitrarySmallCustomer('LUZ'), (offers, customer) => {
      const { results } = rankOffers({ offers, customer, weight: 0.5 });
      return results.every((result, index) => index === 0 || holds(results[index - 1] ?? result, result));
    });
    for (const seed of SEEDS) {
      const { failed, numShrinks, counterexample } = fc.check(law, { seed, numRuns: 2000 });
      expect(failed).toBe(true);
      expect(numShrinks).toBeLessThanOrEqual(MOST_SHRINKS);
      expect(counterexample?.[0].length).toBeLessThanOrEqual(3);
    }
  },
);

test('an offer is printed with the fields that set it apart from a new one', () => {
  const law = fc.property(t.arbitrarySmallUniverse('GAS'), (entries) =>
    entries.every(({ offer }) => offer.commissionValue < 30),
  );
  const report = fc.check(law, { seed: 1 });
  expect(fc.stringify(report.counterexample?.[0][0]?.offer)).toBe(
    '{"supplyType":"GAS","companyId":1,"offerName":"Tarifa","tariffType":"RL.1","commissionValue":30,' +
      '"accepts":{"dni":true,"cif":false,"cdad":false},' +
      '"territories":{"peninsula":true,"canarias":false,"baleares":false,"ceuta_melilla":false},' +
      '"gasEnergyEurPerKwh":0,"gasFixedEurPerMonth":0,"id":1}',
  );
  const [electricity] = fc.sample(t.arbitraryElectricityOffer(), { seed: 1, numRuns: 1 });
  const { length } = JSON.stringify(electricity);
  expect(fc.stringify(electricity).length).toBeLessThan(length);
  expect(electricity).toStrictEqual({ ...electricity });
});
