import type { Offer, OfferWithHistory } from '../offers/offer.ts';
import { rememberMean } from './applied-price.ts';

/** How many offers are cached as objects: about 16 MB. */
const MAX_RECENT = 8192;

/** The most recently created offers, by their number; the oldest one is replaced by the next. */
const recent = new Map<number, OfferWithHistory>();
const numbers = new Float64Array(MAX_RECENT);
let next = 0;

/** Offers made from columns since the process began; the number starts again at 0 after 2^32. */
let made = 0;

class ExistingOffer {
  constructor(offer: Offer) {
    // biome-ignore lint/correctness/noConstructorReturn: a subclass adds its private field to the returned object
    return offer;
  }
}

/**
 * Adds a number to an offer as a private field, which copies, comparisons and JSON do not see. A `WeakMap` of all
 * offers would take three times as long as making them, most of it in garbage collection.
 */
class StoredOffer extends ExistingOffer {
  readonly #key: number;

  constructor(offer: Offer, key: number) {
    super(offer);
    this.#key = key;
  }

  static keyOf(offer: Offer): number | null {
    return #key in offer ? offer.#key : null;
  }
}

/**
 * A number that identifies an offer as it is stored. It is the same whenever the offer is made from its columns, and
 * another one once the offer has changed. `null`: the offer was not made from columns.
 */
export function keyOf(offer: Offer): number | null {
  return StoredOffer.keyOf(offer);
}

/**
 * Creates offers of a block as objects, and caches those that are made twice in a short time. With thousands of
 * accounts in turn, objects that survive for a while and are never used again cost the garbage collector most.
 *
 * @param keys - The number of each row.
 */
export function recentEntries(
  make: (row: number) => OfferWithHistory,
  keys: Float64Array,
): (row: number) => OfferWithHistory {
  const lastMade = new Uint32Array(keys.length);
  return (row) => {
    const key = keys[row] ?? 0;
    const known = recent.get(key);
    if (known) return known;
    const entry = make(row);
    new StoredOffer(entry.offer, key);
    made = (made + 1) >>> 0;
    const distance = (made - (lastMade[row] ?? 0)) >>> 0;
    const isAgain = lastMade[row] !== 0 && distance <= MAX_RECENT;
    lastMade[row] = made;
    if (!isAgain) return entry;
    rememberMean(entry);
    recent.delete(numbers[next] ?? 0);
    numbers[next] = key;
    next = (next + 1) % MAX_RECENT;
    recent.set(key, entry);
    return entry;
  };
}
