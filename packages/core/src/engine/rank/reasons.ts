// The reasons of a ranking: why an offer costs more, thresholds of consumption, what a history would have cost, margins.

import { assert, refuseIfAny } from '../errors.ts';
import type { OfferWithHistory } from '../offers/offer.ts';
import { INDEXED, SSAA_SEPARATE } from '../price/conditions.ts';
import {
  appliedAt,
  type CostLine,
  costAt,
  costLinesOf,
  discountedPower,
  type Priced,
  pricedParts,
  priceOffer,
  yearsOf,
} from '../price/cost.ts';
import type { Demand } from '../price/customer.ts';
import { energyPricesOf, fixedPricesOf } from '../price/prices.ts';
import { COST_PARTS, type CostPartName, type Figures } from '../price/rule.ts';
import { entryAt } from '../price/table.ts';
import { isLong } from '../turns.ts';
import { frontierOf, type Order, winningCost } from './order.ts';
import type {
  AskedReasons,
  BesideFixed,
  ConsumptionThreshold,
  CostDifference,
  PriceMargin,
  RankedOffer,
  Ranking,
  Reasons,
  ReasonsAsked,
  ResultReasons,
  Retrospective,
} from './ranking.ts';
import { type Placed, placedAt, type RankedFigures, winnersByWeight } from './score.ts';
import { lowestWithout, type Question, rowAt, type Selection } from './select.ts';

/** What the reasons of a ranking are made of. */
interface Standings {
  readonly selection: Selection;
  /** `null`: nothing is ranked. */
  readonly order: Order | null;
  /** Those of the results, in their order. */
  readonly shown: readonly Placed[];
}

/** Reasons to ask for in `reasons` of a question: a program that asks for none is bundled without what finds them. */
export const askReasons = (asked: ReasonsAsked): AskedReasons => ({ ...asked, explain: withReasons });

/**
 * A ranking with the reasons that were asked for. Nothing else of it changes.
 *
 * @throws DomainError `business_rule` for an offer to explain against that is not ranked.
 * @see docs/assumptions.md, A-116
 */
export function* withReasons(ranking: Ranking, known: Standings, question: Question): Generator<undefined, Ranking> {
  const { why = null, thresholds, retrospective, margin }: ReasonsAsked = question.request.reasons ?? {};
  const { selection, order, shown } = known;
  const against = why && referenceOf(known, why.againstId);
  const reference = against && linedCost(selection, against, question);
  const cheapestFixedEur = retrospective ? lowestWithout(selection, INDEXED) : null;
  const ofConsumption = thresholds && (yield* consumptionThresholds(yield* lowestLines(selection, question)));
  const marginOfFirst = margin && order ? marginAt(order.mostEfficient, ranking.weight, selection, question) : [];
  const results: RankedOffer[] = [];
  const lined = reference && shown.map((placed) => linedCost(selection, placed, question));
  const entries = shown.map(({ at }) => {
    const { table, row } = rowAt(selection, at);
    return entryAt(table, row);
  });
  // From here on no figures are read, which a pause would give to another question.
  let monthCount = 0;
  for (const [index, entry] of entries.entries()) {
    const own = lined?.[index];
    const looksBack = retrospective && entry.offer.isIndexed;
    const reasons: ResultReasons = {
      ...(reference && own && { why: whyOf(own, reference) }),
      ...(looksBack && { retrospective: retrospectiveOf(entry, question.demand, cheapestFixedEur) }),
    };
    results.push({ ...resultAt(ranking, index), reasons });
    monthCount += looksBack ? entry.months.length : 0;
    if (monthCount < MANY_MONTHS) continue;
    monthCount = 0;
    yield;
  }
  const reasons: Reasons = {
    ...(why && { againstId: against?.id ?? null }),
    ...(ofConsumption && { thresholds: ofConsumption }),
    ...(margin && { margin: marginOfFirst }),
  };
  return { ...ranking, reasons, results };
}

