import { electricityOffer, gasOffer } from '@tarifario/testkit/core/simple-offers';
import { expect, test } from 'vitest';
import { commissionOf, priceOffer } from './cost.ts';
import { demandOf, type ElectricityCustomer, type GasCustomer, YEAR } from './customer.ts';
import { shownPartsOf } from './rule.ts';

const FEES = { energyEurPerMwh: 10, powerEurPerMwh: 4 };
const GAS: GasCustomer = { supplyType: 'GAS', consumptionKwh: 8000 };
const HOME: ElectricityCustomer = {
  supplyType: 'LUZ',
  consumptionKwh: [1000, 500, 250, 0, 0, 125],
  powerKw: [4, 2, 0, 0, 0, 1],
  exportedKwh: 1000,
};

const OFFER = electricityOffer({
  id: 1,
  energyEurPerKwh: [0.25, 0.125, 0.5, null, null, 1],
  powerEurPerKwDay: [0.125, 0.0625, null, null, null, 0.5],
  feePowerEurPerMwh: 999,
  servicesEurPerMonth: 2.5,
  hasSolarPanels: true,
  surplusEurPerKwh: 0.0625,
  commissionValue: 8,
  commissionType: 'per_mwh',
  powerTiers: [{ from: 0, to: null, value: 3, type: 'per_kw' }],
});

test('A-07, A-08, A-09: the cost of an electricity offer is energy, power, services and fees, less the surplus', () => {
  const pricing = priceOffer({ offer: OFFER, months: [] }, demandOf(HOME, { days: 100, months: 3 }, FEES), null);
  // energy 250 + 62.5 + 125 + 125 = 562.5, fee 10 * 1.875; power (0.5 + 0.125 + 0.5) * 100, fee 4 * 1.875
  expect(pricing).toMatchObject({
    priced: true,
    cost: {
      energyEur: 562.5 + 18.75,
      powerEur: 112.5 + 7.5,
      fixedEur: 0,
      surplusEur: -62.5,
      servicesEur: 7.5,
      totalEur: 646.25,
    },
    origin: null,
  });
});

test('A-07: the cost of a gas offer is energy, the fixed term and services', () => {
  const offer = gasOffer({ id: 1, gasEnergyEurPerKwh: 0.0625, gasFixedEurPerMonth: 4.5, servicesEurPerMonth: 1 });
  const pricing = priceOffer({ offer, months: [] }, demandOf(GAS, { days: 60, months: 2 }, FEES), null);
  expect(pricing).toMatchObject({
    priced: true,
    cost: { energyEur: 580, powerEur: 0, fixedEur: 9, surplusEur: 0, servicesEur: 2, totalEur: 591 },
  });
});

test('A-08: without panels, or without a price for it, surplus is worth nothing', () => {
  for (const fields of [{ hasSolarPanels: false }, { surplusEurPerKwh: null }]) {
    const offer = { ...OFFER, ...fields };
    const pricing = priceOffer({ offer, months: [] }, demandOf(HOME, YEAR), null);
    expect(pricing).toMatchObject({ priced: true, cost: { surplusEur: 0 } });
  }
});

test('A-10: the first period without a needed price is named, energy before power', () => {
  const exclusionOf = (offer: typeof OFFER) => priceOffer({ offer, months: [] }, demandOf(HOME, YEAR), null);
  expect(
    exclusionOf({ ...OFFER, energyEurPerKwh: [1, 1, null, 1, 1, null], powerEurPerKwDay: [null, 1, 1, 1, 1, 1] }),
  ).toEqual({
    priced: false,
    exclusion: { code: 'sin_precio_energia', period: 3 },
  });
  expect(exclusionOf({ ...OFFER, powerEurPerKwDay: [1, null, null, null, null, null] })).toEqual({
    priced: false,
    exclusion: { code: 'sin_precio_potencia', period: 2 },
  });
  expect(exclusionOf({ ...OFFER, powerEurPerKwDay: [1, 1, null, null, null, null] })).toEqual({
    priced: false,
    exclusion: { code: 'sin_precio_potencia', period: 6 },
  });
});

test('pricing an offer for the other supply is a bug of the caller', () => {
  expect(() => priceOffer({ offer: OFFER, months: [] }, demandOf(GAS, YEAR), null)).toThrow(RangeError);
  const gas = gasOffer({ id: 1, gasEnergyEurPerKwh: 1, gasFixedEurPerMonth: 1 });
  expect(() => priceOffer({ offer: gas, months: [] }, demandOf(HOME, YEAR), null)).toThrow(RangeError);
});

test('A-06, A-13: a commission is that of a year, on the annual consumption and the highest power, with the fees', () => {
  const demand = demandOf(HOME, { days: 73, months: 2 }, FEES); // 1.875 MWh in a fifth of a year: 9.375 a year
  expect(commissionOf(OFFER, demand)).toEqual({ energyEur: 75 + 93.75, powerEur: 12 + 37.5, totalEur: 218.25 });
});

test('A-13: without a power nothing is paid for it besides its fee, also where a tier begins at 0', () => {
  const offer = { ...OFFER, powerTiers: [{ from: 0, to: null, value: 3, type: 'fixed' }] } as const;
  const demand = demandOf({ ...HOME, powerKw: [0, 0, 0, 0, 0, 0] }, { days: 73, months: 2 }, FEES);
  expect(commissionOf(offer, demand)).toEqual({ energyEur: 75 + 93.75, powerEur: 37.5, totalEur: 206.25 });
});

test.each(['annualMwh', 'highestPowerKw'])(
  'A-14: a commission on a %s below 0 or not finite is a bug of the caller',
  (name) => {
    for (const bad of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const demand = { ...demandOf(HOME, YEAR), [name]: bad };
      expect(() => commissionOf(OFFER, demand), `${bad}`).toThrow('a tier is matched on a finite quantity >= 0');
    }
  },
);

test('people are shown charges before credits, with balancing services only where one of the costs has them', () => {
  const shown = shownPartsOf([{}, { ssaa: 0 }]);
  const signs = shown.map(({ sign }) => sign);
  expect(signs).toEqual(signs.toSorted((a, b) => b - a));
  const known: readonly string[] = ['energia', 'potencia', 'fijo', 'servicios', 'ssaa', 'excedentes'];
  expect(shown.map(({ wire }) => wire).filter((wire) => known.includes(wire))).toEqual(known);
  expect(shownPartsOf([{}])).toEqual(shown.filter(({ wire }) => wire !== 'ssaa'));
});
