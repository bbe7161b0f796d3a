import { type Month, monthNumber } from '../calendar.ts';
import type { MonthlyPrice, Offer, OfferWithHistory } from '../offers/offer.ts';
import { type PerPeriod, perPeriod } from '../periods.ts';

/** Prices of electricity, EUR before tax; `null`: none in that period. */
export interface ElectricityPrices {
  readonly supplyType: 'LUZ';
  readonly energyEurPerKwh: PerPeriod<number | null>;
  readonly powerEurPerKwDay: PerPeriod<number | null>;
}

/** Prices of gas, EUR before tax; `null`: none. */
export interface GasPrices {
  readonly supplyType: 'GAS';
  readonly gasEnergyEurPerKwh: number | null;
  readonly gasFixedEurPerMonth: number | null;
}

/** The prices that a calculation uses: an offer's own ones, or those of its monthly history. */
export type AppliedPrices = ElectricityPrices | GasPrices;

/** Where the prices of an indexed offer come from. */
export type PriceOrigin =
  | {
      /** Mean of the monthly rows of the last 12 calendar months of the history. */
      readonly mode: 'media';
      /** Rows averaged. */
      readonly monthCount: number;
      readonly fromMonth: Month;
      readonly toMonth: Month;
    }
  | { readonly mode: 'mes'; readonly month: Month };

/** Calendar months that the mean looks back over, the latest stored month included. */
export const MEAN_WINDOW_MONTHS = 12;

/** Why an indexed offer has no prices to apply. */
export type MissingHistory = 'sin_historico' | 'sin_mes';

/** The prices to use, with their origin (`null`: the offer's own), or why there are none. */
export type PriceChoice =
  | { readonly found: true; readonly prices: AppliedPrices; readonly origin: PriceOrigin | null }
  | { readonly found: false; readonly reason: MissingHistory };

/** The means of offers that were asked before: offers and their months are never changed, and go away together. */
const MEANS = new WeakMap<OfferWithHistory, PriceChoice>();

/**
 * The prices that apply to an offer. An offer that is not indexed has its own. An indexed one has the mean of its
 * history, column by column, or one month of it; power and the gas fixed term fall back to the offer's own price
 * where the rows have none, energy never does.
 *
 * @param month - The month asked for, or `null` for the mean.
 * @see docs/assumptions.md, A-10 and A-11
 */
export function choosePrices(entry: OfferWithHistory, month: Month | null): PriceChoice {
  const { offer, months } = entry;
  if (!offer.isIndexed) return { found: true, prices: ownPrices(offer), origin: null };
  const latest = months.at(-1);
  if (!latest) return { found: false, reason: 'sin_historico' };
  if (month !== null) {
    const row = months.find((candidate) => candidate.month === month);
    if (!row) return { found: false, reason: 'sin_mes' };
    return { found: true, prices: pricesOf(offer, [row]), origin: { mode: 'mes', month } };
  }
  const known = MEANS.get(entry);
  if (known) return known;
  const mean = meanChoice(offer, months, latest);
  MEANS.set(entry, mean);
  return mean;
}

function meanChoice(offer: Offer, months: readonly MonthlyPrice[], latest: MonthlyPrice): PriceChoice {
  const first = monthNumber(latest.month) - MEAN_WINDOW_MONTHS + 1;
  const rows = months.filter((row) => monthNumber(row.month) >= first);
  const fromMonth = rows[0]?.month ?? latest.month;
  const origin = { mode: 'media', monthCount: rows.length, fromMonth, toMonth: latest.month } as const;
  return { found: true, prices: pricesOf(offer, rows), origin };
}

function ownPrices(offer: Offer): AppliedPrices {
  if (offer.supplyType === 'LUZ') {
    const { energyEurPerKwh, powerEurPerKwDay } = offer;
    return { supplyType: 'LUZ', energyEurPerKwh, powerEurPerKwDay };
  }
  const { gasEnergyEurPerKwh, gasFixedEurPerMonth } = offer;
  return { supplyType: 'GAS', gasEnergyEurPerKwh, gasFixedEurPerMonth };
}

function pricesOf(offer: Offer, rows: readonly MonthlyPrice[]): AppliedPrices {
  if (offer.supplyType === 'LUZ') {
    const electric = rows.filter((row) => row.supplyType === 'LUZ');
    return {
      supplyType: 'LUZ',
      energyEurPerKwh: perPeriod((i) => meanOf(electric.map((row) => row.energyEurPerKwh[i]))),
      powerEurPerKwDay: perPeriod(
        (i) => meanOf(electric.map((row) => row.powerEurPerKwDay[i])) ?? offer.powerEurPerKwDay[i] ?? null,
      ),
    };
  }
  const gas = rows.filter((row) => row.supplyType === 'GAS');
  return {
    supplyType: 'GAS',
    gasEnergyEurPerKwh: meanOf(gas.map((row) => row.gasEnergyEurPerKwh)),
    gasFixedEurPerMonth: meanOf(gas.map((row) => row.gasFixedEurPerMonth)) ?? offer.gasFixedEurPerMonth,
  };
}

/** The mean of the prices that exist, oldest first; `null` when there is none. */
function meanOf(prices: readonly (number | null | undefined)[]): number | null {
  const known = prices.filter((price) => typeof price === 'number');
  return known.length === 0 ? null : known.reduce((sum, price) => sum + price, 0) / known.length;
}
