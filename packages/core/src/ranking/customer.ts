import { assert } from '../errors.ts';
import { roundHalfUp } from '../numbers.ts';
import { SUPPLY_TYPES } from '../offers/offer.ts';
import { PERIOD_COUNT, type PerPeriod, perPeriod } from '../periods.ts';

/** Maximum consumption or export of a period, included. */
export const MAX_KWH = 1e9;
/** Maximum contracted power, included. */
export const MAX_KW = 1e6;

/** Maximum fee, EUR/MWh, included. */
const MAX_FEE_EUR_PER_MWH = 100_000;

/** Consumption and surplus of a part of the calculation period, such as a month of a meter's curve. */
export interface ProfileEntry {
  /** 1 to 12: indexed offers apply its prices; `null`: their mean. */
  readonly month: number | null;
  /** Whole days, >= 1. */
  readonly days: number;
  /** kWh per period, P1 first; one figure for gas. */
  readonly consumptionKwh: readonly number[];
  /** kWh; 0 for gas. */
  readonly exportedKwh: number;
}

/** The maximum number of parts. */
export const MAX_PROFILE_ENTRIES = 36;

/** A supply point of electricity over the calculation period. */
export interface ElectricityCustomer {
  readonly supplyType: 'LUZ';
  /** kWh per period over the calculation period. */
  readonly consumptionKwh: PerPeriod<number>;
  /** Contracted kW per period. */
  readonly powerKw: PerPeriod<number>;
  /** kWh exported over the calculation period. */
  readonly exportedKwh: number;
  /** The same by parts of the period, of which it is the sum. */
  readonly profile?: readonly ProfileEntry[] | null;
}

/** A supply point of gas over the calculation period. */
export interface GasCustomer {
  readonly supplyType: 'GAS';
  /** kWh over the calculation period. */
  readonly consumptionKwh: number;
  /** The same by parts of the period, of which it is the sum. */
  readonly profile?: readonly ProfileEntry[] | null;
}

/** The customer, as far as prices and commissions depend on it. */
export type Customer = ElectricityCustomer | GasCustomer;

/**
 * A customer with optional fields: missing periods and surplus are 0. With a profile, consumption and surplus are the
 * sums of its entries, whatever other values are given.
 */
export type CustomerDefinition =
  | {
      readonly supplyType: 'LUZ';
      /** kWh over the calculation period, P1 first; up to six. */
      readonly consumptionKwh?: readonly number[];
      /** kW, P1 first; up to six. */
      readonly powerKw?: readonly number[];
      readonly exportedKwh?: number;
      readonly profile?: ProfileDefinition | null;
    }
  | {
      readonly supplyType: 'GAS';
      /** kWh over the calculation period; needed without a profile. */
      readonly consumptionKwh?: number;
      readonly profile?: ProfileDefinition | null;
    };

/** 1 to `MAX_PROFILE_ENTRIES` entries. */
export type ProfileDefinition = readonly (Pick<ProfileEntry, 'days' | 'consumptionKwh'> & Partial<ProfileEntry>)[];

/**
 * Completes the definition of a customer.
 *
 * @throws RangeError for more than six periods, for another supply than LUZ and GAS, and for a profile that is none.
 */
export function defineCustomer(definition: CustomerDefinition): Customer {
  const { supplyType } = definition;
  assert(SUPPLY_TYPES.includes(supplyType), 'a customer is supplied LUZ or GAS');
  const periods = supplyType === 'GAS' ? 1 : PERIOD_COUNT;
  const profile = definition.profile ? { profile: defineProfile(definition.profile, periods) } : null;
  const sums = profile && profileTotals(profile.profile);
  if (definition.supplyType === 'GAS') {
    const consumptionKwh = sums ? sums.consumptionKwh[0] : definition.consumptionKwh;
    assert(consumptionKwh !== undefined, 'a gas customer has a consumption or a profile');
    return { supplyType: 'GAS', consumptionKwh, ...profile };
  }
  const { powerKw = [] } = definition;
  const { consumptionKwh = [], exportedKwh = 0 } = sums ?? definition;
  assert(consumptionKwh.length <= PERIOD_COUNT && powerKw.length <= PERIOD_COUNT, 'there are six periods');
  const six = (values: readonly number[]) => perPeriod((period) => values[period] ?? 0);
  return { supplyType: 'LUZ', consumptionKwh: six(consumptionKwh), powerKw: six(powerKw), exportedKwh, ...profile };
}

