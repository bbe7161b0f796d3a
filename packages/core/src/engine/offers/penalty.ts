import type { OfferTerms } from './offer.ts';

/** The most that leaving may cost a person, percent of the energy that is left (RD 88/2026, art. 28.3). */
const MAX_PENALTY_PERCENT = 5;

/** Whether the law forbids the penalty: of a 2.0TD offer for persons. */
export function isPenaltyTooHigh({
  tariffType,
  accepts,
  penaltyPercent,
}: Pick<OfferTerms, 'tariffType' | 'accepts' | 'penaltyPercent'>): boolean {
  return tariffType === '2.0TD' && accepts.dni && (penaltyPercent ?? 0) > MAX_PENALTY_PERCENT;
}
