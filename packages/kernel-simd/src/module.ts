import { readFileSync } from 'node:fs';

/** What `assembly/index.ts` exports; every argument but counts and figures is an address in the memory. */
export interface KernelExports {
  readonly columnsOf: (from: number, to: number, rows: number, bounds: number) => void;
  readonly linesOf: (from: number, to: number, rows: number, bounds: number) => void;
  readonly price: (
    blocks: number,
    count: number,
    demand: number,
    found: number,
    costs: number,
    commissions: number,
    boxes: number,
  ) => void;
  readonly nearEnds: (
    boxes: number,
    groups: number,
    costs: number,
    commissions: number,
    ends: number,
    to: number,
  ) => number;
  readonly best: (
    boxes: number,
    groups: number,
    costs: number,
    commissions: number,
    perCost: number,
    perCommission: number,
    highest: number,
    parts: number,
    limit: number,
    margin: number,
    to: number,
  ) => number;
  readonly reachingEdge: (
    boxes: number,
    groups: number,
    costs: number,
    commissions: number,
    edge: number,
    to: number,
  ) => number;
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  readonly grow: (pages: number) => number;
}

/** As much of WebAssembly as is used here: the types of Node do not tell it. */
declare const WebAssembly:
  | undefined
  | {
      readonly validate: (bytes: Uint8Array<ArrayBuffer>) => boolean;
      readonly Memory: new (size: { readonly initial: number }) => WasmMemory;
      readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
      readonly Instance: new <Exports>(
        module: object,
        imports: { readonly env: { readonly memory: WasmMemory } },
      ) => { readonly exports: Exports };
    };

/** The bytes that `npm run wasm` makes of `assembly/`. */
const BYTES = new URL('../wasm/', import.meta.url);

/** A module over a memory of its own. */
export interface LoadedModule<Exports> {
  readonly memory: WasmMemory;
  readonly exports: Exports;
}

/** The kernel over a memory of its own, or `null` where WebAssembly or its SIMD is missing. */
export function instantiate(initialPages: number): LoadedModule<KernelExports> | null {
  return load<KernelExports>('kernel.wasm', initialPages);
}

/** Some of the bytes over a memory of their own, or `null` where WebAssembly or its SIMD is missing. */
export function load<Exports>(file: string, initialPages: number): LoadedModule<Exports> | null {
  const bytes = readFileSync(new URL(file, BYTES));
  if (typeof WebAssembly === 'undefined' || !WebAssembly.validate(bytes)) return null;
  const memory = new WebAssembly.Memory({ initial: initialPages });
  const { exports } = new WebAssembly.Instance<Exports>(new WebAssembly.Module(bytes), { env: { memory } });
  return { memory, exports };
}
