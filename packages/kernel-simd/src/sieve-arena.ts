import { BLOCK_ROWS, type PriceRows, TERMS_PER_ROW } from '@tarifario/core';
import type { WasmMemory } from './module.ts';
import { type LinesSize, largestLines, largestTerms } from './sieve-bounds.ts';
import { CHUNK, ENDS_BYTES, LINES_BYTES, TERMS_BYTES, TOP_BYTES, WIDTH } from './sieve-layout.ts';
import { loadSieve, type SieveExports } from './sieve-module.ts';

/** Vectors of groups whose highest lines there is room for. */
export const MAX_VECTORS = 128;
const PAGE = 65_536;
/** Addresses that do not move; 0 is no address. */
const FIXED = { found: 64, block: 128, highest: 1024, staging: 1024 + MAX_VECTORS * 16 } as const;
const FIRST_FREE = FIXED.staging + BLOCK_ROWS * TERMS_PER_ROW * 8;
/** Room for this many offers from the start. */
const FEWEST_ROWS = 8 * BLOCK_ROWS;

/** Columns for the customers that are priced, by address; a customer's are `columnBytes` after those before. */
export interface SieveRoom {
  readonly rows: number;
  readonly columnBytes: number;
  readonly endsBytes: number;
  readonly lacking: number;
  readonly costs: number;
  readonly pays: number;
  readonly costEnds: number;
  readonly payEnds: number;
  readonly tops: number;
  readonly kept: number;
  readonly seats: number;
}

export interface SieveViews {
  readonly doubles: Float64Array;
  readonly floats: Float32Array;
  readonly integers: Int32Array;
}

export interface PlacedOffers {
  readonly terms: number;
  readonly mask: number;
  readonly largest: Float64Array;
}

export interface PlacedLines {
  readonly address: number;
  readonly size: LinesSize;
}

/** The memory of the sieve: numbers of offers in single precision, and columns for the customers of one call. */
export interface SieveArena {
  readonly exports: SieveExports;
  readonly memory: WasmMemory;
  readonly fixed: typeof FIXED;
  readonly room: () => SieveRoom;
  readonly views: () => SieveViews;
  /**
   * Brings offers and commission lines into the memory, where they stay until it is full; `null` when they do not fit.
   */
  readonly place: (
    offers: PriceRows,
    lines: readonly Float64Array[],
  ) => { readonly offers: PlacedOffers; readonly lines: readonly PlacedLines[] } | null;
}

/** Rounded up to whole chunks. */
export function inChunks(rows: number): number {
  return Math.ceil(rows / CHUNK) * CHUNK;
}

/**
 * @param maxBytes - For the numbers of offers.
 * @returns `null` where there is no SIMD.
 */
