import type { CostBreakdown } from '../cost/cost.ts';
import { decimalDigits, roundHalfUp } from '../numbers.ts';

/** What is billed beside the cost of an offer, EUR; what a supply does not have is 0. */
export interface BilledExtras {
  /** The financing of the social bonus. */
  readonly socialBonusEur: number;
  /** With electricity tax: excess of power, reactive energy. */
  readonly otherTaxedEur: number;
  readonly hydrocarbonTaxEur: number;
  /** Of the meter. */
  readonly rentalEur: number;
  readonly otherUntaxedEur: number;
}

type CostParts = Omit<CostBreakdown, 'totalEur' | 'ssaaEur'>;

/** The estimated bill over the calculation period, EUR in whole cents. */
export interface Bill extends CostParts, BilledExtras {
  /** What the electricity tax is a share of; no line of the total. */
  readonly taxBaseEur: number;
  readonly electricityTaxEur: number;
  /** VAT, IGIC or IPSI. */
  readonly indirectTaxEur: number;
  readonly totalEur: number;
}

/** The rates of a bill, and what they apply to. */
export interface BillRates {
  /** `null` for gas. */
  readonly electricityTax: {
    readonly percent: number;
    /** The tax is no less, EUR. */
    readonly leastEur: number;
    readonly isSocialBonusTaxed: boolean;
  } | null;
  readonly indirectPercent: number;
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
  const energy = inCents((cost.energyEur ?? 0) + (cost.ssaaEur ?? 0));
  const power = inCents(cost.powerEur);
  const fixed = inCents(cost.fixedEur);
  const surplus = inCents(cost.surplusEur);
  const services = inCents(cost.servicesEur);
  const socialBonus = inCents(extras.socialBonusEur);
  const otherTaxed = inCents(extras.otherTaxedEur);
  const hydrocarbonTax = inCents(extras.hydrocarbonTaxEur);
  const rental = inCents(extras.rentalEur);
  const otherUntaxed = inCents(extras.otherUntaxedEur);
  const supply = energy + power + fixed + surplus + otherTaxed;
  const { electricityTax: tax, indirectPercent, servicesPercent, isRentalService } = rates;
  const taxBase = tax ? supply + (tax.isSocialBonusTaxed ? socialBonus : 0) : 0;
  const electricityTax = tax ? Math.max(percentOf(taxBase, tax.percent), inCents(tax.leastEur)) : 0;
  const ordinary = supply + socialBonus + electricityTax + hydrocarbonTax + otherUntaxed;
  const beforeTax = ordinary + rental + services;
  // One rounding where everything bears one rate.
  const indirectTax =
    indirectPercent === servicesPercent
      ? percentOf(beforeTax, indirectPercent)
      : percentOf(ordinary + (isRentalService ? 0 : rental), indirectPercent) +
        percentOf(isRentalService ? rental : 0, servicesPercent) +
        percentOf(services, servicesPercent);
  return {
    energyEur: energy / 100,
    powerEur: power / 100,
    fixedEur: fixed / 100,
    surplusEur: surplus / 100,
    socialBonusEur: socialBonus / 100,
    otherTaxedEur: otherTaxed / 100,
    taxBaseEur: taxBase / 100,
    electricityTaxEur: electricityTax / 100,
    hydrocarbonTaxEur: hydrocarbonTax / 100,
    rentalEur: rental / 100,
    otherUntaxedEur: otherUntaxed / 100,
    servicesEur: services / 100,
    indirectTaxEur: indirectTax / 100,
    totalEur: (beforeTax + indirectTax) / 100,
  };
}

/** From the digits of the amount with six decimals. */
function inCents(eur = 0): number {
  const micros = Math.round(roundHalfUp(Math.abs(eur), 6) * 1e6);
  const cents = Math.floor((micros + 5e3) / 1e4);
  return eur < 0 ? 0 - cents : cents;
}

/** A law has eight decimals at most, and nearly every amount is small enough: then doubles are exact, and faster. */
function percentOf(cents: number, percent: number): number {
  const rate = Math.round(percent * 1e8);
  const product = Math.abs(cents) * rate;
  if (rate / 1e8 !== percent || product > 2 ** 52) return productInCents(cents / 100, percent, 100);
  const share = Math.floor((product + 5e9) / 1e10);
  return cents < 0 ? 0 - share : share;
}

/**
 * `quantity * rate / divisor` in cents, exactly from the decimal digits of both; a half goes away from zero.
 *
 * @param quantity - Up to six decimals count; of the rate twelve.
 */
export function productInCents(quantity: number, rate: number, divisor = 1): number {
  const product = decimalDigits(quantity, 6) * decimalDigits(rate, 12);
  const unit = 10n ** 16n * BigInt(divisor);
  const size = product < 0n ? -product : product;
  const cents = Number((2n * size + unit) / (2n * unit));
  return product < 0n ? 0 - cents : cents;
}
