// The prices of offers by row: those of a month, or the means, and the energy of calendar months.
import type { Month } from '../calendar.ts';
import type { OfferWithHistory } from '../offers/offer.ts';
import { PERIOD_COUNT } from '../periods.ts';
import {
  type Applied,
  type AppliedPrices,
  choosePrices,
  energyPricesByMonth,
  energyPricesOf,
  fixedPricesOf,
  type HistoryWindow,
  meanPrices,
} from './applied-price.ts';
import { APPLIES_BIT, ENERGY_BIT, FIXED_BIT, POWER_BIT } from './flags.ts';
import { type Move, moveList, moveNumbers } from './move.ts';

/** Numbers of a row of prices: energy P1 to P6, power P1 to P6, then the three named here, and one that is not used. */
export const ROW_PRICES = 16;
export const POWER_AT = PERIOD_COUNT;
export const FIXED_AT = 2 * PERIOD_COUNT;
export const SERVICES_AT = FIXED_AT + 1;
export const SURPLUS_AT = FIXED_AT + 2;

/** The prices of a month, or the means. */
export interface PriceRows {
  /** `ROW_PRICES` numbers a row; a missing price is 0 and has no bit. */
  readonly prices: Float64Array;
  /** The flags of each offer with the bits of its prices. */
  readonly mask: Int32Array;
  /** The prices of a row as an answer shows them, of those that were shown. */
  readonly chosen: (Applied | undefined)[];
}

/** Room for the prices of so many rows. */
export function priceRows(rowCount: number): PriceRows {
  const chosen = new Array<undefined>(rowCount).fill(undefined);
  return { prices: new Float64Array(ROW_PRICES * rowCount), mask: new Int32Array(rowCount), chosen };
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

function put({ prices: numbers, mask, chosen }: PriceRows, row: number, { offer, prices, flags }: Put): void {
  const at = row * ROW_PRICES;
  numbers.fill(0, at, at + ROW_PRICES);
  numbers[at + SERVICES_AT] = offer.servicesEurPerMonth ?? 0;
  if (offer.supplyType === 'LUZ' && offer.hasSolarPanels) numbers[at + SURPLUS_AT] = offer.surplusEurPerKwh ?? 0;
  mask[row] = prices === null ? flags : flags | APPLIES_BIT | putList(energyPricesOf(prices), numbers, at, ENERGY_BIT);
  chosen[row] = undefined;
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
    numbers[at + i] = price;
    bits |= bit << i;
  }
  return bits;
}

/** Prices after a move; those of changed rows are still to be written. */
export function movePrices({ prices, mask, chosen }: PriceRows, move: Move): PriceRows {
  return {
    prices: moveNumbers(prices, ROW_PRICES, move),
    mask: moveNumbers(mask, 1, move),
    chosen: moveList(chosen, move),
  };
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
