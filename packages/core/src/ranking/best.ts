import type { Scale } from './scales.ts';
import { HIGHEST_SCORE } from './score.ts';

/** Candidates of a ranking as columns, in whole millionths of a euro; those of no candidate are NaN. */
export interface Figures {
  readonly costMicros: Float64Array;
  readonly commissionMicros: Float64Array;
}

/** Room for what a test leaves; as long as the figures. */
export interface Kept {
  readonly kept: Int32Array;
  readonly lines: Float64Array;
}

/** Both scores as straight lines over the figures. */
export interface ScoreLines {
  readonly price: Scale;
  readonly commission: Scale;
  readonly maxCost: number;
  readonly minCommission: number;
  /** How far the weighted sum of both lines may be from the score that decides. */
  readonly nearness: number;
}

/** Which candidates are asked for: the first `limit` at a weight. */
export interface BestByLine extends ScoreLines {
  readonly weight: number;
  readonly limit: number;
}

/** Groups for each of the best that are asked for: with two or more, hardly any other candidate is kept. */
const GROUPS_PER_PLACE = 2;

/** How many groups of candidates to take the highest line of: a power of two. */
export function groupsFor(limit: number): number {
  return 2 ** Math.ceil(Math.log2(GROUPS_PER_PLACE * limit));
}

/** Steps into which the scores from 0 to the highest are divided, to count who reaches which. */
const STEPS = 2048;
const STEPS_PER_POINT = STEPS / HIGHEST_SCORE;

const counts = new Int32Array(STEPS + 1);

/**
 * A line that at least `limit` of some candidates reach, less twice the nearness: who stays below it scores less than
 * all of those, so is not among the first `limit`. Minus infinity when there are fewer.
 */
function thresholdOf(lines: Float64Array, count: number, { limit, nearness }: BestByLine): number {
  // A product is a number for good: an imported one would be looked up and checked in every turn.
  const highest = 1 * HIGHEST_SCORE;
  const perPoint = STEPS_PER_POINT;
  counts.fill(0);
  for (let at = 0; at < count; at++) {
    const line = lines[at] ?? 0;
    // Who is no candidate, or below 0 by a doubt, is counted where nobody looks.
    const points = line > 0 ? (line < highest ? line : highest) : 0;
    const step = (points * perPoint) | 0;
    counts[step] = (counts[step] ?? 0) + 1;
  }
  let reaching = 0;
  for (let step = STEPS; step > 0; step--) {
    reaching += counts[step] ?? 0;
    if (reaching >= limit) return step / perPoint - 2 * nearness;
  }
  return Number.NEGATIVE_INFINITY;
}

/** One candidate in so many tells, before all are asked, what many of them reach. */
const SAMPLED = 4;

/** Puts the candidates that may be among the first `limit` into `kept`, ascending, and answers how many they are. */
export function bestByLine(
  { costMicros, commissionMicros, kept, lines }: Figures & Kept,
  count: number,
  asked: BestByLine,
): number {
  const { price, commission, maxCost, minCommission, weight } = asked;
  const perCost = weight * price.perMicro;
  const perCommission = (1 - weight) * commission.perMicro;
  let sampled = 0;
  for (let i = 0; i < count; i += SAMPLED) {
    const saved = (maxCost - (costMicros[i] ?? 0)) * perCost;
    lines[sampled++] = saved + ((commissionMicros[i] ?? 0) - minCommission) * perCommission;
  }
  const roughly = thresholdOf(lines, sampled, asked);
  let left = 0;
  for (let i = 0; i < count; i++) {
    const line =
      (maxCost - (costMicros[i] ?? 0)) * perCost + ((commissionMicros[i] ?? 0) - minCommission) * perCommission;
    if (line >= roughly) {
      lines[left] = line;
      kept[left++] = i;
    }
  }
  const threshold = thresholdOf(lines, left, asked);
  let best = 0;
  for (let i = 0; i < left; i++) {
    if ((lines[i] ?? 0) >= threshold) kept[best++] = kept[i] ?? 0;
  }
  return best;
}
