import { assert } from '../errors.ts';
import { roundHalfUp } from '../numbers.ts';
import { PERIOD_COUNT, type PerPeriod, perPeriod } from '../periods.ts';

/** A supply point of electricity over the calculation period. */
export interface ElectricityCustomer {
  readonly supplyType: 'LUZ';
  /** kWh per period over the calculation period. */
  readonly consumptionKwh: PerPeriod<number>;
  /** Contracted kW per period. */
  readonly powerKw: PerPeriod<number>;
  /** kWh exported over the calculation period. */
  readonly exportedKwh: number;
}

export interface GasCustomer {
  readonly supplyType: 'GAS';
  /** kWh over the calculation period. */
  readonly consumptionKwh: number;
}

export type Customer = ElectricityCustomer | GasCustomer;

/** A customer with only what matters written down: periods left out, and surplus, are 0. */
export type CustomerDefinition =
  | {
      readonly supplyType: 'LUZ';
      /** kWh over the calculation period, P1 first; up to six. */
      readonly consumptionKwh?: readonly number[];
      /** kW, P1 first; up to six. */
      readonly powerKw?: readonly number[];
      readonly exportedKwh?: number;
    }
  | GasCustomer;

/**
 * The whole customer behind a definition.
 *
 * @throws RangeError for more than six periods.
 */
export function defineCustomer(definition: CustomerDefinition): Customer {
  if (definition.supplyType === 'GAS') return definition;
  const { consumptionKwh = [], powerKw = [], exportedKwh = 0 } = definition;
  assert(consumptionKwh.length <= PERIOD_COUNT && powerKw.length <= PERIOD_COUNT, 'there are six periods');
  return {
    supplyType: 'LUZ',
    consumptionKwh: perPeriod((period) => consumptionKwh[period] ?? 0),
    powerKw: perPeriod((period) => powerKw[period] ?? 0),
    exportedKwh,
  };
}

/** The calculation period: days count for power and for the annual base, months for what is paid monthly. */
export interface CalculationPeriod {
  readonly days: number;
  readonly months: number;
}

export const YEAR: CalculationPeriod = { days: 365, months: 12 };

/**
 * The calculation period of a request: a year when nothing is given, the other half derived when one is.
 * 30 days are 0.99 months; 1 month is 30 days.
 *
 * @param given - Days 1 to 1 100 and months 1 to 36, both ends included.
 * @see docs/assumptions.md, A-05
 */
export function calculationPeriod(given: {
  readonly days?: number | undefined;
  readonly months?: number | undefined;
}): CalculationPeriod {
  const { days, months } = given;
  if (days !== undefined) {
    return { days, months: months ?? roundHalfUp((days * YEAR.months) / YEAR.days, 2) };
  }
  if (months !== undefined) return { days: Math.floor((months * YEAR.days) / YEAR.months + 0.5), months };
  return YEAR;
}

/** Margins agreed in the contract, EUR/MWh; 0 when there is none. */
export interface Fees {
  readonly energyEurPerMwh: number;
  readonly powerEurPerMwh: number;
}

export const NO_FEES: Fees = { energyEurPerMwh: 0, powerEurPerMwh: 0 };

/** A customer, the period and the fees, worked out once per request: all that pricing one offer needs. */
export interface Demand {
  readonly customer: Customer;
  readonly period: CalculationPeriod;
  /** MWh over the calculation period. */
  readonly periodMwh: number;
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

/** The fee rule, said once: a margin per MWh, on the energy of the period or of the year. */
function feeEur(feeEurPerMwh: number, mwh: number): number {
  return feeEurPerMwh * mwh;
}

/**
 * Prepares a customer for pricing.
 *
 * @throws RangeError when a quantity is negative or not finite, or the period is not positive: a bug in the caller.
 * @see docs/assumptions.md, A-06 and A-09
 */
export function demandOf(customer: Customer, period: CalculationPeriod, fees: Fees = NO_FEES): Demand {
  const consumed = customer.supplyType === 'LUZ' ? customer.consumptionKwh : [customer.consumptionKwh];
  const contracted = customer.supplyType === 'LUZ' ? customer.powerKw : [];
  const exported = customer.supplyType === 'LUZ' ? customer.exportedKwh : 0;
  for (const quantity of [...consumed, ...contracted, exported]) {
    assert(Number.isFinite(quantity) && quantity >= 0, 'a consumption or a power is finite and >= 0');
  }
  assert(period.days > 0 && period.months > 0, 'a calculation period is positive');
  const periodKwh = consumed.reduce((sum, kwh) => sum + kwh, 0);
  const periodMwh = periodKwh / 1000;
  const annualMwh = roundHalfUp(((periodKwh / 1000) * YEAR.days) / period.days, 6);
  const highestKw = Math.max(0, ...contracted);
  const powerFee = customer.supplyType === 'LUZ' ? fees.powerEurPerMwh : 0;
  return {
    customer,
    period,
    periodMwh,
    annualMwh,
    highestPowerKw: highestKw > 0 ? roundHalfUp(highestKw, 6) : null,
    energyFeeEur: feeEur(fees.energyEurPerMwh, periodMwh),
    powerFeeEur: feeEur(powerFee, periodMwh),
    energyFeeEurPerYear: feeEur(fees.energyEurPerMwh, annualMwh),
    powerFeeEurPerYear: feeEur(powerFee, annualMwh),
  };
}
