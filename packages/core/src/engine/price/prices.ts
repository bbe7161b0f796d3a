// The prices that apply to offers, as objects and by row of a table: the means of a history, or one month of it.
import { type Month, monthNumber, namedMonth } from '../calendar.ts';
import type { Exclusion } from '../offers/exclusion.ts';
import {
  type ElectricityPrices,
  factorOf,
  type GasPrices,
  type MonthlyPrice,
  type OfferWithHistory,
  type PartialOffer,
} from '../offers/offer.ts';
import { PERIOD_COUNT, perPeriod } from '../periods.ts';
import type { Demand } from './customer.ts';

/** The prices that a calculation uses: an offer's own ones, or those of its monthly history. */
export type AppliedPrices = ElectricityPrices | GasPrices;

/** Where the prices of an indexed offer come from. */
export type PriceOrigin =
  | {
      /** Mean of the monthly rows of the last 12 calendar months of the history. */
      readonly mode: 'media';
      /** How many rows were averaged. */
      readonly monthCount: number;
      readonly fromMonth: Month;
      readonly toMonth: Month;
      //
      /** The months of a profile gave the energy prices, and the mean only where there is no month. */
      readonly isWeighted: boolean;
    }
  | { readonly mode: 'mes'; readonly month: Month };

/** How many calendar months the mean covers, including the latest stored month. */
export const MEAN_WINDOW_MONTHS = 12;

/** Prices with their origin; `null`: the offer's own. */
export interface Applied {
  readonly prices: AppliedPrices;
  readonly origin: PriceOrigin | null;
}

/** The prices to use, with their origin (`null`: the offer's own), or why an indexed offer has none. */
type PriceChoice =
  | (Applied & { readonly found: true })
  | { readonly found: false; readonly reason: 'sin_historico' | 'sin_mes' };

type PriceField = 'isIndexed' | 'energyEurPerKwh' | 'powerEurPerKwDay' | 'gasEnergyEurPerKwh' | 'gasFixedEurPerMonth';

/** The fields of an offer that determine its prices. */
type PricedOffer = PartialOffer<PriceField>;
type PricedEntry = Pick<OfferWithHistory, 'months'> & { readonly offer: PricedOffer };

//
/**
 * The prices that apply to an offer. An offer that is not indexed has its own. An indexed one has the mean of its
 * history, column by column, or one month of it; power and the gas fixed term fall back to the offer's own price
 * where the rows have none, energy never does.
 *
 * @param month - The month asked for, or `null` for the mean.
 */
export function choosePrices(entry: PricedEntry, month: Month | null): PriceChoice {
  if (!entry.offer.isIndexed) return { found: true, prices: ownPrices(entry.offer), origin: null };
  const { offer, months } = entry;
  if (month !== null) {
    const row = months.find((candidate) => candidate.month === month);
    // Read only where it is not found, because each offer of a ranking comes here.
    const named = row ? month : namedMonth(month);
    if (named !== month) return choosePrices(entry, named);
    if (!row) return { found: false, reason: months.length === 0 ? 'sin_historico' : 'sin_mes' };
    return { found: true, prices: pricesOf(offer, [row]), origin: { mode: 'mes', month } };
  }
  return meanOfHistory(entry);
}

function meanOfHistory(entry: PricedEntry): PriceChoice {
  const mean = meanPrices(entry);
  if (!mean) return { found: false, reason: 'sin_historico' };
  const { monthCount, fromMonth, toMonth } = mean.window;
  return {
    found: true,
    prices: mean.prices,
    origin: { mode: 'media', monthCount, fromMonth, toMonth, isWeighted: false },
  };
}

/** The months that the mean of an indexed offer is made of. */
export interface HistoryWindow {
  readonly fromMonth: Month;
  readonly toMonth: Month;
  readonly monthCount: number;
  /** How many months have each price: energy P1 to P6, then power, or the fixed term of gas in its first. */
  readonly counts: readonly number[];
}

/** The mean of the history of an indexed offer, column by column; `null`: it has none. */
export function meanPrices({
  offer,
  months,
}: PricedEntry): { readonly prices: AppliedPrices; readonly window: HistoryWindow } | null {
  const toMonth = months.at(-1)?.month;
  if (toMonth === undefined) return null;
  const earliest = monthNumber(toMonth) - MEAN_WINDOW_MONTHS + 1;
  const first = months.findIndex(({ month }) => monthNumber(month) >= earliest);
  const prices = pricesOf(offer, first === 0 ? months : months.slice(first));
  const fromMonth = months[first]?.month ?? toMonth;
  return { prices, window: { fromMonth, toMonth, monthCount: months.length - first, counts: [...COUNTS] } };
}

/** Prices of energy by period, P1 first; one for gas. */
export function energyPricesOf(prices: AppliedPrices): readonly (number | null)[] {
  return prices.supplyType === 'LUZ' ? prices.energyEurPerKwh : [prices.gasEnergyEurPerKwh];
}

