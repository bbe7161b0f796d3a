import type { Month } from '../calendar.ts';
import type { RankedBlock } from './candidates.ts';
import { intervalOf } from './commission-columns.ts';
import type { Demand } from './customer.ts';
import { TERM, TERMS_PER_ROW } from './price-rows.ts';
import type { Block } from './universe.ts';

// Where things lie in the memory of the filter. The same numbers are in `assembly/filter.ts`.

/** Rows of a group: each of its columns is this many numbers in a row. */
export const GROUP = 32;
/** Prices of energy and power, fixed term, services, surplus. */
const COLUMNS = TERM.id;
const TERMS_HEAD = 128;
const LINES_HEAD = 16;
/** Parts of the rows whose highest lines there is room for. */
export const MAX_PARTS = 1024;
/** 0 is no address. */
export const TASK = 64;
const TASK_BYTES = 512 + 4 * MAX_PARTS;
const BLOCK_BYTES = 32;
/** For each row: cost and commission as floats, the commission exactly, a share of the extremes, its number. */
const BYTES_PER_ROW = 4 + 4 + 8 + 2 + 4;
/** Room for this many rows from the start. */
const FEWEST_ROWS = 8192;
const PAGE = 65_536;

/** What of a block lies in the memory, by address. */
interface Resident {
  readonly terms: Map<Month | null, number>;
  readonly consumption: Map<number, number>;
  readonly power: Map<number, number>;
  readonly masks: WeakMap<Int32Array, number>;
}

/** As much of a memory of WebAssembly as is used. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  readonly grow: (pages: number) => number;
}

interface Views {
  readonly doubles: Float64Array;
  readonly floats: Float32Array;
  readonly integers: Int32Array;
}

/** What a ranking reads of each block. */
export interface Read {
  readonly demand: Demand;
  readonly month: Month | null;
  readonly seesCommissions: boolean;
}

/** Where the columns of one ranking begin. */
export interface Scratch {
  readonly blocks: number;
  readonly costs: number;
  readonly paid: number;
  readonly micros: number;
  readonly boxes: number;
  readonly rows: number;
}

/** The memory that the filter works in: the question, columns for one ranking, and the numbers of blocks. */
export interface FilterMemory {
  readonly views: () => Views;
  readonly scratch: () => Scratch;
  /** Brings what each block needs into the memory, and yields where any of it was missing. */
  readonly prepare: (blocks: readonly RankedBlock[], read: Read) => Generator<undefined, void>;
  /** Brings all of it that is missing and writes where it is. */
  readonly place: (blocks: readonly RankedBlock[], read: Read) => void;
}

/** Rounded up to whole groups. */
export function padded(rows: number): number {
  return Math.ceil(rows / GROUP) * GROUP;
}

/** Thrown and caught here: there is no room before the memory is emptied. */
class Full extends Error {}

/** The memory from some address on, given out piece by piece. */
interface Space {
  readonly views: () => Views;
  /** The address of so many bytes. @throws Full */
  readonly take: (bytes: number) => number;
  /** What is taken, up to which address. */
  readonly taken: () => number;
  /** Forgets what was taken, and gives out what is behind an address from now on. */
  readonly restart: (start: number) => void;
  /** Does some work, once more from the start, and then without a bound, where it finds no room. */
  readonly unlessFull: (work: () => void, whenFull: () => void) => void;
}

function createSpace(memory: WasmMemory, maxBytes: number): Space {
  let views = viewsOf(memory);
  let start = 0;
  let next = 0;
  let isBounded = true;
  const reach = (end: number) => {
    const held = memory.buffer.byteLength;
    if (end <= held) return;
    // Seldom: the engine takes every growth for a reason to collect garbage.
    const ahead = Math.max(end, Math.min(1.5 * held, start + maxBytes));
    memory.grow(Math.ceil((ahead - held) / PAGE));
    views = viewsOf(memory);
  };
  return {
    views: () => views,
    take(bytes) {
      const address = next;
      const end = address + Math.ceil(bytes / 16) * 16;
      if (isBounded && end - start > maxBytes) throw new Full();
      reach(end);
      next = end;
      return address;
    },
    taken: () => next,
    restart(address) {
      start = address;
      next = address;
      reach(address);
    },
    unlessFull(work, whenFull) {
      try {
        work();
      } catch (error) {
        if (!(error instanceof Full)) throw error;
        whenFull();
        isBounded = false;
        work();
      } finally {
        isBounded = true;
      }
    },
  };
}

/** The prices of a block as columns of floats by groups of rows, behind the largest size in each column. */
function copyTerms(
  { doubles, floats }: Views,
  address: number,
  { terms, rows }: { terms: Float64Array; rows: number },
): void {
  const head = address >> 3;
  const first = (address + TERMS_HEAD) >> 2;
  doubles.fill(0, head, head + COLUMNS);
  for (let row = 0; row < rows; row++) {
    const to = first + (row - (row % GROUP)) * COLUMNS + (row % GROUP);
    for (let column = 0; column < COLUMNS; column++) {
      const value = terms[row * TERMS_PER_ROW + column] ?? 0;
      floats[to + column * GROUP] = value;
      doubles[head + column] = Math.max(doubles[head + column] ?? 0, Math.abs(value));
    }
  }
}

/** Pairs of commission lines as two columns, behind the largest size in each. */
function copyLines({ doubles }: Views, address: number, { lines, rows }: { lines: Float64Array; rows: number }): void {
  const head = address >> 3;
  const first = head + LINES_HEAD / 8;
  doubles.fill(0, head, first + 2 * rows);
  for (let i = 0; i < lines.length; i++) {
    const value = lines[i] ?? 0;
    doubles[first + (i >> 1) + (i % 2) * rows] = value;
    doubles[head + (i % 2)] = Math.max(doubles[head + (i % 2)] ?? 0, Math.abs(value));
  }
}

