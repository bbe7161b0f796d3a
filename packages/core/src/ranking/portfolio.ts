import { assert } from '../errors.ts';
import type { OfferWithHistory } from '../offers/offer.ts';
import { gatedBlocks, linesOf, type UniversePart } from './candidates.ts';
import { type CommissionColumns, commissionColumns } from './commission-columns.ts';
import { type Demand, demandOf } from './customer.ts';
import { describeBest } from './describe.ts';
import { type RankingKernel, TERMS_PER_ROW } from './kernel.ts';
import { ACTIVE_BIT, neededPrices } from './masks.ts';
import { createPlainKernel } from './plain-kernel.ts';
import type { RankOptions } from './rank.ts';
import type { Ranking, RankingRequest } from './ranking.ts';
import { BLOCK_ROWS } from './universe.ts';

/** What one customer of a portfolio is told: a ranking without the lists that only one customer reads. */
export type PortfolioRanking = Omit<Ranking, 'excluded' | 'winners' | 'cheapestId' | 'bestPaidId'>;

/** The answer to one customer, or the bug in what was asked for it. */
export type PortfolioAnswer =
  | { readonly ranked: true; readonly ranking: PortfolioRanking }
  | { readonly ranked: false; readonly error: unknown };

/** A universe that many customers are ranked over. */
export interface Portfolio {
  /**
   * Ranks a slice of customers; call it again for the next slice, with a pause between. Each answer is what
   * `rankUniverses` tells of that customer, and stands where the request stood. A request that throws there is
   * answered with its error, and no other is touched by it.
   */
  readonly rank: (requests: readonly RankingRequest[]) => readonly PortfolioAnswer[];
}

/** Pairs of commission lines that are kept per block and kind: customers of all sizes take turns. */
const KEPT_LINES = 256;
/** Filters whose offers are kept side by side. */
const KEPT_SELECTIONS = 16;

/** Offers that pass one filter, side by side: no customer looks at the others again. */
interface Chunk {
  readonly entries: readonly OfferWithHistory[];
  readonly terms: Float64Array;
  readonly mask: Int32Array;
  readonly commissions: CommissionColumns;
}

/**
 * Prepares universes for many customers. What they share is worked out once: the offers that pass a filter, side by
 * side, and the commissions at each interval of consumption. Customers of one slice go in the order of their
 * consumption, so that neighbours read the same numbers.
 *
 * @param parts - As `rankUniverses` takes them. They may not be patched meanwhile: a newer universe is another portfolio.
 */
export function openPortfolio(
  parts: readonly UniversePart[],
  { kernel = createPlainKernel() }: RankOptions = {},
): Portfolio {
  const selections = new Map<string, readonly Chunk[]>();
  const chunksFor = (request: RankingRequest): readonly Chunk[] => {
    const name = JSON.stringify([request.month, request.filter]);
    const known = selections.get(name);
    if (known) return known;
    const oldest = selections.keys().next();
    if (selections.size >= KEPT_SELECTIONS && !oldest.done) selections.delete(oldest.value);
    const chunks = selectionOf(parts, request);
    selections.set(name, chunks);
    return chunks;
  };
  return {
    rank(requests) {
      const answers: PortfolioAnswer[] = requests.map(() => ({ ranked: false, error: null }));
      for (const { index, request, outcome } of inOrder(requests)) {
        answers[index] = outcome.ok
          ? tried(() => rankOne(kernel, chunksFor(request), { request, demand: outcome.demand }))
          : { ranked: false, error: outcome.error };
      }
      return answers;
    },
  };
}

/** Ranks a whole portfolio at once. */
export function rankPortfolio(
  parts: readonly UniversePart[],
  requests: readonly RankingRequest[],
  options: RankOptions = {},
): readonly PortfolioAnswer[] {
  return openPortfolio(parts, options).rank(requests);
}

