// Offers by their expected commission.

import {
  type ConsumptionCommission,
  consumptionCommission,
  type PowerCommission,
  powerCommission,
} from '../commission/commission.ts';
import { firstOf } from '../in-order.ts';
import { roundHalfUp } from '../numbers.ts';
import type { Offer } from '../offers/offer.ts';
import type { CompanyFilter, OfferFilter } from '../offers/offer-filter.ts';
import { brokenBound, limitedNumbers, ROW_LIMITS } from '../price/conditions.ts';
import { commissionOf, isImpossible, tariffUseOf } from '../price/cost.ts';
import { YEAR } from '../price/customer.ts';
import { figuresFor, payRows } from '../price/rule.ts';
import { entryAt } from '../price/table.ts';
import { finish, isLong } from '../turns.ts';
import { collectFacts } from './facts.ts';
import type { RankingRequest, RankingWarning } from './ranking.ts';
import { matchingRows } from './select.ts';
import { emptyListWarnings, tablesOf, type UniversePart } from './universe.ts';
import { tariffWarnings } from './warnings.ts';

/** The annual quantities that commissions are matched on. */
export interface AnnualQuantities {
  /** MWh per year, finite and >= 0. */
  readonly annualMwh: number;
  /** kW, finite and >= 0; `null` when not given. Gas ignores it. */
  readonly powerKw: number | null;
}

/** A request for offers by their expected commission. */
export interface RecommendationRequest extends AnnualQuantities, Pick<RankingRequest, 'hasOtherSupply'> {
  readonly filter: OfferFilter;
  readonly company: CompanyFilter;
  readonly limit: number;
  readonly offset: number;
}

/** The commission of an offer per contract-year, with the tiers that apply. */
export interface ExpectedCommission {
  readonly offer: Offer;
  readonly consumption: ConsumptionCommission;
  readonly power: PowerCommission;
  /** EUR per contract-year, rounded to 6 decimals. */
  readonly totalEur: number;
  /** As `RankedOffer` has it. */
  readonly isImpossibleTariff?: true;
}

/** Quantities as tiers are matched on them: rounded to 6 decimals. */
export function annualQuantities(annualMwh: number, powerKw: number | null): AnnualQuantities {
  return { annualMwh: roundHalfUp(annualMwh, 6), powerKw: powerKw === null ? null : roundHalfUp(powerKw, 6) };
}

/**
 * What an offer pays per contract-year at given quantities, without fees.
 *
 * @see docs/assumptions.md, A-13 to A-16
 */
export function expectedCommission(offer: Offer, { annualMwh, powerKw }: AnnualQuantities): ExpectedCommission {
  return {
    offer,
    consumption: consumptionCommission(offer, annualMwh),
    power: powerCommission(offer, powerKw),
    totalEur: commissionOf(offer, { annualMwh, highestPowerKw: powerKw, ...NO_FEES }).totalEur,
  };
}

const NO_FEES = { energyFeeEurPerYear: 0, powerFeeEurPerYear: 0 };

/**
 * A page of the active offers that match the filter and whose limits allow these quantities, by expected commission:
 * highest first, then by id.
 *
 * @see docs/assumptions.md, A-33 and A-125
 */
export function recommendFrom(parts: readonly UniversePart[], request: RecommendationRequest): RecommendedPage {
  return finish(recommendInTurns(parts, request));
}

/** Some of the offers, in order. */
export interface RecommendedPage {
  /** How many match. */
  readonly total: number;
  readonly results: readonly ExpectedCommission[];
  /** About all that match, on this page or not. */
  readonly warnings: readonly RankingWarning[];
}

/** What an offer pays. */
interface PaidOffer {
  readonly offerAt: () => Offer;
  readonly id: number;
  readonly totalEur: number;
}

function comparePaid(a: PaidOffer, b: PaidOffer): number {
  return b.totalEur - a.totalEur || a.id - b.id;
}

/** As `recommendFrom`, with pauses where there are many offers, so that other work can run in between. */
export function* recommendInTurns(
  parts: readonly UniversePart[],
  request: RecommendationRequest,
): Generator<undefined, RecommendedPage> {
  const quantities = annualQuantities(request.annualMwh, request.powerKw);
  const use = { annualMwh: quantities.annualMwh, highestPowerKw: quantities.powerKw };
  const [kw = 0, kwh = 0, day = 0] = limitedNumbers(use);
  const facts = collectFacts({ month: null, needed: 0 });
  const { offset, limit, filter } = request;
  let first: readonly PaidOffer[] = [];
  let [total, matching, rowCount] = [0, 0, 0];
  for (const { table, admits } of tablesOf(parts)) {
    const { rows, unknownTerms } = matchingRows(table, filter, admits);
    const within = rows.filter((row) => brokenBound(table.limits, row * ROW_LIMITS, kw, kwh, day) < 0);
    const figures = { ...figuresFor(within.length), rows: within };
    const stretch = { table, from: 0, end: within.length };
    payRows(stretch, { ...use, ...NO_FEES }, figures);
    const own = Array.from(within, (row, at): PaidOffer => {
      return { offerAt: () => entryAt(table, row).offer, id: table.ids[row] ?? 0, totalEur: figures.paid[at] ?? 0 };
    });
    first = firstOf(first, own, comparePaid, offset + limit);
    total += within.length;
    facts.add(stretch, within, unknownTerms);
    matching += rows.length;
    rowCount += table.rowCount;
    if (isLong(rowCount)) yield;
  }
  const tariffs = tariffUseOf(filter.supplyType, { ...use, days: YEAR.days }, 0);
  const warnings = tariffWarnings(facts.facts(), filter, use);
  return {
    total,
    warnings: matching > 0 ? warnings : [...warnings, ...emptyListWarnings(tablesOf(parts), request)],
    results: first.slice(offset).map(({ offerAt }) => {
      const offer = offerAt();
      const isMarked = filter.tariffType === null && isImpossible(offer.tariffType, tariffs);
      return { ...expectedCommission(offer, quantities), ...(isMarked && { isImpossibleTariff: true as const }) };
    }),
  };
}
