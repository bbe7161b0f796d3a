// Ranking: select the rows of tables that take part, price and pay them, put them in order, and answer. Five words carry it:
//
// - A table (cost/table.ts) is offers of one supply as numbers by row: prices, bits, limits, discounts, tiers. It never changes.
// - Figures (cost/rule.ts) are one array for each amount of the ranked rows: the parts of the cost, its total, what is paid, the
//   score. A stretch says which of them are of which table. The rule fills them, and nothing else states the rule.
// - A selection (select.ts) is the rows that are ranked, those that are excluded, and the facts of all ranked ones.
// - Facts (facts.ts) are what warnings ask of all ranked offers, counted by kinds (cost/kinds.ts).
// - An order (order.ts) is ranges, scores, the first rows, the frontier and the winners by weight, from figures alone.
import { SSAA_SEPARATE } from '../cost/flags.ts';
import { payRows, priceRows } from '../cost/rule.ts';
import { type BilledOffer, cheapestByBill } from '../taxes/bill-order.ts';
import { withBills } from './bills.ts';
import { emptyListWarnings } from './near-tariffs.ts';
import { type Order, orderOf, type Placed, placedAt, placesAmong } from './order.ts';
import { priceContract } from './present-contract.ts';
import { type Question, questionOf } from './question.ts';
import { questionFacts } from './question-warnings.ts';
import type { Ranking, RankingRequest } from './ranking.ts';
import { withReasons } from './reasons.ts';
import { billsOf, foundAmong, lowestWithout, resultsOf } from './results.ts';
import { compareStandings, compareTied } from './score.ts';
import { isLong, type Selection, select, type TablePart } from './select.ts';
import { tablesOf, type UniversePart } from './universe.ts';
import type { RankingWarning } from './warning-codes.ts';
import { warningsOf } from './warnings.ts';

/**
 * Ranks every offer of some universes for one customer.
 *
 * @param parts - Universes of the customer's supply type, with the companies that take part. Ids are distinct over all of
 *   them.
 * @throws RangeError when the weight is outside 0 to 1 or a quantity is negative or not finite: a bug in the caller.
 * @see docs/scoring.md
 */
export function rankUniverses(parts: readonly UniversePart[], request: RankingRequest): Ranking {
  return finish(rankInSteps(parts, request));
}

/** The same in steps of some milliseconds where there are many offers, so that other work can run in between. */
export function* rankInSteps(parts: readonly UniversePart[], request: RankingRequest): Generator<undefined, Ranking> {
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
    priceRows(stretch, month, demand, figures);
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
export function* placesInSteps(
  parts: readonly UniversePart[],
  request: RankingRequest,
  ids: ReadonlySet<number>,
): Generator<undefined, ReadonlyMap<number, number>> {
  const { figures, rankedCount } = yield* pricedIn(tablesOf(parts), questionOf({ ...request, seesCommissions: false }));
  const some: Placed[] = [];
  for (let at = 0; at < rankedCount; at++) if (ids.has(figures.ids[at] as number)) some.push(placedAt(figures, at));
  some.sort(compareTied);
  const places = placesAmong(figures, rankedCount, some, compareTied);
  return new Map(some.map(({ id }, index) => [id, places[index] ?? 0]));
}

/** Runs all steps at once. */
export function finish<T>(steps: Generator<undefined, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

function* rankingOf(
  parts: readonly TablePart[],
  question: Question,
  selection: Selection,
): Generator<undefined, Ranking> {
  const { request, seesCommissions, withWinners } = question;
  const { period, signingDay, contract = null, offset = 0, search } = request;
  const { figures, rankedCount, excludedCount } = selection;
  const { weight, order } = orderOf(figures, rankedCount, { ...question, period });
  const found = search ? foundAmong(selection, search).sort(compareStandings) : null;
  const shown = (found?.slice(0, question.limit) ?? order?.first ?? []).slice(offset);
  const places = found && placesAmong(figures, rankedCount, shown);
  const pricing = priceContract(contract, request);
  const bills = request.bill ? yield* billsOf(selection, request.bill, question.demand) : null;
  const cheapestBill = bills && cheapestByBill(bills);
  const warnings = warningsFor(question, selection, { order, cheapestBill, presentEur: pricing.presentCost?.totalEur });
  const isMixed = warnings.some(({ code }) => code === 'ssaa_mezclados');
  const hasDiscounts = warnings.some(({ code }) => code === 'descuento_temporal');
  const ranking: Ranking = {
    weight,
    period,
    ...(signingDay !== undefined && { signingDay }),
    rankedCount,
    excludedCount,
    ...(found && { foundCount: found.length }),
    excluded: selection.excluded,
    cheapestId: order?.cheapest.id ?? null,
    bestPaidId: order?.bestPaid?.id ?? null,
    mostEfficientId: order?.mostEfficient.id ?? null,
    costRangeEur: order?.ranges.cost ?? null,
    commissionRangeEur: (seesCommissions && order?.ranges.commission) || null,
    winners: withWinners ? (order?.winners ?? []) : null,
    warnings: rankedCount + excludedCount > 0 ? warnings : [...warnings, ...(yield* emptyListWarnings(parts, request))],
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
  return request.reasons ? yield* withReasons(billed, { selection, order, shown }, question) : billed;
}

/** What a ranking says of all its offers. A bill of today has taxes, and so has what it is compared with. */
function warningsFor(
  { demand, needed, seesCommissions, request }: Question,
  { figures, rankedCount, facts }: Selection,
  known: {
    readonly order: Order | null;
    readonly cheapestBill: BilledOffer | null;
    readonly presentEur: number | undefined;
  },
): readonly RankingWarning[] {
  const { contract = null, filter, presentMonth } = request;
  const [presentEur, cheapestEur] =
    contract && 'billEur' in contract
      ? [contract.billEur, request.bill ? (known.cheapestBill?.billEur ?? null) : rankedCount > 0 ? 0 : null]
      : [known.presentEur ?? null, known.order?.cheapest.costEur ?? null];
  const about = {
    ...{ demand, needed, filter, seesCommissions, presentEur, cheapestEur, presentMonth },
    ...{ hasSocialBonus: contract?.hasSocialBonus, isLastResort: contract?.isLastResort },
  };
  const creditsSurplus = () => figures.parts.surplusEur.subarray(0, rankedCount).some((eur) => eur < 0);
  return warningsOf(facts, questionFacts(about, facts, creditsSurplus));
}

/** What balancing services may cost, EUR/MWh, before another offer is the cheapest. Equal costs do not change it. */
function ssaaThreshold(selection: Selection, order: Order | null, { demand }: Question): number | null {
  const { periodMwh, ssaaEur } = demand;
  const other = lowestWithout(selection, SSAA_SEPARATE);
  if (periodMwh === 0 || order === null || other === null) return null;
  const { min: lowest } = order.ranges.cost;
  // By figures alone: which of equal costs is the first depends on commissions.
  if (other === lowest && !isLowestApart(selection, lowest)) return null;
  return (ssaaEur + other - lowest) / periodMwh;
}

/** Whether an offer of the lowest cost bills balancing services apart. */
function isLowestApart({ figures: { total, rows }, stretches }: Selection, lowest: number): boolean {
  return stretches.some(({ table: { flags }, from, end }) => {
    for (let at = from; at < end; at++) {
      if (total[at] === lowest && ((flags[rows[at] as number] as number) & SSAA_SEPARATE) !== 0) return true;
    }
    return false;
  });
}
