// Ranking: select the rows of tables that take part, price and pay them, put them in order, and answer. README.md explains the
// five words that carry it.

import { assert } from '../errors.ts';
import { checkMembers } from '../members.ts';
import { appliedAt, costAt } from '../price/cost.ts';
import type { CalculationPeriod } from '../price/customer.ts';
import { payRows, priceRows } from '../price/rule.ts';
import { entryAt, pricesFor } from '../price/table.ts';
import type { BilledOffer } from '../taxes/bill-order.ts';
import { finish, isLong } from '../turns.ts';
import { collectFacts } from './facts.ts';
import { isOn, type Order, orderOf, placesAmong, winningCost } from './order.ts';
import { priceContract } from './present-contract.ts';
import type { Ranking, RankingRequest, RankingWarning } from './ranking.ts';
import { energyParts, shiftFor, type withReasons } from './reasons.ts';
import { cheapestByBill, resultsOf, ssaaThreshold, withBills } from './results.ts';
import {
  type Conflict,
  compareTied,
  type Placed,
  placedAt,
  type RankedFigures,
  type Scores,
  type Standing,
  scoresOf,
  type WinnerSegment,
} from './score.ts';
import {
  checkPreference,
  foundAmong,
  type Question,
  questionOf,
  rowAt,
  type Selection,
  select,
  type TablePart,
} from './select.ts';
import { emptyListWarnings, tablesOf, type UniversePart } from './universe.ts';
import { questionFacts, warningsOf } from './warnings.ts';

/**
 * Ranks every offer of some universes for one customer.
 *
 * @param parts - Universes of the customer's supply type, with the companies that take part. Ids are distinct over all of
 *   them.
 * @throws RangeError when the weight is outside 0 to 1 or a quantity is negative or not finite: a bug in the caller.
 * @see docs/scoring.md
 */
export function rankUniverses(parts: readonly UniversePart[], request: RankingRequest): Ranking {
  return finish(rankInTurns(parts, request));
}

/** The same with a pause every few milliseconds where there are many offers, so that other work can run in between. */
export function* rankInTurns(parts: readonly UniversePart[], request: RankingRequest): Generator<undefined, Ranking> {
  return yield* answerTo(tablesOf(parts), questionOf(request));
}

/** The answer to a question. */
export function* answerTo(parts: readonly TablePart[], question: Question): Generator<undefined, Ranking> {
  return yield* rankingOf(parts, question, yield* pricedIn(parts, question));
}

/** Rows that have a cost, and a commission where it may be seen; else all have 0. */
export function* pricedIn(parts: readonly TablePart[], question: Question): Generator<undefined, Selection> {
  const selection = yield* select(parts, question);
  const { figures, stretches, rankedCount } = selection;
  const { demand, month, seesCommissions } = question;
  for (const stretch of stretches) {
    priceRows(stretch, pricesFor(stretch.table, month, demand), demand, figures);
    if (seesCommissions) payRows(stretch, demand, figures);
    if (isLong(rankedCount)) yield;
  }
  if (!seesCommissions) figures.paid.fill(0, 0, rankedCount);
  return selection;
}

/**
 * In steps: the places of offers, from 1, among all that are ranked, in the order of cost, then id. Offers that are not
 * ranked have none.
 */
export function* placesInTurns(
  parts: readonly UniversePart[],
  request: RankingRequest,
  ids: ReadonlySet<number>,
): Generator<undefined, ReadonlyMap<number, number>> {
  const { figures, rankedCount } = yield* pricedIn(tablesOf(parts), questionOf({ ...request, seesCommissions: false }));
  const some: Placed[] = [];
  for (let at = 0; at < rankedCount; at++) if (ids.has(figures.ids[at] as number)) some.push(placedAt(figures, at));
  some.sort(compareTied);
  const places = yield* placesAmong(figures, rankedCount, some, compareTied);
  return new Map(some.map(({ id }, index) => [id, places[index] ?? 0]));
}

