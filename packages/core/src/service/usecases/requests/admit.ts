import type { BucketState } from '../../../engine/errors.ts';
import { DomainError } from '../../../engine/errors.ts';
import { say } from '../../../engine/messages/message.ts';
import type { Bucket } from '../../access/buckets.ts';
import type { Caller } from '../../access/caller.ts';
import { bucketsOf, CALLS_PER_MINUTE, type ExtraLimit, QUOTAS, unknownKeysFrom } from '../../access/limits.ts';
import { DEFAULT_FIRM_LIMIT } from '../../access/plan.ts';
import type { KeyRecord } from '../../accounts/account.ts';
import type { Clock, TakeResult } from '../../ports/machine.ts';
import type { Deps } from './deps.ts';

/** What identifies the sender of a call. */
interface Credentials {
  /** The API key as received; `null` when none was sent. */
  readonly key: string | null;
  /** The network address of the sender, as far as the proxy headers are trusted. */
  readonly address: string;
  /** A well-formed `traceparent`; left out: none. */
  readonly traceparent?: string | null;
}

/**
 * Identifies the caller. Text that cannot be one of our keys is refused without a query and without being counted.
 * Well-formed but unknown keys are counted by address. A valid key is never refused because of the wrong keys of
 * others, so it is looked up before anything is counted. A token that cannot be checked is counted as an unknown key.
 *
 * @throws DomainError `unauthenticated` for a missing, malformed, unknown, revoked or expired key (one answer for
 *   all), `rate_limited` for too many well-formed ones of these or unchecked ones, `account_inactive`, and
 *   `firm_inactive` for a key bound to a deactivated firm; `unavailable` for a token whose issuer does not answer.
 * @see docs/assumptions.md, A-25, A-39, A-40, A-100 and A-135
 */
export async function admit(
  deps: Pick<Deps, 'store' | 'clock' | 'secrets' | 'limiter' | 'tokens'>,
  { key, address, traceparent = null }: Credentials,
): Promise<Caller> {
  const secretHash = key === null ? null : deps.secrets.hashFor(key);
  const token = key !== null && secretHash === null && deps.tokens?.isToken(key) ? key : null;
  const record = token === null ? await recordOfKey(deps, secretHash) : await recordOfToken(deps, { token, address });
  const isCounted = secretHash !== null || token !== null;
  if (!isValid(record, deps.clock) && isCounted) await takeOrRefuse(deps, [unknownKeysFrom(address)]);
  return { ...callerOf(record, deps.clock), isByToken: token !== null, traceparent };
}

function isValid(record: KeyRecord | null, clock: Pick<Clock, 'now'>): record is KeyRecord {
  return record?.key.isActive === true && (record.key.expiresAt === null || clock.now() < record.key.expiresAt);
}

async function recordOfKey({ store }: Pick<Deps, 'store'>, secretHash: string | null): Promise<KeyRecord | null> {
  return secretHash === null ? null : await store.latest.keys.byHash(secretHash);
}

async function recordOfToken(
  deps: Pick<Deps, 'store' | 'limiter' | 'tokens'>,
  { token, address }: { readonly token: string; readonly address: string },
): Promise<KeyRecord | null> {
  const asked = deps.tokens?.keyIdOf(token).catch(async (error) => {
    // It may be junk: anybody can send what only a signature proves wrong.
    await takeOrRefuse(deps, [unknownKeysFrom(address)]);
    throw error;
  });
  const keyId = (await asked) ?? null;
  return keyId === null ? null : await deps.store.read((reader) => reader.keys.record(keyId));
}

/**
 * The caller of a key.
 *
 * @param record - `null`: there is no such key.
 * @throws DomainError `unauthenticated` for a missing, revoked or expired key, `account_inactive`, `firm_inactive`.
 */
