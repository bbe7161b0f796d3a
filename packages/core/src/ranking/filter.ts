import { assert } from '../errors.ts';
import type { RankedBlock } from './candidates.ts';
import { checksumOf } from './checksum.ts';
import type { Demand } from './customer.ts';
import {
  createFilterMemory,
  type FilterMemory,
  MAX_PARTS,
  padded,
  type Read,
  TASK,
  type WasmMemory,
} from './filter-memory.ts';
import { FILTER_MODULE } from './filter-module.ts';
import { TERM } from './price-rows.ts';

/** What the filter is asked. */
export interface FilterQuestion extends Read {
  /** The bits of the prices without which an offer cannot be priced. */
  readonly needed: number;
  /** Whether winners at every weight are asked for; only where commissions are seen. */
  readonly withWinners: boolean;
  /** 0 to 1; 1 where commissions are not seen. */
  readonly weight: number;
  readonly limit: number;
}

/** The rows that can matter: too many is allowed, too few is not. */
export interface Candidates {
  /** By block, in the order of the question: rows of it, ascending. */
  readonly rows: readonly (readonly number[])[];
  /** How many rows pass the filter and have every price, and how many lack one. */
  readonly rankedCount: number;
  readonly excludedCount: number;
}

/**
 * Answers which offers can matter to a ranking: the best, those at both ends of cost and commission, and those that may
 * win at some weight. It answers with rows and never with a figure that is shown.
 */
export interface RowFilter {
  /**
   * `null` where it cannot tell, and every row may matter: figures that 32 bits do not tell apart, or a large limit.
   * What it reads for the first time is copied block by block, with a step after each.
   */
  readonly candidates: (
    blocks: readonly RankedBlock[],
    question: FilterQuestion,
  ) => Generator<undefined, Candidates | null>;
  /** For fewer rows than this it is not worth asking: the definition is as soon done. */
  readonly fewestRows: number;
  /** What it holds of WebAssembly memory: it grows towards a bound, and never shrinks. */
  readonly memoryBytes: () => number;
}

/** A module as `npm run wasm` makes it. */
export interface FilterModule {
  readonly base64: string;
  readonly length: number;
  readonly checksum: number;
}

/** All has a default. */
export interface FilterOptions {
  /** Memory for the numbers of offers, bytes; default 64 MiB, those of some 600 000 offers. */
  readonly maxBytes?: number;
  /** Fewer rows than this are priced by the definition as soon; default 192. */
  readonly fewestRows?: number;
  /** The module; default the one of this library. */
  readonly module?: FilterModule;
}

/** A filter, or why this machine has none: then every offer goes through the definition, and the answers are the same. */
export type FilterOrReason =
  | { readonly filter: RowFilter; readonly reason: null }
  | { readonly filter: null; readonly reason: string };

/** As much of WebAssembly as is used here: core knows no machine, so its types do not tell of one. */
declare const WebAssembly:
  | undefined
  | {
      readonly Memory: new (size: { readonly initial: number }) => WasmMemory;
      readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
      readonly Instance: new (
        module: object,
        imports: { readonly env: { readonly memory: WasmMemory } },
      ) => { readonly exports: { readonly candidates: (task: number) => number } };
    };
declare const atob: (base64: string) => string;

/** Makes a filter with a memory of its own. Nothing is thrown where the machine has no WebAssembly, or no SIMD. */
export function createRowFilter(options: FilterOptions = {}): FilterOrReason {
  const { maxBytes = 64 * 2 ** 20, fewestRows = 192, module = FILTER_MODULE } = options;
  try {
    const { run, memory } = instantiate(module);
    return { filter: filterOver(run, memory, { maxBytes, fewestRows }), reason: null };
  } catch (error) {
    return { filter: null, reason: String(error) };
  }
}

/** The module over a memory of its own. @throws whatever is in the way of it. */
export function instantiate(module: FilterModule): {
  readonly run: (task: number) => number;
  readonly memory: WasmMemory;
} {
  const bytes = Uint8Array.from(atob(module.base64), (char) => char.charCodeAt(0));
  const isWhole = bytes.length === module.length && checksumOf(bytes) === module.checksum;
  assert(isWhole, 'the bytes of the filter are not as they were made');
  assert(typeof WebAssembly !== 'undefined', 'there is no WebAssembly');
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } });
  return { run: exports.candidates, memory };
}

let shared: FilterOrReason | undefined;

/** The filter of this thread, made when it is first asked for; `null` where there is none. */
export function sharedFilter(): RowFilter | null {
  shared ??= createRowFilter();
  return shared.filter;
}