/** The energy prices of the months of a mean, by calendar month, 1 to 12, each at most once. */
export function energyPricesByMonth(
  months: readonly MonthlyPrice[],
  origin: PriceOrigin | null,
): ReadonlyMap<number, readonly (number | null)[]> {
  const rows = origin?.mode === 'media' ? months.slice(-origin.monthCount) : [];
  return new Map(rows.map((row) => [Number(row.month.slice(5, 7)), energyPricesOf(row)]));
}

function ownPrices(offer: PricedOffer): AppliedPrices {
  if (offer.supplyType === 'LUZ') {
    const { energyEurPerKwh, powerEurPerKwDay } = offer;
    return { supplyType: 'LUZ', energyEurPerKwh, powerEurPerKwDay };
  }
  const { gasEnergyEurPerKwh, gasFixedEurPerMonth } = offer;
  return { supplyType: 'GAS', gasEnergyEurPerKwh, gasFixedEurPerMonth };
}

/** The prices of an offer from rows of its history, oldest first. */
function pricesOf(offer: PricedOffer, rows: readonly MonthlyPrice[]): AppliedPrices {
  addUp(rows);
  if (offer.supplyType === 'LUZ') {
    const own = offer.powerEurPerKwDay;
    return {
      supplyType: 'LUZ',
      energyEurPerKwh: perPeriod(meanAt),
      powerEurPerKwDay: perPeriod((i) => meanAt(PERIOD_COUNT + i) ?? own[i] ?? null),
    };
  }
  const gasFixedEurPerMonth = meanAt(PERIOD_COUNT) ?? offer.gasFixedEurPerMonth;
  return { supplyType: 'GAS', gasEnergyEurPerKwh: meanAt(0), gasFixedEurPerMonth };
}

/** Prices of power by period, P1 first; the fixed term for gas. */
export function fixedPricesOf(prices: AppliedPrices): readonly (number | null)[] {
  return prices.supplyType === 'LUZ' ? prices.powerEurPerKwDay : [prices.gasFixedEurPerMonth];
}

/** The sum of each column of some months, as a window counts them, and how many prices it has. */
const SUMS = /* @__PURE__ */ new Float64Array(2 * PERIOD_COUNT);
const COUNTS = /* @__PURE__ */ new Int32Array(2 * PERIOD_COUNT);

/** Adds up the prices that exist, oldest first. */
function addUp(rows: readonly MonthlyPrice[]): void {
  SUMS.fill(0);
  COUNTS.fill(0);
  for (const row of rows) {
    addPrices(energyPricesOf(row), 0);
    addPrices(fixedPricesOf(row), PERIOD_COUNT);
  }
}

function addPrices(prices: readonly (number | null)[], at: number): void {
  for (let i = 0; i < prices.length; i++) {
    const price = prices[i] ?? null;
    if (price === null) continue;
    SUMS[at + i] = (SUMS[at + i] as number) + price;
    COUNTS[at + i] = (COUNTS[at + i] as number) + 1;
  }
}

/** The mean of a column; `null` where it has no price. */
function meanAt(column: number): number | null {
  const count = COUNTS[column] as number;
  return count === 0 ? null : (SUMS[column] as number) / count;
}

/** Bits for the prices that an offer has, and for whether it has any prices to apply. */
export const ENERGY_BIT = 1;
export const POWER_BIT = 1 << PERIOD_COUNT;
export const FIXED_BIT = 1 << (2 * PERIOD_COUNT);
export const APPLIES_BIT = FIXED_BIT << 1;

/**
 * The bits without which an offer is not ranked for this customer: prices to apply, and a price for every period with
 * consumption or contracted power; for gas always both prices.
 *
 * @see docs/assumptions.md, A-10
 */
export function neededPrices({ customer }: Demand): number {
  if (customer.supplyType === 'GAS') return ENERGY_BIT | FIXED_BIT;
  const bits = (quantities: readonly number[], first: number) =>
    quantities.reduce((sum, quantity, period) => (quantity > 0 ? sum | (first << period) : sum), 0);
  return APPLIES_BIT | bits(customer.consumptionKwh, ENERGY_BIT) | bits(customer.powerKw, POWER_BIT);
}

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

/** Numbers of a row of prices: energy P1 to P6, power P1 to P6, then the four named here. */
export const ROW_PRICES = 16;
export const POWER_AT = PERIOD_COUNT;
export const FIXED_AT = 2 * PERIOD_COUNT;
export const SERVICES_AT = FIXED_AT + 1;
export const SURPLUS_AT = FIXED_AT + 2;
/** EUR of a price of energy for one EUR of the index that it follows. */
export const FACTOR_AT = FIXED_AT + 3;

/** Numbers of a row of discounts: the shares of energy and of power that it takes off, and its months. */
export const ROW_DISCOUNTS = 3;