function* rankingOf(
  parts: readonly TablePart[],
  question: Question,
  selection: Selection,
): Generator<undefined, Ranking> {
  const { request, seesCommissions, withWinners } = question;
  const { period, signingDay, contract = null, offset = 0, search } = request;
  const { figures, rankedCount, excludedCount } = selection;
  const { weight, order } = yield* orderOf(figures, rankedCount, { ...question, period });
  const found = search ? yield* foundAmong(selection, search, question.limit) : null;
  const shown = (found ?? order)?.first.slice(offset) ?? [];
  const places = found && (yield* placesAmong(figures, rankedCount, shown));
  const pricing = priceContract(contract, request);
  const cheapestBill = request.bill ? yield* cheapestByBill(selection, request.bill, question.demand) : null;
  const warnings = yield* warningsFor(question, selection, {
    order,
    cheapestBill,
    presentEur: pricing.presentCost?.totalEur,
  });
  const isMixed = warnings.some(({ code }) => code === 'ssaa_mezclados');
  const hasDiscounts = warnings.some(({ code }) => code === 'descuento_temporal');
  const ranking: Ranking = {
    weight,
    period,
    ...(signingDay !== undefined && { signingDay }),
    rankedCount,
    excludedCount,
    ...(found && { foundCount: found.count }),
    excluded: selection.excluded,
    cheapestId: order?.cheapest.id ?? null,
    bestPaidId: order?.bestPaid?.id ?? null,
    mostEfficientId: order?.mostEfficient.id ?? null,
    costRangeEur: order?.ranges.cost ?? null,
    commissionRangeEur: (seesCommissions && order?.ranges.commission) || null,
    winners: withWinners ? (order?.winners ?? []) : null,
    warnings: rankedCount + excludedCount > 0 ? warnings : [...warnings, ...emptyListWarnings(parts, request)],
    ...pricing,
    ...(isMixed && { ssaaThresholdEurPerMwh: ssaaThreshold(selection, order, question) }),
    conflict: order?.conflict ?? null,
    results: order
      ? resultsOf(selection, shown, { ...question, ...order, present: pricing.presentCost, hasDiscounts, places })
      : [],
  };
  const billed = request.bill
    ? withBills(ranking, cheapestBill, { request, terms: request.bill, seesCommissions })
    : ranking;
  if (!request.reasons) return billed;
  return yield* (request.reasons.explain as typeof withReasons)(billed, { selection, order, shown }, question);
}

/** What a ranking says of all its offers. A bill of today has taxes, and so has what it is compared with. */
function* warningsFor(
  { demand, needed, month, seesCommissions, request }: Question,
  { figures, stretches, rankedCount, unknownTerms }: Selection,
  known: {
    readonly order: Order | null;
    readonly cheapestBill: BilledOffer | null;
    readonly presentEur: number | undefined;
  },
): Generator<undefined, readonly RankingWarning[]> {
  const { contract = null, filter, presentMonth } = request;
  const [presentEur, cheapestEur] =
    contract && 'billEur' in contract
      ? [contract.billEur, request.bill ? (known.cheapestBill?.billEur ?? null) : rankedCount > 0 ? 0 : null]
      : [known.presentEur ?? null, known.order?.cheapest.costEur ?? null];
  const about = {
    ...{ demand, needed, filter, seesCommissions, presentEur, cheapestEur, presentMonth },
    ...{ hasSocialBonus: contract?.hasSocialBonus, isLastResort: contract?.isLastResort },
  };
  const { parts } = demand;
  const collected = collectFacts({ needed, month, parts, leastPowerPrices: request.leastPowerPrices });
  for (const [index, stretch] of stretches.entries()) {
    collected.add(stretch, figures.rows, unknownTerms[index] ?? []);
    if (isLong(rankedCount)) yield;
  }
  const facts = collected.facts();
  const creditsSurplus = () => figures.parts.surplusEur.subarray(0, rankedCount).some((eur) => eur < 0);
  return warningsOf(facts, questionFacts(about, facts, creditsSurplus));
}

/** The result for one customer of a portfolio: a ranking without the lists of a single ranking. */
export type PortfolioRanking = Omit<Ranking, Left>;

type Left = 'excluded' | 'winners' | 'bestPaidId' | 'conflict' | 'ssaaThresholdEurPerMwh';

/** The answer to one customer, or the bug that occurred for it, which does not affect the others. */
export type PortfolioAnswer =
  | { readonly ranked: true; readonly ranking: PortfolioRanking }
  | { readonly ranked: false; readonly error: unknown };

/** Ranks one of many customers as `rankInTurns` does. */
export function* rankCustomerInTurns(
  parts: readonly UniversePart[],
  request: RankingRequest,
): Generator<undefined, PortfolioAnswer> {
  try {
    const question = { ...questionOf(request), withWinners: false, listsExcluded: false };
    const { excluded, winners, bestPaidId, conflict, ssaaThresholdEurPerMwh, ...ranking } = yield* answerTo(
      tablesOf(parts),
      question,
    );
    return { ranked: true, ranking };
  } catch (error) {
    return { ranked: false, error };
  }
}

/** Ranks a whole portfolio at once. */
export function rankPortfolio(
  parts: readonly UniversePart[],
  requests: readonly RankingRequest[],
): readonly PortfolioAnswer[] {
  return requests.map((request) => finish(rankCustomerInTurns(parts, request)));
}

/** How far an offer is from being the first for a customer. */
export interface Gap {
  /**
   * By how much its prices of energy have to fall, EUR/MWh; 0 where it is the first. `null`: it is not ranked for this
   * customer, or no price of energy makes it the first.
   */
  readonly eurPerMwh: number | null;
  /** What the customer consumes in a year, MWh. */
  readonly annualMwh: number;
}

/** The market of a negotiation. */
export interface NegotiatedMarket {
  /** The offer alone. */
  readonly alone: readonly UniversePart[];
  /** All others. */
  readonly others: readonly UniversePart[];
}

const PER_MWH = 1000;

