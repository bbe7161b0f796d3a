// A customer, its period and fees, and what is asked of offers for it.
import { MAX_DAYS, MAX_KW } from '../bounds.ts';
import type { Day } from '../calendar.ts';
import {
  checkKwh,
  defineProfile,
  type ProfileDefinition,
  type ProfileEntry,
  profileTotals,
} from '../consumption/profile.ts';
import { assert } from '../errors.ts';
import { isCount, isWithin, roundHalfUp } from '../numbers.ts';
import { SUPPLY_TYPES } from '../offers/offer.ts';
import { PERIOD_COUNT, type PerPeriod, perPeriod } from '../periods.ts';

//
/** Maximum fee, EUR/MWh, included. */
const MAX_FEE_EUR_PER_MWH = 100_000;

/** A supply point of electricity over the calculation period. */
export interface ElectricityCustomer {
  readonly supplyType: 'LUZ';
  /** kWh per period over the calculation period. */
  readonly consumptionKwh: PerPeriod<number>;
  /** Contracted kW per period. All 0: no power is known, and no cost has it. */
  readonly powerKw: PerPeriod<number>;
  //
  /** kWh exported over the calculation period. */
  readonly exportedKwh: number;
  //
  /** The same by parts of the period, of which it is the sum. */
  readonly profile?: readonly ProfileEntry[] | null;
}

/** A supply point of gas over the calculation period. */
export interface GasCustomer {
  readonly supplyType: 'GAS';
  /** kWh over the calculation period. */
  readonly consumptionKwh: number;
  //
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
      /** kW, P1 first; up to six. Without any no cost has power, and the ranking has the warning `sin_potencia`. */
      readonly powerKw?: readonly number[];
      /** kWh exported over the calculation period; default 0. */
      readonly exportedKwh?: number;
      readonly profile?: ProfileDefinition | null;
    }
  | {
      readonly supplyType: 'GAS';
      /** kWh over the calculation period; needed without a profile. */
      readonly consumptionKwh?: number;
      readonly profile?: ProfileDefinition | null;
    };

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
  const areLists = [consumptionKwh, powerKw].every((list) => Array.isArray(list) && list.length <= PERIOD_COUNT);
  assert(areLists, 'consumptionKwh and powerKw are lists of at most six periods');
  // One without a number among the others is no 0: `demandOf` refuses it.
  const six = (values: readonly number[]) =>
    perPeriod((period) => (period < values.length ? (values[period] ?? Number.NaN) : 0));
  return { supplyType: 'LUZ', consumptionKwh: six(consumptionKwh), powerKw: six(powerKw), exportedKwh, ...profile };
}

/** The calculation period: days count for power and for the annual base, months for what is paid monthly. */
export interface CalculationPeriod {
  /** Whole days. */
  readonly days: number;
  /** Months, to hundredths. */
  readonly months: number;
}

//
/** The period of a request that names none. */
export const YEAR: CalculationPeriod = { days: 365, months: 12 };

const MAX_MONTHS = 36;

/** Converts days to months, rounded to hundredths. */
function monthsOf(days: number): number {
  return roundHalfUp((days * YEAR.months) / YEAR.days, 2);
}

//
/**
 * The calculation period of a request: a year when nothing is given, the other half derived when one is. 30 days are
 * 0.99 months; 1 month is 30 days.
 *
 * @param given - Whole days 1 to 1 100, whole months 1 to 36, both ends included. Together with days, months may also
 *   have the value that days give, 0.03 to 36.16, so that the period of an answer can be sent again.
 * @throws RangeError for other days or months.
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
  assert(
    isCount(months, MAX_MONTHS),
    `a calculation period is 1 to ${MAX_MONTHS} months, and without days they are whole`,
  );
  return { days: Math.floor((months * YEAR.days) / YEAR.months + 0.5), months };
}

interface PeriodDefinition {
  readonly days?: number | undefined;
  readonly months?: number | undefined;
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

//
/** Margins agreed in the contract, EUR/MWh, 0 to 100 000; 0 when there is none. */
export interface Fees {
  /** EUR/MWh of energy. */
  readonly energyEurPerMwh: number;
  /** EUR/MWh, paid with the power. */
  readonly powerEurPerMwh: number;
}

/** What is added to the prices of an offer. */
export interface Charges extends Fees {
  /** Balancing services, for the offers that bill them apart, EUR/MWh, 0 to `MAX_SSAA_EUR_PER_MWH`; none if left out. */
  readonly ssaaEurPerMwh?: number;
}

