import {
  billTerms,
  type DemandEntry,
  DomainError,
  defineOffer,
  defineRequest,
  optimizePower,
  type PowerQuestion,
  type PresentContract,
  type RequestDefinition,
  rankOffers,
  reweigh,
} from '@tarifario/core';
import { holds } from '@tarifario/testkit/core/laws';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { perPeriod } from './periods.ts';

const offer = defineOffer({
  ...{ id: 1, offerName: 'A', supplyType: 'LUZ', tariffType: '2.0TD' },
  ...{ accepts: { dni: true }, territories: { peninsula: true } },
  ...{ energyEurPerKwh: [0.1, 0.1, 0.1], powerEurPerKwDay: [0.08, 0.01] },
});
const LUZ = { supplyType: 'LUZ', consumptionKwh: [1200, 900, 1400], powerKw: [4.6, 4.6] } as const;
const GAS = { supplyType: 'GAS', consumptionKwh: 5000 } as const;

function rank(question: Omit<RequestDefinition, 'customer'>, customer: RequestDefinition['customer'] = LUZ) {
  return rankOffers({ offers: [offer], customer, ...question });
}

const ENERGY = [0.1, 0.1, 0.1, null, null, null] as const;
const POWER = [0.08, 0.01, null, null, null, null] as const;
const CONTRACT = { supplyType: 'LUZ', energyEurPerKwh: ENERGY, powerEurPerKwDay: POWER } as const;
const withContract = (contract: PresentContract, customer: RequestDefinition['customer'] = LUZ) =>
  rank({ contract }, customer);

const ENTRY: DemandEntry = { month: null, days: 30, loadsKw: [[20], null, null, null, null, [20]] };
const QUESTION: PowerQuestion = {
  ...{ tariff: '3.0TD', day: '2026-11-20', measured: 'maxima' },
  powerKw: [40, 40, 40, 40, 40, 40],
  entries: [ENTRY],
};
const withEntry = (more: Partial<DemandEntry>) => optimizePower({ ...QUESTION, entries: [{ ...ENTRY, ...more }] });

const asked = (customer: RequestDefinition['customer']) => {
  const { customer: complete, period } = defineRequest({ customer });
  return { customer: complete, period, territory: 'peninsula', customerType: 'dni' } as const;
};
const bill = (more: object, customer: RequestDefinition['customer'] = LUZ) =>
  billTerms({ day: '2026-10-15', rental: 0, ...more }, asked(customer));

const DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

interface Bounded {
  /** Where the message says that it is. */
  readonly path: string;
  readonly min: number;
  readonly max: number;
  readonly isWhole?: true;
  readonly ask: (value: number) => unknown;
}

const FIGURES = [
  { id: 1, costEur: 500, commissionEur: 20 },
  { id: 2, costEur: 700, commissionEur: 60 },
];
const YEAR = { days: 365, months: 12 };

