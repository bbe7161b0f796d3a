import { monthFor, monthNumber } from '../calendar.ts';
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
import { ANY_COMPANY, type OfferFilter } from '../offers/offer-filter.ts';
import { type CustomerDefinition, calculationPeriod, defineCustomer, type Fees, NO_FEES } from './customer.ts';
import { type RankOptions, rankUniverses } from './rank.ts';
import { DEFAULT_LIMIT, DEFAULT_WEIGHT, type Ranking, type RankingRequest } from './ranking.ts';
import { compileUniverse, type Universe } from './universe.ts';

/** What is asked for one customer; all but the customer has a default. */
export interface RequestDefinition {
  readonly customer: CustomerDefinition;
  /** Default: a year of 365 days and 12 months. */
  readonly period?: { readonly days?: number | undefined; readonly months?: number | undefined } | undefined;
  /** EUR/MWh; default none. */
  readonly fees?: Partial<Fees> | undefined;
  /** 0 (commission only) to 1 (savings only), both included; default 0.5. */
  readonly weight?: number | undefined;
  /** Month whose prices indexed offers apply, `YYYY-MM` or any real day of it; default `null`, the mean of their history. */
  readonly month?: string | null | undefined;
  /** What offers must satisfy to take part; what is left out or `null` is no matter. */
  readonly filter?: FilterDefinition | undefined;
  /** Results shown, a whole number >= 1; default 50. */
  readonly limit?: number | undefined;
  /** `false` ranks by cost alone and shows no commission; default `true`. */
  readonly seesCommissions?: boolean | undefined;
}

type FilterDefinition = { readonly [Name in keyof Omit<OfferFilter, 'supplyType'>]?: OfferFilter[Name] | undefined };

/** What `rankOffers` takes. */
export interface RankOffersInput extends RequestDefinition {
  /**
   * Offers of `defineOffer`, or with their monthly prices, of `defineHistory`; in any order, each id once. Inactive ones
   * and those of the other supply are left out.
   */
  readonly offers: readonly (Offer | OfferWithHistory)[];
}

/**
 * Ranks plain objects for one customer, without server or database: the whole engine in one call. Who ranks the same
 * offers for many customers makes their universe once (`defineUniverse`) and asks it (`rankUniverses`).
 *
 * @throws RangeError when a weight, a period, a fee or a quantity is out of its range, a month, a territory, a
 *   community or a type of customer is none, the limit is no whole number >= 1, or two offers have one id.
 */
export function rankOffers({ offers, ...definition }: RankOffersInput, options: RankOptions = {}): Ranking {
  const request = defineRequest(definition);
  const universe = defineUniverse(request.customer.supplyType, offers);
  return rankUniverses([{ universe, admits: () => true }], request, options);
}

/**
 * The whole request behind a definition: what `rankUniverses`, and `rankPortfolio` for many customers, take.
 *
 * @throws RangeError as `rankOffers`; of the weight, the fees and the quantities only when it is ranked.
 */
export function defineRequest(definition: RequestDefinition): RankingRequest {
  const customer = defineCustomer(definition.customer);
  const limit = definition.limit ?? DEFAULT_LIMIT;
  assert(Number.isSafeInteger(limit) && limit >= 1, 'a limit is a whole number >= 1');
  return {
    customer,
    period: calculationPeriod(definition.period ?? {}),
    fees: { ...NO_FEES, ...definition.fees },
    weight: definition.weight ?? DEFAULT_WEIGHT,
    month: namedMonth(definition.month ?? null),
    filter: definedFilter(customer.supplyType, definition.filter ?? {}),
    company: ANY_COMPANY,
    limit,
    seesCommissions: definition.seesCommissions ?? true,
  };
}

function namedMonth(text: string | null): string | null {
  const month = text === null ? null : monthFor(text);
  assert(text === null || month !== null, `${text} is no month: YYYY-MM, or a day of it`);
  return month;
}

function definedFilter(supplyType: SupplyType, filter: FilterDefinition): OfferFilter {
  const { tariffType = null, territory = null, community = null, customerType = null } = filter;
  const { ssaaIncluded = null, hasSolarPanels = null } = filter;
  assertOneOf(TERRITORIES, territory, 'territory');
  assertOneOf(COMMUNITIES, community, 'community');
  assertOneOf(CUSTOMER_TYPES, customerType, 'customerType');
  return { supplyType, tariffType, territory, community, customerType, ssaaIncluded, hasSolarPanels };
}

/** Another text would match everybody or nobody, and no answer would tell. */
function assertOneOf(members: readonly string[], text: string | null, name: string): void {
  assert(text === null || members.includes(text), `${name} is null or one of: ${members.join(', ')}`);
}

/**
 * The offers of one supply, ready to be ranked for many customers. It keeps the numbers as they are now: an offer that
 * changes later needs another universe, or `patchUniverse`.
 *
 * @param offers - As `rankOffers` takes them.
 * @throws RangeError when an id is no whole number >= 1, two offers have one id, an offer has a month twice, or one of
 *   its figures is neither a finite number nor `null`.
 */
export function defineUniverse(supplyType: SupplyType, offers: readonly (Offer | OfferWithHistory)[]): Universe {
  const entries = offers
    .map((given) => ('offer' in given ? given : { offer: given, months: [] }))
    .filter(({ offer }) => offer.supplyType === supplyType)
    .map(({ offer, months }) => ({ offer, months: inOrder(offer.id, months) }))
    .sort((a, b) => a.offer.id - b.offer.id);
  const ids = new Set<number>();
  for (const { offer, months } of entries) {
    const isSound = [...figuresOf(offer), ...months.flatMap(pricesOf)].every(isFigure);
    assert(isSound, `offer ${offer.id} has a figure that is neither finite nor null: define it with defineOffer`);
    assert(Number.isSafeInteger(offer.id) && offer.id >= 1, `an id is a positive whole number, and not ${offer.id}`);
    assert(!ids.has(offer.id), `two offers have the id ${offer.id}`);
    ids.add(offer.id);
  }
  return compileUniverse(supplyType, entries);
}

/** What is computed with: one that is no number would be a cost that is none. */
function figuresOf(offer: Offer): readonly (number | null)[] {
  const tiers = offer.supplyType === 'LUZ' ? [...offer.consumptionTiers, ...offer.powerTiers] : offer.consumptionTiers;
  return [
    offer.commissionValue,
    offer.servicesEurPerMonth,
    offer.supplyType === 'LUZ' ? offer.surplusEurPerKwh : null,
    ...pricesOf(offer),
    ...tiers.flatMap(({ from, to, value }) => [from, to, value]),
  ];
}

function pricesOf(terms: Offer | MonthlyPrice): readonly (number | null)[] {
  return terms.supplyType === 'LUZ'
    ? [...terms.energyEurPerKwh, ...terms.powerEurPerKwDay]
    : [terms.gasEnergyEurPerKwh, terms.gasFixedEurPerMonth];
}

function isFigure(value: number | null): boolean {
  return value === null || Number.isFinite(value);
}

function inOrder(offerId: number, months: readonly MonthlyPrice[]): readonly MonthlyPrice[] {
  const names = new Set<string>();
  for (const { month } of months) {
    assert(monthFor(month) === month, `offer ${offerId}: ${month} is not the first day of a month`);
    assert(!names.has(month), `offer ${offerId} has the month ${month} twice`);
    names.add(month);
  }
  return months.toSorted((a, b) => monthNumber(a.month) - monthNumber(b.month));
}