//
/** Maximum price of balancing services, EUR/MWh, included. */
export const MAX_SSAA_EUR_PER_MWH = 200;

/** The default without fees. */
export const NO_FEES: Fees = { energyEurPerMwh: 0, powerEurPerMwh: 0 };

/** A customer with period and fees, computed once per request: everything needed to price an offer. */
export interface Demand {
  readonly customer: Customer;
  readonly period: CalculationPeriod;
  /** The parts of the period: the profile, or the whole period as one. */
  readonly parts: readonly ProfileEntry[];
  //
  /** MWh per year, rounded to 6 decimals: what consumption tiers are matched on. */
  readonly annualMwh: number;
  /** MWh of the period. */
  readonly periodMwh: number;
  /** Highest contracted power, kW, rounded to 6 decimals; `null` when none is contracted. */
  readonly highestPowerKw: number | null;
  /** What the fees add to the customer's cost over the period, EUR. */
  readonly energyFeeEur: number;
  /** The same of power, EUR. */
  readonly powerFeeEur: number;
  /** What balancing services cost over the period where an offer bills them apart, EUR. */
  readonly ssaaEur: number;
  /** What the fees add to the commission per contract-year, EUR. */
  readonly energyFeeEurPerYear: number;
  /** The same of power, EUR a year. */
  readonly powerFeeEurPerYear: number;
  //
  /** The day on which the customer signs; left out: not said. */
  readonly signingDay?: Day;
}

// Messages are constants, because building one for each quantity would take longer than the check.
const OF_POWER = `a contracted power is 0 to ${MAX_KW} kW`;
const OF_SSAA = `balancing services are 0 to ${MAX_SSAA_EUR_PER_MWH} EUR/MWh`;
const OF_FEE = `a fee is 0 to ${MAX_FEE_EUR_PER_MWH} EUR/MWh`;

//
/**
 * Prepares a customer for pricing.
 *
 * @throws RangeError when a quantity is not 0 to `MAX_KWH` or `MAX_KW`, a fee not 0 to 100 000, a charge not 0 to 200, or the
 *   period is not positive and finite: a bug in the caller.
 */
export function demandOf(customer: Customer, period: CalculationPeriod, fees: Charges = NO_FEES): Demand {
  const electric = customer.supplyType === 'LUZ' ? customer : null;
  const consumed = customer.supplyType === 'LUZ' ? customer.consumptionKwh : [customer.consumptionKwh];
  const { powerKw: contracted, exportedKwh } = electric ?? { powerKw: [], exportedKwh: 0 };
  checkKwh([...consumed, exportedKwh]);
  for (const kw of contracted) assert(isWithin(kw, MAX_KW), OF_POWER);
  for (const fee of [fees.energyEurPerMwh, fees.powerEurPerMwh]) assert(isWithin(fee, MAX_FEE_EUR_PER_MWH), OF_FEE);
  const { ssaaEurPerMwh = 0 } = fees;
  assert(isWithin(ssaaEurPerMwh, MAX_SSAA_EUR_PER_MWH), OF_SSAA);
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
    periodMwh,
    highestPowerKw: highestKw > 0 ? roundHalfUp(highestKw, 6) : null,
    energyFeeEur: fees.energyEurPerMwh * periodMwh,
    powerFeeEur: powerFee * periodMwh,
    ssaaEur: ssaaEurPerMwh * periodMwh,
    energyFeeEurPerYear: fees.energyEurPerMwh * annualMwh,
    powerFeeEurPerYear: powerFee * annualMwh,
  };
}

/**
 * An amount of a calculation period as those of a year and of a month: by its days, of which a year has 365, and twelve
 * months are a year.
 *
 * @param amountEur - With six decimals at most; below 0 too, as a saving may be.
 * @returns EUR, each rounded to cents from the same amount, a half away from zero: twelve months differ from the year by
 *   6 cents at most.
 */
export function byYearAndMonth(
  amountEur: number,
  { days }: Pick<CalculationPeriod, 'days'>,
): {
  /** EUR a year. */
  readonly yearEur: number;
  /** EUR a month. */
  readonly monthEur: number;
} {
  const millionths = Math.round(Math.abs(amountEur) * 1e6) * YEAR.days;
  const rounded = (divisor: number) => (Math.sign(amountEur) * Math.floor(millionths / (divisor * 1e4) + 0.5)) / 100;
  return { yearEur: rounded(days), monthEur: rounded(days * YEAR.months) };
}
