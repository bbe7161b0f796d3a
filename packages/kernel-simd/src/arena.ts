import { BLOCK_ROWS, type KernelBlock, TERMS_PER_ROW } from '@tarifario/core';
import { BLOCK_INTEGERS, BOX_BYTES, GROUP, padded } from './layout.ts';
import { instantiate, type KernelExports, type WasmMemory } from './module.ts';
import { createPlacing, type Placed } from './placing.ts';
import { createSeats } from './seats.ts';

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
  const seats = createSeats(maxBytes, grow);
  let room = roomFor(0, 0);
  const addresses = { ...FIXED, blocks: () => room.blocks };
  const placing = createPlacing({ exports, seats, views: () => views, addresses });
  const forget = () => {
    grow(room.seats);
    seats.clear(room.seats);
    placing.clear();
  };
  forget();

  return {
    exports,
    memory,
    fixed: FIXED,
    room: () => room,
    views: () => views,
    place(blocks) {
      seats.begin();
      const rows = paddedRows(blocks);
      if (rows > room.rows || blocks.length > room.blockCount) {
        room = roomFor(Math.max(rows, room.rows), Math.max(blocks.length, room.blockCount));
        forget();
      }
      const found = placing.placeAll(blocks);
      if (found) return found;
      // Seats of one kind never become seats of another, so the memory may be full of the wrong ones.
      forget();
      return placing.placeAll(blocks);
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
