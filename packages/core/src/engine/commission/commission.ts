import {
  type AnyTier,
  type ConsumptionCommissionType,
  type ConsumptionTier,
  type PowerCommissionType,
  type PowerTier,
  tierFor,
} from './tier.ts';

/** What a contract-year of consumption pays, and why. */
export interface ConsumptionCommission {
  readonly valueEur: number;
  readonly type: ConsumptionCommissionType;
  /** `null`: no tier matched and the offer's base commission was used. */
  readonly matchedTier: ConsumptionTier | null;
}

/** What the contracted power pays per contract-year: 0 on gas, where no power is given and where no tier matches. */
export interface PowerCommission {
  readonly valueEur: number;
  /** `null` with value 0: there is no tier. */
  readonly type: PowerCommissionType | null;
  readonly matchedTier: PowerTier | null;
}

/** An amount of commission, EUR per contract-year or for each MWh or kW, such as a tier has. */
export type CommissionRate = Pick<AnyTier, 'type' | 'value'>;

/** The rate that pays nothing. */
export const NO_RATE: CommissionRate = { type: 'fixed', value: 0 };

/** The fields of an offer that decide its consumption commission. */
export interface ConsumptionTerms {
  /** EUR of a contract-year, or EUR/MWh of it, as `commissionType` says. */
  readonly commissionValue: number;
  readonly commissionType: ConsumptionCommissionType;
  readonly consumptionTiers: readonly ConsumptionTier[];
}
/** The same for power. */
export type PowerTerms =
  | { readonly supplyType: 'LUZ'; readonly powerTiers: readonly PowerTier[] }
  | { readonly supplyType: 'GAS' };

/** The amount of a rate at a quantity (MWh per year, or kW), EUR per contract-year; never -0. */
export function commissionAt({ type, value }: CommissionRate, quantity: number): number {
  return 0 + (type === 'fixed' ? value : value * quantity);
}

/**
 * The rate of an offer at an annual consumption: that of the tier that matches, else its base commission.
 *
 * @param annualMwh - Finite and >= 0.
 * @see docs/assumptions.md, A-13 and A-15
 */
export function consumptionRate(offer: ConsumptionTerms, annualMwh: number): CommissionRate {
  return tierFor(offer.consumptionTiers, annualMwh) ?? { type: offer.commissionType, value: offer.commissionValue };
}

/** The tiers of power; gas has none. */
export function powerTiersOf(offer: PowerTerms): readonly PowerTier[] {
  return offer.supplyType === 'GAS' ? [] : offer.powerTiers;
}

/**
 * The rate of an offer at a contracted power: nothing without power, without a matching tier, and on gas.
 *
 * @param powerKw - The highest contracted power, kW; `null` when none is known.
 */
export function powerRate(offer: PowerTerms, powerKw: number | null): CommissionRate {
  return powerTierFor(offer, powerKw) ?? NO_RATE;
}

function powerTierFor(offer: PowerTerms, powerKw: number | null): PowerTier | null {
  return powerKw === null ? null : tierFor(powerTiersOf(offer), powerKw);
}

/**
 * The consumption commission of an offer, EUR per contract-year, with the tier that gave it.
 *
 * @param annualMwh - MWh per year, finite and >= 0.
 * @see docs/assumptions.md, A-13 to A-16
 */
export function consumptionCommission(offer: ConsumptionTerms, annualMwh: number): ConsumptionCommission {
  const matchedTier = tierFor(offer.consumptionTiers, annualMwh);
  const { type } = matchedTier ?? { type: offer.commissionType };
  return { valueEur: commissionAt(consumptionRate(offer, annualMwh), annualMwh), type, matchedTier };
}

/**
 * The power commission of an offer, EUR per contract-year, with the tier that gave it.
 *
 * @param powerKw - kW, finite and >= 0; 0 is a given power, `null` none.
 * @see docs/assumptions.md, A-15
 */
export function powerCommission(offer: PowerTerms, powerKw: number | null): PowerCommission {
  const matchedTier = powerTierFor(offer, powerKw);
  const valueEur = commissionAt(powerRate(offer, powerKw), powerKw ?? 0);
  return { valueEur, type: matchedTier?.type ?? null, matchedTier };
}
