import { assert, type Issue } from '../errors.ts';
import { say } from '../messages/message.ts';

/** EUR per contract-year, or EUR per MWh of annual consumption. */
export const CONSUMPTION_COMMISSION_TYPES = ['fixed', 'per_mwh'] as const;
export type ConsumptionCommissionType = (typeof CONSUMPTION_COMMISSION_TYPES)[number];

/** EUR per contract-year, or EUR per contracted kW. */
export const POWER_COMMISSION_TYPES = ['fixed', 'per_kw'] as const;
export type PowerCommissionType = (typeof POWER_COMMISSION_TYPES)[number];

/** An amount of commission that holds between two bounds, both included; `to: null` is open. */
interface Tier<Type extends string> {
  /** MWh a year, or kW of a tier of power, included. */
  readonly from: number;
  /** The same unit, included; `null`: open. */
  readonly to: number | null;
  /** EUR of a contract-year, EUR/MWh or EUR/kW, as `type` says. */
  readonly value: number;
  readonly type: Type;
}

//
/** Bounds in MWh per year; a gap of up to 1 MWh belongs to the upper tier. */
export type ConsumptionTier = Tier<ConsumptionCommissionType>;
//
/** Bounds in kW; a gap of up to 1 kW belongs to the upper tier. */
export type PowerTier = Tier<PowerCommissionType>;
/** A tier of either list. */
export type AnyTier = ConsumptionTier | PowerTier;

//
/** Tiers that a list has at most. */
export const MAX_TIERS = 50;
/** Two tiers this far apart or closer (0-5, 6-10) are neighbours whose bounds were rounded to whole numbers. */
const ROUNDING_GAP = 1;
/** As doubles, 0.36 and 1.36 are slightly more than 1 apart. Far smaller than any difference of real bounds. */
const GAP_TOLERANCE = 1e-9;

//
/**
 * The tier that applies to a quantity, or `null` when none does.
 *
 * A tier covers `[from, to]`; a bound that two tiers share belongs to the lower one. A gap of at most
 * `ROUNDING_GAP` belongs to the tier above it; in a wider gap, below the first tier and above a closed last one
 * nothing applies, and `null` is the answer, not a failure: the offer pays its base commission.
 *
 * @param tiers - In ascending order, without overlap (`checkTiers`).
 * @param quantity - MWh per year or kW. Finite and >= 0.
 * @throws RangeError when the quantity is negative or not finite: a bug in the caller.
 */
export function tierFor<T extends AnyTier>(tiers: readonly T[], quantity: number): T | null {
  checkTierQuantity(quantity);
  let previousTo = Number.NaN;
  for (const tier of tiers) {
    const to = tier.to ?? Number.NaN;
    if (tierCovers(tier.from, to, previousTo, quantity)) return tier;
    previousTo = to;
  }
  return null;
}

/** @throws RangeError as `tierFor`. */
export function checkTierQuantity(quantity: number): void {
  assert(Number.isFinite(quantity) && quantity >= 0, 'a tier is matched on a finite quantity >= 0');
}

/**
 * Whether a tier applies to a quantity, as `tierFor` describes, when the tiers below it do not. The numbers are passed
 * one by one, because columns have them without objects.
 *
 * @param to - NaN: open.
 * @param previousTo - The end of the tier below; NaN: there is none.
 */
export function tierCovers(from: number, to: number, previousTo: number, quantity: number): boolean {
  const joins = from - previousTo <= ROUNDING_GAP + GAP_TOLERANCE;
  // Stryker disable next-line EqualityOperator: the tier below covers its own end
  const starts = joins ? quantity > previousTo : quantity >= from;
  // Comparisons with NaN are false.
  return starts && !(quantity > to);
}

/** Tiers in the order of their lower bounds: the form in which they are stored and matched. */
export function sortTiers<T extends AnyTier>(tiers: readonly T[]): readonly T[] {
  return tiers.toSorted((a, b) => a.from - b.from);
}

//
/**
 * What is wrong with a list of tiers: too many, a negative bound, `from >= to`, an open tier that is not the last,
 * or two that overlap. Paths are `<path>.<index>.<field>` with indexes into the list as given.
 */
export function checkTiers(path: string, tiers: readonly AnyTier[]): Issue[] {
  if (tiers.length > MAX_TIERS) return [{ path, message: say('at most {max} tiers', { max: MAX_TIERS }) }];
  const issues: Issue[] = [];
  tiers.forEach((tier, index) => {
    if (tier.from < 0) issues.push({ path: `${path}.${index}.from`, message: 'must not be negative' });
    if (tier.to !== null && tier.from >= tier.to) {
      issues.push({ path: `${path}.${index}.to`, message: 'must be greater than the lower bound' });
    }
  });
  const order = tiers.map((tier, index) => ({ tier, index })).sort((a, b) => a.tier.from - b.tier.from);
  order.forEach(({ tier, index }, position) => {
    const below = order[position - 1]?.tier;
    if (below && (below.to === null || tier.from < below.to)) {
      issues.push({ path: `${path}.${index}.from`, message: 'overlaps another tier' });
    }
  });
  return issues;
}