interface Turn {
  readonly index: number;
  readonly request: RankingRequest;
  readonly outcome: { readonly ok: true; readonly demand: Demand } | { readonly ok: false; readonly error: unknown };
}

/** The requests by what their customers consume and contract. */
function inOrder(requests: readonly RankingRequest[]): readonly Turn[] {
  const turns = requests.map((request, index): Turn => {
    try {
      const demand = demandOf(request.customer, request.period, request.fees);
      return { index, request, outcome: { ok: true, demand } };
    } catch (error) {
      return { index, request, outcome: { ok: false, error } };
    }
  });
  const sizeOf = ({ outcome }: Turn) => (outcome.ok ? outcome.demand.annualMwh : 0);
  return turns.sort((a, b) => sizeOf(a) - sizeOf(b));
}

function tried(rank: () => PortfolioRanking): PortfolioAnswer {
  try {
    return { ranked: true, ranking: rank() };
  } catch (error) {
    return { ranked: false, error };
  }
}

interface Asked {
  readonly request: RankingRequest;
  readonly demand: Demand;
}

function rankOne(kernel: RankingKernel, chunks: readonly Chunk[], { request, demand }: Asked): PortfolioRanking {
  const { seesCommissions, limit } = request;
  const weight = seesCommissions ? request.weight : 1;
  assert(weight >= 0 && weight <= 1, 'a weight is 0 to 1');
  const answer = kernel.rank({
    blocks: chunks.map(({ terms, mask, commissions }) => ({
      terms,
      mask,
      care: ACTIVE_BIT,
      want: ACTIVE_BIT,
      ...linesOf(seesCommissions ? commissions : null, demand),
    })),
    demand,
    neededPrices: neededPrices(demand),
    withCommissions: seesCommissions,
    withContenders: false,
    weight,
    limit,
  });
  return {
    weight,
    period: request.period,
    rankedCount: answer.rankedCount,
    excludedCount: answer.excludedCount,
    mostEfficientId: answer.best[0]?.id ?? null,
    costRangeEur: answer.costRangeEur,
    commissionRangeEur: seesCommissions ? answer.commissionRangeEur : null,
    results: describeBest(answer, request, { demand, entryAt: (row) => entryAt(chunks, row) }),
  };
}

/** Every chunk but the last is full. */
function entryAt(chunks: readonly Chunk[], row: number): OfferWithHistory {
  const entry = chunks[Math.floor(row / BLOCK_ROWS)]?.entries[row % BLOCK_ROWS];
  assert(entry !== undefined, `there is no row ${row}`);
  return entry;
}

/** The offers that pass the filter of a request, those without a price too, in chunks as large as a block. */
function selectionOf(parts: readonly UniversePart[], request: RankingRequest): readonly Chunk[] {
  const gated = parts.flatMap((part) => gatedBlocks(part, request));
  const rows = gated.flatMap(({ block, gated: { terms, mask, care, want } }) =>
    block.entries.flatMap((entry, row) => {
      const bits = mask[row] ?? 0;
      return (bits & care) === want ? [{ entry, terms, bits, row }] : [];
    }),
  );
  const starts = Array.from({ length: Math.ceil(rows.length / BLOCK_ROWS) }, (_, index) => index * BLOCK_ROWS);
  return starts.map((start) => {
    const chosen = rows.slice(start, start + BLOCK_ROWS);
    const terms = new Float64Array(chosen.length * TERMS_PER_ROW);
    chosen.forEach(({ terms: from, row }, place) => {
      terms.set(from.subarray(row * TERMS_PER_ROW, (row + 1) * TERMS_PER_ROW), place * TERMS_PER_ROW);
    });
    const entries = chosen.map(({ entry }) => entry);
    return {
      entries,
      terms,
      mask: Int32Array.from(chosen, ({ bits }) => bits),
      commissions: commissionColumns(
        entries.map(({ offer }) => offer),
        KEPT_LINES,
      ),
    };
  });
}