function defineProfile(definition: ProfileDefinition, periods: number): readonly ProfileEntry[] {
  const { length } = definition;
  assert(length >= 1 && length <= MAX_PROFILE_ENTRIES, `a profile has 1 to ${MAX_PROFILE_ENTRIES} entries`);
  return definition.map(({ month = null, days, consumptionKwh, exportedKwh = 0 }) => {
    assert(month === null || isCount(month, YEAR.months), 'the month of an entry is 1 to 12');
    assert(isCount(days, Number.POSITIVE_INFINITY), 'the days of an entry are whole, and at least one');
    assert(consumptionKwh.length <= periods, `an entry has up to ${periods} periods`);
    for (const kwh of [...consumptionKwh, exportedKwh]) assert(isWithin(kwh, MAX_KWH), OF_CONSUMPTION);
    return { month, days, consumptionKwh, exportedKwh };
  });
}

/** The sums of the parts of a period. */
export function profileTotals(
  profile: readonly ProfileEntry[],
): Pick<ProfileEntry, 'days' | 'consumptionKwh' | 'exportedKwh'> {
  const sumOf = (pick: (entry: ProfileEntry) => number) => profile.reduce((sum, entry) => sum + pick(entry), 0);
  return {
    days: sumOf(({ days }) => days),
    consumptionKwh: perPeriod((period) => sumOf(({ consumptionKwh }) => consumptionKwh[period] ?? 0)),
    exportedKwh: sumOf(({ exportedKwh }) => exportedKwh),
  };
}

/** The calculation period: days count for power and for the annual base, months for what is paid monthly. */
export interface CalculationPeriod {
  readonly days: number;
  readonly months: number;
}

/** The period of a request that names none. */
export const YEAR: CalculationPeriod = { days: 365, months: 12 };

const MAX_DAYS = 1100;
const MAX_MONTHS = 36;

/** Converts days to months, rounded to hundredths. */
function monthsOf(days: number): number {
  return roundHalfUp((days * YEAR.months) / YEAR.days, 2);
}

/**
 * The calculation period of a request: a year when nothing is given, the other half derived when one is. 30 days are
 * 0.99 months; 1 month is 30 days.
 *
 * @param given - Whole days 1 to 1 100, whole months 1 to 36, both ends included. Together with days, months may also
 *   have the value that days give, 0.03 to 36.16, so that the period of an answer can be sent again.
 * @throws RangeError for other days or months.
 * @see docs/assumptions.md, A-05
 */
export function calculationPeriod({ days, months }: PeriodDefinition): CalculationPeriod {
  if (days !== undefined) {
    assert(isCount(days, MAX_DAYS), `a calculation period is 1 to ${MAX_DAYS} days, and they are whole`);
    const [fewest, most] = [monthsOf(1), monthsOf(MAX_DAYS)];
    const isGiven = months === undefined || (months >= fewest && months <= most);
    assert(isGiven, `beside days, a calculation period is ${fewest} to ${most} months`);
    return { days, months: months ?? monthsOf(days) };
  }
  if (months === undefined) return YEAR;
  const isWhole = isCount(months, MAX_MONTHS);
  assert(isWhole, `a calculation period is 1 to ${MAX_MONTHS} months, and without days they are whole`);
  return { days: Math.floor((months * YEAR.days) / YEAR.months + 0.5), months };
}

interface PeriodDefinition {
  readonly days?: number | undefined;
  readonly months?: number | undefined;
}

/** A whole number from 1. */
function isCount(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most;
}

/**
 * The calculation period of a customer: with a profile, the days of its entries.
 *
 * @throws RangeError as `calculationPeriod`, and where another period is given beside a profile.
 */
