import { assert } from '../errors.ts';
import type { RankedBlock } from './candidates.ts';
import { priceOffer } from './cost.ts';
import type { Demand } from './customer.ts';
import { type ExcludedOffer, MAX_LISTED_EXCLUSIONS } from './ranking.ts';

/** For how many kinds of requests (filter and used periods) the exclusions of a mask are cached. */
const MAX_CACHED_QUESTIONS = 8;

interface ExcludedQuery {
  /** The number of offers that the whole ranking excludes. */
  readonly count: number;
  /** The bits of the prices that the customer needs. */
  readonly needed: number;
  readonly demand: Demand;
  readonly month: string | null;
}

/** The first of the excluded offers by id, each with its reason. */
export function listExcluded(
  parts: readonly (readonly RankedBlock[])[],
  query: ExcludedQuery,
): readonly ExcludedOffer[] {
  const found: ExcludedOffer[] = [];
  let highestId = 0;
  let inOrder = true;
  for (const blocks of parts) {
    // The rows of a part ascend by id, so no more than this many can be listed.
    const most = Math.min(query.count, found.length + MAX_LISTED_EXCLUSIONS);
    for (const block of blocks) {
      if (found.length >= most) break;
      for (const excluded of excludedIn(block, query)) {
        const { id } = excluded.offer;
        inOrder &&= id > highestId;
        highestId = id;
        found.push(excluded);
      }
    }
  }
  // The exclusions of one part are already in order, and sorting them would take as long as answering a few offers.
  if (!inOrder) found.sort((a, b) => a.offer.id - b.offer.id);
  return found.length > MAX_LISTED_EXCLUSIONS ? found.slice(0, MAX_LISTED_EXCLUSIONS) : found;
}

/** The exclusions of a mask for one filter and one set of needed prices. */
interface Known {
  readonly care: number;
  readonly want: number;
  readonly needed: number;
  readonly excluded: readonly ExcludedOffer[];
}

/**
 * A cache by mask, which belongs to one block and one month and never changes. The reason why an offer has no cost
 * depends only on which prices are needed, so it is the same for all customers that need the same prices.
 */
const known = new WeakMap<Int32Array, Known[]>();

function excludedIn(block: RankedBlock, query: ExcludedQuery): readonly ExcludedOffer[] {
  const { mask, care, want } = block;
  const { needed } = query;
  const questions = known.get(mask) ?? [];
  for (const question of questions) {
    if (question.needed === needed && question.care === care && question.want === want) return question.excluded;
  }
  if (questions.length === 0) known.set(mask, questions);
  if (questions.length === MAX_CACHED_QUESTIONS) questions.shift();
  const excluded = findExcluded(block, query);
  questions.push({ care, want, needed, excluded });
  return excluded;
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
