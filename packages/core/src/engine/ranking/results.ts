// What an answer shows of ranked rows.
import { appliedAt, costAt, discountedCost, paidAt } from '../cost/cost.ts';
import { byPart, COST_PARTS } from '../cost/cost-parts.ts';
import type { Demand } from '../cost/customer.ts';
import { SSAA_SEPARATE } from '../cost/flags.ts';
import type { Figures, Stretch } from '../cost/rule.ts';
import { entryAt, type Table } from '../cost/table.ts';
import { assert } from '../errors.ts';
import { roundHalfUp } from '../numbers.ts';
import type { BilledOffer } from '../taxes/bill-order.ts';
import { type BillTerms, billFor } from '../taxes/bill-terms.ts';
import { isImpossible, tariffUseOf } from './access-tariffs.ts';
import { isOn } from './frontier.ts';
import { foundIn, type NameSearch } from './name-search.ts';
import { type Order, type Placed, placedAt } from './order.ts';
import { type PresentCost, savingOf } from './present-contract.ts';
import type { Question } from './question.ts';
import type { RankedOffer } from './ranking.ts';
import { scoresOf } from './score.ts';
import { isLong, type Selection } from './select.ts';

/** The table of a place of figures, and its row there. */
export function rowAt({ figures, stretches }: Selection, at: number): { readonly table: Table; readonly row: number } {
  const stretch = stretches.find(({ end }) => at < end);
  assert(stretch !== undefined, 'a place is in one of the stretches');
  return { table: stretch.table, row: figures.rows[at] as number };
}

/** All ranked rows. */
export function allPlaced({ figures, rankedCount }: Selection): readonly Placed[] {
  return Array.from({ length: rankedCount }, (_, at) => placedAt(figures, at));
}

/** What the figures of a result depend on, and what it is compared with. */
interface Compared extends Question, Pick<Order, 'ranges' | 'frontier' | 'cheapest' | 'mostEfficient'> {
  readonly present: PresentCost | null;
  /** Whether some ranked offer has a discount. */
  readonly hasDiscounts: boolean;
  /** Those of the offers among all; `null`: not asked for. */
  readonly places: readonly number[] | null;
}

/** Offers in their order, with all shown figures. */
export function resultsOf(selection: Selection, shown: readonly Placed[], question: Compared): readonly RankedOffer[] {
  const { ranges, frontier, cheapest, mostEfficient, present, hasDiscounts, places, demand, seesCommissions } =
    question;
  const { annualMwh, customer, period } = demand;
  const { figures } = selection;
  const isAnyTariff = question.request.filter.tariffType === null;
  const tariffs = isAnyTariff && tariffUseOf(customer.supplyType, { ...demand, days: period.days }, question.needed);
  return shown.map((placed, index) => {
    const place = places?.[index];
    const { score, costEur, commissionEur, at } = placed;
    const { table, row } = rowAt(selection, at);
    const entry = entryAt(table, row);
    const commission = seesCommissions ? paidAt(figures, at) : null;
    const { priceScore, commissionScore } = scoresOf(placed, ranges);
    const { prices, origin } = appliedAt(table, row, question);
    const result: RankedOffer = {
      key: table.keys[row] || null,
      ...(place !== undefined && { place }),
      offer: entry.offer,
      prices,
      origin,
      cost: costAt(table, figures, at, demand),
      commission,
      score,
      priceScore,
      commissionScore: commission && commissionScore,
      isOptimal: at === mostEfficient.at,
      isOnFrontier: frontier && isOn(frontier, placed),
      extraCostEur: commission && roundHalfUp(costEur - cheapest.costEur, 6),
      extraCommissionEur: commission && roundHalfUp(commissionEur - cheapest.commissionEur, 6),
      commissionEurPerMwh: commission && annualMwh > 0 ? roundHalfUp(commissionEur / annualMwh, 6) : null,
      saving: present && savingOf(present, costEur, period.days),
      ...(tariffs && isImpossible(entry.offer.tariffType, tariffs) && { isImpossibleTariff: true as const }),
    };
    return hasDiscounts ? { ...result, discounted: discountedCost(entry, question) } : result;
  });
}

/** The lowest cost of those that do not have a flag; `null` where there are none. */
export function lowestWithout({ figures: { total, rows }, stretches }: Selection, flag: number): number | null {
  let least = Number.POSITIVE_INFINITY;
  for (const { table, from, end } of stretches) {
    for (let at = from; at < end; at++) {
      const cost = total[at] as number;
      if (cost < least && ((table.flags[rows[at] as number] as number) & flag) === 0) least = cost;
    }
  }
  return least === Number.POSITIVE_INFINITY ? null : least;
}

/** The bills of all ranked rows, in steps where there are many: the lowest bill may be that of any. */
export function* billsOf(
  selection: Selection,
  terms: BillTerms,
  demand: Demand,
): Generator<undefined, readonly BilledOffer[]> {
  const bills: BilledOffer[] = [];
  for (const stretch of selection.stretches) {
    addBills(bills, stretch, selection.figures, { terms, ssaaEur: demand.ssaaEur });
    if (isLong(selection.rankedCount)) yield;
  }
  return bills;
}

/** One cost is filled again for each row, because thousands of objects would take as long as their bills. */
function addBills(
  bills: BilledOffer[],
  { table, from, end }: Stretch,
  figures: Figures,
  { terms, ssaaEur }: { readonly terms: BillTerms; readonly ssaaEur: number },
): void {
  const { rows, ids, parts, total } = figures;
  const cost = { ...byPart(() => 0), ssaaEur: 0 };
  for (let at = from; at < end; at++) {
    const row = rows[at] as number;
    for (const { name } of COST_PARTS) cost[name] = parts[name][at] as number;
    cost.ssaaEur = ((table.flags[row] as number) & SSAA_SEPARATE) !== 0 ? ssaaEur : 0;
    const billEur = billFor(terms, cost, table.tariffTypes[table.tariffSlots[row] as number] ?? '').totalEur;
    bills.push({ id: ids[at] as number, costEur: total[at] as number, billEur });
  }
}

/** The ranked rows that are found. */
export function foundAmong({ figures, stretches }: Selection, search: NameSearch): Placed[] {
  const found: Placed[] = [];
  for (const { table, from, end } of stretches) {
    const isFound = foundIn(table, search);
    for (let at = from; at < end; at++) if (isFound(figures.rows[at] as number)) found.push(placedAt(figures, at));
  }
  return found;
}
