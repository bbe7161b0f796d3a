import type { Month } from '../calendar.ts';
import type { OfferFilter } from '../offers/offer-filter.ts';
import { ACTIVE_BIT, filterBits, OTHER_TARIFF, TARIFF_BITS, tariffBits } from './masks.ts';
import { type Block, communityBit, type Universe } from './universe.ts';

/** A universe and which of its companies take part. */
export interface UniversePart {
  readonly universe: Universe;
  readonly admits: (companyId: number) => boolean;
}

/** A block that takes part in a ranking. A row passes the filter when `(mask & care) === want`. */
export interface RankedBlock {
  readonly block: Block;
  readonly mask: Int32Array;
  readonly care: number;
  readonly want: number;
}

interface FilterQuery {
  readonly month: Month | null;
  readonly filter: OfferFilter;
}

/** The blocks in which some row may pass the filter. */
export function rankedBlocks({ universe, admits }: UniversePart, query: FilterQuery): readonly RankedBlock[] {
  const admitsAll = companiesOf(universe).every(admits);
  return universe.blocks.flatMap((block) => rankedBlock(block, query, admitsAll ? null : admits) ?? []);
}

const companyIds = new WeakMap<Universe, readonly number[]>();

/** The companies of a universe, each once. */
function companiesOf(universe: Universe): readonly number[] {
  const known = companyIds.get(universe);
  if (known) return known;
  const ids = [...new Set(universe.blocks.flatMap((block) => block.companyIds))];
  companyIds.set(universe, ids);
  return ids;
}

/** The filter as one comparison of bits, or `null` when no row of the block can pass. */
function rankedBlock(
  block: Block,
  { month, filter }: FilterQuery,
  admits: UniversePart['admits'] | null,
): RankedBlock | null {
  const { tariffType, community } = filter;
  const tariff = tariffType === null ? -1 : block.tariffTypes.indexOf(tariffType);
  if (tariffType !== null && tariff === -1) return null;
  const { mask } = block.prices(month);
  const bits = filterBits(filter);
  if (community === null && admits === null && tariff < OTHER_TARIFF) {
    return tariff === -1
      ? { block, mask, care: bits, want: bits }
      : { block, mask, care: bits | TARIFF_BITS, want: bits | tariffBits(tariff) };
  }
  const admitted = block.companyIds.map((id) => Number(admits === null || admits(id)));
  if (!admitted.includes(1)) return null;
  // Conditions that bits cannot express need another mask, with 0 for the rows that do not match.
  const filtered = block.filterMasks.at([month, bits, community, tariff, admitted.join('')].join(' '), () => {
    const passing = new Int32Array(mask.length);
    for (const row of matchingRows(block, filter, admits)) passing[row] = mask[row] ?? 0;
    return passing;
  });
  return { block, mask: filtered, care: ACTIVE_BIT, want: ACTIVE_BIT };
}

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
