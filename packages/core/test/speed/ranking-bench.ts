import {
  commissionOf,
  commissionScore,
  compareStandings,
  compileUniverse,
  demandOf,
  entrantsOf,
  type KernelTask,
  matchesFilter,
  neededPrices,
  type OfferWithHistory,
  priceOffer,
  priceScore,
  type RankingKernel,
  type RankingRequest,
  rankUniverses,
  type UniversePart,
  weightedScore,
} from '@tarifario/core';
import { chance, speedCustomer, speedRequest, speedUniverse } from './speed-universe.ts';

/** What is measured, prepared: each function answers the ids of the 50 best for the customer of that number. */
export interface RankingBench {
  readonly entries: readonly OfferWithHistory[];
  readonly requests: readonly RankingRequest[];
  /** Bytes of an offer that a ranking has to read: twelve prices, services, bits, two lines of commissions. */
  readonly bytesPerOffer: number;
  /** The part that grows with the number of offers. */
  readonly kernelIds: (kernel: RankingKernel, customer: number) => readonly number[];
  /** `rankUniverses` whole: the answer with 50 offers told, exclusions listed, winners by weight. */
  readonly rankingIds: (kernel: RankingKernel, customer: number) => readonly number[];
  /** Filter, map, sort and slice over plain objects. */
  readonly naiveIds: (customer: number) => readonly number[];
}

/** A market of that many offers and 16 firms that ask; always the same. */
export function prepareRankingBench(offers: number): RankingBench {
  const entries = speedUniverse(offers);
  const part: UniversePart = { universe: compileUniverse('LUZ', entries), admits: () => true };
  const next = chance(3);
  const requests = Array.from({ length: 16 }, () => speedRequest(speedCustomer(next)));
  const tasks = requests.map((request) => taskOf(part, request));
  const at = <T>(list: readonly T[], customer: number): T => {
    const found = list[customer % list.length];
    if (found === undefined) throw new RangeError('nobody asks');
    return found;
  };
  return {
    entries,
    requests,
    bytesPerOffer: 13 * 8 + 4 + 4 * 8,
    kernelIds: (kernel, customer) => kernel.rank(at(tasks, customer)).best.map(({ id }) => id),
    rankingIds: (kernel, customer) =>
      rankUniverses([part], at(requests, customer), { kernel }).results.map(({ offer }) => offer.id),
    naiveIds: (customer) => naiveIds(entries, at(requests, customer)),
  };
}

function taskOf(part: UniversePart, request: RankingRequest): KernelTask {
  const demand = demandOf(request.customer, request.period, request.fees);
  const entrants = entrantsOf(part, { ...request, demand, withCommissions: true });
  const { weight, limit } = request;
  const blocks = entrants.map(({ columns }) => columns);
  return {
    blocks,
    demand,
    neededPrices: neededPrices(demand),
    withCommissions: true,
    withContenders: true,
    weight,
    limit,
  };
}

function naiveIds(entries: readonly OfferWithHistory[], request: RankingRequest): readonly number[] {
  const demand = demandOf(request.customer, request.period, request.fees);
  const priced = entries
    .filter(({ offer }) => offer.isActive && matchesFilter(offer, request.filter))
    .map((entry) => ({ entry, pricing: priceOffer(entry, demand, request.month) }))
    .flatMap(({ entry, pricing }) =>
      pricing.priced
        ? [
            {
              id: entry.offer.id,
              costEur: pricing.cost.totalEur,
              commissionEur: commissionOf(entry.offer, demand).totalEur,
            },
          ]
        : [],
    );
  const rangeOf = (values: readonly number[]) => ({
    min: values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    max: values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
  });
  const cost = rangeOf(priced.map(({ costEur }) => costEur));
  const commission = rangeOf(priced.map(({ commissionEur }) => commissionEur));
  return priced
    .map((offer) => {
      const scores = {
        price: priceScore(offer.costEur, cost),
        commission: commissionScore(offer.commissionEur, commission),
      };
      return { ...offer, score: weightedScore(request.weight, scores) };
    })
    .sort(compareStandings)
    .slice(0, request.limit)
    .map(({ id }) => id);
}
