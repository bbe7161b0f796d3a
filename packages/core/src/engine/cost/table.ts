// All offers of one supply, or some of them, as numbers by row: what the rule of cost and commission reads (rule.ts), what a
// filter compares, and the kinds of offers that warnings count. A single offer is a table of one row.
import type { Month } from '../calendar.ts';
import { assert } from '../errors.ts';
import { COMMUNITIES, type OfferWithHistory, type SupplyType } from '../offers/offer.ts';
import { asksForTerms, type OfferFilter, termsVerdict } from '../offers/offer-filter.ts';
import { bitsOfList } from '../offers/record-columns.ts';
import { PERIOD_COUNT } from '../periods.ts';
import { isBelowLeast, type LeastPowerPrices } from '../power/least-prices.ts';
import { searchForm } from '../text.ts';
import { type Applied, choosePrices, energyPricesByMonth, energyPricesOf, fixedPricesOf } from './applied-price.ts';
import { APPLIES_BIT, ENERGY_BIT, FIXED_BIT, flagsOf, POWER_BIT } from './flags.ts';
import { type Kind, kindsOf } from './kinds.ts';
import { isLimited, type LimitedQuantities, type LimitTerms, limitExclusion, limitTermsOf } from './limits.ts';
import { ratesOf, type TierList } from './rates.ts';

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
  /** The prices of a row as an answer shows them. */
  readonly chosenAt: (row: number) => Applied;
}

/** Offers of one supply, by ascending id. Never changed. */
export interface Table {
  readonly supplyType: SupplyType;
  readonly rowCount: number;
  readonly ids: Float64Array;
  /** The conditions that an offer satisfies, as bits; `filterBits` gives those that a request needs. */
  readonly flags: Int32Array;
  /** One bit per community in the order of `COMMUNITIES`; 0 is no restriction. */
  readonly communities: Int32Array;
  /** Row to an index into `tariffTypes`, and into `companyIds`. */
  readonly tariffSlots: Uint16Array;
  readonly tariffTypes: readonly string[];
  readonly companySlots: Uint16Array;
  readonly companyIds: readonly number[];
  /** Row to an index into `kinds`: offers that no warning tells apart. */
  readonly kindSlots: Uint16Array;
  readonly kinds: readonly Kind[];
  /** Of a row with a discount where it stands in `discounts`: its share of energy and of power, and its months; else -1. */
  readonly discountAt: Int32Array;
  readonly discounts: Float64Array;
  /** Of an indexed row its place among the indexed ones; else -1. */
  readonly indexedAt: Int32Array;
  /** The rows that have a limit or days. */
  readonly limits: readonly { readonly row: number; readonly terms: LimitTerms }[];
  /** What an answer shows of a row; the same object each time. */
  readonly entryAt: (row: number) => OfferWithHistory;
  /** A number that stands for the offer of a row, its terms and its months; `null`: it has none. */
  readonly keyAt: (row: number) => number | null;
  /** The prices of a month, or the means (`null`). Made once. */
  readonly at: (month: Month | null) => PriceRows;
  /** Energy of indexed rows by calendar month, six numbers each: NaN first where a row has no such month. Made once. */
  readonly monthly: () => Float64Array;
  /**
   * What each row pays at an annual consumption, or at a power: two numbers, what is fixed and what a unit gives. They are
   * the same between two neighbouring bounds of all tiers, and kept for some of these intervals.
   */
  readonly rates: (list: TierList, quantity: number) => Float64Array;
  /** What a filter on terms says of each row; `null`: it asks for none. */
  readonly termsVerdicts: (filter: OfferFilter) => ((row: number) => boolean | null) | null;
  /** The rows with a price of power below the least ones. */
  readonly belowLeast: (least: LeastPowerPrices) => ReadonlySet<number>;
  /** The names of offers by row, as `searchForm` makes them. Made when they are first asked for. */
  readonly searchNames: () => readonly string[];
  /** Approximate memory, with all that was made since. */
  readonly heldBytes: () => number;
}

/** Where a table reads its offers again, after it was compiled. */
export interface RowSource {
  /** The same object each time. */
  readonly entryAt: (row: number) => OfferWithHistory;
  /** Perhaps a new object. */
  readonly readAt: (row: number) => OfferWithHistory;
  /** As `Table` has it. */
  readonly keyAt: Table['keyAt'];
}

