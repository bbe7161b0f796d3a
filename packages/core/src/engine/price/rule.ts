// The rule of cost and commission, for some rows of a table and one customer; a single offer is a table of one row. All that
// is ranked is by it. What explains a figure splits it into lines by the same formulas (cost.ts, ../commission/commission.ts,
// ../rank/reasons.ts); the oracle and the laws see to it that both agree.
import { type HourlyTerms, NO_HOURS } from '../consumption/hourly-prices.ts';
import { roundHalfUp } from '../numbers.ts';
import type { SupplyType } from '../offers/offer.ts';
import { PERIOD_COUNT } from '../periods.ts';
import { DISCOUNTED, SSAA_SEPARATE } from './conditions.ts';
import type { CalculationPeriod, Demand } from './customer.ts';
import {
  FACTOR_AT,
  FIXED_AT,
  type MonthlyEnergy,
  POWER_AT,
  ROW_DISCOUNTS,
  ROW_PRICES,
  SERVICES_AT,
  SURPLUS_AT,
} from './prices.ts';
import { amountAt, type Rates, tiersAt } from './rows.ts';

/** Figures of rows, one array for each, EUR. A row of figures has the place of its row of a table in `rows`. */
export interface Figures {
  readonly rows: Int32Array;
  readonly ids: Float64Array;
  /** The parts of the cost. */
  readonly parts: Readonly<Record<CostPartName, Float64Array>>;
  readonly total: Float64Array;
  readonly paidEnergy: Float64Array;
  readonly paidPower: Float64Array;
  readonly paid: Float64Array;
  readonly score: Float64Array;
}

/** Room for the figures of so many rows. */
export function figuresFor(rowCount: number): Figures {
  const doubles = () => new Float64Array(rowCount);
  return {
    ...{ rows: new Int32Array(rowCount), ids: doubles(), parts: byPart(doubles), total: doubles() },
    ...{ paidEnergy: doubles(), paidPower: doubles(), paid: doubles(), score: doubles() },
  };
}

/** What the rule reads of a table. */
interface RuledRows {
  readonly flags: Int32Array;
  readonly kindSlots: Uint16Array;
  readonly discounts: Float64Array;
  readonly rates: { readonly consumption: Rates; readonly power: Rates };
}

/** Which figures: those from `from` to `end`, excluded, are of rows of the table. */
export interface Stretch<Rows = RuledRows> {
  readonly table: Rows;
  readonly from: number;
  readonly end: number;
}

/**
 * The cost of rows that have every price the customer needs. Energy and surplus go part by part: in each the surplus offsets
 * the energy of that part alone. The hours of a part add to its prices of energy, and give its surplus a price. The order
 * of the additions, that of the parts of the cost, is part of the definition.
 *
 * @see docs/assumptions.md, A-07 to
 */
export function priceRows(
  { table: { flags, kindSlots, discounts }, from, end }: Stretch,
  { prices, monthly, hours }: RowPrices,
  demand: Demand,
  { rows, parts, total }: Figures,
): void {
  const { customer, period, energyFeeEur, powerFeeEur, ssaaEur } = demand;
  const { energyEur: energy, powerEur: power, fixedEur: fixed, surplusEur: surplus, servicesEur: services } = parts;
  const partCount = demand.parts.length;
  const used = quantitiesOf(demand);
  const contracted = doublesOf(customer.supplyType === 'LUZ' ? customer.powerKw : []);
  const { days, months } = period;
  const apart = ssaaEur > 0 ? SSAA_SEPARATE : 0;
  for (let at = from; at < end; at++) {
    const row = rows[at] as number;
    const first = row * ROW_PRICES;
    const bits = flags[row] as number;
    const discount = (bits & DISCOUNTED) === 0 ? -1 : row * ROW_DISCOUNTS;
    const hourly = hours === null ? NO_HOURS : (hours[kindSlots[row] as number] as HourlyTerms[number]);
    const { addedEur, worthEur } = hourly;
    let energyEur = 0;
    let creditEur = 0;
    for (let part = 0; part < partCount; part++) {
      const quantities = part * PART_NUMBERS;
      const own = monthly === null ? -1 : monthAt(monthly, row, used[quantities + MONTH_AT] as number);
      let partEur =
        monthly === null || own < 0
          ? sumOf(used, quantities, prices, first)
          : sumOf(used, quantities, monthly.energy, own);
      if (addedEur !== null) partEur += (prices[first + FACTOR_AT] as number) * (addedEur[part] as number);
      if (discount >= 0) {
        partEur *= energyFactor(discounts[discount] as number, discounts[discount + 2] as number, demand, part);
      }
      energyEur += partEur;
      const byHours = worthEur === null ? Number.NaN : (worthEur[part] as number);
      const byPrice = (used[quantities + EXPORTED_AT] as number) * (prices[first + SURPLUS_AT] as number);
      creditEur += creditOf(Number.isNaN(byHours) ? byPrice : byHours, partEur);
    }
    let powerEur = sumOf(contracted, 0, prices, first + POWER_AT) * days;
    if (discount >= 0) {
      powerEur *= powerFactor(discounts[discount + 1] as number, discounts[discount + 2] as number, period);
    }
    let sum = 0;
    sum += energy[at] = energyEur + energyFeeEur;
    sum += power[at] = powerEur + powerFeeEur;
    sum += fixed[at] = (prices[first + FIXED_AT] as number) * months;
    sum += surplus[at] = 0 - creditEur;
    sum += services[at] = (prices[first + SERVICES_AT] as number) * months;
    if ((bits & apart) !== 0) sum += ssaaEur;
    total[at] = roundHalfUp(sum, 6);
  }
}

