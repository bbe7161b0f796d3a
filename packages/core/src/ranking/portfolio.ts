import { assert } from '../errors.ts';
import type { UniversePart } from './candidates.ts';
import { type Demand, demandOf } from './customer.ts';
import { describeBest } from './describe.ts';
import type { RankedColumns } from './frontier.ts';
import type { RankingKernel } from './kernel.ts';
import { neededPrices } from './masks.ts';
import { createPlainKernel } from './plain-kernel.ts';
import type { RankOptions } from './rank.ts';
import type { Ranking, RankingRequest } from './ranking.ts';
import { compareTied } from './score.ts';
import { type Selection, selectionOf } from './selection.ts';
import { type PortfolioFinding, type PortfolioTask, settle } from './settle.ts';
import type { Sieve } from './sieve.ts';

/** What one customer of a portfolio is told: a ranking without the lists that only one customer reads. */
export type PortfolioRanking = Omit<Ranking, 'excluded' | 'winners' | 'bestPaidId'>;

/** The answer to one customer, or the bug in what was asked for it. */
export type PortfolioAnswer =
  | { readonly ranked: true; readonly ranking: PortfolioRanking }
  | { readonly ranked: false; readonly error: unknown };

/** How the work is done; the answers are the same with any. */
export interface PortfolioOptions extends RankOptions {
  /** Leaves out who cannot matter before the kernel is asked; the answer is the same without. */
  readonly sieve?: Sieve | null;
}

/** A universe that many customers are ranked over. */
export interface Portfolio {
  /**
   * Ranks a slice of customers; call it again for the next slice, with a pause between. Each answer is what
   * `rankUniverses` tells of that customer, and stands where the request stood. A request that throws there is
   * answered with its error, and no other is touched by it.
   */
  readonly rank: (requests: readonly RankingRequest[]) => readonly PortfolioAnswer[];
  /** Bytes that were made for the customers so far: with many of all sizes it pays to open another portfolio. */
  readonly heldBytes: () => number;
}

/** Filters whose offers are kept side by side. */
const KEPT_SELECTIONS = 16;
/** Fewer offers than this are ranked as soon without a sieve. */
const FEWEST_ROWS = 128;

/**
 * Prepares universes for many customers. What they share is worked out once: the offers that pass a filter, side by
 * side, and the commissions at each interval of consumption. Customers of one slice go in the order of what they need
 * and consume, so that neighbours read the same numbers, and a sieve can price several at once.
 *
 * @param parts - As `rankUniverses` takes them. They may not be patched meanwhile: a newer universe is another portfolio.
 */
export function openPortfolio(
  parts: readonly UniversePart[],
  { kernel = createPlainKernel(), sieve = null }: PortfolioOptions = {},
): Portfolio {
  const selections = new Map<string, Selection>();
  const selectionFor = (name: string, request: RankingRequest): Selection => {
    const known = selections.get(name);
    if (known) return known;
    const oldest = selections.keys().next();
    if (selections.size >= KEPT_SELECTIONS && !oldest.done) selections.delete(oldest.value);
    const selection = selectionOf(parts, request);
    selections.set(name, selection);
    return selection;
  };
  return {
    rank(requests) {
      const answers: PortfolioAnswer[] = requests.map(() => ({ ranked: false, error: null }));
      for (const [name, turns] of Map.groupBy(turnsOf(requests, answers), ({ request }) => nameOf(request))) {
        const [first] = turns;
        if (!first) continue;
        const selection = selectionFor(name, first.request);
        const isLarge = selection.entries.length >= FEWEST_ROWS;
        rankAll(turns.sort(byNeedAndSize), { kernel, sieve: isLarge ? sieve : null, selection, answers });
      }
      return answers;
    },
    heldBytes: () => [...selections.values()].reduce((sum, selection) => sum + selection.heldBytes(), 0),
  };
}

function nameOf({ month, filter }: RankingRequest): string {
  return JSON.stringify([month, filter]);
}

/** Ranks a whole portfolio at once. */
export function rankPortfolio(
  parts: readonly UniversePart[],
  requests: readonly RankingRequest[],
  options: PortfolioOptions = {},
): readonly PortfolioAnswer[] {
  return openPortfolio(parts, options).rank(requests);
}

