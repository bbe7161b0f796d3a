import type { Day } from '../calendar.ts';
import { roundHalfUp } from '../numbers.ts';
import type { PartialOffer } from '../offers/offer-columns.ts';
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

/** Those fields alone, so that the rest of the offer is not held. */
export function limitTermsOf(offer: LimitTerms): LimitTerms {
  const { minAnnualKwh, maxAnnualKwh, validFrom, validTo } = offer;
  const common = { minAnnualKwh, maxAnnualKwh, validFrom, validTo };
  if (offer.supplyType === 'GAS') return { supplyType: 'GAS', ...common };
  return { supplyType: 'LUZ', ...common, minPowerKw: offer.minPowerKw, maxPowerKw: offer.maxPowerKw };
}

/** What the limits of an offer are compared with. */
export interface LimitedQuantities extends Pick<Demand, 'annualMwh' | 'highestPowerKw'> {
  /** The day on which the customer signs; left out: not said, and offers of any day take part. */
  readonly signingDay?: Day;
}

/** Why an offer is not for a customer: its days, or the first of its limits that is broken. */
export type LimitExclusion =
  | { readonly code: 'fuera_de_vigencia'; readonly from: Day | null; readonly to: Day | null }
  | {
      readonly code: 'fuera_de_limites';
      readonly limit: 'minPowerKw' | 'maxPowerKw' | 'minAnnualKwh' | 'maxAnnualKwh';
      readonly bound: number;
    };

/**
 * Whether a customer is outside the days or the limits of an offer; `null`: within. Each bound is within, and a limit
 * that is `null` excludes nobody; so do limits of power where none is contracted.
 *
 * @see docs/assumptions.md, A-125
 */
export function limitExclusion(terms: LimitTerms, quantities: LimitedQuantities): LimitExclusion | null {
  const { validFrom: from, validTo: to } = terms;
  const { signingDay, highestPowerKw: kw } = quantities;
  const isOtherDay =
    signingDay !== undefined && ((from !== null && signingDay < from) || (to !== null && signingDay > to));
  if (isOtherDay) return { code: 'fuera_de_vigencia', from, to };
  const outside = (limit: (LimitExclusion & { code: 'fuera_de_limites' })['limit'], bound: number): LimitExclusion => {
    return { code: 'fuera_de_limites', limit, bound };
  };
  if (terms.supplyType === 'LUZ' && kw !== null) {
    const { minPowerKw, maxPowerKw } = terms;
    if (minPowerKw !== null && kw < minPowerKw) return outside('minPowerKw', minPowerKw);
    if (maxPowerKw !== null && kw > maxPowerKw) return outside('maxPowerKw', maxPowerKw);
  }
  const { minAnnualKwh, maxAnnualKwh } = terms;
  if (minAnnualKwh === null && maxAnnualKwh === null) return null;
  const kwh = annualKwh(quantities);
  if (minAnnualKwh !== null && kwh < minAnnualKwh) return outside('minAnnualKwh', minAnnualKwh);
  return maxAnnualKwh !== null && kwh > maxAnnualKwh ? outside('maxAnnualKwh', maxAnnualKwh) : null;
}

/** The annual kWh that limits are compared with: without the last bit by which a thousand times the MWh may be off. */
export function annualKwh({ annualMwh }: Pick<Demand, 'annualMwh'>): number {
  return roundHalfUp(annualMwh * 1000, 6);
}
