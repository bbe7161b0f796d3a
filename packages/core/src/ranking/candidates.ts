import type { Month } from '../calendar.ts';
import type { OfferFilter } from '../offers/offer-filter.ts';
import { createBoundedCache } from './bounded-cache.ts';
import { ACTIVE_BIT, filterBits } from './masks.ts';
import { type Block, communityBit, type RankedBlock, type Universe } from './universe.ts';

/** A universe and which of its companies take part. */
export interface UniversePart {
  readonly universe: Universe;
  readonly admits: (companyId: number) => boolean;
}

interface FilterQuery {
  readonly month: Month | null;
  readonly filter: OfferFilter;
}

/** The blocks in which some row passes the filter. Yields after each block that this filter sees for the first time. */
export function* rankedBlocks(
  parts: readonly UniversePart[],
  { month, filter }: FilterQuery,
): Generator<undefined, readonly RankedBlock[]> {
  const name = `${month} ${filterBits(filter)} ${filter.community} ${filter.tariffType} `;
  const blocks: RankedBlock[] = [];
  for (const { universe, admits } of parts) {
    for (const block of universe.blocks) {
      const { companyIds } = block;
      const own = companyIds.every(admits) ? name : name + companyIds.map((id) => Number(admits(id))).join('');
      const isKnown = block.ranked.has(own);
      const ranked = block.ranked.at(own, () => rankedBlock(block, month, matchingRows(block, filter, admits)));
      if (!isKnown) yield;
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
  const community = filter.community === null ? 0 : communityBit(filter.community);
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
