import { arbitraryProfile } from '@tarifario/testkit/core/arbitrary-requests';
import { holds } from '@tarifario/testkit/core/laws';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProfileEntry } from '../consumption/profile.ts';
import { NO_QUANTITIES, perPeriod } from '../periods.ts';
import { calculationPeriod, defineCustomer, demandOf, type ElectricityCustomer, periodOf, YEAR } from './customer.ts';

test('A-05: a request without a period is about a year', () => {
  expect(calculationPeriod({})).toEqual({ days: 365, months: 12 });
  expect(calculationPeriod({ days: undefined, months: undefined })).toEqual(YEAR);
});

test('A-05: months follow from days, in hundredths with a half up, for every number of days', () => {
  for (let days = 1; days <= 1100; days++) {
    // floor(days * 12 * 100 / 365 + 1/2), without a double on the way
    const hundredths = (2n * BigInt(days) * 1200n + 365n) / 730n;
    expect(calculationPeriod({ days }), `${days}`).toEqual({ days, months: Number(hundredths) / 100 });
  }
  expect(calculationPeriod({ days: 30 }).months).toBe(0.99);
  expect(calculationPeriod({ days: 365 }).months).toBe(12);
});

test('A-05: days follow from months, with a half up, for every number of months', () => {
  for (let months = 1; months <= 36; months++) {
    const days = Number((2n * BigInt(months) * 365n + 12n) / 24n);
    expect(calculationPeriod({ months }), `${months}`).toEqual({ days, months });
  }
  expect(calculationPeriod({ months: 1 }).days).toBe(30);
  expect(calculationPeriod({ months: 6 }).days).toBe(183);
});

test('A-05: days and months that are both given are both used', () => {
  expect(calculationPeriod({ days: 31, months: 1 })).toEqual({ days: 31, months: 1 });
  expect(calculationPeriod({ days: 1100, months: 1 })).toEqual({ days: 1100, months: 1 });
});

test('A-05: a period outside 1 to 1 100 days or 1 to 36 months is a bug of the caller', () => {
  for (const days of [0, -1, 0.5, 30.5, 1101, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => calculationPeriod({ days }), `${days} days`).toThrow('a calculation period is 1 to 1100 days');
    expect(() => calculationPeriod({ days, months: 1 }), `${days} days`).toThrow(RangeError);
  }
  for (const months of [0, -1, 0.5, 1.5, 37, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => calculationPeriod({ months }), `${months} months`).toThrow('a calculation period is 1 to 36 months');
  }
  for (const months of [0, 0.02, 36.17, Number.NaN]) {
    const calculate = () => calculationPeriod({ days: 30, months });
    expect(calculate, `${months} months`).toThrow('beside days, a calculation period is 0.03 to 36.16 months');
  }
});

test('A-05: the period of an answer, with the months of its days, can be sent as a request', () => {
  for (const days of [1, 30, 365, 1100]) {
    const period = calculationPeriod({ days });
    expect(calculationPeriod(period)).toEqual(period);
  }
  expect(calculationPeriod({ days: 1 }).months).toBe(0.03);
  expect(calculationPeriod({ days: 1100 }).months).toBe(36.16);
});

const ONE_AND_TWO = { consumptionKwh: [1, 2, 0, 0, 0, 0] };

const HOME: ElectricityCustomer = {
  supplyType: 'LUZ',
  consumptionKwh: [100, 50, 150, 0, 0, 0.5],
  powerKw: [4.6, 3.45, 0, 0, 0, 0],
  exportedKwh: 20,
};

test('periods after the last one given are 0, and one among them without a number is a bug of the caller', () => {
  const customer = (consumptionKwh: readonly unknown[], powerKw: readonly unknown[] = []) =>
    defineCustomer({ supplyType: 'LUZ', consumptionKwh: Object(consumptionKwh), powerKw: Object(powerKw) });
  expect(customer([1, 2])).toEqual({ supplyType: 'LUZ', ...ONE_AND_TWO, powerKw: NO_QUANTITIES, exportedKwh: 0 });
  for (const hole of [undefined, null, Number.NaN, '3']) {
    expect(() => demandOf(customer([1, hole, 3]), YEAR), `${hole} kWh`).toThrow('a consumption is 0 to');
    expect(() => demandOf(customer([1], [4.6, hole]), YEAR), `${hole} kW`).toThrow('a contracted power is 0 to');
  }
});

