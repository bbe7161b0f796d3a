import { questionOf } from './question.ts';
import { answerTo, finish } from './rank.ts';
import type { Ranking, RankingRequest } from './ranking.ts';
import { tablesOf, type UniversePart } from './universe.ts';

/** The result for one customer of a portfolio: a ranking without the lists of a single ranking. */
export type PortfolioRanking = Omit<Ranking, Left>;

type Left = 'excluded' | 'winners' | 'bestPaidId' | 'conflict' | 'ssaaThresholdEurPerMwh';

/** The answer to one customer, or the bug that occurred for it, which does not affect the others. */
export type PortfolioAnswer =
  | { readonly ranked: true; readonly ranking: PortfolioRanking }
  | { readonly ranked: false; readonly error: unknown };

/** Ranks one of many customers as `rankInSteps` does. */
export function* rankCustomerInSteps(
  parts: readonly UniversePart[],
  request: RankingRequest,
): Generator<undefined, PortfolioAnswer> {
  try {
    const question = { ...questionOf(request), withWinners: false, listsExcluded: false };
    const { excluded, winners, bestPaidId, conflict, ssaaThresholdEurPerMwh, ...ranking } = yield* answerTo(
      tablesOf(parts),
      question,
    );
    return { ranked: true, ranking };
  } catch (error) {
    return { ranked: false, error };
  }
}

/** Ranks a whole portfolio at once. */
export function rankPortfolio(
  parts: readonly UniversePart[],
  requests: readonly RankingRequest[],
): readonly PortfolioAnswer[] {
  return requests.map((request) => finish(rankCustomerInSteps(parts, request)));
}
