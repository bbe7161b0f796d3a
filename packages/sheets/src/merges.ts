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
  const held: Buffer[] = [];
  let failure: unknown = null;
  try {
    for await (const piece of packed) held.push(Buffer.from(piece.buffer, piece.byteOffset, piece.length));
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
function rangesIn(held: readonly Buffer[]): readonly Range[] {
  const last = held.findLastIndex((piece) => piece.includes(END_OF_CELLS));
  const tail = Buffer.concat(held.slice(Math.max(0, last)));
  const text = tail.toString('latin1', Math.max(0, tail.lastIndexOf(END_OF_CELLS)));
  const ranges = [...text.matchAll(RANGE)].map(([, left = '', top, right = '', bottom]) => ({
    ...{ top: Number(top), bottom: Number(bottom) },
    ...{ left: columnNumber(left), right: columnNumber(right) },
  }));
  if (ranges.length > MAX_RANGES) throw new Fault('too_costly');
  return ranges.sort((a, b) => a.top - b.top);
}

/** The place of a column: 0 for A. */
export function columnNumber(letters: string): number {
  let column = 0;
  for (let at = 0; at < letters.length; at++) column = column * 26 + letters.charCodeAt(at) - 64;
  return column - 1;
}

interface Merge extends Range {
  /** Its first cell; `null`: it is empty. */
  first: PlacedCell | null;
}

/**
 * Passes cells on, and for the others of a merged range the value of its first one, whatever they hide.
 *
 * @param put - Gets the cells of a row in ascending order.
 */
export function createMerging(ranges: readonly Range[], caps: FileCaps, put: (cell: PlacedCell) => void) {
  let next = 0;
  let [row, column] = [0, -1];
  /** The ranges of this row, by column. */
  let active: readonly Merge[] = [];
  const isIn = ({ left, right }: Range, at: number) => left <= at && at <= right;
  const isFirst = ({ top, left }: Range, at: number) => top === row && left === at;
  /** Gives the merged cells up to a column, which is left out. */
  const fill = (end: number) => {
    for (const merge of active) {
      const { first, left, right } = merge;
      for (let at = Math.max(left, column + 1); first && at <= right && at < end; at++) {
        if (!isFirst(merge, at)) put({ ...first, row, column: at, isMerged: true });
      }
    }
    column = end;
  };
  const begun = (): Merge[] => {
    const found: Merge[] = [];
    for (let range = ranges[next]; range && range.top <= row; range = ranges[++next]) {
      // One that leads out of any table is no part of it.
      if (range.bottom >= row && range.right < caps.columns) found.push({ ...range, first: null });
    }
    return found;
  };
  return {
    /** Begins a row. */
    open(number: number) {
      if (active.length > 0) fill(caps.columns);
      [row, column] = [number, -1];
      active = [...active.filter(({ bottom }) => bottom >= row), ...begun()].sort((a, b) => a.left - b.left);
      if (active.some(({ left }, at) => at > 0 && left <= (active[at - 1]?.right ?? 0))) throw new Fault('damaged');
    },
    put(cell: PlacedCell) {
      if (active.length === 0) return put(cell);
      fill(cell.column);
      const merge = active.find((range) => isIn(range, cell.column));
      if (merge && isFirst(merge, cell.column)) merge.first = cell;
      else if (merge?.first) return put({ ...merge.first, row, column: cell.column, isMerged: true });
      put(cell);
    },
    /** After the last row. */
    close() {
      if (active.length > 0) fill(caps.columns);
    },
  };
}
