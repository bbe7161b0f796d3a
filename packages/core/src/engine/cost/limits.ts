// For whom and when an offer is: its limits and its days, as an offer has them and as the numbers of a row.
import { type Day, dayNumber } from '../calendar.ts';
import { roundHalfUp } from '../numbers.ts';
import type { Offer, PartialOffer } from '../offers/offer.ts';
import type { Demand } from './customer.ts';

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

/** Why an offer is not for a customer: its days, or the first of its limits that is broken. */
export type LimitExclusion =
  | { readonly code: 'fuera_de_vigencia'; readonly from: Day | null; readonly to: Day | null }
  | {
      readonly code: 'fuera_de_limites';
      readonly limit: 'minPowerKw' | 'maxPowerKw' | 'minAnnualKwh' | 'maxAnnualKwh';
      /** In the unit of the limit: kW, or kWh a year. */
      readonly bound: number;
    };

/** Why an offer is not ranked. The codes are wire values. */
export type Exclusion =
  | LimitExclusion
  | { readonly code: 'sin_historico' | 'sin_mes' }
  | {
      readonly code: 'sin_precio_energia' | 'sin_precio_potencia';
      /** The number of the first period concerned, 1 to 6. */
      readonly period: number;
    }
  | { readonly code: 'sin_precio_gas' };

/** An offer that passed the filter, and is not for the customer or cannot be priced. */
export interface ExcludedOffer {
  readonly offer: Offer;
  readonly exclusion: Exclusion;
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
