// For whom, where and when offers are: their conditions as bits, their limits and days, and the kinds that warnings count.
import { type Day, dayNumber } from '../calendar.ts';
import type { Followed } from '../consumption/hourly-prices.ts';
import { roundHalfUp } from '../numbers.ts';
import type { LimitExclusion } from '../offers/exclusion.ts';
import { CUSTOMER_TYPES, followedBy, type Offer, type PartialOffer, TERRITORIES } from '../offers/offer.ts';
import type { OfferFilter } from '../offers/offer-filter.ts';
import { isPenaltyTooHigh } from '../offers/penalty.ts';
import type { Demand } from './customer.ts';
import type { HistoryWindow } from './prices.ts';

// One integer has most of what a ranking checks about an offer: which prices it has, for whom and where it is
// available.

/**
 * The bits after those of prices, in this order: active, territories, customer types, and for electricity its balancing services and
 * panels; then whether it is indexed, limited, discounted.
 */
export const ACTIVE_BIT = 1 << 14;
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

/** The fields that say for whom and when an offer is. */
export const LIMIT_FIELDS = [
  'minPowerKw',
  'maxPowerKw',
  'minAnnualKwh',
  'maxAnnualKwh',
  'validFrom',
  'validTo',
] as const;
export type LimitTerms = PartialOffer<(typeof LIMIT_FIELDS)[number]>;

/** Whether an offer has a limit or days. */
export function isLimited(offer: LimitTerms): boolean {
  const electric = offer.supplyType === 'LUZ' ? offer : null;
  return (
    offer.minAnnualKwh !== null ||
    offer.maxAnnualKwh !== null ||
    offer.validFrom !== null ||
    offer.validTo !== null ||
    (electric !== null && (electric.minPowerKw !== null || electric.maxPowerKw !== null))
  );
}

/** Numbers of a row of limits, in the order of `LIMIT_FIELDS`: days since 1970; NaN where there is no bound. */
export const ROW_LIMITS = LIMIT_FIELDS.length;
const KWH_AT = 2;
const DAYS_AT = 4;

/** Writes the limits of an offer as numbers. */
export function putLimits(offer: LimitTerms, limits: Float64Array, at: number): void {
  const electric = offer.supplyType === 'LUZ' ? offer : NO_POWER;
  limits[at] = electric.minPowerKw ?? Number.NaN;
  limits[at + 1] = electric.maxPowerKw ?? Number.NaN;
  limits[at + KWH_AT] = offer.minAnnualKwh ?? Number.NaN;
  limits[at + KWH_AT + 1] = offer.maxAnnualKwh ?? Number.NaN;
  limits[at + DAYS_AT] = dayOf(offer.validFrom);
  limits[at + DAYS_AT + 1] = dayOf(offer.validTo);
}

const NO_POWER = { minPowerKw: null, maxPowerKw: null };

function dayOf(day: Day | null | undefined): number {
  return (day == null ? null : dayNumber(day)) ?? Number.NaN;
}

/** What the limits of an offer are compared with. */
export interface LimitedQuantities extends Pick<Demand, 'annualMwh' | 'highestPowerKw'> {
  /** The day on which the customer signs; left out: not said, and offers of any day take part. */
  readonly signingDay?: Day;
}

/** The same as numbers: kW, kWh and the day; NaN where it is not known. */
export function limitedNumbers({ highestPowerKw, annualMwh, signingDay }: LimitedQuantities): readonly number[] {
  return [highestPowerKw ?? Number.NaN, annualKwh({ annualMwh }), dayOf(signingDay)];
}

/**
 * The first bound of a row that a customer is outside of, as an index of `LIMIT_FIELDS`, the days before the limits; -1:
 * within all. Each bound is within. Comparisons with NaN are false: what is not there, or not known, excludes nobody.
 *
 * @see docs/assumptions.md, A-125
 */
