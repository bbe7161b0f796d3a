import { BLOCK_ROWS, type KernelBlock, TERMS_PER_ROW } from '@tarifario/core';
import { BLOCK_INTEGERS, BOX_BYTES, COLUMNS, GROUP, LINE_COLUMNS, padded } from './layout.ts';
import { instantiate, type KernelExports, type WasmMemory } from './module.ts';
import { createSeats, type Seat } from './seats.ts';

/** Parts of the candidates whose highest lines there is room for. */
export const MAX_PARTS = 1024;
const PAGE = 65_536;
/** Addresses that do not move; 0 is no address. */
const FIXED = {
  found: 64,
  ends: 128,
  edge: 192,
  demand: 256,
  bounds: 512,
  highest: 1024,
  staging: 1024 + MAX_PARTS * 4,
} as const;
const FIRST_FREE = FIXED.staging + BLOCK_ROWS * TERMS_PER_ROW * 8;
/** Room for this many rows from the start. */
const FEWEST_ROWS = 8 * BLOCK_ROWS;

/** Addresses that depend on the largest ranking so far. */
interface Room {
  readonly rows: number;
  readonly blockCount: number;
  readonly blocks: number;
  readonly costs: number;
  readonly commissions: number;
  readonly boxes: number;
  readonly kept: number;
  readonly seats: number;
}

export interface Views {
  readonly doubles: Float64Array;
  readonly floats: Float32Array;
  readonly integers: Int32Array;
}

/** Where the numbers of one block are, and which these are. */
export interface Placed {
  readonly block: KernelBlock;
  readonly terms: Seat;
  readonly mask: Seat;
  /** `null` when commissions were not asked for. */
  readonly consumption: Seat | null;
  readonly power: Seat | null;
}

/** The memory of the kernel: a few parameters, columns for one ranking, and the numbers of blocks. */
export interface Arena {
  readonly exports: KernelExports;
  readonly memory: WasmMemory;
  readonly fixed: typeof FIXED;
  readonly room: () => Room;
  /** Views of the memory as it is now. */
  readonly views: () => Views;
  /**
   * Brings the numbers of all blocks into the memory and writes where they are; `null` when they do not fit. The list
   * is good until the next call.
   */
  readonly place: (blocks: readonly KernelBlock[]) => readonly Placed[] | null;
}

/**
 * @param maxBytes - For the numbers of blocks.
 * @returns `null` where there is no SIMD.
 */
export function createArena(maxBytes: number): Arena | null {
  const module = instantiate(Math.ceil(FIRST_FREE / PAGE));
  if (!module) return null;
  const { memory, exports } = module;
  let views = viewsOf(memory);
  const grow = (end: number) => {
    const held = memory.buffer.byteLength;
    if (end <= held) return;
    // Seldom: the engine takes every growth for a reason to collect garbage, which takes long beside many offers.
    const ahead = Math.min(1.5 * held, room.seats + maxBytes);
    memory.grow(Math.ceil((Math.max(end, ahead) - held) / PAGE));
    views = viewsOf(memory);
  };
  const { begin, seat, stays, clear } = createSeats(maxBytes, grow);
  let room = roomFor(0, 0);
  /** Of the latest ranking, which the next one hardly differs from: who is the same needs no looking up. */
  const placed: Placed[] = [];
  const forget = () => {
    grow(room.seats);
    clear(room.seats);
    placed.length = 0;
  };
  forget();

  const boundsOf = (columns: number) => views.doubles.slice(FIXED.bounds >> 3, (FIXED.bounds >> 3) + columns);
  const placeTerms = (terms: Float64Array, rows: number) =>
    seat(terms, 'terms', (address) => {
      views.doubles.set(terms, FIXED.staging >> 3);
      exports.columnsOf(FIXED.staging, address, rows, FIXED.bounds);
      return boundsOf(COLUMNS);
    });
  const placeLines = (lines: Float64Array, rows: number) =>
    seat(lines, 'lines', (address) => {
      views.doubles.set(lines, FIXED.staging >> 3);
      exports.linesOf(FIXED.staging, address, rows, FIXED.bounds);
      return boundsOf(LINE_COLUMNS);
    });
  // The rows that fill up the last group are 0, which passes no filter.
  const placeMask = (mask: Int32Array) =>
    seat(mask, 'mask', (address) => {
      const start = address >> 2;
      views.integers.set(mask, start);
      views.integers.fill(0, start + mask.length, start + padded(mask.length));
      return boundsOf(0);
    });
  const placeBlock = (block: KernelBlock, index: number): boolean => {
    const { terms, mask, consumption, power } = block;
    const rows = mask.length;
    const last = placed[index];
    const at = {
      terms: last?.block.terms === terms && stays(last.terms) ? last.terms : placeTerms(terms, rows),
      mask: last?.block.mask === mask && stays(last.mask) ? last.mask : placeMask(mask),
      consumption: consumption && placeLines(consumption, rows),
      power: power && placeLines(power, rows),
    };
    if (!at.terms || !at.mask || (consumption && !at.consumption) || (power && !at.power)) return false;
    placed[index] = { block, terms: at.terms, mask: at.mask, consumption: at.consumption, power: at.power };
    const { integers } = views;
    const to = (room.blocks >> 2) + index * BLOCK_INTEGERS;
    integers[to] = at.terms.address;
    integers[to + 1] = at.mask.address;
    integers[to + 2] = at.consumption?.address ?? 0;
    integers[to + 3] = at.power?.address ?? 0;
    integers[to + 4] = block.care;
    integers[to + 5] = block.want;
    integers[to + 6] = rows;
    return true;
  };
  const placeAll = (blocks: readonly KernelBlock[]) => {
    placed.length = Math.min(placed.length, blocks.length);
    return blocks.every(placeBlock) ? placed : null;
  };

  return {
    exports,
    memory,
    fixed: FIXED,
    room: () => room,
    views: () => views,
    place(blocks) {
      begin();
      const rows = paddedRows(blocks);
      if (rows > room.rows || blocks.length > room.blockCount) {
        room = roomFor(Math.max(rows, room.rows), Math.max(blocks.length, room.blockCount));
        forget();
      }
      const found = placeAll(blocks);
      if (found) return found;
      // Seats of one kind never become seats of another, so the memory may be full of the wrong ones.
      forget();
      return placeAll(blocks);
    },
  };
}

/** All rows of some blocks, each in whole groups. */
export function paddedRows(blocks: readonly KernelBlock[]): number {
  let rows = 0;
  for (const { mask } of blocks) rows += padded(mask.length);
  return rows;
}

function viewsOf({ buffer }: WasmMemory): Views {
  return { doubles: new Float64Array(buffer), floats: new Float32Array(buffer), integers: new Int32Array(buffer) };
}

/** Room for that many rows and blocks, with some to spare. */
function roomFor(rows: number, blocks: number): Room {
  const most = 2 ** Math.ceil(Math.log2(Math.max(rows, FEWEST_ROWS)));
  const blockCount = Math.max(2 * blocks, most / BLOCK_ROWS);
  const costs = FIRST_FREE + blockCount * BLOCK_INTEGERS * 4;
  const commissions = costs + most * 4;
  const boxes = commissions + most * 4;
  const kept = boxes + (most / GROUP) * BOX_BYTES;
  return { rows: most, blockCount, blocks: FIRST_FREE, costs, commissions, boxes, kept, seats: kept + most * 4 };
}