export function periodOf({ profile }: Pick<Customer, 'profile'>, definition: PeriodDefinition): CalculationPeriod {
  if (!profile) return calculationPeriod(definition);
  const period = calculationPeriod({ days: profileTotals(profile).days });
  const isSame =
    (definition.days ?? period.days) === period.days && (definition.months ?? period.months) === period.months;
  assert(isSame, 'the period of a profile is that of its entries');
  return period;
}

/** Margins agreed in the contract, EUR/MWh, 0 to 100 000; 0 when there is none. */
export interface Fees {
  readonly energyEurPerMwh: number;
  readonly powerEurPerMwh: number;
}

/** The default without fees. */
export const NO_FEES: Fees = { energyEurPerMwh: 0, powerEurPerMwh: 0 };

/** A customer with period and fees, computed once per request: everything needed to price an offer. */
export interface Demand {
  readonly customer: Customer;
  readonly period: CalculationPeriod;
  /** The parts of the period: the profile, or the whole period as one. */
  readonly parts: readonly ProfileEntry[];
  /** MWh per year, rounded to 6 decimals: what consumption tiers are matched on. */
  readonly annualMwh: number;
  /** Highest contracted power, kW, rounded to 6 decimals; `null` when none is contracted. */
  readonly highestPowerKw: number | null;
  /** What the fees add to the customer's cost over the period, EUR. */
  readonly energyFeeEur: number;
  readonly powerFeeEur: number;
  /** What the fees add to the commission per contract-year, EUR. */
  readonly energyFeeEurPerYear: number;
  readonly powerFeeEurPerYear: number;
}

// Messages are constants, because building one for each quantity would take longer than the check.
const OF_CONSUMPTION = `a consumption is 0 to ${MAX_KWH} kWh`;
const OF_POWER = `a contracted power is 0 to ${MAX_KW} kW`;
const OF_FEE = `a fee is 0 to ${MAX_FEE_EUR_PER_MWH} EUR/MWh`;

/** `false` for text, which would compare as a number but add as text. */
function isWithin(quantity: number, max: number): boolean {
  return Number.isFinite(quantity) && quantity >= 0 && quantity <= max;
}

/**
 * Prepares a customer for pricing.
 *
 * @throws RangeError when a quantity is not 0 to `MAX_KWH` or `MAX_KW`, a fee not 0 to 100 000, or the
 *   period is not positive and finite: a bug in the caller.
 * @see docs/assumptions.md, A-06 and A-09
 */
export function demandOf(customer: Customer, period: CalculationPeriod, fees: Fees = NO_FEES): Demand {
  const electric = customer.supplyType === 'LUZ' ? customer : null;
  const consumed = customer.supplyType === 'LUZ' ? customer.consumptionKwh : [customer.consumptionKwh];
  const { powerKw: contracted, exportedKwh } = electric ?? { powerKw: [], exportedKwh: 0 };
  for (const kwh of [...consumed, exportedKwh]) assert(isWithin(kwh, MAX_KWH), OF_CONSUMPTION);
  for (const kw of contracted) assert(isWithin(kw, MAX_KW), OF_POWER);
  for (const fee of [fees.energyEurPerMwh, fees.powerEurPerMwh]) assert(isWithin(fee, MAX_FEE_EUR_PER_MWH), OF_FEE);
  const { days, months } = period;
  const isTime = days > 0 && months > 0 && Number.isFinite(days) && Number.isFinite(months);
  assert(isTime, 'a calculation period is positive and finite');
  const periodMwh = consumed.reduce((sum, kwh) => sum + kwh, 0) / 1000;
  const annualMwh = roundHalfUp((periodMwh * YEAR.days) / days, 6);
  const highestKw = Math.max(0, ...contracted);
  const powerFee = electric ? fees.powerEurPerMwh : 0;
  return {
    customer,
    period,
    parts: customer.profile ?? [{ month: null, days, consumptionKwh: consumed, exportedKwh }],
    annualMwh,
    highestPowerKw: highestKw > 0 ? roundHalfUp(highestKw, 6) : null,
    energyFeeEur: fees.energyEurPerMwh * periodMwh,
    powerFeeEur: powerFee * periodMwh,
    energyFeeEurPerYear: fees.energyEurPerMwh * annualMwh,
    powerFeeEurPerYear: powerFee * annualMwh,
  };
}
