import { type ConsumptionTerms, type PowerTerms, powerTiersOf } from '../commission/commission.ts';
import { tierBounds } from '../commission/tier.ts';

/** The tiers and base commissions of some offers, by row. */
export interface CommissionRows {
  readonly rowCount: number;
  readonly consumptionTermsAt: (row: number) => ConsumptionTerms;
  readonly powerTermsAt: (row: number) => PowerTerms;
}

/**
 * All tier bounds of each kind, ascending. They cut the axis of consumption (or of power) into points and open
 * intervals; within one of them no offer changes its tier, so rates of commission that were looked up for one
 * customer serve every other in the same interval.
 */
export interface TierIntervals {
  readonly consumption: Float64Array;
  readonly power: Float64Array;
}

/** The bounds of the tiers of some offers. */
export function tierIntervals({ rowCount, consumptionTermsAt, powerTermsAt }: CommissionRows): TierIntervals {
  const found = { consumption: new Set<number>(), power: new Set<number>() };
  for (let row = 0; row < rowCount; row++) {
    for (const bound of tierBounds(consumptionTermsAt(row).consumptionTiers)) found.consumption.add(bound);
    for (const bound of tierBounds(powerTiersOf(powerTermsAt(row)))) found.power.add(bound);
  }
  const ascending = (bounds: Set<number>) => Float64Array.from(bounds).sort();
  return { consumption: ascending(found.consumption), power: ascending(found.power) };
}

/** The number of an interval: even between two bounds, odd exactly at a bound; -1 for `null`. */
export function intervalOf(bounds: Float64Array, quantity: number | null): number {
  if (quantity === null) return -1;
  let low = 0;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((bounds[middle] ?? 0) < quantity) low = middle + 1;
    else high = middle;
  }
  return bounds[low] === quantity ? 2 * low + 1 : 2 * low;
}
