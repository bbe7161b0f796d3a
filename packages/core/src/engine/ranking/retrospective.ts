import { yearsOf } from '../cost/applied-price.ts';
import { priceOffer } from '../cost/cost.ts';
import type { Demand } from '../cost/customer.ts';
import type { OfferWithHistory } from '../offers/offer.ts';

/** What an indexed offer would have cost, EUR over the calculation period. */
export interface Retrospective extends BesideFixed {
  /** How many times 12 consecutive months of its history give a cost; with 0 the figures are `null`. */
  readonly windowCount: number;
  /** EUR. */
  readonly lowestEur: number | null;
  /** Of an even number the mean of the middle two. */
  readonly medianEur: number | null;
  /** EUR. */
  readonly highestEur: number | null;
  /** By the latest 12 months. */
  readonly latestEur: number | null;
}

/** The same beside the cheapest offer that is not indexed; `null` where there is none. */
interface BesideFixed {
  /** In how many windows the indexed offer was cheaper. */
  readonly timesCheapest: number | null;
  /** The most EUR that it would have cost more, >= 0. */
  readonly mostRegretEur: number | null;
  /** The most EUR that it would have cost less, >= 0. */
  readonly mostMissedEur: number | null;
}

/**
 * The costs of an indexed offer by the mean of each 12 consecutive calendar months of its history. No month has a
 * probability: what was is not what will be.
 *
 * @param cheapestFixedEur - The cost of the cheapest offer that is not indexed; `null`: there is none.
 * @see docs/assumptions.md, A-116
 */
export function retrospectiveOf(
  entry: OfferWithHistory,
  demand: Demand,
  cheapestFixedEur: number | null,
): Retrospective {
  const costs = yearsOf(entry).flatMap((year) => {
    const pricing = priceOffer(year, demand, null);
    return pricing.priced ? [pricing.cost.totalEur] : [];
  });
  const sorted = costs.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  const [lowestEur = null, highestEur = null] = [sorted[0], sorted.at(-1)];
  return {
    windowCount: costs.length,
    lowestEur,
    medianEur: low === undefined || high === undefined ? null : (low + high) / 2,
    highestEur,
    latestEur: costs.at(-1) ?? null,
    ...(lowestEur === null || highestEur === null || cheapestFixedEur === null
      ? NOTHING_FIXED
      : {
          timesCheapest: costs.filter((eur) => eur < cheapestFixedEur).length,
          mostRegretEur: Math.max(0, highestEur - cheapestFixedEur),
          mostMissedEur: Math.max(0, cheapestFixedEur - lowestEur),
        }),
  };
}

const NOTHING_FIXED: BesideFixed = { timesCheapest: null, mostRegretEur: null, mostMissedEur: null };