/** The prices of rows. */
export interface RowPrices {
  readonly prices: Float64Array;
  /** Those of calendar months; `null` where the mean, or one month, applies to all. */
  readonly monthly: MonthlyEnergy | null;
  /** What hours add; `null`: nothing. */
  readonly hours: HourlyTerms | null;
}

/** Numbers of a part of the period: kWh by period, then those that are exported, and the calendar month; 0: none. */
const EXPORTED_AT = PERIOD_COUNT;
const MONTH_AT = PERIOD_COUNT + 1;
const PART_NUMBERS = PERIOD_COUNT + 2;

/** The parts of the period as doubles, because whole numbers would be converted again for each row. */
function quantitiesOf({ parts }: Demand): Float64Array {
  const numbers = new Float64Array(PART_NUMBERS * parts.length);
  parts.forEach(({ consumptionKwh, exportedKwh, month }, part) => {
    numbers.set(consumptionKwh, PART_NUMBERS * part);
    numbers[PART_NUMBERS * part + EXPORTED_AT] = exportedKwh;
    numbers[PART_NUMBERS * part + MONTH_AT] = month ?? 0;
  });
  return numbers;
}

/** Six quantities as doubles. */
function doublesOf(quantities: readonly number[]): Float64Array {
  const doubles = new Float64Array(PERIOD_COUNT);
  doubles.set(quantities);
  return doubles;
}

/** The sum of six products, from a place on of each. */
function sumOf(quantities: Float64Array, from: number, prices: Float64Array, at: number): number {
  return (
    0 +
    (quantities[from] as number) * (prices[at] as number) +
    (quantities[from + 1] as number) * (prices[at + 1] as number) +
    (quantities[from + 2] as number) * (prices[at + 2] as number) +
    (quantities[from + 3] as number) * (prices[at + 3] as number) +
    (quantities[from + 4] as number) * (prices[at + 4] as number) +
    (quantities[from + 5] as number) * (prices[at + 5] as number)
  );
}

/**
 * What exported energy is worth, EUR: at most the cost of the energy bought in the same time, because surplus offsets
 * energy and never power (RD 244/2019, art. 14.3). The law caps each billing month; one cap over a longer time assumes
 * that consumption and surplus are spread evenly. By comparisons, which take a tenth of the time of `Math.min`.
 *
 * @param worthEur - From 0.
 * @see docs/assumptions.md, A-08
 */
function creditOf(worthEur: number, energyEur: number): number {
  if (worthEur < energyEur) return worthEur;
  return energyEur > 0 ? energyEur : 0;
}

/** Where the energy prices of a calendar month (0: none) of a row stand; -1: it has none, and those of the row apply. */
export function monthAt({ at, energy }: MonthlyEnergy, row: number, month: number): number {
  const first = at[row] as number;
  if (first < 0 || month === 0) return -1;
  const own = first + (month - 1) * PERIOD_COUNT;
  return Number.isNaN(energy[own] as number) ? -1 : own;
}

/**
 * What rows pay the advisor per contract-year, fees included.
 *
 * @see docs/assumptions.md, A-09 and
 */
export function payRows({ table, from, end }: PaidStretch, demand: AnnualDemand, figures: Figures): void {
  const { annualMwh, highestPowerKw, energyFeeEurPerYear, powerFeeEurPerYear } = demand;
  const { rows, paid, paidEnergy, paidPower } = figures;
  const { consumption, power } = table.rates;
  addPaid(consumption, annualMwh, energyFeeEurPerYear, { rows, from, end }, paidEnergy);
  if (highestPowerKw === null) paidPower.fill(powerFeeEurPerYear, from, end);
  else addPaid(power, highestPowerKw, powerFeeEurPerYear, { rows, from, end }, paidPower);
  for (let at = from; at < end; at++) {
    paid[at] = roundHalfUp((paidEnergy[at] as number) + (paidPower[at] as number), 6);
  }
}

/** What rows pay at a quantity, with a fee. */
function addPaid(
  rates: Rates,
  quantity: number,
  feeEur: number,
  { rows, from, end }: Pick<Figures, 'rows'> & Omit<Stretch, 'table'>,
  paid: Float64Array,
): void {
  const tierOf = tiersAt(rates, quantity);
  const { starts, tiers } = rates;
  for (let at = from; at < end; at++) {
    const amount = amountAt(starts, tierOf, rows[at] as number);
    paid[at] = (tiers[amount] as number) + (tiers[amount + 1] as number) * quantity + feeEur;
  }
}

