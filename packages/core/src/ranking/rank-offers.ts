import { missingContractPrices, type PresentContract } from '../advice/present-contract.ts';
import { byMonth, type Month, monthFor } from '../calendar.ts';
import { powerTiersOf } from '../commission/commission.ts';
import type { AnyTier } from '../commission/tier.ts';
import { assert } from '../errors.ts';
import {
  COMMUNITIES,
  CUSTOMER_TYPES,
  type MonthlyPrice,
  type Offer,
  type OfferWithHistory,
  type SupplyType,
  TERRITORIES,
} from '../offers/offer.ts';
import { ANY_COMPANY, matchesFilter, type OfferFilter } from '../offers/offer-filter.ts';
import { type CustomerDefinition, defineCustomer, type Fees, NO_FEES, periodOf } from './customer.ts';
import { finish, orderedRanking, priceList, questionOf, type RankOptions, rankUniverses } from './rank.ts';
import { DEFAULT_LIMIT, DEFAULT_WEIGHT, type Ranking, type RankingRequest } from './ranking.ts';
import { compileUniverse, type Universe } from './universe.ts';

/** A request for one customer; everything but the customer has a default. */
export interface RequestDefinition {
  readonly customer: CustomerDefinition;
  /** Default: a year of 365 days and 12 months, or the days of a profile. */
  readonly period?: { readonly days?: number | undefined; readonly months?: number | undefined } | undefined;
  /** EUR/MWh; default none. */
  readonly fees?: Partial<Fees> | undefined;
  /** 0 (commission only) to 1 (savings only), both included; default 0.5. */
  readonly weight?: number | undefined;
  /**
   * Month whose prices indexed offers apply, `YYYY-MM` or any real day of it; default `null`, the mean of their
   * history.
   */
  readonly month?: string | null | undefined;
  /** The filter on offers; conditions that are left out or `null` do not apply. */
  readonly filter?: FilterDefinition | undefined;
  /** Results shown, a whole number >= 1; default 50. */
  readonly limit?: number | undefined;
  /** `false` ranks by cost alone and shows no commission; default `true`. */
  readonly seesCommissions?: boolean | undefined;
  /** In place of a weight: EUR of the customer's annual cost for one EUR of commission, 0 to 100. */
  readonly tolerance?: number | null | undefined;
  /** The present contract of the customer: every result has its saving. */
  readonly contract?: PresentContract | null | undefined;
}

type FilterDefinition = { readonly [Name in keyof Omit<OfferFilter, 'supplyType'>]?: OfferFilter[Name] | undefined };

/** The arguments of `rankOffers`. */
export interface RankOffersInput extends RequestDefinition {
  /**
   * Offers of `defineOffer`, or, with their monthly prices, of `defineHistory`; in any order, each id once. Inactive
   * ones and those of the other supply are left out.
   */
  readonly offers: readonly (Offer | OfferWithHistory)[];
}

/**
 * Ranks plain objects for one customer, without server or database: the whole engine in one call. For a list that is
 * ranked once this is the fastest way; for many requests on one list, use `createMarket`.
 *
 * @throws RangeError when a weight, a period, a fee or a quantity is out of its range, a month, a territory, a
 *   community or a type of customer does not exist, the limit is no whole number >= 1, or two offers have one id.
 */
export function rankOffers({ offers, ...definition }: RankOffersInput): Ranking {
  const request = defineRequest(definition);
  const question = questionOf(request);
  return finish(orderedRanking(question, priceList(entriesOf(offers, request.filter), question)));
}

function* entriesOf(offers: RankOffersInput['offers'], filter: OfferFilter): Generator<OfferWithHistory> {
  const soundEntryOf = offerCheck(filter.supplyType);
  for (const definition of offers) {
    const entry = soundEntryOf(definition);
    if (entry?.offer.isActive && matchesFilter(entry.offer, filter)) yield entry;
  }
}

/** Offers prepared for many requests. */
export interface Market {
  /** The same result as `rankOffers`, but faster. @throws RangeError as `rankOffers`. */
  readonly rank: (question: RequestDefinition) => Ranking;
}

