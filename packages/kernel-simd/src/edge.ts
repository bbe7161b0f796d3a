import { type Edge, type HalfPlane, MICRO, type ScoreLines } from '@tarifario/core';
import { type Doubt, lineDoubt } from './doubt.ts';

interface EdgeInDoubt {
  readonly lines: ScoreLines;
  readonly edge: Edge;
  readonly doubt: Doubt;
}

/**
 * Writes the edge as the module compares with it, in euros of cost and of commission, lowered by what the figures of
 * the filter may be off: whoever reaches it by the definition reaches it here.
 */
export function writeEdge(floats: Float32Array, at: number, { lines, edge, doubt }: EdgeInDoubt): void {
  const { maxCost, minCommission } = lines;
  floats[at] = (minCommission + edge.leastPaid) / MICRO - 2 * doubt.commissionEur;
  floats[at + 1] = (maxCost - edge.savedWithThat) / MICRO + 2 * doubt.costEur;
  floats[at + 2] = (maxCost - edge.leastSaved) / MICRO + 2 * doubt.costEur;
  floats[at + 3] = (minCommission + edge.paidWithThat) / MICRO - 2 * doubt.commissionEur;
  writeHalfPlane(floats, at + 4, { plane: edge.inner[0], lines, doubt });
  writeHalfPlane(floats, at + 6, { plane: edge.inner[1], lines, doubt });
}

interface PlaneInDoubt {
  readonly plane: HalfPlane;
  readonly lines: ScoreLines;
  readonly doubt: Doubt;
}

/** A half plane as the highest cost at each commission: `slope * commission + height`. */
function writeHalfPlane(floats: Float32Array, at: number, { plane, lines, doubt }: PlaneInDoubt): void {
  const [perCost, perCommission] = [plane.perSaved * MICRO, plane.perPaid * MICRO];
  if (perCost === 0) {
    // Costs tell nobody apart: all reach it, but for the plane that nobody reaches.
    floats[at] = 0;
    floats[at + 1] = plane.height === Number.POSITIVE_INFINITY ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    return;
  }
  const lowered = plane.height - lineDoubt(doubt, perCost, perCommission);
  floats[at] = perCommission / perCost;
  floats[at + 1] = (lines.maxCost - (lowered + plane.perPaid * lines.minCommission) / plane.perSaved) / MICRO;
}
