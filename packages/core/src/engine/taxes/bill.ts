import { decimalDigits, roundHalfUp } from '../numbers.ts';
import type { CostBreakdown } from '../price/cost.ts';

/** What is billed beside the cost of an offer, EUR; what a supply does not have is 0. */
export interface BilledExtras {
  /** EUR of the financing of the social bonus. */
  readonly socialBonusEur: number;
  /** EUR with electricity tax: excess of power, reactive energy. */
  readonly otherTaxedEur: number;
  /** EUR. */
  readonly hydrocarbonTaxEur: number;
  /** EUR of the meter. */
  readonly rentalEur: number;
  /** EUR. */
  readonly otherUntaxedEur: number;
}

type CostParts = Omit<CostBreakdown, 'totalEur' | 'ssaaEur'>;

/** The estimated bill over the calculation period, EUR in whole cents. */
export interface Bill extends CostParts, BilledExtras {
  /** EUR that the electricity tax is a share of; no line of the total. */
  readonly taxBaseEur: number;
  /** EUR. */
  readonly electricityTaxEur: number;
  /** EUR of VAT, IGIC or IPSI. */
  readonly indirectTaxEur: number;
  /** EUR. */
  readonly totalEur: number;
}

/** The rates of a bill, and what they apply to. */
export interface BillRates {
  /** `null` for gas. */
  readonly electricityTax: {
    /** % of the tax base. */
    readonly percent: number;
    /** The tax is no less, EUR. */
    readonly leastEur: number;
    readonly isSocialBonusTaxed: boolean;
  } | null;
  /** %. */
  readonly indirectPercent: number;
  /** %. */
  readonly servicesPercent: number;
  /** The rental of the meter bears the rate of services. */
  readonly isRentalService: boolean;
}

/**
 * The bill of a cost, in exact decimals: each line is rounded once over the period, and not bill by bill.
 *
 * @param cost - A part that is left out is 0. Balancing services are energy.
 * @see docs/assumptions.md, A-107
 */
export function billOf(cost: Partial<Omit<CostBreakdown, 'totalEur'>>, extras: BilledExtras, rates: BillRates): Bill {
  const energyCents = inCents((cost.energyEur ?? 0) + (cost.ssaaEur ?? 0));
  const powerCents = inCents(cost.powerEur);
  const fixedCents = inCents(cost.fixedEur);
  const surplusCents = inCents(cost.surplusEur);
  const servicesCents = inCents(cost.servicesEur);
  const socialBonusCents = inCents(extras.socialBonusEur);
  const otherTaxedCents = inCents(extras.otherTaxedEur);
  const hydrocarbonTaxCents = inCents(extras.hydrocarbonTaxEur);
  const rentalCents = inCents(extras.rentalEur);
  const otherUntaxedCents = inCents(extras.otherUntaxedEur);
  const supplyCents = energyCents + powerCents + fixedCents + surplusCents + otherTaxedCents;
  const { electricityTax: tax, indirectPercent, servicesPercent, isRentalService } = rates;
  const taxBaseCents = tax ? supplyCents + (tax.isSocialBonusTaxed ? socialBonusCents : 0) : 0;
  const electricityTaxCents = tax ? Math.max(percentOf(taxBaseCents, tax.percent), inCents(tax.leastEur)) : 0;
  const ordinaryCents = supplyCents + socialBonusCents + electricityTaxCents + hydrocarbonTaxCents + otherUntaxedCents;
  const beforeTaxCents = ordinaryCents + rentalCents + servicesCents;
  // One rounding where everything bears one rate.
  const indirectTaxCents =
    indirectPercent === servicesPercent
      ? percentOf(beforeTaxCents, indirectPercent)
      : percentOf(ordinaryCents + (isRentalService ? 0 : rentalCents), indirectPercent) +
        percentOf(isRentalService ? rentalCents : 0, servicesPercent) +
        percentOf(servicesCents, servicesPercent);
  return {
    energyEur: energyCents / 100,
    powerEur: powerCents / 100,
    fixedEur: fixedCents / 100,
    surplusEur: surplusCents / 100,
    socialBonusEur: socialBonusCents / 100,
    otherTaxedEur: otherTaxedCents / 100,
    taxBaseEur: taxBaseCents / 100,
    electricityTaxEur: electricityTaxCents / 100,
    hydrocarbonTaxEur: hydrocarbonTaxCents / 100,
    rentalEur: rentalCents / 100,
    otherUntaxedEur: otherUntaxedCents / 100,
    servicesEur: servicesCents / 100,
    indirectTaxEur: indirectTaxCents / 100,
    totalEur: (beforeTaxCents + indirectTaxCents) / 100,
  };
}

/** An amount, of which six decimals count, in whole cents; a half goes away from zero. */
function inCents(eur = 0): number {
  const micros = Math.round(roundHalfUp(Math.abs(eur), 6) * 1e6);
  const cents = Math.floor((micros + 5e3) / 1e4);
  return eur < 0 ? 0 - cents : cents;
}

/**
 * Doubles are exact and faster while the percentage has at most eight decimals, as those of laws, and the product is
 * small, as for nearly every bill.
 */
function percentOf(cents: number, percent: number): number {
  // Most percentages have at most two decimals, and the product stays small for bills of millions.
  const unit = Math.round(percent * 100) / 100 === percent ? 100 : 1e8;
  const rate = Math.round(percent * unit);
  const product = Math.abs(cents) * rate;
  if (rate / unit !== percent || product > 2 ** 52) return productInCents(cents / 100, percent, 100);
  const share = Math.floor((product + 50 * unit) / (100 * unit));
  return cents < 0 ? 0 - share : share;
}

/**
 * `quantity * rate / divisor` in cents, exactly from the decimal digits of both; a half goes away from zero.
 *
 * @param quantity - Up to six decimals count; of the rate twelve.
 */
export function productInCents(quantity: number, rate: number, divisor = 1): number {
  const product = decimalDigits(quantity, 6) * decimalDigits(rate, 12);
  // The product has 18 decimals of EUR, which are 16 of cents.
  const unit = 10n ** 16n * BigInt(divisor);
  const size = product < 0n ? -product : product;
  const cents = Number((2n * size + unit) / (2n * unit));
  return product < 0n ? 0 - cents : cents;
}