/** The prices of a month, or the means. */
export interface PriceRows {
  /** `ROW_PRICES` numbers a row; a missing price is 0 and has no bit. */
  readonly prices: Float64Array;
  /** The flags of each offer with the bits of its prices. */
  readonly mask: Int32Array;
  /** The prices of a row as an answer shows them, of those that were shown. */
  readonly chosen: Map<number, Applied>;
}

/** Room for the prices of so many rows. */
export function newPriceRows(rowCount: number): PriceRows {
  return { prices: new Float64Array(ROW_PRICES * rowCount), mask: new Int32Array(rowCount), chosen: new Map() };
}

/** Writes the own prices of an offer, or the means of its history, whose window is returned. */
export function putMeans(rows: PriceRows, row: number, entry: OfferWithHistory, flags: number): HistoryWindow | null {
  const { offer } = entry;
  if (!offer.isIndexed) {
    put(rows, row, { offer, prices: offer, flags });
    return null;
  }
  const mean = meanPrices(entry);
  put(rows, row, { offer, prices: mean?.prices ?? null, flags });
  return mean?.window ?? null;
}

/** Writes the prices of a month. */
export function putMonth(rows: PriceRows, row: number, entry: OfferWithHistory, of: MonthOfRow): void {
  const { offer } = entry;
  const choice = offer.isIndexed ? choosePrices(entry, of.month) : null;
  const prices = choice === null ? offer : choice.found ? choice.prices : null;
  put(rows, row, { offer, prices, flags: of.flags });
}

interface MonthOfRow {
  readonly month: Month;
  readonly flags: number;
}

interface Put extends Pick<OfferWithHistory, 'offer'> {
  /** `null`: none apply. */
  readonly prices: AppliedPrices | null;
  readonly flags: number;
}

function put({ prices: numbers, mask }: PriceRows, row: number, { offer, prices, flags }: Put): void {
  const at = row * ROW_PRICES;
  numbers.fill(0, at, at + ROW_PRICES);
  // A price of -0 would show in the parts of a cost; 0 more is 0.
  numbers[at + SERVICES_AT] = (offer.servicesEurPerMonth ?? 0) + 0;
  // A price below 0, which a present contract may have, credits nothing.
  numbers[at + FACTOR_AT] = factorOf(offer) + 0;
  if (offer.supplyType === 'LUZ' && offer.hasSolarPanels)
    numbers[at + SURPLUS_AT] = Math.max(0, offer.surplusEurPerKwh ?? 0);
  mask[row] = prices === null ? flags : flags | APPLIES_BIT | putList(energyPricesOf(prices), numbers, at, ENERGY_BIT);
  if (prices === null) return;
  const isGas = offer.supplyType === 'GAS';
  const [fixedAt, bit] = isGas ? [FIXED_AT, FIXED_BIT] : [POWER_AT, POWER_BIT];
  mask[row] = (mask[row] as number) | putList(fixedPricesOf(prices), numbers, at + fixedAt, bit);
}

/** Writes prices one after the other. Returns the bits of those that exist. */
function putList(values: readonly (number | null)[], numbers: Float64Array, at: number, bit: number): number {
  let bits = 0;
  for (let i = 0; i < values.length; i++) {
    const price = values[i] ?? null;
    if (price === null) continue;
    numbers[at + i] = price + 0;
    bits |= bit << i;
  }
  return bits;
}

/** The energy of calendar months of indexed rows. */
export interface MonthlyEnergy {
  /** Where the twelve months of each row begin; -1: it is not indexed, or has no mean. */
  readonly at: Int32Array;
  /** Six numbers a month, its own price or else the mean: NaN first where a row has no such month. */
  readonly energy: Float64Array;
}

const ROW_MONTHS = 12 * PERIOD_COUNT;

/** @param monthsAt - Of the rows that are indexed. */
export function monthlyEnergy(
  means: PriceRows,
  isIndexed: (row: number) => boolean,
  monthsAt: (row: number) => OfferWithHistory,
): MonthlyEnergy {
  const at = new Int32Array(means.mask.length).fill(-1);
  let end = 0;
  for (let row = 0; row < at.length; row++) {
    if (!isIndexed(row) || ((means.mask[row] as number) & APPLIES_BIT) === 0) continue;
    at[row] = end;
    end += ROW_MONTHS;
  }
  const energy = new Float64Array(end).fill(Number.NaN);
  for (let row = 0; row < at.length; row++) {
    const first = at[row] as number;
    if (first >= 0) putMonths(energy, first, monthsAt(row), means.prices.subarray(row * ROW_PRICES));
  }
  return { at, energy };
}

function putMonths(energy: Float64Array, first: number, entry: OfferWithHistory, means: Float64Array): void {
  const choice = choosePrices(entry, null);
  if (!choice.found) return;
  for (const [month, own] of energyPricesByMonth(entry.months, choice.origin)) {
    const at = first + (month - 1) * PERIOD_COUNT;
    for (let i = 0; i < PERIOD_COUNT; i++) energy[at + i] = own[i] ?? (means[i] as number);
  }
}
