import { decimalDigits, roundHalfUp } from '../numbers.ts';
import type { CostBreakdown } from '../ranking/cost.ts';

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

type CostParts = Omit<CostBreakdown, 'totalEur'>;

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
    readonly leastEurPerMwh: number;
    /** Without consumption there is no tax (DGT V1496-16). */
    readonly consumedKwh: number;
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
 * @param cost - A part that is left out is 0.
 * @see docs/assumptions.md, A-107
 */
export function billOf(cost: Partial<CostParts>, extras: BilledExtras, rates: BillRates): Bill {
  const energy = inCents(cost.energyEur);
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
  const electricityTax = tax && tax.consumedKwh > 0 ? Math.max(percentOf(taxBase, tax.percent), leastTax(tax)) : 0;
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

function inCents(eur = 0): number {
  return productInCents(roundHalfUp(eur, 6), 1);
}

function percentOf(cents: number, percent: number): number {
  return productInCents(cents / 100, percent, 100);
}

function leastTax({ consumedKwh, leastEurPerMwh }: NonNullable<BillRates['electricityTax']>): number {
  return productInCents(consumedKwh, leastEurPerMwh, 1000);
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
