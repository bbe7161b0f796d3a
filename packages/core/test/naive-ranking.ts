import {
  commissionOf,
  commissionScore,
  compareStandings,
  demandOf,
  matchesFilter,
  type OfferWithHistory,
  priceOffer,
  priceScore,
  type RankedOffer,
  type Ranking,
  type RankingRequest,
  type Standing,
  weightedScore,
} from '@tarifario/core/service';

/** A ranking but for the winners by weight, which have laws of their own. */
export type NaiveRanking = Omit<Ranking, 'winners'>;

type Scored = Omit<RankedOffer, 'isOptimal' | 'score'> & { readonly standing: Omit<Standing, 'score'> };

/**
 * The ranking as its rules are told, one offer after the other, without columns, blocks or shortcuts: filter, price,
 * sort, cut. Slow, and plain enough to be believed.
 */
export function naiveRanking(entries: readonly OfferWithHistory[], request: RankingRequest): NaiveRanking {
  const weight = request.seesCommissions ? request.weight : 1;
  const { scored, excluded } = scoreAll(entries, request);
  const costs = scored.map(({ standing }) => standing.costEur);
  const commissions = scored.map(({ standing }) => standing.commissionEur);
  const sees = request.seesCommissions;
  const order = orderAt(scored, weight);
  return {
    weight,
    period: request.period,
    rankedCount: scored.length,
    excludedCount: excluded.length,
    excluded: excluded.toSorted((a, b) => a.offer.id - b.offer.id).slice(0, 200),
    cheapestId: orderAt(scored, 1)[0]?.offer.id ?? null,
    bestPaidId: sees ? (orderAt(scored, 0)[0]?.offer.id ?? null) : null,
    mostEfficientId: order[0]?.offer.id ?? null,
    costRangeEur: scored.length > 0 ? rangeOf(costs) : null,
    commissionRangeEur: sees && scored.length > 0 ? rangeOf(commissions) : null,
    results: order
      .slice(0, request.limit)
      .map(({ standing, ...rest }, place) => ({ ...rest, score: standing.score, isOptimal: place === 0 })),
  };
}

function scoreAll(entries: readonly OfferWithHistory[], request: RankingRequest) {
  const demand = demandOf(request.customer, request.period, request.fees);
  const sees = request.seesCommissions;
  const universe = entries.filter(({ offer }) => offer.isActive && matchesFilter(offer, request.filter));
  const tried = universe.map((entry) => ({
    offer: entry.offer,
    pricing: priceOffer(entry, demand, request.month),
    commission: sees ? commissionOf(entry.offer, demand) : null,
  }));
  const priced = tried.flatMap(({ offer, pricing, commission }) =>
    pricing.priced ? [{ offer, ...pricing, commission }] : [],
  );
  const excluded = tried.flatMap(({ offer, pricing }) =>
    pricing.priced ? [] : [{ offer, exclusion: pricing.exclusion }],
  );
  const costs = rangeOf(priced.map(({ cost }) => cost.totalEur));
  const paid = rangeOf(priced.map(({ commission }) => commission?.totalEur ?? 0));
  const scored = priced.map(({ offer, prices, origin, cost, commission }): Scored => {
    const standing = { costEur: cost.totalEur, commissionEur: commission?.totalEur ?? 0, id: offer.id };
    const beaten = priced.some((other) => {
      const [otherCost, otherPay] = [other.cost.totalEur, other.commission?.totalEur ?? 0];
      const noWorse = otherCost <= standing.costEur && otherPay >= standing.commissionEur;
      return noWorse && (otherCost < standing.costEur || otherPay > standing.commissionEur);
    });
    return {
      offer,
      prices,
      origin,
      cost,
      commission,
      priceScore: priceScore(standing.costEur, costs),
      commissionScore: sees ? commissionScore(standing.commissionEur, paid) : null,
      isOnFrontier: sees ? !beaten : null,
      standing,
    };
  });
  return { scored, excluded };
}

function rangeOf(values: readonly number[]) {
  return { min: Math.min(...values), max: Math.max(...values) };
}

/** All of them by A-18, each with its score at that weight. */
function orderAt(scored: readonly Scored[], weight: number) {
  return scored
    .map((entry) => {
      const score = weightedScore(weight, { price: entry.priceScore, commission: entry.commissionScore ?? 10 });
      return { ...entry, standing: { ...entry.standing, score } };
    })
    .sort((a, b) => compareStandings(a.standing, b.standing));
}
