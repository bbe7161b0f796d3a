import { draftOffer, type Scope, type Store, type UploadStatus, type Writer } from '@tarifario/core';
import { KEPT, PERIOD_END } from './account.ts';
import { BLANK } from './offer-rules.ts';
import { nextId, type State } from './state.ts';

/** What happens to a service without a request: what its operator, its worker and the keeper of the catalog do. */
export type Act =
  | { readonly act: 'account'; readonly name: string; readonly password: string }
  | { readonly act: 'account-active'; readonly accountId: number; readonly isActive: boolean }
  | { readonly act: 'subscribe'; readonly accountId: number; readonly limit: number; readonly isActive: boolean }
  | { readonly act: 'key'; readonly key: string; readonly accountId: number; readonly rights: Rights }
  | { readonly act: 'revoke'; readonly key: string }
  | { readonly act: 'catalog-company'; readonly name: string }
  | { readonly act: 'catalog-company-active'; readonly companyId: number; readonly isActive: boolean }
  | { readonly act: 'catalog-offer'; readonly companyId: number; readonly price: number; readonly pays: number }
  | { readonly act: 'catalog-offer-active'; readonly offerId: number; readonly isActive: boolean }
  | { readonly act: 'decide'; readonly clientId: number; readonly companyId: number; readonly isSubscribed: boolean }
  | { readonly act: 'work'; readonly uploadId: number; readonly to: 'processing' | 'completed' | 'failed' };

interface Rights {
  readonly clientId?: number;
  /** Full access without. */
  readonly scopes?: readonly Scope[];
}

const FAILURE = { message: 'the file cannot be read' };
const RESULT = { created: 1 };

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
      const terms = { name, email: `${name}@example.com`, passwordHash: password, isCatalogEditor: false };
      await writer.insertAccount(terms);
      return;
    }
    case 'account-active':
      await writer.updateAccount(act.accountId, { isActive: act.isActive });
      return;
    case 'subscribe': {
      const dates = { trialEndsAt: null, currentPeriodEnd: PERIOD_END };
      const ceilings = { callsPerMinute: null, firmCallsPerMinute: null };
      const status = act.isActive ? 'active' : 'cancelled';
      await writer.putSubscription(act.accountId, { plan: 'pro', status, firmLimit: act.limit, ...dates, ...ceilings });
      return;
    }
    case 'key': {
      const { clientId = null, scopes } = act.rights;
      const rights = { firmId: clientId, fullAccess: scopes === undefined, scopes: scopes ?? [] };
      const texts = { name: null, prefix: act.key.slice(0, 6), secretHash: act.key };
      await writer.insertKey({ accountId: act.accountId, ...rights, ...texts });
      return;
    }
    case 'revoke':
      await writer.revokeKey((await writer.keyByHash(act.key))?.key.id ?? 0);
      return;
    case 'decide': {
      const { clientId, companyId, isSubscribed } = act;
      for (const account of await writer.accounts()) {
        if ((await writer.firm(account.id, clientId)) === null) continue;
        await writer.putCatalogSubscription(account.id, { firmId: clientId, companyId, isSubscribed });
      }
      return;
    }
    case 'work':
      for (const account of await writer.accounts()) {
        const started = { from: 'pending', to: 'processing', finishedAt: null } as const;
        await writer.updateUpload(account.id, act.uploadId, started);
        const ended = { from: 'processing', to: act.to, ...outcomeOf(act.to, at) } as const;
        if (act.to !== 'processing') await writer.updateUpload(account.id, act.uploadId, ended);
      }
      return;
    default:
      await writeCatalog(writer, act);
  }
}

async function writeCatalog(writer: Writer, act: Extract<Act, { act: `catalog-${string}` }>): Promise<void> {
  switch (act.act) {
    case 'catalog-company':
      await writer.insertCompany('catalog', { firmId: null, name: act.name, logoUrl: null, isActive: true });
      return;
    case 'catalog-company-active': {
      const company = await writer.company('catalog', act.companyId);
      if (company) await writer.updateCompany('catalog', company.id, { ...termsOf(company), isActive: act.isActive });
      return;
    }
    case 'catalog-offer': {
      const required = {
        companyId: act.companyId,
        offerName: 'Luz Común',
        supplyType: 'LUZ',
        tariffType: '2.0TD',
      } as const;
      const sold = { accepts: { dni: true }, territories: { peninsula: true } };
      const { terms } = draftOffer(required, { ...sold, energyEurPerKwh: [act.price], commissionValue: act.pays });
      await writer.insertOffers('catalog', [terms]);
      return;
    }
    case 'catalog-offer-active': {
      const [record] = await writer.offersById('catalog', [act.offerId]);
      const { offerId, isActive } = act;
      if (record) await writer.updateOffers('catalog', [{ offerId, terms: { ...record.offer, isActive } }]);
    }
  }
}

function termsOf({ name, logoUrl }: { readonly name: string; readonly logoUrl: string | null }) {
  return { firmId: null, name, logoUrl };
}

/** The same act, as it happens to the model. */
export function actInModel(state: State, act: Act): void {
  const { now } = state;
  const stamps = { createdAt: now, updatedAt: now };
  switch (act.act) {
    case 'account': {
      const id = nextId(state.accounts);
      const { name, password } = act;
      const email = `${name}@example.com`;
      state.accounts.set(id, { id, name, email, password, isActive: true, createdAt: now });
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
    case 'decide':
      state.decisions.set(`${act.clientId} ${act.companyId}`, act.isSubscribed);
      return;
    case 'work': {
      const status = state.uploads.get(act.uploadId)?.status;
      if (status !== 'pending' && (status !== 'processing' || act.to === 'processing')) return;
      replace(state.uploads, act.uploadId, { status: act.to, updatedAt: now, ...outcomeOf(act.to, now) });
      return;
    }
    case 'catalog-company': {
      const id = nextId(state.companies);
      const nobody = { accountId: null, clientId: null };
      state.companies.set(id, { id, ...nobody, name: act.name, logoUrl: null, isActive: true });
      return;
    }
    case 'catalog-company-active':
      replace(state.companies, act.companyId, { isActive: act.isActive });
      return;
    case 'catalog-offer': {
      const id = nextId(state.offers);
      const sold = { acepta_dni: true, territory_peninsula: true };
      const terms = { offer_name: 'Luz Común', tariff_type: '2.0TD', e1: act.price, commission: act.pays };
      const fields = { ...BLANK.LUZ, ...terms, ...sold };
      state.offers.set(id, { id, companyId: act.companyId, supply: 'LUZ', fields, months: new Map(), ...stamps });
      return;
    }
    case 'catalog-offer-active': {
      const offer = state.offers.get(act.offerId);
      if (offer?.fields.is_active === act.isActive || !offer) return;
      replace(state.offers, offer.id, { fields: { ...offer.fields, is_active: act.isActive }, updatedAt: now });
    }
  }
}

function replace<K, T>(records: Map<K, T>, id: K, change: Partial<T>): void {
  const record = records.get(id);
  if (record !== undefined) records.set(id, { ...record, ...change });
}

/** Only a file of this name is kept. */
export const KEPT_FILE = KEPT;