test.each([[3500], [null], ['3500'], [[1, 2, 3, 4, 5, 6, 7]]])(
  'quantities by period that are %j are a bug of the caller',
  (sent) => {
    const lists = 'consumptionKwh and powerKw are lists of at most six periods';
    for (const name of ['consumptionKwh', 'powerKw']) {
      expect(() => defineCustomer({ supplyType: 'LUZ', [name]: sent })).toThrow(lists);
    }
  },
);

test('A-06: tiers are matched on the consumption of a year, in millionths of a MWh', () => {
  expect(demandOf(HOME, { days: 30, months: 1 }).annualMwh).toBe(3.656083); // 0.3005 * 365 / 30 = 3.65608333...
  expect(demandOf(HOME, YEAR).annualMwh).toBe(0.3005);
  expect(demandOf(HOME, { days: 730, months: 24 }).annualMwh).toBe(0.15025);
  expect(demandOf({ supplyType: 'GAS', consumptionKwh: 12_345 }, YEAR).annualMwh).toBe(12.345);
});

test('A-15: the highest contracted power counts, in millionths of a kW; it is null when nothing is contracted', () => {
  expect(demandOf(HOME, YEAR).highestPowerKw).toBe(4.6);
  expect(demandOf({ ...HOME, powerKw: [0.5, 0.25, 0, 0, 0, 0] }, YEAR).highestPowerKw).toBe(0.5);
  const rising: ElectricityCustomer = { ...HOME, powerKw: [1, 2, 3, 4, 5, 15.0000004] };
  expect(demandOf(rising, YEAR).highestPowerKw).toBe(15);
  expect(demandOf({ ...HOME, powerKw: NO_QUANTITIES }, YEAR).highestPowerKw).toBeNull();
  expect(demandOf({ supplyType: 'GAS', consumptionKwh: 1 }, YEAR).highestPowerKw).toBeNull();
});

test('A-09: both fees are paid per MWh: of the period in the cost, of the year in the commission', () => {
  const demand = demandOf(HOME, { days: 30, months: 1 }, { energyEurPerMwh: 10, powerEurPerMwh: 4 });
  expect(demand).toMatchObject({
    energyFeeEur: 3.005,
    powerFeeEur: 1.202,
    energyFeeEurPerYear: 36.56083,
    powerFeeEurPerYear: 14.624332,
  });
});

test('A-09: gas has no power fee', () => {
  const gas = demandOf({ supplyType: 'GAS', consumptionKwh: 2000 }, YEAR, { energyEurPerMwh: 10, powerEurPerMwh: 4 });
  expect(gas).toMatchObject({ energyFeeEur: 20, powerFeeEur: 0, energyFeeEurPerYear: 20, powerFeeEurPerYear: 0 });
});

test('a quantity that is no number, or a period without time, is a bug of the caller', () => {
  for (const bad of [-1, -5e-324, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => demandOf({ ...HOME, consumptionKwh: [0, 0, 0, 0, 0, bad] }, YEAR), `${bad}`).toThrow(RangeError);
    expect(() => demandOf({ ...HOME, powerKw: [0, 0, 0, 0, 0, bad] }, YEAR), `${bad}`).toThrow(RangeError);
    expect(() => demandOf({ ...HOME, exportedKwh: bad }, YEAR), `${bad}`).toThrow(RangeError);
    expect(() => demandOf({ supplyType: 'GAS', consumptionKwh: bad }, YEAR), `${bad}`).toThrow(RangeError);
  }
  for (const period of [
    { days: 0, months: 1 },
    { days: 1, months: 0 },
    { days: -1, months: 1 },
    { days: 1, months: -1 },
    { days: Number.POSITIVE_INFINITY, months: 1 },
    { days: 1, months: Number.POSITIVE_INFINITY },
  ]) {
    expect(() => demandOf(HOME, period), JSON.stringify(period)).toThrow(RangeError);
  }
  expect(demandOf({ supplyType: 'GAS', consumptionKwh: 0 }, { days: 1, months: 0.03 }).annualMwh).toBe(0);
});

