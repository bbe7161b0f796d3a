import { type BoundedCache, createBoundedCache } from '../bounded-cache.ts';
import type { Month } from '../calendar.ts';
import type { CommissionRate } from '../commission/commission.ts';
import type { OfferWithHistory, SupplyType } from '../offers/offer.ts';
import {
  columnise,
  idOf,
  materialise,
  numbersOf,
  type OfferColumns,
  type OfferRow,
  pickFields,
  rateIn,
  rowAt,
  rowOf,
  type TierList,
  textsOf,
  tierBoundsIn,
} from '../offers/offer-columns.ts';
import { type BlockPrices, blockPrices } from './block-prices.ts';
import type { MarketFacts } from './market-facts.ts';
import { flagsOf } from './masks.ts';
import type { ExcludedOffer } from './ranking.ts';
import { recentEntries } from './recent-entries.ts';

/**
 * Rows of a block: few enough that its columns fit into the fastest cache, and that a changed offer only costs one
 * block.
 */
export const BLOCK_ROWS = 1024;
/** For how many months, the mean among them, a block caches prices. */
const MAX_CACHED_MONTHS = 5;
/** For how many filters, in a month or on average, a block caches which rows pass. */
const MAX_CACHED_FILTERS = 16;

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
  readonly boundsOfTiers: (kind: TierList) => Float64Array;
  /** The prices that indexed offers apply in a month, or on average (`null`). */
  readonly prices: (month: Month | null) => BlockPrices;
  /** The rows as filters see them; `null` where no row passes. */
  readonly ranked: BoundedCache<string, RankedBlock | null>;
  readonly columns: OfferColumns;
  /** A number for each row; an offer that does not change keeps its number when others in its block do. */
  readonly keys: Float64Array;
  /** Approximate memory of the block, including cached prices and masks. */
  readonly heldBytes: () => number;
}

/**
 * A block as one filter sees it, in one month or on average, with caches for each set of prices that a customer needs.
 * The mask of a row that does not pass is 0.
 */
export interface RankedBlock {
  readonly block: Block;
  readonly mask: Int32Array<ArrayBuffer>;
  readonly facts: BoundedCache<number, MarketFacts>;
  readonly excluded: BoundedCache<number, readonly ExcludedOffer[]>;
}

/** All offers of one supply type, ready to be ranked; blocks by ascending id. */
export interface Universe {
  readonly supplyType: SupplyType;
  readonly blocks: readonly Block[];
}

/**
 * Compiles offers into columns.
 *
 * @param entries - Offers of that supply type, each id once. Inactive ones may be among them.
 */
export function compileUniverse(supplyType: SupplyType, entries: readonly OfferWithHistory[]): Universe {
  return patchUniverse({ supplyType, blocks: [] }, entries);
}

/**
 * The universe after some offers were changed or added. Only the blocks of these offers are compiled again.
 *
 * @param changed - Whole offers, each id once, in any order. Deleted offers are inactive ones.
 * @public
 */
export function patchUniverse(universe: Universe, changed: readonly OfferWithHistory[]): Universe {
  return patchRows(universe, changed.map(rowOf));
}

/** The same for offers as rows. */
export function patchRows(universe: Universe, changed: readonly OfferRow[]): Universe {
  const { supplyType, blocks } = universe;
  const fresh = changed
    .filter((row) => row.supplyType === supplyType)
    .map((row): Source => ({ id: idOf(row), key: ++lastKey, row }))
    .sort((a, b) => a.id - b.id);
  if (fresh.length === 0) return universe;
  const compiled = (sources: readonly Source[]) => chunksOf(sources).map((chunk) => blockOf(supplyType, chunk));
  if (blocks.length === 0) return { supplyType, blocks: compiled(fresh) };
  let taken = 0;
  const patched = blocks.flatMap((block, index) => {
    const next = blocks[index + 1];
    const start = taken;
    while (taken < fresh.length && (!next || (fresh[taken]?.id ?? 0) < (next.ids[0] ?? 0))) taken++;
    if (taken === start) return [block];
    const own = fresh.slice(start, taken);
    // A full block does not change when offers are added after it.
    const isAfter = block.rowCount === BLOCK_ROWS && (own[0]?.id ?? 0) > (block.ids[BLOCK_ROWS - 1] ?? 0);
    return isAfter ? [block, ...compiled(own)] : compiled(mergeById([...sourcesIn(block), ...own]));
  });
  return { supplyType, blocks: patched };
}

/** A row of a block to be compiled: a new one, or one from the block it replaces. */
interface Source {
  readonly id: number;
  readonly key: number;
  readonly row: OfferRow;
}

let lastKey = 0;

function sourcesIn({ ids, keys, columns }: Block): readonly Source[] {
  return Array.from(ids, (id, row) => ({ id, key: keys[row] ?? 0, row: rowAt(columns, row) }));
}

/** Sorted by id; of two with the same id the later one counts. */
function mergeById(sources: readonly Source[]): readonly Source[] {
  return [...new Map(sources.map((source) => [source.id, source])).values()].sort((a, b) => a.id - b.id);
}

function chunksOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  const chunks: (readonly T[])[] = [];
  for (let start = 0; start < all.length; start += BLOCK_ROWS) chunks.push(all.slice(start, start + BLOCK_ROWS));
  return chunks;
}

const FLAG_TERMS = pickFields(['isActive', 'territories', 'accepts', 'ssaaIncluded', 'hasSolarPanels']);

function blockOf(supplyType: SupplyType, sources: readonly Source[]): Block {
  const rows = sources.map(({ row }) => row);
  const columns = columnise(supplyType, rows);
  const rowCount = sources.length;
  const keys = Float64Array.from(sources, ({ key }) => key);
  const tariffs = slotsOf(textsOf(columns, 'tariffType'));
  const companies = slotsOf(numbersOf(columns, 'companyId'));
  const flags = new Int32Array(rowCount);
  for (let row = 0; row < rowCount; row++) flags[row] = flagsOf(FLAG_TERMS(columns, row));
  const bounds = createBoundedCache<TierList, Float64Array>(2);
  const prices = createBoundedCache<Month | null, BlockPrices>(MAX_CACHED_MONTHS);
  const ranked = createBoundedCache<string, RankedBlock | null>(MAX_CACHED_FILTERS);
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
    boundsOfTiers: (kind) => bounds.at(kind, () => tierBoundsIn(columns, kind)),
    prices: (month) => prices.at(month, () => blockPrices(columns, flags, month)),
    ranked,
    columns,
    keys,
    heldBytes: () => {
      let held = columns.bytes + BLOCK_BYTES + rowCount * ROW_BYTES;
      for (const { mask, columns: bytes } of prices.all()) held += mask.byteLength + bytes.byteLength;
      for (const entry of ranked.all()) held += entry?.mask.byteLength ?? 0;
      return held;
    },
  };
}

/** Bytes of a block in addition to its columns, and of a row. */
const BLOCK_BYTES = 4096;
const ROW_BYTES = 32;

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