export function callerOf(record: KeyRecord | null, clock: Pick<Clock, 'now'>): Caller {
  if (!isValid(record, clock)) {
    throw new DomainError('unauthenticated', { message: 'the API key is missing, invalid or inactive' });
  }
  if (!record.account.isActive) throw new DomainError('account_inactive', { message: 'the account is deactivated' });
  if (!record.firmIsActive) {
    throw new DomainError('firm_inactive', { message: 'the advisory firm of the API key is deactivated' });
  }
  const { key, account, subscription } = record;
  const active = subscription?.status === 'active' ? subscription : null;
  const plan = active?.plan ?? 'free';
  const ceilings = CALLS_PER_MINUTE[plan];
  return {
    accountId: account.id,
    keyId: key.id,
    firmId: key.firmId,
    fullAccess: key.fullAccess,
    scopes: new Set(key.scopes),
    isCatalogEditor: account.isCatalogEditor,
    firmLimit: active?.firmLimit ?? DEFAULT_FIRM_LIMIT.free,
    callsPerMinute: active?.callsPerMinute ?? ceilings.account,
    firmCallsPerMinute: active?.firmCallsPerMinute ?? ceilings.firm,
    plan,
    quotas: { ...QUOTAS[plan], ...active?.quotas },
    lastUsedAt: key.lastUsedAt,
    isByToken: false,
    traceparent: null,
  };
}

/**
 * Takes the points of one call: from the ceilings of the caller and from the limits of the operation, or from none of
 * them when one is empty.
 *
 * @param limits - Empty for a caller who may not call the operation, so that refused calls do not use up the limit of
 *   others.
 * @see docs/assumptions.md, A-40
 */
export function takeCallPoints(
  deps: Pick<Deps, 'limiter'>,
  caller: Caller,
  limits: readonly ExtraLimit[],
): Promise<TakeResult> {
  return deps.limiter.take(bucketsOf(caller, limits));
}

/**
 * Takes further points for a call that costs more than one, from all limits per minute of the caller or from none.
 *
 * @param points - At least 1.
 * @returns What is left.
 * @throws DomainError `rate_limited` when one of them has too few; `invalid_request` when it never has enough, so that
 *   nobody waits and sends it again.
 * @see docs/assumptions.md, A-54
 */
export async function takeMorePoints(
  deps: Pick<Deps, 'limiter'>,
  caller: Caller,
  points: number,
): Promise<readonly BucketState[]> {
  const buckets = bucketsOf(caller, []);
  const cost = points + 1;
  const small = buckets.toSorted((a, b) => a.points - b.points).find((bucket) => bucket.points < cost);
  if (small) {
    const { name, points: count, windowSeconds: seconds } = small;
    const message = say('costs {cost} points, and {name} never has more than {count} in {seconds} seconds', {
      ...{ cost, name, count, seconds },
    });
    throw new DomainError('invalid_request', { message });
  }
  return takeOrRefuse(deps, buckets, points);
}

/**
 * The bucket that limits the caller most: the one with the fewest points left, and of equal ones the one that is
 * refilled last.
 */
export function tightestOf(states: readonly BucketState[]): BucketState | null {
  const byTightness = states.toSorted((a, b) => a.remaining - b.remaining || b.resetSeconds - a.resetSeconds);
  return byTightness[0] ?? null;
}

/** The refusal of a call for which a bucket was empty. It names the empty bucket that is refilled last. */
export function rateLimited(states: readonly BucketState[]): DomainError {
  const empty = tightestOf(states);
  if (!empty) throw new RangeError('a call without buckets is not refused');
  const { name, points, windowSeconds, resetSeconds } = empty;
  return new DomainError('rate_limited', {
    message: say('too many requests: {name} allows {count} in {seconds} seconds', {
      ...{ name, count: points, seconds: windowSeconds },
    }),
    retryAfterSeconds: resetSeconds,
    limits: states,
  });
}

/** Takes points from each bucket, one when left out. @throws DomainError `rate_limited` when one of them has too few. */
export async function takeOrRefuse(
  deps: Pick<Deps, 'limiter'>,
  buckets: readonly Bucket[],
  points = 1,
): Promise<readonly BucketState[]> {
  const { accepted, states } = await deps.limiter.take(buckets, points);
  if (!accepted) throw rateLimited(states);
  return states;
}
