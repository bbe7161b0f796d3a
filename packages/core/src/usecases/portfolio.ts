import { type Caller, seesCommissions } from '../access/caller.ts';
import { assert, refuseIfAny } from '../errors.ts';
import type { Company } from '../firms/firm.ts';
import { openPortfolio, type Portfolio } from '../ranking/portfolio.ts';
import type { PortfolioRanking } from '../ranking/rank.ts';
import type { RankingRequest } from '../ranking/ranking.ts';
import type { Deps } from './deps.ts';
import { accountOffersFor, partsOf, type RankingQuestion, type Reach, reachIn, weightFor } from './ranking.ts';

/** What one customer of a portfolio is told, or why not: a refusal, or a bug. */
export type CustomerAnswer =
  | {
      readonly ranked: true;
      readonly ranking: PortfolioRanking;
      /** The company behind every offer of the ranking. */
      readonly companies: ReadonlyMap<number, Company>;
    }
  | { readonly ranked: false; readonly error: unknown };

/** What ranks a portfolio. */
type Ranker = Pick<Deps, 'filter' | 'turn'>;

/** What a caller reaches, for many customers: all of them are ranked over one state of the data. */
interface CallersPortfolio {
  /**
   * Ranks customers, a few at a time, with a pause after each few. The answers stand in the order of the questions; a
   * question that is refused, as `rankForCaller` refuses it, touches no other.
   */
  rank(questions: readonly RankingQuestion[]): Promise<readonly CustomerAnswer[]>;
}

/** Pairs of a customer and an offer that are ranked at once, between two pauses. */
const PAIRS_AT_ONCE = 250_000;

/**
 * Opens what the caller reaches for a portfolio.
 *
 * @param firmId - The firm that all questions are narrowed to; `null`: not sent.
 * @throws DomainError `foreign_firm`.
 * @see docs/assumptions.md, A-54
 */
export async function portfolioForCaller(
  deps: Ranker & Pick<Deps, 'store' | 'offerCache'>,
  caller: Caller,
  firmId: number | null,
): Promise<CallersPortfolio> {
  const offers = await accountOffersFor(deps, caller);
  const reaches = new Map<number | null, Reach>([[firmId, reachIn(offers, caller, firmId)]]);
  const reachOf = (asked: number | null): Reach => {
    const reach = reaches.get(asked) ?? reachIn(offers, caller, asked);
    reaches.set(asked, reach);
    return reach;
  };
  return { rank: (questions) => rankAll(deps, caller, turnsOf(questions, { caller, reachOf })) };
}

interface Turn {
  readonly index: number;
  /** Turns of one name share a universe and a filter. */
  readonly group: string;
  readonly reach: Reach;
  readonly request: RankingRequest;
}

type Sorted = { readonly turns: readonly Turn[]; readonly answers: CustomerAnswer[] };

function turnsOf(
  questions: readonly RankingQuestion[],
  given: { readonly caller: Caller; readonly reachOf: (firmId: number | null) => Reach },
): Sorted {
  const sees = seesCommissions(given.caller);
  const turns: Turn[] = [];
  const answers = questions.map(({ request, firmId, issues }, index): CustomerAnswer => {
    try {
      const weight = weightFor(request, sees);
      const reach = given.reachOf(firmId);
      refuseIfAny(issues);
      const group = JSON.stringify([request.filter, request.month, request.company, firmId]);
      turns.push({ index, group, reach, request: { ...request, weight, seesCommissions: sees } });
      return NOT_YET;
    } catch (error) {
      return { ranked: false, error };
    }
  });
  return { turns, answers };
}

const NOT_YET: CustomerAnswer = { ranked: false, error: null };

async function rankAll(deps: Ranker, caller: Caller, { turns, answers }: Sorted): Promise<readonly CustomerAnswer[]> {
  // Prices of a month are made once for all that ask for it, and those of a few months are kept.
  const monthOf = (group: readonly Turn[]) => group[0]?.request.month ?? '';
  const groups = [...Map.groupBy(turns, ({ group: name }) => name).values()];
  for (const group of groups.sort((a, b) => (monthOf(a) < monthOf(b) ? -1 : 1))) {
    const [first] = group;
    if (first === undefined) continue;
    const { customer, company } = first.request;
    const parts = partsOf(first.reach, customer.supplyType, company);
    const rows = parts.flatMap(({ universe }) => universe.blocks).reduce((sum, { ids }) => sum + ids.length, 1);
    const atOnce = Math.max(1, Math.floor(PAIRS_AT_ONCE / rows));
    const portfolio = openPortfolio(parts, deps);
    for (let start = 0; start < group.length; start += atOnce) {
      await deps.turn?.(caller.accountId);
      const slice = group.slice(start, start + atOnce);
      rankSlice(portfolio, slice).forEach((answer, place) => {
        answers[slice[place]?.index ?? 0] = answer;
      });
    }
  }
  return answers;
}

function rankSlice(portfolio: Portfolio, slice: readonly Turn[]): readonly CustomerAnswer[] {
  const requests = slice.map(({ request }) => request);
  return portfolio.rank(requests).map((answer, place): CustomerAnswer => {
    const turn = slice[place];
    assert(turn !== undefined, 'there are as many answers as questions');
    return answer.ranked ? { ...answer, companies: turn.reach.companies } : answer;
  });
}