/** For how many months, besides the means, a table keeps prices. */
const MAX_MONTHS = 4;
/** Bytes of a table and of a row, besides prices and rates; of a name in addition to its characters. */
const TABLE_BYTES = 4096;
const ROW_BYTES = 64;
const NAME_BYTES = 32;

/** Compiles offers of one supply, by ascending id, each once. */
export function compileTable(
  supplyType: SupplyType,
  entries: readonly OfferWithHistory[],
  { entryAt, readAt, keyAt }: RowSource = sourceOf(entries),
): Table {
  const rowCount = entries.length;
  const offers = entries.map(({ offer }) => offer);
  const flags = Int32Array.from(offers, flagsOf);
  const tariffs = slotsOf(offers.map(({ tariffType }) => tariffType));
  const companies = slotsOf(offers.map(({ companyId }) => companyId));
  const discountAt = new Int32Array(rowCount).fill(-1);
  const discounts: number[] = [];
  const indexedAt = new Int32Array(rowCount).fill(-1);
  const limits: Table['limits'][number][] = [];
  let indexedCount = 0;
  offers.forEach((offer, row) => {
    if (offer.isIndexed) indexedAt[row] = indexedCount++;
    if (isLimited(offer)) limits.push({ row, terms: limitTermsOf(offer) });
    if (offer.discountMonths === null) return;
    discountAt[row] = discounts.length;
    const powerPercent = offer.supplyType === 'LUZ' ? (offer.powerDiscountPercent ?? 0) : 0;
    discounts.push((offer.energyDiscountPercent ?? 0) / 100, powerPercent / 100, offer.discountMonths);
  });
  const { kinds, kindSlots } = kindsOf(entries, flags, tariffs.slots);
  const rowsOf = (read: RowSource['readAt'], month: Month | null) => priceRows({ flags, read, entryAt }, month);
  const means = rowsOf(sourceOf(entries).readAt, null);
  const byMonth = new Map<Month, PriceRows>();
  let monthly: Float64Array | null = null;
  const rates = ratesOf(offers);
  let names: readonly string[] | null = null;
  let least: { readonly name: string; readonly rows: ReadonlySet<number> } | null = null;
  const terms = entries.map(({ offer: { permanenceMonths, fixedPriceMonths, isGreen } }) =>
    permanenceMonths === null && fixedPriceMonths === null && isGreen === null
      ? NO_TERMS
      : { permanenceMonths, fixedPriceMonths, isGreen },
  );
  return {
    ...{ supplyType, rowCount, flags, kinds, kindSlots, discountAt, indexedAt, limits, entryAt, keyAt },
    ids: Float64Array.from(offers, ({ id }) => id),
    communities: Int32Array.from(offers, ({ communities }) => bitsOfList(communities, COMMUNITIES)),
    tariffSlots: tariffs.slots,
    tariffTypes: tariffs.values,
    companySlots: companies.slots,
    companyIds: companies.values,
    discounts: Float64Array.from(discounts),
    rates: rates.at,
    at(month) {
      if (month === null) return means;
      const known = byMonth.get(month) ?? rowsOf(readAt, month);
      if (byMonth.size >= MAX_MONTHS && !byMonth.has(month)) byMonth.clear();
      byMonth.set(month, known);
      return known;
    },
    monthly: () => {
      monthly ??= monthlyEnergy(indexedAt, indexedCount, means, readAt);
      return monthly;
    },
    termsVerdicts: (filter) => (asksForTerms(filter) ? (row) => termsVerdict(terms[row] ?? NO_TERMS, filter) : null),
    belowLeast(prices) {
      const name = JSON.stringify(prices);
      if (least?.name !== name) least = { name, rows: rowsBelow(rowCount, readAt, prices) };
      return least.rows;
    },
    searchNames: () => {
      names ??= Array.from({ length: rowCount }, (_, row) => searchForm(readAt(row).offer.offerName));
      return names;
    },
    heldBytes: () =>
      TABLE_BYTES +
      rowCount * (ROW_BYTES + (1 + byMonth.size) * (8 * ROW_PRICES + 4) + 16 * rates.keptCount()) +
      (monthly?.byteLength ?? 0) +
      (names ?? []).reduce((sum, name) => sum + name.length + NAME_BYTES, 0),
  };
}

