import type { PriceQuestion } from '../cost/cost.ts';
import { type Demand, demandOf } from '../cost/customer.ts';
import { neededPrices } from '../cost/flags.ts';
import { assert } from '../errors.ts';
import { MAX_TOLERANCE, type RankingRequest } from './ranking.ts';

/** A request with everything that is computed once for all offers. */
export interface Question extends PriceQuestion {
  readonly request: RankingRequest;
  /** The bits of the prices without which an offer cannot be priced. */
  readonly needed: number;
  /** Whether the winners at every weight are needed; only if commissions are visible. */
  readonly withWinners: boolean;
  /** 0 to 1; 1 where commissions are not visible. */
  readonly weight: number;
  /** EUR of annual cost that one EUR of commission is worth, in place of the weight; `null`: none. */
  readonly tolerance: number | null;
  /** `false`: the answer does not list the offers that are excluded. */
  readonly listsExcluded: boolean;
  /** How many come before the end of the results, those that are left out among them. */
  readonly limit: number;
}

/** @throws RangeError as `rankUniverses`. */
export function questionOf(request: RankingRequest): Question {
  const { customer, period, month, offset = 0, seesCommissions } = request;
  const limit = request.limit + offset;
  const tolerance = seesCommissions ? (request.tolerance ?? null) : null;
  const weight = seesCommissions && tolerance === null ? request.weight : 1;
  checkPreference(weight, tolerance);
  assert(!customer.profile || month === null, 'a profile names the months of its entries');
  const { ssaaEurPerMwh = 0, signingDay } = request;
  const anyDay = demandOf(customer, period, { ...request.fees, ssaaEurPerMwh });
  const demand: Demand & { readonly signingDay?: string } =
    signingDay === undefined ? anyDay : { ...anyDay, signingDay };
  const needed = neededPrices(demand);
  return {
    ...{ request, demand, needed, weight, tolerance, month, limit, seesCommissions },
    ...{ withWinners: seesCommissions, listsExcluded: true },
  };
}

/** @throws RangeError for a weight or a tolerance out of its range. A weight beside a tolerance does not count. */
export function checkPreference(weight: number, tolerance: number | null): void {
  if (tolerance === null) assert(weight >= 0 && weight <= 1, 'a weight is 0 to 1');
  else assert(tolerance >= 0 && tolerance <= MAX_TOLERANCE, `a tolerance is 0 to ${MAX_TOLERANCE}`);
}
