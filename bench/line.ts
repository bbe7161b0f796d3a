/** What a ratio should come to. */
export type Goal = { readonly atMost: number } | { readonly atLeast: number };

/** One comparison: a row of the table. */
export interface Row {
  readonly what: string;
  /** Microseconds, ours and theirs. */
  readonly oursMicros: number;
  readonly peer: string;
  readonly peerMicros: number;
  /** The two figures are bytes and not microseconds. */
  readonly inBytes?: true;
  /** What the ratio is: our time in theirs ("so many times theirs"), or theirs in ours ("so many times faster"). */
  readonly ratio: 'ours/theirs' | 'theirs/ours';
  /** `null`: only to be seen. */
  readonly goal: Goal | null;
}

/** A part of the benchmark. Its comment says what is compared. */
export interface Line {
  readonly name: string;
  /** Rows, or why there are none. */
  run(): Promise<readonly Row[] | NotRun>;
}

export interface NotRun {
  readonly notRun: string;
}

/** A peer that does not answer the same question: its row would mean nothing. */
export class VoidRow extends Error {}

export function line(terms: Line): Line {
  return terms;
}

/** @throws VoidRow when two lists of ids differ. */
export function expectSameIds(peer: string, ours: readonly number[], theirs: readonly number[]): void {
  if (ours.length === theirs.length && ours.every((id, place) => id === theirs[place])) return;
  const place = ours.findIndex((id, index) => id !== theirs[index]);
  throw new VoidRow(`${peer} gives other ids: at place ${place + 1} ${theirs[place]} in place of ${ours[place]}`);
}
