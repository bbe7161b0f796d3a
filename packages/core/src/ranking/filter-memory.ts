import type { Month } from '../calendar.ts';
import { type CommissionLine, consumptionLine, powerLine } from '../commission/commission.ts';
import type { RankedBlock } from './candidates.ts';
import type { Demand } from './customer.ts';
import { TERM, TERMS_PER_ROW } from './price-rows.ts';
import { intervalOf } from './tier-intervals.ts';
import type { Block } from './universe.ts';

// The memory layout of the filter. The same numbers are in `assembly/filter.ts`.

/** Rows of a group: this many values of a column are stored next to each other. */
export const GROUP = 32;
/** Prices of energy and power, fixed term, services, surplus. */
const COLUMNS = TERM.id;
const TERMS_HEAD = 128;
const LINES_HEAD = 16;
/** The maximum number of parts of the rows whose highest lines are stored. */
export const MAX_PARTS = 1024;
/** 0 means no address. */
export const TASK = 64;
const TASK_BYTES = 512 + 4 * MAX_PARTS;
const BLOCK_BYTES = 32;
/** For each row: cost and commission as floats, the commission exactly, a share of the extremes, its number. */
const BYTES_PER_ROW = 4 + 4 + 8 + 2 + 4;
/** The initial capacity, in rows. */
const FEWEST_ROWS = 8192;
const PAGE = 65_536;

/** The addresses of the data of a block. */
interface Resident {
  readonly terms: Map<Month | null, number>;
  readonly consumption: Map<number, number>;
  readonly power: Map<number, number>;
  readonly masks: WeakMap<Int32Array, number>;
}

/** The part of `WebAssembly.Memory` that is used here. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  readonly grow: (pages: number) => number;
}

interface Views {
  readonly doubles: Float64Array;
  readonly floats: Float32Array;
  readonly integers: Int32Array;
}

/** The data of a block that a ranking needs. */
export interface Read {
  readonly demand: Demand;
  readonly month: Month | null;
  readonly seesCommissions: boolean;
}

/** Addresses of the columns of one ranking. */
export interface Scratch {
  readonly blocks: number;
  readonly costs: number;
  readonly paid: number;
  readonly micros: number;
  readonly groupExtremes: number;
  readonly rows: number;
}

/** The memory of the filter: the question, the columns of one ranking, and the data of blocks. */
export interface FilterMemory {
  readonly views: () => Views;
  readonly scratch: () => Scratch;
  /** Brings what each block needs into the memory, writes where it is, and yields where any of it was missing. */
  readonly place: (blocks: readonly RankedBlock[], read: Read) => Generator<undefined, void>;
}

/** Rounded up to whole groups. */
export function padded(rows: number): number {
  return Math.ceil(rows / GROUP) * GROUP;
}

/** Allocates memory from some address on. */
interface Space {
  readonly views: () => Views;
  /** Allocates bytes and returns their address. */
  readonly take: (bytes: number) => number;
  readonly takenBytes: () => number;
  /** Frees everything, and allocates from an address on. */
  readonly restart: (start: number) => void;
}

