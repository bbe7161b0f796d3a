import type { Offer, OfferWithHistory } from '../offers/offer.ts';

/** How many offers are cached as objects: about 16 MB. */
const MAX_RECENT = 8192;

interface Place {
  readonly entries: Map<number, OfferWithHistory>;
  readonly row: number;
}

/** The most recently created offers of all blocks; the oldest one is replaced by the next. */
const recent: (Place | undefined)[] = new Array(MAX_RECENT);
let next = 0;

/** Offers made of columns since the process began; it starts again at 0 after 2^32. */
let made = 0;

const keyByOffer = new WeakMap<Offer, number>();

/**
 * A number that stands for an offer as it is stored: the same whenever the offer is made of its columns, and another one
 * once it has changed. `null`: the offer was not made of columns.
 */
export function keyOf(offer: Offer): number | null {
  return keyByOffer.get(offer) ?? null;
}

/**
 * Creates offers of a block as objects, and caches those that are shown repeatedly. Who was made so long ago that it
 * would be forgotten by now is not remembered: where thousands of accounts take turns, objects that are kept for a
 * while and never asked for are what is collected most dearly.
 *
 * @param keys - The number of each row.
 */
export function recentEntries(
  make: (row: number) => OfferWithHistory,
  keys: Float64Array,
): (row: number) => OfferWithHistory {
  const entries = new Map<number, OfferWithHistory>();
  const lastMade = new Uint32Array(keys.length);
  return (row) => {
    const known = entries.get(row);
    if (known) return known;
    const entry = make(row);
    keyByOffer.set(entry.offer, keys[row] ?? 0);
    made = (made + 1) >>> 0;
    const distance = (made - (lastMade[row] ?? 0)) >>> 0;
    const isAgain = lastMade[row] !== 0 && distance <= MAX_RECENT;
    lastMade[row] = made;
    if (!isAgain) return entry;
    const oldest = recent[next];
    oldest?.entries.delete(oldest.row);
    recent[next] = { entries, row };
    next = (next + 1) % MAX_RECENT;
    entries.set(row, entry);
    return entry;
  };
}
