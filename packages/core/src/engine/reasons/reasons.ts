import { type PriceQuestion, priceOffer } from '../cost/cost.ts';
import { assert, refuseIfAny } from '../errors.ts';
import type { PricedOffer } from '../ranking/order.ts';
import type { RankedOffer, Ranking, RankingRequest } from '../ranking/ranking.ts';
import type { ReasonsAsked, ResultReasons } from './asked.ts';
import { costLinesOf } from './cost-lines.ts';
import { type LinedCost, whyOf } from './why.ts';

/** Whether the reasons need the cost of every offer, and not only of those that can be among the first. */
export function needsAllOffers({ why }: ReasonsAsked): boolean {
  return (why?.againstId ?? null) !== null;
}

/** What the reasons of a ranking are made of. */
interface Standings {
  readonly priced: readonly PricedOffer[];
  /** Those of the results, in their order. */
  readonly shown: readonly PricedOffer[];
  readonly cheapest: PricedOffer | null;
}

interface Question extends PriceQuestion {
  readonly request: RankingRequest;
}

/**
 * A ranking with the reasons that were asked for. Nothing else of it changes.
 *
 * @throws DomainError `business_rule` for an offer to explain against that is not ranked.
 * @see docs/assumptions.md, A-116
 */
export function withReasons(ranking: Ranking, standings: Standings, question: Question): Ranking {
  const { why = null } = question.request.reasons ?? {};
  const against = why && referenceOf(standings, why.againstId);
  const reference = against && linedCost(against, question);
  const reasonsOf = (offer: PricedOffer): ResultReasons => ({
    ...(reference && { why: whyOf(linedCost(offer, question), reference) }),
  });
  return {
    ...ranking,
    reasons: { ...(why && { againstId: against?.id ?? null }) },
    results: standings.shown.map((offer, index) => ({ ...resultAt(ranking, index), reasons: reasonsOf(offer) })),
  };
}

function resultAt({ results }: Ranking, index: number): RankedOffer {
  const result = results[index];
  assert(result !== undefined, 'each shown offer has its result');
  return result;
}

/** The offer that others are explained against. */
function referenceOf({ priced, cheapest }: Standings, id: number | null): PricedOffer | null {
  if (id === null) return cheapest;
  const found = priced.find((offer) => offer.id === id) ?? null;
  refuseIfAny(found ? [] : [{ path: 'frente_a', message: 'is not ranked' }]);
  return found;
}

function linedCost({ source, row, costEur }: PricedOffer, { demand, month }: Question): LinedCost {
  const entry = source.entryAt(row);
  const pricing = priceOffer(entry, demand, month);
  assert(pricing.priced, 'an offer that has a cost has it again');
  return { totalEur: costEur, lines: costLinesOf(entry, pricing, demand) };
}
