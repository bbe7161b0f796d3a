import type { OfferFilter } from '../offers/offer-filter.ts';
import type { CommissionColumns } from './commission-columns.ts';
import type { Demand } from './customer.ts';
import type { KernelBlock } from './kernel.ts';
import { ACTIVE_BIT, filterBits, OTHER_TARIFF, TARIFF_BITS, tariffBits } from './masks.ts';
import { type Block, communityBit, type Universe } from './universe.ts';

/** A universe and which of its companies take part. */
export interface UniversePart {
  readonly universe: Universe;
  readonly admits: (companyId: number) => boolean;
}

/** What decides who takes part, and with which numbers. */
export interface CandidateQuery {
  readonly demand: Demand;
  readonly month: string | null;
  readonly filter: OfferFilter;
  readonly withCommissions: boolean;
}

/** A block that takes part in a ranking, and its columns for one request. */
export interface Entrant {
  readonly block: Block;
  readonly columns: KernelBlock;
}

/** The blocks in which some row may pass the filter, with the columns that answer the query. */
export function entrantsOf(part: UniversePart, query: CandidateQuery): readonly Entrant[] {
  const { demand, withCommissions } = query;
  return gatedBlocks(part, query).map(({ block, gated }) => ({
    block,
    columns: { ...gated, ...linesOf(withCommissions ? block.commissions : null, demand) },
  }));
}

/** The commission lines of a block that hold for a customer. */
export function linesOf(
  commissions: CommissionColumns | null,
  { annualMwh, highestPowerKw }: Demand,
): Pick<KernelBlock, 'consumption' | 'power'> {
  return {
    consumption: commissions?.atConsumption(annualMwh) ?? null,
    power: commissions?.atPower(highestPowerKw) ?? null,
  };
}

/** A block of numbers with its filter, for any customer. */
export interface GatedBlock {
  readonly block: Block;
  readonly gated: Pick<KernelBlock, 'terms' | 'mask' | 'care' | 'want'>;
}

/** The blocks in which some row may pass the filter. */
export function gatedBlocks(
  { universe, admits }: UniversePart,
  { month, filter }: Pick<CandidateQuery, 'month' | 'filter'>,
): readonly GatedBlock[] {
  const admitsAll = companiesOf(universe).every(admits);
  return universe.blocks.flatMap((block): readonly GatedBlock[] => {
    const { terms, mask } = block.prices(month);
    const gate = gateOf(block, mask, { filter, admits, admitsAll, month });
    return gate ? [{ block, gated: { terms, ...gate } }] : [];
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

/** Rows pass when `(mask & care) === want`. */
type Gate = Pick<KernelBlock, 'mask' | 'care' | 'want'>;

interface GateQuery {
  readonly filter: OfferFilter;
  readonly admits: (companyId: number) => boolean;
  /** Whether every company of the universe is admitted. */
  readonly admitsAll: boolean;
  readonly month: string | null;
}

/** The filter as one comparison of bits, or `null` when no row of the block can pass. */
function gateOf(block: Block, mask: Int32Array, { filter, admits, admitsAll, month }: GateQuery): Gate | null {
  const { tariffType, community } = filter;
  const tariff = tariffType === null ? -1 : block.tariffTypes.indexOf(tariffType);
  if (tariffType !== null && tariff === -1) return null;
  if (community === null && admitsAll && tariff < OTHER_TARIFF) {
    const bits = filterBits(filter);
    return tariff === -1
      ? { mask, care: bits, want: bits }
      : { mask, care: bits | TARIFF_BITS, want: bits | tariffBits(tariff) };
  }
  const admitted = admittedIn(block, admits);
  if (!admitted.includes(1)) return null;
  // What bits cannot say is said by a mask of its own, in which the rows that do not pass are 0.
  const name = [month, filterBits(filter), community, tariff, admitsAll ? '' : admitted.join('')].join(' ');
  const gated = block.gates(name, () => {
    const passes = passTest(block, filter, admits);
    return mask.map((bits, row) => (passes?.(row) ? bits : 0));
  });
  return { mask: gated, care: ACTIVE_BIT, want: ACTIVE_BIT };
}

function admittedIn(block: Block, admits: (companyId: number) => boolean): Uint8Array {
  return Uint8Array.from(block.companyIds, (id) => (admits(id) ? 1 : 0));
}

/** The filter as a test of one row, or `null` when no row of the block can pass. */
export function passTest(
  block: Block,
  filter: OfferFilter,
  admits: (companyId: number) => boolean,
): ((row: number) => boolean) | null {
  const needed = filterBits(filter);
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
