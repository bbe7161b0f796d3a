import type { MutatedFile } from './mutants.ts';

/** A change that gives the same program, with the reason. */
export interface Equivalent {
  readonly file: MutatedFile;
  /** The line as it is written, without outer space. */
  readonly line: string;
  /** As `<original> -> <replacement>`. */
  readonly changes: readonly string[];
  readonly proof: string;
}

export const EQUIVALENTS: readonly Equivalent[] = [];
