import { assert } from '../errors.ts';
import type { OfferWithHistory } from '../offers/offer.ts';
import { commissionOf, priceOffer } from './cost.ts';
import type { Demand } from './customer.ts';
import type { Ranges } from './envelope.ts';
import type { KernelAnswer, Place } from './kernel.ts';
import type { RankedOffer, RankingRequest } from './ranking.ts';
import { commissionScore, priceScore } from './score.ts';

interface Asked {
  readonly demand: Demand;
  /** The offer behind a row over all blocks. */
  readonly entryAt: (row: number) => OfferWithHistory;
}

/** Tells the best offers in full, from the plain definitions of their costs and commissions. */
export function describeBest(
  { best, costRangeEur, commissionRangeEur }: KernelAnswer,
  { month, seesCommissions }: RankingRequest,
  { demand, entryAt }: Asked,
): readonly RankedOffer[] {
  if (!costRangeEur || !commissionRangeEur) return [];
  const context = { demand, month, seesCommissions, ranges: { cost: costRangeEur, commission: commissionRangeEur } };
  return best.map((standing, place) => ({
    ...describe(entryAt(standing.row), standing, context),
    isOptimal: place === 0,
    isOnFrontier: seesCommissions ? !isBeaten(best, place) : null,
  }));
}

interface DescribeContext {
  readonly demand: Demand;
  readonly month: string | null;
  readonly seesCommissions: boolean;
  readonly ranges: Ranges;
}

function describe(
  entry: OfferWithHistory,
  standing: Place,
  { demand, month, seesCommissions, ranges }: DescribeContext,
): Omit<RankedOffer, 'isOptimal' | 'isOnFrontier'> {
  const pricing = priceOffer(entry, demand, month);
  assert(pricing.priced, `offer ${standing.id} was ranked and has no cost`);
  assert(pricing.cost.totalEur === standing.costEur, `offer ${standing.id}: two costs`);
  const commission = seesCommissions ? commissionOf(entry.offer, demand) : null;
  assert(
    commission === null || commission.totalEur === standing.commissionEur,
    `offer ${standing.id}: two commissions`,
  );
  return {
    offer: entry.offer,
    prices: pricing.prices,
    origin: pricing.origin,
    cost: pricing.cost,
    commission,
    score: standing.score,
    priceScore: priceScore(standing.costEur, ranges.cost),
    commissionScore: commission ? commissionScore(commission.totalEur, ranges.commission) : null,
  };
}

/**
 * Whether another ranked offer is at least as cheap and as well paid, and better in one of the two. At any weight it
 * scores no less and wins a tie, so it is one of those before.
 */
function isBeaten(best: readonly Place[], place: number): boolean {
  const { costEur, commissionEur } = best[place] ?? { costEur: 0, commissionEur: 0 };
  for (let before = 0; before < place; before++) {
    const other = best[before];
    if (!other || other.costEur > costEur || other.commissionEur < commissionEur) continue;
    if (other.costEur < costEur || other.commissionEur > commissionEur) return true;
  }
  return false;
}
