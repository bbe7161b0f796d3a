import { type PriceQuestion, priceOffer } from '../cost/cost.ts';
import { assert, refuseIfAny } from '../errors.ts';
import type { OfferWithHistory } from '../offers/offer.ts';
import type { PricedOffer } from '../ranking/order.ts';
import type { RankedOffer, Ranking, RankingRequest } from '../ranking/ranking.ts';
import { type Costed, consumptionThresholds } from './consumption-thresholds.ts';
import { costLinesOf, type Priced } from './cost-lines.ts';
import { marginOf } from './margin.ts';
import type { Reasons, ReasonsAsked, ResultReasons } from './reasons-asked.ts';
import { retrospectiveOf } from './retrospective.ts';
import { type LinedCost, whyOf } from './why.ts';
import { winningCost } from './winning-cost.ts';

/** Whether the reasons need the cost of every offer, and not only of those that can be among the first. */
export function needsAllOffers({ why, thresholds, margin }: ReasonsAsked): boolean {
  return [(why?.againstId ?? null) !== null, thresholds, margin].some(Boolean);
}

/** What the reasons of a ranking are made of. */
interface Standings {
  readonly priced: readonly PricedOffer[];
  /** Those of the results, in their order. */
  readonly shown: readonly PricedOffer[];
  readonly cheapest: PricedOffer | null;
  readonly mostEfficient: PricedOffer | null;
  /** The lowest cost of all that are not indexed; `null` where there are none. */
  readonly cheapestFixed: () => Generator<undefined, number | null>;
}

interface Question extends PriceQuestion {
  readonly request: RankingRequest;
}

/** Offers that are looked at in one step. */
const STEP_OFFERS = 1024;

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
  const { why = null, thresholds, retrospective, margin } = question.request.reasons ?? {};
  const { priced, shown, mostEfficient, cheapestFixed } = standings;
  const against = why && referenceOf(standings, why.againstId);
  const reference = against && linedCost(against, question);
  const cheapestFixedEur = retrospective ? yield* cheapestFixed() : null;
  const results: RankedOffer[] = [];
  for (const [index, offer] of shown.entries()) {
    const entry = entryOf(offer);
    const reasons: ResultReasons = {
      ...(reference && { why: whyOf(linedCost(offer, question), reference) }),
      ...(retrospective &&
        entry.offer.isIndexed && {
          retrospective: retrospectiveOf(entry, question.demand, cheapestFixedEur),
        }),
    };
    results.push({ ...resultAt(ranking, index), reasons });
    if (retrospective) yield;
  }
  const reasons: Reasons = {
    ...(why && { againstId: against?.id ?? null }),
    ...(thresholds && { thresholds: consumptionThresholds(yield* costedInSteps(priced, question)) }),
    ...(margin && { margin: mostEfficient ? marginAt(mostEfficient, { ranking, priced, question }) : [] }),
  };
  return { ...ranking, reasons, results };
}

/** The costs of all offers. */
function* costedInSteps(priced: readonly PricedOffer[], question: Question) {
  const costed: Costed[] = [];
  for (const offer of priced) {
    costed.push({ id: offer.id, cost: pricingOf(offer, question).cost });
    if (costed.length % STEP_OFFERS === 0) yield;
  }
  return costed;
}

function marginAt(
  winner: PricedOffer,
  {
    ranking,
    priced,
    question,
  }: { readonly ranking: Ranking; readonly priced: readonly PricedOffer[]; readonly question: Question },
) {
  const others = priced.filter((offer) => offer !== winner);
  const roomEur = winningCost(others, winner.commissionEur, ranking.weight) - winner.costEur;
  const { demand } = question;
  return marginOf(entryOf(winner), pricingOf(winner, question), { demand, roomEur: Math.max(0, roomEur) });
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
  refuseIfAny(found ? [] : [{ path: 'reasons.why.againstId', message: 'is not ranked' }]);
  return found;
}

function entryOf({ source, row }: PricedOffer): OfferWithHistory {
  return source.entryAt(row);
}

function pricingOf(offer: PricedOffer, { demand, month }: PriceQuestion): Priced {
  const pricing = offer.details?.pricing ?? priceOffer(entryOf(offer), demand, month);
  assert(pricing.priced, 'an offer that has a cost has it again');
  return pricing;
}

function linedCost(offer: PricedOffer, question: Question): LinedCost {
  const lines = costLinesOf(entryOf(offer), pricingOf(offer, question), question.demand);
  return { totalEur: offer.costEur, lines };
}