/**
 * Prepares offers for many questions: their numbers are stored, and a filter in WebAssembly leaves out at once most of
 * those that cannot matter, where the machine has it. It keeps the offers as they are now.
 *
 * @param offers - As `rankOffers` takes them, of both supplies.
 * @throws RangeError as `defineUniverse`.
 * @public
 */
export function createMarket(offers: readonly (Offer | OfferWithHistory)[], options: RankOptions = {}): Market {
  const universes = { LUZ: defineUniverse('LUZ', offers), GAS: defineUniverse('GAS', offers) };
  return {
    rank(question) {
      const request = defineRequest(question);
      const universe = universes[request.customer.supplyType];
      return rankUniverses([{ universe, admits: () => true }], request, options);
    },
  };
}

/**
 * Completes the definition of a request for `rankUniverses` and, for many customers, `rankPortfolio`.
 *
 * @throws RangeError as `rankOffers`, but for the weight, the fees and the quantities only when the request is ranked.
 */
export function defineRequest(definition: RequestDefinition): RankingRequest {
  const customer = defineCustomer(definition.customer);
  const limit = definition.limit ?? DEFAULT_LIMIT;
  assert(Number.isSafeInteger(limit) && limit >= 1, 'a limit is a whole number >= 1');
  const { tolerance = null, contract = null } = definition;
  if (contract && 'supplyType' in contract) {
    assert(contract.supplyType === customer.supplyType, 'a present contract is of the supply of the customer');
    const [missing] = missingContractPrices(contract, customer);
    assert(!missing, `contract.${missing?.path} ${missing?.message}`);
  }
  return {
    customer,
    period: periodOf(customer, definition.period ?? {}),
    fees: { ...NO_FEES, ...definition.fees },
    weight: definition.weight ?? DEFAULT_WEIGHT,
    month: namedMonth(definition.month ?? null),
    filter: definedFilter(customer.supplyType, definition.filter ?? {}),
    company: ANY_COMPANY,
    limit,
    seesCommissions: definition.seesCommissions ?? true,
    tolerance,
    contract,
  };
}

function namedMonth(text: string | null): string | null {
  const month = text === null ? null : monthFor(text);
  assert(text === null || month !== null, `${text} is no month: YYYY-MM, or a day of it`);
  return month;
}

function definedFilter(supplyType: SupplyType, definition: FilterDefinition): OfferFilter {
  const { tariffType = null, territory = null, community = null, customerType = null } = definition;
  const { ssaaIncluded = null, hasSolarPanels = null } = definition;
  const filter = { supplyType, tariffType, territory, community, customerType, ssaaIncluded, hasSolarPanels };
  // Any other text would silently match every offer or none.
  for (const [name, text, members] of [
    ['territory', territory, TERRITORIES],
    ['community', community, COMMUNITIES],
    ['customerType', customerType, CUSTOMER_TYPES],
  ] as const) {
    const isOne = text === null || members.some((member) => member === text);
    assert(isOne, `${name} is null or one of: ${members.join(', ')}`);
  }
  return filter;
}

/**
 * The offers of one supply, ready to be ranked for many customers. It keeps the numbers as they are now: an offer that
 * changes later needs another universe, or `patchUniverse`.
 *
 * @param offers - As `rankOffers` takes them.
 * @throws RangeError when an id is no whole number >= 1, two offers have one id, an offer has a month twice, or one of
 *   its figures is neither `null` nor a number that an offer can have.
 */
export function defineUniverse(supplyType: SupplyType, offers: readonly (Offer | OfferWithHistory)[]): Universe {
  return compileUniverse(
    supplyType,
    offers.map(offerCheck(supplyType)).filter((entry) => entry !== null),
  );
}

/**
 * Checks the offers of a list one by one: the ranked fields of each, with its months sorted; `null` for an offer of the
 * other supply.
 */
function offerCheck(supplyType: SupplyType): (given: Offer | OfferWithHistory) => OfferWithHistory | null {
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
