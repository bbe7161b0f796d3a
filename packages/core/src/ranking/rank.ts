import { rankedAmong, rankedInBlocks } from '../advice/block-facts.ts';
import { conflictOf, weightForTolerance } from '../advice/conflict.ts';
import type { RankedFacts } from '../advice/market-facts.ts';
import { presentCost } from '../advice/present-contract.ts';
import { warningsFor } from '../advice/warnings.ts';
import type { Month } from '../calendar.ts';
import { assert } from '../errors.ts';
import type { OfferWithHistory } from '../offers/offer.ts';
import { type RankedBlock, rankedBlocks, rowPredicate, type UniversePart } from './candidates.ts';
import { commissionOf, priceOffer } from './cost.ts';
import { type Demand, demandOf } from './customer.ts';
import { listExcluded } from './exclusions.ts';
import { type RowFilter, sharedFilter } from './filter.ts';
import { contenderOf, type FrontierPoint, frontierOf, type Ranges, winnerAt, winnersByWeight } from './frontier.ts';
import { neededPrices } from './masks.ts';
import { firstByCost, firstOf, type PricedOffer, rangesOf, resultOf } from './order.ts';
import {
  type ExcludedOffer,
  MAX_LISTED_EXCLUSIONS,
  MAX_TOLERANCE,
  type Ranking,
  type RankingRequest,
} from './ranking.ts';

/** Options that affect the speed but not the result. */
export interface RankOptions {
  /** The filter that selects the offers to price; `null`: all are priced. Default: the filter of this thread. */
  readonly filter?: RowFilter | null | undefined;
}

/**
 * Ranks every offer of some universes for one customer.
 *
 * @param parts - Universes of the customer's supply type, with the companies that take part. Ids are distinct over
 *   all of them.
 * @throws RangeError when the weight is outside 0 to 1 or a quantity is negative or not finite: a bug in the caller.
 * @see docs/scoring.md, and docs/assumptions.md, A-03 to A-20
 */
export function rankUniverses(
  parts: readonly UniversePart[],
  request: RankingRequest,
  options: RankOptions = {},
): Ranking {
  return finish(rankInSteps(parts, request, options));
}

/** The same in steps of some milliseconds, so that other work can run in between. */
export function* rankInSteps(
  parts: readonly UniversePart[],
  request: RankingRequest,
  { filter = sharedFilter() }: RankOptions = {},
): Generator<undefined, Ranking> {
  const asked = questionOf(request);
  if (!filter || !isLarge(parts, filter)) {
    const market = yield* priceAll(parts, asked);
    return yield* rankingOf(weighed(asked, market), market);
  }
  yield* preparePrices(parts, request.month);
  const blocks = parts.map((part) => rankedBlocks(part, request));
  const all = blocks.flat();
  const { question, market } = yield* marketAtWeight(asked, function* (weighted) {
    const named = yield* priceCandidates(filter, all, { ...weighted, withWinners: weighted.seesCommissions });
    if (!named) return yield* priceAll(parts, weighted, all);
    const excluded = listExcluded(blocks, { ...weighted, month: request.month, count: named.excludedCount });
    return { ...named, excluded };
  });
  return yield* rankingOf(question, market);
}

/** Computes the prices of a month, block by block, where they are not cached. */
export function* preparePrices(parts: readonly UniversePart[], month: Month | null): Generator<undefined, void> {
  for (const block of parts.flatMap(({ universe }) => universe.blocks)) {
    if (block.hasPrices(month)) continue;
    block.prices(month);
    yield;
  }
}

/**
 * The market of a question, and the question at the weight at which it is ranked. A tolerance becomes a weight once both
 * ends of cost and commission are known; where only the best were priced, they are others at that weight.
 */
export function* marketAtWeight(
  asked: Question,
  marketFor: (question: Question) => Generator<undefined, PricedMarket>,
): Generator<undefined, { readonly question: Question; readonly market: PricedMarket }> {
  const { tolerance = null } = asked.request;
  const isWeighed = tolerance === null || !asked.seesCommissions;
  // For the ends of cost and commission one offer in place of many is enough.
  const market = yield* marketFor(isWeighed ? asked : { ...asked, request: { ...asked.request, limit: 1 } });
  const question = weighed(asked, market);
  const isWhole = market.priced.length === market.rankedCount;
  return { question, market: question === asked || isWhole ? market : yield* marketFor(question) };
}

