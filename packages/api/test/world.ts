import { createHash } from 'node:crypto';
import {
  type Account,
  type CatalogDefault,
  createShelves,
  draftOffer,
  type MonthlyPrice,
  type Offer,
  type OfferChanges,
  type Plan,
  type RequiredTerms,
  type Scope,
  type Secrets,
  type Store,
} from '@tarifario/core';
import { createMemoryStore } from '@tarifario/core/testing';
import { type ApiAnswer, createDispatch, type Operation, operations } from '../src/index.ts';
import { COMMON_REFUSALS } from '../src/operation.ts';

/** What is sent to an operation; texts and lists of texts in the query, as an address carries them. */
export interface Sent {
  readonly key?: string | null;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | readonly string[]>> | string;
  readonly body?: unknown;
}

/** A whole service in memory: a store, a clock that ticks a second per look, keys, and every error that was a bug. */
export interface World {
  readonly store: Store;
  readonly bugs: unknown[];
  readonly fullKey: string;
  readonly account: Account;
  call(operationId: string, sent?: Sent): Promise<ApiAnswer>;
  /** As `call`, for a success: the body. */
  ask(operationId: string, sent?: Sent): Promise<Record<string, unknown>>;
  newAccount(options?: { readonly plan?: Plan; readonly firmLimit?: number }): Promise<Account>;
  newKey(
    accountId: number,
    options?: { readonly firmId?: number; readonly scopes?: readonly Scope[] },
  ): Promise<string>;
  /** Writes that no operation offers yet. */
  newCatalogCompany(name: string, options?: { readonly isActive?: boolean }): Promise<number>;
  newCatalogOffer(required: RequiredTerms, changes: OfferChanges, months?: readonly MonthlyPrice[]): Promise<Offer>;
}

const AT = '2026-01-01T00:00:00.000Z';

export function operationOf(id: string): Operation {
  const operation = operations.find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`no operation ${id}`);
  return operation;
}

function queryOf(query: Sent['query'] = {}): URLSearchParams {
  if (typeof query === 'string') return new URLSearchParams(query);
  const result = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const text of typeof value === 'string' ? [value] : value) result.append(name, text);
  }
  return result;
}

/** Keys `test-<n>` with a checksum that is a bang. */
function createFakeSecrets(): Secrets {
  let count = 0;
  const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');
  return {
    newKey: () => {
      count += 1;
      const key = `test-${count}!`;
      return { key, prefix: key.slice(0, 6), secretHash: hashOf(key) };
    },
    hashFor: (key) => (/^test-\d+!$/.test(key) ? hashOf(key) : null),
    hashPassword: async (password) => `$fake$${password}`,
    verifyPassword: async (passwordHash, password) => passwordHash === `$fake$${password}`,
  };
}

export async function createWorld(store: Store = createMemoryStore()): Promise<World> {
  const secrets = createFakeSecrets();
  const bugs: unknown[] = [];
  let seconds = 0;
  const now = () => {
    seconds += 1;
    return new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();
  };
  const deps = { store, clock: { now }, secrets, shelves: createShelves() };
  const dispatch = createDispatch({ ...deps, reportBug: (error) => bugs.push(error) });
  const context = { keyId: null, at: AT };
  let accounts = 0;

  const newAccount: World['newAccount'] = async ({ plan = 'business', firmLimit = 100 } = {}) => {
    accounts += 1;
    const email = `cuenta${accounts}@example.com`;
    return store.write(context, async (writer) => {
      const account = await writer.insertAccount({ name: email, email, passwordHash: '', isCatalogEditor: false });
      await writer.putSubscription(account.id, {
        plan,
        status: 'active',
        firmLimit,
        trialEndsAt: null,
        currentPeriodEnd: null,
        callsPerMinute: null,
        firmCallsPerMinute: null,
      });
      return account;
    });
  };

  const newKey: World['newKey'] = async (accountId, { firmId, scopes } = {}) => {
    const { key, prefix, secretHash } = secrets.newKey();
    const fullAccess = scopes === undefined;
    const terms = {
      accountId,
      firmId: firmId ?? null,
      name: null,
      prefix,
      secretHash,
      fullAccess,
      scopes: scopes ?? [],
    };
    await store.write(context, (writer) => writer.insertKey(terms));
    return key;
  };

  const account = await newAccount();
  const fullKey = await newKey(account.id);

  const call: World['call'] = async (operationId, { key = fullKey, params = {}, query, body } = {}) => {
    const operation = operationOf(operationId);
    const readBody = async () => body;
    const answer = await dispatch({ operation, apiKey: key, params, query: queryOf(query), readBody });
    refuseUndeclared(operation, answer);
    return answer;
  };

  return {
    store,
    bugs,
    fullKey,
    account,
    call,
    ask: async (operationId, sent) => {
      const answer = await call(operationId, sent);
      if (answer.status >= 300) throw new Error(`${operationId}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return asRecord(answer.body);
    },
    newAccount,
    newKey,
    newCatalogCompany: async (name, { isActive = true } = {}) => {
      const terms = { firmId: null, name, logoUrl: null, isActive };
      return (await store.write(context, (writer) => writer.insertCompany('catalog', terms))).id;
    },
    newCatalogOffer: (required, changes, months = []) =>
      store.write(context, async (writer) => {
        const { terms } = draftOffer(required, {
          territories: { peninsula: true },
          accepts: { dni: true },
          ...changes,
        });
        const [offer] = await writer.insertOffers('catalog', [terms]);
        if (!offer) throw new Error('an offer was expected');
        for (const month of months) await writer.putMonth('catalog', offer.id, month);
        return offer;
      }),
  };
}

/** The table says which refusals an operation has; whatever a test asks, no other may come. */
function refuseUndeclared({ id, refusals, success }: Operation, { status, body }: ApiAnswer): void {
  if (status < 400) {
    if (!success.includes(status)) throw new Error(`${id} answers ${status}, which it does not declare`);
    return;
  }
  const { code } = asRecord(asRecord(body).detail);
  const declared: readonly unknown[] = [...COMMON_REFUSALS, ...refusals, 'internal_error'];
  if (!declared.includes(code)) throw new Error(`${id} refuses with ${code}, which it does not declare`);
}

export function asRecord(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('an object was expected');
  return Object.fromEntries(Object.entries(value));
}

/** A firm, active or with another catalog default, made through the API. */
export async function newClient(
  world: World,
  name: string,
  { key = world.fullKey, catalog = 'all' }: { readonly key?: string; readonly catalog?: CatalogDefault } = {},
): Promise<number> {
  return idOf(await world.ask('createClient', { key, body: { name, catalog } }));
}

export async function newCompany(world: World, clientId: number, name: string, key = world.fullKey): Promise<number> {
  return idOf(await world.ask('createCompany', { key, body: { client_id: clientId, name } }));
}

export function idOf(record: Record<string, unknown>): number {
  const { id } = record;
  if (typeof id !== 'number') throw new Error('an id was expected');
  return id;
}

/** Deactivates records, which no operation does yet. */
export async function deactivate(
  world: World,
  record: { readonly firmId: number } | { readonly accountId: number },
): Promise<void> {
  await world.store.write({ keyId: null, at: AT }, async (writer) => {
    if ('accountId' in record) {
      await writer.updateAccount(record.accountId, { isActive: false });
      return;
    }
    const firm = await writer.firm(world.account.id, record.firmId);
    if (!firm) throw new Error('a firm was expected');
    await writer.updateFirm(world.account.id, firm.id, { ...firm, isActive: false });
  });
}
