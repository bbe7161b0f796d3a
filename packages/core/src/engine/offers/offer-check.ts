import { byMonth, type Month, monthFor } from '../calendar.ts';
import { powerTiersOf } from '../commission/commission.ts';
import type { AnyTier } from '../commission/tier.ts';
import { assert } from '../errors.ts';
import type { MonthlyPrice, Offer, OfferWithHistory, SupplyType } from './offer.ts';

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
  const isSound =
    isAmount(offer.commissionValue) &&
    isAmount(offer.servicesEurPerMonth) &&
    isAmount(offer.supplyType === 'LUZ' ? offer.surplusEurPerKwh : null) &&
    areTiers(offer.consumptionTiers) &&
    areTiers(powerTiersOf(offer)) &&
    arePrices(offer) &&
    months.every(arePrices);
  return isSound
    ? null
    : `offer ${offer.id} has a figure that is neither null nor within its bounds: define it with defineOffer`;
}

function arePrices(terms: Offer | MonthlyPrice): boolean {
  return terms.supplyType === 'LUZ'
    ? areAmounts(terms.energyEurPerKwh) && areAmounts(terms.powerEurPerKwDay)
    : isAmount(terms.gasEnergyEurPerKwh) && isAmount(terms.gasFixedEurPerMonth);
}

// Loops, which take a fraction of the time of `every` over so many short lists.
function areAmounts(values: readonly (number | null)[]): boolean {
  for (const value of values) if (!isAmount(value)) return false;
  return true;
}

function areTiers(tiers: readonly AnyTier[]): boolean {
  for (const { from, to, value } of tiers) if (!(isAmount(from) && isAmount(to) && isAmount(value))) return false;
  return true;
}

/** Far above the bounds of an offer; larger numbers could make a sum infinite. */
const MAX_AMOUNT_EUR = 1e9;

function isAmount(value: number | null): boolean {
  return value === null || Math.abs(value) <= MAX_AMOUNT_EUR;
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
