// What offers pay at a quantity, by the tier that covers it.
import { type ConsumptionTerms, type PowerTerms, powerTiersOf } from '../commission/commission.ts';
import { tierCovers } from '../commission/tier.ts';
import type { Move } from './move.ts';

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
