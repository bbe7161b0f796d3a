import { createBoundedCache } from '../bounded-cache.ts';
import type { Month } from '../calendar.ts';
import type { CommissionRate } from '../commission/commission.ts';
import { YEAR } from '../cost/customer.ts';
import type { OfferWithHistory, SupplyType } from '../offers/offer.ts';
import {
  columnise,
  materialise,
  numbersOf,
  type OfferColumns,
  type OfferRow,
  pickFields,
  rateIn,
  rowAt,
  type TierList,
  textsOf,
  tierBoundsIn,
} from '../offers/offer-columns.ts';
import { searchForm } from '../text.ts';
import { type BlockLimits, limitsIn } from './block-limits.ts';
import { type BlockPrices, blockPrices } from './block-prices.ts';
import { flagsOf } from './masks.ts';
import { recentEntries } from './recent-entries.ts';

/**
 * Rows of a block: few enough that its columns fit into the fastest cache, and that a changed offer only costs one
 * block.
 */
export const BLOCK_ROWS = 1024;
/** For how many months, the mean among them, and with discounts for how many periods, a block caches prices. */
const MAX_CACHED_MONTHS = 5;

/**
 * Up to `BLOCK_ROWS` offers of one supply type as numbers, by ascending id. Never changed after it was compiled: a
 * ranking that runs while an offer is edited keeps the block it started with.
 */
export interface Block {
  readonly rowCount: number;
  /** The rate of commission of an offer at a quantity, as `consumptionRate` and `powerRate` give it. */
  readonly rateAt: (row: number, kind: TierList, quantity: number | null) => CommissionRate;
  /** The offer of a row, created from the columns and cached for a while. Do not keep a reference to it. */
  readonly entryAt: (row: number) => OfferWithHistory;
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
  /** The bounds of the tiers of its offers. */
  readonly tierBounds: Readonly<Record<TierList, Float64Array>>;
  readonly limits: BlockLimits;
  /**
   * The prices that apply in a month, or on average (`null`).
   *
   * @param periodMonths - On which discounts depend; default a year.
   */
  readonly prices: (month: Month | null, periodMonths?: number) => BlockPrices;
  /** The names of its offers by row, as `searchForm` makes them. Made when they are first asked for. */
  readonly searchNames: () => readonly string[];
  readonly columns: OfferColumns;
  /**
   * A number for each row that no other stored offer has. An offer that does not change keeps its number when others in
   * its block do.
   */
  readonly keys: Float64Array;
  /** Approximate memory of the block, including cached prices. */
  readonly heldBytes: () => number;
}

/** A row of a block to be compiled: a new one, or one from the block it replaces. */
export interface Source {
  readonly id: number;
  readonly key: number;
  readonly row: OfferRow;
}

/** The rows of a block as they were compiled. */
export function sourcesIn({ ids, keys, columns }: Block): readonly Source[] {
  return Array.from(ids, (id, row) => ({ id, key: keys[row] ?? 0, row: rowAt(columns, row) }));
}

const FLAG_TERMS = pickFields([
  'isActive',
  'isIndexed',
  'territories',
  'accepts',
  'ssaaIncluded',
  'hasSolarPanels',
  'discountMonths',
]);

/** Compiles rows, by ascending id, into a block. */
export function blockOf(supplyType: SupplyType, sources: readonly Source[]): Block {
  const rows = sources.map(({ row }) => row);
  const columns = columnise(supplyType, rows);
  const rowCount = sources.length;
  const keys = Float64Array.from(sources, ({ key }) => key);
  const tariffs = slotsOf(textsOf(columns, 'tariffType'));
  const companies = slotsOf(numbersOf(columns, 'companyId'));
  const flags = new Int32Array(rowCount);
  let hasDiscounts = false;
  for (let row = 0; row < rowCount; row++) {
    const terms = FLAG_TERMS(columns, row);
    flags[row] = flagsOf(terms);
    hasDiscounts ||= terms.discountMonths !== null;
  }
  const prices = createBoundedCache<string | null, BlockPrices>(MAX_CACHED_MONTHS);
  let names: readonly string[] | null = null;
  let nameBytes = 0;
  return {
    rowCount,
    rateAt: (row, kind, quantity) => rateIn(columns, row, kind, quantity),
    entryAt: recentEntries((row) => materialise(columns, row), keys),
    ids: numbersOf(columns, 'id'),
    flags,
    communities: Int32Array.from(numbersOf(columns, 'communities')),
    tariffSlots: tariffs.slots,
    tariffTypes: tariffs.values,
    companySlots: companies.slots,
    companyIds: companies.values,
    tierBounds: { consumption: tierBoundsIn(columns, 'consumption'), power: tierBoundsIn(columns, 'power') },
    limits: limitsIn(columns, rowCount),
    prices: (month, periodMonths = YEAR.months) =>
      prices.at(hasDiscounts ? `${month} ${periodMonths}` : month, () =>
        blockPrices(columns, flags, { month, periodMonths }),
      ),
    searchNames: () => {
      if (names === null) {
        names = textsOf(columns, 'offerName').map(searchForm);
        nameBytes = names.reduce((sum, name) => sum + name.length + NAME_BYTES, 0);
      }
      return names;
    },
    columns,
    keys,
    heldBytes: () => {
      let held = columns.bytes + BLOCK_BYTES + rowCount * ROW_BYTES + nameBytes;
      for (const [, { mask, columns: bytes }] of prices.entries()) held += mask.byteLength + bytes.byteLength;
      return held;
    },
  };
}

/** Bytes of a block in addition to its columns, and of a row. */
const BLOCK_BYTES = 4096;
const ROW_BYTES = 32;
/** Bytes of a name in addition to its characters. */
const NAME_BYTES = 32;

/** Numbers the distinct values in order of appearance. */
function slotsOf<T>(values: Iterable<T>): { readonly slots: Uint16Array; readonly values: readonly T[] } {
  const slotByValue = new Map<T, number>();
  const slots = Uint16Array.from(values, (value) => {
    const slot = slotByValue.get(value) ?? slotByValue.size;
    slotByValue.set(value, slot);
    return slot;
  });
  return { slots, values: [...slotByValue.keys()] };
}
