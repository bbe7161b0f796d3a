import {
  type ConsumptionCommission,
  consumptionCommission,
  type PowerCommission,
  powerCommission,
} from '../commission/commission.ts';
import { commissionFrom, commissionOf } from '../cost/cost.ts';
import { roundHalfUp } from '../numbers.ts';
import type { Offer } from '../offers/offer.ts';
import type { Block } from './block.ts';
import { rankedRows } from './candidates.ts';
import { WITHIN_LIMITS } from './masks.ts';
import { emptyBlocksWarnings } from './near-tariffs.ts';
import { finish } from './rank.ts';
import type { AnnualQuantities, RecommendationRequest } from './ranking.ts';
import { type UniversePart, viewOf } from './universe.ts';
import { type RankingWarning, tariffWarnings } from './warnings.ts';

/** The commission of an offer per contract-year, with the tiers that apply. */
export interface ExpectedCommission {
  readonly offer: Offer;
  readonly consumption: ConsumptionCommission;
  readonly power: PowerCommission;
  /** EUR per contract-year, rounded to 6 decimals. */
  readonly totalEur: number;
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
  return finish(recommendInSteps(parts, request));
}

/** Some of the offers, in order. */
export interface RecommendedPage {
  /** How many match. */
  readonly total: number;
  readonly results: readonly ExpectedCommission[];
  /** About all that match, on this page or not. */
  readonly warnings: readonly RankingWarning[];
}

/** As `recommendFrom`, block by block, so that other work can run in between. */
export function* recommendInSteps(
  parts: readonly UniversePart[],
  request: RecommendationRequest,
): Generator<undefined, RecommendedPage> {
  const quantities = annualQuantities(request.annualMwh, request.powerKw);
  const use = { annualMwh: quantities.annualMwh, highestPowerKw: quantities.powerKw };
  const paid: { readonly block: Block; readonly row: number; readonly id: number; readonly totalEur: number }[] = [];
  const { blocks, facts } = yield* viewOf(parts, {
    ...{ month: null, filter: request.filter },
    ...{ needed: WITHIN_LIMITS, demand: use },
  });
  let matching = 0;
  for (const ranked of blocks) {
    const { block } = ranked;
    matching += [...rankedRows(ranked, 0)].length;
    for (const row of rankedRows(ranked, WITHIN_LIMITS)) {
      const consumption = block.rateAt(row, 'consumption', use.annualMwh);
      const power = block.rateAt(row, 'power', use.highestPowerKw);
      const { totalEur } = commissionFrom(consumption, power, { ...use, ...NO_FEES });
      paid.push({ block, row, id: block.ids[row] ?? 0, totalEur });
    }
    yield;
  }
  paid.sort((a, b) => b.totalEur - a.totalEur || a.id - b.id);
  const page = paid.slice(request.offset, request.offset + request.limit);
  const warnings = tariffWarnings(facts, request.filter.supplyType, use);
  return {
    total: paid.length,
    warnings: matching > 0 ? warnings : [...warnings, ...(yield* emptyBlocksWarnings(parts, request))],
    results: page.map(({ block, row }) => expectedCommission(block.entryAt(row).offer, quantities)),
  };
}
