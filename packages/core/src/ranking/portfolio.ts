import { type RankedBlock, rankedBlocks, type UniversePart } from './candidates.ts';
import { type RowFilter, sharedFilter } from './filter.ts';
import {
  finish,
  isLarge,
  type PortfolioRanking,
  type PricedMarket,
  portfolioRankingOf,
  priceAll,
  priceRows,
  type Question,
  questionOf,
  type RankOptions,
  rankedIn,
  weighted,
} from './rank.ts';
import type { RankingRequest } from './ranking.ts';

/** The answer to one customer, or the bug in what was asked for it. */
export type PortfolioAnswer =
  | { readonly ranked: true; readonly ranking: PortfolioRanking }
  | { readonly ranked: false; readonly error: unknown };

/** A universe that many customers are ranked over. */
export interface Portfolio {
  /**
   * Ranks a slice of customers; call it again for the next slice, with a pause between. Each answer is what
   * `rankUniverses` tells of that customer, and stands where the request stood. A request that throws there is
   * answered with its error, and no other is touched by it.
   */
  readonly rank: (requests: readonly RankingRequest[]) => readonly PortfolioAnswer[];
}

/** Ways of filtering whose blocks are kept. */
const KEPT_FILTERS = 16;

/**
 * Prepares universes for many customers, who are ranked one after the other.
 *
 * @param parts - As `rankUniverses` takes them. They may not be patched meanwhile: a newer universe is another portfolio.
 */
export function openPortfolio(
  parts: readonly UniversePart[],
  { filter = sharedFilter() }: RankOptions = {},
): Portfolio {
  const blocksByFilter = new Map<string, readonly RankedBlock[]>();
  const blocksFor = (request: RankingRequest): readonly RankedBlock[] => {
    const name = JSON.stringify([request.month, request.filter]);
    const known = blocksByFilter.get(name);
    if (known) return known;
    const oldest = blocksByFilter.keys().next();
    if (blocksByFilter.size >= KEPT_FILTERS && !oldest.done) blocksByFilter.delete(oldest.value);
    const blocks = parts.flatMap((part) => rankedBlocks(part, request));
    blocksByFilter.set(name, blocks);
    return blocks;
  };
  const useful = filter && isLarge(parts, filter) ? filter : null;
  const marketFor = function* (question: Question): Generator<undefined, PricedMarket> {
    const found = useful && filtered(useful, blocksFor(question.request), question);
    return found ?? (yield* priceAll(parts, question));
  };
  const rankOne = (request: RankingRequest): PortfolioAnswer => {
    try {
      const { question, market } = finish(weighted(questionOf(request), marketFor));
      const ranked = { ...market, ...rankedIn(blocksFor(request), question) };
      return { ranked: true, ranking: portfolioRankingOf(question, ranked) };
    } catch (error) {
      return { ranked: false, error };
    }
  };
  return { rank: (requests) => requests.map(rankOne) };
}

function filtered(filter: RowFilter, blocks: readonly RankedBlock[], question: Question): PricedMarket | null {
  const { month, limit } = question.request;
  const found = filter.candidates(blocks, { ...question, month, limit, withWinners: false });
  if (!found) return null;
  const { rows, rankedCount, excludedCount } = found;
  return { priced: finish(priceRows(blocks, rows, question)), rankedCount, excludedCount, excluded: [] };
}

/** Ranks a whole portfolio at once. */
export function rankPortfolio(
  parts: readonly UniversePart[],
  requests: readonly RankingRequest[],
  options: RankOptions = {},
): readonly PortfolioAnswer[] {
  return openPortfolio(parts, options).rank(requests);
}
