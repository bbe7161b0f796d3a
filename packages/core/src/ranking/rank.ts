import { factsOfBlocks, solarIn } from '../advice/block-facts.ts';
import { conflictOf, weightForTolerance } from '../advice/conflict.ts';
import type { MarketFacts } from '../advice/market-facts.ts';
import { presentCost } from '../advice/present-contract.ts';
import { warningsFor } from '../advice/warnings.ts';
import type { Month } from '../calendar.ts';
import { assert } from '../errors.ts';
import type { Offer, OfferWithHistory } from '../offers/offer.ts';
import { passTest, type RankedBlock, rankedBlocks, type UniversePart } from './candidates.ts';
import { commissionOf, type Pricing, priceOffer } from './cost.ts';
import { type Demand, demandOf } from './customer.ts';
import { listExcluded } from './exclusions.ts';
import { type Candidates, type RowFilter, sharedFilter } from './filter.ts';
import { contenderOf, type FrontierPoint, frontierOf, type Ranges, winnerAt, winnersByWeight } from './frontier.ts';
import { neededPrices } from './masks.ts';
import { type Figures, firstByCost, firstOf, type PricedOffer, rangesOf, resultOf } from './order.ts';
import {
  type ExcludedOffer,
  MAX_LISTED_EXCLUSIONS,
  MAX_TOLERANCE,
  type Ranking,
  type RankingRequest,
} from './ranking.ts';

/** How the work is done; the answer is the same with any. */
export interface RankOptions {
  /** What names the offers that can matter; `null`: all of them are priced. Default: the filter of this thread. */
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

/** The same in steps of some thousandths of a second, for whoever has others to serve in between. */
export function* rankInSteps(
  parts: readonly UniversePart[],
  request: RankingRequest,
  { filter = sharedFilter() }: RankOptions = {},
): Generator<undefined, Ranking> {
  const useful = filter && isLarge(parts, filter) ? filter : null;
  yield* makeMasks(parts, request.month);
  const blocks = parts.map((part) => rankedBlocks(part, request));
  const all = blocks.flat();
  const marketFor = function* (question: Question): Generator<undefined, PricedMarket> {
    const found = useful && (yield* candidatesIn(useful, all, question));
    if (!found) return yield* priceAll(parts, question);
    const { rankedCount, excludedCount } = found;
    const { demand, needed } = question;
    const excluded = listExcluded(blocks, { demand, month: request.month, count: excludedCount, needed });
    return { priced: yield* priceRows(all, found.rows, question), rankedCount, excludedCount, excluded };
  };
  const { question, market } = yield* weighted(questionOf(request), marketFor);
  return yield* rankingOf(question, { ...market, ...rankedIn(all, question) });
}

function* candidatesIn(
  filter: RowFilter,
  blocks: readonly RankedBlock[],
  question: Question,
): Generator<undefined, Candidates | null> {
  const { month, limit } = question.request;
  const read = { ...question, month, withWinners: question.seesCommissions };
  yield* filter.prepare(blocks, read);
  return filter.candidates(blocks, { ...read, limit });
}

/**
 * The market of a question, and the weight at which it is ranked. A tolerance becomes a weight once both ends of cost
 * and commission are known; where only the best were priced, they are others at that weight.
 */
export function* weighted(
  question: Question,
  marketFor: (question: Question) => Generator<undefined, PricedMarket>,
): Generator<undefined, { readonly question: Question; readonly market: PricedMarket }> {
  const { tolerance = null, period } = question.request;
  const market = yield* marketFor(question);
  if (tolerance === null || !question.seesCommissions) return { question, market };
  const weight = weightForTolerance(rangesOf(market.priced), tolerance, period);
  const again = { ...question, weight };
  const isWhole = market.priced.length === market.rankedCount;
  return { question: again, market: isWhole ? market : yield* marketFor(again) };
}

/** What warnings ask of all offers that are ranked, priced or not. */
export interface RankedFacts {
  readonly facts: MarketFacts;
  /** Those that may pay for surplus. */
  readonly solar: Iterable<OfferWithHistory>;
}

/** The same of the offers in blocks. */
export function rankedIn(blocks: readonly RankedBlock[], { request: { month }, needed }: Question): RankedFacts {
  return { facts: factsOfBlocks(blocks, { month, needed }), solar: solarIn(blocks, { month, needed }) };
}

/** Makes the masks of a month block by block, where they are not there yet. */
function* makeMasks(parts: readonly UniversePart[], month: Month | null): Generator<undefined, void> {
  for (const { universe } of parts) {
    for (const block of universe.blocks) {
      if (block.hasPrices(month)) continue;
      block.prices(month);
      yield;
    }
  }
}

/** Takes all steps at once. */
export function finish<T>(steps: Generator<undefined, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** A request with what is worked out once for all of its offers. */
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
  const demand = demandOf(request.customer, request.period, request.fees);
  return { request, demand, needed: neededPrices(demand), weight, seesCommissions };
}

/** Whether the filter is sooner done than the definition. */
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
}

/** Offers that are priced, or put in order, in one step: as many as a block has. */
const STEP_ROWS = 1024;

