import type { FileCaps } from '@tarifario/core/service';
import { Fault } from './fault.ts';
import type { PlacedCell } from './frames.ts';

/** A merged range; rows from 1, columns from 0, both ends included. */
interface Range {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** The bytes of a sheet, and the ranges that are merged in it, which stand behind its cells. */
export interface HeldSheet {
  readonly pieces: AsyncIterable<Uint8Array>;
  readonly ranges: readonly Range[];
}

/** How much is read at once: a slow reader of the cells is waited for between two pieces. */
const PIECE_BYTES = 32 * 1024;

/** Unpacks a sheet whole. Where that fails the pieces end as they would have. */
export async function holdSheet(packed: AsyncIterable<Uint8Array>): Promise<HeldSheet> {
  const held: Uint8Array[] = [];
  let failure: unknown = null;
  try {
    for await (const piece of packed) held.push(piece);
  } catch (thrown) {
    failure = thrown;
  }
  async function* pieces() {
    for (const piece of held) {
      for (let at = 0; at < piece.length; at += PIECE_BYTES) yield piece.subarray(at, at + PIECE_BYTES);
    }
    if (failure !== null) throw failure;
  }
  return { pieces: pieces(), ranges: rangesIn(held) };
}

const END_OF_CELLS = 'sheetData';
const RANGE = /mergeCell\s+ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"/g;
/** More than people merge; a row of a sheet has far fewer columns. */
const MAX_RANGES = 100_000;

/** Found behind the cells, from the end of the bytes on, because the parser would find them too late. */
function rangesIn(held: readonly Uint8Array[]): readonly Range[] {
  const letters = new TextDecoder('latin1');
  const last = held.findLastIndex((piece) => letters.decode(piece).includes(END_OF_CELLS));
  const tail = held
    .slice(Math.max(0, last))
    .map((piece) => letters.decode(piece))
    .join('');
  const text = tail.slice(Math.max(0, tail.lastIndexOf(END_OF_CELLS)));
  const ranges = [...text.matchAll(RANGE)].map(([, left = '', top, right = '', bottom]) => ({
    ...{ top: Number(top), bottom: Number(bottom) },
    ...{ left: columnNumber(left), right: columnNumber(right) },
  }));
  if (ranges.length > MAX_RANGES) throw new Fault('too_costly');
  return ranges.sort((a, b) => a.top - b.top);
}

/** The place of a column: 0 for A. */
function columnNumber(letters: string): number {
  let column = 0;
  for (let at = 0; at < letters.length; at++) column = column * 26 + letters.charCodeAt(at) - 64;
  return column - 1;
}

interface Merge extends Range {
  /** Its first cell; `null`: it is empty. */
  first: PlacedCell | null;
}

/**
 * Passes the cells of each row on, and for the others of a merged range the value of its first one, whatever they hide.
 *
 * @param put - Gets the cells of a row in ascending order.
 */
export function createMerging(ranges: readonly Range[], caps: FileCaps, put: (cell: PlacedCell) => void) {
  let next = 0;
  let row = 0;
  /** Those of this row, by column. */
  let cells: PlacedCell[] = [];
  /** The ranges of this row, by column. */
  let active: readonly Merge[] = [];
  const begun = (): Merge[] => {
    const found: Merge[] = [];
    for (let range = ranges[next]; range && range.top <= row; range = ranges[++next]) {
      // One that leads out of any table is no part of it.
      if (range.bottom >= row && range.right < caps.columns) found.push({ ...range, first: null });
    }
    return found;
  };
  const close = () => {
    for (const merge of active) {
      if (merge.top === row) merge.first = cells[merge.left] ?? null;
      const { first, left, right } = merge;
      for (let column = left; first && column <= right; column++) {
        if (first !== cells[column]) cells[column] = { ...first, row, column, isMerged: true };
      }
    }
    for (const cell of Object.values(cells)) put(cell);
    cells = [];
  };
  return {
    /** Begins a row. */
    open(number: number) {
      close();
      row = number;
      active = [...active.filter(({ bottom }) => bottom >= row), ...begun()].sort((a, b) => a.left - b.left);
      if (active.some(({ left }, at) => at > 0 && left <= (active[at - 1]?.right ?? 0))) throw new Fault('damaged');
    },
    put(cell: PlacedCell) {
      cells[cell.column] = cell;
    },
    /** Ends the last row. */
    close,
  };
}
