import { assert } from '../errors.ts';
import type { Offer, OfferWithHistory } from '../offers/offer.ts';
import { ANY_COMPANY, anyOffer, type OfferFilter } from '../offers/offer-filter.ts';
import { type Candidates, findCandidates, type UniversePart } from './candidates.ts';
import { commissionOf, priceOffer } from './cost.ts';
import {
  type CustomerDefinition,
  calculationPeriod,
  type Demand,
  defineCustomer,
  demandOf,
  type Fees,
  NO_FEES,
  YEAR,
} from './customer.ts';
import { type Contender, type FrontierPoint, frontierOf, winnerAt, winnersByWeight } from './frontier.ts';
import {
  DEFAULT_LIMIT,
  DEFAULT_WEIGHT,
  type ExcludedOffer,
  MAX_LISTED_EXCLUSIONS,
  type RankedOffer,
  type Ranking,
  type RankingRequest,
} from './ranking.ts';
import { commissionScore, compareStandings, priceScore, type Range, type Standing, weightedScore } from './score.ts';
import { compileUniverse } from './universe.ts';

/**
 * Ranks every offer of some universes for one customer.
 *
 * @param parts - Universes of the customer's supply type, with the companies that take part. Ids are distinct over
 *   all of them.
 * @throws RangeError when the weight is outside 0 to 1 or a quantity is negative or not finite: a bug in the caller.
 * @see docs/scoring.md, and docs/assumptions.md, A-03 to A-20
 */
export function rankUniverses(parts: readonly UniversePart[], request: RankingRequest): Ranking {
  const weight = request.seesCommissions ? request.weight : 1;
  assert(weight >= 0 && weight <= 1, 'a weight is 0 to 1');
  const demand = demandOf(request.customer, request.period, request.fees);
  const candidates = findCandidates(parts, { ...request, demand, withCommissions: request.seesCommissions });
  const scales = scalesOf(candidates);
  const order = bestStandings(candidates, { weight, scales, limit: request.limit });
  const contenders = request.seesCommissions && scales ? contendersOf(candidates, scales) : null;
  const best = order[0];
  return {
    weight,
    period: request.period,
    rankedCount: candidates.count,
    excludedCount: candidates.excluded.length,
    excluded: listExcluded(candidates, demand, request.month),
    cheapestId: (contenders ? winnerAt(contenders, 1)?.id : cheapestId(candidates)) ?? null,
    bestPaidId: (contenders && winnerAt(contenders, 0)?.id) ?? null,
    mostEfficientId: best?.id ?? null,
    costRangeEur: scales?.cost ?? null,
    commissionRangeEur: request.seesCommissions ? (scales?.commission ?? null) : null,
    winners: request.seesCommissions ? winnersByWeight(contenders ?? []) : null,
    results: order.map((standing, place) => {
      const entry = candidates.entryAt(standing.candidate);
      return describe(entry, { standing, isOptimal: place === 0, demand, month: request.month, contenders, scales });
    }),
  };
}

interface Scales {
  readonly cost: Range;
  readonly commission: Range;
}

/** `null` when nothing is ranked. */
function scalesOf({ count, costEur, commissionEur }: Candidates): Scales | null {
  return count === 0 ? null : { cost: rangeOf(costEur, count), commission: rangeOf(commissionEur, count) };
}

function rangeOf(values: Float64Array, count: number): Range {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < count; row++) {
    const value = values[row] ?? 0;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return { min, max };
}

interface Place extends Standing {
  readonly candidate: number;
}

/** The first `limit` candidates by A-18, found without sorting the others. */
function bestStandings(
  { count, ids, costEur, commissionEur }: Candidates,
  { weight, scales, limit }: { readonly weight: number; readonly scales: Scales | null; readonly limit: number },
): readonly Place[] {
  const best: Place[] = [];
  if (!scales) return best;
  let lowest = Number.NEGATIVE_INFINITY;
  for (let candidate = 0; candidate < count; candidate++) {
    const cost = costEur[candidate] ?? 0;
    const commission = commissionEur[candidate] ?? 0;
    const price = priceScore(cost, scales.cost);
    const score = weightedScore(weight, { price, commission: commissionScore(commission, scales.commission) });
    if (score < lowest) continue;
    insert(best, { score, costEur: cost, commissionEur: commission, id: ids[candidate] ?? 0, candidate }, limit);
    if (best.length === limit) lowest = best.at(-1)?.score ?? lowest;
  }
  return best;
}

function insert(best: Place[], place: Place, limit: number): void {
  let low = 0;
  let high = best.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = best[middle];
    if (other && compareStandings(other, place) < 0) low = middle + 1;
    else high = middle;
  }
  if (low >= limit) return;
  best.splice(low, 0, place);
  if (best.length > limit) best.pop();
}

