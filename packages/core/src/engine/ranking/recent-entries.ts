import { rememberMean } from '../cost/applied-price.ts';
import type { OfferWithHistory } from '../offers/offer.ts';

/** How many offers are cached as objects: about 16 MB. */
const MAX_RECENT = 8192;

/** The most recently created offers, by key; the oldest one is replaced by the next. */
const recent = new Map<number, OfferWithHistory>();
const recentKeys = new Float64Array(MAX_RECENT);
let next = 0;

/** How many offers were made from columns since the process began; starts again at 0 after 2^32. */
let madeCount = 0;

/**
 * Creates offers of a block as objects, and caches those that are made twice in a short time. With thousands of
 * accounts in turn, objects that survive for a while and are never used again cost the garbage collector most.
 *
 * @param keys - Of each row, unique in the process.
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
    madeCount = (madeCount + 1) >>> 0;
    const distance = (madeCount - (lastMade[row] ?? 0)) >>> 0;
    const isAgain = lastMade[row] !== 0 && distance <= MAX_RECENT;
    lastMade[row] = madeCount;
    if (!isAgain) return entry;
    rememberMean(entry);
    recent.delete(recentKeys[next] ?? 0);
    recentKeys[next] = key;
    next = (next + 1) % MAX_RECENT;
    recent.set(key, entry);
    return entry;
  };
}
