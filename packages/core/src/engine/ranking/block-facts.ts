import type { Month } from '../calendar.ts';
import type { OfferWithHistory } from '../offers/offer.ts';
import { monthsAt, pickFields } from '../offers/offer-columns.ts';
import { rankedRows } from './candidates.ts';
import { type PriceQuestion, type Pricing, priceOffer } from './cost.ts';
import {
  collectFacts,
  historyWindow,
  type MarketFacts,
  mergeFacts,
  type OfferFacts,
  type RankedFacts,
} from './market-facts.ts';
import { flagsOf, SOLAR } from './masks.ts';
import type { PricedOffer } from './order.ts';
import type { RankedBlock } from './universe.ts';

/** The part of a question that facts depend on. */
interface Question {
  readonly month: Month | null;
  /** The bits of the prices without which an offer is not ranked. */
  readonly needed: number;
}

// Marked as pure, so that a bundle of `rankOffers` alone does not have the columns.
const TERMS = /* @__PURE__ */ pickFields(['isIndexed', 'feePowerEurPerMwh', 'surplusEurPerKwh']);

function factsIn(ranked: RankedBlock, { month, needed }: Question): MarketFacts {
  const { columns, ids, flags, tariffSlots, tariffTypes } = ranked.block;
  return collectFacts(rankedRows(ranked, needed), (row) => {
    const terms = TERMS(columns, row);
    const { feePowerEurPerMwh, surplusEurPerKwh } = terms.supplyType === 'LUZ' ? terms : NO_TERMS;
    return {
      id: ids[row] ?? 0,
      tariffType: tariffTypes[tariffSlots[row] ?? 0] ?? '',
      flags: flags[row] ?? 0,
      feePowerEurPerMwh,
      surplusEurPerKwh,
      window: terms.isIndexed && month === null ? historyWindow(monthsAt(columns, row), needed) : null,
    };
  });
}

const NO_TERMS = { feePowerEurPerMwh: null, surplusEurPerKwh: null };

/** Facts of all offers that are ranked in some blocks. Yields after each block whose facts were not known. */
export function* factsOfBlocks(blocks: readonly RankedBlock[], question: Question): Generator<undefined, MarketFacts> {
  const { needed } = question;
  let facts: MarketFacts | null = null;
  for (const ranked of blocks) {
    let own = ranked.facts.get(needed);
    if (!own) {
      own = ranked.facts.at(needed, () => factsIn(ranked, question));
      yield;
    }
    facts = facts ? mergeFacts(facts, own) : own;
  }
  return facts ?? NO_FACTS;
}

const NO_FACTS = collectFacts<never>([], (none) => none);

/** The facts that warnings need, of ranked offers that are all priced. */
export function rankedAmong(priced: readonly PricedOffer[], question: Question & CreditQuestion): RankedFacts {
  return {
    facts: () => collectFacts(priced, ({ entryAt, row }) => factsOf(entryAt(row), question)),
    creditsSurplus: () =>
      priced.some(({ details, entryAt, row }) => isCredited(details?.pricing ?? pricingOf(entryAt(row), question))),
  };
}

function factsOf({ offer, months }: OfferWithHistory, { month, needed }: Question): OfferFacts {
  const { feePowerEurPerMwh, surplusEurPerKwh } = offer.supplyType === 'LUZ' ? offer : NO_TERMS;
  return {
    id: offer.id,
    tariffType: offer.tariffType,
    flags: flagsOf(offer),
    feePowerEurPerMwh,
    surplusEurPerKwh,
    window: offer.isIndexed && month === null ? historyWindow(months, needed) : null,
  };
}

/** The figures that decide whether surplus is credited. */
type CreditQuestion = Omit<PriceQuestion, 'seesCommissions'>;

function pricingOf(entry: OfferWithHistory, { demand, month }: CreditQuestion): Pricing {
  return priceOffer(entry, demand, month);
}

function isCredited(pricing: Pricing): boolean {
  return pricing.priced && pricing.cost.surplusEur < 0;
}

/**
 * The facts that warnings need, of all ranked offers in some blocks.
 *
 * @param priced - Those of them that are priced already.
 */
export function* rankedInBlocks(
  blocks: readonly RankedBlock[],
  priced: readonly PricedOffer[],
  question: Question & CreditQuestion,
): Generator<undefined, RankedFacts> {
  const facts = yield* factsOfBlocks(blocks, question);
  const isAmong = () => priced.some(({ details }) => details !== null && isCredited(details.pricing));
  return {
    facts: () => facts,
    creditsSurplus: () => facts.paysForSurplus && (isAmong() || someIsCredited(blocks, question)),
  };
}

/** Prices offers that pay for surplus, one after the other, until one is credited. That is mostly the first. */
function someIsCredited(blocks: readonly RankedBlock[], question: Question & CreditQuestion): boolean {
  return blocks.some((ranked) => {
    const { columns, entryAt } = ranked.block;
    for (const row of rankedRows(ranked, question.needed | SOLAR)) {
      const terms = TERMS(columns, row);
      const isPaid = terms.supplyType === 'LUZ' && (terms.surplusEurPerKwh ?? 0) > 0;
      if (isPaid && isCredited(pricingOf(entryAt(row), question))) return true;
    }
    return false;
  });
}
