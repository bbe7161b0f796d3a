import type { Month } from '../calendar.ts';
import {
  type CommissionRate,
  type ConsumptionTerms,
  commissionAt,
  consumptionRate,
  type PowerTerms,
  powerRate,
} from '../commission/commission.ts';
import { assert } from '../errors.ts';
import { roundHalfUp } from '../numbers.ts';
import type { Offer, OfferWithHistory } from '../offers/offer.ts';
import {
  type Applied,
  type AppliedPrices,
  choosePrices,
  energyPricesByMonth,
  energyPricesOf,
} from './applied-price.ts';
import { type Customer, type Demand, YEAR } from './customer.ts';
import { discountFactors } from './discount.ts';
import { type LimitExclusion, limitExclusion } from './limits.ts';

/** Cost over the calculation period before tax, EUR. */
export interface CostBreakdown {
  readonly energyEur: number;
  readonly powerEur: number;
  /** The gas fixed term; 0 for electricity. */
  readonly fixedEur: number;
  /** What surplus energy is worth, never positive. */
  readonly surplusEur: number;
  readonly servicesEur: number;
  /** Balancing services, only where they are asked for and the offer bills them apart. */
  readonly ssaaEur?: number;
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
  | LimitExclusion
  | { readonly code: 'sin_historico' | 'sin_mes' }
  | {
      readonly code: 'sin_precio_energia' | 'sin_precio_potencia' /** 1 to 6: the first period concerned. */;
      readonly period: number;
    }
  | { readonly code: 'sin_precio_gas' };

/** An offer's cost with the prices used, or the reason why it has none. */
export type Pricing =
  | (Applied & { readonly priced: true; readonly cost: CostBreakdown })
  | { readonly priced: false; readonly exclusion: Exclusion };

/** What the price of an offer depends on. */
export interface PriceQuestion {
  readonly demand: Demand;
  readonly month: Month | null;
  readonly seesCommissions: boolean;
}

/**
 * The definition of what one offer costs one customer.
 *
 * @param month - The month asked for of indexed offers, `YYYY-MM` or any real day of it, or `null` for their mean.
 * @throws RangeError for another text, where the offer is indexed.
 * @see docs/assumptions.md, A-07 to
 */
export function priceOffer(entry: OfferWithHistory, demand: Demand, month: string | null): Pricing {
  const outside = limitExclusion(entry.offer, demand);
  if (outside) return { priced: false, exclusion: outside };
  const choice = choosePrices(entry, month);
  if (!choice.found) return { priced: false, exclusion: { code: choice.reason } };
  return priceAt(entry, choice, demand);
}

/** The same at prices that are chosen already. */
export function priceAt(entry: OfferWithHistory, applied: Applied, demand: Demand): Pricing {
  const exclusion = missingPriceFor(demand.customer, applied.prices);
  return exclusion ? { priced: false, exclusion } : pricedBy(entry, applied, demand);
}

/** The first period in which something is consumed or contracted and the offer has no price. */
function missingPriceFor(customer: Customer, prices: AppliedPrices): Exclusion | null {
  if (prices.supplyType === 'LUZ' && customer.supplyType === 'LUZ') {
    const energyPeriod = firstGap(customer.consumptionKwh, prices.energyEurPerKwh);
    if (energyPeriod > 0) return { code: 'sin_precio_energia', period: energyPeriod };
    const powerPeriod = firstGap(customer.powerKw, prices.powerEurPerKwDay);
    return powerPeriod > 0 ? { code: 'sin_precio_potencia', period: powerPeriod } : null;
  }
  assert(prices.supplyType === 'GAS' && customer.supplyType === 'GAS', 'an offer is priced for its own supply');
  const isWhole = prices.gasEnergyEurPerKwh !== null && prices.gasFixedEurPerMonth !== null;
  return isWhole ? null : { code: 'sin_precio_gas' };
}

/** The first period (1 to 6) in which there is a quantity and no price; 0 when there is none. */
function firstGap(quantities: readonly number[], prices: readonly (number | null)[]): number {
  for (let i = 0; i < quantities.length; i++) {
    if ((quantities[i] ?? 0) > 0 && prices[i] === null) return i + 1;
  }
  return 0;
}

/**
 * The cost at the prices that apply. Energy and surplus go part by part: in each the surplus offsets the energy of that
 * part alone, and an indexed offer has the prices of its calendar month, or the mean where there are none. A discount
 * lowers prices of energy and power. It is one function, because sums that are passed between functions would be numbers on
 * the heap.
 *
 * @see docs/assumptions.md, A-81, A-82 and A-127
 */
function pricedBy({ offer, months }: OfferWithHistory, { prices, origin }: Applied, demand: Demand): Pricing {
  const { customer, period, parts } = demand;
  const mean = energyPricesOf(prices);
  const byMonth = origin && parts.some(({ month }) => month !== null) ? energyPricesByMonth(months, origin) : null;
  const discount = discountFactors(offer, demand);
  let bareEur = 0;
  let creditEur = 0;
  let isWeighted = false;
  let index = 0;
  for (const { month, consumptionKwh, exportedKwh } of parts) {
    const own = month === null ? undefined : byMonth?.get(month);
    if (own) isWeighted = true;
    const listEur = sumOfProducts(consumptionKwh, own ? mean.map((price, i) => own[i] ?? price) : mean);
    const partEur = discount ? listEur * (discount.energy[index++] ?? 1) : listEur;
    bareEur += partEur;
    creditEur += surplusCreditEur(offer, exportedKwh, partEur);
  }
  const isElectric = prices.supplyType === 'LUZ' && customer.supplyType === 'LUZ';
  const listPowerEur = isElectric ? sumOfProducts(customer.powerKw, prices.powerEurPerKwDay) * period.days : 0;
  const barePowerEur = discount ? listPowerEur * discount.power : listPowerEur;
  const fixedEur = prices.supplyType === 'GAS' ? (prices.gasFixedEurPerMonth ?? 0) * period.months : 0;
  // The order of the operations is part of the definition, because the proof of the preselection depends on it.
  const energyEur = bareEur + demand.energyFeeEur;
  const powerEur = barePowerEur + demand.powerFeeEur;
  const surplusEur = 0 - creditEur;
  const servicesEur = (offer.servicesEurPerMonth ?? 0) * period.months;
  const ssaaEur = billsSsaaApart(offer) ? demand.ssaaEur : 0;
  const totalEur = roundHalfUp(energyEur + powerEur + fixedEur + surplusEur + servicesEur + ssaaEur, 6);
  const cost = { energyEur, powerEur, fixedEur, surplusEur, servicesEur, totalEur };
  return {
    priced: true,
    cost: ssaaEur > 0 ? { ...cost, ssaaEur } : cost,
    prices,
    origin: isWeighted && origin?.mode === 'media' ? { ...origin, isWeighted } : origin,
  };
}

/** What an offer with a discount costs besides, EUR over the calculation period before tax. */
export interface DiscountedCost {
  readonly withoutDiscountEur: number;
  /** By the same question twelve months later: what is left of a longer discount counts. */
  readonly secondYearEur: number;
}

/**
 * The same of an offer that has a cost; `null`: it has no discount.
 *
 * @see docs/assumptions.md, A-127
 */
export function discountedCost(
  { offer, months }: OfferWithHistory,
  { demand, month }: Pick<PriceQuestion, 'demand' | 'month'>,
): DiscountedCost | null {
  if (offer.discountMonths === null) return null;
  const costFor = (discountMonths: number) => {
    const pricing = priceOffer({ offer: { ...offer, discountMonths }, months }, demand, month);
    assert(pricing.priced, 'a discount excludes no offer');
    return pricing.cost.totalEur;
  };
  return {
    withoutDiscountEur: costFor(0),
    secondYearEur: costFor(Math.max(0, offer.discountMonths - YEAR.months)),
  };
}

/** Whether balancing services are billed beside the prices of an offer; `false` also where it does not say. */
export function billsSsaaApart(offer: Offer): boolean {
  return offer.supplyType === 'LUZ' && offer.ssaaIncluded === false;
}

function sumOfProducts(quantities: readonly number[], prices: readonly (number | null)[]): number {
  let sum = 0;
  for (let i = 0; i < quantities.length; i++) sum += (quantities[i] ?? 0) * (prices[i] ?? 0);
  return sum;
}

/**
 * What exported energy is worth, EUR: at most the cost of the energy bought in the same time, because surplus offsets
 * energy and never power (RD 244/2019, art. 14.3). The law caps each billing month; one cap over a longer time assumes
 * that consumption and surplus are spread evenly.
 *
 * @see docs/assumptions.md, A-08
 */
function surplusCreditEur(offer: Offer, exportedKwh: number, energyWithoutFeeEur: number): number {
  if (offer.supplyType !== 'LUZ' || !offer.hasSolarPanels || offer.surplusEurPerKwh === null) return 0;
  return Math.max(0, Math.min(exportedKwh * offer.surplusEurPerKwh, energyWithoutFeeEur));
}

type AnnualDemand = Pick<Demand, 'annualMwh' | 'highestPowerKw' | 'energyFeeEurPerYear' | 'powerFeeEurPerYear'>;

/**
 * What an offer pays the advisor per contract-year for this customer, fees included.
 *
 * @see docs/assumptions.md, A-09 and
 */
export function commissionOf(offer: ConsumptionTerms & PowerTerms, demand: AnnualDemand): CommissionBreakdown {
  const { annualMwh, highestPowerKw } = demand;
  return commissionFrom(consumptionRate(offer, annualMwh), powerRate(offer, highestPowerKw), demand);
}

/** The same at the rates of an offer. */
export function commissionFrom(
  consumption: CommissionRate,
  power: CommissionRate,
  { annualMwh, highestPowerKw, energyFeeEurPerYear, powerFeeEurPerYear }: AnnualDemand,
): CommissionBreakdown {
  const energyEur = commissionAt(consumption, annualMwh) + energyFeeEurPerYear;
  const powerEur = commissionAt(power, highestPowerKw ?? 0) + powerFeeEurPerYear;
  return { energyEur, powerEur, totalEur: roundHalfUp(energyEur + powerEur, 6) };
}
