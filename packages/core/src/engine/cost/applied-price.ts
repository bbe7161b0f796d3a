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

/** The means of entries that are priced often. Caching those of others takes longer than computing them. */
const MEANS = new WeakMap<PricedEntry, PriceChoice>();

/** Computes the mean of an entry once. The entry must not be changed afterwards. */
export function rememberMean(entry: PricedEntry): void {
  // Stryker disable next-line ConditionalExpression: the prices of others would be remembered and never asked for
  if (entry.offer.isIndexed) MEANS.set(entry, choosePrices(entry, null));
}

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
  return chooseFromHistory(entry, month);
}

/**
 * The same for an indexed offer. Parts of offers, as blocks read them, come only here: with one more shape of offers the
 * engine would look up every field of every offer that is priced.
 */
export function chooseFromHistory(entry: PricedEntry, month: Month | null): PriceChoice {
  const { offer, months } = entry;
  if (month !== null) {
    const row = months.find((candidate) => candidate.month === month);
    // Read only where it is not found, because each offer of a ranking comes here.
    const named = row ? month : namedMonth(month);
    if (named !== month) return chooseFromHistory(entry, named);
    if (!row) return { found: false, reason: months.length === 0 ? 'sin_historico' : 'sin_mes' };
    return { found: true, prices: pricesOf(offer, columnsOf([row])), origin: { mode: 'mes', month } };
  }
  return MEANS.get(entry) ?? meanOfHistory(entry);
}

function meanOfHistory({ offer, months }: PricedEntry): PriceChoice {
  const window = meanWindow(months.map((row) => row.month));
  if (!window) return { found: false, reason: 'sin_historico' };
  const prices = pricesOf(offer, columnsOf(months.slice(-window.monthCount)));
  return { found: true, prices, origin: { mode: 'media', ...window, isWeighted: false } };
}

/** An offer with 12 consecutive calendar months of its history, and their mean. */
interface MeanOfYear extends Applied {
  readonly entry: OfferWithHistory;
}

/** Oldest first. */
export function meansByYear({ offer, months }: OfferWithHistory): readonly MeanOfYear[] {
  const numbers = months.map(({ month }) => monthNumber(month));
  const columns = columnsOf(months);
  return months.flatMap(({ month: fromMonth }, first): readonly MeanOfYear[] => {
    const end = first + MEAN_WINDOW_MONTHS;
    const isWhole = (numbers[end - 1] ?? Number.NaN) - (numbers[first] ?? 0) === MEAN_WINDOW_MONTHS - 1;
    if (!isWhole) return [];
    const window = { monthCount: MEAN_WINDOW_MONTHS, fromMonth, toMonth: months[end - 1]?.month ?? fromMonth };
    const prices = pricesOf(offer, columns, { first, end });
    const entry = { offer, months: months.slice(first, end) };
    return [{ entry, prices, origin: { mode: 'media', ...window, isWeighted: false } }];
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

type Column = readonly (number | null)[];

/** The prices of months by column, oldest first. */
function columnsOf(rows: readonly MonthlyPrice[]): Record<'energy' | 'fixed', readonly Column[]> {
  const turned = (pricesIn: (row: MonthlyPrice) => Column) =>
    perPeriod((i) => rows.map((row) => pricesIn(row)[i] ?? null));
  return { energy: turned(energyPricesOf), fixed: turned(fixedPricesOf) };
}

/** Some months of columns, or all. */
interface Stretch {
  readonly first: number;
  readonly end: number;
}

function pricesOf(
  offer: PricedOffer,
  { energy, fixed }: ReturnType<typeof columnsOf>,
  stretch?: Stretch,
): AppliedPrices {
  if (offer.supplyType === 'LUZ') {
    const own = offer.powerEurPerKwDay;
    return {
      supplyType: 'LUZ',
      energyEurPerKwh: perPeriod((i) => meanOf(energy[i], stretch)),
      powerEurPerKwDay: perPeriod((i) => meanOf(fixed[i], stretch) ?? own[i] ?? null),
    };
  }
  const gasFixedEurPerMonth = meanOf(fixed[0], stretch) ?? offer.gasFixedEurPerMonth;
  return { supplyType: 'GAS', gasEnergyEurPerKwh: meanOf(energy[0], stretch), gasFixedEurPerMonth };
}

/** Prices of power by period, P1 first; the fixed term for gas. */
export function fixedPricesOf(prices: AppliedPrices): readonly (number | null)[] {
  return prices.supplyType === 'LUZ' ? prices.powerEurPerKwDay : [prices.gasFixedEurPerMonth];
}

/** The mean of the prices that exist in a column, oldest first; `null` when there is none. */
function meanOf(column: Column = [], { first, end }: Stretch = { first: 0, end: column.length }): number | null {
  let sum = 0;
  let count = 0;
  for (let at = first; at < end; at++) {
    const price = column[at] ?? null;
    if (price === null) continue;
    sum += price;
    count++;
  }
  return count === 0 ? null : sum / count;
}
