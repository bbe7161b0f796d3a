import type { CostLine } from './cost-lines.ts';

/** What a price, or a part of the cost, adds to the difference of two costs. */
export interface CostDifference extends Pick<CostLine, 'part' | 'period'> {
  /** EUR over the calculation period, whole millionths; below 0 where the offer is cheaper in it. */
  readonly eur: number;
}

/** The lines of a cost and its total. */
export interface LinedCost {
  readonly totalEur: number;
  readonly lines: readonly CostLine[];
}

const MILLION = 1e6;

/**
 * Why an offer costs more than another one, the largest difference first; what is equal is left out. The sum is the
 * difference of the two costs to the last millionth: what rounding leaves is in the largest.
 *
 * @see docs/assumptions.md, A-116
 */
export function whyOf(offer: LinedCost, other: LinedCost): readonly CostDifference[] {
  const differences = offer.lines.map(({ part, period, eur }, index) => {
    return { part, period, millionths: Math.round((eur - (other.lines[index]?.eur ?? 0)) * MILLION) };
  });
  differences.sort((a, b) => Math.abs(b.millionths) - Math.abs(a.millionths));
  const total = Math.round((offer.totalEur - other.totalEur) * MILLION);
  const left = differences.reduce((rest, { millionths }) => rest - millionths, total);
  return differences
    .map(({ millionths, ...line }, index) => ({ ...line, eur: (millionths + (index === 0 ? left : 0)) / MILLION }))
    .filter(({ eur }) => eur !== 0);
}
