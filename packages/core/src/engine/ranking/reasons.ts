import { appliedAt, costAt } from '../cost/cost.ts';
import { INDEXED } from '../cost/flags.ts';
import { entryAt } from '../cost/table.ts';
import { assert, refuseIfAny } from '../errors.ts';
import { type Costed, consumptionThresholds } from './consumption-thresholds.ts';
import { costLinesOf, type Priced } from './cost-lines.ts';
import { marginOf } from './margin.ts';
import type { Order, Placed } from './order.ts';
import type { Question } from './question.ts';
import type { RankedOffer, Ranking } from './ranking.ts';
import type { Reasons, ReasonsAsked, ResultReasons } from './reasons-asked.ts';
import { allPlaced, lowestWithout, rowAt } from './results.ts';
import { retrospectiveOf } from './retrospective.ts';
import { isLong, type Selection } from './select.ts';
import { type LinedCost, whyOf } from './why.ts';
import { winningCost } from './winning-cost.ts';

/** What the reasons of a ranking are made of. */
interface Standings {
  readonly selection: Selection;
  /** `null`: nothing is ranked. */
  readonly order: Order | null;
  /** Those of the results, in their order. */
  readonly shown: readonly Placed[];
}

/**
 * A ranking with the reasons that were asked for, in steps. Nothing else of it changes.
 *
 * @throws DomainError `business_rule` for an offer to explain against that is not ranked.
 * @see docs/assumptions.md, A-116
 */
export function* withReasons(
  ranking: Ranking,
  standings: Standings,
  question: Question,
): Generator<undefined, Ranking> {
  const { why = null, thresholds, retrospective, margin }: ReasonsAsked = question.request.reasons ?? {};
  const { selection, order, shown } = standings;
  const against = why && referenceOf(standings, why.againstId);
  const reference = against && linedCost(selection, against, question);
  const cheapestFixedEur = retrospective ? lowestWithout(selection, INDEXED) : null;
  if (isLong(selection.rankedCount)) yield;
  const costed = thresholds ? yield* costedIn(selection, question) : [];
  if (isLong(selection.rankedCount)) yield;
  const marginOfFirst = margin && order ? marginAt(order.mostEfficient, ranking.weight, selection, question) : [];
  const results: RankedOffer[] = [];
  const lined = reference && shown.map((placed) => linedCost(selection, placed, question));
  for (const [index, { at }] of shown.entries()) {
    const { table, row } = rowAt(selection, at);
    const entry = entryAt(table, row);
    const own = lined?.[index];
    const reasons: ResultReasons = {
      ...(reference && own && { why: whyOf(own, reference) }),
      ...(retrospective &&
        entry.offer.isIndexed && {
          retrospective: retrospectiveOf(entry, question.demand, cheapestFixedEur),
        }),
    };
    results.push({ ...resultAt(ranking, index), reasons });
  }
  const reasons: Reasons = {
    ...(why && { againstId: against?.id ?? null }),
    ...(thresholds && { thresholds: consumptionThresholds(costed) }),
    ...(margin && { margin: marginOfFirst }),
  };
  return { ...ranking, reasons, results };
}

/** The costs of all offers, in steps where there are many. */
function* costedIn(
  { figures, stretches, rankedCount }: Selection,
  { demand }: Question,
): Generator<undefined, Costed[]> {
  const costed: Costed[] = [];
  for (const { table, from, end } of stretches) {
    for (let at = from; at < end; at++) {
      costed.push({ id: figures.ids[at] as number, cost: costAt(table, figures, at, demand) });
    }
    if (isLong(rankedCount)) yield;
  }
  return costed;
}

function marginAt(winner: Placed, weight: number, selection: Selection, question: Question) {
  const others = allPlaced(selection).filter(({ at }) => at !== winner.at);
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
  const found = allPlaced(selection).find((placed) => placed.id === id) ?? null;
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
