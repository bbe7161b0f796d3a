// Cost and commission of one offer as an answer shows them, the lines of its cost, and the tariffs that a use can have.
import { MAX_KW_OF_2_0TD } from '../bounds.ts';
import { type Month, monthNumber } from '../calendar.ts';
import type { ConsumptionTerms, PowerTerms } from '../commission/commission.ts';
import { checkTierQuantity } from '../commission/tier.ts';
import { hoursIn, surplusPriceIn } from '../consumption/hourly-prices.ts';
import { assert } from '../errors.ts';
import { roundHalfUp } from '../numbers.ts';
import type { Exclusion } from '../offers/exclusion.ts';
import { factorOf, followedBy, type OfferWithHistory, type SupplyType } from '../offers/offer.ts';
import { gasBandOf, hasSixPeriods, isOf3_0TD } from '../offers/tariff-names.ts';
import { limitExclusion, SSAA_SEPARATE } from './conditions.ts';
import { type Demand, YEAR } from './customer.ts';
import {
  type Applied,
  choosePrices,
  ENERGY_BIT,
  energyPricesByMonth,
  energyPricesOf,
  fixedPricesOf,
  MEAN_WINDOW_MONTHS,
  missingPrice,
  neededPrices,
  POWER_BIT,
} from './prices.ts';
import { ratesOf } from './rows.ts';
import {
  type AnnualDemand,
  byPart,
  COST_PARTS,
  type CostPartName,
  energyFactor,
  type Figures,
  figuresFor,
  monthAt,
  payRows,
  powerFactor,
  priceRows,
  SSAA_PART,
} from './rule.ts';
import { compileTable, entryAt, monthlyIn, pricesAt, pricesFor, type Table } from './table.ts';

/** Cost over the calculation period before tax, EUR, by its parts. */
export type CostBreakdown = { readonly [Part in CostPartName]: number } & {
  //
  /** EUR of balancing services, only where they are asked for and the offer bills them apart. */
  readonly ssaaEur?: number;
  /** EUR: the sum of the parts, rounded to 6 decimals: the figure that is compared and scored. */
  readonly totalEur: number;
};

/** Commission per contract-year, EUR, fees included. */
export interface CommissionBreakdown {
  /** By consumption, EUR of a contract-year. */
  readonly energyEur: number;
  /** By contracted power, EUR of a contract-year. */
  readonly powerEur: number;
  /** EUR of a contract-year, rounded to 6 decimals: the figure that is compared and scored. */
  readonly totalEur: number;
}

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

//
/**
 * What one offer costs one customer: a table of one row.
 *
 * @param month - The month asked for of indexed offers, `YYYY-MM` or any real day of it, or `null` for their mean.
 * @throws RangeError for another text, where the offer is indexed.
 */
export function priceOffer(entry: OfferWithHistory, demand: Demand, month: string | null): Pricing {
  const outside = limitExclusion(entry.offer, demand);
  if (outside) return { priced: false, exclusion: outside };
  const { supplyType } = entry.offer;
  assert(supplyType === demand.customer.supplyType, 'an offer is priced for its own supply');
  const table = compileTable(supplyType, [{ entry }]);
  const { mask } = pricesAt(table, month);
  const exclusion = missingPrice(entry, mask[0] ?? 0, { needed: neededPrices(demand), month });
  if (exclusion) return { priced: false, exclusion };
  priceRows({ table, from: 0, end: 1 }, pricesFor(table, month, demand), demand, ONE_ROW);
  return { priced: true, cost: costAt(table, ONE_ROW, 0, demand), ...appliedAt(table, 0, { demand, month }) };
}

/** Figures of one offer at a time. */
const ONE_ROW = /* @__PURE__ */ figuresFor(1);

