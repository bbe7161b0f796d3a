import type { CostBreakdown } from '../cost/cost.ts';
import { roundHalfUp } from '../numbers.ts';
import type { Bill } from '../taxes/bill.ts';
import { type BilledOffer, orderNotices } from '../taxes/bill-order.ts';
import { type BillTerms, billFor } from '../taxes/bill-terms.ts';
import { NONE } from './facts.ts';
import { type PresentCost, savingOf } from './present-contract.ts';
import type { Ranking, RankingRequest } from './ranking.ts';

interface BillQuestion {
  readonly request: RankingRequest;
  readonly terms: BillTerms;
  readonly seesCommissions: boolean;
}

/**
 * A ranking with the bills of its results. Cost, scores and order stay as they are.
 *
 * @param cheapest - The offer with the lowest bill of all that are ranked.
 */
export function withBills(ranking: Ranking, cheapest: BilledOffer | null, question: BillQuestion): Ranking {
  const { terms, request, seesCommissions } = question;
  const cheapestId = cheapest?.id ?? null;
  const present = ranking.presentCost && presentBill(ranking.presentCost, question);
  const { contract = null } = request;
  const presentEur = contract && 'billEur' in contract ? contract.billEur : (present?.totalEur ?? null);
  const notices = [...terms.notices, ...orderNotices(cheapest, ranking.costRangeEur?.min ?? 0)];
  return {
    ...ranking,
    warnings: [...ranking.warnings, ...notices.map((code) => ({ code, ...NONE }))],
    billed: { terms, cheapestId, present, presentEur },
    results: ranking.results.map((result) => {
      const bill = billFor(terms, result.cost, result.offer.tariffType);
      const extraEur = seesCommissions && cheapest ? roundHalfUp(bill.totalEur - cheapest.billEur, 6) : null;
      const saving =
        presentEur === null ? null : savingOf({ totalEur: presentEur }, bill.totalEur, ranking.period.days);
      return { ...result, billed: { bill, extraEur, saving } };
    }),
  };
}

/** The bill of the present contract, on its own tariff or that of the filter; `null` where only its total is known. */
function presentBill(cost: PresentCost, { terms, request }: BillQuestion): Bill | null {
  const { totalEur: _total, ...parts } = cost;
  if (Object.values(parts).includes(null)) return null;
  const { contract = null, filter } = request;
  const tariffType = contract && 'entry' in contract ? contract.entry.offer.tariffType : filter.tariffType;
  return billFor(terms, parts as Omit<CostBreakdown, 'totalEur'>, tariffType ?? '');
}
