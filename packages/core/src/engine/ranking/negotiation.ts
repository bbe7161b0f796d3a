import { appliedAt, costAt } from '../cost/cost.ts';
import { entryAt } from '../cost/table.ts';
import { energyParts, shiftFor } from './margin.ts';
import { placedAt } from './order.ts';
import { questionOf } from './question.ts';
import { pricedIn } from './rank.ts';
import type { RankingRequest } from './ranking.ts';
import { allPlaced, rowAt } from './results.ts';
import { tablesOf, type UniversePart } from './universe.ts';
import { winningCost } from './winning-cost.ts';

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

/** The gap of an offer to the first of the others, in steps. @see docs/assumptions.md, A-116 */
export function* gapInSteps({ alone, others }: NegotiatedMarket, request: RankingRequest): Generator<undefined, Gap> {
  const question = questionOf(request);
  const { annualMwh } = question.demand;
  const selection = yield* pricedIn(tablesOf(alone), question);
  if (selection.rankedCount === 0) return { eurPerMwh: null, annualMwh };
  const { figures } = selection;
  const own = placedAt(figures, 0);
  const { table, row } = rowAt(selection, 0);
  const pricing = { cost: costAt(table, figures, 0, question.demand), ...appliedAt(table, row, question) };
  // The figures of the others take the place of its own.
  const priced = allPlaced(yield* pricedIn(tablesOf(others), question));
  const moreEur = winningCost(priced, own.commissionEur, question.weight) - own.costEur;
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
