// How the rows of a table become those of the next one, and the tiers of commission by row.
import { type ConsumptionTerms, type PowerTerms, powerTiersOf } from '../commission/commission.ts';
import { tierCovers } from '../commission/tier.ts';
import type { PriceRows } from './prices.ts';

/** Rows that stay as they are: from one to another, excluded, and where they begin afterwards. */
interface Unchanged {
  readonly from: number;
  readonly end: number;
  readonly to: number;
}

/** Where each row comes from. */
export interface Move {
  readonly rowCount: number;
  readonly unchanged: readonly Unchanged[];
  /** The changed and added offers in their order: the row of each, and the row that it had; -1: it is new. */
  readonly changed: readonly { readonly at: number; readonly before: number }[];
  /** No offer is added. */
  readonly isInPlace: boolean;
}

/** @param changed - Ids, ascending, each once. */
export function moveFor(ids: Float64Array, changed: readonly number[]): Move {
  const unchanged: Unchanged[] = [];
  const places: { readonly at: number; readonly before: number }[] = [];
  let [from, to] = [0, 0];
  const stay = (end: number) => {
    if (end > from) unchanged.push({ from, end, to });
    to += end - from;
    from = end;
  };
  for (const id of changed) {
    stay(placeOf(ids, id));
    const isKnown = ids[from] === id;
    places.push({ at: to++, before: isKnown ? from++ : -1 });
  }
  stay(ids.length);
  return { rowCount: to, unchanged, changed: places, isInPlace: to === ids.length };
}

/** The first row whose id is not less. @param ids - Ascending. */
export function placeOf(ids: Float64Array, id: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] as number) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The arrays of a table. */
export type Numbers = Float64Array | Int32Array | Uint16Array | Uint8Array;

/** An array with so many numbers a row after a move; those of changed rows are still to be written. */
export function moveNumbers<T extends Numbers>(numbers: T, width: number, move: Move): T {
  // A copy of the whole is the fastest.
  if (move.isInPlace) return numbers.slice() as T;
  const make = numbers.constructor as new (length: number) => T;
  const moved = new make(width * move.rowCount);
  for (const { from, end, to } of move.unchanged) moved.set(numbers.subarray(width * from, width * end), width * to);
  return moved;
}

/** The same of a list; changed rows have nothing. */
export function moveList<T>(list: readonly T[], move: Move): (T | undefined)[] {
  const moved: (T | undefined)[] = move.isInPlace ? list.slice() : new Array(move.rowCount).fill(undefined);
  if (!move.isInPlace) {
    for (const { from, end, to } of move.unchanged) for (let i = from; i < end; i++) moved[to + i - from] = list[i];
  }
  for (const { at } of move.changed) moved[at] = undefined;
  return moved;
}

/** Numbers values in order of appearance. @param values - Those that are known; others are added. */
export function slotsIn<T>(values: T[]): (value: T) => number {
  const known = new Map(values.map((value, slot) => [value, slot]));
  return (value) => {
    const slot = known.get(value);
    if (slot !== undefined) return slot;
    known.set(value, values.length);
    return values.push(value) - 1;
  };
}

/** The values that rows have, in order of appearance; slots are numbered anew. */
export function renumber<T>(slots: Uint16Array, values: readonly T[]): readonly T[] {
  const numbers = new Int32Array(values.length).fill(-1);
  const used: T[] = [];
  for (let row = 0; row < slots.length; row++) {
    const slot = slots[row] as number;
    if ((numbers[slot] as number) < 0) numbers[slot] = used.push(values[slot] as T) - 1;
    slots[row] = numbers[slot] as number;
  }
  return used;
}

/** Prices after a move, with so many numbers a row; those of changed rows are still to be written. */
export function movePrices({ prices, mask }: PriceRows, width: number, move: Move): PriceRows {
  return {
    prices: moveNumbers(prices, width, move),
    mask: moveNumbers(mask, 1, move),
    chosen: new Map(),
  };
}

/** The lists of tiers of an offer. */
export type TierList = 'consumption' | 'power';

/** Numbers of a tier: from, to (NaN: open), what is fixed, what a unit gives. */
const TIER_NUMBERS = 4;
const FIXED = 2;

/** Which tier of each row covers a quantity, and how far the quantity may move before another one does. */
interface Covering {
  /** Between these bounds, both excluded, no row changes its tier; a quantity that is a bound of some tier is alone. */
  readonly above: number;
  readonly below: number;
  /** Which of its tiers it is, of each row. */
  readonly tierOf: Uint16Array;
}

/** The tiers of a list by row: the last one is what applies where no other does. */
export interface Rates {
  /** Where the tiers of each row begin, and one more for the end. */
  readonly starts: Uint32Array;
  readonly tiers: Float64Array;
  /** For the quantities that were asked last. */
  readonly coverings: Covering[];
}

/** The offers of rates. */
export type PaidOffer = ConsumptionTerms & PowerTerms;

/** For how many intervals a table knows the tiers. */
const MAX_COVERINGS = 16;