/** Apart, because what reads entries here must not be held by a table that reads them elsewhere. */
function sourceOf(entries: readonly OfferWithHistory[]): RowSource {
  const entryAt = (row: number): OfferWithHistory => {
    const entry = entries[row];
    assert(entry !== undefined, 'a row is one of the table');
    return entry;
  };
  return { entryAt, readAt: entryAt, keyAt: () => null };
}

const NO_TERMS = { permanenceMonths: null, fixedPriceMonths: null, isGreen: null };

/** Numbers the distinct values in order of appearance. */
function slotsOf<T>(values: readonly T[]): { readonly slots: Uint16Array; readonly values: readonly T[] } {
  const slotByValue = new Map<T, number>();
  const slots = Uint16Array.from(values, (value) => {
    const slot = slotByValue.get(value) ?? slotByValue.size;
    slotByValue.set(value, slot);
    return slot;
  });
  return { slots, values: [...slotByValue.keys()] };
}

/** The rows whose limits exclude a customer, or whose days. */
export function rowsOutside({ limits }: Table, quantities: LimitedQuantities): ReadonlySet<number> {
  const rows = new Set<number>();
  for (const { row, terms } of limits) if (limitExclusion(terms, quantities) !== null) rows.add(row);
  return rows;
}

function rowsBelow(rowCount: number, readAt: RowSource['readAt'], least: LeastPowerPrices): ReadonlySet<number> {
  const rows = new Set<number>();
  for (let row = 0; row < rowCount; row++) {
    const { offer } = readAt(row);
    if (offer.supplyType === 'LUZ' && isBelowLeast(offer, least)) rows.add(row);
  }
  return rows;
}

interface Priced extends Pick<RowSource, 'entryAt'> {
  readonly flags: Int32Array;
  readonly read: RowSource['readAt'];
}

function priceRows({ flags, read, entryAt }: Priced, month: Month | null): PriceRows {
  const prices = new Float64Array(ROW_PRICES * flags.length);
  const mask = flags.slice();
  for (let row = 0; row < flags.length; row++) {
    const entry = read(row);
    const { offer } = entry;
    const at = row * ROW_PRICES;
    prices[at + SERVICES_AT] = offer.servicesEurPerMonth ?? 0;
    if (offer.supplyType === 'LUZ' && offer.hasSolarPanels) prices[at + SURPLUS_AT] = offer.surplusEurPerKwh ?? 0;
    const choice = choosePrices(entry, month);
    if (!choice.found) continue;
    let bits = APPLIES_BIT | put(energyPricesOf(choice.prices), prices, at, ENERGY_BIT);
    const isGas = offer.supplyType === 'GAS';
    bits |= put(
      fixedPricesOf(choice.prices),
      prices,
      at + (isGas ? FIXED_AT : POWER_AT),
      isGas ? FIXED_BIT : POWER_BIT,
    );
    mask[row] = (mask[row] ?? 0) | bits;
  }
  const chosen: Applied[] = [];
  const chosenAt = (row: number): Applied => {
    const known = chosen[row];
    if (known) return known;
    const choice = choosePrices(entryAt(row), month);
    assert(choice.found, 'an offer that has a cost has prices');
    const { prices: own, origin } = choice;
    chosen[row] = { prices: own, origin };
    return { prices: own, origin };
  };
  return { prices, mask, chosenAt };
}

/** Writes prices one after the other. Returns the bits of those that exist. */
function put(values: readonly (number | null)[], prices: Float64Array, at: number, bit: number): number {
  let bits = 0;
  for (let i = 0; i < values.length; i++) {
    const price = values[i] ?? null;
    if (price === null) continue;
    prices[at + i] = price;
    bits |= bit << i;
  }
  return bits;
}

function monthlyEnergy(
  indexedAt: Int32Array,
  count: number,
  means: PriceRows,
  readAt: RowSource['readAt'],
): Float64Array {
  const monthly = new Float64Array(count * 12 * PERIOD_COUNT).fill(Number.NaN);
  for (let row = 0; row < indexedAt.length; row++) {
    const place = indexedAt[row] ?? -1;
    if (place < 0 || ((means.mask[row] ?? 0) & APPLIES_BIT) === 0) continue;
    for (const [month, own] of energyPricesByMonth(readAt(row).months, means.chosenAt(row).origin)) {
      const at = (place * 12 + month - 1) * PERIOD_COUNT;
      for (let i = 0; i < PERIOD_COUNT; i++) monthly[at + i] = own[i] ?? means.prices[row * ROW_PRICES + i] ?? 0;
    }
  }
  return monthly;
}
