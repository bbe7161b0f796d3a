// What an answer shows of ranked rows.
import { appliedAt, type CostBreakdown, costAt, discountedCost, paidAt } from '../cost/cost.ts';
import type { Demand } from '../cost/customer.ts';
import type { Stretch } from '../cost/rule.ts';
import type { Table } from '../cost/table.ts';
import { assert } from '../errors.ts';
import type { BilledOffer } from '../taxes/bill-order.ts';
import { type BillTerms, billFor } from '../taxes/bill-terms.ts';
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
  const { annualMwh, period } = demand;
  const { figures } = selection;
  return shown.map((placed, index) => {
    const place = places?.[index];
    const { score, costEur, commissionEur, at } = placed;
    const { table, row } = rowAt(selection, at);
    const entry = table.entryAt(row);
    const commission = seesCommissions ? paidAt(figures, at) : null;
    const { priceScore, commissionScore } = scoresOf(placed, ranges);
    const { prices, origin } = appliedAt(table, row, question);
    const result: RankedOffer = {
      key: table.keyAt(row),
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
      extraCostEur: commission && costEur - cheapest.costEur,
      extraCommissionEur: commission && commissionEur - cheapest.commissionEur,
      commissionEurPerMwh: commission && annualMwh > 0 ? commissionEur / annualMwh : null,
      saving: present && savingOf(present, costEur, period.days),
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
  const { figures, stretches, rankedCount } = selection;
  const bills: BilledOffer[] = [];
  for (const stretch of stretches) {
    for (const [cost, tariffType, at] of costsOf(stretch, selection, demand)) {
      const billEur = billFor(terms, cost, tariffType).totalEur;
      bills.push({ id: figures.ids[at] as number, costEur: cost.totalEur, billEur });
    }
    if (isLong(rankedCount)) yield;
  }
  return bills;
}

function* costsOf(
  { table, from, end }: Stretch,
  { figures }: Selection,
  demand: Demand,
): Generator<readonly [CostBreakdown, string, number]> {
  for (let at = from; at < end; at++) {
    const slot = table.tariffSlots[figures.rows[at] as number] as number;
    yield [costAt(table, figures, at, demand), table.tariffTypes[slot] ?? '', at];
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
