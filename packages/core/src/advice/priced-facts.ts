import { flagsOf } from '../ranking/masks.ts';
import type { PricedOffer } from '../ranking/order.ts';
import { collectFacts, type OfferFacts, type RankedFacts } from './market-facts.ts';

/** What warnings ask of ranked offers that are all priced. */
export function rankedAmong(priced: readonly PricedOffer[]): RankedFacts {
  return {
    facts: () => collectFacts(priced.map(factsOf)),
    creditsSurplus: () => priced.some(({ pricing }) => pricing.cost.surplusEur < 0),
  };
}

function factsOf({ offer, pricing: { origin } }: PricedOffer): OfferFacts {
  return {
    id: offer.id,
    tariffType: offer.tariffType,
    flags: flagsOf(offer),
    feePowerEurPerMwh: offer.supplyType === 'LUZ' ? offer.feePowerEurPerMwh : null,
    window: origin?.mode === 'media' ? origin : null,
  };
}
