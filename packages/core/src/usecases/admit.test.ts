import { type Caller, createShelves, type Deps, DomainError, type SubscriptionStatus } from '@tarifario/core';
import { createMemoryStore } from '@tarifario/core/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { admit } from './admit.ts';

const AT = '2026-01-01T00:00:00.000Z';
const context = { keyId: null, at: AT };

let deps: Deps;
let reads: number;
let accountId: number;
let firmId: number;

beforeEach(async () => {
  const store = createMemoryStore();
  reads = 0;
  deps = {
    store: {
      ...store,
      read: (work) => {
        reads += 1;
        return store.read(work);
      },
    },
    clock: { now: () => AT },
    shelves: createShelves(),
    secrets: {
      newKey: () => ({ key: 'key-1', prefix: 'key', secretHash: 'hash of key-1' }),
      hashFor: (key) => (key.startsWith('key-') ? `hash of ${key}` : null),
      hashPassword: async () => '',
      verifyPassword: async () => false,
    },
  };
  await store.write(context, async (writer) => {
    const account = await writer.insertAccount({
      name: 'Cuenta',
      email: 'cuenta@example.com',
      passwordHash: '',
      isCatalogEditor: true,
    });
    const firm = await writer.insertFirm(account.id, {
      name: 'Asesoría',
      imageUrl: null,
      catalogDefault: 'all',
      isActive: true,
    });
    accountId = account.id;
    firmId = firm.id;
  });
});

async function newKey(key: string, boundFirmId: number | null = null): Promise<number> {
  const stored = await deps.store.write(context, (writer) =>
    writer.insertKey({
      accountId,
      firmId: boundFirmId,
      name: null,
      prefix: 'key',
      secretHash: `hash of ${key}`,
      fullAccess: false,
      scopes: ['offers:read'],
    }),
  );
  return stored.id;
}

async function subscribe(status: SubscriptionStatus, firmLimit: number): Promise<void> {
  await deps.store.write(context, (writer) =>
    writer.putSubscription(accountId, {
      plan: 'pro',
      status,
      firmLimit,
      trialEndsAt: null,
      currentPeriodEnd: null,
      callsPerMinute: null,
      firmCallsPerMinute: null,
    }),
  );
}

async function codeOf(work: Promise<Caller>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof DomainError)) throw new Error('a refusal was expected');
  return error.code;
}

describe('admit', () => {
  it('says who calls', async () => {
    const keyId = await newKey('key-1', firmId);
    await subscribe('active', 7);
    expect(await admit(deps, 'key-1')).toEqual({
      accountId,
      keyId,
      firmId,
      fullAccess: false,
      scopes: new Set(['offers:read']),
      isCatalogEditor: true,
      firmLimit: 7,
    });
  });

  it('A-40: spends no query on a missing key or on text that cannot be one', async () => {
    for (const key of [null, '', 'junk']) expect(await codeOf(admit(deps, key))).toBe('unauthenticated');
    expect(reads).toBe(0);
    expect(await codeOf(admit(deps, 'key-unknown'))).toBe('unauthenticated');
    expect(reads).toBe(1);
  });

  it('A-39: allows one firm without an active subscription', async () => {
    await newKey('key-1');
    expect((await admit(deps, 'key-1')).firmLimit).toBe(1);
    await subscribe('cancelled', 7);
    expect((await admit(deps, 'key-1')).firmLimit).toBe(1);
  });

  it('A-25: checks the key first, then the account, then the firm', async () => {
    const keyId = await newKey('key-1', firmId);
    await deps.store.write(context, async (writer) => {
      const firm = await writer.firm(accountId, firmId);
      if (firm) await writer.updateFirm(accountId, firmId, { ...firm, isActive: false });
    });
    expect(await codeOf(admit(deps, 'key-1'))).toBe('firm_inactive');
    await deps.store.write(context, (writer) => writer.updateAccount(accountId, { isActive: false }));
    expect(await codeOf(admit(deps, 'key-1'))).toBe('account_inactive');
    await deps.store.write(context, (writer) => writer.revokeKey(keyId));
    expect(await codeOf(admit(deps, 'key-1'))).toBe('unauthenticated');
  });
});
