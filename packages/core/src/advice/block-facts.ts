import type { Month } from '../calendar.ts';
import { monthNamesAt, pickFields } from '../offers/offer-columns.ts';
import { meanWindow } from '../ranking/applied-price.ts';
import type { RankedBlock } from '../ranking/candidates.ts';
import { priceOffer } from '../ranking/cost.ts';
import type { Demand } from '../ranking/customer.ts';
import { SOLAR } from '../ranking/masks.ts';
import { collectFacts, type MarketFacts, mergeFacts, type OfferFacts, type RankedFacts } from './market-facts.ts';

/** What is asked of the offers of a block. */
interface Question {
  readonly month: Month | null;
  /** The bits of the prices without which an offer is not ranked. */
  readonly needed: number;
}

const TERMS = pickFields(['isIndexed', 'feePowerEurPerMwh']);
const SURPLUS = pickFields(['surplusEurPerKwh']);

function* rankedIn({ block, mask, care, want }: RankedBlock, { month, needed }: Question): Generator<OfferFacts> {
  const { columns, ids, flags, tariffSlots, tariffTypes } = block;
  for (let row = 0; row < mask.length; row++) {
    const bits = mask[row] ?? 0;
    if ((bits & care) !== want || (bits & needed) !== needed) continue;
    const terms = TERMS(columns, row);
    yield {
      id: ids[row] ?? 0,
      tariffType: tariffTypes[tariffSlots[row] ?? 0] ?? '',
      flags: flags[row] ?? 0,
      feePowerEurPerMwh: terms.supplyType === 'LUZ' ? terms.feePowerEurPerMwh : null,
      window: terms.isIndexed && month === null ? meanWindow(monthNamesAt(columns, row)) : null,
    };
  }
}

/** A list of blocks and what was asked of them, with the answer. */
interface Known {
  readonly blocks: readonly Pick<RankedBlock, 'mask' | 'care' | 'want'>[];
  readonly needed: number;
  readonly facts: MarketFacts;
}

/** Answers that are kept by the mask of their first block, which is never changed and belongs to one month. */
const KNOWN = new WeakMap<Int32Array, Known[]>();
/** Questions of one mask that are kept: filters, and which periods are used. */
const KEPT = 8;

/** Facts of all offers that are ranked in some blocks: worked out once for blocks that stay as they are. */
export function factsOfBlocks(blocks: readonly RankedBlock[], question: Question): MarketFacts {
  const [first] = blocks;
  if (!first) return NO_FACTS;
  const stored = knownFacts(blocks, question);
  if (stored) return stored;
  const facts =
    blocks.length === 1
      ? collectFacts(rankedIn(first, question))
      : mergeFacts(blocks.map((block) => factsOfBlocks([block], question)));
  const known = KNOWN.get(first.mask) ?? [];
  if (known.length === 0) KNOWN.set(first.mask, known);
  if (known.length === KEPT) known.shift();
  known.push({ blocks: blocks.map(({ mask, care, want }) => ({ mask, care, want })), needed: question.needed, facts });
  return facts;
}

/** Works out the facts block by block, and yields after each block whose facts were not known. */
export function* prepareFacts(blocks: readonly RankedBlock[], question: Question): Generator<undefined, void> {
  if (knownFacts(blocks, question)) return;
  for (const block of blocks) {
    if (knownFacts([block], question)) continue;
    factsOfBlocks([block], question);
    yield;
  }
}

function knownFacts(blocks: readonly RankedBlock[], { needed }: Question): MarketFacts | null {
  const known = blocks[0] && KNOWN.get(blocks[0].mask);
  return known?.find((entry) => entry.needed === needed && isSame(entry.blocks, blocks))?.facts ?? null;
}

const NO_FACTS = collectFacts([]);

function isSame(known: Known['blocks'], blocks: readonly RankedBlock[]): boolean {
  if (known.length !== blocks.length) return false;
  return blocks.every(({ mask, care, want }, index) => {
    const other = known[index];
    return other?.mask === mask && other.care === care && other.want === want;
  });
}

/** What warnings ask of all offers that are ranked in some blocks. */
export function rankedInBlocks(
  blocks: readonly RankedBlock[],
  question: Question & { readonly demand: Demand },
): RankedFacts {
  return { facts: () => factsOfBlocks(blocks, question), creditsSurplus: () => creditsSurplus(blocks, question) };
}

function creditsSurplus(
  blocks: readonly RankedBlock[],
  { month, needed, demand }: Question & { readonly demand: Demand },
): boolean {
  if (demand.customer.supplyType === 'GAS' || demand.customer.exportedKwh === 0) return false;
  for (const { block, mask, care, want } of blocks) {
    for (let row = 0; row < mask.length; row++) {
      const bits = mask[row] ?? 0;
      if ((bits & care) !== want || (bits & needed) !== needed || (bits & SOLAR) === 0) continue;
      // Most pay nothing, and pricing them all would take long.
      const terms = SURPLUS(block.columns, row);
      if (terms.supplyType !== 'LUZ' || !((terms.surplusEurPerKwh ?? 0) > 0)) continue;
      const pricing = priceOffer(block.entryAt(row), demand, month);
      if (pricing.priced && pricing.cost.surplusEur < 0) return true;
    }
  }
  return false;
}
