import type { PartialOffer } from '../offers/offer-columns.ts';
import type { CalculationPeriod } from './customer.ts';

/** The fields of an offer that determine its discount. */
type DiscountTerms = PartialOffer<'energyDiscountPercent' | 'powerDiscountPercent' | 'discountMonths'>;

/** What a discount leaves of prices, as factors from 0 to 1. */
interface DiscountFactors {
  /** Of prices of energy, by part of the period. */
  readonly energy: readonly number[];
  readonly power: number;
}

/**
 * What is left of the prices of an offer in a period that begins with its discount; `null`: it has none. The first parts use
 * up its months, in proportion of their days.
 *
 * @param demand - The parts have the days of the period.
 * @see docs/assumptions.md, A-127
 */
export function discountFactors(
  offer: DiscountTerms,
  { period, parts }: { readonly period: CalculationPeriod; readonly parts: readonly { readonly days: number }[] },
): DiscountFactors | null {
  if (offer.discountMonths === null) return null;
  const share = Math.min(1, offer.discountMonths / period.months);
  const energyShare = (offer.energyDiscountPercent ?? 0) / 100;
  const powerShare = (offer.supplyType === 'LUZ' ? (offer.powerDiscountPercent ?? 0) : 0) / 100;
  let daysLeft = share * period.days;
  const energy = parts.map(({ days }) => {
    const discountedDays = Math.min(daysLeft, days);
    daysLeft -= discountedDays;
    return 1 - energyShare * (discountedDays / days);
  });
  return { energy, power: 1 - powerShare * share };
}
