import { BLOCK_ROWS, type KernelBlock, TERMS_PER_ROW } from '@tarifario/core';
import { BLOCK_INTEGERS, COLUMN_BYTES, GROUP, GROUP_BYTES, padded } from './layout.ts';
import { instantiate, type KernelExports, type WasmMemory } from './module.ts';

/** Bytes that the numbers of a whole block take, of each kind. */
const SEAT_BYTES = {
  terms: (BLOCK_ROWS / GROUP) * GROUP_BYTES,
  lines: (BLOCK_ROWS / GROUP) * 2 * COLUMN_BYTES,
  mask: BLOCK_ROWS * 4,
} as const;
type Kind = keyof typeof SEAT_BYTES;

/** The place of some numbers in the memory. */
interface Seat {
  readonly kind: Kind;
  /** 0: others have taken it. */
  address: number;
  lastRun: number;
}

/** Most of the best that a ranking may ask for. */
export const MAX_GROUPS = 1024;
const PAGE = 65_536;
const STAGING_BYTES = BLOCK_ROWS * TERMS_PER_ROW * 8;
/** Addresses that do not move; 0 is no address. */
const FIXED = {
  found: 64,
  lines: 128,
  edge: 256,
  demand: 512,
  highest: 1024,
  staging: 1024 + MAX_GROUPS * 8,
} as const;
const FIRST_FREE = FIXED.staging + STAGING_BYTES;

/** Addresses that depend on how many rows were ranked at most. */
interface Room {
  readonly rows: number;
  readonly blocks: number;
  readonly costs: number;
  readonly commissions: number;
  readonly kept: number;
  readonly seats: number;
}

export interface Views {
  readonly doubles: Float64Array;
  readonly integers: Int32Array;
}

/**
 * The memory of the kernel: a bounded cache of the numbers of blocks. Numbers are known by the array they come from,
 * which is never changed, so there is nothing to invalidate: those of a block that is gone are not asked for again,
 * and make room when room is needed.
 */
export interface Arena {
  readonly exports: KernelExports;
  readonly memory: WasmMemory;
  readonly fixed: typeof FIXED;
  readonly room: () => Room;
  /** Views of the memory as it is now. */
  readonly views: () => Views;
  /**
   * Brings the numbers of all blocks into the memory and writes where they are; answers the rows in whole groups, or
   * `null` when they do not fit.
   */
  readonly place: (blocks: readonly KernelBlock[]) => number | null;
}

/** @returns `null` where there is no SIMD. */
export function createArena(maxBytes: number): Arena | null {
  const module = instantiate(Math.ceil(FIRST_FREE / PAGE));
  if (!module) return null;
  const { memory, exports } = module;
  let views: Views = viewsOf(memory);
  let room = roomFor(0, 0);
  let next = room.seats;
  let run = 0;
  let seats = new WeakMap<object, Seat>();
  let live: Record<Kind, Seat[]> = { terms: [], lines: [], mask: [] };
  const free: Record<Kind, number[]> = { terms: [], lines: [], mask: [] };

  const grow = (end: number) => {
    const missing = end - memory.buffer.byteLength;
    if (missing <= 0) return;
    memory.grow(Math.ceil(missing / PAGE));
    views = viewsOf(memory);
  };

  /** Forgets everything; the memory itself stays. */
  const clear = () => {
    next = room.seats;
    seats = new WeakMap();
    live = { terms: [], lines: [], mask: [] };
    for (const kind of [free.terms, free.lines, free.mask]) kind.length = 0;
  };

  const reserve = (rows: number, blocks: number) => {
    if (rows <= room.rows && blocks * BLOCK_INTEGERS * 4 <= room.costs - room.blocks) return;
    room = roomFor(Math.max(rows, room.rows), blocks);
    grow(room.seats);
    clear();
  };

  /** An address for that kind: one that is free, a new one, or one that was not asked for lately. */
  const take = (kind: Kind): number => {
    const given = free[kind].pop();
    if (given !== undefined) return given;
    const bytes = SEAT_BYTES[kind];
    if (next + bytes - room.seats <= maxBytes) {
      next += bytes;
      grow(next);
      return next - bytes;
    }
    const oldest = live[kind].filter(({ lastRun }) => lastRun < run).sort((a, b) => a.lastRun - b.lastRun);
    const leaving = new Set(oldest.slice(0, Math.ceil(oldest.length / 4)));
    for (const seat of leaving) {
      free[kind].push(seat.address);
      seat.address = 0;
    }
    live[kind] = live[kind].filter((seat) => !leaving.has(seat));
    return free[kind].pop() ?? 0;
  };

  /** Where some numbers are, 0 when there is no room for them. */
  const seatOf = (numbers: Float64Array | Int32Array, kind: Kind, copy: (address: number) => void): number => {
    const known = seats.get(numbers);
    if (known && known.address !== 0) {
      known.lastRun = run;
      return known.address;
    }
    const address = take(kind);
    if (address === 0) return 0;
    copy(address);
    const seat = { kind, address, lastRun: run };
    live[kind].push(seat);
    seats.set(numbers, seat);
    return address;
  };

  const copyMask = (mask: Int32Array, address: number) => {
    const start = address >> 2;
    views.integers.set(mask, start);
    views.integers.fill(0, start + mask.length, start + padded(mask.length));
  };

  const staged = (numbers: Float64Array, copy: (from: number, to: number, rows: number) => void, rows: number) => {
    return (address: number) => {
      views.doubles.set(numbers, FIXED.staging >> 3);
      copy(FIXED.staging, address, rows);
    };
  };

  const placeBlock = (block: KernelBlock, index: number): boolean => {
    const rows = block.mask.length;
    const addresses = [
      seatOf(block.terms, 'terms', staged(block.terms, exports.columnsOf, rows)),
      seatOf(block.mask, 'mask', (address) => copyMask(block.mask, address)),
      block.consumption
        ? seatOf(block.consumption, 'lines', staged(block.consumption, exports.linesOf, rows))
        : FIXED.staging,
      block.power ? seatOf(block.power, 'lines', staged(block.power, exports.linesOf, rows)) : FIXED.staging,
    ];
    if (addresses.includes(0)) return false;
    const at = (room.blocks >> 2) + index * BLOCK_INTEGERS;
    views.integers.set([...addresses, block.care, block.want, rows], at);
    return true;
  };

  return {
    exports,
    memory,
    fixed: FIXED,
    room: () => room,
    views: () => views,
    place(blocks) {
      run++;
      const rows = blocks.reduce((sum, { mask }) => sum + padded(mask.length), 0);
      reserve(rows, blocks.length);
      for (const isLast of [false, true]) {
        if (blocks.every(placeBlock)) return rows;
        // Seats of one kind never become seats of another, so the memory may be full of the wrong ones.
        clear();
        if (isLast) break;
      }
      return null;
    },
  };
}

function viewsOf(memory: WasmMemory): Views {
  return { doubles: new Float64Array(memory.buffer), integers: new Int32Array(memory.buffer) };
}

/** Room for that many rows and blocks, with some to spare. */
function roomFor(rows: number, blocks: number): Room {
  const most = 2 ** Math.ceil(Math.log2(Math.max(rows, 8 * BLOCK_ROWS)));
  const blockBytes = Math.ceil(Math.max(blocks, most / BLOCK_ROWS) / 8) * 8 * BLOCK_INTEGERS * 4;
  const costs = FIRST_FREE + blockBytes;
  const commissions = costs + most * 8;
  const kept = commissions + most * 8;
  return { rows: most, blocks: FIRST_FREE, costs, commissions, kept, seats: kept + most * 4 };
}
