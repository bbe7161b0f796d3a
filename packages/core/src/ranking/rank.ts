import { assert } from '../errors.ts';
import type { OfferWithHistory } from '../offers/offer.ts';
import { type Entrant, entrantsOf, type UniversePart } from './candidates.ts';
import { demandOf } from './customer.ts';
import { describeBest } from './describe.ts';
import { contenderOf, type Ranges } from './envelope.ts';
import { listExcluded } from './exclusions.ts';
import { type Contender, frontierOf, type RankedColumns, winnerAt, winnersByWeight } from './frontier.ts';
import type { RankingKernel } from './kernel.ts';
import { neededPrices } from './masks.ts';
import { createPlainKernel } from './plain-kernel.ts';
import type { Ranking, RankingRequest } from './ranking.ts';
import { blockAt, startsOf } from './rows.ts';

/**
 * Ranks every offer of some universes for one customer.
 *
 * @param parts - Universes of the customer's supply type, with the companies that take part. Ids are distinct over
 *   all of them.
 * @throws RangeError when the weight is outside 0 to 1 or a quantity is negative or not finite: a bug in the caller.
 * @see docs/scoring.md, and docs/assumptions.md, A-03 to A-20
 */
export function rankUniverses(
  parts: readonly UniversePart[],
  request: RankingRequest,
  { kernel = plainKernel }: RankOptions = {},
): Ranking {
  const weight = request.seesCommissions ? request.weight : 1;
  assert(weight >= 0 && weight <= 1, 'a weight is 0 to 1');
  const demand = demandOf(request.customer, request.period, request.fees);
  const query = { ...request, demand, withCommissions: request.seesCommissions };
  const needed = neededPrices(demand);
  const entrants = parts.map((part) => entrantsOf(part, query));
  const all = entrants.flat();
  const answer = kernel.rank({
    blocks: all.map(({ columns }) => columns),
    demand,
    neededPrices: needed,
    withCommissions: request.seesCommissions,
    withContenders: request.seesCommissions,
    weight,
    limit: request.limit,
  });
  const { best, costRangeEur, commissionRangeEur } = answer;
  const ranges = costRangeEur && commissionRangeEur ? { cost: costRangeEur, commission: commissionRangeEur } : null;
  const contenders = answer.contenders && contendersOf(answer.contenders, ranges);
  return {
    weight,
    period: request.period,
    rankedCount: answer.rankedCount,
    excludedCount: answer.excludedCount,
    excluded: listExcluded(entrants, { demand, month: request.month, count: answer.excludedCount, needed }),
    cheapestId: (contenders ? winnerAt(contenders, 1)?.id : best[0]?.id) ?? null,
    bestPaidId: (contenders && winnerAt(contenders, 0)?.id) ?? null,
    mostEfficientId: best[0]?.id ?? null,
    costRangeEur,
    commissionRangeEur: request.seesCommissions ? commissionRangeEur : null,
    winners: contenders && winnersByWeight(contenders),
    results: describeBest(answer, request, { demand, entryAt: entryFinder(all) }),
  };
}

const plainKernel = createPlainKernel();

/** How the work is done; the answer is the same with any. */
export interface RankOptions {
  /** What does the work that grows with the number of offers; the answer is the same with any. */
  readonly kernel?: RankingKernel;
}

/** Finds the offer behind a row over all blocks. */
function entryFinder(entrants: readonly Entrant[]): (row: number) => OfferWithHistory {
  const starts = startsOf(entrants, ({ block }) => block.entries.length);
  return (row) => {
    const index = blockAt(starts, row);
    const entry = entrants[index]?.block.entries[row - (starts[index] ?? 0)];
    assert(entry !== undefined, 'a row is in a block');
    return entry;
  };
}

function contendersOf(columns: RankedColumns, ranges: Ranges | null): readonly Contender[] {
  return ranges ? frontierOf(columns).map((point) => contenderOf(point, ranges)) : [];
}