/** A question at the weight that its tolerance gives. @param market - Has both ends of cost and commission. */
export function weighed(question: Question, { priced }: Pick<PricedMarket, 'priced'>): Question {
  const { tolerance = null, period } = question.request;
  if (tolerance === null || !question.seesCommissions) return question;
  return { ...question, weight: weightForTolerance(rangesOf(priced), tolerance, period) };
}

/**
 * Prices the rows that the filter names; `null` where it names none because every row may matter. It knows one sum of
 * energy and not the parts of a profile.
 */
export function* priceCandidates(
  filter: RowFilter,
  blocks: readonly RankedBlock[],
  question: Question & { readonly withWinners: boolean },
): Generator<undefined, PricedMarket | null> {
  const { month, limit, customer } = question.request;
  if (customer.profile) return null;
  const found = yield* filter.candidates(blocks, { ...question, month, limit });
  if (!found) return null;
  const priced: PricedOffer[] = [];
  for (let index = 0; index < blocks.length; index++) {
    for (const row of found.rows[index] ?? []) {
      const entry = blocks[index]?.block.entryAt(row);
      const excluded = entry && addPriced(priced, entry, question);
      assert(!excluded, 'an offer that the filter names has a cost');
      // Many where many offers cost the same.
      if (priced.length % STEP_ROWS === 0) yield;
    }
  }
  const ranked = yield* rankedInBlocks(blocks, priced, { ...question, month });
  return { priced, excluded: [], rankedCount: found.rankedCount, excludedCount: found.excludedCount, ranked };
}

