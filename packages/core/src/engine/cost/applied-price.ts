import { type Month, monthNumber, namedMonth } from '../calendar.ts';
import type { ElectricityPrices, GasPrices, MonthlyPrice, OfferWithHistory } from '../offers/offer.ts';
import type { PartialOffer } from '../offers/offer-columns.ts';
import { perPeriod } from '../periods.ts';

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

/**
 * The prices that apply to an offer. An offer that is not indexed has its own. An indexed one has the mean of its
 * history, column by column, or one month of it; power and the gas fixed term fall back to the offer's own price
 * where the rows have none, energy never does.
 *
 * @param month - The month asked for, or `null` for the mean.
 * @see docs/assumptions.md, A-10 and A-11
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

function meanOfHistory({ offer, months }: PricedEntry): PriceChoice {
  const window = meanWindow(months.map((row) => row.month));
  if (!window) return { found: false, reason: 'sin_historico' };
  const prices = pricesOf(offer, months.slice(-window.monthCount));
  return { found: true, prices, origin: { mode: 'media', ...window, isWeighted: false } };
}

/** An offer with each 12 consecutive calendar months of its history, oldest first. */
export function yearsOf({ offer, months }: OfferWithHistory): readonly OfferWithHistory[] {
  const numbers = months.map(({ month }) => monthNumber(month));
  return months.flatMap((_, first): readonly OfferWithHistory[] => {
    const end = first + MEAN_WINDOW_MONTHS;
    const isWhole = (numbers[end - 1] ?? Number.NaN) - (numbers[first] ?? 0) === MEAN_WINDOW_MONTHS - 1;
    return isWhole ? [{ offer, months: months.slice(first, end) }] : [];
  });
}

/**
 * The months of a mean.
 *
 * @param months - Of a history, oldest first; `null` where it has none.
 */
export function meanWindow(
  months: readonly Month[],
): Omit<Extract<PriceOrigin, { mode: 'media' }>, 'mode' | 'isWeighted'> | null {
  const toMonth = months.at(-1);
  if (toMonth === undefined) return null;
  const earliest = monthNumber(toMonth) - MEAN_WINDOW_MONTHS + 1;
  const first = months.findIndex((month) => monthNumber(month) >= earliest);
  return { monthCount: months.length - first, fromMonth: months[first] ?? toMonth, toMonth };
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
  if (offer.supplyType === 'LUZ') {
    const own = offer.powerEurPerKwDay;
    return {
      supplyType: 'LUZ',
      energyEurPerKwh: perPeriod((i) => meanOf(rows, energyPricesOf, i)),
      powerEurPerKwDay: perPeriod((i) => meanOf(rows, fixedPricesOf, i) ?? own[i] ?? null),
    };
  }
  const gasFixedEurPerMonth = meanOf(rows, fixedPricesOf, 0) ?? offer.gasFixedEurPerMonth;
  return { supplyType: 'GAS', gasEnergyEurPerKwh: meanOf(rows, energyPricesOf, 0), gasFixedEurPerMonth };
}

/** Prices of power by period, P1 first; the fixed term for gas. */
export function fixedPricesOf(prices: AppliedPrices): readonly (number | null)[] {
  return prices.supplyType === 'LUZ' ? prices.powerEurPerKwDay : [prices.gasFixedEurPerMonth];
}

/** The mean of the prices that exist in a period, oldest first; `null` when there is none. */
function meanOf(rows: readonly MonthlyPrice[], pricesIn: typeof energyPricesOf, period: number): number | null {
  let sum = 0;
  let count = 0;
  for (const row of rows) {
    const price = pricesIn(row)[period] ?? null;
    if (price === null) continue;
    sum += price;
    count++;
  }
  return count === 0 ? null : sum / count;
}
