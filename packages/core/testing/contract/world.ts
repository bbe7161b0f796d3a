import type { Month } from '../../src/engine/calendar.ts';
import { changeOf, differenceOf, type MonthChange } from '../../src/engine/offers/difference.ts';
import { initialTerms } from '../../src/engine/offers/field-parts.ts';
import type {
  ElectricityTerms,
  GasTerms,
  MonthlyPrice,
  Offer,
  OfferTerms,
  SupplyType,
} from '../../src/engine/offers/offer.ts';
import { anyOffer } from '../../src/engine/offers/offer-filter.ts';
import { NO_PRICES } from '../../src/engine/periods.ts';
import type { Account } from '../../src/service/accounts/account.ts';
import type { Company, Firm } from '../../src/service/firms/firm.ts';
import type { ListScope, OfferQuery, Page, RecordOwner } from '../../src/service/ports/lists.ts';
import type { Reader, Store, WriteContext, Writer } from '../../src/service/ports/stores.ts';
import { present } from './assertions.ts';

/** The n-th moment of a test, as a timestamp. */
export function moment(n: number): string {
  return new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
}

export function at(n: number, keyId: number | null = null): WriteContext {
  return { keyId, at: moment(n) };
}

export const EVERYTHING: Page = { limit: 2000, offset: 0 };

export function all(owner: RecordOwner, changes: Partial<ListScope> = {}): ListScope {
  return { owner, firmId: null, includeInactive: true, ...changes };
}

export function allOffers(
  owner: RecordOwner,
  supplyType: SupplyType | null = null,
  changes: Partial<OfferQuery> = {},
): OfferQuery {
  const company = { companyId: null, companyName: null };
  return { ...all(owner), filter: anyOffer(supplyType), ...company, seesCommissions: true, ...changes };
}

export function luz(companyId: number, changes: Partial<ElectricityTerms> = {}): ElectricityTerms {
  return {
    ...initialTerms('LUZ'),
    companyId,
    offerName: 'Tarifa Luz',
    tariffType: '2.0TD',
    commissionValue: 30,
    accepts: { dni: true, cif: false, cdad: false },
    territories: { peninsula: true, canarias: false, baleares: false, ceuta_melilla: false },
    energyEurPerKwh: [0.151, 0.122, 0.093, null, null, null],
    powerEurPerKwDay: [0.081, 0.008, null, null, null, null],
    ...changes,
  };
}

export function gas(companyId: number, changes: Partial<GasTerms> = {}): GasTerms {
  return {
    ...initialTerms('GAS'),
    companyId,
    offerName: 'Tarifa Gas',
    tariffType: 'RL.1',
    commissionValue: 10,
    commissionType: 'per_mwh',
    accepts: { dni: true, cif: true, cdad: true },
    territories: { peninsula: true, canarias: true, baleares: false, ceuta_melilla: false },
    gasEnergyEurPerKwh: 0.05,
    gasFixedEurPerMonth: 4.5,
    ...changes,
  };
}

export function luzMonth(month: string, firstPrice: number) {
  return {
    supplyType: 'LUZ',
    month,
    energyEurPerKwh: [firstPrice, null, null, null, null, null],
    powerEurPerKwDay: NO_PRICES,
  } as const;
}

export function gasMonth(month: string, energy: number) {
  return { supplyType: 'GAS', month, gasEnergyEurPerKwh: energy, gasFixedEurPerMonth: null } as const;
}

let accountCount = 0;

/** An account of its own for a test, so that several can share a store. */
export async function newAccount(store: Store): Promise<Account> {
  accountCount += 1;
  const email = `asesor${accountCount}@example.es`;
  return await store.write(at(0), (writer) =>
    writer.accounts.insert({ name: 'Asesores', email, passwordHash: '$argon2id$stored', isCatalogEditor: false }),
  );
}

export interface Tenant {
  readonly account: Account;
  readonly firm: Firm;
  readonly company: Company;
  readonly luzOffer: Offer;
  readonly gasOffer: Offer;
}

