import { type Conflict, conflictOf, weightForTolerance } from '../advice/conflict.ts';
import type { CalculationPeriod } from './customer.ts';
import { contenderOf, type FrontierPoint, frontierOf, isOn, winnerAt, winnersByWeight } from './frontier.ts';
import { firstByCost, rangesOf } from './order.ts';
import type { WinnerSegment } from './ranking.ts';
import { compareStandings, type Scores, type Standing, scoresOf, weightedScore } from './score.ts';

/** An offer of a ranking that is there: what it costs over the period and pays a year, EUR with 6 decimals. */
export type RankedFigures = FrontierPoint;

/** The same offer at another weight. */
export interface ReweighedOffer extends Standing, Scores {
  readonly isOnFrontier: boolean;
}

/** A ranking at another weight. */
export interface Reweighed {
  /** The weight that was used. */
  readonly weight: number;
  readonly winners: readonly WinnerSegment[];
  /** `null`: nothing is ranked. */
  readonly conflict: Conflict | null;
  /** In order. */
  readonly results: readonly ReweighedOffer[];
}

/** The weight itself, or what one EUR of commission may cost the customer in a year. */
export type Preference = { readonly weight: number } | { readonly tolerance: number };

/**
 * The ranking of the same customer at another weight or tolerance, from the costs and commissions of a ranking with every
 * ranked offer: the same scores and the same order, bit by bit, as if it were asked again.
 *
 * @param ranked - All ranked offers, in any order; totals as a ranking has them, or as the API answers them.
 * @param period - That of the ranking.
 */
export function reweigh(
  ranked: readonly RankedFigures[],
  preference: Preference,
  period: CalculationPeriod,
): Reweighed {
  const ranges = rangesOf(ranked);
  const weight = 'weight' in preference ? preference.weight : weightForTolerance(ranges, preference.tolerance, period);
  const cheapest = firstByCost(ranked);
  if (!ranges || !cheapest) return { weight, winners: [], conflict: null, results: [] };
  const frontier = frontierOf(ranked);
  const contenders = frontier.map((point) => contenderOf(point, ranges));
  const results = ranked
    .map(({ id, costEur, commissionEur }) => {
      const point = { id, costEur, commissionEur };
      const scores = scoresOf(point, ranges);
      return { ...point, ...scores, score: weightedScore(weight, scores), isOnFrontier: isOn(frontier, point) };
    })
    .sort(compareStandings);
  const [mostEfficient = cheapest] = results;
  const bestPaid = winnerAt(contenders, 0) ?? cheapest;
  const conflict = conflictOf({ cheapest, mostEfficient, bestPaid }, { ranges, weight, period });
  return { weight, winners: winnersByWeight(contenders), conflict, results };
}
