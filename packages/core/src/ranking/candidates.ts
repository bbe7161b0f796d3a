import type { OfferWithHistory } from '../offers/offer.ts';
import type { OfferFilter } from '../offers/offer-filter.ts';
import type { Demand } from './customer.ts';
import { blockCommissionsEur, blockCostsEur, neededPrices } from './kernel.ts';
import { type Block, communityBit, filterBits, type Universe } from './universe.ts';

/** A universe and which of its companies take part. */
export interface UniversePart {
  readonly universe: Universe;
  readonly admits: (companyId: number) => boolean;
}

/** The offers that pass the filter, split into those that can be priced and those that cannot. */
export interface Candidates {
  readonly count: number;
  readonly ids: Float64Array;
  readonly costEur: Float64Array;
  /** Zeros when commissions were not asked for. */
  readonly commissionEur: Float64Array;
  /** The offer behind a candidate. */
  readonly entryAt: (candidate: number) => OfferWithHistory;
  /** In no particular order. */
  readonly excluded: readonly OfferWithHistory[];
}

export interface CandidateQuery {
  readonly demand: Demand;
  readonly month: string | null;
  readonly filter: OfferFilter;
  readonly withCommissions: boolean;
}

/** Finds and prices every offer that passes the filter. */
export function findCandidates(parts: readonly UniversePart[], query: CandidateQuery): Candidates {
  const rows = parts.reduce((sum, { universe }) => sum + universe.blocks.reduce((n, b) => n + b.ids.length, 0), 0);
  const ids = new Float64Array(rows);
  const costEur = new Float64Array(rows);
  const commissionEur = new Float64Array(rows);
  const entries: OfferWithHistory[] = [];
  const excluded: OfferWithHistory[] = [];
  const needed = neededPrices(query.demand);
  let count = 0;
  for (const { block, admits } of blocksOf(parts)) {
    const passes = passTest(block, query.filter, admits);
    if (!passes) continue;
    const prices = block.prices(query.month);
    const costs = blockCostsEur(block, prices, query.demand);
    const commissions = query.withCommissions ? blockCommissionsEur(block, query.demand) : null;
    for (let row = 0; row < costs.length; row++) {
      if (!passes(row)) continue;
      const entry = block.entries[row];
      if (!entry) continue;
      if (((prices.present[row] ?? 0) & needed) !== needed) {
        excluded.push(entry);
        continue;
      }
      ids[count] = block.ids[row] ?? 0;
      costEur[count] = costs[row] ?? 0;
      commissionEur[count] = commissions?.[row] ?? 0;
      entries[count] = entry;
      count++;
    }
  }
  const entryAt = (candidate: number) => {
    const entry = entries[candidate];
    if (!entry) throw new RangeError(`no candidate ${candidate}`);
    return entry;
  };
  return { count, ids, costEur, commissionEur, entryAt, excluded };
}

function* blocksOf(
  parts: readonly UniversePart[],
): Generator<{ block: Block; admits: (companyId: number) => boolean }> {
  for (const { universe, admits } of parts) for (const block of universe.blocks) yield { block, admits };
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
  const admitted = Uint8Array.from(block.companyIds, (id) => (admits(id) ? 1 : 0));
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