/** Months of histories whose years are priced between two pauses. */
const MANY_MONTHS = 500;

/** The lines of cost that are the lowest at some consumption. */
function* lowestLines(
  { figures, stretches, rankedCount }: Selection,
  { demand: { ssaaEur } }: Question,
): Generator<undefined, readonly RankedFigures[]> {
  let lowest: readonly RankedFigures[] = [];
  for (const { table, from, end } of stretches) {
    const lines: RankedFigures[] = [];
    for (let at = from; at < end; at++) {
      const isApart = ((table.flags[figures.rows[at] as number] as number) & SSAA_SEPARATE) !== 0;
      lines.push(lineAt(figures, at, isApart ? ssaaEur : 0));
    }
    // What is the lowest of all is the lowest of its table.
    lowest = frontierOf(lines, lowest);
    if (isLong(rankedCount)) yield;
  }
  return lowest;
}

function marginAt(winner: Placed, weight: number, selection: Selection, question: Question) {
  const { figures, rankedCount: count } = selection;
  const others = { ...figures, count, except: winner.at };
  const roomEur = winningCost(others, winner.commissionEur, weight) - winner.costEur;
  const { table, row } = rowAt(selection, winner.at);
  const { demand } = question;
  return marginOf(entryAt(table, row), pricingOf(selection, winner, question), {
    demand,
    roomEur: Math.max(0, roomEur),
  });
}

function resultAt({ results }: Ranking, index: number): RankedOffer {
  const result = results[index];
  assert(result !== undefined, 'each shown offer has its result');
  return result;
}

/** The offer that others are explained against. */
function referenceOf({ selection, order }: Standings, id: number | null): Placed | null {
  if (id === null) return order?.cheapest ?? null;
  const at = selection.figures.ids.subarray(0, selection.rankedCount).indexOf(id);
  const found = at < 0 ? null : placedAt(selection.figures, at);
  refuseIfAny(found ? [] : [{ path: 'reasons.why.againstId', message: 'is not ranked' }]);
  return found;
}

function pricingOf(selection: Selection, { at }: Placed, question: Question): Priced {
  const { table, row } = rowAt(selection, at);
  return { cost: costAt(table, selection.figures, at, question.demand), ...appliedAt(table, row, question) };
}

function linedCost(selection: Selection, placed: Placed, question: Question): LinedCost {
  const { table, row } = rowAt(selection, placed.at);
  const lines = costLinesOf(entryAt(table, row), pricingOf(selection, placed, question), question.demand);
  return { totalEur: placed.costEur, lines };
}

/** The lines of a cost and its total. */
export interface LinedCost {
  readonly totalEur: number;
  readonly lines: readonly CostLine[];
}

const MILLION = 1e6;

/**
 * Why an offer costs more than another one, the largest difference first; what is equal is left out. The sum is the
 * difference of the two costs to the last millionth: what rounding leaves is in the largest.
 *
 * @see docs/assumptions.md, A-116
 */
export function whyOf(offer: LinedCost, other: LinedCost): readonly CostDifference[] {
  const differences = offer.lines.map(({ part, period, eur }, index) => {
    return { part, period, millionths: Math.round((eur - (other.lines[index]?.eur ?? 0)) * MILLION) };
  });
  differences.sort((a, b) => Math.abs(b.millionths) - Math.abs(a.millionths));
  const total = Math.round((offer.totalEur - other.totalEur) * MILLION);
  const left = differences.reduce((rest, { millionths }) => rest - millionths, total);
  return differences
    .map(({ part, period, millionths }, index) => {
      return { part, period, eur: (millionths + (index === 0 ? left : 0)) / MILLION };
    })
    .filter(({ eur }) => eur !== 0);
}

/**
 * The costs of an indexed offer by the mean of each 12 consecutive calendar months of its history. No month has a
 * probability: what was is not what will be.
 *
 * @param cheapestFixedEur - The cost of the cheapest offer that is not indexed; `null`: there is none.
 * @see docs/assumptions.md, A-116
 */
