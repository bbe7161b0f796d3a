import type { ApiAnswer, ApiRequest } from '@tarifario/api';
import type { Scope, SubscriptionTerms } from '@tarifario/core/service';
import type { Service } from '@tarifario/runtime';
import { operationOf } from './api/world.ts';

export interface KeyRights {
  /** Full access without. */
  readonly scopes?: readonly Scope[];
  readonly firmId?: number;
  /** A key of another server that is to be one here too. */
  readonly key?: string;
}

/** What is written beside a service, as the command line does. */
export interface Operator {
  addAccount(name: string, options?: { readonly password?: string }): Promise<number>;
  addKey(accountId: number, rights: KeyRights): Promise<string>;
  /** Changes the plan of an account, which is more than any plan allows: tests ask more often. */
  subscribe(accountId: number, changes: Partial<SubscriptionTerms>): Promise<void>;
}

const TERMS: SubscriptionTerms = {
  ...{ plan: 'business', status: 'active', firmLimit: 200, trialEndsAt: null, quotas: {} },
  ...{ currentPeriodEnd: '2036-12-01T00:00:00.000Z', callsPerMinute: 1_000_000, firmCallsPerMinute: 1_000_000 },
};

export function operatorOf({ store, clock, secrets }: Pick<Service, 'store' | 'clock' | 'secrets'>): Operator {
  const context = () => ({ keyId: null, at: clock.now() });
  return {
    addAccount: (name, { password } = {}) =>
      store.write(context(), async (writer) => {
        const email = `${name}@tarifario.example`;
        const passwordHash = password === undefined ? '-' : await secrets.hashPassword(password);
        const { id } = await writer.accounts.insert({ name, email, passwordHash, isCatalogEditor: true });
        await writer.accounts.putSubscription(id, TERMS);
        return id;
      }),
    async addKey(accountId, { scopes, firmId = null, key = secrets.newKey().key }) {
      const secretHash = secrets.hashFor(key);
      if (secretHash === null) throw new RangeError('a key has a checksum');
      const prefix = key.slice(0, 12);
      const rights = { fullAccess: scopes === undefined, scopes: scopes ?? [] };
      await store.write(context(), (writer) =>
        writer.keys.insert({ accountId, firmId, name: null, prefix, secretHash, ...rights }),
      );
      return key;
    },
    async subscribe(accountId, changes) {
      await store.write(context(), (writer) => writer.accounts.putSubscription(accountId, { ...TERMS, ...changes }));
    },
  };
}

type Sent = Partial<Pick<ApiRequest, 'params' | 'ifMatch' | 'ifNoneMatch'>> & {
  readonly query?: string;
  readonly body?: unknown;
};

/** Asks a service of this process, as a server would. */
export function askService(
  service: Pick<Service, 'dispatch'>,
  key: string,
  id: string,
  { params = {}, query = '', body, ...headers }: Sent = {},
): Promise<ApiAnswer> {
  const request = { operation: operationOf(id), apiKey: key, address: '::1', params, ...headers };
  const readBody = async () => body;
  return service.dispatch({ kind: 'operation', ...request, query: new URLSearchParams(query), readBody });
}