interface Turn {
  readonly index: number;
  readonly request: RankingRequest;
  readonly demand: Demand;
  readonly needed: number;
  readonly weight: number;
}

/** The requests that can be ranked; the others have their answers. */
function turnsOf(requests: readonly RankingRequest[], answers: PortfolioAnswer[]): readonly Turn[] {
  return requests.flatMap((request, index): readonly Turn[] => {
    try {
      const demand = demandOf(request.customer, request.period, request.fees);
      const weight = request.seesCommissions ? request.weight : 1;
      assert(weight >= 0 && weight <= 1, 'a weight is 0 to 1');
      return [{ index, request, demand, needed: neededPrices(demand), weight }];
    } catch (error) {
      answers[index] = { ranked: false, error };
      return [];
    }
  });
}

function byNeedAndSize(a: Turn, b: Turn): number {
  return a.needed - b.needed || a.demand.annualMwh - b.demand.annualMwh;
}

interface Workplace {
  readonly kernel: RankingKernel;
  readonly sieve: Sieve | null;
  readonly selection: Selection;
  readonly answers: PortfolioAnswer[];
}

/** Ranks customers of one selection, neighbours together. */
function rankAll(turns: readonly Turn[], workplace: Workplace): void {
  const { sieve, selection, answers } = workplace;
  for (let start = 0; start < turns.length; ) {
    const needed = turns[start]?.needed ?? 0;
    let end = start + 1;
    while (end - start < (sieve?.width ?? 1) && turns[end]?.needed === needed) end++;
    const together = turns.slice(start, end).map((turn) => ({ turn, task: taskOf(turn, selection) }));
    const customers = together.map(({ task }) => ({ demand: task.demand, ...task.lines }));
    const sifted = sieve?.price(selection.rows, customers, needed) ?? null;
    together.forEach(({ turn, task }, place) => {
      answers[turn.index] = tried(() => {
        const settled = sifted && settle(sifted, place, { rows: selection.rows, task });
        return rankingOf(turn, settled ?? rankWhole(workplace, task), selection);
      });
    });
    start = end;
  }
}

function taskOf({ request, demand, needed, weight }: Turn, { linesFor }: Selection): PortfolioTask {
  const { seesCommissions, limit } = request;
  const lines = seesCommissions ? linesFor(demand) : { consumption: null, power: null };
  return { demand, lines, neededPrices: needed, withCommissions: seesCommissions, weight, limit };
}

function tried(rank: () => PortfolioRanking): PortfolioAnswer {
  try {
    return { ranked: true, ranking: rank() };
  } catch (error) {
    return { ranked: false, error };
  }
}

/** Ranks every row of a selection for one customer. */
function rankWhole({ kernel, selection }: Workplace, task: PortfolioTask): PortfolioFinding {
  const { contenders, ...answer } = kernel.rank({
    ...task,
    blocks: selection.blocksWith(task.lines),
    withContenders: task.withCommissions,
  });
  const cheapestId = contenders ? cheapestOf(contenders) : (answer.best[0]?.id ?? null);
  return { ...answer, cheapestId };
}

/** Who is the first at weight 1: the cheapest, and the rest of the order is that of ties. */
function cheapestOf({ ids, costEur, commissionEur, count }: RankedColumns): number | null {
  const at = (i: number) => ({ costEur: costEur[i] ?? 0, commissionEur: commissionEur[i] ?? 0, id: ids[i] ?? 0 });
  let first = 0;
  for (let i = 1; i < count; i++) {
    if (compareTied(at(i), at(first)) < 0) first = i;
  }
  return count > 0 ? at(first).id : null;
}

function rankingOf(
  { request, demand, weight }: Turn,
  finding: PortfolioFinding,
  { entries }: Selection,
): PortfolioRanking {
  const entryAt = (row: number) => {
    const entry = entries[row];
    assert(entry !== undefined, 'there is no such row');
    return entry;
  };
  const results = describeBest({ ...finding, contenders: null }, request, { demand, entryAt });
  return {
    weight,
    period: request.period,
    rankedCount: finding.rankedCount,
    excludedCount: finding.excludedCount,
    cheapestId: finding.cheapestId,
    mostEfficientId: finding.best[0]?.id ?? null,
    costRangeEur: finding.costRangeEur,
    commissionRangeEur: request.seesCommissions ? finding.commissionRangeEur : null,
    results,
  };
}