/** The address of something by its key, brought there when it is not. */
function addressOf<K>(
  kept: { readonly get: (key: K) => number | undefined; readonly set: (key: K, address: number) => unknown },
  key: K,
  bring: () => number,
): number {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const address = bring();
  kept.set(key, address);
  return address;
}

/** Brings what a ranking reads of a block to where it belongs, and writes at `to` where that is. */
function writeBlock(space: Space, resident: Resident, { ranked, read, to }: BlockToWrite): void {
  const { block, mask, care, want } = ranked;
  const { demand, month, seesCommissions } = read;
  const rows = padded(block.rowCount);
  const bringLines = (kind: 'consumption' | 'power', quantity: number | null) => {
    if (!seesCommissions) return 0;
    const { bounds, atConsumption, atPower } = block.commissions;
    return addressOf(resident[kind], intervalOf(bounds[kind], quantity), () => {
      const address = space.take(LINES_HEAD + rows * 16);
      const lines = kind === 'power' ? atPower(quantity) : atConsumption(quantity ?? 0);
      copyLines(space.views(), address, { lines, rows });
      return address;
    });
  };
  const terms = addressOf(resident.terms, month, () => {
    const address = space.take(TERMS_HEAD + rows * COLUMNS * 4);
    copyTerms(space.views(), address, { terms: block.prices(month).terms, rows: block.rowCount });
    return address;
  });
  const maskAddress = addressOf(resident.masks, mask, () => {
    const address = space.take(rows * 4);
    const { integers } = space.views();
    integers.set(mask, address >> 2);
    // The rows that fill up the last group are 0, which passes no filter.
    integers.fill(0, (address >> 2) + mask.length, (address >> 2) + rows);
    return address;
  });
  const consumption = bringLines('consumption', demand.annualMwh);
  const power = bringLines('power', demand.highestPowerKw);
  // Only now, because the memory may have grown. One by one, which is faster than a list.
  const { integers } = space.views();
  const at = to >> 2;
  integers[at] = terms;
  integers[at + 1] = maskAddress;
  integers[at + 2] = consumption;
  integers[at + 3] = power;
  integers[at + 4] = care;
  integers[at + 5] = want;
  integers[at + 6] = rows / GROUP;
}

interface BlockToWrite {
  readonly ranked: RankedBlock;
  readonly read: Read;
  readonly to: number;
}

/**
 * Numbers of blocks are kept from one ranking to the next. Blocks are never changed, so there is nothing to
 * invalidate; when the memory is full it is emptied, and what is asked for next comes in again.
 *
 * @param maxBytes - For the numbers of blocks; exceeded only where one ranking alone needs more.
 */
export function createFilterMemory(memory: WasmMemory, maxBytes: number): FilterMemory {
  const space = createSpace(memory, maxBytes);
  let residents = new WeakMap<Block, Resident>();
  let room = { rows: 0, blocks: 0 };
  let scratch = scratchFor(0, 0);
  let placed: readonly RankedBlock[] | null = null;

  const empty = () => {
    residents = new WeakMap();
    space.restart(scratch.end);
  };
  const write = (ranked: RankedBlock, read: Read, index: number) => {
    const resident = residents.get(ranked.block) ?? noResident();
    residents.set(ranked.block, resident);
    writeBlock(space, resident, { ranked, read, to: scratch.blocks + index * BLOCK_BYTES });
  };
  const makeRoom = (ranked: readonly RankedBlock[]) => {
    let rows = 0;
    for (const { block } of ranked) rows += padded(block.rowCount);
    if (rows <= room.rows && ranked.length <= room.blocks) return;
    room = {
      rows: 2 ** Math.ceil(Math.log2(Math.max(rows, room.rows, FEWEST_ROWS))),
      blocks: Math.max(2 * ranked.length, room.blocks),
    };
    scratch = scratchFor(room.rows, room.blocks);
    empty();
  };

  return {
    views: space.views,
    scratch: () => scratch,
    *prepare(blocks, read) {
      makeRoom(blocks);
      let isComplete = true;
      for (const [index, block] of blocks.entries()) {
        const before = space.taken();
        space.unlessFull(() => write(block, read, index), empty);
        if (space.taken() === before) continue;
        isComplete = false;
        yield;
      }
      placed = isComplete ? blocks : null;
    },
    place(blocks, read) {
      // Nothing happened since they were prepared, so they are where they were.
      if (placed !== blocks) {
        makeRoom(blocks);
        const writeAll = () => {
          for (const [index, block] of blocks.entries()) write(block, read, index);
        };
        space.unlessFull(writeAll, empty);
      }
      placed = null;
    },
  };
}

function noResident(): Resident {
  return { terms: new Map(), consumption: new Map(), power: new Map(), masks: new WeakMap() };
}

function viewsOf({ buffer }: WasmMemory): Views {
  return { doubles: new Float64Array(buffer), floats: new Float32Array(buffer), integers: new Int32Array(buffer) };
}

/** Room for that many rows, whole groups, and blocks. */
function scratchFor(rows: number, blockCount: number): Scratch & { readonly end: number } {
  const blocks = TASK + TASK_BYTES;
  const micros = blocks + blockCount * BLOCK_BYTES;
  const costs = micros + 8 * rows;
  const paid = costs + 4 * rows;
  const boxes = paid + 4 * rows;
  return {
    blocks,
    costs,
    paid,
    micros,
    boxes,
    rows: boxes + 2 * rows,
    end: blocks + blockCount * BLOCK_BYTES + BYTES_PER_ROW * rows,
  };
}
