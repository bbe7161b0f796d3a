import { newStore } from '@tarifario/testkit/new-store';
import { beforeEach, describe, expect, it } from 'vitest';
import { refusalOf } from '../../../../testing/callers.ts';
import { firmTerms } from '../../../../testing/contract/world.ts';
import { DomainError } from '../../../engine/errors.ts';
import type { Caller } from '../../access/caller.ts';
import { QUOTAS } from '../../access/limits.ts';
import type { SubscriptionStatus } from '../../accounts/account.ts';
import type { RateLimiter } from '../../ports/machine.ts';
import type { Store } from '../../ports/stores.ts';
import { admit, rateLimited, tightestOf } from './admit.ts';

const AT = '2026-01-01T00:00:00.000Z';
const context = { keyId: null, at: AT };

let store: Store;
let deps: Parameters<typeof admit>[0];
let taken: string[];
let reads: number;
let now: string;
let accountId: number;
let firmId: number;

beforeEach(async () => {
  store = await newStore();
  reads = 0;
  taken = [];
  now = AT;
  deps = {
    store: {
      ...store,
      latest: {
        ...store.latest,
        keys: {
          byHash: (secretHash) => {
            reads += 1;
            return store.latest.keys.byHash(secretHash);
          },
        },
      },
      read: () => {
        throw new Error('one question needs no transaction');
      },
    },
    clock: { now: () => now, monotonicMs: () => 0 },
    limiter: limiterOf(() => true),
    secrets: {
      newKey: () => ({ key: 'key-1', prefix: 'key', secretHash: 'hash of key-1' }),
      newSalt: () => '',
      newWebhookSecret: () => '',
      sha256: (text) => text,
      hashFor: (key) => (key.startsWith('key-') ? `hash of ${key}` : null),
      hashPassword: async () => '',
      verifyPassword: async () => false,
      fingerprint: () => '',
      cipherFor: () => ({ seal: (text) => text, open: (token) => token }),
    },
  };
  await store.write(context, async (writer) => {
    const terms = { name: 'Cuenta', email: 'cuenta@example.com', passwordHash: '', isCatalogEditor: true };
    accountId = (await writer.accounts.insert(terms)).id;
    firmId = (await writer.firms.insert(accountId, firmTerms('Asesoría'))).id;
  });
});

async function newKey(key: string, boundFirmId: number | null = null, expiresAt: string | null = null) {
  const stored = await store.write(context, (writer) =>
    writer.keys.insert({
      accountId,
      firmId: boundFirmId,
      name: null,
      prefix: 'key',
      secretHash: `hash of ${key}`,
      fullAccess: false,
      scopes: ['offers:read'],
      expiresAt,
    }),
  );
  return stored.id;
}

async function subscribe(
  status: SubscriptionStatus,
  firmLimit: number,
  agreed: { readonly callsPerMinute?: number; readonly firmCallsPerMinute?: number; readonly quotas?: object } = {},
): Promise<void> {
  await store.write(context, (writer) =>
    writer.accounts.putSubscription(accountId, {
      plan: 'pro',
      status,
      firmLimit,
      trialEndsAt: null,
      currentPeriodEnd: '2026-12-01T00:00:00.000Z',
      callsPerMinute: null,
      firmCallsPerMinute: null,
      quotas: {},
      ...agreed,
    }),
  );
}

/** A limiter that records its buckets. */
function limiterOf(accepts: () => boolean): RateLimiter {
  return {
    take: async (buckets) => {
      taken.push(...buckets.map(({ key, points, windowSeconds }) => `${key} ${points}/${windowSeconds}`));
      return { accepted: accepts(), states: [{ ...STATE, remaining: 0 }] };
    },
    giveBack: async () => {},
  };
}

const STATE = { name: 'a', points: 60, windowSeconds: 60, remaining: 5, resetSeconds: 12 };

const enter = (key: string | null) => admit(deps, { key, address: '203.0.113.7' });

const codeOf = async (work: Promise<Caller>) => (await refusalOf(work)).code;

