import { MAX_LIMIT } from '@tarifario/core';
import type { CustomerQuestion } from '../customer/draft.ts';
import { toWirePreference } from '../ranking/preference.ts';
import type { Ordered } from '../ranking/shown-order.ts';

/** What a proposal is made of. */
export interface Proposed {
  readonly request: CustomerQuestion & { readonly limit: number };
  readonly offerIds: readonly number[];
  /** What the answer said of the first offers, and when the chosen ones were changed last. */
  readonly seen: readonly (readonly [id: number, costEur: number, changedAt: string | null])[];
  /** The chosen offers that a proposal cannot have. */
  readonly leftOutIds: readonly number[];
}

/**
 * The proposal of chosen offers, the same in both views: at the preference of the advisor. By cost only where that alone
 * has what the customer sees.
 *
 * @param byCost - What the customer sees; `null`: it is the advisor who looks. What is left out is by what is seen.
 */
export function proposedFrom(
  question: CustomerQuestion,
  offerIds: readonly number[],
  { advised, byCost }: { readonly advised: Ordered; readonly byCost: Ordered | null },
): Proposed {
  const leftOutOf = ({ ranking }: Ordered) => {
    const ids = new Set(ranking.results.map(({ offer }) => offer.id));
    return offerIds.filter((id) => !ids.has(id));
  };
  const { ranking, preference } = byCost && leftOutOf(advised).length > 0 ? byCost : advised;
  return {
    request: { ...question, ...toWirePreference(preference), limit: MAX_LIMIT },
    offerIds,
    seen: ranking.results.map(({ offer, cost }) => [
      offer.id,
      cost.total,
      offerIds.includes(offer.id) ? offer.updated_at : null,
    ]),
    leftOutIds: leftOutOf(byCost ?? advised),
  };
}
