import type { Caller } from '../access/caller.ts';
import type { Imports } from '../ports/imports.ts';
import type { Clock, RateLimiter, Secrets, Tables } from '../ports/machine.ts';
import type { Store, WriteContext } from '../ports/stores.ts';
import type { Workbooks } from '../ports/workbooks.ts';
import type { RankingKernel } from '../ranking/kernel.ts';
import type { Sieve } from '../ranking/sieve.ts';
import type { Shelves } from './shelves.ts';
import type { UsageLog } from './usage-log.ts';

/** Everything that the use cases are given. */
export interface Deps {
  readonly store: Store;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly tables: Tables;
  readonly workbooks: Workbooks;
  /** Where files are applied. */
  readonly imports: Imports;
  /** Compiled offers kept in memory between rankings. */
  readonly shelves: Shelves;
  /** What ranks; left out, the plain one. */
  readonly kernel?: RankingKernel;
  /** What leaves offers out before many customers are ranked; left out or `null`, nothing does. */
  readonly sieve?: Sieve | null;
  readonly limiter: RateLimiter;
  /** Where calls are recorded. */
  readonly usageLog: UsageLog;
  /** Waits until it is one's turn to work: calls that come together do not keep everything else waiting. */
  readonly turn?: () => Promise<void>;
}

/** For a unit of work that changes the caller's own account and nothing else. */
export function ownWork({ clock }: Pick<Deps, 'clock'>, caller: Caller): WriteContext {
  return { keyId: caller.keyId, at: clock.now(), concerns: [caller.accountId] };
}
