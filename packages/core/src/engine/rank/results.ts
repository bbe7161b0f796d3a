// What an answer shows of ranked rows, with their bills.

import { entriesByHours, type HourlyEntries, readsHours } from '../consumption/hourly-prices.ts';
import { roundHalfUp } from '../numbers.ts';
import { type Kind, SSAA_SEPARATE } from '../price/conditions.ts';
import {
  appliedAt,
  type CostBreakdown,
  costAt,
  discountedCost,
  isImpossible,
  paidAt,
  tariffUseOf,
} from '../price/cost.ts';
import { type Demand, YEAR } from '../price/customer.ts';
import { COST_PARTS, type Figures, type Stretch } from '../price/rule.ts';
import { entryAt, type Table } from '../price/table.ts';
import { type Bill, type BillRates, totalsOf } from '../taxes/bill.ts';
import { type BilledOffer, compareBilled, orderNotices } from '../taxes/bill-order.ts';
import { type BillTerms, billFor, ratesFor } from '../taxes/bill-terms.ts';
import { isLong } from '../turns.ts';
import { NONE } from './facts.ts';
import { isOn, type Order } from './order.ts';
import type { PresentCost } from './present-contract.ts';
import type { RankedOffer, Ranking, RankingRequest, Saving } from './ranking.ts';
import { type Placed, scoresOf } from './score.ts';
import { lowestWithout, type Question, rowAt, type Selection } from './select.ts';

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
  const byHoursOf = readsHours(demand.parts) ? hourlyEntries(demand.parts) : null;
  return shown.map((placed, index) => {
    const place = places?.[index];
    const { score, costEur, commissionEur, at } = placed;
    const { table, row } = rowAt(selection, at);
    const entry = entryAt(table, row);
    const commission = seesCommissions ? paidAt(figures, at) : null;
    const { priceScore, commissionScore } = scoresOf(placed, ranges);
    const { prices, origin } = appliedAt(table, row, question);
    const byHours = byHoursOf?.(table.kinds[table.kindSlots[row] as number] as Kind);
    const result: RankedOffer = {
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
    const complete = hasDiscounts ? { ...result, discounted: discountedCost(entry, question) } : result;
    return byHours ? { ...complete, byHours } : complete;
  });
}

/** The entries that are priced by hours, once for each kind of offers; `null`: none. */
function hourlyEntries(parts: Demand['parts']): (kind: Kind) => HourlyEntries | null {
  const known = new Map<Kind, HourlyEntries | null>();
  return (kind) => {
    let own = known.get(kind);
    if (own === undefined) {
      const entries = entriesByHours(kind, parts);
      own = entries.energyCount + entries.surplusCount > 0 ? entries : null;
      known.set(kind, own);
    }
    return own;
  };
}

/** The ranked offer with the lowest bill, with pauses where there are many; `null`: none is ranked. */
export function* cheapestByBill(
  { stretches, figures, rankedCount }: Selection,
  terms: BillTerms,
  { ssaaEur }: Demand,
): Generator<undefined, BilledOffer | null> {
  let cheapest: BilledOffer | null = null;
  for (const stretch of stretches) {
    const own = cheapestIn(stretch, figures, { terms, ssaaEur });
    if (own && (cheapest === null || compareBilled(own, cheapest) < 0)) cheapest = own;
    if (isLong(rankedCount)) yield;
  }
  return cheapest;
}

function cheapestIn(
  { table, from, end }: Stretch<Table>,
  { rows, ids, parts, total }: Figures,
  { terms, ssaaEur }: { readonly terms: BillTerms; readonly ssaaEur: number },
): BilledOffer | null {
  const columns = COST_PARTS.map(({ name }) => ({ eurs: parts[name], apartEur: name === 'energyEur' ? ssaaEur : 0 }));
  const rates = table.tariffTypes.map((tariffType) => ratesFor(terms, tariffType));
  let cheapest: BilledOffer | null = null;
  for (let at = from; at < end; at++) {
    const row = rows[at] as number;
    const isApart = ((table.flags[row] as number) & SSAA_SEPARATE) !== 0;
    const eurOf = (part: number) => {
      const { eurs, apartEur } = columns[part] as (typeof columns)[number];
      return (eurs[at] as number) + (isApart ? apartEur : 0);
    };
    const { totalCents } = totalsOf(eurOf, terms.extras, rates[table.tariffSlots[row] as number] as BillRates);
    const billEur = totalCents / 100;
    if (cheapest !== null && billEur > cheapest.billEur) continue;
    const own = { id: ids[at] as number, costEur: total[at] as number, billEur };
    if (cheapest === null || compareBilled(own, cheapest) < 0) cheapest = own;
  }
  return cheapest;
}

/**
 * The saving of an offer.
 *
 * @param costEur - Its cost over the calculation period.
 * @param days - Of the period.
 */
export function savingOf(present: { readonly totalEur: number }, costEur: number, days: number): Saving {
  const eur = present.totalEur - costEur;
  return {
    eur: roundHalfUp(eur, 6),
    eurPerYear: roundHalfUp((eur * YEAR.days) / days, 6),
    percent: present.totalEur > 0 ? roundHalfUp((100 * eur) / present.totalEur, 2) : null,
  };
}

interface BillQuestion {
  readonly request: RankingRequest;
  readonly terms: BillTerms;
  readonly seesCommissions: boolean;
}

/**
 * A ranking with the bills of its results. Cost, scores and order stay as they are.
 *
 * @param cheapest - The offer with the lowest bill of all that are ranked.
 */
export function withBills(ranking: Ranking, cheapest: BilledOffer | null, question: BillQuestion): Ranking {
  const { terms, request, seesCommissions } = question;
  const cheapestId = cheapest?.id ?? null;
  const present = ranking.presentCost && presentBill(ranking.presentCost, question);
  const { contract = null } = request;
  const presentEur = contract && 'billEur' in contract ? contract.billEur : (present?.totalEur ?? null);
  const notices = [...terms.notices, ...orderNotices(cheapest, ranking.costRangeEur?.min ?? 0)];
  return {
    ...ranking,
    warnings: [...ranking.warnings, ...notices.map((code) => ({ code, ...NONE }))],
    billed: { terms, cheapestId, present, presentEur },
    results: ranking.results.map((result) => {
      const bill = billFor(terms, result.cost, result.offer.tariffType);
      const extraEur = seesCommissions && cheapest ? roundHalfUp(bill.totalEur - cheapest.billEur, 6) : null;
      const saving =
        presentEur === null ? null : savingOf({ totalEur: presentEur }, bill.totalEur, ranking.period.days);
      return { ...result, billed: { bill, extraEur, saving } };
    }),
  };
}

/** The bill of the present contract, on its own tariff or that of the filter; `null` where only its total is known. */
function presentBill(cost: PresentCost, { terms, request }: BillQuestion): Bill | null {
  const { totalEur: _total, ...parts } = cost;
  if (Object.values(parts).includes(null)) return null;
  const { contract = null, filter } = request;
  const tariffType = contract && 'entry' in contract ? contract.entry.offer.tariffType : filter.tariffType;
  return billFor(terms, parts as Omit<CostBreakdown, 'totalEur'>, tariffType ?? '');
}

/** What balancing services may cost, EUR/MWh, before another offer is the cheapest. Equal costs do not change it. */
export function ssaaThreshold(selection: Selection, order: Order | null, { demand }: Question): number | null {
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