/** Runs all steps at once. */
export function finish<T>(steps: Generator<undefined, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** A request with everything that is computed once for all offers. */
export interface Question {
  readonly request: RankingRequest;
  readonly demand: Demand;
  /** The bits of the prices without which an offer cannot be priced. */
  readonly needed: number;
  readonly weight: number;
  readonly seesCommissions: boolean;
}

/** @throws RangeError as `rankUniverses`. */
export function questionOf(request: RankingRequest): Question {
  const { seesCommissions, tolerance = null } = request;
  const weight = seesCommissions && tolerance === null ? request.weight : 1;
  assert(weight >= 0 && weight <= 1, 'a weight is 0 to 1');
  assert(tolerance === null || (tolerance >= 0 && tolerance <= MAX_TOLERANCE), `a tolerance is 0 to ${MAX_TOLERANCE}`);
  assert(!request.customer.profile || request.month === null, 'a profile names the months of its entries');
  const demand = demandOf(request.customer, request.period, request.fees);
  return { request, demand, needed: neededPrices(demand), weight, seesCommissions };
}

/** Whether the filter is faster than the definition alone. */
export function isLarge(parts: readonly UniversePart[], { fewestRows }: RowFilter): boolean {
  let rows = 0;
  for (const { universe } of parts) for (const { rowCount } of universe.blocks) rows += rowCount;
  return rows >= fewestRows;
}

/** What a ranking is made of: all ranked offers, or at least those that can matter. */
export interface PricedMarket {
  readonly priced: readonly PricedOffer[];
  readonly rankedCount: number;
  readonly excludedCount: number;
  /** By ascending id, those that are listed. */
  readonly excluded: readonly ExcludedOffer[];
  readonly ranked: RankedFacts;
}

/** Offers that are priced, or put in order, in one step: as many as a block has. */
const STEP_ROWS = 1024;

/** Prices an offer by the definition; the reason why it has no cost, or `null` when it was added. */
function addPriced(priced: PricedOffer[], entry: OfferWithHistory, question: Question): ExcludedOffer | null {
  const { demand, request, seesCommissions } = question;
  const { offer } = entry;
  const pricing = priceOffer(entry, demand, request.month);
  if (!pricing.priced) return { offer, exclusion: pricing.exclusion };
  const commission = seesCommissions ? commissionOf(offer, demand) : null;
  priced.push({
    // Of the kind that it will be, or all of them would have to change theirs.
    score: Number.NaN,
    costEur: pricing.cost.totalEur,
    commissionEur: commission?.totalEur ?? 0,
    id: offer.id,
    offer,
    pricing,
    commission,
  });
  return null;
}

/**
 * Prices every offer that passes the filter, block by block.
 *
 * @param blocks - Those of the parts, where there are many: their facts are worked out once.
 */
export function* priceAll(
  parts: readonly UniversePart[],
  question: Question,
  blocks: readonly RankedBlock[] | null = null,
): Generator<undefined, PricedMarket> {
  const market = emptyMarket();
  for (const { universe, admits } of parts) {
    for (const block of universe.blocks) {
      const matchesRow = rowPredicate(block, question.request.filter, admits);
      if (!matchesRow) continue;
      if (market.seen > 0) yield;
      for (let row = 0; row < block.rowCount; row++) if (matchesRow(row)) market.add(block.entryAt(row), question);
    }
  }
  const result = market.result();
  if (!blocks) return result;
  const asked = { ...question, month: question.request.month };
  return { ...result, ranked: yield* rankedInBlocks(blocks, result.priced, asked) };
}

/** Takes offers one by one: those that are ranked, and those that have no cost. */
export function emptyMarket() {
  const priced: PricedOffer[] = [];
  const excluded: ExcludedOffer[] = [];
  return {
    get seen() {
      return priced.length + excluded.length;
    },
    add(entry: OfferWithHistory, question: Question): void {
      const without = addPriced(priced, entry, question);
      if (without) excluded.push(without);
    },
    result(): PricedMarket {
      const excludedCount = excluded.length;
      excluded.sort((a, b) => a.offer.id - b.offer.id);
      const listed = excluded.slice(0, MAX_LISTED_EXCLUSIONS);
      return { priced, rankedCount: priced.length, excludedCount, excluded: listed, ranked: rankedAmong(priced) };
    },
  };
}

/** The result for one customer of a portfolio: a ranking without the lists of a single ranking. */
export type PortfolioRanking = Omit<Ranking, 'excluded' | 'winners' | 'bestPaidId' | 'conflict'>;

/** What both kinds of ranking are made of. */
interface OrderedRanking {
  readonly ranking: PortfolioRanking;
  readonly ranges: Ranges | null;
  /** `null` where commissions are not seen. */
  readonly frontier: readonly FrontierPoint[] | null;
  readonly cheapest: PricedOffer | null;
  readonly mostEfficient: PricedOffer | null;
}

/**
 * Puts priced offers in order. An offer that beats another scores no less at any weight and wins a tie: it comes
 * before it, so the offers that are priced show which of the results are on the frontier.
 */
function* orderedOf(
  { request, weight, seesCommissions, demand }: Question,
  { priced, rankedCount, excludedCount, ranked }: PricedMarket,
): Generator<undefined, OrderedRanking> {
  const { period, limit, contract = null } = request;
  const isLong = priced.length > STEP_ROWS;
  if (isLong) yield;
  const ranges = rangesOf(priced);
  if (isLong) yield;
  const first = ranges ? yield* firstOf(priced, { ranges, weight, limit }) : [];
  if (isLong) yield;
  const frontier = seesCommissions ? frontierOf(priced) : null;
  if (isLong) yield;
  const present = contract && presentCost(contract, request);
  const cheapest = firstByCost(priced);
  const results =
    ranges && cheapest
      ? first.map((offer, place) => resultOf(offer, { place, ranges, frontier, cheapest, demand, present }))
      : [];
  const ranking = {
    weight,
    period,
    rankedCount,
    excludedCount,
    cheapestId: cheapest?.id ?? null,
    mostEfficientId: results[0]?.offer.id ?? null,
    costRangeEur: ranges?.cost ?? null,
    commissionRangeEur: seesCommissions ? (ranges?.commission ?? null) : null,
    warnings: warningsFor(ranked, { demand, filter: request.filter }),
    presentCost: present,
    results,
  };
  return { ranking, ranges, frontier, cheapest, mostEfficient: first[0] ?? null };
}

/** What one customer of a portfolio is told. */
export function* portfolioRankingOf(question: Question, market: PricedMarket): Generator<undefined, PortfolioRanking> {
  return (yield* orderedOf(question, market)).ranking;
}

/** The same with the excluded offers and the winners by weight. */
export function* rankingOf(question: Question, market: PricedMarket): Generator<undefined, Ranking> {
  const { ranking, ranges, frontier, cheapest, mostEfficient } = yield* orderedOf(question, market);
  const { excluded } = market;
  if (!frontier) return { ...ranking, excluded, bestPaidId: null, winners: null, conflict: null };
  const contenders = ranges ? frontier.map((point) => contenderOf(point, ranges)) : [];
  const bestPaid = winnerAt(contenders, 0);
  const conflict =
    ranges && cheapest && mostEfficient && bestPaid
      ? conflictOf({ cheapest, mostEfficient, bestPaid }, { ranges, ...ranking })
      : null;
  return { ...ranking, excluded, bestPaidId: bestPaid?.id ?? null, winners: winnersByWeight(contenders), conflict };
}
