import type { RegulatedPrice } from '../../../engine/power/regulated-prices.ts';
import type { Rate } from '../../../engine/taxes/rates.ts';
import type { Imports } from '../../ports/imports.ts';
import type { Clock, RateLimiter, Secrets, Tables, Tokens } from '../../ports/machine.ts';
import type { Revisions } from '../../ports/records.ts';
import type { Store } from '../../ports/stores.ts';
import type { Workbooks } from '../../ports/workbooks.ts';
import type { LimitWatch } from '../memory/limit-watch.ts';
import type { OfferCache } from '../memory/offer-cache.ts';
import type { UsageLog } from '../memory/usage-log.ts';

/** Who is behind the comparisons of an installation: what its operator says; `null`: nothing. */
export interface Imprint {
  readonly owner: string | null;
  /** Who pays for it. */
  readonly financing: string | null;
  /** Where an error is reported. */
  readonly contact: string | null;
}

/** The dependencies of the use cases. */
export interface Deps {
  readonly store: Store;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly tables: Tables;
  readonly workbooks: Workbooks;
  readonly imports: Imports;
  /** Compiled offers kept in memory between rankings. */
  readonly offerCache: OfferCache;
  /** `true`: webhooks may name programs of this machine, as for development; left out: they may not. */
  readonly takesLocalReceivers?: boolean;
  /** The rates of bills with those of the operator; left out: the table of core. */
  readonly rates?: readonly Rate[];
  /** The regulated prices of power with those of the operator; left out: the table of core. */
  readonly regulatedPrices?: readonly RegulatedPrice[];
  /** What the operator says of the installation; left out: nothing. */
  readonly imprint?: Imprint;
  readonly limiter: RateLimiter;
  /** Absent: only API keys are accepted. */
  readonly tokens?: Tokens | undefined;
  readonly usageLog: UsageLog;
  /** Absent: nobody is told of limits. */
  readonly limitWatch?: LimitWatch;
  /**
   * Yields to the event loop until it is the account's turn, so that many calls at once block neither other events nor
   * other accounts.
   */
  readonly yieldToEventLoop?: (accountId: number) => Promise<void>;
  /** The present revisions of the caller's offers and the catalog, where the request has read them already. */
  readonly revisions?: Revisions;
}
