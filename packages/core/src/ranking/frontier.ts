import type { WinnerSegment } from './ranking.ts';
import { compareTied, weightedScore } from './score.ts';

/** A cost and a commission that no ranked offer beats in one without losing in the other, with its best offer. */
export interface FrontierPoint {
  readonly costEur: number;
  readonly commissionEur: number;
  /** The lowest id among the offers with exactly this cost and commission. */
  readonly id: number;
}

/** The offers that are ranked, as columns of equal length. */
export interface RankedColumns {
  readonly ids: ArrayLike<number>;
  readonly costEur: ArrayLike<number>;
  readonly commissionEur: ArrayLike<number>;
  readonly count: number;
}

/**
 * The points that are not dominated, by ascending cost and so by ascending commission.
 * Whatever the weight, the best offer is one of them: an offer that another dominates scores no more, and loses
 * a tie by A-18.
 *
 * @see docs/assumptions.md, A-19
 */
export function frontierOf({ ids, costEur, commissionEur, count }: RankedColumns): readonly FrontierPoint[] {
  const points: FrontierPoint[] = [];
  for (let row = 0; row < count; row++) {
    const cost = costEur[row] ?? 0;
    const commission = commissionEur[row] ?? 0;
    // `at` is the first point that costs at least as much; the one before it is the best paid of the cheaper ones.
    const at = firstAtLeast(points, cost);
    const cheaper = points[at - 1];
    if (cheaper && cheaper.commissionEur >= commission) continue;
    const id = ids[row] ?? 0;
    const same = points[at];
    if (same?.costEur === cost) {
      if (same.commissionEur > commission) continue;
      if (same.commissionEur === commission) {
        if (id < same.id) points[at] = { costEur: cost, commissionEur: commission, id };
        continue;
      }
    }
    let beaten = at;
    while (beaten < points.length && (points[beaten]?.commissionEur ?? 0) <= commission) beaten++;
    points.splice(at, beaten - at, { costEur: cost, commissionEur: commission, id });
  }
  return points;
}

function firstAtLeast(points: readonly FrontierPoint[], costEur: number): number {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((points[middle]?.costEur ?? 0) < costEur) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A frontier point with its two scores: a straight line over the weight. */
export interface Contender extends FrontierPoint {
  readonly priceScore: number;
  readonly commissionScore: number;
}

/** The best offer at a weight, 0 to 1, by A-18; `null` when there is no contender. */
export function winnerAt(contenders: readonly Contender[], weight: number): Contender | null {
  let best: Contender | null = null;
  let highest = Number.NEGATIVE_INFINITY;
  for (const contender of contenders) {
    const score = weightedScore(weight, { price: contender.priceScore, commission: contender.commissionScore });
    // Equal scores are told apart by the rest of the order.
    const isBetter = score > highest || (score === highest && best !== null && compareTied(contender, best) < 0);
    if (!isBetter) continue;
    best = contender;
    highest = score;
  }
  return best;
}

/** Narrower than this a segment is noise of the division that gave its bounds: all who meet there are tied. */
const NARROWEST = 1e-12;

/**
 * Who wins at which weight: the upper envelope of the contenders' lines, covering 0 to 1 without gap. Where the
 * winner exactly at a bound is neither neighbour (scores are rounded before they are compared), it has a segment of
 * its own from the bound to the bound.
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
 * The weights between 0 and 1 at which one contender takes over from another: where the upper envelope of their lines
 * bends. Fewer than there are contenders.
 */
export function bendsOf(contenders: readonly Contender[]): readonly number[] {
  const bends: number[] = [];
  // Nobody takes over at 0: who is paid as well as the winner there and cheaper would win the tie.
  let next = overtakenBy(contenders, winnerAt(contenders, 0));
  while (next) {
    bends.push(next.weight);
    next = overtaker(contenders, next.contender);
  }
  return bends;
}

function overtakenBy(contenders: readonly Contender[], current: Contender | null) {
  return current && overtaker(contenders, current);
}

/** Who takes over from a winner first before weight 1, the steepest of several at once; `null` when nobody does. */
function overtaker(
  contenders: readonly Contender[],
  current: Contender,
): { readonly weight: number; readonly contender: Contender } | null {
  const slope = current.priceScore - current.commissionScore;
  let first: Contender | null = null;
  let soonest = 1 - NARROWEST;
  for (const contender of contenders) {
    const gain = contender.priceScore - contender.commissionScore - slope;
    if (gain <= 0) continue;
    const weight = (current.commissionScore - contender.commissionScore) / gain;
    if (weight >= soonest) continue;
    first = contender;
    soonest = weight;
  }
  return first && { weight: soonest, contender: first };
}
