import type { UniversePart } from './candidates.ts';
import { sharedFilter } from './filter.ts';
import { finish, marketOf, orderedRanking, type PortfolioRanking, questionOf, type RankOptions } from './rank.ts';
import type { RankingRequest } from './ranking.ts';

/** The answer to one customer, or the bug in what was asked for it. */
export type PortfolioAnswer =
  | { readonly ranked: true; readonly ranking: PortfolioRanking }
  | { readonly ranked: false; readonly error: unknown };

/** Universes prepared for ranking many customers. */
export interface Portfolio {
  /**
   * Ranks a slice of customers; call it again for the next slice, with a pause in between. Each answer is that of
   * `rankUniverses`, in the order of the requests. A request that throws there is answered with its error and does not
   * affect the others.
   */
  readonly rank: (requests: readonly RankingRequest[]) => readonly PortfolioAnswer[];
  /** Ranks one customer in steps of some milliseconds: one with a profile, or of a new month, takes many. */
  readonly rankInSteps: (request: RankingRequest) => Generator<undefined, PortfolioAnswer>;
}

/**
 * Prepares universes for many customers, who are ranked one after the other.
 *
 * @param parts - As `rankUniverses` takes them. They may not be patched meanwhile: a newer universe is another portfolio.
 */
export function openPortfolio(
  parts: readonly UniversePart[],
  { filter = sharedFilter() }: RankOptions = {},
): Portfolio {
  const rankInSteps = function* (request: RankingRequest): Generator<undefined, PortfolioAnswer> {
    try {
      const question = { ...questionOf(request), withWinners: false };
      const { ranking } = yield* orderedRanking(question, yield* marketOf(filter, parts, question));
      return { ranked: true, ranking };
    } catch (error) {
      return { ranked: false, error };
    }
  };
  return { rank: (requests) => requests.map((request) => finish(rankInSteps(request))), rankInSteps };
}

/** Ranks a whole portfolio at once. @public */
export function rankPortfolio(
  parts: readonly UniversePart[],
  requests: readonly RankingRequest[],
  options: RankOptions = {},
): readonly PortfolioAnswer[] {
  return openPortfolio(parts, options).rank(requests);
}
