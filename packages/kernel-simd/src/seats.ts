import { BLOCK_ROWS } from '@tarifario/core';
import { COLUMN_BYTES, GROUP, GROUP_BYTES, LINE_COLUMNS } from './layout.ts';

/** Bytes that the numbers of a whole block take, of each kind. */
const SEAT_BYTES = {
  terms: (BLOCK_ROWS / GROUP) * GROUP_BYTES,
  lines: (BLOCK_ROWS / GROUP) * LINE_COLUMNS * COLUMN_BYTES,
  mask: BLOCK_ROWS * 4,
} as const;
export type Kind = keyof typeof SEAT_BYTES;

/** The place of some numbers in the memory. */
export interface Seat {
  /** 0: others have taken it. */
  address: number;
  lastRun: number;
  /** The largest size in each of its columns. */
  readonly bounds: Float64Array;
}

/**
 * Which numbers are where in a bounded memory. Numbers are known by the array they come from, which is never changed,
 * so there is nothing to invalidate: those of a block that is gone are not asked for again, and make room when room
 * is needed.
 */
export interface Seats {
  /** A new ranking begins: whoever is asked for from now on stays until it ends. */
  readonly begin: () => void;
  /**
   * The place of some numbers, after `copy` has brought them there when they were not and told the bounds of their
   * columns; `null` when there is no room.
   */
  readonly seat: (numbers: object, kind: Kind, copy: (address: number) => Float64Array) => Seat | null;
  /** Whether some numbers are still where they were; if so they stay until this ranking ends. */
  readonly stays: (seat: Seat) => boolean;
  /** Forgets everything. Seats are now given from an address on. */
  readonly clear: (from: number) => void;
}

/** @param grow - Makes the memory reach to an address. */
export function createSeats(maxBytes: number, grow: (end: number) => void): Seats {
  let known = new WeakMap<object, Seat>();
  let taken: Record<Kind, Seat[]> = { terms: [], lines: [], mask: [] };
  let free: Record<Kind, number[]> = { terms: [], lines: [], mask: [] };
  let first = 0;
  let next = 0;
  let run = 0;

  /** Sends away a quarter of those that were not asked for in this ranking, the longest unused first. */
  const makeRoom = (kind: Kind) => {
    const idle = taken[kind].filter(({ lastRun }) => lastRun < run).sort((a, b) => a.lastRun - b.lastRun);
    const leaving = new Set(idle.slice(0, Math.ceil(idle.length / 4)));
    for (const seat of leaving) {
      free[kind].push(seat.address);
      seat.address = 0;
    }
    taken[kind] = taken[kind].filter((seat) => !leaving.has(seat));
  };

  const take = (kind: Kind): number => {
    const bytes = SEAT_BYTES[kind];
    if (free[kind].length === 0 && next + bytes - first > maxBytes) makeRoom(kind);
    const given = free[kind].pop();
    if (given !== undefined) return given;
    if (next + bytes - first > maxBytes) return 0;
    next += bytes;
    grow(next);
    return next - bytes;
  };

  return {
    begin() {
      run++;
    },
    seat(numbers, kind, copy) {
      const sitting = known.get(numbers);
      if (sitting && sitting.address !== 0) {
        sitting.lastRun = run;
        return sitting;
      }
      const address = take(kind);
      if (address === 0) return null;
      const seat = { address, lastRun: run, bounds: copy(address) };
      taken[kind].push(seat);
      known.set(numbers, seat);
      return seat;
    },
    stays(seat) {
      if (seat.address === 0) return false;
      seat.lastRun = run;
      return true;
    },
    clear(from) {
      known = new WeakMap();
      taken = { terms: [], lines: [], mask: [] };
      free = { terms: [], lines: [], mask: [] };
      first = from;
      next = from;
    },
  };
}