test('A-02: a quantity beyond its bound is a bug of the caller, and would end in an infinite cost', () => {
  const most: ElectricityCustomer = {
    ...HOME,
    consumptionKwh: [1e9, 1e9, 0, 0, 0, 0],
    powerKw: [1e6, 1e6, 0, 0, 0, 0],
  };
  expect(demandOf({ ...most, exportedKwh: 1e9 }, YEAR).annualMwh).toBe(2e6);
  expect(() => demandOf({ ...HOME, consumptionKwh: [0, 1e9 + 1, 0, 0, 0, 0] }, YEAR)).toThrow('0 to 1000000000 kWh');
  expect(() => demandOf({ ...HOME, exportedKwh: 1e9 + 1 }, YEAR)).toThrow('0 to 1000000000 kWh');
  expect(() => demandOf({ ...HOME, powerKw: [0, 1e6 + 1, 0, 0, 0, 0] }, YEAR)).toThrow('0 to 1000000 kW');
  expect(() => demandOf({ supplyType: 'GAS', consumptionKwh: 1e9 + 1 }, YEAR)).toThrow('0 to 1000000000 kWh');
});

test('A-09: a fee that is negative, above 100000 EUR/MWh or no number is a bug of the caller', () => {
  for (const bad of [-1, 100_001, Number.NaN, Number.POSITIVE_INFINITY]) {
    for (const name of ['energyEurPerMwh', 'powerEurPerMwh']) {
      const fees = { energyEurPerMwh: 100_000, powerEurPerMwh: 100_000, [name]: bad };
      expect(() => demandOf(HOME, YEAR, fees), `${name} ${bad}`).toThrow('a fee is 0 to 100000 EUR/MWh');
    }
  }
});

test('A-115: balancing services below 0, above 200 EUR/MWh or no number are a bug of the caller, and cost by the MWh', () => {
  const ssaaOf = (ssaaEurPerMwh: number) =>
    demandOf(HOME, YEAR, { energyEurPerMwh: 0, powerEurPerMwh: 0, ssaaEurPerMwh });
  for (const bad of [-1, 200.1, Number.NaN])
    expect(() => ssaaOf(bad), `${bad}`).toThrow('balancing services are 0 to 200 EUR/MWh');
  const { ssaaEur, periodMwh } = ssaaOf(200);
  expect([ssaaEur, ssaaOf(0).ssaaEur]).toEqual([200 * periodMwh, 0]);
});

test('a customer of neither supply is a bug of the caller, because no offer would be ranked', () => {
  for (const wrong of [{ supplyType: 'luz' }, { supplyType: undefined }]) {
    const untyped: object = wrong;
    expect(() => defineCustomer({ supplyType: 'LUZ', ...untyped })).toThrow('a customer is supplied LUZ or GAS');
  }
});

test('a customer may have up to six periods of each kind, and no more', () => {
  expect(defineCustomer({ supplyType: 'LUZ', consumptionKwh: [100, 50], powerKw: [4.6] })).toEqual({
    supplyType: 'LUZ',
    consumptionKwh: [100, 50, 0, 0, 0, 0],
    powerKw: [4.6, 0, 0, 0, 0, 0],
    exportedKwh: 0,
  });
  const full = { supplyType: 'LUZ', consumptionKwh: [1, 2, 3, 4, 5, 6], powerKw: [6, 5, 4, 3, 2, 1], exportedKwh: 7 };
  expect(defineCustomer({ ...full, supplyType: 'LUZ' })).toEqual(full);
  const gas = { supplyType: 'GAS', consumptionKwh: 5 } as const;
  expect(defineCustomer(gas)).toEqual(gas);
  const seven = [1, 2, 3, 4, 5, 6, 7];
  expect(() => defineCustomer({ supplyType: 'LUZ', consumptionKwh: seven })).toThrow(RangeError);
  expect(() => defineCustomer({ supplyType: 'LUZ', powerKw: seven })).toThrow(RangeError);
});

