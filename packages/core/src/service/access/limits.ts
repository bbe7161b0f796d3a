import type { Bucket } from './buckets.ts';
import type { Plan } from './plan.ts';

/** Calls per minute that a plan allows: to an account, and to all keys bound to one advisory firm together. */
export const CALLS_PER_MINUTE: Readonly<Record<Plan, { readonly account: number; readonly firm: number }>> = {
  free: { account: 60, firm: 30 },
  trial: { account: 60, firm: 30 },
  starter: { account: 60, firm: 30 },
  pro: { account: 150, firm: 40 },
  business: { account: 400, firm: 60 },
};

/** How many records an owner has, or may have. Inactive ones count: they are stored. */
export interface RecordTotals {
  readonly companies: number;
  readonly offers: number;
  /** Monthly prices of all its offers. */
  readonly months: number;
}

/** How many bytes an owner has stored, or may store, besides its records. */
export interface StoredBytes {
  /** Of versions of its offers, which are never deleted. */
  readonly historyBytes: number;
  /** None of the catalog. */
  readonly proposalsBytes: number;
}

/** What a version takes at least. */
export const LEAST_VERSION_BYTES = 500;

/** What an account may store. */
export type Quotas = RecordTotals & StoredBytes;

/** The kinds of an owner's records that are counted. */
export const RECORD_KINDS = ['companies', 'offers', 'months'] as const satisfies readonly (keyof RecordTotals)[];

/**
 * What an account may store on a plan when its subscription says nothing else: more than an honest one needs.
 */
export const QUOTAS: Readonly<Record<Plan, Quotas>> = {
  free: { companies: 250, offers: 5_000, months: 50_000, historyBytes: 200e6, proposalsBytes: 100e6 },
  trial: { companies: 500, offers: 10_000, months: 100_000, historyBytes: 400e6, proposalsBytes: 200e6 },
  starter: { companies: 1_000, offers: 20_000, months: 200_000, historyBytes: 1e9, proposalsBytes: 500e6 },
  pro: { companies: 5_000, offers: 100_000, months: 1_000_000, historyBytes: 5e9, proposalsBytes: 2e9 },
  business: { companies: 40_000, offers: 500_000, months: 5_000_000, historyBytes: 25e9, proposalsBytes: 10e9 },
};

/** What the shared catalog may hold. */
export const CATALOG_QUOTA: Quotas = {
  ...{ companies: 5_000, offers: 100_000, months: 2_000_000, historyBytes: 10e9, proposalsBytes: 0 },
};

/**
 * Limits of some operations, in addition to the limit on all calls. `per`: whose calls are counted together. That of
 * `bulk_patch` also bounds rows.
 */
export const EXTRA_LIMITS = {
  bulk_patch: { points: 30, windowSeconds: 60, per: 'account' },
  bulk_update: { points: 10, windowSeconds: 3600, per: 'account' },
  catalog_bulk_update: { points: 10, windowSeconds: 3600, per: 'account' },
  account_edit: { points: 30, windowSeconds: 3600, per: 'account' },
  key_create: { points: 30, windowSeconds: 3600, per: 'account' },
  // Each may take a hundred times what the rest of a firm does.
  logos: { points: 120, windowSeconds: 3600, per: 'account' },
  password: { points: 5, windowSeconds: 300, per: 'account' },
  catalog_write: { points: 120, windowSeconds: 60, per: 'key' },
  key_proposals: { points: 60, windowSeconds: 3600, per: 'key' },
  // More than one key may make, so that none leaves the others without.
  proposals: { points: 300, windowSeconds: 3600, per: 'account' },
  // Each asks a server of somebody else.
  webhook_sends: { points: 30, windowSeconds: 3600, per: 'account' },
} as const;
/** A limit that an operation may have in addition to the limit on all calls. */
export type ExtraLimit = keyof typeof EXTRA_LIMITS;

/** Wrong current passwords of one account, over both endpoints that ask for it. */
const WRONG_PASSWORDS = { points: 5, windowSeconds: 300 } as const;
/** Calls with well-formed but unknown keys, from one network. */
const UNKNOWN_KEYS = { points: 60, windowSeconds: 60 } as const;

/** The bucket that counts wrong current passwords of an account. */
export function wrongPasswordsOf(accountId: number): Bucket {
  return { name: 'wrong_password', key: `wrong_password:${accountId}`, ...WRONG_PASSWORDS };
}

/** The bucket that counts unknown keys from a network. */
export function unknownKeysFrom(address: string): Bucket {
  return { name: 'unknown_key', key: `unknown_key:${networkOf(address)}`, ...UNKNOWN_KEYS };
}

/**
 * The network whose calls are counted together: for IPv6 the first 64 bits, because every subscriber can choose among
 * the addresses below them; for IPv4, also when written as IPv6, the address itself. Any other text is returned as it
 * is.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.toLowerCase().split('%');
  const [, mapped] = /^::ffff:(\d+(?:\.\d+){3})$/.exec(plain) ?? [];
  if (mapped !== undefined) return mapped;
  if (!/^[\da-f.]*:[\da-f:.]+$/.test(plain)) return address;
  const [first = [], last] = plain.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  // An IPv4 address at the end takes the place of two groups.
  const missing = 8 - first.length - (last?.length ?? 0) - Number(plain.includes('.'));
  const zeros = last === undefined ? [] : Array.from({ length: Math.max(0, missing) }, () => '0');
  const network = [...first, ...zeros, ...(last ?? [])].slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
}

/** Whose calls are counted, and the limits per minute. */
interface RateHolder {
  readonly accountId: number;
  readonly keyId: number;
  readonly firmId: number | null;
  readonly callsPerMinute: number;
  readonly firmCallsPerMinute: number;
}

const CEILING_WINDOW_SECONDS = 60;

/**
 * The buckets of one call, which takes a point from each of them or from none: that of the account, for a bound key
 * that of the firm, and those of the operation.
 *
 * @see docs/assumptions.md, A-40
 */
export function bucketsOf(holder: RateHolder, extra: readonly ExtraLimit[]): readonly Bucket[] {
  const { accountId, callsPerMinute, firmId, firmCallsPerMinute } = holder;
  const windowSeconds = CEILING_WINDOW_SECONDS;
  const account = { name: 'account', key: `account:${accountId}`, points: callsPerMinute, windowSeconds };
  const client = { name: 'client', key: `client:${firmId}`, points: firmCallsPerMinute, windowSeconds };
  return [account, ...(firmId === null ? [] : [client]), ...extra.map((name) => extraBucketOf(holder, name))];
}

/** The bucket of an extra limit. */
export function extraBucketOf({ accountId, keyId }: Pick<RateHolder, 'accountId' | 'keyId'>, name: ExtraLimit): Bucket {
  const { points, windowSeconds, per } = EXTRA_LIMITS[name];
  return { name, key: `${name}:${per === 'key' ? keyId : accountId}`, points, windowSeconds };
}
