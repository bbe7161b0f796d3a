import type { MarketFacts } from '../advice/market-facts.ts';
import type { Month } from '../calendar.ts';
import type { OfferFilter } from '../offers/offer-filter.ts';
import { createBoundedCache } from './bounded-cache.ts';
import { ACTIVE_BIT, filterBits, OTHER_TARIFF, TARIFF_BITS, tariffBits } from './masks.ts';
import type { ExcludedOffer } from './ranking.ts';
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

/** The blocks in which some row may pass the filter. */
export function rankedBlocks({ universe, admits }: UniversePart, query: FilterQuery): readonly RankedBlock[] {
  const { month, filter } = query;
  const name = `${month} ${filterBits(filter)} ${filter.community} ${filter.tariffType} `;
  const admitsAll = companiesOf(universe).every(admits);
  return universe.blocks.flatMap((block) => {
    const admitted = admitsAll ? '' : block.companyIds.map((id) => Number(admits(id))).join('');
    return block.ranked.at(name + admitted, () => rankedBlock(block, query, admitsAll ? null : admits)) ?? [];
  });
}

const companyIds = new WeakMap<Universe, readonly number[]>();

/** The companies of a universe, each once. */
function companiesOf(universe: Universe): readonly number[] {
  const known = companyIds.get(universe) ?? [...new Set(universe.blocks.flatMap((block) => block.companyIds))];
  companyIds.set(universe, known);
  return known;
}

/** The filter as one comparison of bits, or `null` when no row of the block can pass. */
function rankedBlock(
  block: Block,
  { month, filter }: FilterQuery,
  admits: UniversePart['admits'] | null,
): RankedBlock | null {
  const { tariffType, community } = filter;
  const tariff = tariffType === null ? -1 : block.tariffTypes.indexOf(tariffType);
  if ((tariffType !== null && tariff === -1) || (admits && !block.companyIds.some(admits))) return null;
  const { mask } = block.prices(month);
  const facts = createBoundedCache<number, MarketFacts>(MAX_CACHED_NEEDS);
  const excluded = createBoundedCache<number, readonly ExcludedOffer[]>(MAX_CACHED_NEEDS);
  if (community === null && admits === null && tariff < OTHER_TARIFF) {
    const bits = filterBits(filter);
    const [care, want] = tariff === -1 ? [bits, bits] : [bits | TARIFF_BITS, bits | tariffBits(tariff)];
    return { block, mask, care, want, facts, excluded };
  }
  // Conditions that bits cannot express need another mask, with 0 for the rows that do not match.
  const passing = new Int32Array(mask.length);
  for (const row of matchingRows(block, filter, admits)) passing[row] = mask[row] ?? 0;
  return { block, mask: passing, care: ACTIVE_BIT, want: ACTIVE_BIT, facts, excluded };
}

/** For how many sets of prices that a customer needs, facts and exclusions of a block are cached. */
const MAX_CACHED_NEEDS = 8;

/** The rows of a block that pass a filter, whose companies are admitted; `null` admits all. */
export function matchingRows(
  { rowCount, flags, communities, tariffTypes, tariffSlots, companyIds, companySlots }: Block,
  filter: OfferFilter & { readonly includeInactive?: boolean },
  admits: UniversePart['admits'] | null,
): readonly number[] {
  const needed = filter.includeInactive ? filterBits(filter) & ~ACTIVE_BIT : filterBits(filter);
  const community = filter.community === null ? 0 : communityBit(filter.community);
  const tariff = filter.tariffType === null ? -1 : tariffTypes.indexOf(filter.tariffType);
  const admitted = companyIds.map((id) => admits === null || admits(id));
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
