import { randomBytes } from 'node:crypto';
import { fromWireOffers } from '@tarifario/api';
import type { OfferWithHistory, RecordOwner, Scope, Writer } from '@tarifario/core/service';
import type { Service } from '@tarifario/runtime';
import { CommandError } from '../command.ts';
import { INTERNAL_SCOPES, MCP_SCOPES } from '../key.ts';
import type { Progress } from '../progress.ts';
import { endOfPeriod } from '../subscription.ts';
import { type DemoCatalog, readDemoCatalog } from './demo-catalog.ts';

const EMAIL = 'demo@tarifario.example';

/** The inserted records, with the keys in plain text, which are stored nowhere. */
export interface DemoSeed {
  readonly account_id: number;
  readonly email: string;
  readonly password: string;
  readonly clients: number;
  readonly companies: number;
  readonly offers: number;
  readonly keys: {
    readonly full_access: string;
    /** Sees commissions: for internal agents. */
    readonly internal: string;
    /** Does not see commissions: for a bot that talks to customers. */
    readonly public: string;
  };
}

/**
 * Fills an empty database with the fictional market, all of it or nothing.
 *
 * @throws CommandError when the database has an account already.
 */
export async function seedDemo({ store, clock, secrets }: Service, progress?: Progress): Promise<DemoSeed> {
  const catalog = readDemoCatalog();
  const password = randomBytes(12).toString('base64url');
  const passwordHash = await secrets.hashPassword(password);
  const at = clock.now();
  return store.write({ keyId: null, at }, async (writer) => {
    if ((await writer.accounts.list()).length > 0) {
      throw new CommandError('the database is not empty: the demo needs one of its own');
    }
    const account = await writer.accounts.insert({ name: 'Demo', email: EMAIL, passwordHash, isCatalogEditor: true });
    // The largest plan, so that new users do not run into limits.
    const dates = { trialEndsAt: null, currentPeriodEnd: endOfPeriod(at) };
    const ceilings = { firmLimit: 200, callsPerMinute: null, firmCallsPerMinute: null, quotas: {} };
    await writer.accounts.putSubscription(account.id, { plan: 'business', status: 'active', ...dates, ...ceilings });
    const newKey = async (name: string, rights: { fullAccess: boolean; scopes: readonly Scope[] }) => {
      const { key, prefix, secretHash } = secrets.newKey();
      await writer.keys.insert({ accountId: account.id, firmId: null, name, prefix, secretHash, ...rights });
      return key;
    };
    const counts = await insertMarket(writer, account.id, { catalog, progress });
    return {
      account_id: account.id,
      email: EMAIL,
      password,
      ...counts,
      keys: {
        full_access: await newKey('full access', { fullAccess: true, scopes: [] }),
        internal: await newKey('internal agent', { fullAccess: false, scopes: INTERNAL_SCOPES }),
        public: await newKey('public bot', { fullAccess: false, scopes: MCP_SCOPES }),
      },
    };
  });
}

async function insertMarket(
  writer: Writer,
  accountId: number,
  { catalog, progress }: { readonly catalog: DemoCatalog; readonly progress: Progress | undefined },
) {
  const firmIds = new Map<string, number>();
  for (const { name, image_url: imageUrl = null } of catalog.firms) {
    const firm = await writer.firms.insert(accountId, { name, imageUrl, catalogDefault: 'all', isActive: true });
    firmIds.set(name, firm.id);
  }
  const { offers, companies } = fromWireOffers(catalog.offers);
  for (const [index, { name, logo_url: logoUrl, firm }] of catalog.companies.entries()) {
    progress?.tell(index / catalog.companies.length, `${index} of ${catalog.companies.length} retailers`);
    const owner = firm === undefined ? 'catalog' : accountId;
    const firmId = firm === undefined ? null : idOf(firmIds, firm);
    const company = await writer.companies.insert(owner, { firmId, name, logoUrl, isActive: true });
    const entries = offers.filter(({ offer }) => companies.get(offer.companyId)?.name === name);
    await insertOffers(writer, owner, { companyId: company.id, entries });
  }
  return { clients: firmIds.size, companies: catalog.companies.length, offers: offers.length };
}

function idOf(ids: ReadonlyMap<string, number>, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new RangeError(`the demo catalog names ${name} and does not have it`);
  return id;
}

async function insertOffers(
  writer: Writer,
  owner: RecordOwner,
  { companyId, entries }: { readonly companyId: number; readonly entries: readonly OfferWithHistory[] },
): Promise<void> {
  const stored = await writer.offers.insert(
    owner,
    entries.map(({ offer: { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...terms } }) => ({
      ...terms,
      companyId,
    })),
  );
  const months = stored.flatMap(({ id: offerId }, index) =>
    (entries[index]?.months ?? []).map((price) => ({ offerId, before: null, price })),
  );
  await writer.months.put(owner, months);
}
