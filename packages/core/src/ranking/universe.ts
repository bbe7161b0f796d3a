import type { Month } from '../calendar.ts';
import {
  COMMUNITIES,
  CUSTOMER_TYPES,
  type Offer,
  type OfferWithHistory,
  type SupplyType,
  TERRITORIES,
} from '../offers/offer.ts';
import type { OfferFilter } from '../offers/offer-filter.ts';
import { PERIOD_COUNT } from '../periods.ts';
import { choosePrices } from './applied-price.ts';
import { type CommissionColumns, commissionColumns } from './commission-columns.ts';

/** Rows of a block: its columns stay in the fastest cache, and one changed offer costs one block. */
export const BLOCK_ROWS = 1024;
/** Months other than the mean whose price columns a block keeps. */
const KEPT_MONTHS = 4;

/** Bits of `PriceColumns.present`: which prices an offer has, and that it has any to apply. */
export const ENERGY_BIT = 1;
export const POWER_BIT = 1 << PERIOD_COUNT;
export const FIXED_BIT = 1 << (2 * PERIOD_COUNT);
export const APPLIES_BIT = FIXED_BIT << 1;

/** The applied prices of a block's offers, one column per price; a price that is missing is 0 and has no bit. */
export interface PriceColumns {
  /** Electricity: EUR/kWh of P1 to P6. Gas: one column. */
  readonly energy: readonly Float64Array[];
  /** EUR/kW·day of P1 to P6; none for gas. */
  readonly power: readonly Float64Array[];
  /** EUR/month of gas; zeros for electricity. */
  readonly fixed: Float64Array;
  readonly present: Int32Array;
}

/**
 * Up to `BLOCK_ROWS` offers of one supply type as columns, by ascending id. Never changed after it was compiled: a
 * ranking that runs while an offer is edited keeps the block it started with.
 */
