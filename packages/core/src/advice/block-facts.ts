import type { Month } from '../calendar.ts';
import { monthNamesAt, pickFields } from '../offers/offer-columns.ts';
import { meanWindow } from '../ranking/applied-price.ts';
import { priceOffer } from '../ranking/cost.ts';
import type { Demand } from '../ranking/customer.ts';
import { flagsOf, SOLAR } from '../ranking/masks.ts';
import type { PricedOffer } from '../ranking/order.ts';
import type { RankedBlock } from '../ranking/universe.ts';
import { collectFacts, type MarketFacts, mergeFacts, type OfferFacts, type RankedFacts } from './market-facts.ts';

/** The part of a question that facts depend on. */
interface Question {
  readonly month: Month | null;
  /** The bits of the prices without which an offer is not ranked. */
  readonly needed: number;
}

// Marked as pure, so that a bundle of `rankOffers` alone does not have the columns.
const TERMS = /* @__PURE__ */ pickFields(['isIndexed', 'feePowerEurPerMwh', 'surplusEurPerKwh']);

function* rankedRows({ mask }: RankedBlock, needed: number): Generator<number> {
  for (let row = 0; row < mask.length; row++) {
    const bits = mask[row] ?? 0;
    if (bits !== 0 && (bits & needed) === needed) yield row;
  }
}

function* rankedIn(ranked: RankedBlock, { month, needed }: Question): Generator<OfferFacts> {
  const { columns, ids, flags, tariffSlots, tariffTypes } = ranked.block;
  for (const row of rankedRows(ranked, needed)) {
    const terms = TERMS(columns, row);
    const { feePowerEurPerMwh, surplusEurPerKwh } = terms.supplyType === 'LUZ' ? terms : NO_TERMS;
    yield {
      id: ids[row] ?? 0,
      tariffType: tariffTypes[tariffSlots[row] ?? 0] ?? '',
      flags: flags[row] ?? 0,
      feePowerEurPerMwh,
      surplusEurPerKwh,
      window: terms.isIndexed && month === null ? meanWindow(monthNamesAt(columns, row)) : null,
    };
  }
}

const NO_TERMS = { feePowerEurPerMwh: null, surplusEurPerKwh: null };

/** Facts of all offers that are ranked in some blocks. Yields after each block whose facts were not known. */
export function* factsOfBlocks(blocks: readonly RankedBlock[], question: Question): Generator<undefined, MarketFacts> {
  const { needed } = question;
  let facts: MarketFacts | null = null;
  for (const ranked of blocks) {
    const isKnown = ranked.facts.has(needed);
    const own: MarketFacts = ranked.facts.at(needed, () => collectFacts(rankedIn(ranked, question)));
    if (!isKnown) yield;
    facts = facts ? mergeFacts(facts, own) : own;
  }
  return facts ?? NO_FACTS;
}

const NO_FACTS = collectFacts([]);

/** What warnings ask of ranked offers that are all priced. */
export function rankedAmong(priced: readonly PricedOffer[]): RankedFacts {
  return { facts: () => collectFacts(priced.map(factsOf)), creditsSurplus: () => priced.some(isCredited) };
}

function factsOf({ offer, pricing: { origin } }: PricedOffer): OfferFacts {
  const { feePowerEurPerMwh, surplusEurPerKwh } = offer.supplyType === 'LUZ' ? offer : NO_TERMS;
  const window = origin?.mode === 'media' ? origin : null;
  return {
    id: offer.id,
    tariffType: offer.tariffType,
    flags: flagsOf(offer),
    feePowerEurPerMwh,
    surplusEurPerKwh,
    window,
  };
}

function isCredited({ pricing }: Pick<PricedOffer, 'pricing'>): boolean {
  return pricing.cost.surplusEur < 0;
}

/** What warnings ask of all offers that are ranked in some blocks. @param priced - Some of them. */
export function* rankedInBlocks(
  blocks: readonly RankedBlock[],
  priced: readonly Pick<PricedOffer, 'pricing'>[],
  question: Question & { readonly demand: Demand },
): Generator<undefined, RankedFacts> {
  const facts = yield* factsOfBlocks(blocks, question);
  const creditsSurplus = () => facts.paysForSurplus && (priced.some(isCredited) || someIsCredited(blocks, question));
  return { facts: () => facts, creditsSurplus };
}

/** Prices one offer with panels after the other until one is credited. That is mostly the first. */
function someIsCredited(
  blocks: readonly RankedBlock[],
  { month, needed, demand }: Question & { readonly demand: Demand },
): boolean {
  return blocks.some((ranked) => {
    for (const row of rankedRows(ranked, needed | SOLAR)) {
      const pricing = priceOffer(ranked.block.entryAt(row), demand, month);
      if (pricing.priced && isCredited({ pricing })) return true;
    }
    return false;
  });
}