export function brokenBound(limits: Float64Array, at: number, kw: number, kwh: number, day: number): number {
  if (day < (limits[at + DAYS_AT] as number)) return DAYS_AT;
  if (day > (limits[at + DAYS_AT + 1] as number)) return DAYS_AT + 1;
  if (kw < (limits[at] as number)) return 0;
  if (kw > (limits[at + 1] as number)) return 1;
  if (kwh < (limits[at + KWH_AT] as number)) return KWH_AT;
  return kwh > (limits[at + KWH_AT + 1] as number) ? KWH_AT + 1 : -1;
}

/** Whether a customer is outside the days or the limits of an offer; `null`: within. */
export function limitExclusion(terms: LimitTerms, quantities: LimitedQuantities): LimitExclusion | null {
  putLimits(terms, ONE_ROW, 0);
  const [kw = 0, kwh = 0, day = 0] = limitedNumbers(quantities);
  const broken = brokenBound(ONE_ROW, 0, kw, kwh, day);
  if (broken < 0) return null;
  const limit = LIMIT_FIELDS[broken];
  if (limit === 'validFrom' || limit === 'validTo' || limit === undefined) {
    return { code: 'fuera_de_vigencia', from: terms.validFrom, to: terms.validTo };
  }
  return { code: 'fuera_de_limites', limit, bound: ONE_ROW[broken] as number };
}

const ONE_ROW = /* @__PURE__ */ new Float64Array(ROW_LIMITS);

/** The annual kWh that limits are compared with: without the last bit by which a thousand times the MWh may be off. */
export function annualKwh({ annualMwh }: Pick<Demand, 'annualMwh'>): number {
  return roundHalfUp(annualMwh * 1000, 6);
}

/** What is true of every offer of a kind. */
export interface Kind extends Followed {
  /** Those of the bits of `flagsOf` that tell kinds apart. */
  readonly flags: number;
  readonly tariffType: string;
  /** The months of the mean of an indexed offer; `null`: not indexed, or without history. */
  readonly window: HistoryWindow | null;
  readonly hasPowerFee: boolean;
  readonly isPenaltyTooHigh: boolean;
}

const KIND_FLAGS = INCLUDES_SSAA | SOLAR | INDEXED | DISCOUNTED;

/** The number of the kind of an offer. */
export type KindSlotOf = (offer: Offer, flags: number, window: HistoryWindow | null) => number;

/** Numbers kinds in order of appearance. @param kinds - Those that are known; others are added. */
export function kindSlots(kinds: Kind[]): KindSlotOf {
  // By tariff, and then by a text of the window: a text of all for each offer would take as long as its prices.
  const byTariff = new Map<string, Map<string, { readonly kind: Kind; readonly slot: number }[]>>();
  const listOf = (tariffType: string, window: HistoryWindow | null) => {
    const byWindow = byTariff.get(tariffType) ?? new Map();
    byTariff.set(tariffType, byWindow);
    const name = window === null ? '' : `${window.fromMonth}${window.toMonth}${window.monthCount} ${window.counts}`;
    const list = byWindow.get(name) ?? [];
    byWindow.set(name, list);
    return list;
  };
  kinds.forEach((kind, slot) => {
    listOf(kind.tariffType, kind.window).push({ kind, slot });
  });
  return (offer, flags, window) => {
    const own = flags & KIND_FLAGS;
    const withFee = hasPowerFee(offer);
    const withPenalty = isPenaltyTooHigh(offer);
    const { index, surplusIndex } = followedBy(offer);
    const list = listOf(offer.tariffType, window);
    for (const { kind, slot } of list) {
      const isSame = kind.flags === own && kind.hasPowerFee === withFee && kind.isPenaltyTooHigh === withPenalty;
      if (isSame && kind.index === index && kind.surplusIndex === surplusIndex) return slot;
    }
    const { tariffType } = offer;
    const kind = {
      ...{ flags: own, tariffType, window, hasPowerFee: withFee, isPenaltyTooHigh: withPenalty },
      ...{ index, surplusIndex },
    };
    const slot = kinds.push(kind) - 1;
    list.push({ kind, slot });
    return slot;
  };
}

function hasPowerFee(offer: Offer): boolean {
  return offer.supplyType === 'LUZ' && (offer.feePowerEurPerMwh ?? 0) > 0;
}