export function retrospectiveOf(
  entry: OfferWithHistory,
  demand: Demand,
  cheapestFixedEur: number | null,
): Retrospective {
  const costs = yearsOf(entry).flatMap((year) => {
    const pricing = priceOffer(year, demand, null);
    return pricing.priced ? [pricing.cost.totalEur] : [];
  });
  const sorted = costs.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  const [lowestEur = null, highestEur = null] = [sorted[0], sorted.at(-1)];
  return {
    windowCount: costs.length,
    lowestEur,
    medianEur: low === undefined || high === undefined ? null : (low + high) / 2,
    highestEur,
    latestEur: costs.at(-1) ?? null,
    ...(lowestEur === null || highestEur === null || cheapestFixedEur === null
      ? NOTHING_FIXED
      : {
          timesCheapest: costs.filter((eur) => eur < cheapestFixedEur).length,
          mostRegretEur: Math.max(0, highestEur - cheapestFixedEur),
          mostMissedEur: Math.max(0, cheapestFixedEur - lowestEur),
        }),
  };
}

const NOTHING_FIXED: BesideFixed = { timesCheapest: null, mostRegretEur: null, mostMissedEur: null };

/** From a quarter to four times. A power of two, so that a factor is exactly four weights. */
const MIN_FACTOR = 0.25;
const MAX_FACTOR = 4;

/** The parts that grow with the energy, besides balancing services. A fee grows by the same in every offer. */
const GROWING: readonly CostPartName[] = ['energyEur', 'surplusEur'];
const CONSTANT = COST_PARTS.map(({ name }) => name).filter((name) => !GROWING.includes(name));

/** What is least in both parts is on the lower envelope: a low fixed part stands for a high commission. */
function lineAt({ ids, parts }: Figures, at: number, ssaaEur: number): RankedFigures {
  const growing = (parts.energyEur[at] as number) + (parts.surplusEur[at] as number) + ssaaEur;
  let constant = 0;
  for (const name of CONSTANT) constant += parts[name][at] as number;
  return { id: ids[at] as number, costEur: growing, commissionEur: 0 - constant };
}

/**
 * Which offer is the cheapest at which consumption: every cost is a straight line over the factor, so the winners by
 * factor are found as those by weight. Equal lines are those of the lowest id: nothing depends on a commission.
 */
// @see docs/assumptions.md, A-116
function* consumptionThresholds(
  lowest: readonly RankedFigures[],
): Generator<undefined, readonly ConsumptionThreshold[]> {
  const contenders = lowest.map((line) => ({
    ...line,
    priceScore: line.commissionEur - MAX_FACTOR * line.costEur,
    commissionScore: line.commissionEur,
  }));
  const winners = yield* winnersByWeight(contenders);
  return winners.flatMap(({ fromWeight, toWeight, offerId }) => {
    const toFactor = MAX_FACTOR * toWeight;
    const fromFactor = Math.max(MIN_FACTOR, MAX_FACTOR * fromWeight);
    return toFactor > MIN_FACTOR ? [{ fromFactor, toFactor, offerId }] : [];
  });
}

/**
 * The margin of each price by which something is paid, one price at a time.
 *
 * @param roomEur - How much more the offer may cost; Infinity: any.
 * @see docs/assumptions.md, A-116
 */
