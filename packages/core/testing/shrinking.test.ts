import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OfferWithHistory, type RankedOffer, rankOffers } from '@tarifario/core';
import * as testing from '@tarifario/core/testing';
import { runsOf } from '@tarifario/testkit/share';
import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';

/** The page says for what each arbitrary is; this file plants one bug for each. */
const page = readFileSync(join(import.meta.dirname, '../../../docs/arbitraries.md'), 'utf8');
const SEEDS = Array.from({ length: runsOf(6, 24) }, (_, index) => index + 1);

/** What a program that is wrong would say of a sound value; `false`: the bug shows. */
type PlantedBug = (seed: number) => unknown;

function bug<T>(arbitrary: Arbitrary<T>, law: (value: T) => boolean): PlantedBug {
  return (seed) => {
    const { counterexample } = fc.check(fc.property(arbitrary, law), { seed, numRuns: 2000 });
    expect(counterexample).not.toBeNull();
    return counterexample?.[0];
  };
}

const t = testing;
const hasNegativeMonth = ({ offer, months }: OfferWithHistory) =>
  offer.supplyType === 'GAS' &&
  months.some((month) => month.supplyType === 'GAS' && (month.gasEnergyEurPerKwh ?? 0) < 0);

const BUGS: Readonly<Record<string, PlantedBug>> = {
  arbitraryElectricityCustomer: bug(t.arbitraryElectricityCustomer(), ({ exportedKwh }) => exportedKwh < 10),
  arbitraryGasCustomer: bug(t.arbitraryGasCustomer(), ({ consumptionKwh }) => consumptionKwh < 10),
  arbitraryCustomer: bug(
    t.arbitraryCustomer('LUZ'),
    ({ consumptionKwh }) => typeof consumptionKwh === 'number' || consumptionKwh[2] < 100,
  ),
  arbitraryPeriod: bug(t.arbitraryPeriod(), ({ days, months }) => months !== 12 || days < 366),
  arbitraryFees: bug(t.arbitraryFees(), ({ powerEurPerMwh }) => powerEurPerMwh < 5),
  arbitraryFirmTerms: bug(t.arbitraryFirmTerms(), ({ catalogDefault }) => catalogDefault === 'all'),
  arbitraryFirm: bug(t.arbitraryFirm(), ({ isActive }) => !isActive),
  arbitraryCompany: bug(t.arbitraryCompany(), ({ firmId }) => firmId === null),
  arbitraryCompanyFilter: bug(t.arbitraryCompanyFilter(), ({ ownCompanyId }) => ownCompanyId === null),
  arbitraryConsumptionTiers: bug(t.arbitraryConsumptionTiers(), (tiers) => tiers.length < 3),
  arbitraryPowerTiers: bug(t.arbitraryPowerTiers(), (tiers) => tiers.every(({ type }) => type === 'fixed')),
  arbitraryElectricityTerms: bug(t.arbitraryElectricityTerms(), (terms) => terms.surplusEurPerKwh === null),
  arbitraryGasTerms: bug(t.arbitraryGasTerms(), ({ gasFixedEurPerMonth }) => gasFixedEurPerMonth === null),
  arbitraryOfferTerms: bug(t.arbitraryOfferTerms(), (terms) => terms.supplyType === 'LUZ' || !terms.isIndexed),
  arbitraryElectricityOffer: bug(t.arbitraryElectricityOffer(), ({ powerTiers }) => powerTiers.length === 0),
  arbitraryGasOffer: bug(t.arbitraryGasOffer(), ({ territories }) => !territories.canarias),
  arbitraryOffer: bug(t.arbitraryOffer(), (offer) => offer.supplyType === 'GAS' || offer.ssaaIncluded === null),
  arbitraryDay: bug(t.arbitraryDay(), (day) => day < '2025'),
  arbitraryMonth: bug(t.arbitraryMonth(), (month) => month < '2025'),
  arbitraryElectricityMonth: bug(t.arbitraryElectricityMonth(), (month) => month.powerEurPerKwDay[3] === null),
  arbitraryGasMonth: bug(t.arbitraryGasMonth(), ({ gasEnergyEurPerKwh }) => (gasEnergyEurPerKwh ?? 0) >= 0),
  arbitraryMonthlyPrice: bug(
    t.arbitraryMonthlyPrice('GAS'),
    (price) => price.supplyType === 'LUZ' || (price.gasEnergyEurPerKwh ?? 0) >= 0,
  ),
  arbitraryHistory: bug(
    t.arbitraryHistory('GAS'),
    (months) => !months.some((price) => price.supplyType === 'GAS' && (price.gasEnergyEurPerKwh ?? 0) < 0),
  ),
  withArbitraryHistory: bug(t.withArbitraryHistory(t.arbitraryGasOffer()), (entry) => !hasNegativeMonth(entry)),
  arbitraryOfferWithHistory: bug(t.arbitraryOfferWithHistory(), (entry) => !hasNegativeMonth(entry)),
  arbitraryOfferFilter: bug(t.arbitraryOfferFilter('LUZ'), ({ territory }) => territory === null),
  arbitraryWeight: bug(t.arbitraryWeight(), (weight) => weight < 1),
  arbitraryRequest: bug(t.arbitraryRequest('GAS'), ({ limit }) => limit > 1),
  arbitraryUniverse: bug(t.arbitraryUniverse({ supplyType: 'GAS', maxLength: 4 }), (entries) =>
    entries.every(({ offer }) => offer.supplyType === 'LUZ' || offer.gasFixedEurPerMonth === null),
  ),
  arbitrarySmallCustomer: bug(
    t.arbitrarySmallCustomer('GAS'),
    ({ consumptionKwh }) => typeof consumptionKwh !== 'number' || consumptionKwh < 300,
  ),
  arbitrarySmallUniverse: bug(t.arbitrarySmallUniverse('GAS'), (entries) =>
    entries.every(({ offer }) => offer.commissionValue < 30),
  ),
  arbitraryName: bug(t.arbitraryName(), (name) => name.length < 3),
  arbitraryBulkState: bug(
    t.arbitraryBulkState('own', { maxOffers: 3 }),
    ({ offers }) => !offers.some(({ offer }) => offer.supplyType === 'GAS' && offer.isActive),
  ),
};

