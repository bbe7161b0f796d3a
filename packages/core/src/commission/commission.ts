import type { ElectricityOffer, GasOffer, Offer } from '../offers/offer.ts';
import type { PowerCommissionType } from './tier.ts';
import { type ConsumptionCommissionType, type ConsumptionTier, type PowerTier, tierFor } from './tier.ts';

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
  /** `null` with value 0: there is none. */
  readonly type: PowerCommissionType | null;
  readonly matchedTier: PowerTier | null;
}

/**
 * A commission as a straight line over the quantity it is paid for: `fixedEur + eurPerUnit * quantity`. Between two
 * neighbouring tier bounds the line of an offer does not change, so it can be cached.
 */
export interface CommissionLine {
  readonly fixedEur: number;
  readonly eurPerUnit: number;
}

/** What an offer says that decides its commission of consumption. */
export type ConsumptionTerms = Pick<Offer, 'commissionValue' | 'commissionType' | 'consumptionTiers'>;
/** The same of power. */
export type PowerTerms = Pick<ElectricityOffer, 'supplyType' | 'powerTiers'> | Pick<GasOffer, 'supplyType'>;

// The only place that creates lines, so that the engine can avoid the allocation where only the value is needed.
function lineOf(type: ConsumptionCommissionType | PowerCommissionType, value: number): CommissionLine {
  const isFixed = type === 'fixed';
  return { fixedEur: isFixed ? value : 0, eurPerUnit: isFixed ? 0 : value };
}

/** The value of a commission line at a quantity (MWh per year, or kW), EUR per contract-year. */
export function commissionAt(line: CommissionLine, quantity: number): number {
  return line.fixedEur + line.eurPerUnit * quantity;
}

/**
 * The line of an offer's consumption commission at an annual consumption: that of the tier that matches, else of
 * the base commission.
 *
 * @param annualMwh - Finite and >= 0.
 * @see docs/assumptions.md, A-13 and A-15
 */
export function consumptionLine(offer: ConsumptionTerms, annualMwh: number): CommissionLine {
  const tier = tierFor(offer.consumptionTiers, annualMwh);
  return lineOf(tier ? tier.type : offer.commissionType, tier ? tier.value : offer.commissionValue);
}

/** The tiers of power; gas has none. */
export function powerTiersOf(offer: PowerTerms): readonly PowerTier[] {
  return offer.supplyType === 'GAS' ? [] : offer.powerTiers;
}

/**
 * The line of an offer's power commission at a contracted power. Nothing without power, without a matching tier,
 * and on gas.
 *
 * @param powerKw - The highest contracted power, kW; `null` when none is known.
 */
export function powerLine(offer: PowerTerms, powerKw: number | null): CommissionLine {
  const tier = powerTierFor(offer, powerKw);
  // Stryker disable next-line StringLiteral: a line of 0 is the same line whatever it is paid for
  return lineOf(tier ? tier.type : 'fixed', tier ? tier.value : 0);
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
export function consumptionCommission(offer: Offer, annualMwh: number): ConsumptionCommission {
  const matchedTier = tierFor(offer.consumptionTiers, annualMwh);
  return {
    valueEur: commissionAt(consumptionLine(offer, annualMwh), annualMwh),
    type: matchedTier?.type ?? offer.commissionType,
    matchedTier,
  };
}

/**
 * The power commission of an offer, EUR per contract-year, with the tier that gave it.
 *
 * @param powerKw - kW, finite and >= 0; 0 is a given power, `null` none.
 * @see docs/assumptions.md, A-15
 */
export function powerCommission(offer: Offer, powerKw: number | null): PowerCommission {
  const matchedTier = powerTierFor(offer, powerKw);
  return {
    valueEur: commissionAt(powerLine(offer, powerKw), powerKw ?? 0),
    type: matchedTier?.type ?? null,
    matchedTier,
  };
}