const PART = { month: 12, days: 31, consumptionKwh: [1, 2, 3, 4, 5, 6], exportedKwh: 7 } as const;

test('A-81: a profile gives a customer with its sums, over the days of its entries', () => {
  holds(
    fc.property(arbitraryProfile('LUZ'), (profile) => {
      const customer = defineCustomer({
        supplyType: 'LUZ',
        consumptionKwh: [9],
        exportedKwh: 9,
        powerKw: [3],
        profile,
      });
      const sum = (pick: (entry: ProfileEntry) => number) => profile.reduce((total, entry) => total + pick(entry), 0);
      expect(customer).toEqual({
        supplyType: 'LUZ',
        consumptionKwh: perPeriod((i) => sum(({ consumptionKwh }) => consumptionKwh[i] ?? 0)),
        powerKw: [3, 0, 0, 0, 0, 0],
        exportedKwh: sum(({ exportedKwh }) => exportedKwh),
        profile,
      });
      const period = calculationPeriod({ days: sum(({ days }) => days) });
      const { days, months } = period;
      for (const definition of [{}, { days }, { months }, period])
        expect(periodOf(customer, definition)).toEqual(period);
      for (const other of [
        { days: days + 1 },
        { months: months + 1 },
        { days, months: months + 1 },
        { ...YEAR, months },
      ]) {
        if (other.days !== days || other.months !== months)
          expect(() => periodOf(customer, other)).toThrow(OTHER_PERIOD);
      }
      expect(periodOf({ profile: null }, { days: 30 })).toEqual({ days: 30, months: 0.99 });
    }),
  );
  const gas = defineCustomer({
    supplyType: 'GAS',
    profile: [
      { days: 1, consumptionKwh: [5] },
      { days: 1, consumptionKwh: [] },
    ],
  });
  expect(gas).toMatchObject({ consumptionKwh: 5, profile: [{ month: null, exportedKwh: 0 }, {}] });
});

const OTHER_PERIOD = 'the period of a profile is that of its entries';

test.each([
  ['a profile has 1 to 36 entries', []],
  ['a profile has 1 to 36 entries', Array(37).fill(PART)],
  ...[0, 13, 1.5, Number.NaN].map((month) => ['the month of an entry is 1 to 12', [{ ...PART, month }]] as const),
  ...[0, -1, 1.5, Number.NaN].map((days) => ['the days of an entry are whole', [{ ...PART, days }]] as const),
  ['an entry has up to 6 periods', [{ ...PART, consumptionKwh: [1, 2, 3, 4, 5, 6, 7] }]],
  ['a consumption is 0 to', [{ ...PART, consumptionKwh: [0, -1] }]],
  ['a consumption is 0 to', [{ ...PART, exportedKwh: 1e9 + 1 }]],
] as const)('A-81: %s: another profile is a bug of the caller', (message, profile) => {
  expect(() => defineCustomer({ supplyType: 'LUZ', profile })).toThrow(message);
});

test('A-81: a profile of 36 entries is read; of gas an entry has one period, and one of both is needed', () => {
  const { profile } = defineCustomer({ supplyType: 'LUZ', profile: Array(36).fill({ ...PART, month: 1, days: 1 }) });
  expect(profile).toHaveLength(36);
  expect(() => defineCustomer({ supplyType: 'GAS', profile: [PART] })).toThrow('an entry has up to 1 periods');
  expect(() => defineCustomer({ supplyType: 'GAS' })).toThrow('a gas customer has a consumption or a profile');
});