export interface Block {
  readonly entries: readonly OfferWithHistory[];
  readonly ids: Float64Array;
  /** What an offer satisfies, as bits; `filterBits` says which a request needs. */
  readonly flags: Int32Array;
  /** One bit per community; 0 is no restriction. */
  readonly communities: Int32Array;
  /** Row to an index into `tariffTypes`, and into `companyIds`. */
  readonly tariffSlots: Uint16Array;
  readonly tariffTypes: readonly string[];
  readonly companySlots: Uint16Array;
  readonly companyIds: readonly number[];
  readonly servicesEurPerMonth: Float64Array;
  /** 0 unless the offer has panels and pays for surplus. */
  readonly surplusEurPerKwh: Float64Array;
  readonly commissions: CommissionColumns;
  /** The prices that indexed offers apply in a month, or on average (`null`). */
  readonly prices: (month: Month | null) => PriceColumns;
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
  return { supplyType, blocks: chunksOf(entries).map((chunk) => compileBlock(supplyType, chunk)) };
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
    return chunks.map((chunk) => (isSame(chunk, block.entries) ? block : compileBlock(supplyType, chunk)));
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

function compileBlock(supplyType: SupplyType, entries: readonly OfferWithHistory[]): Block {
  const offers = entries.map((entry) => entry.offer);
  const tariffs = slotsOf(offers.map((offer) => offer.tariffType));
  const companies = slotsOf(offers.map((offer) => offer.companyId));
  const byMonth = new Map<Month | null, PriceColumns>([[null, compilePrices(supplyType, entries, null)]]);
  return {
    entries,
    ids: Float64Array.from(offers, (offer) => offer.id),
    flags: Int32Array.from(offers, flagsOf),
    communities: Int32Array.from(offers, (offer) =>
      offer.communities.reduce((bits, name) => bits | communityBit(name), 0),
    ),
    tariffSlots: tariffs.slots,
    tariffTypes: tariffs.values,
    companySlots: companies.slots,
    companyIds: companies.values,
    servicesEurPerMonth: Float64Array.from(offers, (offer) => offer.servicesEurPerMonth ?? 0),
    surplusEurPerKwh: Float64Array.from(offers, surplusPrice),
    commissions: commissionColumns(offers),
    prices: (month) => {
      const kept = byMonth.get(month);
      if (kept) return kept;
      const oldest = [...byMonth.keys()].find((key) => key !== null);
      if (byMonth.size > KEPT_MONTHS && oldest !== undefined) byMonth.delete(oldest);
      const compiled = compilePrices(supplyType, entries, month);
      byMonth.set(month, compiled);
      return compiled;
    },
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
  supplyType: SupplyType,
  entries: readonly OfferWithHistory[],
  month: Month | null,
): PriceColumns {
  const column = () => new Float64Array(entries.length);
  const periods = supplyType === 'LUZ' ? PERIOD_COUNT : 0;
  const energy = Array.from({ length: periods || 1 }, column);
  const power = Array.from({ length: periods }, column);
  const fixed = column();
  const present = new Int32Array(entries.length);
  const put = (target: Float64Array | undefined, row: number, price: number | null, bit: number) => {
    if (price === null || !target) return;
    target[row] = price;
    present[row] = (present[row] ?? 0) | bit;
  };
  entries.forEach((entry, row) => {
    const choice = choosePrices(entry, month);
    if (!choice.found) return;
    present[row] = APPLIES_BIT;
    const { prices } = choice;
    if (prices.supplyType === 'GAS') {
      put(energy[0], row, prices.gasEnergyEurPerKwh, ENERGY_BIT);
      put(fixed, row, prices.gasFixedEurPerMonth, FIXED_BIT);
      return;
    }
    prices.energyEurPerKwh.forEach((price, period) => {
      put(energy[period], row, price, ENERGY_BIT << period);
    });
    prices.powerEurPerKwDay.forEach((price, period) => {
      put(power[period], row, price, POWER_BIT << period);
    });
  });
  return { energy, power, fixed, present };
}

function surplusPrice(offer: Offer): number {
  return offer.supplyType === 'LUZ' && offer.hasSolarPanels ? (offer.surplusEurPerKwh ?? 0) : 0;
}

// Bits of `Block.flags`, in this order: active, territories, customer types, and for electricity what it says about
// balancing services and panels.
const ACTIVE = 1;
const TERRITORY = 1 << 1;
const CUSTOMER = TERRITORY << TERRITORIES.length;
const SSAA_INCLUDED = CUSTOMER << CUSTOMER_TYPES.length;
const SSAA_SEPARATE = SSAA_INCLUDED << 1;
const SOLAR = SSAA_INCLUDED << 2;
const NOT_SOLAR = SSAA_INCLUDED << 3;

function flagsOf(offer: Offer): number {
  let flags = offer.isActive ? ACTIVE : 0;
  TERRITORIES.forEach((territory, index) => {
    if (offer.territories[territory]) flags |= TERRITORY << index;
  });
  CUSTOMER_TYPES.forEach((type, index) => {
    if (offer.accepts[type]) flags |= CUSTOMER << index;
  });
  const electric = offer.supplyType === 'LUZ' ? offer : null;
  if (electric?.ssaaIncluded === true) flags |= SSAA_INCLUDED;
  if (electric?.ssaaIncluded === false) flags |= SSAA_SEPARATE;
  return flags | (electric?.hasSolarPanels ? SOLAR : NOT_SOLAR);
}

/** The bits that an active offer has when it passes a filter; tariff and community are checked apart. */
export function filterBits(filter: OfferFilter): number {
  let bits = ACTIVE;
  if (filter.territory !== null) bits |= TERRITORY << TERRITORIES.indexOf(filter.territory);
  if (filter.customerType !== null) bits |= CUSTOMER << CUSTOMER_TYPES.indexOf(filter.customerType);
  if (filter.ssaaIncluded !== null) bits |= filter.ssaaIncluded ? SSAA_INCLUDED : SSAA_SEPARATE;
  if (filter.hasSolarPanels !== null) bits |= filter.hasSolarPanels ? SOLAR : NOT_SOLAR;
  return bits;
}

/** The bit of a community in `Block.communities`. */
export function communityBit(community: (typeof COMMUNITIES)[number]): number {
  return 1 << COMMUNITIES.indexOf(community);
}
