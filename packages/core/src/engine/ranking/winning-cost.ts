import { assert } from '../errors.ts';
import { type Range, type RankedFigures, scoresOf, weightedScore } from '../ranking/score.ts';

/**
 * The highest cost at which an offer is the first of a ranking, EUR: above it another one is. Infinity where it always
 * is, -Infinity where it never is. The scores are the usual ones, and the range of costs moves with the offer's own. They
 * are compared without their rounding, but where the offer's cost does not change them: there the rounding decides.
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
  const atEnd = (costEur: number, pays: number) =>
    weightedScore(weight, scoresOf({ costEur, commissionEur: pays }, { cost: ENDS, commission: paid }));
  const own = { cheapest: atEnd(ENDS.min, commissionEur), dearest: atEnd(ENDS.max, commissionEur) };
  const width = paid.max - paid.min;
  let highest = Number.POSITIVE_INFINITY;
  for (const other of others) {
    // What the commission gives the offer beyond the other one, in the same unit as the weight.
    const lead = width === 0 ? 0 : ((1 - weight) * (commissionEur - other.commissionEur)) / width;
    // The other one has its best score where it is the cheapest of all, and its worst where it is the dearest.
    if (own.dearest > atEnd(ENDS.min, other.commissionEur)) continue;
    if (own.cheapest < atEnd(ENDS.max, other.commissionEur)) return Number.NEGATIVE_INFINITY;
    highest = Math.min(
      highest,
      costTied(other.costEur, cost, { ahead: counted(weight + lead), behind: counted(weight - lead) }),
    );
  }
  return highest;
}

/** Costs for the two ends of a range, whatever it is. */
const ENDS: Range = { min: 0, max: 1 };

/** Half of the last decimal of a score, which is ten times a share: less is a tie, and so is what is negative by rounding. */
const LEAST_SHARE = 5e-11;

function counted(share: number): number {
  return share < LEAST_SHARE ? 0 : share;
}

/**
 * At which cost of an offer its score is that of another one.
 *
 * @param range - Of the costs of all others.
 * @param shares - What the offer is ahead by where it is the cheapest of all and the other one the dearest, and behind by
 *   where it is the other way round, as shares of the highest score: together twice the weight.
 */
function costTied(
  otherEur: number,
  { min, max }: Range,
  { ahead, behind }: { readonly ahead: number; readonly behind: number },
): number {
  // No cost changes the scores: they are equal, and the cheaper one is first.
  if (ahead + behind === 0) return otherEur;
  // Dearer than all others the offer is one end of the range itself, and cheaper than all the other one. The differences
  // are never positive for an other that is at that end, so a tie that no cost ends begins at the bound.
  const above = (ahead + behind) * (otherEur - min) - 2 * behind * (max - min);
  if (above > 0) return max + above / (2 * behind);
  const below = (ahead + behind) * (max - otherEur) - 2 * ahead * (max - min);
  if (below > 0) return min - below / (2 * ahead);
  return otherEur + ((ahead - behind) * (max - min)) / (ahead + behind);
}
