import type { Month } from '../calendar.ts';
import { type PriceQuestion, type Pricing, priceOffer } from '../cost/cost.ts';
import type { OfferWithHistory } from '../offers/offer.ts';
import { monthsAt, type PartialOffer, pickFields } from '../offers/offer-columns.ts';
import { isPenaltyTooHigh } from '../offers/penalty.ts';
import { isBelowLeast, type LeastPowerPrices } from '../power/least-prices.ts';
import { type MatchingRows, rankedRows } from './candidates.ts';
import { collectFacts, historyWindow, type MarketFacts, type OfferFacts } from './market-facts.ts';
import { flagsOf, SOLAR } from './masks.ts';
import type { PricedOffer } from './order.ts';
import type { MaskedBlock } from './preselection-memory.ts';

/** The part of a question that facts depend on. */
interface Question {
  readonly month: Month | null;
  /** The bits of the prices without which an offer is not ranked. */
  readonly needed: number;
  /** With which prices of power are compared; `undefined`: no day is named. */
  readonly leastPowerPrices?: LeastPowerPrices | undefined;
}

// Marked as pure, so that a bundle of `rankOffers` alone does not have the columns.
const TERMS = /* @__PURE__ */ pickFields([
  'isIndexed',
  'feePowerEurPerMwh',
  'surplusEurPerKwh',
  'tariffType',
  'accepts',
  'penaltyPercent',
  'discountMonths',
]);
const POWER_TERMS = /* @__PURE__ */ pickFields(['tariffType', 'powerEurPerKwDay']);

/** The facts of the rows of a block that are ranked. */
export function factsOfBlock(
  masked: MaskedBlock,
  { month, needed, leastPowerPrices, unknownTerms }: Question & Pick<MatchingRows, 'unknownTerms'>,
): MarketFacts {
  const { columns, ids, flags, tariffSlots, tariffTypes } = masked.block;
  const unknownIds = unknownTerms.map((row) => ids[row] ?? 0);
  return collectFacts(rankedRows(masked, needed), unknownIds, (row) => {
    const terms = TERMS(columns, row);
    const { feePowerEurPerMwh, surplusEurPerKwh } = terms.supplyType === 'LUZ' ? terms : NO_TERMS;
    return {
      id: ids[row] ?? 0,
      tariffType: tariffTypes[tariffSlots[row] ?? 0] ?? '',
      flags: flags[row] ?? 0,
      isIndexed: terms.isIndexed,
      feePowerEurPerMwh,
      surplusEurPerKwh,
      isBelowLeastPower: leastPowerPrices !== undefined && isBelow(POWER_TERMS(columns, row), leastPowerPrices),
      isPenaltyTooHigh: isPenaltyTooHigh(terms),
      isDiscounted: terms.discountMonths !== null,
      window: terms.isIndexed && month === null ? historyWindow(monthsAt(columns, row), needed) : null,
    };
  });
}

type PowerTerms = PartialOffer<'tariffType' | 'powerEurPerKwDay'>;

function isBelow(terms: PowerTerms, least: LeastPowerPrices): boolean {
  return terms.supplyType === 'LUZ' && isBelowLeast(terms, least);
}

const NO_TERMS = { feePowerEurPerMwh: null, surplusEurPerKwh: null };

/** The facts of ranked offers that are all priced. */
export function factsOfPriced(
  priced: readonly PricedOffer[],
  unknownIds: readonly number[],
  question: Question,
): MarketFacts {
  return collectFacts(priced, unknownIds, ({ source, row }) => factsOf(source.entryAt(row), question));
}

function factsOf({ offer, months }: OfferWithHistory, { month, needed, leastPowerPrices }: Question): OfferFacts {
  const { feePowerEurPerMwh, surplusEurPerKwh } = offer.supplyType === 'LUZ' ? offer : NO_TERMS;
  return {
    id: offer.id,
    tariffType: offer.tariffType,
    flags: flagsOf(offer),
    isIndexed: offer.isIndexed,
    feePowerEurPerMwh,
    surplusEurPerKwh,
    isBelowLeastPower: leastPowerPrices !== undefined && isBelow(offer, leastPowerPrices),
    isPenaltyTooHigh: isPenaltyTooHigh(offer),
    isDiscounted: offer.discountMonths !== null,
    window: offer.isIndexed && month === null ? historyWindow(months, needed) : null,
  };
}

/** Whether some of the priced offers pays the customer for surplus. */
export function creditsSurplus(priced: readonly PricedOffer[], question: CreditQuestion): boolean {
  return priced.some(({ details, source, row }) =>
    isCredited(details?.pricing ?? pricingOf(source.entryAt(row), question)),
  );
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
 * Whether some of the ranked offers of a view pays the customer for surplus.
 *
 * @param priced - Those of them that are priced already.
 */
export function creditsSurplusIn(
  { blocks, facts }: { readonly blocks: readonly MaskedBlock[]; readonly facts: MarketFacts },
  priced: readonly PricedOffer[],
  question: Question & CreditQuestion,
): boolean {
  if (!facts.paysForSurplus) return false;
  const isAmong = priced.some(({ details }) => details !== null && isCredited(details.pricing));
  return isAmong || someIsCredited(blocks, question);
}

/** Prices offers that pay for surplus, one after the other, until one is credited. That is mostly the first. */
function someIsCredited(blocks: readonly MaskedBlock[], question: Question & CreditQuestion): boolean {
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
