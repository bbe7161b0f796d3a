import type { OfferWithHistory } from '../offers/offer.ts';
import { gatedBlocks, type UniversePart } from './candidates.ts';
import { type CommissionColumns, intervalOf } from './commission-columns.ts';
import type { Demand } from './customer.ts';
import { type KernelBlock, type PriceRows, TERMS_PER_ROW } from './kernel.ts';
import { ACTIVE_BIT } from './masks.ts';
import type { RankingRequest } from './ranking.ts';
import { BLOCK_ROWS, type Block } from './universe.ts';

/** Commission lines of all rows at one consumption and one power; `null` where commissions are not asked for. */
export type SelectedLines = Pick<KernelBlock, 'consumption' | 'power'>;

/** Offers that pass one filter, those without a price too, side by side: no customer looks at the others again. */
export interface Selection {
  readonly entries: readonly OfferWithHistory[];
  readonly rows: PriceRows;
  readonly linesFor: (demand: Demand) => SelectedLines;
  /** The same as blocks for a kernel; the same numbers are the same objects every time. */
  readonly blocksWith: (lines: SelectedLines) => readonly KernelBlock[];
  /** Bytes of numbers that were made for it so far: they grow with the customers that are ranked. */
  readonly heldBytes: () => number;
}

/** Pairs of commission lines that are kept of each kind: customers of all sizes take turns. */
const KEPT_LINES = 256;

/** The offers that take part in a request. */
export function selectionOf(
  parts: readonly UniversePart[],
  request: Pick<RankingRequest, 'month' | 'filter'>,
): Selection {
  const gated = parts.flatMap((part) => gatedBlocks(part, request));
  const most = gated.reduce((sum, { block }) => sum + block.entries.length, 0);
  const entries: OfferWithHistory[] = [];
  const bitsOf = new Int32Array(most);
  const termsOf = new Float64Array(most * TERMS_PER_ROW);
  const chosen = gated.map(({ block, gated: columns }): Chosen => {
    const rows: number[] = [];
    for (const [row, entry] of block.entries.entries()) {
      const bits = columns.mask[row] ?? 0;
      if ((bits & columns.care) !== columns.want) continue;
      const to = entries.length * TERMS_PER_ROW;
      const from = row * TERMS_PER_ROW;
      for (let term = 0; term < TERMS_PER_ROW; term++) termsOf[to + term] = columns.terms[from + term] ?? 0;
      bitsOf[entries.length] = bits;
      entries.push(entry);
      rows.push(row);
    }
    return { block, rows };
  });
  const mask = bitsOf.slice(0, entries.length);
  const terms = termsOf.slice(0, entries.length * TERMS_PER_ROW);
  let heldBytes = terms.byteLength + mask.byteLength;
  const linesBy = (kind: Kind) => {
    const bounds = Float64Array.from(new Set(gated.flatMap(({ block }) => [...block.commissions.bounds[kind]]))).sort();
    const kept = new Map<number, Float64Array>();
    return (quantity: number | null): Float64Array => {
      const interval = intervalOf(bounds, quantity);
      const known = kept.get(interval);
      if (known) return known;
      const lines = gatheredLines(chosen, { count: entries.length, kind, quantity });
      const oldest = kept.keys().next();
      if (kept.size >= KEPT_LINES && !oldest.done) kept.delete(oldest.value);
      kept.set(interval, lines);
      heldBytes += lines.byteLength;
      return lines;
    };
  };
  const [atConsumption, atPower] = [linesBy('consumption'), linesBy('power')];
  return {
    entries,
    rows: { terms, mask },
    linesFor: ({ annualMwh, highestPowerKw }) => ({
      consumption: atConsumption(annualMwh),
      power: atPower(highestPowerKw),
    }),
    blocksWith: blocksOver({ terms, mask }),
    heldBytes: () => heldBytes,
  };
}

type Kind = keyof CommissionColumns['bounds'];

/** Rows of a block that were chosen. */
interface Chosen {
  readonly block: Block;
  readonly rows: readonly number[];
}

/** The commission lines of chosen rows at a quantity, side by side. */
function gatheredLines(
  chosen: readonly Chosen[],
  { count, kind, quantity }: { readonly count: number; readonly kind: Kind; readonly quantity: number | null },
): Float64Array {
  const lines = new Float64Array(2 * count);
  let to = 0;
  for (const { block, rows } of chosen) {
    const { atConsumption, atPower } = block.commissions;
    const from = kind === 'power' ? atPower(quantity) : atConsumption(quantity ?? 0);
    for (const row of rows) {
      lines[to++] = from[2 * row] ?? 0;
      lines[to++] = from[2 * row + 1] ?? 0;
    }
  }
  return lines;
}

/** Cuts the numbers of a selection into blocks. */
function blocksOver({ terms, mask }: PriceRows): Selection['blocksWith'] {
  const starts = Array.from({ length: Math.ceil(mask.length / BLOCK_ROWS) }, (_, index) => index * BLOCK_ROWS);
  const rows = starts.map((start) => ({
    terms: terms.subarray(start * TERMS_PER_ROW, (start + BLOCK_ROWS) * TERMS_PER_ROW),
    mask: mask.subarray(start, start + BLOCK_ROWS),
    care: ACTIVE_BIT,
    want: ACTIVE_BIT,
  }));
  const pieces = new WeakMap<Float64Array, readonly Float64Array[]>();
  const piecesOf = (lines: Float64Array | null): readonly Float64Array[] => {
    if (lines === null) return [];
    const known = pieces.get(lines);
    if (known) return known;
    const cut = starts.map((start) => lines.subarray(2 * start, 2 * (start + BLOCK_ROWS)));
    pieces.set(lines, cut);
    return cut;
  };
  return ({ consumption, power }) => {
    const [atConsumption, atPower] = [piecesOf(consumption), piecesOf(power)];
    return rows.map((block, index) => ({
      ...block,
      consumption: atConsumption[index] ?? null,
      power: atPower[index] ?? null,
    }));
  };
}
