import { assert } from '../errors.ts';
import type { RankedFigures } from '../ranking/score.ts';

/**
 * The highest cost at which an offer is the first of a ranking, EUR: above it another one is. Infinity where it always
 * is, -Infinity where it never is. The scores are those of A-17 without their rounding: the range of costs moves with
 * the offer's own.
 *
 * @param others - All ranked offers but that one.
 * @param commissionEur - Of that one.
 * @param weight - 0 to 1.
 * @see docs/assumptions.md, A-116
 */
export function winningCost(
  others: readonly Omit<RankedFigures, 'id'>[],
  commissionEur: number,
  weight: number,
): number {
  assert(weight >= 0 && weight <= 1, 'a weight is 0 to 1');
  const cost = { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
  const paid = { min: commissionEur, max: commissionEur };
  for (const other of others) {
    cost.min = Math.min(cost.min, other.costEur);
    cost.max = Math.max(cost.max, other.costEur);
    paid.min = Math.min(paid.min, other.commissionEur);
    paid.max = Math.max(paid.max, other.commissionEur);
  }
  let highest = Number.POSITIVE_INFINITY;
  for (const other of others) {
    const width = paid.max - paid.min;
    // What the commission gives the offer beyond the other one, in the same unit as the weight.
    const lead = width === 0 ? 0 : ((1 - weight) * (commissionEur - other.commissionEur)) / width;
    highest = Math.min(highest, costTied(other.costEur, { ...cost, lead, weight }));
  }
  return highest;
}

/** At which cost of an offer its score is that of another one. */
function costTied(
  otherEur: number,
  {
    min,
    max,
    lead,
    weight,
  }: { readonly min: number; readonly max: number; readonly lead: number; readonly weight: number },
): number {
  // No cost makes up for such a lead.
  if (Math.abs(lead) > weight) return lead * Number.POSITIVE_INFINITY;
  // Without weight and lead all scores are equal, and the cheaper one is first.
  if (weight === 0) return otherEur;
  const within = otherEur + (lead * (max - min)) / weight;
  // Cheaper than all others, it is one end of the range itself; dearer than all, the other one.
  if (within < min) return (weight * otherEur + lead * max) / (weight + lead);
  if (within > max) return (weight * otherEur - lead * min) / (weight - lead);
  return within;
}
