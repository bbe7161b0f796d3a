import type { OfferWithHistory } from '../offers/offer.ts';
import { gatedBlocks, linesOf, type UniversePart } from './candidates.ts';
import { commissionColumns } from './commission-columns.ts';
import type { Demand } from './customer.ts';
import { type KernelBlock, type PriceRows, TERMS_PER_ROW } from './kernel.ts';
import { ACTIVE_BIT } from './masks.ts';
import type { RankingRequest } from './ranking.ts';
import { BLOCK_ROWS } from './universe.ts';

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
  const chosen = gated.flatMap(({ block, gated: { terms, mask, care, want } }) =>
    block.entries.flatMap((entry, row) => {
      const bits = mask[row] ?? 0;
      return (bits & care) === want ? [{ entry, terms, bits, row }] : [];
    }),
  );
  const terms = new Float64Array(chosen.length * TERMS_PER_ROW);
  chosen.forEach(({ terms: from, row }, place) => {
    terms.set(from.subarray(row * TERMS_PER_ROW, (row + 1) * TERMS_PER_ROW), place * TERMS_PER_ROW);
  });
  const mask = Int32Array.from(chosen, ({ bits }) => bits);
  const entries = chosen.map(({ entry }) => entry);
  const commissions = commissionColumns(
    entries.map(({ offer }) => offer),
    KEPT_LINES,
  );
  let heldBytes = terms.byteLength + mask.byteLength;
  const counted = new WeakSet<Float64Array>();
  const linesFor = (demand: Demand): SelectedLines => {
    const lines = linesOf(commissions, demand);
    for (const column of [lines.consumption, lines.power]) {
      if (column === null || counted.has(column)) continue;
      counted.add(column);
      heldBytes += column.byteLength;
    }
    return lines;
  };
  return {
    entries,
    rows: { terms, mask },
    linesFor,
    blocksWith: blocksOver({ terms, mask }),
    heldBytes: () => heldBytes,
  };
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
