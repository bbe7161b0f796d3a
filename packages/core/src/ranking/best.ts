import type { Scale } from './scales.ts';

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

/**
 * The line that at least `limit` candidates reach, less twice the nearness: who stays below it scores less than all
 * of those, so is not among the first `limit`. Lines are compared without their bases, which all have in common.
 *
 * @param highest - The highest line of each of some groups of candidates; sorted by this call.
 */
export function thresholdOf(highest: Float64Array, { limit, nearness }: BestByLine): number {
  highest.sort();
  return (highest[highest.length - limit] ?? Number.NEGATIVE_INFINITY) - 2 * nearness;
}

/** Puts the candidates that may be among the first `limit` into `kept`, ascending, and answers how many they are. */
export function bestByLine(
  { costMicros, commissionMicros, kept, lines }: Figures & Kept,
  count: number,
  asked: BestByLine,
): number {
  const { price, commission, maxCost, minCommission, weight } = asked;
  const perCost = weight * price.perMicro;
  const perCommission = (1 - weight) * commission.perMicro;
  const highest = new Float64Array(groupsFor(asked.limit)).fill(Number.NEGATIVE_INFINITY);
  const lastGroup = highest.length - 1;
  for (let i = 0; i < count; i++) {
    const line =
      (maxCost - (costMicros[i] ?? 0)) * perCost + ((commissionMicros[i] ?? 0) - minCommission) * perCommission;
    lines[i] = line;
    const group = i & lastGroup;
    if (line > (highest[group] ?? 0)) highest[group] = line;
  }
  const threshold = thresholdOf(highest, asked);
  let left = 0;
  for (let i = 0; i < count; i++) {
    if ((lines[i] ?? 0) >= threshold) kept[left++] = i;
  }
  return left;
}
