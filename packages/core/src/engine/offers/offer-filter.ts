import { assert } from '../errors.ts';
import { foldName } from '../text.ts';
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

/** The conditions that an offer itself must satisfy to take part. `null`: no condition. */
export interface OfferFilter {
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
  };
}

/** A filter with optional conditions. */
export type FilterDefinition = {
  readonly [Name in keyof Omit<OfferFilter, 'supplyType'>]?: OfferFilter[Name] | undefined;
};

/**
 * Completes the definition of a filter.
 *
 * @throws RangeError for a territory, a community or a type of customer that does not exist.
 */
export function defineFilter(supplyType: SupplyType, definition: FilterDefinition): OfferFilter {
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
 * The definition of the filter on one offer. Tests check the columns of the ranking and the queries of the stores
 * against it.
 *
 * @see docs/assumptions.md, A-04, A-31, A-32
 */
export function matchesFilter(offer: Offer, filter: ListFilter): boolean {
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
  /** A company of the caller's own: a catalog company never matches (the ranking's `company_id`). */
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
