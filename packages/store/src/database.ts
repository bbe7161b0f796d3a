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