function contendersOf(candidates: Candidates, scales: Scales): readonly Contender[] {
  return frontierOf(candidates).map((point: FrontierPoint) => ({
    ...point,
    priceScore: priceScore(point.costEur, scales.cost),
    commissionScore: commissionScore(point.commissionEur, scales.commission),
  }));
}

/** The first by cost, then id: A-18 at weight 1 for those who may not see commissions. */
function cheapestId({ count, ids, costEur }: Candidates): number | null {
  let best = -1;
  for (let row = 0; row < count; row++) {
    const [cost, bestCost] = [costEur[row] ?? 0, costEur[best] ?? Number.POSITIVE_INFINITY];
    if (cost < bestCost || (cost === bestCost && (ids[row] ?? 0) < (ids[best] ?? 0))) best = row;
  }
  return ids[best] ?? null;
}

function listExcluded(candidates: Candidates, demand: Demand, month: string | null): readonly ExcludedOffer[] {
  return candidates.excluded
    .toSorted((a, b) => a.offer.id - b.offer.id)
    .slice(0, MAX_LISTED_EXCLUSIONS)
    .map((entry) => {
      const pricing = priceOffer(entry, demand, month);
      assert(!pricing.priced, `offer ${entry.offer.id} was excluded and has a cost`);
      return { offer: entry.offer, exclusion: pricing.exclusion };
    });
}

interface DescribeContext {
  readonly standing: Place;
  readonly isOptimal: boolean;
  readonly demand: Demand;
  readonly month: string | null;
  readonly contenders: readonly Contender[] | null;
  readonly scales: Scales | null;
}

/** Tells one ranked offer in full, from the plain definitions of its cost and commission. */
function describe(entry: OfferWithHistory, context: DescribeContext): RankedOffer {
  const { standing, demand, contenders, scales } = context;
  const pricing = priceOffer(entry, demand, context.month);
  assert(pricing.priced && scales !== null, `offer ${standing.id} was ranked and has no cost`);
  assert(pricing.cost.totalEur === standing.costEur, `offer ${standing.id}: two costs`);
  const commission = contenders ? commissionOf(entry.offer, demand) : null;
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
    priceScore: priceScore(standing.costEur, scales.cost),
    commissionScore: commission ? commissionScore(commission.totalEur, scales.commission) : null,
    isOptimal: context.isOptimal,
    isOnFrontier: contenders
      ? contenders.some((c) => c.costEur === standing.costEur && c.commissionEur === standing.commissionEur)
      : null,
  };
}

/** What `rankOffers` takes; all but the offers and the customer has a default. */
export interface RankOffersInput {
  /** Plain offers, or offers with their monthly prices. Each id once; inactive ones and those of the other supply are left out. */
  readonly offers: readonly (Offer | OfferWithHistory)[];
  readonly customer: CustomerDefinition;
  /** Default: a year of 365 days and 12 months. */
  readonly period?: { readonly days?: number; readonly months?: number };
  readonly fees?: Fees;
  /** 0 (commission only) to 1 (savings only); default 0.5. */
  readonly weight?: number;
  /** Month (`YYYY-MM-01`) whose prices indexed offers apply; default `null`, the mean of their history. */
  readonly month?: string | null;
  readonly filter?: Partial<Omit<OfferFilter, 'supplyType'>>;
  /** Results shown, at least 1; default 50. */
  readonly limit?: number;
  /** `false` ranks by cost alone and shows no commission; default `true`. */
  readonly seesCommissions?: boolean;
}

/**
 * Ranks plain objects for one customer, without server or database: the whole engine in one call.
 *
 * @throws RangeError when a weight, a period or a quantity is out of its range.
 */
export function rankOffers(input: RankOffersInput): Ranking {
  const { supplyType } = input.customer;
  const entries = input.offers
    .map((given) => ('offer' in given ? given : { offer: given, months: [] }))
    .filter(({ offer }) => offer.supplyType === supplyType)
    .sort((a, b) => a.offer.id - b.offer.id);
  return rankUniverses([{ universe: compileUniverse(supplyType, entries), admits: () => true }], {
    customer: defineCustomer(input.customer),
    period: input.period ? calculationPeriod(input.period) : YEAR,
    fees: input.fees ?? NO_FEES,
    weight: input.weight ?? DEFAULT_WEIGHT,
    month: input.month ?? null,
    filter: { ...anyOffer(supplyType), ...input.filter },
    company: ANY_COMPANY,
    limit: input.limit ?? DEFAULT_LIMIT,
    seesCommissions: input.seesCommissions ?? true,
  });
}
