import type { Bucket, BucketState } from '../access/buckets.ts';

/** The time, from outside: core has no clock of its own. */
export interface Clock {
  /** UTC, `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  now(): string;
  /** Milliseconds since some moment in the past, with fractions. Never goes back: for measuring how long things take. */
  monotonicMs(): number;
}

/** A new API key: shown once, stored as its hash. */
interface NewKey {
  readonly key: string;
  readonly prefix: string;
  readonly secretHash: string;
}

/** Keys and passwords. */
export interface Secrets {
  /** A key with a 256-bit secret and a checksum. */
  newKey(): NewKey;
  /** The hash under which a key is stored, or `null` for text that cannot be a key of ours (wrong form or checksum). */
  hashFor(key: string): string | null;
  /** A PHC string. */
  hashPassword(password: string): Promise<string>;
  verifyPassword(passwordHash: string, password: string): Promise<boolean>;
  /**
   * A short text for a long one: equal for equal pieces in a row under the same API key. Who has the result and not the
   * key cannot try out what the text was, though it held a password.
   */
  fingerprint(key: string, pieces: Iterable<string | Uint8Array>): string;
}

/** A value of a table; `null`: an empty cell. */
export type Cell = string | number | boolean | null;

/** For whom a CSV is made. */
export interface CsvForm {
  /** `;`: as a spreadsheet in Spanish reads it, with decimal commas and a byte order mark. */
  readonly separator: ',' | ';';
}

/** Tables as files. */
export interface Tables {
  /**
   * RFC 4180 text in UTF-8, in pieces of some rows each, made as they are taken. No text can be run as a formula by a
   * spreadsheet; numbers stay numbers.
   *
   * @param rows - The first one is the header; all are equally long, with at least two cells.
   */
  csv(rows: Iterable<readonly Cell[]>, form: CsvForm): Iterable<string>;
}

/** What became of a `take`. */
export interface Taken {
  /** `false`: some bucket had not as many points as were asked for, and nothing was taken from any. */
  readonly accepted: boolean;
  /** In the order of the buckets asked. */
  readonly states: readonly BucketState[];
}

/** Counts calls in fixed windows, shared by everything that must respect the same limits. */
export interface RateLimiter {
  /**
   * Takes points from each bucket, or from none when one of them has less. Atomic under concurrent calls.
   *
   * @param points - At least 1; one when left out.
   */
  take(buckets: readonly Bucket[], points?: number): Promise<Taken>;
  /** What a `take` would find, without taking. */
  look(buckets: readonly Bucket[]): Promise<Taken>;
  /** Gives one point back to each bucket. */
  giveBack(buckets: readonly Bucket[]): Promise<void>;
}
