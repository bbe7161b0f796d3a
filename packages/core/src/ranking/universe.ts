import type { Month } from '../calendar.ts';
import { COMMUNITIES, type Offer, type OfferWithHistory, type SupplyType } from '../offers/offer.ts';
import { choosePrices } from './applied-price.ts';
import { type CommissionColumns, commissionColumns } from './commission-columns.ts';
import { type PriceRows, TERM, TERMS_PER_ROW } from './kernel.ts';
import { APPLIES_BIT, ENERGY_BIT, FIXED_BIT, flagsOf, POWER_BIT, tariffBits } from './masks.ts';

/** Rows of a block: its columns stay in the fastest cache, and one changed offer costs one block. */
export const BLOCK_ROWS = 1024;
/** Months other than the mean whose price columns a block keeps. */
const KEPT_MONTHS = 4;
/** Masks that a block keeps for filters that take more than bits. */
const KEPT_GATES = 8;

/**
 * Up to `BLOCK_ROWS` offers of one supply type as numbers, by ascending id. Never changed after it was compiled: a
 * ranking that runs while an offer is edited keeps the block it started with.
 */
export interface Block {
  readonly entries: readonly OfferWithHistory[];
  readonly ids: Float64Array;
  /** What an offer satisfies and its tariff's number, as bits; `filterBits` says which a request needs. */
  readonly flags: Int32Array;
  /** One bit per community; 0 is no restriction. */
  readonly communities: Int32Array;
  /** Row to an index into `tariffTypes`, and into `companyIds`. */
  readonly tariffSlots: Uint16Array;
  readonly tariffTypes: readonly string[];
  readonly companySlots: Uint16Array;
  readonly companyIds: readonly number[];
  readonly commissions: CommissionColumns;
  /** The prices that indexed offers apply in a month, or on average (`null`). */
  readonly prices: (month: Month | null) => PriceRows;
  /** Whether those are kept already, so that asking for them takes no time. */
  readonly keepsPrices: (month: Month | null) => boolean;
  /** The mask of rows that is known under a name, made when it is not; the latest few are kept. */
  readonly gates: (name: string, make: () => Int32Array) => Int32Array;
}

/** All offers of one supply type, ready to be ranked; blocks by ascending id. */
export interface Universe {
  readonly supplyType: SupplyType;
  readonly blocks: readonly Block[];
}

/**
 * Compiles offers into columns.
 *
 * @param entries - Offers of that supply type, each id once, by ascending id. Inactive ones may be among them.
 */
export function compileUniverse(supplyType: SupplyType, entries: readonly OfferWithHistory[]): Universe {
  return { supplyType, blocks: chunksOf(entries).map(compileBlock) };
}

/**
 * The universe after some offers changed or came to it. Only the blocks they are in are compiled again.
 *
 * @param changed - Whole offers, each id once, in any order. Deleted ones come as inactive offers.
 */
export function patchUniverse(universe: Universe, changed: readonly OfferWithHistory[]): Universe {
  const { supplyType, blocks } = universe;
  const fresh = changed.filter(({ offer }) => offer.supplyType === supplyType).sort((a, b) => a.offer.id - b.offer.id);
  if (fresh.length === 0) return universe;
  if (blocks.length === 0) return compileUniverse(supplyType, fresh);
  let taken = 0;
  const patched = blocks.flatMap((block, index) => {
    const next = blocks[index + 1];
    const start = taken;
    while (taken < fresh.length && (!next || (fresh[taken]?.offer.id ?? 0) < firstId(next))) taken++;
    if (taken === start) return [block];
    const chunks = chunksOf(mergeById(block.entries, fresh.slice(start, taken)));
    return chunks.map((chunk) => (isSame(chunk, block.entries) ? block : compileBlock(chunk)));
  });
  return { supplyType, blocks: patched };
}

/** Offers that only come after a full block leave it as it is. */
function isSame(chunk: readonly OfferWithHistory[], entries: readonly OfferWithHistory[]): boolean {
  return chunk.length === entries.length && chunk.every((entry, row) => entry === entries[row]);
}

function firstId(block: Block): number {
  return block.ids[0] ?? Number.POSITIVE_INFINITY;
}

function mergeById(entries: readonly OfferWithHistory[], changes: readonly OfferWithHistory[]): OfferWithHistory[] {
  const byId = new Map(entries.map((entry) => [entry.offer.id, entry]));
  for (const change of changes) byId.set(change.offer.id, change);
  return [...byId.values()].sort((a, b) => a.offer.id - b.offer.id);
}