describe('admit', () => {
  it('returns the caller', async () => {
    const keyId = await newKey('key-1', firmId);
    await subscribe('active', 7);
    expect(await enter('key-1')).toEqual({
      accountId,
      keyId,
      firmId,
      fullAccess: false,
      scopes: new Set(['offers:read']),
      isCatalogEditor: true,
      firmLimit: 7,
      callsPerMinute: 150,
      firmCallsPerMinute: 40,
      plan: 'pro',
      quotas: QUOTAS.pro,
      lastUsedAt: null,
      isByToken: false,
      traceparent: null,
    });
  });

  it('A-136: the caller has the trace of its request', async () => {
    await newKey('key-1');
    const caller = await admit(deps, { key: 'key-1', address: '::1', traceparent: 'trace' });
    expect(caller.traceparent).toBe('trace');
  });

  it('A-63: the quotas are those of the plan of an active subscription, unless others were agreed', async () => {
    await newKey('key-1');
    const quotas = async () => (await enter('key-1')).quotas;
    expect(await quotas()).toEqual(QUOTAS.free);
    await subscribe('active', 7, { quotas: { offers: 12, months: 0 } });
    expect(await quotas()).toEqual({ ...QUOTAS.pro, offers: 12, months: 0 });
    await subscribe('cancelled', 7, { quotas: { offers: 12 } });
    expect(await quotas()).toEqual(QUOTAS.free);
  });

  it('A-40: runs no query for a missing or malformed key', async () => {
    for (const key of [null, '', 'junk']) expect(await codeOf(enter(key))).toBe('unauthenticated');
    expect(reads).toBe(0);
    expect(await codeOf(enter('key-unknown'))).toBe('unauthenticated');
    expect(reads).toBe(1);
  });

  it('A-40: counts well-formed unknown keys by address, and no others', async () => {
    await newKey('key-1');
    const revoked = await newKey('key-2');
    await store.write(context, (writer) => writer.keys.revoke(revoked));
    for (const key of [null, '', 'junk']) await codeOf(enter(key));
    await enter('key-1');
    expect(taken).toEqual([]);
    for (const key of ['key-unknown', 'key-2']) expect(await codeOf(enter(key))).toBe('unauthenticated');
    expect(taken).toEqual(['unknown_key:203.0.113.7 60/60', 'unknown_key:203.0.113.7 60/60']);
  });

  it('A-135: refuses a key from its end on as it refuses a revoked one, and not a millisecond before', async () => {
    await newKey('key-1', null, '2026-01-02T00:00:00.000Z');
    now = '2026-01-01T23:59:59.999Z';
    expect((await enter('key-1')).accountId).toBe(accountId);
    expect(taken).toEqual([]);
    for (now of ['2026-01-02T00:00:00.000Z', '2027-01-01T00:00:00.000Z']) {
      expect(await codeOf(enter('key-1'))).toBe('unauthenticated');
    }
    expect(taken).toEqual(['unknown_key:203.0.113.7 60/60', 'unknown_key:203.0.113.7 60/60']);
  });

  it('A-100: counts a token that cannot be checked as it counts an unknown key', async () => {
    const unavailable = new DomainError('unavailable', { message: 'the database is busy' });
    const keyIdOf = () => Promise.reject(unavailable);
    deps = { ...deps, tokens: { isToken: () => true, keyIdOf, secretFor: String, metadataUrl: '' } };
    expect(await codeOf(enter('token'))).toBe('unavailable');
    expect(taken).toEqual(['unknown_key:203.0.113.7 60/60']);
    deps = { ...deps, limiter: limiterOf(() => false) };
    expect(await codeOf(enter('token'))).toBe('rate_limited');
  });

  it('A-40: an address with too many unknown keys is refused, except for its valid keys', async () => {
    await newKey('key-1', firmId);
    deps = { ...deps, limiter: limiterOf(() => false) };
    expect(await codeOf(enter('key-unknown'))).toBe('rate_limited');
    expect(await codeOf(enter('junk'))).toBe('unauthenticated');
    expect((await enter('key-1')).firmId).toBe(firmId);
  });

  it('A-40: the limits are those of the plan of an active subscription, unless others were agreed', async () => {
    await newKey('key-1');
    const ceilings = async () => {
      const { callsPerMinute, firmCallsPerMinute } = await enter('key-1');
      return [callsPerMinute, firmCallsPerMinute];
    };
    expect(await ceilings()).toEqual([60, 30]);
    await subscribe('active', 7);
    expect(await ceilings()).toEqual([150, 40]);
    await subscribe('active', 7, { callsPerMinute: 9000 });
    expect(await ceilings()).toEqual([9000, 40]);
    await subscribe('active', 7, { firmCallsPerMinute: 1 });
    expect(await ceilings()).toEqual([150, 1]);
    await subscribe('cancelled', 7, { callsPerMinute: 9000, firmCallsPerMinute: 9000 });
    expect(await ceilings()).toEqual([60, 30]);
  });

  it('A-39: allows one firm without an active subscription', async () => {
    await newKey('key-1');
    expect((await enter('key-1')).firmLimit).toBe(1);
    await subscribe('cancelled', 7);
    expect((await enter('key-1')).firmLimit).toBe(1);
  });

  it('A-25: checks the key first, then the account, then the firm', async () => {
    const keyId = await newKey('key-1', firmId);
    await store.write(context, async (writer) => {
      const firm = await writer.firms.get(accountId, firmId);
      if (firm) await writer.firms.update(accountId, firmId, { ...firm, isActive: false });
    });
    expect(await codeOf(enter('key-1'))).toBe('firm_inactive');
    await store.write(context, (writer) => writer.accounts.update(accountId, { isActive: false }));
    expect(await codeOf(enter('key-1'))).toBe('account_inactive');
    await store.write(context, (writer) => writer.keys.revoke(keyId));
    expect(await codeOf(enter('key-1'))).toBe('unauthenticated');
  });
});

describe('A-40: of several buckets', () => {
  const account = { ...STATE, name: 'account', remaining: 100 };
  const client = { ...STATE, name: 'client', remaining: 3 };

  it('the tightest has the fewest points left, and of equal ones the latest reset', () => {
    expect(tightestOf([account, client])?.name).toBe('client');
    expect(tightestOf([client, account])?.name).toBe('client');
    const hourly = { ...client, name: 'account_edit', resetSeconds: 3000 };
    expect(tightestOf([client, hourly])?.name).toBe('account_edit');
    expect(tightestOf([])).toBeNull();
  });

  it('a refusal has the time until the last empty one is reset', () => {
    const empty = [account, { ...client, remaining: 0 }, { ...client, name: 'hourly', remaining: 0, resetSeconds: 99 }];
    const message = 'too many requests: hourly allows 60 in 60 seconds';
    expect(rateLimited(empty)).toMatchObject({ code: 'rate_limited', message, details: { retryAfterSeconds: 99 } });
  });
});
