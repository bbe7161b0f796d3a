import type { Scale } from './scales.ts';

/** Candidates of a ranking as columns, in whole millionths of a euro. */
export interface Figures {
  readonly costMicros: Float64Array;
  readonly commissionMicros: Float64Array;
  /** Takes the candidates that pass a test; as long as the other columns. */
  readonly kept: Int32Array;
  /** Takes their lines. */
  readonly lines: Float64Array;
}

/** Both scores as straight lines over the figures. */
export interface ScoreLines {
  readonly price: Scale;
  readonly commission: Scale;
  readonly maxCost: number;
  readonly minCommission: number;
}

export interface BestByLine extends ScoreLines {
  readonly weight: number;
  readonly limit: number;
  /** How far a line may be from the score that decides. */
  readonly nearness: number;
}

/**
 * Keeps the candidates that may be among the first `limit`, in any order, and answers how many they are. Who is left
 * out is not: the lines of at least `limit` others are more than twice the nearness higher, so their scores are.
 */
export function bestByLine(
  { costMicros, commissionMicros, kept, lines }: Figures,
  count: number,
  asked: BestByLine,
): number {
  const { price, commission, maxCost, minCommission, weight, limit } = asked;
  const perCost = weight * price.perMicro;
  const perCommission = (1 - weight) * commission.perMicro;
  const base = weight * price.base + (1 - weight) * commission.base;
  const highest = new Float64Array(limit).fill(Number.NEGATIVE_INFINITY);
  let threshold = Number.NEGATIVE_INFINITY;
  let keptCount = 0;
  for (let i = 0; i < count; i++) {
    const line =
      base + (maxCost - (costMicros[i] ?? 0)) * perCost + ((commissionMicros[i] ?? 0) - minCommission) * perCommission;
    if (line < threshold) continue;
    lines[keptCount] = line;
    kept[keptCount++] = i;
    let at = limit;
    for (; at > 0 && (highest[at - 1] ?? 0) < line; at--) highest[at] = highest[at - 1] ?? 0;
    highest[at] = line;
    threshold = (highest[limit - 1] ?? 0) - 2 * asked.nearness;
  }
  let left = 0;
  for (let k = 0; k < keptCount; k++) {
    if ((lines[k] ?? 0) >= threshold) kept[left++] = kept[k] ?? 0;
  }
  return left;
}
