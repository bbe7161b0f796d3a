import type { KernelBlock } from '@tarifario/core';
import type { Views } from './arena.ts';
import { BLOCK_INTEGERS, COLUMNS, LINE_COLUMNS, padded } from './layout.ts';
import type { KernelExports } from './module.ts';
import type { Seat, Seats } from './seats.ts';

/** Where the numbers of one block are, and which these are. */
export interface Placed {
  readonly block: KernelBlock;
  readonly terms: Seat;
  readonly mask: Seat;
  /** `null` when commissions were not asked for. */
  readonly consumption: Seat | null;
  readonly power: Seat | null;
}

/** Where the blocks of a ranking are in the memory of the kernel. */
export interface Placing {
  /** Brings in what is missing, and writes where all is; `null` when there is no room. */
  readonly placeAll: (blocks: readonly KernelBlock[]) => readonly Placed[] | null;
  /** Forgets where things were. */
  readonly clear: () => void;
}

interface Surroundings {
  readonly exports: KernelExports;
  readonly seats: Seats;
  readonly views: () => Views;
  readonly addresses: { readonly staging: number; readonly bounds: number; readonly blocks: () => number };
}

export function createPlacing({ exports, seats, views, addresses }: Surroundings): Placing {
  /** Of the latest ranking, which the next one hardly differs from: who is the same needs no looking up. */
  const placed: Placed[] = [];
  const boundsOf = (columns: number) => views().doubles.slice(addresses.bounds >> 3, (addresses.bounds >> 3) + columns);
  const placeTerms = (terms: Float64Array, rows: number) =>
    seats.seat(terms, 'terms', (address) => {
      views().doubles.set(terms, addresses.staging >> 3);
      exports.columnsOf(addresses.staging, address, rows, addresses.bounds);
      return boundsOf(COLUMNS);
    });
  const placeLines = (lines: Float64Array, rows: number) =>
    seats.seat(lines, 'lines', (address) => {
      views().doubles.set(lines, addresses.staging >> 3);
      exports.linesOf(addresses.staging, address, rows, addresses.bounds);
      return boundsOf(LINE_COLUMNS);
    });
  // The rows that fill up the last group are 0, which passes no filter.
  const placeMask = (mask: Int32Array) =>
    seats.seat(mask, 'mask', (address) => {
      const start = address >> 2;
      views().integers.set(mask, start);
      views().integers.fill(0, start + mask.length, start + padded(mask.length));
      return boundsOf(0);
    });
  const placeBlock = (block: KernelBlock, index: number): boolean => {
    const { terms, mask, consumption, power } = block;
    const rows = mask.length;
    const last = placed[index];
    const at = {
      terms: last?.block.terms === terms && seats.stays(last.terms) ? last.terms : placeTerms(terms, rows),
      mask: last?.block.mask === mask && seats.stays(last.mask) ? last.mask : placeMask(mask),
      consumption: consumption && placeLines(consumption, rows),
      power: power && placeLines(power, rows),
    };
    if (!at.terms || !at.mask || (consumption && !at.consumption) || (power && !at.power)) return false;
    placed[index] = { block, terms: at.terms, mask: at.mask, consumption: at.consumption, power: at.power };
    const { integers } = views();
    const to = (addresses.blocks() >> 2) + index * BLOCK_INTEGERS;
    integers[to] = at.terms.address;
    integers[to + 1] = at.mask.address;
    integers[to + 2] = at.consumption?.address ?? 0;
    integers[to + 3] = at.power?.address ?? 0;
    integers[to + 4] = block.care;
    integers[to + 5] = block.want;
    integers[to + 6] = rows;
    return true;
  };
  return {
    placeAll(blocks) {
      placed.length = Math.min(placed.length, blocks.length);
      return blocks.every(placeBlock) ? placed : null;
    },
    clear() {
      placed.length = 0;
    },
  };
}