/** An account with one firm, one company and an offer of each supply. */
export async function newTenant(store: Store): Promise<Tenant> {
  const account = await newAccount(store);
  return await store.write(at(1), async (writer) => {
    const firm = await writer.firms.insert(account.id, firmTerms('Firma'));
    const company = await writer.companies.insert(account.id, companyTerms(firm.id, 'Comercializadora'));
    const [luzOffer, gasOffer] = await writer.offers.insert(account.id, [luz(company.id), gas(company.id)]);
    return { account, firm, company, luzOffer: present(luzOffer, 'offer'), gasOffer: present(gasOffer, 'offer') };
  });
}

/** New terms for an offer. `isBlind`: by who may not see commissions, so they are written even if they are equal. */
interface Wanted {
  readonly offerId: number;
  readonly terms: OfferTerms;
  readonly isBlind?: boolean;
}

/** Writes what differs, and returns the offers in the order given. */
export async function writeOffers(
  writer: Writer,
  owner: RecordOwner,
  wanted: readonly Wanted[],
): Promise<readonly Offer[]> {
  const records = await writer.offers.byId(
    owner,
    wanted.map(({ offerId }) => offerId),
  );
  const stored = new Map(records.map(({ offer }) => [offer.id, offer]));
  const changes = wanted.flatMap(
    ({ offerId, terms, ...options }) => changeOf(present(stored.get(offerId), 'offer'), terms, options) ?? [],
  );
  for (const offer of await writer.offers.update(owner, changes)) stored.set(offer.id, offer);
  return wanted.map(({ offerId }) => present(stored.get(offerId), 'offer'));
}

/** The same for months. */
export async function putMonths(
  writer: Writer,
  owner: RecordOwner,
  months: readonly Omit<MonthChange, 'before'>[],
): Promise<void> {
  const stored = await writer.months.of(
    owner,
    months.map(({ offerId }) => offerId),
  );
  const all = months.map(({ offerId, price }) => {
    return { offerId, before: stored.get(offerId)?.find(({ month }) => month === price.month) ?? null, price };
  });
  await writer.months.put(
    owner,
    all.filter(({ before, price }) => before === null || differenceOf(before, price).length > 0),
  );
}

export function putMonth(writer: Writer, owner: RecordOwner, offerId: number, price: MonthlyPrice): Promise<void> {
  return putMonths(writer, owner, [{ offerId, price }]);
}

/** Deletes a month of an offer, if it has it. */
export async function deleteMonth(writer: Writer, owner: RecordOwner, offerId: number, month: Month): Promise<void> {
  const before = (await writer.months.of(owner, [offerId])).get(offerId)?.find((price) => price.month === month);
  if (before) await writer.months.delete(owner, offerId, before);
}

export function firmTerms(name: string, changes: Partial<Firm> = {}) {
  return { name, imageUrl: null, catalogDefault: 'all', isActive: true, ...changes } as const;
}

export function companyTerms(firmId: number | null, name: string, changes: Partial<Company> = {}) {
  return { firmId, name, logoUrl: null, isActive: true, ...changes } as const;
}

/** A company of the shared catalog, under a name of its own. */
export async function newCatalogCompany(store: Store, name: string): Promise<Company> {
  return await store.write(at(1), (writer) => writer.companies.insert('catalog', companyTerms(null, name)));
}

/** Everything that a store shows of an account and of the catalog: what must not change when nothing happened. */
export async function storeSnapshot(reader: Reader, accountId: number) {
  const account = await reader.accounts.get(accountId);
  const subscription = await reader.accounts.subscription(accountId);
  const keys = await reader.keys.list(accountId);
  const revisions = await reader.changes.revisions(accountId);
  const own = await reader.changes.since(accountId, 0);
  const catalog = await reader.changes.since('catalog', 0);
  const versions = [];
  for (const { offer } of own.offers) versions.push(await reader.offers.versions(accountId, offer.id));
  for (const { offer } of catalog.offers) versions.push(await reader.offers.versions('catalog', offer.id));
  const list = await reader.offers.list(allOffers(accountId), EVERYTHING);
  const audit = await reader.catalog.writes(EVERYTHING);
  const accounts = await reader.accounts.list();
  return { account, accounts, subscription, keys, revisions, own, catalog, versions, list, audit };
}
