import { type Demand, demandOf } from '../cost/customer.ts';
import { assert } from '../errors.ts';
import type { OfferWithHistory } from '../offers/offer.ts';
import { filterVerdict, matchesFilter } from '../offers/offer-filter.ts';
import { cheapestByBill } from '../taxes/bill-order.ts';
import { billFor } from '../taxes/bill-terms.ts';
import { withBills } from './bills.ts';
import { creditsSurplus, creditsSurplusIn, factsOfPriced } from './block-facts.ts';
import { firstListed, rankedRows } from './candidates.ts';
import type { MarketFacts } from './market-facts.ts';
import { flagsOf, INDEXED, neededPrices, SSAA_SEPARATE } from './masks.ts';
import { foundIn, type NameSearch } from './name-search.ts';
import { emptyBlocksWarnings, emptyListWarnings } from './near-tariffs.ts';
import {
  detailsAt,
  firstOf,
  type OfferPlace,
  orderOf,
  type PricedOffer,
  placesAmong,
  resultsOf,
  STEP_ROWS,
} from './order.ts';
import { type Preselection, type PreselectionQuestion, sharedPreselection } from './preselection.ts';
import type { MaskedBlock } from './preselection-memory.ts';
import { priceContract } from './present-contract.ts';
import { type ExcludedOffer, MAX_TOLERANCE, type Ranking, type RankingRequest } from './ranking.ts';
import { needsAllOffers, withReasons } from './reasons.ts';
import { compareTied } from './score.ts';
import { type UniversePart, viewOf } from './universe.ts';
import { mixesSsaa, type RankingWarning, type WarningQuestion, warningBits, warningsOf } from './warnings.ts';

/** Options that affect the speed but not the result. */
export interface RankOptions {
  /** What selects the offers to price; `null`: all are priced. Default: the preselection of this thread. */
  readonly preselection?: Preselection | null | undefined;
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
  { preselection = sharedPreselection() }: RankOptions = {},
): Generator<undefined, Ranking> {
  const question = questionOf(request);
  return yield* orderedRanking(question, yield* marketOf(preselection, parts, question));
}

/**
 * In steps: the places of offers, from 1, among all that are ranked, in the order of cost, then id. Offers that are not
 * ranked have none.
 */
export function* placesInSteps(
  parts: readonly UniversePart[],
  request: RankingRequest,
  ids: ReadonlySet<number>,
): Generator<undefined, ReadonlyMap<number, number>> {
  const { priced } = yield* marketOf(null, parts, questionOf({ ...request, seesCommissions: false }));
  const some = priced.filter(({ id }) => ids.has(id)).sort(compareTied);
  const places = yield* placesAmong(priced, some, compareTied);
  return new Map(some.map(({ id }, index) => [id, places[index] ?? 0]));
}

