import { type CommissionLine, consumptionLine, powerLine } from '../commission/commission.ts';
import { type AnyTier, tierBounds } from '../commission/tier.ts';
import type { Offer } from '../offers/offer.ts';

/** Pairs that a block keeps per kind; each takes 16 bytes an offer. */
const KEPT_LINES = 16;

/** Commission lines of a block's offers at one quantity, as pairs: EUR per year, and EUR per unit of the quantity. */
type Lines = Float64Array;

/** Answers with the commission lines that hold at a consumption and at a power. */
export interface CommissionColumns {
  /** @param annualMwh - Finite and >= 0. */
  readonly atConsumption: (annualMwh: number) => Lines;
  /** @param powerKw - Finite and >= 0, or `null` when no power is contracted. */
  readonly atPower: (powerKw: number | null) => Lines;
  /** Whether both are kept already, so that asking for them takes no time. */
  readonly areKept: (annualMwh: number, powerKw: number | null) => boolean;
  /** All tier bounds of each kind, ascending: between two of them, and at each, the lines stay the same. */
  readonly bounds: { readonly consumption: Float64Array; readonly power: Float64Array };
}

/**
 * Commission tiers as columns. All tier bounds of the offers cut the axis of consumption (or of power) into points
 * and open intervals, and within one of them no offer changes its tier. So one pair of columns, made by the plain
 * tier rules, serves every customer in the same interval, and a ranking looks up no tier at all.
 */
export function commissionColumns(offers: readonly Offer[]): CommissionColumns {
  const consumption = linesByInterval(offers, {
    tiersOf: (offer) => offer.consumptionTiers,
    lineOf: (offer, annualMwh) => consumptionLine(offer, annualMwh ?? 0),
  });
  const power = linesByInterval(offers, {
    tiersOf: (offer) => (offer.supplyType === 'LUZ' ? offer.powerTiers : []),
    lineOf: powerLine,
  });
  return {
    atConsumption: consumption.at,
    atPower: power.at,
    areKept: (annualMwh, powerKw) => consumption.isKept(annualMwh) && power.isKept(powerKw),
    bounds: { consumption: consumption.bounds, power: power.bounds },
  };
}

interface LineRules {
  readonly tiersOf: (offer: Offer) => readonly AnyTier[];
  readonly lineOf: (offer: Offer, quantity: number | null) => CommissionLine;
}

/** Lines at a quantity, and whether they are kept. */
interface LinesByInterval {
  readonly bounds: Float64Array;
  readonly at: (quantity: number | null) => Lines;
  readonly isKept: (quantity: number | null) => boolean;
}

function linesByInterval(offers: readonly Offer[], { tiersOf, lineOf }: LineRules): LinesByInterval {
  const bounds = Float64Array.from(new Set(offers.flatMap((offer) => tierBounds(tiersOf(offer))))).sort();
  const kept = new Map<number, Lines>();
  const at = (quantity: number | null) => {
    const interval = intervalOf(bounds, quantity);
    const known = kept.get(interval);
    if (known) return known;
    const lines = new Float64Array(2 * offers.length);
    offers.forEach((offer, row) => {
      const line = lineOf(offer, quantity);
      lines[2 * row] = line.fixedEur;
      lines[2 * row + 1] = line.eurPerUnit;
    });
    const oldest = kept.keys().next();
    if (kept.size >= KEPT_LINES && !oldest.done) kept.delete(oldest.value);
    kept.set(interval, lines);
    return lines;
  };
  return { bounds, at, isKept: (quantity) => kept.has(intervalOf(bounds, quantity)) };
}

/** The number of an interval: even between two bounds, odd exactly at one; that of `null` is -1. */
export function intervalOf(bounds: Float64Array, quantity: number | null): number {
  if (quantity === null) return -1;
  let low = 0;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((bounds[middle] ?? 0) < quantity) low = middle + 1;
    else high = middle;
  }
  return bounds[low] === quantity ? 2 * low + 1 : 2 * low;
}
