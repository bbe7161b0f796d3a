import { type Month, monthNumber, namedMonth } from '../calendar.ts';
import type { ElectricityPrices, GasPrices, MonthlyPrice, OfferWithHistory, PartialOffer } from '../offers/offer.ts';
import { PERIOD_COUNT, perPeriod } from '../periods.ts';

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

/** An offer with each 12 consecutive calendar months of its history, oldest first. */
export function yearsOf({ offer, months }: OfferWithHistory): readonly OfferWithHistory[] {
  const numbers = months.map(({ month }) => monthNumber(month));
  return months.flatMap((_, first): readonly OfferWithHistory[] => {
    const end = first + MEAN_WINDOW_MONTHS;
    const isWhole = (numbers[end - 1] ?? Number.NaN) - (numbers[first] ?? 0) === MEAN_WINDOW_MONTHS - 1;
    return isWhole ? [{ offer, months: months.slice(first, end) }] : [];
  });
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
