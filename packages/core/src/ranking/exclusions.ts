import { assert } from '../errors.ts';
import { type BoundedCache, createBoundedCache } from './bounded-cache.ts';
import type { RankedBlock } from './candidates.ts';
import { priceOffer } from './cost.ts';
import type { Demand } from './customer.ts';
import { type ExcludedOffer, MAX_LISTED_EXCLUSIONS } from './ranking.ts';

/** For how many kinds of requests (filter and used periods) the exclusions of a mask are cached. */
const MAX_CACHED_QUESTIONS = 8;

interface ExcludedQuery {
  /** The bits of the prices that the customer needs. */
  readonly needed: number;
  readonly demand: Demand;
  readonly month: string | null;
}

/**
 * The first of the excluded offers by id, each with its reason.
 *
 * @param parts - Blocks of each universe, by ascending id.
 */
export function listExcluded(
  parts: readonly (readonly RankedBlock[])[],
  query: ExcludedQuery,
): readonly ExcludedOffer[] {
  return parts
    .flatMap((blocks) => {
      const found: ExcludedOffer[] = [];
      for (const block of blocks) if (found.length < MAX_LISTED_EXCLUSIONS) found.push(...excludedIn(block, query));
      return found;
    })
    .sort((a, b) => a.offer.id - b.offer.id)
    .slice(0, MAX_LISTED_EXCLUSIONS);
}

/**
 * A cache by mask, which belongs to one block and one month and never changes. The reason why an offer has no cost
 * depends only on which prices are needed, so it is the same for all customers that need the same prices.
 */
const EXCLUDED = new WeakMap<Int32Array, BoundedCache<string, readonly ExcludedOffer[]>>();

function excludedIn(ranked: RankedBlock, query: ExcludedQuery): readonly ExcludedOffer[] {
  const { mask, care, want } = ranked;
  const known = EXCLUDED.get(mask) ?? createBoundedCache(MAX_CACHED_QUESTIONS);
  EXCLUDED.set(mask, known);
  return known.at(`${care} ${want} ${query.needed}`, () => findExcluded(ranked, query));
}

/** The first excluded offers of a block: no more than can be listed. */
function findExcluded(
  { block, mask, care, want }: RankedBlock,
  { needed, demand, month }: ExcludedQuery,
): readonly ExcludedOffer[] {
  const excluded: ExcludedOffer[] = [];
  for (let row = 0; row < mask.length && excluded.length < MAX_LISTED_EXCLUSIONS; row++) {
    const bits = mask[row] ?? 0;
    if ((bits & care) !== want || (bits & needed) === needed) continue;
    const entry = block.entryAt(row);
    const pricing = priceOffer(entry, demand, month);
    assert(!pricing.priced, 'an offer was excluded and has a cost');
    excluded.push({ offer: entry.offer, exclusion: pricing.exclusion });
  }
  return excluded;
}
