import { rememberMean } from '../cost/applied-price.ts';
import type { OfferWithHistory } from '../offers/offer.ts';

/** How many offers are cached as objects: about 16 MB. */
const MAX_RECENT = 8192;

/** The most recently created offers, by their number; the oldest one is replaced by the next. */
const recent = new Map<number, OfferWithHistory>();
const numbers = new Float64Array(MAX_RECENT);
let next = 0;

/** Offers made from columns since the process began; the number starts again at 0 after 2^32. */
let made = 0;

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