/** Runs all steps at once. */
export function finish<T>(steps: Generator<undefined, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** A request with everything that is computed once for all offers. */
export interface Question extends PreselectionQuestion {
  readonly request: RankingRequest;
}

/** @throws RangeError as `rankUniverses`. */
export function questionOf(request: RankingRequest): Question {
  const { customer, period, month, offset = 0, seesCommissions } = request;
  // Those that are left out come before the results.
  const limit = request.limit + offset;
  const tolerance = seesCommissions ? (request.tolerance ?? null) : null;
  const weight = seesCommissions && tolerance === null ? request.weight : 1;
  checkPreference(weight, tolerance);
  assert(!customer.profile || month === null, 'a profile names the months of its entries');
  const { ssaaEurPerMwh = 0, signingDay } = request;
  const anyDay = demandOf(customer, period, { ...request.fees, ssaaEurPerMwh });
  const demand = signingDay === undefined ? anyDay : { ...anyDay, signingDay };
  const needed = neededPrices(demand);
  return { request, demand, needed, weight, tolerance, month, limit, seesCommissions, withWinners: seesCommissions };
}

/** @throws RangeError for a weight or a tolerance out of its range. A weight beside a tolerance does not count. */
export function checkPreference(weight: number, tolerance: number | null): void {
  if (tolerance === null) assert(weight >= 0 && weight <= 1, 'a weight is 0 to 1');
  else assert(tolerance >= 0 && tolerance <= MAX_TOLERANCE, `a tolerance is 0 to ${MAX_TOLERANCE}`);
}

/** The market of a ranking: all ranked offers, or at least those that can matter. */
interface PricedMarket {
  readonly priced: readonly PricedOffer[];
  /** Those that a search finds; `null`: none is asked for. */
  readonly found: (() => Generator<undefined, readonly PricedOffer[]>) | null;
  readonly rankedCount: number;
  readonly excludedCount: number;
  /** By ascending id, only the listed ones. */
  readonly excluded: () => readonly ExcludedOffer[];
  /** About all ranked offers, priced or not. */
  readonly warnings: (question: WarningQuestion) => readonly RankingWarning[];
  /** The lowest cost of those that do not have a flag; `null` where there are none. */
  readonly lowestWithout: (flag: number) => Generator<undefined, number | null>;
  /** For a market without offers: the warning about the filter. */
  readonly emptyWarnings: () => Generator<undefined, readonly RankingWarning[]>;
}

/** Prices an offer by the definition. Returns the reason why it has no cost, or `null` when it was added. */
function addPriced(priced: PricedOffer[], place: OfferPlace, question: Question): ExcludedOffer | null {
  const details = detailsAt(place, question);
  const { offer, pricing, commission } = details;
  if (!pricing.priced) return { offer, exclusion: pricing.exclusion };
  const { bill } = question.request;
  priced.push({
    // A double from the start, so that the engine need not change the layout of all objects when the score is set.
    score: Number.NaN,
    costEur: pricing.cost.totalEur,
    commissionEur: commission?.totalEur ?? 0,
    id: offer.id,
    billEur: bill ? billFor(bill, pricing.cost, offer.tariffType).totalEur : 0,
    source: place.source,
    row: place.row,
    // With the details of 100 000 offers, garbage collection would take longer than a step may.
    details: priced.length < STEP_ROWS ? details : null,
  });
  return null;
}

/**
 * Prices a list that is ranked once, each offer as it is read, while it is still in the cache of the processor.
 *
 * @param list - The active offers of the supply.
 */
export function priceList(list: () => Iterable<OfferWithHistory>, question: Question): PricedMarket {
  const { filter } = question.request;
  const entries: OfferWithHistory[] = [];
  const entryAt = (row: number) => {
    const entry = entries[row];
    assert(entry !== undefined, 'a row is one of the list');
    return entry;
  };
  const source = { entryAt, keys: null };
  const priced: PricedOffer[] = [];
  const excluded: ExcludedOffer[] = [];
  const unknownIds: number[] = [];
  for (const entry of list()) {
    const verdict = filterVerdict(entry.offer, filter);
    if (verdict === null) unknownIds.push(entry.offer.id);
    if (!verdict) continue;
    const without = addPriced(priced, { source, row: entries.push(entry) - 1 }, question);
    if (without) excluded.push(without);
  }
  return {
    priced,
    found: null,
    rankedCount: priced.length,
    excludedCount: excluded.length,
    excluded: () => firstListed(excluded),
    warnings: (about) => {
      const facts = factsOfPriced(priced, unknownIds, {
        ...question,
        leastPowerPrices: question.request.leastPowerPrices,
      });
      return warningsOf(
        facts,
        warningBits(about, facts, () => creditsSurplus(priced, question)),
      );
    },
    lowestWithout: (flag) => lowestOf(priced, flag),
    emptyWarnings: () =>
      emptyListWarnings(question.request, function* tariffsOf(wider) {
        const others = Array.from(list(), ({ offer }) => offer).filter((offer) => matchesFilter(offer, wider));
        return others.sort((a, b) => a.id - b.id).map(({ tariffType }) => tariffType);
      }),
  };
}

/**
 * Prices the offers that the preselection names, or all ranked offers where every one may matter. It has one sum of
 * energy and not the parts of a profile, and costs but not bills. Some reasons, and places, are about all offers.
 */
export function* marketOf(
  preselection: Preselection | null,
  parts: readonly UniversePart[],
  question: Question,
): Generator<undefined, PricedMarket> {
  const { request, demand, needed } = question;
  const view = yield* viewOf(parts, { ...request, needed, demand });
  const { blocks } = view;
  const { customer, bill, reasons, ssaaEurPerMwh, search } = request;
  const isWhole =
    !preselection || search || customer.profile || bill || ssaaEurPerMwh || (reasons && needsAllOffers(reasons));
  const flags = isWhole ? [] : flagsLeftOut(view.facts, reasons);
  const others = flags.map((flag) => view.without(flag));
  const candidates = isWhole ? null : yield* preselection.candidates(blocks, { ...question, others });
  const rows = candidates?.rows ?? blocks.map((block) => rankedRows(block, needed));
  const priced = yield* priceRows(blocks, rows, question);
  const matching = () => blocks.reduce((sum, block) => sum + [...rankedRows(block, 0)].length, 0);
  return {
    priced,
    found: search ? () => foundAmong(blocks, priced, search) : null,
    rankedCount: candidates?.rankedCount ?? priced.length,
    excludedCount: candidates?.excludedCount ?? matching() - priced.length,
    excluded: () => view.excluded(question),
    warnings: (about) => view.warnings(warningBits(about, view.facts, () => creditsSurplusIn(view, priced, question))),
    lowestWithout: (flag) => {
      const place = flags.indexOf(flag);
      const cheapest = candidates?.cheapestOthers[place];
      return cheapest ? lowestOfRows(others[place] ?? [], cheapest, { question, flag }) : lowestOf(priced, flag);
    },
    emptyWarnings: () => emptyBlocksWarnings(parts, request),
  };
}

/** Those that a search finds; each step is a block. @param priced - In the order of the blocks. */
function* foundAmong(
  blocks: readonly MaskedBlock[],
  priced: readonly PricedOffer[],
  search: NameSearch,
): Generator<undefined, readonly PricedOffer[]> {
  const found: PricedOffer[] = [];
  let at = 0;
  for (const { block } of blocks) {
    const isFound = foundIn(block, search);
    for (let one = priced[at]; one?.source === block; one = priced[++at]) if (isFound(one.row)) found.push(one);
    yield;
  }
  return found;
}

/** The flags whose offers are left out of a lowest cost that the answer has. */
function flagsLeftOut(facts: MarketFacts, reasons: RankingRequest['reasons']): readonly number[] {
  return [...(mixesSsaa(facts) ? [SSAA_SEPARATE] : []), ...(reasons?.retrospective ? [INDEXED] : [])];
}

/** The lowest cost among those that do not have a flag, in one step. */
export function* lowestOf(priced: readonly PricedOffer[], flag: number): Generator<undefined, number | null> {
  yield;
  let least: number | null = null;
  for (const one of priced) {
    // The cost first: the flags of an offer are in no cache of the processor.
    if ((least === null || one.costEur < least) && !hasFlag(one, flag)) least = one.costEur;
  }
  return least;
}

/**
 * The same among rows that are not priced yet. No generator is made within a function that runs for each question: V8 keeps
 * such a generator function, with all that it can see, until it next collects the whole heap.
 */
function* lowestOfRows(
  blocks: readonly MaskedBlock[],
  rows: readonly Iterable<number>[],
  { question, flag }: { readonly question: Question; readonly flag: number },
): Generator<undefined, number | null> {
  return yield* lowestOf(yield* priceRows(blocks, rows, question), flag);
}

function hasFlag({ source, row }: OfferPlace, flag: number): boolean {
  return (flagsOf(source.entryAt(row).offer) & flag) !== 0;
}

/** What balancing services may cost, EUR/MWh, before another offer is the cheapest. Equal costs do not change it. */
function* ssaaThreshold(market: PricedMarket, { periodMwh, ssaaEur }: Demand): Generator<undefined, number | null> {
  const lowestEur = market.priced.reduce((least, { costEur }) => Math.min(least, costEur), Number.POSITIVE_INFINITY);
  // By figures alone: which of equal costs is the first depends on commissions.
  if (periodMwh === 0 || !market.priced.some((one) => one.costEur === lowestEur && hasFlag(one, SSAA_SEPARATE)))
    return null;
  const otherEur = yield* market.lowestWithout(SSAA_SEPARATE);
  return otherEur === null ? null : (ssaaEur + otherEur - lowestEur) / periodMwh;
}

function* priceRows(
  blocks: readonly MaskedBlock[],
  rowsByBlock: readonly Iterable<number>[],
  question: Question,
): Generator<undefined, readonly PricedOffer[]> {
  const priced: PricedOffer[] = [];
  for (const [index, { block }] of blocks.entries()) {
    for (const row of rowsByBlock[index] ?? []) {
      assert(!addPriced(priced, { source: block, row }, question), 'an offer that has every price has a cost');
      // There are many only where many offers cost the same.
      if (priced.length % STEP_ROWS === 0) yield;
    }
  }
  return priced;
}

/** The answer to a question about a market. */
export function* orderedRanking(question: Question, market: PricedMarket): Generator<undefined, Ranking> {
  const { request, demand, needed, seesCommissions, withWinners } = question;
  const { period, signingDay, contract = null, offset = 0, presentMonth } = request;
  const { rankedCount, excludedCount } = market;
  const { weight, order } = yield* orderOf(market.priced, { ...question, period });
  const found = market.found && (yield* market.found());
  const first = found ? yield* firstOf(found, question.limit) : (order?.first ?? []);
  const shown = first.slice(offset);
  const places = found && (yield* placesAmong(market.priced, shown));
  const pricing = priceContract(contract, request);
  const present = pricing.presentCost;
  // A bill of today has taxes, and so has what it is compared with.
  const [presentEur, cheapestEur] =
    contract && 'billEur' in contract
      ? [contract.billEur, cheapestByBill(market.priced)?.billEur ?? null]
      : [present?.totalEur ?? null, order?.cheapest.costEur ?? null];
  const warnings = market.warnings({
    ...{ demand, needed, filter: request.filter, seesCommissions },
    ...{ presentEur, cheapestEur, presentMonth },
    ...{ hasSocialBonus: contract?.hasSocialBonus, isLastResort: contract?.isLastResort },
  });
  const isMixed = warnings.some(({ code }) => code === 'ssaa_mezclados');
  const hasDiscounts = warnings.some(({ code }) => code === 'descuento_temporal');
  const ranking: Ranking = {
    weight,
    period,
    ...(signingDay !== undefined && { signingDay }),
    rankedCount,
    excludedCount,
    ...(found && { foundCount: found.length }),
    excluded: market.excluded(),
    cheapestId: order?.cheapest.id ?? null,
    bestPaidId: order?.bestPaid?.id ?? null,
    mostEfficientId: order?.mostEfficient.id ?? null,
    costRangeEur: order?.ranges.cost ?? null,
    commissionRangeEur: (seesCommissions && order?.ranges.commission) || null,
    winners: withWinners ? (order?.winners ?? []) : null,
    warnings: rankedCount + excludedCount > 0 ? warnings : [...warnings, ...(yield* market.emptyWarnings())],
    ...pricing,
    ...(isMixed && { ssaaThresholdEurPerMwh: yield* ssaaThreshold(market, demand) }),
    conflict: order?.conflict ?? null,
    results: order ? resultsOf(shown, { ...question, ...order, present, hasDiscounts, places }) : [],
  };
  const { priced } = market;
  const billed = request.bill ? withBills(ranking, priced, { request, terms: request.bill, seesCommissions }) : ranking;
  if (!request.reasons) return billed;
  const { cheapest = null, mostEfficient = null } = order ?? {};
  const cheapestFixed = () => market.lowestWithout(INDEXED);
  return yield* withReasons(billed, { priced, shown, cheapest, mostEfficient, cheapestFixed }, question);
}
