import type { CalculationPeriod } from '../cost/customer.ts';
import type { Conflict } from './conflict.ts';
import { isOn } from './frontier.ts';
import { orderOf } from './order.ts';
import { checkPreference } from './question.ts';
import type { WinnerSegment } from './ranking.ts';
import { type RankedFigures, type Scores, type Standing, scoresOf } from './score.ts';

/** The same offer at another weight. */
export interface ReweighedOffer extends Standing, Scores {
  readonly isOnFrontier: boolean;
}

/** A ranking at another weight. */
export interface Reweighed {
  /** The weight that was used, 0 to 1. */
  readonly weight: number;
  readonly winners: readonly WinnerSegment[];
  /** `null`: nothing is ranked. */
  readonly conflict: Conflict | null;
  /** In order. */
  readonly results: readonly ReweighedOffer[];
}

/** The weight itself, or what one EUR of commission may cost the customer in a year. */
export type Preference =
  | {
      /** A number, 0 (commission only) to 1 (savings only). */
      readonly weight: number;
    }
  | {
      /** EUR of the customer's annual cost for one EUR of commission, 0 to `MAX_TOLERANCE`. */
      readonly tolerance: number;
    };

/**
 * The ranking of the same customer at another weight or tolerance, from the costs and commissions of a ranking with
 * every ranked offer: the same scores and the same order, bit by bit, as if it were asked again.
 *
 * @param ranked - All ranked offers, in any order; totals in full precision, or rounded as in the answers of the API.
 * @param period - That of the ranking.
 * @throws RangeError for a weight that is not 0 to 1, and a tolerance that is not 0 to 100.
 */
export function reweigh(
  ranked: readonly RankedFigures[],
  preference: Preference,
  period: CalculationPeriod,
): Reweighed {
  const complete = { weight: 1, tolerance: null, ...preference };
  checkPreference(complete.weight, complete.tolerance);
  const figures = {
    ids: Float64Array.from(ranked, ({ id }) => id),
    total: Float64Array.from(ranked, ({ costEur }) => costEur),
    paid: Float64Array.from(ranked, ({ commissionEur }) => commissionEur),
    score: new Float64Array(ranked.length),
  };
  const question = { ...complete, limit: ranked.length, period, seesCommissions: true, withWinners: true };
  const { weight, order } = orderOf(figures, ranked.length, question);
  if (!order) return { weight, winners: [], conflict: null, results: [] };
  const { ranges, frontier, winners, conflict, first } = order;
  const results = first.map(({ at: _at, ...offer }) => {
    return { ...offer, ...scoresOf(offer, ranges), isOnFrontier: frontier !== null && isOn(frontier, offer) };
  });
  return { weight, winners, conflict, results };
}
