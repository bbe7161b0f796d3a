import type { RateLimiter, Store } from '@tarifario/core/service';

/** A database that is open. */
export interface Database {
  /** Closing it closes the database. */
  readonly store: Store;
  /** Counts for every process on the database; `null`: it is for one process, which can count by itself. */
  readonly limiter: RateLimiter | null;
  /** Long reads that may be under way at once: those leave connections to short ones. */
  readonly longReads: number;
  /**
   * Names of the migrations that it lacks: none, unless somebody changed it meanwhile. Cheap enough to be asked often.
   *
   * @throws Error when it cannot be used.
   */
  pending(): Promise<readonly string[]>;
}

/** What an operator wants to know of a database before anything relies on it. */
export interface Examination {
  /** E.g. `PostgreSQL 17.5`. */
  readonly version: string;
  /** How far the clock of the database is ahead of the one of this machine; `null`: it is the same clock. */
  readonly clockAheadMs: number | null;
  /** Each in words; none: it can be used and brought up to date. */
  readonly lacks: readonly string[];
}
