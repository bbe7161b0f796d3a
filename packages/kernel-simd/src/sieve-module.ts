import { type LoadedModule, load } from './module.ts';

/** What `assembly/portfolio.ts` exports; every argument but counts and figures is an address in the memory. */
export interface SieveExports {
  readonly narrowTerms: (from: number, to: number, rows: number) => void;
  readonly narrowLines: (from: number, to: number, rows: number) => void;
  readonly lackingOf: (mask: number, rows: number, needed: number, to: number) => number;
  readonly costsOfFour: (
    terms: number,
    lacking: number,
    groups: number,
    block: number,
    to: number,
    stride: number,
  ) => void;
  readonly paysOf: (
    consumption: number,
    power: number,
    lacking: number,
    groups: number,
    annualMwh: number,
    powerKw: number,
    to: number,
  ) => void;
  readonly endsOf: (values: number, chunks: number, ends: number, found: number) => void;
  readonly atMost: (values: number, ends: number, chunks: number, bound: number, to: number) => number;
  readonly atLeast: (values: number, ends: number, chunks: number, bound: number, to: number) => number;
  readonly highestLines: (
    costs: number,
    pays: number,
    chunks: number,
    perCostEur: number,
    perPaidEur: number,
    tops: number,
    highest: number,
    vectors: number,
  ) => void;
  readonly reaching: (
    costs: number,
    pays: number,
    chunks: number,
    perCostEur: number,
    perPaidEur: number,
    tops: number,
    bound: number,
    to: number,
  ) => number;
}

/** The sieve over a memory of its own, or `null` where WebAssembly or its SIMD is missing. */
export function loadSieve(initialPages: number): LoadedModule<SieveExports> | null {
  return load<SieveExports>('portfolio.wasm', initialPages);
}
