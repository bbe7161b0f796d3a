import { createBoundedCache } from '../bounded-cache.ts';
import type { Month } from '../calendar.ts';
import type { LimitedQuantities } from '../cost/limits.ts';
import type { OfferFilter } from '../offers/offer-filter.ts';
import type { LeastPowerPrices } from '../power/least-prices.ts';
import type { Block } from './block.ts';
import { factsOfBlock } from './block-facts.ts';
import { type BlockLimits, boundsTogether, intervalsName, rowsOutside } from './block-limits.ts';
import { type ExcludedQuery, findExcluded, firstListed, matchingRows } from './candidates.ts';
import { type MarketFacts, mergeFacts } from './market-facts.ts';
import { filterBits, WITHIN_LIMITS } from './masks.ts';
import type { MaskedBlock } from './preselection-memory.ts';
import type { ExcludedOffer } from './ranking.ts';
import { type RankingWarning, warningsOf } from './warnings.ts';

/** The part of a question that decides what it sees of a market. */
export interface ViewQuestion {
  /** `null`: the mean of indexed offers. */
  readonly month: Month | null;
  readonly filter: OfferFilter;
  /** The bits without which an offer is not ranked. */
  readonly needed: number;
  /** What limits are compared with; left out: nothing, no limit excludes. */
  readonly demand?: LimitedQuantities;
  /** Those of the day that the question names; left out: it names none. */
  readonly leastPowerPrices?: LeastPowerPrices | undefined;
}

/** A block in which some row passes the filter, or would if its terms were known. */
interface RankedBlock extends MaskedBlock {
  readonly facts: MarketFacts;
  /** No more than can be listed, and the same list each time. */
  readonly excluded: (query: ExcludedQuery) => readonly ExcludedOffer[];
}

/** What all questions of one kind see of one or more universes: all that does not depend on the customer. */
export interface MarketView {
  /** Those in which some row passes the filter, or would if its terms were known. */
  readonly blocks: readonly RankedBlock[];
  readonly facts: MarketFacts;
  /** The first of the excluded offers by id, each with its reason. */
  readonly excluded: (query: ExcludedQuery) => readonly ExcludedOffer[];
  /** `warningsOf`, the same list each time. */
  readonly warnings: (bits: number) => readonly RankingWarning[];
  /** The blocks without the offers that have this flag, the same each time. */
  readonly without: (flag: number) => readonly MaskedBlock[];
  /** This view behind that of another universe, the same each time. */
  readonly behind: (first: MarketView) => MarketView;
}

/** The views of a universe: one for each kind of question, the least recently used is replaced first. */
export interface Views {
  /** Yields after each block that such a question sees for the first time. */
  readonly at: (question: ViewQuestion, admits: (companyId: number) => boolean) => Generator<undefined, MarketView>;
  /** The views of the universe after a change: what they have of blocks that did not change stays. */
  readonly after: (blocks: readonly Block[]) => Views;
  /** Approximate memory. */
  readonly heldBytes: () => number;
}

/** What one kind of question has seen of blocks; `null` where no row passes. */
type Seen = Map<Block, RankedBlock | null>;

interface Entry {
  readonly seen: Seen;
  /** `null` until all blocks are seen. */
  view: MarketView | null;
}

const MAX_VIEWS = 16;
const MAX_WARNINGS = 16;
/** As many as a ranking asks for. */
const MAX_FLAGS = 2;
/** Bytes of the facts and exclusions of a block, approximately. */
const FACTS_BYTES = 4096;