export function createSieveArena(maxBytes: number): SieveArena | null {
  const module = loadSieve(Math.ceil(FIRST_FREE / PAGE));
  if (!module) return null;
  const { memory, exports } = module;
  let views = viewsOf(memory);
  let room = roomFor(FEWEST_ROWS);
  let next = room.seats;
  let knownOffers = new WeakMap<Float64Array, PlacedOffers>();
  let knownLines = new WeakMap<Float64Array, PlacedLines>();
  const reach = (end: number) => {
    if (growTo(memory, end, room.seats + maxBytes)) views = viewsOf(memory);
  };
  const forget = () => {
    knownOffers = new WeakMap();
    knownLines = new WeakMap();
    next = room.seats;
    reach(next);
  };
  forget();

  const take = (bytes: number): number => {
    const address = next;
    if (address + bytes - room.seats > maxBytes) return 0;
    next += Math.ceil(bytes / 16) * 16;
    reach(next);
    return address;
  };
  const placeOffers = ({ terms, mask }: PriceRows): PlacedOffers | null => {
    const known = knownOffers.get(terms);
    if (known) return known;
    const rows = inChunks(mask.length);
    const [termsAt, maskAt] = [take(rows * TERMS_BYTES), take(rows * 4)];
    if (termsAt === 0 || maskAt === 0) return null;
    inParts(views, { numbers: terms, perRow: TERMS_PER_ROW }, (row, count) =>
      exports.narrowTerms(FIXED.staging, termsAt + row * TERMS_BYTES, count),
    );
    writeMask(views, mask, maskAt);
    const placed = { terms: termsAt, mask: maskAt, largest: largestTerms({ terms, mask }) };
    knownOffers.set(terms, placed);
    return placed;
  };
  const placeLines = (lines: Float64Array): PlacedLines | null => {
    const known = knownLines.get(lines);
    if (known) return known;
    const address = take(inChunks(lines.length / 2) * LINES_BYTES);
    if (address === 0) return null;
    inParts(views, { numbers: lines, perRow: 2 }, (row, count) =>
      exports.narrowLines(FIXED.staging, address + row * LINES_BYTES, count),
    );
    const placed = { address, size: largestLines(lines) };
    knownLines.set(lines, placed);
    return placed;
  };
  const placeAll: SieveArena['place'] = (offers, lines) => {
    const placed = placeOffers(offers);
    if (!placed) return null;
    const placedLines: PlacedLines[] = [];
    for (const column of lines) {
      const one = placeLines(column);
      if (!one) return null;
      placedLines.push(one);
    }
    return { offers: placed, lines: placedLines };
  };

  return {
    exports,
    memory,
    fixed: FIXED,
    room: () => room,
    views: () => views,
    place(offers, lines) {
      const rows = inChunks(offers.mask.length);
      if (rows > room.rows) {
        room = roomFor(rows);
        forget();
      }
      const placed = placeAll(offers, lines);
      if (placed) return placed;
      forget();
      return placeAll(offers, lines);
    },
  };
}

/** Makes a memory reach to an address, and says whether it had to grow. */
function growTo(memory: WasmMemory, end: number, most: number): boolean {
  const held = memory.buffer.byteLength;
  if (end <= held) return false;
  // Seldom: the engine takes every growth for a reason to collect garbage.
  const ahead = Math.min(1.5 * held, most);
  memory.grow(Math.ceil((Math.max(end, ahead) - held) / PAGE));
  return true;
}

/** The rows that fill up the last chunk lack every price. */
function writeMask({ integers }: SieveViews, mask: Int32Array, address: number): void {
  const first = address >> 2;
  integers.set(mask, first);
  integers.fill(0, first + mask.length, first + inChunks(mask.length));
}

interface Rows {
  readonly numbers: Float64Array;
  readonly perRow: number;
}

/** Hands rows over in parts that fit the staging ground. */
function inParts(
  { doubles }: SieveViews,
  { numbers, perRow }: Rows,
  narrow: (firstRow: number, rows: number) => void,
): void {
  const rows = numbers.length / perRow;
  for (let row = 0; row < rows; row += BLOCK_ROWS) {
    const count = Math.min(BLOCK_ROWS, rows - row);
    doubles.set(numbers.subarray(row * perRow, (row + count) * perRow), FIXED.staging >> 3);
    narrow(row, count);
  }
}

function viewsOf(memory: WasmMemory): SieveViews {
  const { buffer } = memory;
  return { doubles: new Float64Array(buffer), floats: new Float32Array(buffer), integers: new Int32Array(buffer) };
}

/** Room for the columns of that many offers, with some to spare. */
function roomFor(least: number): SieveRoom {
  const rows = 2 ** Math.ceil(Math.log2(Math.max(least, FEWEST_ROWS)));
  // A little apart, so that the customers' columns do not all fall into the same lines of the cache.
  const columnBytes = rows * 4 + 64;
  const endsBytes = (rows / CHUNK) * ENDS_BYTES;
  const lacking = FIRST_FREE;
  const costs = lacking + rows * 4;
  const pays = costs + WIDTH * columnBytes;
  const costEnds = pays + columnBytes;
  const payEnds = costEnds + endsBytes;
  const tops = payEnds + endsBytes;
  const kept = tops + (rows / CHUNK) * TOP_BYTES;
  return { rows, columnBytes, endsBytes, lacking, costs, pays, costEnds, payEnds, tops, kept, seats: kept + rows * 4 };
}
