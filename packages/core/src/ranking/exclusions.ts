import { assert } from '../errors.ts';
import { priceOffer } from './cost.ts';
import type { FilterQuestion } from './filter.ts';
import { type ExcludedOffer, MAX_LISTED_EXCLUSIONS } from './ranking.ts';
import type { RankedBlock } from './universe.ts';

type ExcludedQuery = Pick<FilterQuestion, 'needed' | 'demand' | 'month'>;

/**
 * The first of the excluded offers by id, each with its reason. That depends only on which prices are needed, so it is
 * the same for all customers that need the same prices.
 */
export function listExcluded(blocks: readonly RankedBlock[], query: ExcludedQuery): readonly ExcludedOffer[] {
  return blocks
    .flatMap((ranked) => ranked.excluded.at(query.needed, () => findExcluded(ranked, query)))
    .sort((a, b) => a.offer.id - b.offer.id)
    .slice(0, MAX_LISTED_EXCLUSIONS);
}

/** The first excluded offers of a block: no more than can be listed. */
function findExcluded(
  { block, mask }: RankedBlock,
  { needed, demand, month }: ExcludedQuery,
): readonly ExcludedOffer[] {
  const excluded: ExcludedOffer[] = [];
  for (let row = 0; row < mask.length && excluded.length < MAX_LISTED_EXCLUSIONS; row++) {
    const bits = mask[row] ?? 0;
    if (bits === 0 || (bits & needed) === needed) continue;
    const entry = block.entryAt(row);
    const pricing = priceOffer(entry, demand, month);
    assert(!pricing.priced, 'an offer was excluded and has a cost');
    excluded.push({ offer: entry.offer, exclusion: pricing.exclusion });
  }
  return excluded;
}
