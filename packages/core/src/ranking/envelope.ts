import type { Figures, Kept, ScoreLines } from './best.ts';
import { bendsOf, type Contender } from './frontier.ts';
import { commissionScore, priceScore, type Range } from './score.ts';

/** Far more than scores differ by rounding (billionths), and far less than what tells two offers apart. */
const MARGIN = 1e-6;

/** The figures that scores are relative to, EUR. */
export interface Ranges {
  readonly cost: Range;
  readonly commission: Range;
}

/** An offer with its two scores. */
export function contenderOf(
  { costEur, commissionEur, id }: Pick<Contender, 'costEur' | 'commissionEur' | 'id'>,
  { cost, commission }: Ranges,
): Contender {
  const scores = {
    priceScore: priceScore(costEur, cost),
    commissionScore: commissionScore(commissionEur, commission),
  };
  return { costEur, commissionEur, id, ...scores };
}

/** The best offer, a cheapest and a best paid one: those above whose lines the edge runs. */
export interface Pivots {
  readonly pivots: readonly Contender[];
  /** Whole millionths of a euro. */
  readonly costOfBestPaid: number;
  readonly commissionOfCheapest: number;
}

/** `perSaved * saved + perPaid * paid >= height`. */
export interface HalfPlane {
  readonly perSaved: number;
  readonly perPaid: number;
  readonly height: number;
}

/**
 * What a candidate must reach to be told from those that win at no weight, in `saved` (the highest cost less its own)
 * and `paid` (its commission less the lowest), whole millionths of a euro: one of the two half planes, or
 * `leastPaid` where it saves at least `savedWithThat`, or `leastSaved` where it pays at least `paidWithThat`.
 */
export interface Edge {
  readonly leastPaid: number;
  readonly savedWithThat: number;
  readonly leastSaved: number;
  readonly paidWithThat: number;
  readonly inner: readonly [HalfPlane, HalfPlane];
}

const UNREACHABLE: HalfPlane = { perSaved: 0, perPaid: 0, height: Number.POSITIVE_INFINITY };

/**
 * The edge above three candidates, lowered by a margin. It bends at most twice between the weights 0 and 1. The score
 * of an offer is a straight line over the weight and the edge is convex, so who stays below it at both ends and at
 * both bends stays below at every weight, and wins at none. At an end, who is also beaten by the pivot there wins at
 * none either. So `winnersByWeight` gives the same without them.
 *
 * @see docs/decisions/0011-kernels-that-agree-bit-by-bit.md
 */
export function edgeAbove(lines: ScoreLines, { pivots, costOfBestPaid, commissionOfCheapest }: Pivots): Edge {
  const { price, commission, maxCost, minCommission, nearness } = lines;
  const heightAt = (weight: number) => {
    let highest = Number.NEGATIVE_INFINITY;
    for (const { priceScore: saves, commissionScore: pays } of pivots) {
      highest = Math.max(highest, weight * saves + (1 - weight) * pays);
    }
    return highest - MARGIN - nearness - weight * price.base - (1 - weight) * commission.base;
  };
  const halfPlaneAt = (weight: number): HalfPlane => {
    const [perSaved, perPaid] = [weight * price.perMicro, (1 - weight) * commission.perMicro];
    return { perSaved, perPaid, height: heightAt(weight) };
  };
  const bends = bendsOf(pivots);
  const [first = UNREACHABLE, second = UNREACHABLE] = bends.map(halfPlaneAt);
  return {
    // A division by 0 where all scores are 10: the lowest height, below 0, becomes minus infinity.
    leastPaid: heightAt(0) / commission.perMicro,
    savedWithThat: maxCost - costOfBestPaid - price.blur,
    leastSaved: heightAt(1) / price.perMicro,
    paidWithThat: commissionOfCheapest - minCommission - commission.blur,
    inner: [first, second],
  };
}

/** Puts the candidates that reach the edge into `kept`, ascending, and answers how many they are. */
export function reachingEdge(
  { costMicros, commissionMicros, kept }: Figures & Pick<Kept, 'kept'>,
  count: number,
  { maxCost, minCommission, edge }: Pick<ScoreLines, 'maxCost' | 'minCommission'> & { readonly edge: Edge },
): number {
  const { leastPaid, savedWithThat, leastSaved, paidWithThat } = edge;
  const [first, second] = edge.inner;
  const { perSaved, perPaid, height } = first;
  const { perSaved: perSavedToo, perPaid: perPaidToo, height: heightToo } = second;
  let near = 0;
  for (let i = 0; i < count; i++) {
    const saved = maxCost - (costMicros[i] ?? 0);
    const paid = (commissionMicros[i] ?? 0) - minCommission;
    if (
      (paid >= leastPaid && saved >= savedWithThat) ||
      (saved >= leastSaved && paid >= paidWithThat) ||
      perSaved * saved + perPaid * paid >= height ||
      perSavedToo * saved + perPaidToo * paid >= heightToo
    ) {
      kept[near++] = i;
    }
  }
  return near;
}