/** The cost that stands at a place of figures. */
export function costAt(table: Table, { rows, parts, total }: Figures, at: number, demand: Demand): CostBreakdown {
  const cost = { ...NO_COST, totalEur: total[at] as number };
  for (const { name } of COST_PARTS) cost[name] = parts[name][at] as number;
  const { ssaaEur } = demand;
  const isApart = ssaaEur > 0 && ((table.flags[rows[at] as number] as number) & SSAA_SEPARATE) !== 0;
  return isApart ? { ...cost, ssaaEur } : cost;
}

const NO_COST = /* @__PURE__ */ byPart(() => 0);

/** The prices of a row, and whether the months of a profile gave some. */
export function appliedAt(
  table: Table,
  row: number,
  { demand, month }: Pick<PriceQuestion, 'demand' | 'month'>,
): Applied {
  const chosen = chosenAt(table, row, month);
  const { prices, origin } = chosen;
  if (origin?.mode !== 'media' || demand.parts.every((part) => part.month === null)) return chosen;
  const monthly = monthlyIn(table);
  const isWeighted = demand.parts.some((part) => monthAt(monthly, row, part.month ?? 0) >= 0);
  return isWeighted ? { prices, origin: { ...origin, isWeighted } } : chosen;
}

/** The prices of a row as an answer shows them; the same object each time. */
function chosenAt(table: Table, row: number, month: Month | null): Applied {
  const { chosen } = pricesAt(table, month);
  const known = chosen.get(row);
  if (known) return known;
  const choice = choosePrices(entryAt(table, row), month);
  assert(choice.found, 'an offer that has a cost has prices');
  const { prices, origin } = choice;
  const applied = { prices, origin };
  chosen.set(row, applied);
  return applied;
}

/** What an offer with a discount costs besides, EUR over the calculation period before tax. */
export interface DiscountedCost {
  /** EUR over the calculation period. */
  readonly withoutDiscountEur: number;
  /** By the same question twelve months later: what is left of a longer discount counts. */
  readonly secondYearEur: number;
}

//
/**
 * The same of an offer that has a cost; `null`: it has no discount.
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

//
/**
 * What an offer pays the advisor per contract-year for this customer, fees included: a table of one row.
 *
 * @throws RangeError for a quantity that is negative or not finite.
 */
export function commissionOf(offer: ConsumptionTerms & PowerTerms, demand: AnnualDemand): CommissionBreakdown {
  checkTierQuantity(demand.annualMwh);
  if (demand.highestPowerKw !== null) checkTierQuantity(demand.highestPowerKw);
  const table = { rates: { consumption: ratesOf('consumption', [offer]), power: ratesOf('power', [offer]) } };
  payRows({ table, from: 0, end: 1 }, demand, ONE_ROW);
  return paidAt(ONE_ROW, 0);
}

/** The commission that stands at a place of figures. */
export function paidAt({ paidEnergy, paidPower, paid }: Figures, at: number): CommissionBreakdown {
  return { energyEur: paidEnergy[at] as number, powerEur: paidPower[at] as number, totalEur: paid[at] as number };
}

/** An offer with each 12 consecutive calendar months of its history, oldest first. */
export function yearsOf({ offer, months }: OfferWithHistory): readonly OfferWithHistory[] {
  const numbers = months.map(({ month }) => monthNumber(month));
  return months.flatMap((_, first): readonly OfferWithHistory[] => {
    const end = first + MEAN_WINDOW_MONTHS;
    const isYear = (numbers[end - 1] ?? Number.NaN) - (numbers[first] ?? 0) === MEAN_WINDOW_MONTHS - 1;
    return isYear ? [{ offer, months: months.slice(first, end) }] : [];
  });
}

/** What stands behind one price of an offer, or one part of its cost. */
export interface CostLine {
  readonly part: CostPartName | typeof SSAA_PART.name;
  /** The number of the period, 1 to 6; `null` where the part has no periods. */
  readonly period: number | null;
  /** EUR over the calculation period, without fees. */
  readonly eur: number;
}

/** The prices of an offer that has a cost. */
export interface Priced extends Applied {
  readonly cost: CostBreakdown;
}

