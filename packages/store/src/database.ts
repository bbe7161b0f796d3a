import type { RateLimiter, Store } from '@tarifario/core/service';

/** Why a database cannot be used, in words for the operator. Any other error is a bug. */
export class DatabaseProblem extends Error {
  override readonly name = 'DatabaseProblem';
}

/** Connections to a database that are shared, and what wants one. */
interface Connections {
  readonly idle: number;
  readonly used: number;
  /** Transactions and reads that wait until one is free. */
  readonly waiting: number;
}

/** A database that is open. */
export interface Database {
  /** Closing it closes the database. */
  readonly store: Store;
  /**
   * A rate limiter shared by all processes on the database; `null`: the database is for one process, which can count in
   * memory.
   */
  readonly limiter: RateLimiter | null;
  /** How many long reads may run at once, so that connections remain for short ones. */
  readonly longReads: number;
  /** Those of this moment; `null`: the database is a file, which needs none. */
  connections(): Connections | null;
  /**
   * The names of pending migrations: none, unless the database was changed meanwhile. Cheap enough to call often.
   *
   * @throws Error when it cannot be used.
   */
  pending(): Promise<readonly string[]>;
}

/** What an operator needs to know about a database before it is used. */
export interface Examination {
  /** E.g. `PostgreSQL 17.5`. */
  readonly version: string;
  /** How far the clock of the database is ahead of the one of this machine; `null`: it is the same clock. */
  readonly clockAheadMs: number | null;
  /** Findings as texts; none: the database can be used and migrated. */
  readonly lacks: readonly string[];
}
