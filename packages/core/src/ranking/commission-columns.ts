import { type CommissionLine, type CommissionTerms, consumptionLine, powerLine } from '../commission/commission.ts';
import { tierBounds } from '../commission/tier.ts';

/** Commission lines of a block's offers at one quantity, as pairs: EUR per year, and EUR per unit of the quantity. */
type Lines = Float64Array;

/** Answers with the commission lines that hold at a consumption and at a power. */
export interface CommissionColumns {
  /** @param annualMwh - Finite and >= 0. */
  readonly atConsumption: (annualMwh: number) => Lines;
  /** @param powerKw - Finite and >= 0, or `null` when no power is contracted. */
  readonly atPower: (powerKw: number | null) => Lines;
  /** All tier bounds of each kind, ascending: between two of them, and at each, the lines stay the same. */
  readonly bounds: { readonly consumption: Float64Array; readonly power: Float64Array };
}

/**
 * Commission tiers as columns. All tier bounds of the offers cut the axis of consumption (or of power) into points
 * and open intervals, and within one of them no offer changes its tier. So one pair of columns, made by the plain
 * tier rules, serves every customer in the same interval, and a ranking looks up no tier at all.
 */
export function commissionColumns(offers: CommissionRows): CommissionColumns {
  const found = { consumption: new Set<number>(), power: new Set<number>() };
  for (let row = 0; row < offers.rowCount; row++) {
    const terms = offers.termsAt(row);
    for (const bound of tierBounds(terms.consumptionTiers)) found.consumption.add(bound);
    if (terms.supplyType === 'LUZ') for (const bound of tierBounds(terms.powerTiers)) found.power.add(bound);
  }
  const ascending = (bounds: Set<number>) => Float64Array.from(bounds).sort();
  return {
    atConsumption: (annualMwh) => linesOf(offers, (terms) => consumptionLine(terms, annualMwh)),
    atPower: (powerKw) => linesOf(offers, (terms) => powerLine(terms, powerKw)),
    bounds: { consumption: ascending(found.consumption), power: ascending(found.power) },
  };
}

/** What decides the commissions of some offers. */
interface CommissionRows {
  readonly rowCount: number;
  readonly termsAt: (row: number) => CommissionTerms;
}

/** Made anew at each call: the row filter copies them once. */
function linesOf({ rowCount, termsAt }: CommissionRows, lineOf: (terms: CommissionTerms) => CommissionLine): Lines {
  const lines = new Float64Array(2 * rowCount);
  for (let row = 0; row < rowCount; row++) {
    const line = lineOf(termsAt(row));
    lines[2 * row] = line.fixedEur;
    lines[2 * row + 1] = line.eurPerUnit;
  }
  return lines;
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
