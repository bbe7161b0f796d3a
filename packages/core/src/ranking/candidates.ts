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

/** The blocks in which some row may pass the filter. */
export function rankedBlocks(
  { universe, admits }: UniversePart,
  { month, filter }: { readonly month: Month | null; readonly filter: OfferFilter },
): readonly RankedBlock[] {
  const admitsAll = companiesOf(universe).every(admits);
  return universe.blocks.flatMap((block): readonly RankedBlock[] => {
    const comparison = filterMaskOf(block, { filter, admits, admitsAll, month });
    return comparison ? [{ block, ...comparison }] : [];
  });
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

interface FilterQuery {
  readonly filter: OfferFilter;
  readonly admits: (companyId: number) => boolean;
  /** Whether every company of the universe is admitted. */
  readonly admitsAll: boolean;
  readonly month: Month | null;
}

/** The filter as one comparison of bits, or `null` when no row of the block can pass. */
function filterMaskOf(
  block: Block,
  { filter, admits, admitsAll, month }: FilterQuery,
): Omit<RankedBlock, 'block'> | null {
  const { tariffType, community } = filter;
  const tariff = tariffType === null ? -1 : block.tariffTypes.indexOf(tariffType);
  if (tariffType !== null && tariff === -1) return null;
  const { mask } = block.prices(month);
  if (community === null && admitsAll && tariff < OTHER_TARIFF) {
    const bits = filterBits(filter);
    return tariff === -1
      ? { mask, care: bits, want: bits }
      : { mask, care: bits | TARIFF_BITS, want: bits | tariffBits(tariff) };
  }
  const admitted = admittedIn(block, admits);
  if (!admitted.includes(1)) return null;
  // Conditions that bits cannot express need another mask, with 0 for the rows that do not match.
  const name = [month, filterBits(filter), community, tariff, admitsAll ? '' : admitted.join('')].join(' ');
  const filtered = block.filterMasks.at(name, () => {
    const matchesRow = rowPredicate(block, filter, admits);
    return mask.map((bits, row) => (matchesRow?.(row) ? bits : 0));
  });
  return { mask: filtered, care: ACTIVE_BIT, want: ACTIVE_BIT };
}

function admittedIn(block: Block, admits: (companyId: number) => boolean): Uint8Array {
  return Uint8Array.from(block.companyIds, (id) => (admits(id) ? 1 : 0));
}

/** The filter as a test of one row, or `null` when no row of the block can pass. */
export function rowPredicate(
  block: Block,
  filter: OfferFilter & { readonly includeInactive?: boolean },
  admits: (companyId: number) => boolean,
): ((row: number) => boolean) | null {
  const needed = filter.includeInactive ? filterBits(filter) & ~ACTIVE_BIT : filterBits(filter);
  const community = filter.community === null ? 0 : communityBit(filter.community);
  const tariff = filter.tariffType === null ? -1 : block.tariffTypes.indexOf(filter.tariffType);
  if (filter.tariffType !== null && tariff === -1) return null;
  const admitted = admittedIn(block, admits);
  if (!admitted.includes(1)) return null;
  const { flags, communities, tariffSlots, companySlots } = block;
  return (row) => {
    const restriction = communities[row] ?? 0;
    return (
      ((flags[row] ?? 0) & needed) === needed &&
      (tariff === -1 || tariffSlots[row] === tariff) &&
      (community === 0 || restriction === 0 || (restriction & community) !== 0) &&
      admitted[companySlots[row] ?? 0] === 1
    );
  };
}