/**
 * The cost of an offer by its prices: energy and power by period, then the other parts. Two offers of one supply have the
 * same lines in the same order, and their sums differ by what the costs do.
 */
export function costLinesOf(entry: OfferWithHistory, pricing: Priced, demand: Demand): readonly CostLine[] {
  const { prices, cost } = pricing;
  const { customer, period } = demand;
  const lines: CostLine[] = [];
  const add = (part: CostLine['part'], eurs: readonly number[]) => {
    for (const [index, eur] of eurs.entries()) lines.push({ part, period: eurs.length > 1 ? index + 1 : null, eur });
  };
  for (const { name } of COST_PARTS) {
    if (name === 'energyEur') add(name, energyByPeriod(entry, pricing, demand));
    else if (name !== 'powerEur') add(name, [cost[name]]);
    else if (customer.supplyType === 'LUZ') {
      const power = fixedPricesOf(prices);
      const factor = discountedPower(entry, period);
      add(
        name,
        customer.powerKw.map((kw, index) => kw * (power[index] ?? 0) * period.days * factor),
      );
    }
  }
  add(SSAA_PART.name, [cost.ssaaEur ?? 0]);
  return lines;
}

function energyByPeriod(entry: OfferWithHistory, pricing: Priced, demand: Demand): readonly number[] {
  const priced = pricedParts(entry, pricing, demand);
  return energyPricesOf(pricing.prices).map((_price, index) =>
    priced.reduce((sum, { paidKwh, prices }) => sum + (paidKwh[index] ?? 0) * (prices[index] ?? 0), 0),
  );
}

/** The energy of a part of the period, with what the definition applies to it. */
interface PricedPart {
  /** The energy that is paid for: less than what is consumed where a discount applies. */
  readonly paidKwh: readonly number[];
  /** Those of its calendar month, or the mean, with what its hours add. */
  readonly prices: readonly (number | null)[];
  readonly exportedKwh: number;
  /** EUR/kWh, from 0. */
  readonly surplusEurPerKwh: number;
}

/** What a discount leaves of the prices of power. */
export function discountedPower({ offer }: OfferWithHistory, period: Demand['period']): number {
  if (offer.discountMonths === null || offer.supplyType !== 'LUZ') return 1;
  return powerFactor((offer.powerDiscountPercent ?? 0) / 100, offer.discountMonths, period);
}

/** The parts of the period with the energy prices of an offer. */
export function pricedParts(
  { offer, months }: OfferWithHistory,
  { prices, origin }: Applied,
  demand: Demand,
): readonly PricedPart[] {
  const mean = energyPricesOf(prices);
  const byMonth = energyPricesByMonth(months, origin);
  const { discountMonths, energyDiscountPercent } = offer;
  const { index, surplusIndex } = followedBy(offer);
  const eurPerEur = factorOf(offer);
  const hasSurplus = offer.supplyType === 'LUZ' && offer.hasSolarPanels;
  const surplusEurPerKwh = hasSurplus ? Math.max(0, offer.surplusEurPerKwh ?? 0) : 0;
  return demand.parts.map((entry, part) => {
    const { month, consumptionKwh, exportedKwh } = entry;
    const own = month === null ? undefined : byMonth.get(month);
    const factor =
      discountMonths === null ? null : energyFactor((energyDiscountPercent ?? 0) / 100, discountMonths, demand, part);
    const plain = own ? mean.map((price, period) => own[period] ?? price) : mean;
    const hours = hoursIn(entry, index);
    return {
      paidKwh: factor === null ? consumptionKwh : consumptionKwh.map((kwh) => kwh * factor),
      prices: hours
        ? plain.map((price, at) => (price === null ? null : price + eurPerEur * (hours.differences[at] ?? 0)))
        : plain,
      exportedKwh,
      surplusEurPerKwh: surplusPriceIn(entry, surplusIndex) ?? surplusEurPerKwh,
    };
  });
}

