import { assert } from '../errors.ts';
import { foldName } from '../text.ts';
import { CONTRACT_FIELDS } from './contract-fields.ts';
import {
  COMMUNITIES,
  type Community,
  CUSTOMER_TYPES,
  type CustomerType,
  type Offer,
  type SupplyType,
  TERRITORIES,
  type Territory,
} from './offer.ts';

/** What a filter asks of a contract. Bounds are within. */
export interface TermsFilter {
  /** Months, included; `null`: any. */
  readonly maxPermanenceMonths: number | null;
  /** Months, included; `null`: any. */
  readonly minFixedPriceMonths: number | null;
  readonly isGreen: boolean | null;
}

/** The conditions that an offer itself must satisfy to take part. `null`: no condition. */
export interface OfferFilter extends TermsFilter {
  readonly supplyType: SupplyType;
  readonly tariffType: string | null;
  readonly territory: Territory | null;
  /** Offers without geographic restriction are included. */
  readonly community: Community | null;
  readonly customerType: CustomerType | null;
  /** `null` matches offers with and without; offers that do not say match neither `true` nor `false`. */
  readonly ssaaIncluded: boolean | null;
  readonly hasSolarPanels: boolean | null;
}

/** The same for a list, which may have offers of both supplies. */
export interface ListFilter extends Omit<OfferFilter, 'supplyType'> {
  readonly supplyType: SupplyType | null;
}

/** No restriction beyond the supply type. */
export function anyOffer<S extends SupplyType | null>(supplyType: S): ListFilter & { readonly supplyType: S } {
  return {
    supplyType,
    tariffType: null,
    territory: null,
    community: null,
    customerType: null,
    ssaaIncluded: null,
    hasSolarPanels: null,
    ...ANY_TERMS,
  };
}

/** No condition on the terms. */
const ANY_TERMS: TermsFilter = { maxPermanenceMonths: null, minFixedPriceMonths: null, isGreen: null };

/** The conditions, in the order in which a list without offers leaves them out to say why. */
export const FILTER_NAMES = /* @__PURE__ */ (Object.keys(anyOffer(null)) as (keyof ListFilter)[]).filter(
  (name) => name !== 'supplyType',
);

/** A filter with optional conditions. */
export type FilterDefinition = {
  readonly [Name in keyof Omit<OfferFilter, 'supplyType'>]?: OfferFilter[Name] | undefined;
};

/**
 * Completes the definition of a filter.
 *
 * @throws RangeError for a territory, a community or a type of customer that does not exist, or months that no offer can
 *   have.
 */
export function defineFilter(supplyType: SupplyType, definition: FilterDefinition): OfferFilter {
  const { tariffType = null, territory = null, community = null, customerType = null } = definition;
  const { ssaaIncluded = null, hasSolarPanels = null } = definition;
  const { maxPermanenceMonths = null, minFixedPriceMonths = null, isGreen = null } = definition;
  const terms = { maxPermanenceMonths, minFixedPriceMonths, isGreen };
  const filter = { supplyType, tariffType, territory, community, customerType, ssaaIncluded, hasSolarPanels, ...terms };
  // Any other text would silently match every offer or none.
  for (const [name, text, members] of [
    ['territory', territory, TERRITORIES],
    ['community', community, COMMUNITIES],
    ['customerType', customerType, CUSTOMER_TYPES],
  ] as const) {
    const isOne = text === null || members.some((member) => member === text);
    assert(isOne, `${name} is null or one of: ${members.join(', ')}`);
  }
  for (const [name, months, { min, max }] of [
    ['maxPermanenceMonths', maxPermanenceMonths, CONTRACT_FIELDS.permanenceMonths.bounds],
    ['minFixedPriceMonths', minFixedPriceMonths, CONTRACT_FIELDS.fixedPriceMonths.bounds],
  ] as const) {
    const isOne = months === null || (Number.isInteger(months) && months >= min && months <= max);
    assert(isOne, `${name} is null or a whole number of ${min} to ${max}`);
  }
  return filter;
}

/**
 * The definition of the filter on one offer. Tests check the columns of the ranking and the queries of the stores
 * against it.
 *
 * @see docs/assumptions.md, A-04, A-31, A-32 and A-126
 */
export function matchesFilter(offer: Offer, filter: ListFilter): boolean {
  return filterVerdict(offer, filter) === true;
}

/** Whether an offer passes; `null`: all that is known of it does, but it does not say a term that is asked for. */
export function filterVerdict(offer: Offer, filter: ListFilter): boolean | null {
  // Most questions ask for none, and the terms of thousands of offers are in no cache of the processor.
  return passesBesidesTerms(offer, filter) && (!asksForTerms(filter) || termsVerdict(offer, filter));
}

/** The terms that a filter asks for. */
export const FILTERED_TERMS = ['permanenceMonths', 'fixedPriceMonths', 'isGreen'] as const;

/** The part of `filterVerdict` that is about terms. */
export function termsVerdict(
  { permanenceMonths, fixedPriceMonths, isGreen }: Pick<Offer, (typeof FILTERED_TERMS)[number]>,
  { maxPermanenceMonths, minFixedPriceMonths, isGreen: isGreenAsked }: TermsFilter,
): boolean | null {
  const verdicts = [
    maxPermanenceMonths === null || (permanenceMonths === null ? null : permanenceMonths <= maxPermanenceMonths),
    minFixedPriceMonths === null || (fixedPriceMonths === null ? null : fixedPriceMonths >= minFixedPriceMonths),
    isGreenAsked === null || (isGreen === null ? null : isGreen === isGreenAsked),
  ];
  return verdicts.includes(false) ? false : verdicts.includes(null) ? null : true;
}

/** Whether a filter asks for a term. */
export function asksForTerms({ maxPermanenceMonths, minFixedPriceMonths, isGreen }: TermsFilter): boolean {
  return maxPermanenceMonths !== null || minFixedPriceMonths !== null || isGreen !== null;
}

function passesBesidesTerms(offer: Offer, filter: ListFilter): boolean {
  if (filter.supplyType !== null && offer.supplyType !== filter.supplyType) return false;
  const electric = offer.supplyType === 'LUZ' ? offer : null;
  return (
    (filter.tariffType === null || offer.tariffType === filter.tariffType) &&
    (filter.territory === null || offer.territories[filter.territory]) &&
    (filter.community === null || offer.communities.length === 0 || offer.communities.includes(filter.community)) &&
    (filter.customerType === null || offer.accepts[filter.customerType]) &&
    (filter.ssaaIncluded === null || electric?.ssaaIncluded === filter.ssaaIncluded) &&
    (filter.hasSolarPanels === null || (electric?.hasSolarPanels ?? false) === filter.hasSolarPanels)
  );
}

/** The conditions on the company of an offer. */
export interface CompanyFilter {
  /** The id of a company of the caller's own: a catalog company never matches (the ranking's `company_id`). */
  readonly ownCompanyId: number | null;
  /** Part of the name, compared as `foldName` does. */
  readonly companyName: string | null;
}

/** No restriction. */
export const ANY_COMPANY: CompanyFilter = { ownCompanyId: null, companyName: null };

/** The definition of the filter on one company. */
export function matchesCompany(
  company: { readonly id: number; readonly firmId: number | null; readonly name: string },
  filter: CompanyFilter,
): boolean {
  return (
    (filter.ownCompanyId === null || (company.id === filter.ownCompanyId && company.firmId !== null)) &&
    (filter.companyName === null || foldName(company.name).includes(foldName(filter.companyName)))
  );
}
