import { assert, refuseIfAny } from '../../../engine/errors.ts';
import { type PortfolioRanking, rankCustomerInTurns } from '../../../engine/rank/rank.ts';
import type { RankingRequest } from '../../../engine/rank/ranking.ts';
import type { Caller } from '../../access/caller.ts';
import type { Company } from '../../firms/firm.ts';
import { inTurns } from '../../in-turns.ts';
import { offersAsOf, type PastDeps } from '../offers/past-offers.ts';
import { accountOffersFor, otherSupplyIn, partsOf, type Visible, visibleTo } from '../offers/visible-offers.ts';
import type { Deps } from '../requests/deps.ts';
import { billedRequest, ofThePast, type RankingQuestion, requestFor, withContract } from './ranking.ts';

/** The ranking of one customer of a portfolio. */
export interface RankedCustomer {
  readonly ranked: true;
  readonly ranking: PortfolioRanking;
  /** The company behind every offer of the ranking. */
  readonly companies: ReadonlyMap<number, Company>;
}

/** Why there is no ranking of a customer: a refusal or a bug. */
interface UnrankedCustomer {
  readonly ranked: false;
  readonly error: unknown;
}

type CustomerAnswer = RankedCustomer | UnrankedCustomer;

/** The dependencies of ranking a portfolio. */
type RankingDeps = Pick<Deps, 'rates' | 'regulatedPrices' | 'revisions' | 'yieldToEventLoop'>;

/** The offers visible to a caller, to rank them for many customers over one state of the data. */
interface CallersPortfolio {
  /**
   * Ranks customers in groups, and yields to the event loop between groups. Answers are in the order of the questions.
   * A question that is refused, as by `rankForCaller`, does not affect the others.
   */
  rank(questions: readonly RankingQuestion[]): Promise<readonly CustomerAnswer[]>;
}

/** How many pairs of a customer and an offer are ranked between two yields: with a profile and bills some 30 ms. */
const PAIRS_AT_ONCE = 50_000;

/**
 * Prepares the offers visible to the caller for a portfolio.
 *
 * @param asked - `firmId`: the firm that all questions are narrowed to; `null`: not sent. `asOf`: the instant as of which
 *   all are ranked; `null`: now.
 * @throws DomainError `foreign_firm`; those of `offersAsOf`.
 * @see docs/assumptions.md, A-54 and A-86
 */
export async function portfolioForCaller(
  deps: RankingDeps & PastDeps,
  caller: Caller,
  { firmId, asOf = null }: Pick<RankingQuestion, 'firmId' | 'asOf'>,
): Promise<CallersPortfolio> {
  const present = await accountOffersFor(deps, caller);
  if (asOf !== null) visibleTo(present, caller, firmId);
  const offers = asOf === null ? present : await offersAsOf(deps, caller, asOf);
  const visibleByFirm = new Map<number | null, Visible>([[firmId, visibleTo(offers, caller, firmId)]]);
  const visibleOf = (id: number | null): Visible => {
    const visible = visibleByFirm.get(id) ?? visibleTo(offers, caller, id);
    visibleByFirm.set(id, visible);
    return visible;
  };
  return {
    rank: async (questions) => {
      const options = { ...deps, caller, visibleOf, asOf, now: deps.clock.now() };
      const asked = questions.map((question) => requestOf(question, options));
      const answers = await rankAll(
        deps,
        caller,
        asked.flatMap((one) => ('request' in one ? [one] : [])),
      );
      return asked.map((one) => {
        const answer = 'request' in one ? answers.get(one) : one;
        assert(answer !== undefined, 'every request is answered');
        return asOf === null || !answer.ranked ? answer : { ...answer, ranking: ofThePast(answer.ranking) };
      });
    },
  };
}

interface CustomerRequest {
  /** Requests of the same group share a universe and a filter. */
  readonly group: string;
  readonly visible: Visible;
  readonly request: RankingRequest;
}

function requestOf(
  question: RankingQuestion,
  options: Pick<Deps, 'rates' | 'regulatedPrices'> & {
    readonly caller: Caller;
    readonly visibleOf: (firmId: number | null) => Visible;
    readonly asOf: string | null;
    readonly now: string;
  },
): CustomerRequest | UnrankedCustomer {
  const { firmId, issues } = question;
  try {
    const unbilled = requestFor(options.caller, question, options.asOf ?? options.now);
    const visible = options.visibleOf(firmId);
    const found = withContract(visible, { ...question, asOf: options.asOf }, unbilled);
    refuseIfAny(issues);
    const request = billedRequest(options, question, found);
    return { group: JSON.stringify([request.filter, request.month, request.company, firmId]), visible, request };
  } catch (error) {
    return { ranked: false, error };
  }
}

async function rankAll(
  deps: RankingDeps,
  caller: Caller,
  customerRequests: readonly CustomerRequest[],
): Promise<ReadonlyMap<CustomerRequest, CustomerAnswer>> {
  const answers = new Map<CustomerRequest, CustomerAnswer>();
  // Ordered by month, and by period, on which discounts depend: prices are computed once for all requests of a month and
  // a period, and only those of a few are cached.
  const monthOf = (group: readonly CustomerRequest[]) => group[0]?.request.month ?? '';
  const groups = [...Map.groupBy(customerRequests, ({ group: name }) => name).values()];
  for (const group of groups.sort((a, b) => (monthOf(a) < monthOf(b) ? -1 : 1))) {
    const [first] = group;
    if (first === undefined) continue;
    const { customer, company } = first.request;
    const parts = partsOf(first.visible, customer.supplyType, company);
    const hasOtherSupply = otherSupplyIn(first.visible, customer.supplyType);
    const rows = parts.flatMap(({ universe }) => universe.tables).reduce((sum, { ids }) => sum + ids.length, 1);
    const atOnce = Math.max(1, Math.floor(PAIRS_AT_ONCE / rows));
    const byPeriod = group.toSorted((a, b) => a.request.period.months - b.request.period.months);
    for (let start = 0; start < group.length; start += atOnce) {
      await deps.yieldToEventLoop?.(caller.accountId);
      for (const one of byPeriod.slice(start, start + atOnce)) {
        const { request, visible } = one;
        const answer = await inTurns(rankCustomerInTurns(parts, { ...request, hasOtherSupply }), deps, caller);
        answers.set(one, answer.ranked ? { ...answer, companies: visible.companies } : answer);
      }
    }
  }
  return answers;
}
