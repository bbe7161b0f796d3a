import { roundHalfUp } from '../numbers.ts';

/** The lowest and the highest of a figure over all ranked offers. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** Scores are 0 to this, both included. */
const HIGHEST_SCORE = 10;

/**
 * The price score, 0 (dearest) to 10 (cheapest); 10 when all cost the same.
 *
 * @see docs/assumptions.md, A-17
 */
export function priceScore(costEur: number, { min, max }: Range): number {
  return max > min ? roundHalfUp((HIGHEST_SCORE * (max - costEur)) / (max - min), 9) : HIGHEST_SCORE;
}

/** The commission score, 0 (pays least) to 10 (pays most); 10 when all pay the same. */
export function commissionScore(commissionEur: number, { min, max }: Range): number {
  return max > min ? roundHalfUp((HIGHEST_SCORE * (commissionEur - min)) / (max - min), 9) : HIGHEST_SCORE;
}

/**
 * The score that decides: `weight` parts of the price score and the rest of the commission score.
 *
 * @param weight - 0 (commission only) to 1 (savings only), both included.
 */
export function weightedScore(weight: number, scores: { readonly price: number; readonly commission: number }): number {
  return roundHalfUp(weight * scores.price + (1 - weight) * scores.commission, 9);
}

/** The values of a ranked offer that determine the order. */
export interface Standing {
  readonly score: number;
  readonly costEur: number;
  /** Equal for all where the caller may not see commissions. */
  readonly commissionEur: number;
  readonly id: number;
}

/**
 * The order of a ranking: score descending, cost ascending, commission descending, id ascending. Negative when `a`
 * comes first; never 0 for two different offers.
 *
 * @see docs/assumptions.md, A-18
 */
export function compareStandings(a: Standing, b: Standing): number {
  return b.score - a.score || compareTied(a, b);
}

/** The rest of that order, for offers with the same score. */
export function compareTied(a: Omit<Standing, 'score'>, b: Omit<Standing, 'score'>): number {
  return a.costEur - b.costEur || b.commissionEur - a.commissionEur || a.id - b.id;
}
