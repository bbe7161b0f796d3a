import type { Caller } from '../access/caller.ts';
import type { Imports } from '../ports/imports.ts';
import type { Clock, RateLimiter, Secrets, Tables } from '../ports/machine.ts';
import type { Store, WriteContext } from '../ports/stores.ts';
import type { Workbooks } from '../ports/workbooks.ts';
import type { RowFilter } from '../ranking/filter.ts';
import type { OfferCache } from './offer-cache.ts';
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
  readonly offerCache: OfferCache;
  /** What names the offers that can matter to a ranking; `null`: every offer is priced. */
  readonly filter?: RowFilter | null;
  readonly limiter: RateLimiter;
  /** Where calls are recorded. */
  readonly usageLog: UsageLog;
  /** Waits until the account may work: calls that come together keep nothing else waiting, and no other account. */
  readonly turn?: (accountId: number) => Promise<void>;
}

/** For a unit of work that changes the caller's own account and nothing else. */
export function ownWork({ clock }: Pick<Deps, 'clock'>, caller: Caller): WriteContext {
  return { keyId: caller.keyId, at: clock.now(), concerns: [caller.accountId] };
}