/** MWh a year up to which each gas tariff goes, its bound included: RL.1 to RL.10 (Circular CNMC 6/2020). */
const GAS_BANDS_MWH = [5, 15, 50, 300, 1500, 5000, 15_000, 50_000, 150_000, 500_000];
/** The nearest to a bound that a band is certain: consumption of another year may lie beyond it. */
const BOUND_SHARE = 0.05;
/** Fewer days say nothing about a year. */
export const DAYS_OF_A_YEAR = 350;

/** The bits of `neededPrices` of some energy, and of what only six periods have. */
const ENERGY = ENERGY_BIT * 0b111111;
const MORE_THAN_THREE = ENERGY_BIT * 0b111000 + POWER_BIT * 0b111100;

/** What access tariffs depend on. */
export interface TariffUse {
  /** Whether some contracted power is above 15 kW; `null`: no power is known. */
  readonly isLarge: boolean | null;
  /** Three periods of energy and two of power, or more; `null`: no energy is known. */
  readonly periods: 3 | 6 | null;
  /** The numbers of the gas tariffs that the annual consumption may have, two near a bound; none where that is not known. */
  readonly gasBands: readonly number[];
}

/** `days`: of which the use is known. */
export type AnnualUse = Pick<Demand, 'annualMwh' | 'highestPowerKw'> & { readonly days: number };

/** @param needed - As `neededPrices` has it; 0: the periods are not known. */
export function tariffUseOf(supplyType: SupplyType, use: AnnualUse, needed: number): TariffUse {
  if (supplyType === 'GAS') return { isLarge: null, periods: null, gasBands: gasBandsOf(use) };
  const powerKw = use.highestPowerKw ?? 0;
  return {
    isLarge: powerKw > 0 ? powerKw > MAX_KW_OF_2_0TD : null,
    periods: (needed & MORE_THAN_THREE) !== 0 ? 6 : (needed & ENERGY) !== 0 ? 3 : null,
    gasBands: [],
  };
}

function gasBandsOf({ annualMwh, days }: AnnualUse): readonly number[] {
  if (days < DAYS_OF_A_YEAR) return [];
  const isNear = (bound: number) => roundHalfUp(Math.abs(annualMwh - bound), 6) <= bound * BOUND_SHARE;
  const nearest = GAS_BANDS_MWH.findIndex(isNear);
  if (nearest >= 0) return [nearest + 1, nearest + 2];
  return [GAS_BANDS_MWH.filter((most) => annualMwh > most).length + 1];
}

/** Whether a customer cannot have a tariff, as far as is known. Tariffs with other names than the law's are possible. */
export function isImpossible(tariff: string, { isLarge, periods, gasBands }: TariffUse): boolean {
  const band = gasBandOf(tariff);
  if (band !== null) return gasBands.length > 0 && !gasBands.includes(band);
  if (hasSixPeriods(tariff) && periods === 3) return true;
  return tariff === '2.0TD' ? isLarge === true : isOf3_0TD(tariff) && isLarge === false;
}

/** The tariffs to ask with: those of the ranked offers that the customer can have, else those of the law. */
export function tariffsToAsk(ranked: Iterable<string>, use: TariffUse): readonly string[] {
  const { isLarge, periods, gasBands } = use;
  const isMeant = (tariff: string) => TARIFF.test(tariff) && !isImpossible(tariff, use);
  const possible = [...ranked].filter((tariff) => isMeant(tariff) && !(tariff === '2.0TD' && periods === 6)).sort();
  if (possible.length > 0) return possible;
  if (gasBands.length > 0) return gasBands.map((band) => `RL.${band}`);
  return [isLarge === true ? '3.0TD' : '2.0TD'];
}

/** A tariff of the law: an account may have invented one for each of its offers. */
const TARIFF = /^(2\.0TD|3\.0TD(VE)?|6\.[1-4]TD(VE)?|RL\.([1-9]|1[01]))$/;
