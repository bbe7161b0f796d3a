import { decimalDigits, roundHalfUp } from '../numbers.ts';
import type { CostBreakdown } from '../price/cost.ts';
import { COST_PARTS, type CostPartName } from '../price/rule.ts';

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

/** The part of a cost that bears taxes of its own; the others are the supply. */
export const SERVICES: CostPartName = 'servicesEur';

/** The lines of a bill that depend on the others, in whole cents. */
interface Totals {
  readonly taxBaseCents: number;
  readonly electricityTaxCents: number;
  readonly indirectTaxCents: number;
  readonly totalCents: number;
}

/**
 * The bill of a cost, in exact decimals: each line is rounded once over the period, and not bill by bill.
 *
 * @param cost - A part that is left out is 0. Balancing services are energy.
 * @see docs/assumptions.md, A-107
 */
export function billOf(cost: Partial<Omit<CostBreakdown, 'totalEur'>>, extras: BilledExtras, rates: BillRates): Bill {
  const eurs = COST_PARTS.map(({ name }) => (cost[name] ?? 0) + (name === 'energyEur' ? (cost.ssaaEur ?? 0) : 0));
  const { taxBaseCents, electricityTaxCents, indirectTaxCents, totalCents } = totalsOf(
    (part) => eurs[part] ?? 0,
    extras,
    rates,
  );
  const lines = Object.fromEntries(COST_PARTS.map(({ name }, part) => [name, inCents(eurs[part]) / 100]));
  return {
    ...(lines as CostParts),
    socialBonusEur: inCents(extras.socialBonusEur) / 100,
    otherTaxedEur: inCents(extras.otherTaxedEur) / 100,
    taxBaseEur: taxBaseCents / 100,
    electricityTaxEur: electricityTaxCents / 100,
    hydrocarbonTaxEur: inCents(extras.hydrocarbonTaxEur) / 100,
    rentalEur: inCents(extras.rentalEur) / 100,
    otherUntaxedEur: inCents(extras.otherUntaxedEur) / 100,
    indirectTaxEur: indirectTaxCents / 100,
    totalEur: totalCents / 100,
  };
}

/**
 * What a bill adds up to.
 *
 * @param eurOf - The amounts of the parts of a cost, in the order of `COST_PARTS`.
 */
export function totalsOf(eurOf: (part: number) => number, extras: BilledExtras, rates: BillRates): Totals {
  let supplyCents = inCents(extras.otherTaxedEur);
  let servicesCents = 0;
  for (let part = 0; part < COST_PARTS.length; part++) {
    const cents = inCents(eurOf(part));
    if (COST_PARTS[part]?.name === SERVICES) servicesCents += cents;
    else supplyCents += cents;
  }
  const socialBonusCents = inCents(extras.socialBonusEur);
  const rentalCents = inCents(extras.rentalEur);
  const { electricityTax: tax, indirectPercent, servicesPercent, isRentalService } = rates;
  const taxBaseCents = tax ? supplyCents + (tax.isSocialBonusTaxed ? socialBonusCents : 0) : 0;
  const electricityTaxCents = tax ? Math.max(percentOf(taxBaseCents, tax.percent), inCents(tax.leastEur)) : 0;
  const untaxedCents = inCents(extras.hydrocarbonTaxEur) + inCents(extras.otherUntaxedEur);
  const ordinaryCents = supplyCents + socialBonusCents + electricityTaxCents + untaxedCents;
  const beforeTaxCents = ordinaryCents + rentalCents + servicesCents;
  // One rounding where everything bears one rate.
  const indirectTaxCents =
    indirectPercent === servicesPercent
      ? percentOf(beforeTaxCents, indirectPercent)
      : percentOf(ordinaryCents + (isRentalService ? 0 : rentalCents), indirectPercent) +
        percentOf(isRentalService ? rentalCents : 0, servicesPercent) +
        percentOf(servicesCents, servicesPercent);
  return { taxBaseCents, electricityTaxCents, indirectTaxCents, totalCents: beforeTaxCents + indirectTaxCents };
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