const RANGE_ERRORS: readonly Bounded[] = [
  { path: 'balancing services', min: 0, max: 200, ask: (ssaaEurPerMwh) => rank({ ssaaEurPerMwh }) },
  { path: 'contract.totalEur', min: 0, max: 1e9, ask: (totalEur) => withContract({ totalEur }) },
  { path: 'contract.billEur', min: 0, max: 1e9, ask: (billEur) => withContract({ billEur }) },
  {
    ...{ path: 'contract.energyEurPerKwh.2', min: -2, max: 2 },
    ask: (price) => withContract({ ...CONTRACT, energyEurPerKwh: [0.1, 0.1, price, null, null, null] }),
  },
  {
    ...{ path: 'contract.powerEurPerKwDay.0', min: 0, max: 1 },
    ask: (price) => withContract({ ...CONTRACT, powerEurPerKwDay: [price, 0.01, null, null, null, null] }),
  },
  {
    ...{ path: 'contract.surplusEurPerKwh', min: -2, max: 2 },
    ask: (surplusEurPerKwh) => withContract({ ...CONTRACT, surplusEurPerKwh }),
  },
  {
    ...{ path: 'contract.servicesEurPerMonth', min: 0, max: 100_000 },
    ask: (servicesEurPerMonth) => withContract({ ...CONTRACT, servicesEurPerMonth }),
  },
  {
    ...{ path: 'contract.servicesEurPerMonth', min: 0, max: 100_000 },
    ask: (servicesEurPerMonth) => withContract({ entry: { offer, months: [] }, servicesEurPerMonth }),
  },
  {
    ...{ path: 'contract.gasEnergyEurPerKwh', min: -2, max: 2 },
    ask: (gasEnergyEurPerKwh) => withContract({ supplyType: 'GAS', gasEnergyEurPerKwh, gasFixedEurPerMonth: 5 }, GAS),
  },
  {
    ...{ path: 'contract.gasFixedEurPerMonth', min: 0, max: 100_000 },
    ask: (gasFixedEurPerMonth) =>
      withContract({ supplyType: 'GAS', gasEnergyEurPerKwh: 0.1, gasFixedEurPerMonth }, GAS),
  },
  { path: 'a weight', min: 0, max: 1, ask: (weight) => reweigh(FIGURES, { weight }, YEAR) },
  { path: 'a tolerance', min: 0, max: 100, ask: (tolerance) => reweigh(FIGURES, { tolerance }, YEAR) },
];

const DOMAIN_ERRORS: readonly Bounded[] = [
  {
    ...{ path: 'power.powerKw.0', min: 0, max: 1e6 },
    ask: (kw) => optimizePower({ ...QUESTION, meterType: 4, powerKw: [kw, 1e6, 1e6, 1e6, 1e6, 1e6] }),
  },
  {
    ...{ path: 'power.pricesEurPerKwDay.0', min: 0, max: 1 },
    ask: (price) => optimizePower({ ...QUESTION, pricesEurPerKwDay: [price, 0.1, 0.1, 0.1, 0.1, 0.1] }),
  },
  {
    ...{ path: 'power.leastKw.0', min: 0, max: 1e6 },
    ask: (kw) => optimizePower({ ...QUESTION, leastKw: [kw, null, null, null, null, null] }),
  },
  { path: 'power.marginKw', min: 0, max: 1e6, ask: (marginKw) => optimizePower({ ...QUESTION, marginKw }) },
  {
    ...{ path: 'power.rightsKw', min: 0, max: 1e6 },
    // Below what the law asks for they are refused by that.
    ask: (kw) => optimizePower({ ...QUESTION, rightsKw: kw >= 0 && kw < 15.1 ? 15.1 : kw }),
  },
  {
    ...{ path: 'power.entries.0.loadsKw.0.1', min: 0, max: 1e6 },
    // Far above the power contracted today, one is taken for W.
    ask: (kw) =>
      optimizePower({
        ...{ ...QUESTION, meterType: 4, powerKw: [1e6, 1e6, 1e6, 1e6, 1e6, 1e6] },
        entries: [{ ...ENTRY, loadsKw: [[20, kw], null, null, null, null, [20]] }],
      }),
  },
  { path: 'power.entries.0.days', min: 1, max: 1100, isWhole: true, ask: (days) => withEntry({ days }) },
  {
    ...{ path: 'power.entries.0.month', min: 1, max: 12, isWhole: true },
    ask: (month) =>
      optimizePower({
        ...{ ...QUESTION, tariff: '2.0TD', powerKw: [4, 4, null, null, null, null] },
        entries: [{ month, days: DAYS_OF_MONTHS[month - 1] ?? 30, loadsKw: [[1], [1], null, null, null, null] }],
      }),
  },
  { path: 'bill.rental', min: 0, max: 1000, ask: (rental) => bill({ rental }) },
  ...(['otherTaxedEur', 'otherUntaxedEur'] as const).map((name) => ({
    ...{ path: `bill.other.${name}`, min: 0, max: 1e6 },
    ask: (eur: number) => bill({ other: { [name]: eur } }),
  })),
  ...(['electricityTaxPercent', 'indirectPercent', 'servicesPercent'] as const).map((name) => ({
    ...{ path: `bill.rates.${name}`, min: 0, max: 100 },
    ask: (percent: number) => bill({ rates: { [name]: percent } }),
  })),
  {
    ...{ path: 'bill.rates.socialBonusEurPerYear', min: 0, max: 1000 },
    ask: (socialBonusEurPerYear) => bill({ rates: { socialBonusEurPerYear } }),
  },
  {
    ...{ path: 'bill.rates.hydrocarbonEurPerKwh', min: 0, max: 10 },
    ask: (hydrocarbonEurPerKwh) => bill({ rates: { hydrocarbonEurPerKwh } }, GAS),
  },
];

