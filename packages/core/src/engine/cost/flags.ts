import { CUSTOMER_TYPES, type PartialOffer, TERRITORIES } from '../offers/offer.ts';
import type { OfferFilter } from '../offers/offer-filter.ts';
import { PERIOD_COUNT } from '../periods.ts';
import type { Demand } from './customer.ts';
import { isLimited, type LIMIT_FIELDS } from './limits.ts';

// One integer has most of what a ranking checks about an offer: which prices it has, for whom and where it is
// available.

/** Bits for the prices that an offer has, and for whether it has any prices to apply. */
export const ENERGY_BIT = 1;
export const POWER_BIT = 1 << PERIOD_COUNT;
export const FIXED_BIT = 1 << (2 * PERIOD_COUNT);
export const APPLIES_BIT = FIXED_BIT << 1;

/**
 * The further bits, in this order: active, territories, customer types, and for electricity its balancing services and
 * panels; then whether it is indexed, limited, discounted.
 */
export const ACTIVE_BIT = APPLIES_BIT << 1;
const TERRITORY = ACTIVE_BIT << 1;
const CUSTOMER = TERRITORY << TERRITORIES.length;
/** The bits of all territories, and of all types of customer. */
export const TERRITORY_BITS = TERRITORY * (2 ** TERRITORIES.length - 1);
export const CUSTOMER_BITS = CUSTOMER * (2 ** CUSTOMER_TYPES.length - 1);
export const INCLUDES_SSAA = CUSTOMER << CUSTOMER_TYPES.length;
export const SSAA_SEPARATE = INCLUDES_SSAA << 1;
export const SOLAR = INCLUDES_SSAA << 2;
const NOT_SOLAR = INCLUDES_SSAA << 3;
export const INDEXED = INCLUDES_SSAA << 4;
/** Whether it has a limit or days, and a discount: most have none, and none is looked for. */
export const LIMITED = INCLUDES_SSAA << 5;
export const DISCOUNTED = INCLUDES_SSAA << 6;

/** The fields of an offer that are encoded as flags. */
export type FlagTerms = PartialOffer<
  | 'isActive'
  | 'isIndexed'
  | 'territories'
  | 'accepts'
  | 'ssaaIncluded'
  | 'hasSolarPanels'
  | 'discountMonths'
  | (typeof LIMIT_FIELDS)[number]
>;

/**
 * The flags of an offer, without its prices. They are written out, because reading names from a list takes fourteen
 * times as long.
 */
export function flagsOf(offer: FlagTerms): number {
  const { isActive, isIndexed, territories, accepts } = offer;
  const { ssaaIncluded, hasSolarPanels } = offer.supplyType === 'LUZ' ? offer : NOT_ELECTRIC;
  return (
    (isActive ? ACTIVE_BIT : 0) |
    (territories.peninsula ? TERRITORY : 0) |
    (territories.canarias ? TERRITORY << 1 : 0) |
    (territories.baleares ? TERRITORY << 2 : 0) |
    (territories.ceuta_melilla ? TERRITORY << 3 : 0) |
    (accepts.dni ? CUSTOMER : 0) |
    (accepts.cif ? CUSTOMER << 1 : 0) |
    (accepts.cdad ? CUSTOMER << 2 : 0) |
    (ssaaIncluded === true ? INCLUDES_SSAA : 0) |
    (ssaaIncluded === false ? SSAA_SEPARATE : 0) |
    (hasSolarPanels ? SOLAR : NOT_SOLAR) |
    (isIndexed ? INDEXED : 0) |
    (isLimited(offer) ? LIMITED : 0) |
    (offer.discountMonths === null ? 0 : DISCOUNTED)
  );
}

const NOT_ELECTRIC = { ssaaIncluded: null, hasSolarPanels: false };

/** The bits of an active offer that passes a filter; tariff, community and company are checked separately. */
export function filterBits({ territory, customerType, ssaaIncluded, hasSolarPanels }: OfferFilter): number {
  let bits = ACTIVE_BIT;
  if (territory !== null) bits |= TERRITORY << TERRITORIES.indexOf(territory);
  if (customerType !== null) bits |= CUSTOMER << CUSTOMER_TYPES.indexOf(customerType);
  if (ssaaIncluded !== null) bits |= ssaaIncluded ? INCLUDES_SSAA : SSAA_SEPARATE;
  if (hasSolarPanels !== null) bits |= hasSolarPanels ? SOLAR : NOT_SOLAR;
  return bits;
}

/**
 * The bits without which an offer is not ranked for this customer: prices to apply, and a price for every period with
 * consumption or contracted power; for gas always both prices.
 *
 * @see docs/assumptions.md, A-10
 */
export function neededPrices({ customer }: Demand): number {
  if (customer.supplyType === 'GAS') return ENERGY_BIT | FIXED_BIT;
  const bits = (quantities: readonly number[], first: number) =>
    quantities.reduce((sum, quantity, period) => (quantity > 0 ? sum | (first << period) : sum), 0);
  return APPLIES_BIT | bits(customer.consumptionKwh, ENERGY_BIT) | bits(customer.powerKw, POWER_BIT);
}
