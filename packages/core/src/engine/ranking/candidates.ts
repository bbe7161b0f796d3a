import { priceOffer } from '../cost/cost.ts';
import { assert } from '../errors.ts';
import { COMMUNITIES } from '../offers/offer.ts';
import { pickFields } from '../offers/offer-columns.ts';
import { asksForTerms, FILTERED_TERMS, type OfferFilter, termsVerdict } from '../offers/offer-filter.ts';
import type { Block } from './block.ts';
import { ACTIVE_BIT, filterBits } from './masks.ts';
import type { PreselectionQuestion } from './preselection.ts';
import type { MaskedBlock } from './preselection-memory.ts';
import { type ExcludedOffer, MAX_LISTED_EXCLUSIONS } from './ranking.ts';

// Marked as pure, as in block-facts.ts.
const TERMS = /* @__PURE__ */ pickFields(FILTERED_TERMS);

/** The rows that pass the filter and have the prices of these bits. */
export function* rankedRows({ mask }: MaskedBlock, needed: number): Generator<number> {
  for (let row = 0; row < mask.length; row++) {
    const bits = mask[row] ?? 0;
    if (bits !== 0 && (bits & needed) === needed) yield row;
  }
}

/** Rows of a block. */
export interface MatchingRows {
  readonly rows: readonly number[];
  /** Those that would be among them if a term that is asked for were known. */
  readonly unknownTerms: readonly number[];
}

/** The rows of a block that pass a filter, and whose companies are admitted. */
export function matchingRows(
  { rowCount, columns, flags, communities, tariffTypes, tariffSlots, companyIds, companySlots }: Block,
  filter: OfferFilter & { readonly includeInactive?: boolean },
  admits: (companyId: number) => boolean,
): MatchingRows {
  const needed = filter.includeInactive ? filterBits(filter) & ~ACTIVE_BIT : filterBits(filter);
  const community = filter.community === null ? 0 : 1 << COMMUNITIES.indexOf(filter.community);
  const tariff = filter.tariffType === null ? -1 : tariffTypes.indexOf(filter.tariffType);
  const admitted = companyIds.map(admits);
  const hasTerms = asksForTerms(filter);
  const [rows, unknownTerms]: [number[], number[]] = [[], []];
  for (let row = 0; row < rowCount; row++) {
    const restriction = communities[row] ?? 0;
    if (
      ((flags[row] ?? 0) & needed) === needed &&
      (filter.tariffType === null || tariffSlots[row] === tariff) &&
      (community === 0 || restriction === 0 || (restriction & community) !== 0) &&
      admitted[companySlots[row] ?? 0]
    ) {
      const verdict = !hasTerms || termsVerdict(TERMS(columns, row), filter);
      if (verdict !== false) (verdict ? rows : unknownTerms).push(row);
    }
  }
  return { rows, unknownTerms };
}

/** What the reasons of exclusions depend on: the needed prices, so they are the same for all customers that need these. */
export type ExcludedQuery = Pick<PreselectionQuestion, 'needed' | 'demand' | 'month'>;

/** Those that are listed, by ascending id. */
export function firstListed(excluded: readonly ExcludedOffer[]): readonly ExcludedOffer[] {
  return excluded.toSorted((a, b) => a.offer.id - b.offer.id).slice(0, MAX_LISTED_EXCLUSIONS);
}

/** The first excluded offers of a block: no more than can be listed. */
export function findExcluded(
  { block, mask }: MaskedBlock,
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
