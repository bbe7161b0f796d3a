import type { Month } from '../calendar.ts';
import type { ConsumptionTerms, PowerTerms } from '../commission/commission.ts';
import { checkTierQuantity } from '../commission/tier.ts';
import { assert } from '../errors.ts';
import type { OfferWithHistory } from '../offers/offer.ts';
import { PERIOD_COUNT } from '../periods.ts';
import { type Applied, choosePrices } from './applied-price.ts';
import { byPart, COST_PARTS, type CostPartName } from './cost-parts.ts';
import { type Demand, YEAR } from './customer.ts';
import { APPLIES_BIT, ENERGY_BIT, FIXED_BIT, neededPrices, POWER_BIT, SSAA_SEPARATE } from './flags.ts';
import { type Exclusion, limitExclusion } from './limits.ts';
import { ratesOf } from './rates.ts';
import { type AnnualDemand, type Figures, figuresFor, monthAt, payRows, priceRows } from './rule.ts';
import { compileTable, entryAt, monthlyIn, pricesAt, type Table } from './table.ts';

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
  const table = compileTable(supplyType, [{ entry, key: 0 }]);
  const { mask } = pricesAt(table, month);
  const exclusion = missingPrice(entry, mask[0] ?? 0, { needed: neededPrices(demand), month });
  if (exclusion) return { priced: false, exclusion };
  priceRows({ table, from: 0, end: 1 }, month, demand, ONE_ROW);
  return { priced: true, cost: costAt(table, ONE_ROW, 0, demand), ...appliedAt(table, 0, { demand, month }) };
}

/** Figures of one offer at a time. */
const ONE_ROW = /* @__PURE__ */ figuresFor(1);

/**
 * Why an offer that is not outside its limits has no cost: no prices that apply, or the first period in which something is
 * consumed or contracted and there is no price; `null`: it has one.
 *
 * @param bits - Of the prices that it has.
 */
export function missingPrice(
  { offer, months }: OfferWithHistory,
  bits: number,
  { needed, month }: { readonly needed: number; readonly month: Month | null },
): Exclusion | null {
  if ((bits & APPLIES_BIT) === 0) return { code: months.length === 0 || month === null ? 'sin_historico' : 'sin_mes' };
  const missing = needed & ~bits;
  if (offer.supplyType === 'GAS') return (missing & (ENERGY_BIT | FIXED_BIT)) === 0 ? null : { code: 'sin_precio_gas' };
  const energyPeriod = firstOf(missing, ENERGY_BIT);
  if (energyPeriod > 0) return { code: 'sin_precio_energia', period: energyPeriod };
  const powerPeriod = firstOf(missing, POWER_BIT);
  return powerPeriod > 0 ? { code: 'sin_precio_potencia', period: powerPeriod } : null;
}

/** The first period (1 to 6) that has a bit; 0 when there is none. */
function firstOf(bits: number, first: number): number {
  for (let i = 0; i < PERIOD_COUNT; i++) if ((bits & (first << i)) !== 0) return i + 1;
  return 0;
}

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
  const isWeighted = demand.parts.some((part) => monthAt(monthly, row, part.month) >= 0);
  return isWeighted ? { prices, origin: { ...origin, isWeighted } } : chosen;
}

/** The prices of a row as an answer shows them; the same object each time. */
function chosenAt(table: Table, row: number, month: Month | null): Applied {
  const { chosen } = pricesAt(table, month);
  const known = chosen[row];
  if (known) return known;
  const choice = choosePrices(entryAt(table, row), month);
  assert(choice.found, 'an offer that has a cost has prices');
  const { prices, origin } = choice;
  const applied = { prices, origin };
  chosen[row] = applied;
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