function filterOver(
  run: (task: number) => number,
  memory: WasmMemory,
  { maxBytes, fewestRows }: Required<Pick<FilterOptions, 'maxBytes' | 'fewestRows'>>,
): RowFilter {
  const room = createFilterMemory(memory, maxBytes);
  return {
    *candidates(blocks, question) {
      if (partsFor(question.limit) > MAX_PARTS) return null;
      yield* room.place(blocks, question);
      writeQuestion(room, blocks.length, question);
      const count = run(TASK);
      if (count < 0) return null;
      const { integers } = room.views();
      const at = TASK >> 2;
      return {
        rows: rowsByBlock(room, blocks, count),
        rankedCount: integers[at + RANKED] ?? 0,
        excludedCount: integers[at + EXCLUDED] ?? 0,
      };
    },
    fewestRows,
    memoryBytes: () => memory.buffer.byteLength,
  };
}

// The question as `assembly/filter.ts` reads it: integers and doubles by their place, then the columns that are used.

/** Where the module writes how many rows are ranked. */
export const RANKED = 14;
const EXCLUDED = 15;
const DOUBLES = 8;
const USES_BYTES = 120;
const USE_BYTES = 16;

/** Parts of the rows of which the highest is found: with four for each of the best hardly any other row is listed. */
function partsFor(limit: number): number {
  return Math.max(8, 2 ** Math.ceil(Math.log2(4 * limit)));
}

/** A column and what a customer multiplies it with. */
type Use = readonly [column: number, quantity: number];

/** The columns that a cost is made of, energy first; columns of nothing are left out. */
function usesOf({ customer, period }: Demand): { readonly energy: readonly Use[]; readonly rest: readonly Use[] } {
  const services: Use = [TERM.servicesPerMonth, period.months];
  if (customer.supplyType === 'GAS') {
    return { energy: [[TERM.energy, customer.consumptionKwh]], rest: [[TERM.fixedPerMonth, period.months], services] };
  }
  const { consumptionKwh, powerKw } = customer;
  const energy = consumptionKwh.map((kwh, i): Use => [TERM.energy + i, kwh]);
  const power = powerKw.map((kw, i): Use => [TERM.power + i, kw * period.days]);
  const isUsed = ([, quantity]: Use) => quantity !== 0;
  return { energy: energy.filter(isUsed), rest: [...power.filter(isUsed), services] };
}

/** Writes a question to where the module reads it. */
export function writeQuestion(room: FilterMemory, blockCount: number, question: FilterQuestion): void {
  const { demand, seesCommissions, withWinners, limit, weight, needed } = question;
  const { integers, floats, doubles } = room.views();
  const { blocks, costs, paid, micros, boxes, rows } = room.scratch();
  const { energy, rest } = usesOf(demand);
  const energyEnd = USES_BYTES + energy.length * USE_BYTES;
  const usesEnd = energyEnd + rest.length * USE_BYTES;
  const [sees, winners] = [Number(seesCommissions), Number(withWinners)];
  const asked = [blocks, blockCount, needed, sees, winners, limit, partsFor(limit), energyEnd, usesEnd];
  [...asked, costs, paid, micros, boxes, rows].forEach((value, place) => {
    integers[(TASK >> 2) + place] = value;
  });
  const exportedKwh = demand.customer.supplyType === 'LUZ' ? demand.customer.exportedKwh : 0;
  const { annualMwh, highestPowerKw, energyFeeEurPerYear, powerFeeEurPerYear } = demand;
  const figures = [weight, exportedKwh, demand.energyFeeEur + demand.powerFeeEur, annualMwh, highestPowerKw ?? 0];
  [...figures, energyFeeEurPerYear, powerFeeEurPerYear].forEach((value, place) => {
    doubles[(TASK >> 3) + DOUBLES + place] = value;
  });
  [...energy, ...rest].forEach(([column, quantity], place) => {
    const at = TASK + USES_BYTES + place * USE_BYTES;
    integers[at >> 2] = column;
    floats[(at >> 2) + 1] = quantity;
    doubles[(at >> 3) + 1] = quantity;
  });
}

/** The rows that were listed, by block: each begins with a group of its own. */
function rowsByBlock(
  room: FilterMemory,
  blocks: readonly RankedBlock[],
  count: number,
): readonly (readonly number[])[] {
  const { integers } = room.views();
  const end = (room.scratch().rows >> 2) + count;
  let at = end - count;
  let first = 0;
  return blocks.map(({ block }) => {
    const next = first + padded(block.rowCount);
    const rows: number[] = [];
    for (; at < end && (integers[at] ?? 0) < next; at++) rows.push((integers[at] ?? 0) - first);
    first = next;
    return rows;
  });
}
