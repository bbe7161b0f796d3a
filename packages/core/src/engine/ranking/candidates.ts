import { createBoundedCache } from '../bounded-cache.ts';
import type { Month } from '../calendar.ts';
import { assert } from '../errors.ts';
import { COMMUNITIES } from '../offers/offer.ts';
import type { OfferFilter } from '../offers/offer-filter.ts';
import { priceOffer } from './cost.ts';
import type { FilterQuestion } from './filter.ts';
import { ACTIVE_BIT, filterBits } from './masks.ts';
import { type ExcludedOffer, MAX_LISTED_EXCLUSIONS, type RankingRequest } from './ranking.ts';
import type { Block, RankedBlock, Universe } from './universe.ts';

/** A universe and which of its companies take part. */
export interface UniversePart {
  readonly universe: Universe;
  readonly admits: (companyId: number) => boolean;
}

/** The blocks in which some row passes the filter. Yields after each block that this filter sees for the first time. */
export function* rankedBlocks(
  parts: readonly UniversePart[],
  { month, filter }: Pick<RankingRequest, 'month' | 'filter'>,
): Generator<undefined, readonly RankedBlock[]> {
  const name = `${month} ${filterBits(filter)} ${filter.community} ${filter.tariffType} `;
  const blocks: RankedBlock[] = [];
  for (const { universe, admits } of parts) {
    for (const block of universe.blocks) {
      const { companyIds } = block;
      const own = companyIds.every(admits) ? name : name + companyIds.map((id) => Number(admits(id))).join('');
      let ranked = block.ranked.get(own);
      if (ranked === undefined) {
        ranked = block.ranked.at(own, () => rankedBlock(block, month, matchingRows(block, filter, admits)));
        yield;
      }
      if (ranked) blocks.push(ranked);
    }
  }
  return blocks;
}

function rankedBlock(block: Block, month: Month | null, rows: readonly number[]): RankedBlock | null {
  if (rows.length === 0) return null;
  const prices = block.prices(month);
  const mask = new Int32Array(prices.mask.length);
  for (const row of rows) mask[row] = prices.mask[row] ?? 0;
  return { block, mask, facts: createBoundedCache(MAX_CACHED_NEEDS), excluded: createBoundedCache(MAX_CACHED_NEEDS) };
}

/** The rows that pass the filter and have the prices of these bits. */
export function* rankedRows({ mask }: RankedBlock, needed: number): Generator<number> {
  for (let row = 0; row < mask.length; row++) {
    const bits = mask[row] ?? 0;
    if (bits !== 0 && (bits & needed) === needed) yield row;
  }
}

/** For how many sets of needed prices the facts and exclusions of a block are cached. */
const MAX_CACHED_NEEDS = 8;

/** The rows of a block that pass a filter, and whose companies are admitted. */
export function matchingRows(
  { rowCount, flags, communities, tariffTypes, tariffSlots, companyIds, companySlots }: Block,
  filter: OfferFilter & { readonly includeInactive?: boolean },
  admits: UniversePart['admits'],
): readonly number[] {
  const needed = filter.includeInactive ? filterBits(filter) & ~ACTIVE_BIT : filterBits(filter);
  const community = filter.community === null ? 0 : 1 << COMMUNITIES.indexOf(filter.community);
  const tariff = filter.tariffType === null ? -1 : tariffTypes.indexOf(filter.tariffType);
  const admitted = companyIds.map(admits);
  const rows: number[] = [];
  for (let row = 0; row < rowCount; row++) {
    const restriction = communities[row] ?? 0;
    if (
      ((flags[row] ?? 0) & needed) === needed &&
      (filter.tariffType === null || tariffSlots[row] === tariff) &&
      (community === 0 || restriction === 0 || (restriction & community) !== 0) &&
      admitted[companySlots[row] ?? 0]
    ) {
      rows.push(row);
    }
  }
  return rows;
}

/**
 * The first of the excluded offers by id, each with its reason. That depends only on which prices are needed, so it is
 * the same for all customers that need the same prices.
 */
export function listExcluded(blocks: readonly RankedBlock[], query: ExcludedQuery): readonly ExcludedOffer[] {
  return firstListed(blocks.flatMap((ranked) => ranked.excluded.at(query.needed, () => findExcluded(ranked, query))));
}

type ExcludedQuery = Pick<FilterQuestion, 'needed' | 'demand' | 'month'>;

/** Those that are listed, by ascending id. */
export function firstListed(excluded: readonly ExcludedOffer[]): readonly ExcludedOffer[] {
  return excluded.toSorted((a, b) => a.offer.id - b.offer.id).slice(0, MAX_LISTED_EXCLUSIONS);
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