/** The doubles beside a bound. */
function beside(value: number, sign: 1 | -1): number {
  const size = Math.max(Number.MIN_VALUE, Math.abs(value) * Number.EPSILON);
  return value + sign * size;
}

function insideOf({ min, max, isWhole }: Bounded) {
  const any = isWhole ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true });
  return fc.oneof(fc.constantFrom(min, max), any);
}

function outsideOf({ min, max, isWhole }: Bounded) {
  const nearest = [beside(min, -1), beside(max, 1), Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return fc.oneof(
    fc.constantFrom(...nearest, ...(isWhole ? [min - 1, min + 0.5, max - 0.5, max + 1] : [])),
    fc.double({ max: beside(min, -1), noNaN: true }),
    fc.double({ min: beside(max, 1), noNaN: true }),
  );
}

function expectBounds(bounded: Bounded, error: typeof RangeError | typeof DomainError): void {
  const { path, ask } = bounded;
  const inside = (value: number) => {
    ask(value);
  };
  const outside = (value: number) => {
    const act = () => ask(value);
    expect(act, `${path} ${value}`).toThrow(error as never);
    expect(act).toThrow(path);
  };
  holds(fc.property(insideOf(bounded), inside), 30);
  holds(fc.property(outsideOf(bounded), outside), 60);
}

describe('what an embedder asks', () => {
  test.each(RANGE_ERRORS)('with $path from $min to $max is answered, and with any other value refused', (bounded) => {
    expectBounds(bounded, RangeError);
  });

  test.each(DOMAIN_ERRORS)('with $path from $min to $max is answered, and with any other value refused', (bounded) => {
    expectBounds(bounded, DomainError);
  });

  test.each([0, 37])('about power with %i entries is refused by their number, with 1 and 36 answered', (count) => {
    const withEntries = (most: number) => () => optimizePower({ ...QUESTION, entries: new Array(most).fill(ENTRY) });
    expect(withEntries(count)).toThrow('power.entries must be a whole number of 1 to 36 entries');
    for (const right of [1, 36]) expect(withEntries(right)).not.toThrow();
  });

  test('with 0 and -0 for balancing services has the answer without them', () => {
    for (const ssaaEurPerMwh of [0, -0]) expect(rank({ ssaaEurPerMwh })).toEqual(rank({}));
  });

  test('with a null for the total of a contract is refused: it is no 0', () => {
    expect(() => withContract({ totalEur: null as never })).toThrow('contract.totalEur must be between 0 and 1');
    expect(() => withContract({ billEur: undefined as never })).toThrow('contract.billEur must be between 0 and 1');
  });

  test('with an offer as the contract that no definition made is refused, with months in any order priced the same', () => {
    const indexed = { ...offer, isIndexed: true };
    const months = Array.from({ length: 13 }, (_, index) => ({
      ...{ supplyType: 'LUZ' as const, month: new Date(Date.UTC(2025, index)).toISOString().slice(0, 10) },
      ...{ energyEurPerKwh: perPeriod(() => index / 100), powerEurPerKwDay: POWER },
    }));
    const costOf = (list: typeof months) => withContract({ entry: { offer: indexed, months: list } }).presentCost;
    expect(costOf(months.toReversed())).toEqual(costOf(months));
    expect(() => withContract({ entry: { offer: { ...offer, servicesEurPerMonth: Number.NaN }, months: [] } })).toThrow(
      RangeError,
    );
  });
});
