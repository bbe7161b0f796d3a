import type { Bounds } from '../bounds.ts';
import { byMonth, type Month, monthFor } from '../calendar.ts';
import type { AnyTier } from '../commission/tier.ts';
import { assert } from '../errors.ts';
import { inWords } from '../messages/message.ts';
import { PERIOD_COUNT } from '../periods.ts';
import { firstIssueOf } from './define-offer.ts';
import type { MonthlyPrice, Offer, OfferWithHistory, SupplyType } from './offer.ts';
import { OFFER_FIELDS } from './offer-fields.ts';

// What programs that embed the engine pass as offers, checked where `defineOffer` may not have made them.

/**
 * Checks the offers of a list one by one: the ranked fields of each, with its months sorted; `null` for an offer of the
 * other supply.
 */
export function offerCheck(supplyType: SupplyType): (given: Offer | OfferWithHistory) => OfferWithHistory | null {
  const ids = new Set<number>();
  const knownMonths = new Set<Month>();
  return (given) => {
    const { offer, months } = 'offer' in given ? given : { offer: given, months: [] };
    if (offer.supplyType !== supplyType) return null;
    // The message is made only for a failure, because a message for each offer would take longer than its cost.
    const problem = problemOf(offer, months) ?? (ids.has(offer.id) ? `two offers have the id ${offer.id}` : null);
    if (problem !== null) throw new RangeError(problem);
    ids.add(offer.id);
    return { offer, months: months.length === 0 ? months : inOrder(offer.id, months, knownMonths) };
  };
}

/** The first problem of an offer that would make its figures wrong, if any. */
function problemOf(offer: Offer, months: readonly MonthlyPrice[]): string | null {
  if (!Number.isSafeInteger(offer.id) || offer.id < 1) return `an id is a positive whole number, and not ${offer.id}`;
  if (isInBounds(offer) && months.every(isMonthInBounds)) return null;
  const issue = firstIssueOf(offer, months);
  const what = issue ? `${issue.path} ${inWords(issue.message)}` : 'define it with defineOffer';
  return `offer ${offer.id} has a figure or tiers that defineOffer refuses: ${what}`;
}

/**
 * Whether each number is one that `defineOffer` lets an offer have. The fields are named one by one, because looking them
 * up by their names in the table would take as long as pricing the offer.
 */
function isInBounds(offer: Offer): boolean {
  return (
    offer.commissionValue !== null &&
    isWithin(offer.commissionValue, OFFER_FIELDS.commissionValue.bounds) &&
    isWithin(offer.servicesEurPerMonth, OFFER_FIELDS.servicesEurPerMonth.bounds) &&
    isWithin(offer.minAnnualKwh, OFFER_FIELDS.minAnnualKwh.bounds) &&
    isWithin(offer.maxAnnualKwh, OFFER_FIELDS.maxAnnualKwh.bounds) &&
    isWithin(offer.permanenceMonths, OFFER_FIELDS.permanenceMonths.bounds) &&
    isWithin(offer.penaltyEur, OFFER_FIELDS.penaltyEur.bounds) &&
    isWithin(offer.penaltyPercent, OFFER_FIELDS.penaltyPercent.bounds) &&
    isWithin(offer.fixedPriceMonths, OFFER_FIELDS.fixedPriceMonths.bounds) &&
    isWithin(offer.energyDiscountPercent, OFFER_FIELDS.energyDiscountPercent.bounds) &&
    isWithin(offer.discountMonths, OFFER_FIELDS.discountMonths.bounds) &&
    areTiers(offer.consumptionTiers, OFFER_FIELDS.consumptionTiers.bounds) &&
    (offer.supplyType === 'LUZ'
      ? areAmounts(offer.energyEurPerKwh, OFFER_FIELDS.energyEurPerKwh.bounds) &&
        areAmounts(offer.powerEurPerKwDay, OFFER_FIELDS.powerEurPerKwDay.bounds) &&
        isWithin(offer.feePowerEurPerMwh, OFFER_FIELDS.feePowerEurPerMwh.bounds) &&
        isWithin(offer.surplusEurPerKwh, OFFER_FIELDS.surplusEurPerKwh.bounds) &&
        isWithin(offer.minPowerKw, OFFER_FIELDS.minPowerKw.bounds) &&
        isWithin(offer.maxPowerKw, OFFER_FIELDS.maxPowerKw.bounds) &&
        isWithin(offer.powerDiscountPercent, OFFER_FIELDS.powerDiscountPercent.bounds) &&
        isWithin(offer.indexFactor, OFFER_FIELDS.indexFactor.bounds) &&
        areTiers(offer.powerTiers, OFFER_FIELDS.powerTiers.bounds)
      : isWithin(offer.gasEnergyEurPerKwh, OFFER_FIELDS.gasEnergyEurPerKwh.bounds) &&
        isWithin(offer.gasFixedEurPerMonth, OFFER_FIELDS.gasFixedEurPerMonth.bounds))
  );
}

function isMonthInBounds(month: MonthlyPrice): boolean {
  return month.supplyType === 'LUZ'
    ? areAmounts(month.energyEurPerKwh, OFFER_FIELDS.energyEurPerKwh.monthlyBounds) &&
        areAmounts(month.powerEurPerKwDay, OFFER_FIELDS.powerEurPerKwDay.bounds)
    : isWithin(month.gasEnergyEurPerKwh, OFFER_FIELDS.gasEnergyEurPerKwh.monthlyBounds) &&
        isWithin(month.gasFixedEurPerMonth, OFFER_FIELDS.gasFixedEurPerMonth.bounds);
}

// Loops, which take a fraction of the time of `every` over so many short lists.
function areAmounts(values: readonly (number | null)[], { min, max }: Bounds): boolean {
  for (let period = 0; period < PERIOD_COUNT; period++) {
    const value = values[period];
    if (value !== null && !(typeof value === 'number' && value >= min && value <= max)) return false;
  }
  return true;
}

/** Ascending too, without overlap: the form in which they are matched. */
function areTiers(tiers: readonly AnyTier[], bounds: Bounds): boolean {
  let least = 0;
  for (const { from, to, value } of tiers) {
    const isPlaced = from >= least && from < Number.POSITIVE_INFINITY && (to === null || to > from);
    if (!isPlaced || value === null || !isWithin(value, bounds)) return false;
    least = to ?? Number.POSITIVE_INFINITY;
  }
  return true;
}

/** Text from a program in JavaScript compares as a number and adds as text. */
function isWithin(value: number | null, { min, max, isWhole }: Bounds): boolean {
  if (value === null) return true;
  return typeof value === 'number' && value >= min && value <= max && (!isWhole || Number.isInteger(value));
}

/** @param known - Texts that were found to be months, because offers share their months. */
function inOrder(offerId: number, months: readonly MonthlyPrice[], known: Set<Month>): readonly MonthlyPrice[] {
  for (const { month } of months) {
    if (known.has(month)) continue;
    assert(monthFor(month) === month, `offer ${offerId}: ${month} is not the first day of a month`);
    known.add(month);
  }
  // Always a copy, so that later changes do not affect a market.
  const isSorted = months.every(({ month }, place) => place === 0 || (months[place - 1]?.month ?? '') < month);
  if (isSorted) return months.slice();
  const sorted = months.toSorted(byMonth);
  sorted.forEach(({ month }, place) => {
    if (month === sorted[place - 1]?.month) throw new RangeError(`offer ${offerId} has the month ${month} twice`);
  });
  return sorted;
}
