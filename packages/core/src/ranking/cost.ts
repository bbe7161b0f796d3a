import { commissionAt, consumptionLine, powerLine } from '../commission/commission.ts';
import { assert } from '../errors.ts';
import { roundHalfUp } from '../numbers.ts';
import type { Offer, OfferWithHistory } from '../offers/offer.ts';
import {
  type AppliedPrices,
  choosePrices,
  type ElectricityPrices,
  type MissingHistory,
  type PriceOrigin,
} from './applied-price.ts';
import type { Demand, ElectricityCustomer } from './customer.ts';

/** Cost over the calculation period before tax, EUR. */
export interface CostBreakdown {
  readonly energyEur: number;
  readonly powerEur: number;
  /** The gas fixed term; 0 for electricity. */
  readonly fixedEur: number;
  /** What surplus energy is worth, never positive. */
  readonly surplusEur: number;
  readonly servicesEur: number;
  /** The sum of the parts, rounded to 6 decimals: the figure that is compared and scored. */
  readonly totalEur: number;
}

/** Commission per contract-year, EUR, fees included. */
export interface CommissionBreakdown {
  readonly energyEur: number;
  readonly powerEur: number;
  /** Rounded to 6 decimals: the figure that is compared and scored. */
  readonly totalEur: number;
}

/** Why an offer is not ranked. The codes are wire values. */
export type Exclusion =
  | { readonly code: MissingHistory }
  | {
      readonly code: 'sin_precio_energia' | 'sin_precio_potencia' /** 1 to 6: the first period concerned. */;
      readonly period: number;
    }
  | { readonly code: 'sin_precio_gas' };

/** An offer's cost with the prices used, or the reason why it has none. */
export type Pricing =
  | {
      readonly priced: true;
      readonly cost: CostBreakdown;
      readonly prices: AppliedPrices;
      readonly origin: PriceOrigin | null;
    }
  | { readonly priced: false; readonly exclusion: Exclusion };

/**
 * The definition of what one offer costs one customer. The ranking computes the same over columns, and a law holds
 * it equal to this function bit by bit; where the two could differ, this one is right.
 *
 * @param month - The month asked for of indexed offers, or `null` for their mean.
 * @see docs/assumptions.md, A-07 to A-11
 */
export function priceOffer(entry: OfferWithHistory, demand: Demand, month: string | null): Pricing {
  const choice = choosePrices(entry, month);
  if (!choice.found) return { priced: false, exclusion: { code: choice.reason } };
  const { prices, origin } = choice;
  const { customer } = demand;
  if (prices.supplyType === 'LUZ' && customer.supplyType === 'LUZ') {
    const exclusion = missingPriceFor(customer, prices);
    if (exclusion) return { priced: false, exclusion };
    return { priced: true, cost: electricityCost(entry.offer, prices, { customer, demand }), prices, origin };
  }
  assert(prices.supplyType === 'GAS' && customer.supplyType === 'GAS', 'an offer is priced for its own supply');
  const { gasEnergyEurPerKwh, gasFixedEurPerMonth } = prices;
  if (gasEnergyEurPerKwh === null || gasFixedEurPerMonth === null) {
    return { priced: false, exclusion: { code: 'sin_precio_gas' } };
  }
  const cost = totalled({
    energyEur: customer.consumptionKwh * gasEnergyEurPerKwh + demand.energyFeeEur,
    powerEur: 0,
    fixedEur: gasFixedEurPerMonth * demand.period.months,
    surplusEur: 0,
    servicesEur: servicesEur(entry.offer, demand),
  });
  return { priced: true, cost, prices, origin };
}

/** The first period in which something is consumed or contracted and the offer has no price. */
function missingPriceFor(customer: ElectricityCustomer, prices: ElectricityPrices): Exclusion | null {
  const energyPeriod = firstGap(customer.consumptionKwh, prices.energyEurPerKwh);
  if (energyPeriod > 0) return { code: 'sin_precio_energia', period: energyPeriod };
  const powerPeriod = firstGap(customer.powerKw, prices.powerEurPerKwDay);
  return powerPeriod > 0 ? { code: 'sin_precio_potencia', period: powerPeriod } : null;
}

/** The first period (1 to 6) in which there is a quantity and no price; 0 when there is none. */
function firstGap(quantities: readonly number[], prices: readonly (number | null)[]): number {
  for (let i = 0; i < quantities.length; i++) {
    if ((quantities[i] ?? 0) > 0 && prices[i] === null) return i + 1;
  }
  return 0;
}

interface ElectricityInput {
  readonly customer: ElectricityCustomer;
  readonly demand: Demand;
}

// The order of the operations is part of the definition: every kernel adds the same numbers in the same order.
function electricityCost(
  offer: Offer,
  prices: ElectricityPrices,
  { customer, demand }: ElectricityInput,
): CostBreakdown {
  const energyWithoutFeeEur = sumOfProducts(customer.consumptionKwh, prices.energyEurPerKwh);
  return totalled({
    energyEur: energyWithoutFeeEur + demand.energyFeeEur,
    powerEur: sumOfProducts(customer.powerKw, prices.powerEurPerKwDay) * demand.period.days + demand.powerFeeEur,
    fixedEur: 0,
    surplusEur: 0 - surplusCreditEur(offer, customer, energyWithoutFeeEur),
    servicesEur: servicesEur(offer, demand),
  });
}

function servicesEur(offer: Offer, demand: Demand): number {
  return (offer.servicesEurPerMonth ?? 0) * demand.period.months;
}

function sumOfProducts(quantities: readonly number[], prices: readonly (number | null)[]): number {
  let sum = 0;
  for (let i = 0; i < quantities.length; i++) sum += (quantities[i] ?? 0) * (prices[i] ?? 0);
  return sum;
}

/**
 * What exported energy is worth, EUR: at most the energy bought in the same time, because surplus offsets energy
 * and never power (RD 244/2019, art. 14.3). The law caps each billing month; one cap over the whole period assumes
 * that consumption and surplus are spread evenly.
 *
 * @see docs/assumptions.md, A-08
 */
function surplusCreditEur(offer: Offer, customer: ElectricityCustomer, energyWithoutFeeEur: number): number {
  if (offer.supplyType !== 'LUZ' || !offer.hasSolarPanels || offer.surplusEurPerKwh === null) return 0;
  return Math.max(0, Math.min(customer.exportedKwh * offer.surplusEurPerKwh, energyWithoutFeeEur));
}

function totalled(parts: Omit<CostBreakdown, 'totalEur'>): CostBreakdown {
  const { energyEur, powerEur, fixedEur, surplusEur, servicesEur } = parts;
  const totalEur = roundHalfUp(energyEur + powerEur + fixedEur + surplusEur + servicesEur, 6);
  return { energyEur, powerEur, fixedEur, surplusEur, servicesEur, totalEur };
}

/**
 * What an offer pays the advisor per contract-year for this customer, fees included.
 *
 * @see docs/assumptions.md, A-09 and
 */
export function commissionOf(offer: Offer, demand: Demand): CommissionBreakdown {
  const { annualMwh, highestPowerKw } = demand;
  const energyEur = commissionAt(consumptionLine(offer, annualMwh), annualMwh) + demand.energyFeeEurPerYear;
  const powerEur = commissionAt(powerLine(offer, highestPowerKw), highestPowerKw ?? 0) + demand.powerFeeEurPerYear;
  return { energyEur, powerEur, totalEur: roundHalfUp(energyEur + powerEur, 6) };
}
