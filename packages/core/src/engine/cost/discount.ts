import type { CalculationPeriod } from './customer.ts';

// What a discount leaves of prices, as factors from 0 to 1, in a period that begins with it.

/** The parts have the days of the period. */
interface DiscountedTime {
  readonly period: CalculationPeriod;
  readonly parts: readonly { readonly days: number }[];
}

/** Of the period, the share that has the discount. */
function discountedShare(discountMonths: number, { months }: CalculationPeriod): number {
  return Math.min(1, discountMonths / months);
}

/** Of the prices of energy in one part of the period. The first parts use up the months, in proportion of their days. */
export function energyFactor(
  energyShare: number,
  discountMonths: number,
  { period, parts }: DiscountedTime,
  part: number,
): number {
  let daysLeft = discountedShare(discountMonths, period) * period.days;
  let days = 0;
  let discountedDays = 0;
  for (let at = 0; at <= part; at++) {
    days = parts[at]?.days ?? 0;
    discountedDays = Math.min(daysLeft, days);
    daysLeft -= discountedDays;
  }
  return 1 - energyShare * (discountedDays / days);
}

/** Of the prices of power. */
export function powerFactor(powerShare: number, discountMonths: number, period: CalculationPeriod): number {
  return 1 - powerShare * discountedShare(discountMonths, period);
}