/** Prices the rows that the filter names, by block: many where many offers cost the same. */
export function* priceRows(
  blocks: readonly RankedBlock[],
  rows: readonly (readonly number[])[],
  question: Question,
): Generator<undefined, readonly PricedOffer[]> {
  const priced: PricedOffer[] = [];
  for (const [index, { block }] of blocks.entries()) {
    for (const row of rows[index] ?? []) {
      const excluded = addPriced(priced, block.entryAt(row), question);
      assert(!excluded, 'an offer that the filter names has a cost');
      if (priced.length % STEP_ROWS === 0) yield;
    }
  }
  return priced;
}

/** Up to so many offers keep their figures. */
const FEW = 1024;

/** Prices an offer by the definition; the reason why it has no cost, or `null` when it was added. */
function addPriced(priced: PricedOffer[], entry: OfferWithHistory, question: Question): ExcludedOffer | null {
  const { offer } = entry;
  const pricing = priceOffer(entry, question.demand, question.request.month);
  if (!pricing.priced) return { offer, exclusion: pricing.exclusion };
  const figures = figuresOf(pricing, offer, question);
  priced.push({
    // Of the kind that it will be, or all of them would have to change theirs.
    score: Number.NaN,
    costEur: figures.cost.totalEur,
    commissionEur: figures.commission?.totalEur ?? 0,
    id: offer.id,
    entry,
    figures: priced.length < FEW ? figures : null,
  });
  return null;
}

function figuresOf(
  { cost, prices, origin }: Extract<Pricing, { readonly priced: true }>,
  offer: Offer,
  { seesCommissions, demand }: Question,
): Figures {
  return { cost, prices, origin, commission: seesCommissions ? commissionOf(offer, demand) : null };
}

/** The same figures once more, of one of the few that are shown of a long list. */
function figuresAgain({ offer, months }: OfferWithHistory, question: Question): Figures {
  const pricing = priceOffer({ offer, months }, question.demand, question.request.month);
  assert(pricing.priced, 'an offer that had a cost has one');
  return figuresOf(pricing, offer, question);
}

/** Prices every offer that passes the filter, block by block. */
export function* priceAll(parts: readonly UniversePart[], question: Question): Generator<undefined, PricedMarket> {
  const market = emptyMarket();
  for (const { universe, admits } of parts) {
    for (const block of universe.blocks) {
      const passes = passTest(block, question.request.filter, admits);
      if (!passes) continue;
      if (market.seen > 0) yield;
      for (let row = 0; row < block.rowCount; row++) if (passes(row)) market.add(block.entryAt(row), question);
    }
  }
  return market.result();
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
      return { priced, rankedCount: priced.length, excludedCount, excluded: excluded.slice(0, MAX_LISTED_EXCLUSIONS) };
    },
  };
}

/** What one customer of a portfolio is told: a ranking without the lists that only one customer reads. */
export type PortfolioRanking = Omit<Ranking, 'excluded' | 'winners' | 'bestPaidId' | 'conflict'>;

/** What both kinds of ranking are made of. */
interface Ordered {
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
  question: Question,
  { priced, rankedCount, excludedCount, facts, solar }: PricedMarket & RankedFacts,
): Generator<undefined, Ordered> {
  const { weight, seesCommissions, demand } = question;
  const { period, limit, contract = null, filter, month } = question.request;
  const isLong = priced.length > STEP_ROWS;
  if (isLong) yield;
  const ranges = rangesOf(priced);
  if (isLong) yield;
  const first = ranges ? yield* firstOf(priced, { ranges, weight, limit }) : [];
  if (isLong) yield;
  const frontier = seesCommissions ? frontierOf(first.concat(priced)) : null;
  if (isLong) yield;
  const present = contract && presentCost(contract, question.request);
  const cheapest = firstByCost(priced);
  const results =
    ranges && cheapest
      ? first.map((offer, place) => {
          const beside = { place, ranges, frontier, cheapest, demand, present };
          return resultOf(offer, offer.figures ?? figuresAgain(offer.entry, question), beside);
        })
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
    warnings: warningsFor(facts, { demand, filter, creditsSurplus: () => creditsSurplus(solar, demand, month) }),
    presentCost: present,
    results,
  };
  return { ranking, ranges, frontier, cheapest, mostEfficient: first[0] ?? null };
}

function creditsSurplus(solar: Iterable<OfferWithHistory>, demand: Demand, month: Month | null): boolean {
  if (demand.customer.supplyType === 'GAS' || demand.customer.exportedKwh === 0) return false;
  for (const entry of solar) {
    const pricing = priceOffer(entry, demand, month);
    if (pricing.priced && pricing.cost.surplusEur < 0) return true;
  }
  return false;
}

/** What one customer of a portfolio is told. */
export function portfolioRankingOf(question: Question, market: PricedMarket & RankedFacts): PortfolioRanking {
  return finish(orderedOf(question, market)).ranking;
}

/** The same with who is excluded and who wins at which weight. */
export function* rankingOf(question: Question, market: PricedMarket & RankedFacts): Generator<undefined, Ranking> {
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
