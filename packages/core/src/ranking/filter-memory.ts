import type { CommissionRate } from '../commission/commission.ts';
import type { TierList } from '../offers/offer-columns.ts';
import { GROUP, padded } from './block-prices.ts';
import type { PriceQuestion } from './cost.ts';
import { intervalOf } from './tier-intervals.ts';
import type { RankedBlock } from './universe.ts';

// The memory layout of the filter. The same numbers are in `assembly/pricing.ts`.

/** The maximum number of parts of the rows whose highest lines are stored. */
export const MAX_PARTS = 1024;
/** 0 means no address. */
export const TASK = 64;
const TASK_BYTES = 512 + 4 * MAX_PARTS;
const BLOCK_BYTES = 32;
/** The initial capacity, in rows. */
const FEWEST_ROWS = 8192;
const PAGE = 65_536;

/** The part of `WebAssembly.Memory` that is used here. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  readonly grow: (pages: number) => number;
}

/** Reserves room for this many rows, in whole groups, and for blocks. */
function scratchFor(rowCount: number, blockCount: number) {
  const blocks = TASK + TASK_BYTES;
  const micros = blocks + blockCount * BLOCK_BYTES;
  const costs = micros + 8 * rowCount;
  const paid = costs + 4 * rowCount;
  const groupExtremes = paid + 4 * rowCount;
  const rows = groupExtremes + 2 * rowCount;
  return { rowCount, blockCount, blocks, micros, costs, paid, groupExtremes, rows, end: rows + 4 * rowCount };
}

/** Rates of commission as two columns, what is fixed and what each unit gives, behind the largest size in each. */
function rateColumns(rowCount: number, rateAt: (row: number) => CommissionRate): ArrayBuffer {
  const perUnit = 2 + padded(rowCount);
  const numbers = new Float64Array(perUnit + padded(rowCount));
  for (let row = 0; row < rowCount; row++) {
    const { type, value } = rateAt(row);
    const column = type === 'fixed' ? 0 : 1;
    numbers[(column === 0 ? 2 : perUnit) + row] = value;
    numbers[column] = Math.max(numbers[column] ?? 0, Math.abs(value));
  }
  return numbers.buffer;
}

/**
 * Data of blocks stays from one ranking to the next. Blocks are immutable, so nothing has to be invalidated. When the
 * memory is full it is emptied, and needed data is copied again.
 *
 * @param maxBytes - For the numbers of blocks; exceeded by what one ranking alone needs.
 */
export function createFilterMemory(memory: WasmMemory, maxBytes: number) {
  let views = viewsOf(memory);
  let scratch = scratchFor(0, 0);
  let next = scratch.end;
  /** The addresses of data, by the object it was made from and by the number of an interval. */
  let addresses = new WeakMap<object, Map<number, number>>();

  const growTo = (end: number) => {
    const held = memory.buffer.byteLength;
    if (end <= held) return;
    // Grows rarely, because every growth triggers a garbage collection.
    const ahead = Math.max(end, Math.min(1.5 * held, scratch.end + maxBytes));
    memory.grow(Math.ceil((ahead - held) / PAGE));
    views = viewsOf(memory);
  };
  const makeRoom = (ranked: readonly RankedBlock[]) => {
    const rows = ranked.reduce((sum, { mask }) => sum + mask.length, 0);
    const isTooSmall = rows > scratch.rowCount || ranked.length > scratch.blockCount;
    if (!isTooSmall && next - scratch.end <= maxBytes) return;
    if (isTooSmall) {
      const rowCount = 2 ** Math.ceil(Math.log2(Math.max(rows, scratch.rowCount, FEWEST_ROWS)));
      scratch = scratchFor(rowCount, Math.max(2 * ranked.length, scratch.blockCount));
    }
    addresses = new WeakMap();
    next = scratch.end;
    growTo(next);
  };
  const addressOf = (source: object, interval: number, bytesOf: () => ArrayBufferLike) => {
    const known = addresses.get(source)?.get(interval);
    if (known !== undefined) return known;
    const bytes = new Uint8Array(bytesOf());
    const address = next;
    next += Math.ceil(bytes.length / 16) * 16;
    growTo(next);
    views.bytes.set(bytes, address);
    addresses.set(source, (addresses.get(source) ?? new Map<number, number>()).set(interval, address));
    return address;
  };
  /** Returns whether any of it was missing. */
  const write = ({ block, mask }: RankedBlock, question: PriceQuestion, index: number) => {
    const { annualMwh, highestPowerKw } = question.demand;
    const before = next;
    const { columns } = block.prices(question.month);
    const ratesOf = (kind: TierList, quantity: number | null) => {
      if (!question.seesCommissions) return 0;
      const bounds = block.boundsOfTiers(kind);
      const rates = () => rateColumns(block.rowCount, (row) => block.rateAt(row, kind, quantity));
      return addressOf(bounds, intervalOf(bounds, quantity), rates);
    };
    const values = [
      addressOf(columns, 0, () => columns),
      addressOf(mask, 0, () => mask.buffer),
      ratesOf('consumption', annualMwh),
      ratesOf('power', highestPowerKw),
      mask.length / GROUP,
    ];
    views.integers.set(values, (scratch.blocks + index * BLOCK_BYTES) >> 2);
    return next > before;
  };

  return {
    views: () => views,
    scratch: () => scratch,
    /**
     * Copies the missing numbers of each block into the memory, writes their addresses, and yields after each block
     * that was missing.
     */
    *place(blocks: readonly RankedBlock[], question: PriceQuestion): Generator<undefined, void> {
      makeRoom(blocks);
      let isComplete = true;
      for (const [index, block] of blocks.entries()) {
        if (!write(block, question, index)) continue;
        isComplete = false;
        yield;
        makeRoom(blocks);
      }
      // Other rankings may have used the memory meanwhile.
      if (!isComplete) for (const [index, block] of blocks.entries()) write(block, question, index);
    },
  };
}

/** The memory of the filter: the question, the columns of one ranking, and the data of blocks. */
export type FilterMemory = ReturnType<typeof createFilterMemory>;

function viewsOf({ buffer }: WasmMemory) {
  return {
    bytes: new Uint8Array(buffer),
    doubles: new Float64Array(buffer),
    floats: new Float32Array(buffer),
    integers: new Int32Array(buffer),
  };
}
