import { assert } from '../errors.ts';
import type { Figures, Kept, ScoreLines } from './best.ts';
import { type Contender, winnersByWeight } from './frontier.ts';
import { commissionScore, priceScore, type Range } from './score.ts';

/** Far more than scores differ by rounding (billionths), and far less than what tells two offers apart. */
const MARGIN = 1e-6;
/** The edge above three offers bends at most twice, and has two ends. */
const CORNERS = 4;

/** A weight, and the score that an offer must reach there to be told from those that never win. */
export interface Corner {
  readonly weight: number;
  readonly height: number;
}

/** An offer that is known to be good at some weight. */
export interface Pivot {
  readonly costEur: number;
  readonly commissionEur: number;
  readonly id: number;
}

export interface Ranges {
  readonly cost: Range;
  readonly commission: Range;
}

/** An offer with its two scores. */
export function contenderOf({ costEur, commissionEur, id }: Pivot, { cost, commission }: Ranges): Contender {
  const scores = {
    priceScore: priceScore(costEur, cost),
    commissionScore: commissionScore(commissionEur, commission),
  };
  return { costEur, commissionEur, id, ...scores };
}

/**
 * Where the edge above a few offers bends, lowered by a margin. An offer that stays below at each of them stays below
 * the edge at every weight, because the edge is convex and the offer a straight line; so it wins at no weight, and
 * `winnersByWeight` gives the same without it.
 *
 * @param pivots - Any offers of the ranking; the better they are, the fewer others are left.
 * @param nearness - How far the scores that are compared may be from those of the definition.
 */
export function cornersAbove(pivots: readonly Contender[], nearness: number): readonly Corner[] {
  const byCost = pivots.toSorted((a, b) => a.costEur - b.costEur || b.commissionEur - a.commissionEur);
  const bends = winnersByWeight(byCost).map(({ toWeight }) => toWeight);
  return [...new Set([0, ...bends])].map((weight) => {
    const heights = pivots.map((pivot) => weight * pivot.priceScore + (1 - weight) * pivot.commissionScore);
    return { weight, height: Math.max(...heights) - MARGIN - nearness };
  });
}

/** Keeps the candidates that reach one of the corners, in ascending order, and answers how many they are. */
export function aboveCorners(
  { costMicros, commissionMicros, kept }: Figures & Pick<Kept, 'kept'>,
  count: number,
  { price, commission, maxCost, minCommission, corners }: ScoreLines & { readonly corners: readonly Corner[] },
): number {
  const [first, second, third, fourth] = fourOf(corners);
  let near = 0;
  for (let i = 0; i < count; i++) {
    const paid = commission.base + ((commissionMicros[i] ?? 0) - minCommission) * commission.perMicro;
    const slope = price.base + (maxCost - (costMicros[i] ?? 0)) * price.perMicro - paid;
    const reaches =
      paid + first.weight * slope >= first.height ||
      paid + second.weight * slope >= second.height ||
      paid + third.weight * slope >= third.height ||
      paid + fourth.weight * slope >= fourth.height;
    if (reaches) kept[near++] = i;
  }
  return near;
}

/** The corners of three pivots as exactly four: the last is repeated where there are fewer. */
export function fourOf(corners: readonly Corner[]): readonly [Corner, Corner, Corner, Corner] {
  assert(corners.length > 0 && corners.length <= CORNERS, 'three pivots have one to four corners');
  const at = (index: number) => corners[Math.min(index, corners.length - 1)] ?? { weight: 1, height: 0 };
  return [at(0), at(1), at(2), at(3)];
}