function createSpace(memory: WasmMemory, maxBytes: number): Space {
  let views = viewsOf(memory);
  let start = 0;
  let next = 0;
  const growTo = (end: number) => {
    const held = memory.buffer.byteLength;
    if (end <= held) return;
    // Grows rarely, because every growth triggers a garbage collection.
    const ahead = Math.max(end, Math.min(1.5 * held, start + maxBytes));
    memory.grow(Math.ceil((ahead - held) / PAGE));
    views = viewsOf(memory);
  };
  return {
    views: () => views,
    take(bytes) {
      const address = next;
      next += Math.ceil(bytes / 16) * 16;
      growTo(next);
      return address;
    },
    takenBytes: () => next - start,
    restart(address) {
      start = address;
      next = address;
      growTo(address);
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

/** Commission lines as two columns, behind the largest size in each. */
function copyLines({ doubles }: Views, address: number, { lineAt, block }: { lineAt: LineAt; block: Block }): void {
  const head = address >> 3;
  const fixed = head + LINES_HEAD / 8;
  const perUnit = fixed + padded(block.rowCount);
  doubles.fill(0, head, perUnit + padded(block.rowCount));
  for (let row = 0; row < block.rowCount; row++) {
    const { fixedEur, eurPerUnit } = lineAt(row);
    doubles[fixed + row] = fixedEur;
    doubles[perUnit + row] = eurPerUnit;
    doubles[head] = Math.max(doubles[head] ?? 0, Math.abs(fixedEur));
    doubles[head + 1] = Math.max(doubles[head + 1] ?? 0, Math.abs(eurPerUnit));
  }
}

type LineAt = (row: number) => CommissionLine;

/** The address of the data with a key, which is copied there if it is missing. */
function addressOf<K>(
  cache: { readonly get: (key: K) => number | undefined; readonly set: (key: K, address: number) => unknown },
  key: K,
  bring: () => number,
): number {
  const known = cache.get(key);
  if (known !== undefined) return known;
  const address = bring();
  cache.set(key, address);
  return address;
}

/** Copies the data of a block that a ranking needs, and writes its addresses to `to`. */
function writeBlock(space: Space, resident: Resident, { ranked, read, to }: BlockToWrite): void {
  const { block, mask, care, want } = ranked;
  const { demand, month, seesCommissions } = read;
  const rows = padded(block.rowCount);
  const bringLines = (kind: 'consumption' | 'power', quantity: number | null, lineAt: LineAt) => {
    if (!seesCommissions) return 0;
    return addressOf(resident[kind], intervalOf(block.tierIntervals()[kind], quantity), () => {
      const address = space.take(LINES_HEAD + rows * 16);
      copyLines(space.views(), address, { lineAt, block });
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
    // The padding rows of the last group are 0, which matches no filter.
    integers.fill(0, (address >> 2) + mask.length, (address >> 2) + rows);
    return address;
  });
  const { annualMwh, highestPowerKw } = demand;
  const consumption = bringLines('consumption', annualMwh, (row) =>
    consumptionLine(block.consumptionTermsAt(row), annualMwh),
  );
  const power = bringLines('power', highestPowerKw, (row) => powerLine(block.powerTermsAt(row), highestPowerKw));
  // Written last, because the memory may have grown. One by one, which is faster than an array.
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
 * Data of blocks is kept from one ranking to the next. Blocks are immutable, so nothing has to be invalidated. When the
 * memory is full it is emptied, and needed data is copied again.
 *
 * @param maxBytes - For the numbers of blocks; exceeded by what one ranking alone needs.
 */
export function createFilterMemory(memory: WasmMemory, maxBytes: number): FilterMemory {
  const space = createSpace(memory, maxBytes);
  let residents = new WeakMap<Block, Resident>();
  let room = { rows: 0, blocks: 0 };
  let scratch = scratchFor(0, 0);

  const empty = () => {
    residents = new WeakMap();
    space.restart(scratch.end);
  };
  const makeRoom = (ranked: readonly RankedBlock[]) => {
    let rows = 0;
    for (const { block } of ranked) rows += padded(block.rowCount);
    if (rows > room.rows || ranked.length > room.blocks) {
      room = {
        rows: 2 ** Math.ceil(Math.log2(Math.max(rows, room.rows, FEWEST_ROWS))),
        blocks: Math.max(2 * ranked.length, room.blocks),
      };
      scratch = scratchFor(room.rows, room.blocks);
      empty();
    } else if (space.takenBytes() > maxBytes) empty();
  };
  /** Answers whether any of it was missing. */
  const write = (ranked: RankedBlock, read: Read, index: number) => {
    const before = space.takenBytes();
    const resident = residents.get(ranked.block) ?? noResident();
    residents.set(ranked.block, resident);
    writeBlock(space, resident, { ranked, read, to: scratch.blocks + index * BLOCK_BYTES });
    return space.takenBytes() > before;
  };

  return {
    views: space.views,
    scratch: () => scratch,
    *place(blocks, read) {
      makeRoom(blocks);
      let isComplete = true;
      for (let index = 0; index < blocks.length; index++) {
        const block = blocks[index];
        if (!block || !write(block, read, index)) continue;
        isComplete = false;
        yield;
        makeRoom(blocks);
      }
      // Others may have been here meanwhile.
      if (!isComplete) for (const [index, block] of blocks.entries()) write(block, read, index);
    },
  };
}

function noResident(): Resident {
  return { terms: new Map(), consumption: new Map(), power: new Map(), masks: new WeakMap() };
}

function viewsOf({ buffer }: WasmMemory): Views {
  return { doubles: new Float64Array(buffer), floats: new Float32Array(buffer), integers: new Int32Array(buffer) };
}

/** Reserves room for this many rows, in whole groups, and for blocks. */
function scratchFor(rows: number, blockCount: number): Scratch & { readonly end: number } {
  const blocks = TASK + TASK_BYTES;
  const micros = blocks + blockCount * BLOCK_BYTES;
  const costs = micros + 8 * rows;
  const paid = costs + 4 * rows;
  const groupExtremes = paid + 4 * rows;
  return {
    blocks,
    costs,
    paid,
    micros,
    groupExtremes,
    rows: groupExtremes + 2 * rows,
    end: blocks + blockCount * BLOCK_BYTES + BYTES_PER_ROW * rows,
  };
}
