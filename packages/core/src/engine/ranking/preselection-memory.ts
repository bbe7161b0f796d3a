import type { CommissionRate } from '../commission/commission.ts';
import { intervalOf } from '../commission/tier.ts';
import type { PriceQuestion } from '../cost/cost.ts';
import type { TierList } from '../offers/offer-columns.ts';
import type { Block } from './block.ts';
import { GROUP, padded } from './block-prices.ts';

// From 0: nothing, because 0 means no address; the question; the numbers of blocks; and behind them, for as long as one
// question takes, its blocks and figures. `assembly/pricing.ts` reads it.

export const TASK = 64;
const NUMBERS = 512;
const PAGE = 65_536;

/** A block, and the bits of its rows; 0 for a row that does not take part. */
export interface MaskedBlock {
  readonly block: Block;
  readonly mask: Int32Array<ArrayBuffer>;
}

/** The part of `WebAssembly.Memory` that is used here. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  readonly grow: (pages: number) => number;
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
export function createPreselectionMemory(memory: WasmMemory, maxBytes: number) {
  let views = viewsOf(memory);
  let next = NUMBERS;
  /** The addresses of data, by the object it was made from and by the number of an interval. */
  let addresses = new WeakMap<object, Map<number, number>>();

  const growTo = (end: number) => {
    const held = memory.buffer.byteLength;
    if (end <= held) return;
    // Grows rarely, because every growth triggers a garbage collection.
    memory.grow(Math.ceil((Math.max(end, Math.min(1.5 * held, maxBytes)) - held) / PAGE));
    views = viewsOf(memory);
  };
  const emptyIfFull = () => {
    if (next - NUMBERS <= maxBytes) return;
    addresses = new WeakMap();
    next = NUMBERS;
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
  /** Where the numbers of a block are, copied if they are missing. */
  const addressesOf = ({ block, mask }: MaskedBlock, { demand, month, seesCommissions }: PriceQuestion) => {
    const { annualMwh, highestPowerKw } = demand;
    const { columns } = block.prices(month, demand.period.months);
    const ratesOf = (kind: TierList, quantity: number | null) => {
      if (!seesCommissions) return 0;
      const bounds = block.tierBounds[kind];
      const rates = () => rateColumns(block.rowCount, (row) => block.rateAt(row, kind, quantity));
      return addressOf(bounds, intervalOf(bounds, quantity), rates);
    };
    return [
      addressOf(columns, 0, () => columns),
      addressOf(mask, 0, () => mask.buffer),
      ratesOf('consumption', annualMwh),
      ratesOf('power', highestPowerKw),
      mask.length / GROUP,
    ];
  };

  return {
    views: () => views,
    /**
     * Copies the missing numbers of blocks into the memory, and yields after each block that was missing. Then writes
     * where they are, behind all numbers, and returns that address and the next one, from which on so many bytes are free.
     */
    *place(
      blocks: readonly MaskedBlock[],
      question: PriceQuestion,
      freeBytes: number,
    ): Generator<undefined, readonly [placed: number, free: number]> {
      emptyIfFull();
      let placed: number[] = [];
      let isInterrupted = false;
      for (const block of blocks) {
        const before = next;
        placed.push(...addressesOf(block, question));
        if (next === before) continue;
        isInterrupted = true;
        yield;
        emptyIfFull();
      }
      // Other rankings may have emptied the memory meanwhile.
      if (isInterrupted) placed = blocks.flatMap((block) => addressesOf(block, question));
      const free = next + Math.ceil(placed.length / 4) * 16;
      growTo(free + freeBytes);
      views.integers.set(placed, next >> 2);
      return [next, free];
    },
  };
}

/** The memory of the preselection: the question, the columns of one ranking, and the data of blocks. */
export type PreselectionMemory = ReturnType<typeof createPreselectionMemory>;

function viewsOf({ buffer }: WasmMemory) {
  return {
    bytes: new Uint8Array(buffer),
    doubles: new Float64Array(buffer),
    floats: new Float32Array(buffer),
    integers: new Int32Array(buffer),
  };
}
