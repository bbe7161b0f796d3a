import { assert } from '../errors.ts';
import type { OfferWithHistory } from '../offers/offer.ts';
import { commissionOf, priceOffer } from './cost.ts';
import type { Demand } from './customer.ts';
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
  const ranges = { cost: costRangeEur, commission: commissionRangeEur };
  const onFrontier = seesCommissions ? frontierAmong(best) : null;
  return best.map((place, index) => {
    const entry = entryAt(place.row);
    // Messages are constants: building one for each offer would take longer than its cost.
    const pricing = priceOffer(entry, demand, month);
    assert(pricing.priced, 'an offer that was ranked has a cost');
    assert(pricing.cost.totalEur === place.costEur, 'the kernel and the definition give one cost');
    const commission = seesCommissions ? commissionOf(entry.offer, demand) : null;
    assert(
      commission === null || commission.totalEur === place.commissionEur,
      'the kernel and the definition give one commission',
    );
    return {
      offer: entry.offer,
      prices: pricing.prices,
      origin: pricing.origin,
      cost: pricing.cost,
      commission,
      score: place.score,
      priceScore: priceScore(place.costEur, ranges.cost),
      commissionScore: commission && commissionScore(commission.totalEur, ranges.commission),
      isOptimal: index === 0,
      isOnFrontier: onFrontier && (onFrontier[index] ?? false),
    };
  });
}

/**
 * Which of the best no ranked offer beats: none is at least as cheap and as well paid, and better in one of the two.
 * At any weight who beats another scores no less and wins a tie, so it is one of those before; and whoever is
 * beaten is beaten by one that is not.
 */
function frontierAmong(best: readonly Place[]): readonly boolean[] {
  const frontier: Place[] = [];
  return best.map((place) => {
    const isOn = !frontier.some((other) => beats(other, place));
    if (isOn) frontier.push(place);
    return isOn;
  });
}

function beats(one: Place, other: Place): boolean {
  if (one.costEur > other.costEur || one.commissionEur < other.commissionEur) return false;
  return one.costEur < other.costEur || one.commissionEur > other.commissionEur;
}
