import type { Scope, Store, UploadStatus, Writer } from '@tarifario/core/service';
import { PERIOD_END } from './account.ts';
import { nextId, type State } from './state.ts';

/** What happens to a service without a request: what its operator and its worker do. */
export type Act =
  | { readonly act: 'account'; readonly name: string; readonly password: string; readonly isEditor: boolean }
  | { readonly act: 'account-active'; readonly accountId: number; readonly isActive: boolean }
  | { readonly act: 'subscribe'; readonly accountId: number; readonly limit: number; readonly isActive: boolean }
  | { readonly act: 'key'; readonly key: string; readonly accountId: number; readonly rights: Rights }
  | { readonly act: 'revoke'; readonly key: string }
  | { readonly act: 'work'; readonly uploadId: number; readonly to: 'processing' | 'completed' | 'failed' };

interface Rights {
  readonly clientId?: number;
  /** Full access without. */
  readonly scopes?: readonly Scope[];
}

const FAILURE = { code: 'invalid_request', message: 'the file cannot be read' };
const NOTHING = { created: 0, replaced: 0, deactivated: 0 };
const RESULT = { ...NOTHING, companiesCreated: 0, pricesUpserted: 0, tiersReplaced: 0 };
const SHOWN_RESULT = { ...NOTHING, companies_created: 0, prices_upserted: 0, tiers_replaced: 0 };

function outcomeOf(to: UploadStatus, at: string) {
  if (to === 'failed') return { error: FAILURE, finishedAt: at };
  return to === 'completed' ? { result: RESULT, finishedAt: at } : { finishedAt: null };
}

/** The act, as it happens to a store. */
export async function actOn(store: Store, act: Act, at: string): Promise<void> {
  await store.write({ keyId: null, at }, (writer) => write(writer, act, at));
}

async function write(writer: Writer, act: Act, at: string): Promise<void> {
  switch (act.act) {
    case 'account': {
      const { name, password } = act;
      const email = `${name}@example.com`;
      await writer.accounts.insert({ name, email, passwordHash: password, isCatalogEditor: act.isEditor });
      return;
    }
    case 'account-active':
      await writer.accounts.update(act.accountId, { isActive: act.isActive });
      return;
    case 'subscribe': {
      const dates = { trialEndsAt: null, currentPeriodEnd: PERIOD_END };
      const ceilings = { callsPerMinute: null, firmCallsPerMinute: null, quotas: {} };
      const status = act.isActive ? 'active' : 'cancelled';
      await writer.accounts.putSubscription(act.accountId, {
        plan: 'pro',
        status,
        firmLimit: act.limit,
        ...dates,
        ...ceilings,
      });
      return;
    }
    case 'key': {
      const { clientId = null, scopes } = act.rights;
      const rights = { firmId: clientId, fullAccess: scopes === undefined, scopes: scopes ?? [] };
      const texts = { name: null, prefix: act.key.slice(0, 6), secretHash: act.key };
      await writer.keys.insert({ accountId: act.accountId, ...rights, ...texts });
      return;
    }
    case 'revoke':
      await writer.keys.revoke((await writer.keys.byHash(act.key))?.key.id ?? 0);
      return;
    case 'work':
      for (const account of await writer.accounts.list()) {
        const started = { from: 'pending', to: 'processing', finishedAt: null } as const;
        await writer.uploads.update(account.id, act.uploadId, started);
        const ended = { from: 'processing', to: act.to, ...outcomeOf(act.to, at) } as const;
        if (act.to === 'processing') continue;
        const upload = await writer.uploads.update(account.id, act.uploadId, ended);
        if (upload?.status === 'completed') await writer.uploads.dropFile(account.id, act.uploadId);
      }
  }
}

/** The same act, as it happens to the model. */
export function actInModel(state: State, act: Act): void {
  const { now } = state;
  switch (act.act) {
    case 'account': {
      const id = nextId(state.accounts);
      const { name, password } = act;
      const email = `${name}@example.com`;
      state.accounts.set(id, { id, name, email, password, isActive: true, isEditor: act.isEditor, createdAt: now });
      return;
    }
    case 'account-active':
      replace(state.accounts, act.accountId, { isActive: act.isActive });
      return;
    case 'subscribe': {
      const { accountId, limit: clientsLimit, isActive } = act;
      const begun = state.subscriptions.get(accountId) ?? { id: nextId(state.subscriptions), createdAt: now };
      const { id, createdAt } = begun;
      state.subscriptions.set(accountId, { id, plan: 'pro', isActive, clientsLimit, createdAt });
      return;
    }
    case 'key': {
      const { clientId = null, scopes = null } = act.rights;
      const id = nextId(state.keys);
      state.keys.set(act.key, { id, accountId: act.accountId, clientId, scopes, isActive: true });
      return;
    }
    case 'revoke':
      replace(state.keys, act.key, { isActive: false });
      return;
    case 'work': {
      const status = state.uploads.get(act.uploadId)?.status;
      if (status !== 'pending' && (status !== 'processing' || act.to === 'processing')) return;
      const finishedAt = act.to === 'processing' ? null : now;
      const failed = act.to === 'failed' ? { error: { code: FAILURE.code } } : {};
      const completed = act.to === 'completed' ? { result: SHOWN_RESULT, hasFile: false } : {};
      const change = { status: act.to, updatedAt: now, finishedAt, ...failed, ...completed };
      replace(state.uploads, act.uploadId, change);
      return;
    }
  }
}

function replace<K, T>(records: Map<K, T>, id: K, change: Partial<T>): void {
  const record = records.get(id);
  if (record !== undefined) records.set(id, { ...record, ...change });
}