function chunksOf(entries: readonly OfferWithHistory[]): (readonly OfferWithHistory[])[] {
  const chunks: (readonly OfferWithHistory[])[] = [];
  for (let start = 0; start < entries.length; start += BLOCK_ROWS)
    chunks.push(entries.slice(start, start + BLOCK_ROWS));
  return chunks;
}

function compileBlock(entries: readonly OfferWithHistory[]): Block {
  const offers = entries.map((entry) => entry.offer);
  const tariffs = slotsOf(offers.map((offer) => offer.tariffType));
  const companies = slotsOf(offers.map((offer) => offer.companyId));
  const flags = Int32Array.from(offers, (offer, row) => flagsOf(offer) | tariffBits(tariffs.slots[row] ?? 0));
  const byMonth = new Map<Month | null, PriceRows>([[null, compilePrices(entries, { month: null, flags })]]);
  return {
    entries,
    ids: Float64Array.from(offers, (offer) => offer.id),
    flags,
    communities: Int32Array.from(offers, (offer) =>
      offer.communities.reduce((bits, name) => bits | communityBit(name), 0),
    ),
    tariffSlots: tariffs.slots,
    tariffTypes: tariffs.values,
    companySlots: companies.slots,
    companyIds: companies.values,
    commissions: commissionColumns(offers),
    prices: (month) => {
      const kept = byMonth.get(month);
      if (kept) return kept;
      const oldest = [...byMonth.keys()].find((key) => key !== null);
      if (byMonth.size > KEPT_MONTHS && oldest !== undefined) byMonth.delete(oldest);
      const compiled = compilePrices(entries, { month, flags });
      byMonth.set(month, compiled);
      return compiled;
    },
    keepsPrices: (month) => byMonth.has(month),
    gates: keptGates(),
  };
}

function keptGates(): Block['gates'] {
  const kept = new Map<string, Int32Array>();
  return (name, make) => {
    const known = kept.get(name);
    if (known) return known;
    const oldest = kept.keys().next();
    if (kept.size >= KEPT_GATES && !oldest.done) kept.delete(oldest.value);
    const made = make();
    kept.set(name, made);
    return made;
  };
}

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

function compilePrices(
  entries: readonly OfferWithHistory[],
  { month, flags }: { readonly month: Month | null; readonly flags: Int32Array },
): PriceRows {
  const terms = new Float64Array(entries.length * TERMS_PER_ROW);
  const mask = flags.slice();
  const put = (row: number, term: number, { price, bit }: { readonly price: number | null; readonly bit: number }) => {
    if (price === null) return;
    terms[row * TERMS_PER_ROW + term] = price;
    mask[row] = (mask[row] ?? 0) | bit;
  };
  entries.forEach((entry, row) => {
    const { offer } = entry;
    terms[row * TERMS_PER_ROW + TERM.servicesPerMonth] = offer.servicesEurPerMonth ?? 0;
    terms[row * TERMS_PER_ROW + TERM.surplusPerKwh] = surplusPrice(offer);
    terms[row * TERMS_PER_ROW + TERM.id] = offer.id;
    const choice = choosePrices(entry, month);
    if (!choice.found) return;
    mask[row] = (mask[row] ?? 0) | APPLIES_BIT;
    const { prices } = choice;
    if (prices.supplyType === 'GAS') {
      put(row, TERM.energy, { price: prices.gasEnergyEurPerKwh, bit: ENERGY_BIT });
      put(row, TERM.fixedPerMonth, { price: prices.gasFixedEurPerMonth, bit: FIXED_BIT });
      return;
    }
    prices.energyEurPerKwh.forEach((price, period) => {
      put(row, TERM.energy + period, { price, bit: ENERGY_BIT << period });
    });
    prices.powerEurPerKwDay.forEach((price, period) => {
      put(row, TERM.power + period, { price, bit: POWER_BIT << period });
    });
  });
  return { terms, mask };
}

function surplusPrice(offer: Offer): number {
  return offer.supplyType === 'LUZ' && offer.hasSolarPanels ? (offer.surplusEurPerKwh ?? 0) : 0;
}

/** The bit of a community in `Block.communities`. */
export function communityBit(community: (typeof COMMUNITIES)[number]): number {
  return 1 << COMMUNITIES.indexOf(community);
}