export function marginOf(
  entry: OfferWithHistory,
  pricing: Priced,
  { demand, roomEur }: { readonly demand: Demand; readonly roomEur: number },
): readonly PriceMargin[] {
  const { customer } = demand;
  const { prices } = pricing;
  const margin = (line: Pick<CostLine, 'part' | 'period'>, price: number | null, rise: number): PriceMargin[] =>
    price === null ? [] : [{ ...line, risesTo: Number.isFinite(rise) ? price + rise : null }];
  const isGas = customer.supplyType === 'GAS';
  const energy = energyPricesOf(prices).flatMap((price, index) => {
    const parts = energyParts(entry, pricing, { demand, consumed: (kwh) => kwh[index] ?? 0 });
    const isUsed = parts.some(({ kwh }) => kwh > 0);
    return isUsed
      ? margin({ part: 'energyEur', period: isGas ? null : index + 1 }, price, shiftFor(parts, roomEur))
      : [];
  });
  const kw = isGas ? [] : customer.powerKw;
  const powerDays = demand.period.days * discountedPower(entry, demand.period);
  const power = kw.flatMap((contractedKw, index) => {
    const price = contractedKw * powerDays > 0 ? (fixedPricesOf(prices)[index] ?? null) : null;
    return margin({ part: 'powerEur', period: index + 1 }, price, roomEur / (contractedKw * powerDays));
  });
  const fixed = isGas
    ? margin({ part: 'fixedEur', period: null }, fixedPricesOf(prices)[0] ?? null, roomEur / demand.period.months)
    : [];
  const services = margin(
    { part: 'servicesEur', period: null },
    entry.offer.servicesEurPerMonth,
    roomEur / demand.period.months,
  );
  return [...energy, ...power, ...fixed, ...services];
}

/** The energy of one part of the calculation period, with the credit that its cost may have. */
export interface EnergyPart {
  /** Bought at the prices that change; `eur` is of all prices. */
  readonly kwh: number;
  /** EUR, without fees. */
  readonly eur: number;
  /** The most that surplus is worth, EUR; 0 where it is worth nothing. */
  readonly creditEur: number;
}

/**
 * The energy of an offer by parts of the calculation period.
 *
 * @param consumed - The sum of the kWh whose price changes, from the kWh by period.
 */
export function energyParts(
  entry: OfferWithHistory,
  pricing: Priced,
  { demand, consumed }: { readonly demand: Demand; readonly consumed: (kwh: readonly number[]) => number },
): readonly EnergyPart[] {
  return pricedParts(entry, pricing, demand).map(({ paidKwh, prices, exportedKwh, surplusEurPerKwh }) => ({
    kwh: consumed(paidKwh),
    eur: paidKwh.reduce((sum, kwh, index) => sum + kwh * (prices[index] ?? 0), 0),
    creditEur: exportedKwh * surplusEurPerKwh,
  }));
}

/** Costs are compared to the millionth: at a bend of `shiftFor` the last bit of a double must not decide. */
const HALF_MILLIONTH = 5e-7;

/**
 * The highest change of the price of energy, EUR/kWh, at which the energy and its surplus together cost at most so much
 * more. The credit is capped by the energy, so the cost is a broken line: between its bends it is straight.
 */
export function shiftFor(parts: readonly EnergyPart[], moreEur: number): number {
  const allKwh = parts.reduce((sum, { kwh }) => sum + kwh, 0);
  if (!Number.isFinite(moreEur) || allKwh === 0)
    return moreEur < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const costAt = (shift: number) =>
    parts.reduce((sum, { kwh, eur, creditEur }) => {
      const energyEur = eur + kwh * shift;
      return sum + energyEur - Math.max(0, Math.min(creditEur, energyEur));
    }, 0);
  const mostEur = costAt(0) + moreEur;
  const bends = parts
    .filter(({ kwh, creditEur }) => kwh > 0 && creditEur > 0)
    .flatMap(({ kwh, eur, creditEur }) => [(0 - eur) / kwh, (creditEur - eur) / kwh])
    .sort((a, b) => a - b);
  const last = bends.findLastIndex((shift) => costAt(shift) <= mostEur + HALF_MILLIONTH);
  const [from = bends[0] ?? 0, to] = [bends[last], bends[last + 1]];
  if (last < 0 || to === undefined) return from + (mostEur - costAt(from)) / allKwh;
  return from + ((mostEur - costAt(from)) * (to - from)) / (costAt(to) - costAt(from));
}