/** Views over some blocks, none of them used yet. */
export function createViews(blocks: readonly Block[], known: Iterable<readonly [string, Seen]> = []): Views {
  const entries = createBoundedCache<string, Entry>(MAX_VIEWS);
  for (const [name, seen] of known) entries.at(name, () => ({ seen, view: null }));
  let companyIds: readonly number[] | null = null;
  let bounds: BlockLimits['bounds'] | null = null;
  return {
    *at(question, admits) {
      companyIds ??= [...new Set(blocks.flatMap((block) => block.companyIds))];
      bounds ??= boundsTogether(blocks);
      const name = nameOf(
        question,
        bounds,
        companyIds.filter((id) => !admits(id)),
      );
      const entry = entries.at(name, () => ({ seen: new Map(), view: null }));
      if (entry.view) return entry.view;
      const { seen } = entry;
      for (const block of blocks) {
        if (seen.has(block)) continue;
        seen.set(block, rankedBlock(block, question, admits));
        yield;
      }
      entry.view ??= marketView(blocks.flatMap((block) => seen.get(block) ?? []));
      return entry.view;
    },
    after(changed) {
      const left = new Set(changed);
      const stays = ([name, { seen }]: readonly [string, Entry]) =>
        [name, new Map([...seen].filter(([block]) => left.has(block)))] as const;
      return createViews(changed, Array.from(entries.entries(), stays));
    },
    heldBytes: () => {
      let held = 0;
      for (const [, { seen }] of entries.entries())
        for (const ranked of seen.values()) if (ranked) held += ranked.mask.byteLength + FACTS_BYTES;
      return held;
    },
  };
}

/** @param left - The companies that take no part. By their ids, so that a name means the same after a change. */
function nameOf(
  { month, filter, needed, demand, leastPowerPrices }: ViewQuestion,
  bounds: BlockLimits['bounds'],
  left: readonly number[],
): string {
  const limits = demand && intervalsName(bounds, demand);
  const { maxPermanenceMonths, minFixedPriceMonths, isGreen } = filter;
  const terms = `${maxPermanenceMonths} ${minFixedPriceMonths} ${isGreen}`;
  return `${month} ${terms} ${filterBits(filter)} ${needed} ${limits} ${filter.community} ${left} ${filter.tariffType} ${JSON.stringify(leastPowerPrices)}`;
}

function rankedBlock(block: Block, question: ViewQuestion, admits: (companyId: number) => boolean): RankedBlock | null {
  const { rows, unknownTerms } = matchingRows(block, question.filter, admits);
  if (rows.length === 0 && unknownTerms.length === 0) return null;
  const prices = block.prices(question.month);
  const mask = new Int32Array(prices.mask.length);
  for (const row of rows) mask[row] = prices.mask[row] ?? 0;
  if (question.demand)
    for (const row of rowsOutside(block, question.demand)) mask[row] = (mask[row] ?? 0) & ~WITHIN_LIMITS;
  let excluded: readonly ExcludedOffer[] | null = null;
  return {
    block,
    mask,
    facts: factsOfBlock({ block, mask }, { ...question, unknownTerms }),
    excluded: (query) => {
      excluded ??= findExcluded({ block, mask }, query);
      return excluded;
    },
  };
}

/** The view of some blocks. */
export function marketView(blocks: readonly RankedBlock[]): MarketView {
  const facts = mergeFacts(blocks.map((block) => block.facts));
  const warnings = createBoundedCache<number, readonly RankingWarning[]>(MAX_WARNINGS);
  let excluded: readonly ExcludedOffer[] | null = null;
  const without = createBoundedCache<number, readonly MaskedBlock[]>(MAX_FLAGS);
  // Weak, and kept here: a view of an account that is not used keeps no catalog of the past.
  const joined = new WeakMap<MarketView, MarketView>();
  const view: MarketView = {
    blocks,
    facts,
    excluded: (query) => {
      excluded ??= firstListed(blocks.flatMap((block) => block.excluded(query)));
      return excluded;
    },
    without: (flag) =>
      without.at(flag, () =>
        blocks.map(({ block, mask }) => {
          return { block, mask: mask.map((bits, row) => (((block.flags[row] ?? 0) & flag) === 0 ? bits : 0)) };
        }),
      ),
    warnings: (bits) => warnings.at(bits, () => warningsOf(facts, bits)),
    behind(first) {
      if (first.blocks.length === 0) return view;
      if (blocks.length === 0) return first;
      const known = joined.get(first) ?? marketView([...first.blocks, ...blocks]);
      joined.set(first, known);
      return known;
    },
  };
  return view;
}
