import type { OfferWithHistory } from '../src/engine/offers/offer.ts';
import { matchesFilter } from '../src/engine/offers/offer-filter.ts';
import { commissionOf, priceOffer } from '../src/engine/price/cost.ts';
import { demandOf } from '../src/engine/price/customer.ts';
import type { RankedOffer, Ranking, RankingRequest } from '../src/engine/rank/ranking.ts';
import type { Standing } from '../src/engine/rank/score.ts';

/** The advice of a ranking, which the exact oracle computes. */
type Advice = 'warnings' | 'presentCost' | 'conflict' | 'ssaaThresholdEurPerMwh';
type AdviceOfResult =
  | 'discounted'
  | 'isImpossibleTariff'
  | 'extraCostEur'
  | 'extraCommissionEur'
  | 'commissionEurPerMwh'
  | 'saving';

type NaiveResult = Omit<RankedOffer, AdviceOfResult>;

/** A ranking without advice and without the winners by weight, which have their own laws. */
export type NaiveRanking = Omit<Ranking, 'winners' | 'results' | Advice> & { readonly results: readonly NaiveResult[] };

/** A ranking without the fields that the naive one lacks. */
export function withoutAdvice({ warnings, presentCost, conflict, ssaaThresholdEurPerMwh, ...ranking }: Ranking) {
  const results = ranking.results.map(
    ({ discounted, extraCostEur, extraCommissionEur, commissionEurPerMwh, saving, ...shown }): NaiveResult => {
      const { isImpossibleTariff: _, ...result } = shown;
      return result;
    },
  );
  return { ...ranking, results };
}

type Scored = Omit<NaiveResult, 'isOptimal' | 'score'> & { readonly standing: Omit<Standing, 'score'> };

/**
 * The ranking by its written rules, one offer after the other, without columns, blocks or shortcuts: filter, price,
 * sort, cut. Of the engine it uses the definition of a cost and of a commission, and nothing else. Slow, and plain enough
 * to be believed.
 */
export function naiveRanking(entries: readonly OfferWithHistory[], request: RankingRequest): NaiveRanking {
  const { scored, excluded } = scoreAll(entries, request);
  const costs = scored.map(({ standing }) => standing.costEur);
  const commissions = scored.map(({ standing }) => standing.commissionEur);
  const { seesCommissions } = request;
  const ranges = scored.length > 0 ? { cost: rangeOf(costs), commission: rangeOf(commissions) } : null;
  const weight = seesCommissions ? naiveWeight(request, ranges) : 1;
  const order = orderAt(scored, weight);
  const [cheapest, bestPaid] = [orderAt(scored, 1)[0], orderAt(scored, 0)[0]];
  return {
    weight,
    period: request.period,
    ...(request.signingDay && { signingDay: request.signingDay }),
    rankedCount: scored.length,
    excludedCount: excluded.length,
    excluded: excluded.toSorted((a, b) => a.offer.id - b.offer.id).slice(0, 200),
    cheapestId: cheapest?.offer.id ?? null,
    bestPaidId: seesCommissions ? (bestPaid?.offer.id ?? null) : null,
    mostEfficientId: order[0]?.offer.id ?? null,
    costRangeEur: ranges?.cost ?? null,
    commissionRangeEur: seesCommissions ? (ranges?.commission ?? null) : null,
    results: order.slice(0, request.limit).map(({ standing, ...rest }, place) => {
      return { ...rest, score: standing.score, isOptimal: place === 0 };
    }),
  };
}

/** The requested weight, or that of the tolerance. */
function naiveWeight(
  { weight, tolerance = null, period }: RankingRequest,
  ranges: Readonly<Record<'cost' | 'commission', ReturnType<typeof rangeOf>>> | null,
): number {
  if (tolerance === null || ranges === null) return tolerance === null ? weight : 1;
  const cost = ((ranges.cost.max - ranges.cost.min) * 365) / period.days;
  const commission = ranges.commission.max - ranges.commission.min;
  if (commission === 0) return 1;
  return cost === 0 ? Number(tolerance === 0) : cost / (cost + tolerance * commission);
}

function scoreAll(entries: readonly OfferWithHistory[], request: RankingRequest) {
  const { signingDay } = request;
  const demand = { ...demandOf(request.customer, request.period, request.fees), ...(signingDay && { signingDay }) };
  const seesCommissions = request.seesCommissions;
  const universe = entries.filter(({ offer }) => offer.isActive && matchesFilter(offer, request.filter));
  const tried = universe.map((entry) => ({
    offer: entry.offer,
    pricing: priceOffer(entry, demand, request.month),
    commission: seesCommissions ? commissionOf(entry.offer, demand) : null,
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
      commissionScore: seesCommissions ? share(standing.commissionEur - paid.min, paid) : null,
      isOnFrontier: seesCommissions ? !beaten : null,
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