/** The gap of an offer to the first of the others, with pauses. @see docs/assumptions.md, A-116 */
export function* gapInTurns({ alone, others }: NegotiatedMarket, request: RankingRequest): Generator<undefined, Gap> {
  const question = questionOf(request);
  const { annualMwh } = question.demand;
  const selection = yield* pricedIn(tablesOf(alone), question);
  if (selection.rankedCount === 0) return { eurPerMwh: null, annualMwh };
  const { figures } = selection;
  const own = placedAt(figures, 0);
  const { table, row } = rowAt(selection, 0);
  const pricing = { cost: costAt(table, figures, 0, question.demand), ...appliedAt(table, row, question) };
  // The figures of the others take the place of its own.
  const priced = yield* pricedIn(tablesOf(others), question);
  const rivals = { ...priced.figures, count: priced.rankedCount, except: -1 };
  const moreEur = winningCost(rivals, own.commissionEur, question.weight) - own.costEur;
  if (moreEur >= 0) return { eurPerMwh: 0, annualMwh };
  const consumed = (kwh: readonly number[]) => kwh.reduce((sum, one) => sum + one, 0);
  const shift = shiftFor(energyParts(entryAt(table, row), pricing, { ...question, consumed }), moreEur);
  return { eurPerMwh: Number.isFinite(shift) ? Math.max(0, 0 - shift * PER_MWH) : null, annualMwh };
}

/** What a fall of the price of energy wins. */
export interface NegotiationStep {
  readonly eurPerMwh: number;
  /** Customers for whom the offer is the first then, those of smaller steps included. */
  readonly customerCount: number;
  readonly annualMwh: number;
}

/** Each different gap with all that it wins, the smallest first. */
export function stepsOf(gaps: readonly Gap[]): readonly NegotiationStep[] {
  const won = gaps
    .filter(({ eurPerMwh }) => eurPerMwh !== null)
    .sort((a, b) => (a.eurPerMwh ?? 0) - (b.eurPerMwh ?? 0));
  let annualMwh = 0;
  const all = won.map((gap, index): NegotiationStep => {
    annualMwh += gap.annualMwh;
    return { eurPerMwh: gap.eurPerMwh ?? 0, customerCount: index + 1, annualMwh };
  });
  return all.filter(({ eurPerMwh }, index) => all[index + 1]?.eurPerMwh !== eurPerMwh);
}

/** The same offer at another weight. */
export interface ReweighedOffer extends Standing, Scores {
  readonly isOnFrontier: boolean;
}

/** A ranking at another weight. */
export interface Reweighed {
  /** The weight that was used, 0 to 1. */
  readonly weight: number;
  readonly winners: readonly WinnerSegment[];
  /** `null`: nothing is ranked. */
  readonly conflict: Conflict | null;
  /** In order. */
  readonly results: readonly ReweighedOffer[];
}

/** The weight itself, or what one EUR of commission may cost the customer in a year. */
export type Preference =
  | {
      /** A number, 0 (commission only) to 1 (savings only). */
      readonly weight: number;
    }
  | {
      /** EUR of the customer's annual cost for one EUR of commission, 0 to `MAX_TOLERANCE`. */
      readonly tolerance: number;
    };

/**
 * The ranking of the same customer at another weight or tolerance, from the costs and commissions of a ranking with
 * every ranked offer: the same scores and the same order, bit by bit, as if it were asked again.
 *
 * @param ranked - All ranked offers, in any order; totals in full precision, or rounded as in the answers of the API.
 * @param period - That of the ranking.
 * @throws RangeError for a weight that is not 0 to 1, a tolerance that is not 0 to 100, another member, and a figure that is no
 *   finite number.
 */
export function reweigh(
  ranked: readonly RankedFigures[],
  preference: Preference,
  period: CalculationPeriod,
): Reweighed {
  checkMembers('', preference, { weight: 'number', tolerance: 'number' });
  const complete = { weight: 1, tolerance: null, ...preference };
  checkPreference(complete.weight, complete.tolerance);
  const isKnown = ({ costEur, commissionEur }: RankedFigures) =>
    Number.isFinite(costEur) && Number.isFinite(commissionEur);
  assert(ranked.every(isKnown), 'costs and commissions are finite numbers');
  const figures = {
    ids: Float64Array.from(ranked, ({ id }) => id),
    total: Float64Array.from(ranked, ({ costEur }) => costEur),
    paid: Float64Array.from(ranked, ({ commissionEur }) => commissionEur),
    score: new Float64Array(ranked.length),
  };
  const question = { ...complete, limit: ranked.length, period, seesCommissions: true, withWinners: true };
  const { weight, order } = finish(orderOf(figures, ranked.length, question));
  if (!order) return { weight, winners: [], conflict: null, results: [] };
  const { ranges, frontier, winners, conflict, first } = order;
  const results = first.map(({ at: _at, ...offer }) => {
    return { ...offer, ...scoresOf(offer, ranges), isOnFrontier: frontier !== null && isOn(frontier, offer) };
  });
  return { weight, winners, conflict, results };
}
