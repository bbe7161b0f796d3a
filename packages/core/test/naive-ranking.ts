import {
  commissionOf,
  demandOf,
  matchesFilter,
  type OfferWithHistory,
  priceOffer,
  type RankedOffer,
  type Ranking,
  type RankingRequest,
  type Standing,
} from '@tarifario/core/service';
import { naiveConflict, naivePresentCost, naiveWarnings, naiveWeight } from './naive-advice.ts';

/** A ranking but for the winners by weight, which have laws of their own. */
export type NaiveRanking = Omit<Ranking, 'winners'>;

type Advised = 'extraCostEur' | 'extraCommissionEur' | 'commissionEurPerMwh' | 'saving';

type Scored = Omit<RankedOffer, 'isOptimal' | 'score' | Advised> & { readonly standing: Omit<Standing, 'score'> };

/**
 * The ranking as its rules are told, one offer after the other, without columns, blocks or shortcuts: filter, price,
 * sort, cut. Of the engine it uses the definition of a cost and of a commission, and nothing else. Slow, and plain enough
 * to be believed.
 */
export function naiveRanking(entries: readonly OfferWithHistory[], request: RankingRequest): NaiveRanking {
  const { scored, excluded } = scoreAll(entries, request);
  const weight = naiveWeight(
    request,
    scored.map(({ standing }) => standing),
  );
  const costs = scored.map(({ standing }) => standing.costEur);
  const commissions = scored.map(({ standing }) => standing.commissionEur);
  const sees = request.seesCommissions;
  const order = orderAt(scored, weight);
  const [cheapest, bestPaid] = [orderAt(scored, 1)[0], orderAt(scored, 0)[0]];
  const present = naivePresentCost(request);
  const { annualMwh } = demandOf(request.customer, request.period);
  const beside = ({ cost, commission }: Scored): Pick<RankedOffer, Advised> => ({
    extraCostEur: commission && cost.totalEur - (cheapest?.cost.totalEur ?? 0),
    extraCommissionEur: commission && commission.totalEur - (cheapest?.commission?.totalEur ?? 0),
    commissionEurPerMwh: commission && annualMwh > 0 ? commission.totalEur / annualMwh : null,
    saving: present && {
      eur: present.totalEur - cost.totalEur,
      percent: present.totalEur > 0 ? (100 * (present.totalEur - cost.totalEur)) / present.totalEur : null,
    },
  });
  const ranking = {
    weight,
    period: request.period,
    rankedCount: scored.length,
    excludedCount: excluded.length,
    excluded: excluded.toSorted((a, b) => a.offer.id - b.offer.id).slice(0, 200),
    cheapestId: cheapest?.offer.id ?? null,
    bestPaidId: sees ? (bestPaid?.offer.id ?? null) : null,
    mostEfficientId: order[0]?.offer.id ?? null,
    costRangeEur: scored.length > 0 ? rangeOf(costs) : null,
    commissionRangeEur: sees && scored.length > 0 ? rangeOf(commissions) : null,
    warnings: naiveWarnings(scored, request),
    presentCost: present,
    results: order.slice(0, request.limit).map(({ standing, ...rest }, place) => {
      return { ...rest, ...beside({ ...rest, standing }), score: standing.score, isOptimal: place === 0 };
    }),
  };
  return { ...ranking, conflict: naiveConflict({ cheapest, mostEfficient: order[0], bestPaid }, ranking) };
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
  const points = new Map(priced.map((one) => [`${one.cost.totalEur} ${one.commission?.totalEur}`, one]));
  const different = [...points.values()];
  const scored = priced.map(({ offer, prices, origin, cost, commission }): Scored => {
    const standing = { costEur: cost.totalEur, commissionEur: commission?.totalEur ?? 0, id: offer.id };
    const beaten = different.some((other) => {
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
      priceScore: share(costs.max - standing.costEur, costs),
      commissionScore: sees ? share(standing.commissionEur - paid.min, paid) : null,
      isOnFrontier: sees ? !beaten : null,
      standing,
    };
  });
  return { scored, excluded };
}

function rangeOf(values: readonly number[]) {
  return { min: Math.min(...values), max: Math.max(...values) };
}

function rounded(score: number): number {
  return Math.floor(score * 1e9 + 0.5) / 1e9;
}

/** A score of A-17. */
function share(distance: number, { min, max }: ReturnType<typeof rangeOf>): number {
  return max > min ? rounded((10 * distance) / (max - min)) : 10;
}

/** All of them by A-18, each with its score at that weight. */
function orderAt(scored: readonly Scored[], weight: number) {
  return scored
    .map((entry) => {
      const score = rounded(weight * entry.priceScore + (1 - weight) * (entry.commissionScore ?? 10));
      return { ...entry, standing: { ...entry.standing, score } };
    })
    .sort(({ standing: a }, { standing: b }) => {
      if (a.score !== b.score) return a.score > b.score ? -1 : 1;
      if (a.costEur !== b.costEur) return a.costEur < b.costEur ? -1 : 1;
      if (a.commissionEur !== b.commissionEur) return a.commissionEur > b.commissionEur ? -1 : 1;
      return a.id - b.id;
    });
}
