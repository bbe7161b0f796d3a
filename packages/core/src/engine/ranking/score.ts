import { roundHalfUp } from '../numbers.ts';

/** The lowest and the highest of a figure over all ranked offers. */
export interface Range {
  /** EUR, included. */
  readonly min: number;
  /** EUR, included. */
  readonly max: number;
}

/** The ranges that scores are relative to, EUR. */
export interface Ranges {
  readonly cost: Range;
  readonly commission: Range;
}

/** The two scores of an offer, 0 to 10 with 9 decimals. */
export interface Scores {
  /** 0 to 10, 9 decimals. */
  readonly priceScore: number;
  /** 0 to 10, 9 decimals. */
  readonly commissionScore: number;
}

/** Scores are 0 to this, both included. */
const HIGHEST_SCORE = 10;

/**
 * The scores of an offer: the cheapest has a price score of 10 and the most expensive 0, the best paid a commission
 * score of 10 and the worst paid 0. Where all are equal they have 10.
 *
 * @see docs/assumptions.md, A-17
 */
export function scoresOf(offer: Omit<RankedFigures, 'id'>, { cost, commission }: Ranges): Scores {
  return {
    priceScore: shareOf(cost.max - offer.costEur, cost.max - cost.min),
    commissionScore: shareOf(offer.commissionEur - commission.min, commission.max - commission.min),
  };
}

/** The score of a distance from the worse end of a range, whose width is 0 where all are equal. */
export function shareOf(distance: number, width: number): number {
  return width > 0 ? roundHalfUp((HIGHEST_SCORE * distance) / width, 9) : HIGHEST_SCORE;
}

/**
 * The score that decides: `weight` parts of the price score and the rest of the commission score.
 *
 * @param weight - 0 (commission only) to 1 (savings only), both included.
 */
export function weightedScore(weight: number, { priceScore, commissionScore }: Scores): number {
  return scoreAt(weight, priceScore, commissionScore);
}

/** The same of numbers alone: thousands of offers are scored. */
export function scoreAt(weight: number, priceScore: number, commissionScore: number): number {
  return roundHalfUp(weight * priceScore + (1 - weight) * commissionScore, 9);
}

/** What a ranked offer costs over the period and pays a year, EUR with 6 decimals. */
export interface RankedFigures {
  /** EUR over the calculation period. */
  readonly costEur: number;
  /** EUR of a contract-year; equal for all where the caller may not see commissions. */
  readonly commissionEur: number;
  /** The id of the offer. */
  readonly id: number;
}

/** The values of a ranked offer that determine the order. */
export interface Standing extends RankedFigures {
  /** 0 to 10, 9 decimals. */
  readonly score: number;
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

/** The rest of that order, for offers with equal scores. */
export function compareTied(a: RankedFigures, b: RankedFigures): number {
  return a.costEur - b.costEur || b.commissionEur - a.commissionEur || a.id - b.id;
}
