import type { Month } from '../calendar.ts';
import { type CommissionLine, consumptionLine, powerLine } from '../commission/commission.ts';
import type { RankedBlock } from './candidates.ts';
import type { Demand } from './customer.ts';
import { TERM, TERMS_PER_ROW } from './price-rows.ts';
import { intervalOf } from './tier-intervals.ts';
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
  /** Brings what each block needs into the memory, writes where it is, and yields where any of it was missing. */
  readonly place: (blocks: readonly RankedBlock[], read: Read) => Generator<undefined, void>;
}

/** Rounded up to whole groups. */
export function padded(rows: number): number {
  return Math.ceil(rows / GROUP) * GROUP;
}

/** The memory from some address on, given out piece by piece. */
interface Space {
  readonly views: () => Views;
  /** The address of so many bytes. */
  readonly take: (bytes: number) => number;
  readonly takenBytes: () => number;
  /** Forgets what was taken, and gives out what is behind an address from now on. */
  readonly restart: (start: number) => void;
}

function createSpace(memory: WasmMemory, maxBytes: number): Space {
  let views = viewsOf(memory);
  let start = 0;
  let next = 0;
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
      next += Math.ceil(bytes / 16) * 16;
      reach(next);
      return address;
    },
    takenBytes: () => next - start,
    restart(address) {
      start = address;
      next = address;
      reach(address);
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
    // The rows that fill up the last group are 0, which passes no filter.
    integers.fill(0, (address >> 2) + mask.length, (address >> 2) + rows);
    return address;
  });
  const { annualMwh, highestPowerKw } = demand;
  const consumption = bringLines('consumption', annualMwh, (row) =>
    consumptionLine(block.consumptionTermsAt(row), annualMwh),
  );
  const power = bringLines('power', highestPowerKw, (row) => powerLine(block.powerTermsAt(row), highestPowerKw));
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
