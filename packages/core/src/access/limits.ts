import type { Plan } from '../accounts/account.ts';

/** Calls per minute that a plan allows: to an account, and to all keys bound to one advisory firm together. */
export const CALLS_PER_MINUTE: Readonly<Record<Plan, { readonly account: number; readonly firm: number }>> = {
  free: { account: 60, firm: 30 },
  trial: { account: 60, firm: 30 },
  starter: { account: 60, firm: 30 },
  pro: { account: 150, firm: 40 },
  business: { account: 400, firm: 60 },
};

/** Limits beyond the ceiling on all calls. `per`: whose calls are counted together. */
export const EXTRA_LIMITS = {
  bulk_patch: { points: 30, windowSeconds: 60, per: 'account' },
  bulk_update: { points: 10, windowSeconds: 3600, per: 'account' },
  catalog_bulk_update: { points: 10, windowSeconds: 3600, per: 'account' },
  account_edit: { points: 30, windowSeconds: 3600, per: 'account' },
  password: { points: 5, windowSeconds: 300, per: 'account' },
  catalog_write: { points: 120, windowSeconds: 60, per: 'key' },
} as const;
/** A limit that an operation may have besides the ceiling. */
export type ExtraLimit = keyof typeof EXTRA_LIMITS;

/** Wrong current passwords of one account, over both endpoints that ask for it. */
export const WRONG_PASSWORDS = { points: 5, windowSeconds: 300 } as const;
/** Well-formed keys that nobody has, from one address. */
export const UNKNOWN_KEYS = { points: 60, windowSeconds: 60 } as const;

/** The bucket from which a wrong current password of an account takes a point. */
export function wrongPasswordsOf(accountId: number): Bucket {
  return { name: 'wrong_password', key: `wrong_password:${accountId}`, ...WRONG_PASSWORDS };
}

/** The bucket from which an unknown key takes a point. */
export function unknownKeysFrom(address: string): Bucket {
  return { name: 'unknown_key', key: `unknown_key:${address}`, ...UNKNOWN_KEYS };
}

/** A count of points in fixed windows. */
export interface Bucket {
  /** Shown in the answer's headers. */
  readonly name: string;
  /** Whose points these are, unique over all buckets. */
  readonly key: string;
  /** Points of one window, at least 1. */
  readonly points: number;
  readonly windowSeconds: number;
}

/** Whose calls are counted, and their ceilings per minute. */
export interface RateHolder {
  readonly accountId: number;
  readonly keyId: number;
  readonly firmId: number | null;
  readonly callsPerMinute: number;
  readonly firmCallsPerMinute: number;
}

const CEILING_WINDOW_SECONDS = 60;

/**
 * The buckets from which one call takes a point each, or none: the account's, for a bound key the firm's, and those of
 * the operation.
 *
 * @see docs/assumptions.md, A-40
 */
export function bucketsOf(holder: RateHolder, extra: readonly ExtraLimit[]): readonly Bucket[] {
  const { accountId, firmId, callsPerMinute, firmCallsPerMinute } = holder;
  const windowSeconds = CEILING_WINDOW_SECONDS;
  const account = { name: 'account', key: `account:${accountId}`, points: callsPerMinute, windowSeconds };
  const client = { name: 'client', key: `client:${firmId}`, points: firmCallsPerMinute, windowSeconds };
  return [account, ...(firmId === null ? [] : [client]), ...extra.map((name) => extraBucketOf(holder, name))];
}

/** The bucket of a limit beyond the ceilings. */
export function extraBucketOf({ accountId, keyId }: Pick<RateHolder, 'accountId' | 'keyId'>, name: ExtraLimit): Bucket {
  const { points, windowSeconds, per } = EXTRA_LIMITS[name];
  return { name, key: `${name}:${per === 'key' ? keyId : accountId}`, points, windowSeconds };
}