/** The tiers of a list of some offers. */
export function ratesOf(list: TierList, offers: readonly PaidOffer[]): Rates {
  const starts = new Uint32Array(offers.length + 1);
  offers.forEach((offer, row) => {
    starts[row + 1] = (starts[row] as number) + tiersIn(list, offer).length + 1;
  });
  const tiers = new Float64Array(TIER_NUMBERS * (starts[offers.length] as number));
  let at = 0;
  for (const offer of offers) {
    for (const { from, to, value, type } of tiersIn(list, offer)) {
      tiers[at] = from;
      tiers[at + 1] = to ?? Number.NaN;
      tiers[at + FIXED + (type === 'fixed' ? 0 : 1)] = value;
      at += TIER_NUMBERS;
    }
    tiers[at] = Number.NaN;
    tiers[at + 1] = Number.NaN;
    const isBase = list === 'consumption';
    tiers[at + FIXED + (offer.commissionType === 'fixed' ? 0 : 1)] = isBase ? offer.commissionValue : 0;
    at += TIER_NUMBERS;
  }
  return { starts, tiers, coverings: [] };
}

function tiersIn(list: TierList, offer: PaidOffer) {
  return list === 'consumption' ? offer.consumptionTiers : powerTiersOf(offer);
}

/** The same after some offers were changed or added; the same object where none of them has other tiers. */
export function moveRates(rates: Rates, move: Move, changed: Rates): Rates {
  if (move.unchanged.length === 0) return changed;
  if (move.isInPlace && move.changed.every(({ at }, index) => isSame(rates, at, changed, index))) return rates;
  const pieces = [
    ...move.unchanged.map((rows) => ({ of: rates, ...rows })),
    ...move.changed.map(({ at }, index) => ({ of: changed, from: index, end: index + 1, to: at })),
  ];
  const starts = new Uint32Array(move.rowCount + 1);
  for (const { of, from, end, to } of pieces) {
    for (let row = from; row < end; row++) starts[to + row - from + 1] = lengthAt(of, row);
  }
  for (let row = 0; row < move.rowCount; row++) starts[row + 1] = (starts[row + 1] as number) + (starts[row] as number);
  const tiers = new Float64Array(TIER_NUMBERS * (starts[move.rowCount] as number));
  for (const { of, from, end, to } of pieces) {
    const [first, last] = [of.starts[from] as number, of.starts[end] as number];
    const own = of.tiers.subarray(TIER_NUMBERS * first, TIER_NUMBERS * last);
    tiers.set(own, TIER_NUMBERS * (starts[to] as number));
  }
  return { starts, tiers, coverings: [] };
}

function lengthAt({ starts }: Rates, row: number): number {
  return (starts[row + 1] as number) - (starts[row] as number);
}

/** Whether a row has the tiers of a changed offer. */
function isSame(rates: Rates, row: number, changed: Rates, index: number): boolean {
  const at = TIER_NUMBERS * (rates.starts[row] as number);
  const first = TIER_NUMBERS * (changed.starts[index] as number);
  const count = TIER_NUMBERS * lengthAt(changed, index);
  if (TIER_NUMBERS * lengthAt(rates, row) !== count) return false;
  for (let i = 0; i < count; i++) if (!Object.is(rates.tiers[at + i], changed.tiers[first + i])) return false;
  return true;
}

/** Where the two amounts of a tier of a row stand in `tiers`: what is fixed, and what a unit gives. */
export function amountAt(starts: Uint32Array, tierOf: Uint16Array, row: number): number {
  return TIER_NUMBERS * ((starts[row] as number) + (tierOf[row] as number)) + FIXED;
}

/** Which tier of each row applies at a quantity. */
export function tiersAt({ starts, tiers, coverings }: Rates, quantity: number): Uint16Array {
  for (const { above, below, tierOf } of coverings) {
    if ((quantity > above && quantity < below) || (quantity === above && quantity === below)) return tierOf;
  }
  const covering = coveringAt(starts, tiers, quantity);
  if (coverings.length >= MAX_COVERINGS) coverings.shift();
  coverings.push(covering);
  return covering.tierOf;
}

function coveringAt(starts: Uint32Array, tiers: Float64Array, quantity: number): Covering {
  const rowCount = starts.length - 1;
  const tierOf = new Uint16Array(rowCount);
  let above = Number.NEGATIVE_INFINITY;
  let below = Number.POSITIVE_INFINITY;
  let isBound = false;
  for (let row = 0; row < rowCount; row++) {
    const first = starts[row] as number;
    const last = (starts[row + 1] as number) - 1;
    let tier = first;
    let previousTo = Number.NaN;
    for (; tier < last; tier++) {
      const at = TIER_NUMBERS * tier;
      const from = tiers[at] as number;
      const to = tiers[at + 1] as number;
      const isCovered = tierCovers(from, to, previousTo, quantity);
      // The bounds of the tiers above one that covers are farther away than its own.
      if (from < quantity) above = from > above ? from : above;
      else if (from > quantity) below = from < below ? from : below;
      else isBound = true;
      if (to < quantity) above = to > above ? to : above;
      else if (to > quantity) below = to < below ? to : below;
      else if (to === quantity) isBound = true;
      if (isCovered) break;
      previousTo = to;
    }
    tierOf[row] = tier - first;
  }
  return isBound ? { above: quantity, below: quantity, tierOf } : { above, below, tierOf };
}

/** How many tiers a row has. */
export function tierCountAt(rates: Rates, row: number): number {
  return lengthAt(rates, row) - 1;
}

/** Approximate memory. */
export function bytesOfRates({ starts, tiers, coverings }: Rates): number {
  return starts.byteLength + tiers.byteLength + coverings.reduce((sum, { tierOf }) => sum + tierOf.byteLength, 0);
}