test('the page and this file have every exported arbitrary', () => {
  const exported = Object.keys(testing).filter((name) => /[aA]rbitrary/.test(name));
  expect(Object.keys(BUGS).toSorted()).toEqual(exported.toSorted());
  const named = page.match(/(?<=`)\w*[aA]rbitrary\w+(?=`)/g);
  expect(named?.toSorted()).toEqual(exported.toSorted());
});

/** As long as the state of an account with one offer is printed. */
const MAX_CHARACTERS = 1200;

test.each(Object.entries(BUGS))(
  'a bug planted for %s shrinks to the same short counterexample whatever the seed',
  (_name, counterexampleOf) => {
    const [first, ...others] = SEEDS.map(counterexampleOf);
    expect(others).toEqual(others.map(() => first));
    expect(fc.stringify(first).length).toBeLessThanOrEqual(MAX_CHARACTERS);
  },
);

/** Each step takes one of five offers away, or lessens one of their three numbers or the consumption, of up to 9. */
const MAX_SHRINKS = 144;
const ORDER_LAWS: Readonly<Record<string, (before: RankedOffer, after: RankedOffer) => boolean>> = {
  'by cost': (before, after) => before.cost.totalEur <= after.cost.totalEur,
  'by id': (before, after) => before.offer.id < after.offer.id,
  'with costs that are equal or far apart': (before, after) => {
    const apart = after.cost.totalEur - before.cost.totalEur;
    return apart === 0 || Math.abs(apart) > 4;
  },
};

test.each(Object.entries(ORDER_LAWS))(
  'a false law about an order, that results are %s, shrinks to few offers in at most 144 steps whatever the seed',
  (_name, holds) => {
    const law = fc.property(t.arbitrarySmallUniverse('LUZ'), t.arbitrarySmallCustomer('LUZ'), (offers, customer) => {
      const { results } = rankOffers({ offers, customer, weight: 0.5 });
      return results.every((result, index) => index === 0 || holds(results[index - 1] ?? result, result));
    });
    for (const seed of SEEDS) {
      const { failed, numShrinks, counterexample } = fc.check(law, { seed, numRuns: 2000 });
      expect(failed).toBe(true);
      expect(numShrinks).toBeLessThanOrEqual(MAX_SHRINKS);
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
