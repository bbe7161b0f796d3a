import type { WinnerSegment } from './ranking.ts';
import { compareTied, type Ranges, type RankedFigures, type Scores, scoresOf, weightedScore } from './score.ts';

/**
 * The points that are not dominated, by ascending cost and so by ascending commission.
 * Whatever the weight, the best offer is one of them: an offer that another dominates scores no more, and loses
 * a tie.
 *
 * @see docs/assumptions.md, A-19
 */
export function frontierOf<Point extends RankedFigures>(ranked: readonly Point[]): readonly Point[] {
  const points: Point[] = [];
  for (const offer of ranked) {
    const at = firstAfter(points, offer);
    // Earlier points cost no more, and the last of them has the highest commission.
    const most = points[at - 1]?.commissionEur ?? Number.NEGATIVE_INFINITY;
    if (most >= offer.commissionEur) continue;
    let beaten = at;
    while ((points[beaten]?.commissionEur ?? Number.POSITIVE_INFINITY) <= offer.commissionEur) beaten++;
    points.splice(at, beaten - at, offer);
  }
  return points;
}

/** The index of the first point that would not precede an offer with the same score. */
function firstAfter(points: readonly RankedFigures[], offer: RankedFigures): number {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const point = points[middle];
    // Stryker disable next-line EqualityOperator: no two offers have one id, so none is exactly tied
    if (point && compareTied(point, offer) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether one of the offers that the points were found among is as good as one of them. */
export function isOn(points: readonly RankedFigures[], { costEur, commissionEur }: Omit<RankedFigures, 'id'>): boolean {
  return points[firstAfter(points, { costEur, commissionEur, id: 0 })]?.costEur === costEur;
}

/** A frontier point with its two scores: a straight line over the weight. */
export type Contender = RankedFigures & Scores;

/** A point with its two scores. */
export function contenderOf({ costEur, commissionEur, id }: RankedFigures, ranges: Ranges): Contender {
  const { priceScore, commissionScore } = scoresOf({ costEur, commissionEur }, ranges);
  return { costEur, commissionEur, id, priceScore, commissionScore };
}

/** The best offer at a weight, 0 to 1; `null` when there is no contender. */
export function winnerAt(contenders: readonly Contender[], weight: number): Contender | null {
  let best: Contender | null = null;
  let highest = Number.NEGATIVE_INFINITY;
  for (const contender of contenders) {
    const score = weightedScore(weight, contender);
    // Stryker disable next-line EqualityOperator: no two offers have one id, so none is exactly tied
    const isBetter = score > highest || (score === highest && best !== null && compareTied(contender, best) < 0);
    if (!isBetter) continue;
    best = contender;
    highest = score;
  }
  return best;
}

/** A segment narrower than this is only a rounding error of the division: the contenders there are tied. */
const NARROWEST = 1e-12;

/**
 * The winner at each weight: the upper envelope of the contenders' lines, covering 0 to 1 without gap. Where the winner
 * exactly at a bound is neither neighbour (scores are rounded before they are compared), it has a segment of its own
 * from the bound to the bound.
 *
 * @param contenders - As `frontierOf` orders them: by ascending cost, so that the steepest line comes first.
 * @see docs/assumptions.md, A-19
 */
export function winnersByWeight(contenders: readonly Contender[]): readonly WinnerSegment[] {
  const segments: WinnerSegment[] = [];
  let current = winnerAt(contenders, 0);
  let fromWeight = 0;
  while (current) {
    const next = overtaker(contenders, current);
    const toWeight = next?.weight ?? 1;
    // Stryker disable next-line EqualityOperator: no two weights are exactly that far apart
    if (!next || toWeight - fromWeight > NARROWEST) {
      segments.push({ fromWeight, toWeight, offerId: current.id });
      fromWeight = toWeight;
    }
    current = next?.contender ?? null;
  }
  const all: WinnerSegment[] = [];
  for (let index = 0; index <= segments.length; index++) {
    const before = segments[index - 1];
    const after = segments[index];
    const bound = before?.toWeight ?? 0;
    const winner = winnerAt(contenders, bound);
    if (winner && before?.offerId !== winner.id && after?.offerId !== winner.id) {
      all.push({ fromWeight: bound, toWeight: bound, offerId: winner.id });
    }
    if (after) all.push(after);
  }
  return all;
}

/**
 * The contender that first overtakes a winner before weight 1, the steepest of several at the same weight; `null`:
 * none.
 */
function overtaker(
  contenders: readonly Contender[],
  current: Contender,
): { readonly weight: number; readonly contender: Contender } | null {
  const slope = current.priceScore - current.commissionScore;
  let first: Contender | null = null;
  let soonest = 1 - NARROWEST;
  for (const contender of contenders) {
    const gain = contender.priceScore - contender.commissionScore - slope;
    const weight = (current.commissionScore - contender.commissionScore) / gain;
    // Also excludes NaN. Only a steeper line can overtake, so the search ends.
    // Stryker disable next-line EqualityOperator: a line that is parallel and above would have won before
    if (!(gain > 0 && weight < soonest)) continue;
    first = contender;
    soonest = weight;
  }
  return first && { weight: soonest, contender: first };
}