/** The same of a table, as far as commissions depend on it. */
type PaidStretch = Stretch<Pick<RuledRows, 'rates'>>;

/** The part of a demand that commissions depend on. */
export type AnnualDemand = Pick<Demand, 'annualMwh' | 'highestPowerKw' | 'energyFeeEurPerYear' | 'powerFeeEurPerYear'>;

interface CostPartSpec {
  /** The name in JSON and in the columns of spreadsheets. */
  readonly wire: string;
  /** -1: a credit, which is never positive. */
  readonly sign: 1 | -1;
  /** The only supply whose tables on a terminal have a column for it. */
  readonly supply?: SupplyType;
  readonly es: string;
  readonly en: string;
  /** The English name in the columns of a terminal, where it is too long. */
  readonly short?: string;
  /** What it is, for OpenAPI. */
  readonly about: string;
}

/** The rows, in the order of the wire, in which they are added up. */
const TABLE = {
  energyEur: { wire: 'energia', sign: 1, es: 'Energía', en: 'Energy', about: 'Energy with its fee' },
  powerEur: { wire: 'potencia', sign: 1, supply: 'LUZ', es: 'Potencia', en: 'Power', about: 'Power with its fee' },
  fixedEur: { wire: 'fijo', sign: 1, supply: 'GAS', es: 'Fijo', en: 'Fixed', about: 'Fixed term of gas' },
  surplusEur: {
    wire: 'excedentes',
    sign: -1,
    es: 'Excedentes',
    en: 'Surplus',
    short: 'surpl.',
    about: 'Credit for exported energy, 0 or negative',
  },
  servicesEur: { wire: 'servicios', sign: 1, es: 'Servicios', en: 'Services', short: 'serv.', about: 'Extra services' },
} as const satisfies Readonly<Record<string, CostPartSpec>>;

/** A part of the cost by its name in a breakdown. */
export type CostPartName = keyof typeof TABLE;

/** A part of the cost with its names. */
export interface CostPart extends CostPartSpec {
  readonly name: CostPartName;
  readonly wire: (typeof TABLE)[CostPartName]['wire'];
}

/** The parts of the cost, in the order of the wire. */
export const COST_PARTS: readonly CostPart[] = (Object.keys(TABLE) as CostPartName[]).map((name) => ({
  name,
  ...TABLE[name],
}));

/** One value for each part. */
export function byPart<T>(make: (name: CostPartName) => T): Record<CostPartName, T> {
  return Object.fromEntries(COST_PARTS.map(({ name }) => [name, make(name)])) as Record<CostPartName, T>;
}

/** The part that a cost has only where it is asked for. */
export const SSAA_PART = {
  name: 'ssaaEur',
  wire: 'ssaa',
  sign: 1,
  supply: 'LUZ',
  es: 'Servicios de ajuste',
  en: 'Balancing',
  short: 'bal.',
  about: 'Balancing services, only with `ssaa_eur_mwh` and an offer that bills them apart',
} as const;

/** The parts of the cost in the order in which they are shown to people: credits last. */
export const SHOWN_COST_PARTS: readonly CostPart[] = COST_PARTS.toSorted((a, b) => b.sign - a.sign);

/** The same, with the part of balancing services where some of the costs has it. */
export function shownPartsOf(costs: readonly { readonly ssaa?: number | undefined }[]) {
  const charges = SHOWN_COST_PARTS.filter(({ sign }) => sign > 0);
  const credits = SHOWN_COST_PARTS.filter(({ sign }) => sign < 0);
  return [...charges, ...(costs.some(({ ssaa }) => ssaa !== undefined) ? [SSAA_PART] : []), ...credits];
}

/** The parts of the commission of a ranked offer, in the order of the wire. */
export const COMMISSION_PARTS = [
  { name: 'energyEur', wire: 'energia', about: 'By consumption' },
  { name: 'powerEur', wire: 'potencia', about: 'By power' },
] as const;

// What a discount leaves of prices, as factors from 0 to 1, in a period that begins with it.

/** The parts have the days of the period. */
interface DiscountedTime {
  readonly period: CalculationPeriod;
  readonly parts: readonly { readonly days: number }[];
}

/** Of the period, the share that has the discount. */
function discountedShare(discountMonths: number, { months }: CalculationPeriod): number {
  return Math.min(1, discountMonths / months);
}

/** Of the prices of energy in one part of the period. The first parts use up the months, in proportion of their days. */
export function energyFactor(
  energyShare: number,
  discountMonths: number,
  { period, parts }: DiscountedTime,
  part: number,
): number {
  let daysLeft = discountedShare(discountMonths, period) * period.days;
  let days = 0;
  let discountedDays = 0;
  for (let at = 0; at <= part; at++) {
    days = parts[at]?.days ?? 0;
    discountedDays = Math.min(daysLeft, days);
    daysLeft -= discountedDays;
  }
  return 1 - energyShare * (discountedDays / days);
}

/** Of the prices of power. */
export function powerFactor(powerShare: number, discountMonths: number, period: CalculationPeriod): number {
  return 1 - powerShare * discountedShare(discountMonths, period);
}
