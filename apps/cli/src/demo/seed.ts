import { randomBytes } from 'node:crypto';
import { fromWireOffers } from '@tarifario/api';
import {
  importIndexBy,
  type OfferWithHistory,
  type RecordOwner,
  type Scope,
  type Writer,
} from '@tarifario/core/service';
import type { Service } from '@tarifario/runtime';
import { CommandError } from '../command.ts';
import { indexDaysIn } from '../index-files.ts';
import { INTERNAL_SCOPES, MCP_SCOPES } from '../key.ts';
import type { Progress } from '../progress.ts';
import { endOfPeriod } from '../subscription.ts';
import { DEMO_INDEX, type DemoCatalog, readDemoCatalog } from './demo-catalog.ts';

const EMAIL = 'demo@tarifario.example';

/** Keys in plain text, which are stored nowhere. */
export interface DemoKeys {
  readonly full_access: string;
  /** Sees commissions: for internal agents. */
  readonly internal: string;
  /** Does not see commissions: for a bot that talks to customers. */
  readonly public: string;
}

/** The inserted records, with keys that last. */
export interface DemoSeed extends Filled {
  readonly keys: DemoKeys;
}

interface Filled {
  readonly account_id: number;
  readonly email: string;
  readonly password: string;
  readonly clients: number;
  readonly companies: number;
  readonly offers: number;
}

const NOT_EMPTY =
  'the database is not empty: it has an account, and the demo needs a database of its own. Name a new one ' +
  '(DATABASE_URL=sqlite:./demo.db tarifario demo seed), or start `tarifario demo run`, which keeps its own in ./data';

/**
 * Fills an empty database with the fictional market, all of it or nothing.
 *
 * @throws CommandError when the database has an account already.
 */
export async function seedDemo(service: Service, progress?: Progress): Promise<DemoSeed> {
  const filled = await fillDemo(service, progress);
  if (filled === null) throw new CommandError(NOT_EMPTY);
  return { ...filled, keys: await makeKeys(service, filled.account_id) };
}

/** The account of the demo in a database that may have it already, with what was changed in it. */
export async function openDemo(
  service: Service,
  file: string,
): Promise<{ readonly id: number; readonly isNew: boolean }> {
  const filled = await fillDemo(service);
  if (filled) return { id: filled.account_id, isNew: true };
  const accounts = await service.store.read((reader) => reader.accounts.list());
  const id = accounts.find(({ email }) => email === EMAIL)?.id;
  if (id === undefined) throw new CommandError(`${file} is no database of the demo: --fresh deletes it`);
  return { id, isNew: false };
}

/** How the names of keys begin that end with a running demo. */
const PASSING = 'demo: ';

/** Keys of one run: those of an earlier run that could not end them do so now. The page has one of its own. */
export async function openKeys(service: Service, accountId: number): Promise<DemoKeys & { readonly page: string }> {
  await endKeys(service, accountId);
  const keys = await makeKeys(service, accountId, PASSING);
  const page = await service.store.write({ keyId: null, at: service.clock.now() }, (writer) =>
    keyMaker(service, writer, accountId)(`${PASSING}page`, { fullAccess: true, scopes: [] }),
  );
  return { ...keys, page };
}

/** Ends the keys of a run. */
export async function endKeys({ store, clock }: Service, accountId: number): Promise<void> {
  await store.write({ keyId: null, at: clock.now() }, async (writer) => {
    for (const { id, name, isActive } of await writer.keys.list(accountId)) {
      if (isActive && name?.startsWith(PASSING)) await writer.keys.revoke(id);
    }
  });
}

type Rights = { readonly fullAccess: boolean; readonly scopes: readonly Scope[] };

const keyMaker =
  ({ secrets }: Service, writer: Writer, accountId: number) =>
  async (name: string, rights: Rights) => {
    const { key, prefix, secretHash } = secrets.newKey();
    await writer.keys.insert({ accountId, firmId: null, name, prefix, secretHash, ...rights });
    return key;
  };

function makeKeys(service: Service, accountId: number, before = ''): Promise<DemoKeys> {
  return service.store.write({ keyId: null, at: service.clock.now() }, async (writer) => {
    const newKey = keyMaker(service, writer, accountId);
    return {
      full_access: await newKey(`${before}full access`, { fullAccess: true, scopes: [] }),
      internal: await newKey(`${before}internal agent`, { fullAccess: false, scopes: INTERNAL_SCOPES }),
      public: await newKey(`${before}public bot`, { fullAccess: false, scopes: MCP_SCOPES }),
    };
  });
}

/** Fills an empty database; `null`: it has an account already. */
async function fillDemo({ store, clock, secrets }: Service, progress?: Progress): Promise<Filled | null> {
  const catalog = readDemoCatalog();
  const password = randomBytes(12).toString('base64url');
  const passwordHash = await secrets.hashPassword(password);
  const { name, file, geo } = DEMO_INDEX;
  const days = await indexDaysIn(file, { index: name, choice: { geo, series: null } });
  const at = clock.now();
  return store.write({ keyId: null, at }, async (writer) => {
    if ((await writer.accounts.list()).length > 0) return null;
    const account = await writer.accounts.insert({ name: 'Demo', email: EMAIL, passwordHash, isCatalogEditor: true });
    // The largest plan, so that new users do not run into limits.
    const dates = { trialEndsAt: null, currentPeriodEnd: endOfPeriod(at) };
    const ceilings = { firmLimit: 200, callsPerMinute: null, firmCallsPerMinute: null, quotas: {} };
    await writer.accounts.putSubscription(account.id, { plan: 'business', status: 'active', ...dates, ...ceilings });
    const counts = await insertMarket(writer, account.id, { catalog, progress });
    await importIndexBy(writer, name, [days]);
    return { account_id: account.id, email: EMAIL, password, ...counts };
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
