import type { Month } from '../calendar.ts';
import { chooseFromHistory, energyPricesOf } from '../cost/applied-price.ts';
import { discountFactors } from '../cost/discount.ts';
import { monthsAt, type OfferColumns, pickFields } from '../offers/offer-columns.ts';
import { APPLIES_BIT, ENERGY_BIT, FIXED_BIT, POWER_BIT } from './masks.ts';

// The layout of prices as the preselection reads them. The same numbers are in `assembly/pricing.ts`.

/** Rows of a group: this many values of a column are stored next to each other. */
export const GROUP = 32;
/**
 * The columns: prices of P1 to P6 (EUR/kWh; gas has one), of power (EUR/kW·day; none for gas), then three others. A
 * missing price is 0 and has no bit in the mask.
 */
export const COLUMN = { energy: 0, power: 6, fixedPerMonth: 12, servicesPerMonth: 13, surplusPerKwh: 14 } as const;
const COLUMNS = 15;
/** Before the columns: the largest size in each, as doubles. */
const HEAD_BYTES = 128;

/** Rounded up to whole groups. */
export function padded(rows: number): number {
  return Math.ceil(rows / GROUP) * GROUP;
}

/** The prices of a block that apply in one month or on average, less discounts. Rows are padded to whole groups, by 0. */
export interface BlockPrices {
  /** All bits of `masks.ts` for each offer, including those of its prices. */
  readonly mask: Int32Array<ArrayBuffer>;
  /** The largest size in each column, then the columns as floats, by groups of rows. */
  readonly columns: ArrayBuffer;
}

const PRICE_TERMS = pickFields([
  'isIndexed',
  'servicesEurPerMonth',
  'energyEurPerKwh',
  'powerEurPerKwDay',
  'hasSolarPanels',
  'surplusEurPerKwh',
  'gasEnergyEurPerKwh',
  'gasFixedEurPerMonth',
  'energyDiscountPercent',
  'powerDiscountPercent',
  'discountMonths',
]);

/** What prices depend on besides offers. */
export interface PriceTime {
  /** `null`: the mean of indexed offers. */
  readonly month: Month | null;
  /** Of the calculation period: of them the first have a discount. */
  readonly periodMonths: number;
}

/** @param flags - What each offer satisfies, as bits. */
export function blockPrices(offers: OfferColumns, flags: Int32Array, { month, periodMonths }: PriceTime): BlockPrices {
  const mask = new Int32Array(padded(flags.length));
  const columns = new ArrayBuffer(HEAD_BYTES + 4 * COLUMNS * mask.length);
  const largest = new Float64Array(columns, 0, COLUMNS);
  const floats = new Float32Array(columns, HEAD_BYTES);
  mask.set(flags);
  for (let row = 0; row < flags.length; row++) {
    const first = (row - (row % GROUP)) * COLUMNS + (row % GROUP);
    const put = (column: number, price: number | null, bit: number) => {
      if (price === null) return;
      floats[first + column * GROUP] = price;
      largest[column] = Math.max(largest[column] ?? 0, Math.abs(price));
      mask[row] = (mask[row] ?? 0) | bit;
    };
    const offer = PRICE_TERMS(offers, row);
    put(COLUMN.servicesPerMonth, offer.servicesEurPerMonth, 0);
    if (offer.supplyType === 'LUZ' && offer.hasSolarPanels) put(COLUMN.surplusPerKwh, offer.surplusEurPerKwh, 0);
    const choice = offer.isIndexed ? chooseFromHistory({ offer, months: monthsAt(offers, row) }, month) : null;
    if (choice && !choice.found) continue;
    mask[row] = (mask[row] ?? 0) | APPLIES_BIT;
    const prices = choice ? choice.prices : offer;
    const discount = discountFactors(offer, { period: { days: 1, months: periodMonths }, parts: ONE_DAY });
    const less = (price: number | null, factor: number) => (price === null ? null : price * factor);
    energyPricesOf(prices).forEach((price, i) => {
      put(COLUMN.energy + i, less(price, discount?.energy[0] ?? 1), ENERGY_BIT << i);
    });
    if (prices.supplyType === 'GAS') put(COLUMN.fixedPerMonth, prices.gasFixedEurPerMonth, FIXED_BIT);
    else {
      prices.powerEurPerKwDay.forEach((price, i) => {
        put(COLUMN.power + i, less(price, discount?.power ?? 1), POWER_BIT << i);
      });
    }
  }
  return { mask, columns };
}

/** The whole period as a day: parts have no columns. */
const ONE_DAY = [{ days: 1 }];
