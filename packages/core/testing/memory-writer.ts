import {
  type Account,
  assert,
  type Company,
  DomainError,
  type Firm,
  foldName,
  type Month,
  type MonthlyPrice,
  type MonthOfOffer,
  type Offer,
  type OfferChange,
  type OfferTerms,
  type OfferVersion,
  type RecordOwner,
  scopedWriter,
  type WriteContext,
  type Writer,
} from '../src/service.ts';
import { deleteAnswersBefore, storeAnswer } from './memory-answers.ts';
import { recordCatalogWrite } from './memory-catalog.ts';
import { insertProposal } from './memory-proposals.ts';
import { createMemoryReader } from './memory-reader.ts';
import { hasFiniteNumbers, isSame, type MemoryState, nextId, ownedRecord, required } from './memory-state.ts';
import {
  claimUpload,
  dropUploadFile,
  extendLease,
  insertUpload,
  sweepUploadFiles,
  updateUpload,
} from './memory-uploads.ts';
import { deleteUsageBefore, insertUsage } from './memory-usage.ts';

/** A unit of work on its own copy of the state. */
export interface MemoryUnit {
  readonly state: MemoryState;
  readonly context: WriteContext;
  /** Owners whose records this unit has changed, with the revision that it stamps there. */
  readonly stamps: Map<RecordOwner, number>;
  isOpen: boolean;
  /** The first thing that went wrong: the unit is not committed, even if its code caught the error. */
  failure: { readonly error: unknown } | null;
}

/** The methods that change something, each of which dooms the unit of work when it throws. */
export function createMemoryWriter(unit: MemoryUnit): Writer {
  const writer: Writer = {
    ...createMemoryReader(unit.state),
    ...accountWrites(unit),
    ...firmWrites(unit),
    recordCatalogWrite: failingAsUnit(unit, (terms) => recordCatalogWrite(unit, terms)),
    insertOffers: failingAsUnit(unit, (owner, terms) => terms.map((one) => insertOffer(unit, owner, one))),
    updateOffers: failingAsUnit(unit, (owner, changes) => updateOffers(unit, owner, changes)),
    putMonth: failingAsUnit(unit, (owner, offerId, price) => putMonth(unit, owner, offerId, price)),
    putMonths: failingAsUnit(unit, (owner, months) => putMonths(unit, owner, months)),
    deleteMonth: failingAsUnit(unit, (owner, offerId, month) => deleteMonth(unit, owner, offerId, month)),
    insertProposal: failingAsUnit(unit, (accountId, terms) => insertProposal(unit, accountId, terms)),
    ...uploadWrites(unit),
    insertUsage: failingAsUnit(unit, (entries, batch) => insertUsage(unit, entries, batch)),
    storeAnswer: failingAsUnit(unit, (answer, { replacesOlderThan }) =>
      storeAnswer({ state: unit.state, at: unit.context.at }, answer, replacesOlderThan),
    ),
    deleteAnswersBefore: failingAsUnit(unit, (instant, limit) => deleteAnswersBefore(unit.state, instant, limit)),
    deleteUsageBefore: failingAsUnit(unit, (instant, limit) => deleteUsageBefore(unit.state, instant, limit)),
  };
  return scopedWriter(writer, unit.context, (error) => {
    unit.failure ??= { error };
  });
}

function failingAsUnit<A extends readonly unknown[], T>(unit: MemoryUnit, change: (...args: A) => T) {
  return async (...args: A): Promise<T> => {
    try {
      assert(unit.isOpen, 'a unit of work that has ended changes nothing');
      return change(...args);
    } catch (error) {
      unit.failure ??= { error };
      throw error;
    }
  };
}

function uploadWrites(
  unit: MemoryUnit,
): Pick<
  Writer,
  'insertUpload' | 'updateUpload' | 'claimUpload' | 'extendLease' | 'dropUploadFile' | 'sweepUploadFiles'
> {
  return {
    insertUpload: failingAsUnit(unit, (accountId, terms) => insertUpload(unit, accountId, terms)),
    updateUpload: failingAsUnit(unit, (accountId, uploadId, change) =>
      updateUpload(unit, { accountId, uploadId }, change),
    ),
    claimUpload: failingAsUnit(unit, (leaseUntil) => claimUpload(unit, leaseUntil)),
    extendLease: failingAsUnit(unit, (accountId, uploadId, lease) =>
      extendLease(unit.state, { accountId, uploadId }, lease),
    ),
    dropUploadFile: failingAsUnit(unit, (accountId, uploadId) => dropUploadFile(unit.state, { accountId, uploadId })),
    sweepUploadFiles: failingAsUnit(unit, (before, perAccount) => sweepUploadFiles(unit.state, before, perAccount)),
  };
}

type AccountWrites = Pick<Writer, 'insertAccount' | 'updateAccount' | 'putSubscription' | 'insertKey' | 'revokeKey'>;

function accountWrites(unit: MemoryUnit): AccountWrites {
  const { state, context } = unit;
  return {
    insertAccount: failingAsUnit(unit, ({ passwordHash, ...terms }) => {
      refuseEmailOfAnother(state, terms.email, null);
      const account = { ...terms, id: nextId(state, 'account'), isActive: true, createdAt: context.at };
      state.accounts.set(account.id, { account, passwordHash });
      return account;
    }),
    updateAccount: failingAsUnit(unit, (accountId, changes) => {
      const stored = state.accounts.get(accountId);
      if (!stored) return null;
      const { passwordHash = stored.passwordHash, ...terms } = changes;
      const account: Account = { ...stored.account, ...terms };
      refuseEmailOfAnother(state, account.email, accountId);
      state.accounts.set(accountId, { account, passwordHash });
      return account;
    }),
    putSubscription: failingAsUnit(unit, (accountId, terms) => {
      required(state.accounts.get(accountId), 'a subscription belongs to an account');
      const { id, createdAt } = state.subscriptions.get(accountId) ?? {
        id: nextId(state, 'subscription'),
        createdAt: context.at,
      };
      const subscription = { ...terms, id, createdAt };
      state.subscriptions.set(accountId, subscription);
      return subscription;
    }),
    insertKey: failingAsUnit(unit, ({ secretHash, ...terms }) => {
      required(state.accounts.get(terms.accountId), 'a key belongs to an account');
      if (terms.firmId !== null) {
        required(ownedRecord(state.firms, terms.accountId, terms.firmId), 'a key is bound to a firm of its account');
      }
      const taken = [...state.keys.values()].some((stored) => stored.secretHash === secretHash);
      assert(!taken, 'no two keys have the same secret');
      const key = { ...terms, id: nextId(state, 'key'), isActive: true, createdAt: context.at };
      state.keys.set(key.id, { key, secretHash });
      return key;
    }),
    revokeKey: failingAsUnit(unit, (keyId) => {
      const stored = state.keys.get(keyId);
      if (!stored) return null;
      const key = { ...stored.key, isActive: false };
      state.keys.set(keyId, { ...stored, key });
      return key;
    }),
  };
}

function refuseEmailOfAnother(state: MemoryState, email: string, accountId: number | null): void {
  for (const { account } of state.accounts.values()) {
    if (account.id !== accountId && foldName(account.email) === foldName(email)) {
      throw new DomainError('duplicate_email', { message: 'another account has that e-mail address' });
    }
  }
}

type FirmWrites = Pick<
  Writer,
  'insertFirm' | 'updateFirm' | 'insertCompany' | 'updateCompany' | 'putCatalogSubscription'
>;

function firmWrites(unit: MemoryUnit): FirmWrites {
  const { state, context } = unit;
  return {
    insertFirm: failingAsUnit(unit, (accountId, terms) => {
      required(state.accounts.get(accountId), 'a firm belongs to an account');
      return putFirm(unit, accountId, { ...terms, ...newStamps(unit, 'firm') });
    }),
    updateFirm: failingAsUnit(unit, (accountId, firmId, terms) => {
      const firm = ownedRecord(state.firms, accountId, firmId);
      if (!firm || isSame({ ...firm, ...terms }, firm)) return firm;
      return putFirm(unit, accountId, { ...firm, ...terms, updatedAt: context.at });
    }),
    insertCompany: failingAsUnit(unit, (owner, terms) =>
      putCompany(unit, owner, { ...terms, ...newStamps(unit, 'company') }),
    ),
    updateCompany: failingAsUnit(unit, (owner, companyId, terms) => {
      const company = ownedRecord(state.companies, owner, companyId);
      if (!company || isSame({ ...company, ...terms }, company)) return company;
      return putCompany(unit, owner, { ...company, ...terms, updatedAt: context.at });
    }),
    putCatalogSubscription: failingAsUnit(unit, (accountId, record) => {
      required(ownedRecord(state.firms, accountId, record.firmId), 'a firm of the account subscribes');
      required(ownedRecord(state.companies, 'catalog', record.companyId), 'a company of the catalog is subscribed to');
      const place = `${record.firmId} ${record.companyId}`;
      if (isSame(state.catalogSubscriptions.get(place)?.record, record)) return;
      state.catalogSubscriptions.set(place, { owner: accountId, revision: stamp(unit, accountId), record });
    }),
  };
}

function newStamps({ state, context }: MemoryUnit, sequence: 'firm' | 'company' | 'offer') {
  return { id: nextId(state, sequence), createdAt: context.at, updatedAt: context.at };
}

/** The revision of this unit of work for an owner: the first change raises it by one. */
function stamp({ state, stamps }: MemoryUnit, owner: RecordOwner): number {
  const known = stamps.get(owner);
  if (known !== undefined) return known;
  const revision = (state.revisions.get(owner) ?? 0) + 1;
  state.revisions.set(owner, revision);
  stamps.set(owner, revision);
  return revision;
}

function putFirm(unit: MemoryUnit, accountId: number, firm: Firm): Firm {
  for (const other of unit.state.firms.values()) {
    if (other.owner === accountId) refuseNameOf(other.record, firm);
  }
  unit.state.firms.set(firm.id, { owner: accountId, revision: stamp(unit, accountId), record: firm });
  return firm;
}

function putCompany(unit: MemoryUnit, owner: RecordOwner, company: Company): Company {
  assert((owner === 'catalog') === (company.firmId === null), 'own companies have a firm, those of the catalog none');
  if (owner !== 'catalog' && company.firmId !== null) {
    required(ownedRecord(unit.state.firms, owner, company.firmId), 'a company has a firm of its account');
  }
  for (const other of unit.state.companies.values()) {
    if (other.owner === owner && other.record.firmId === company.firmId) refuseNameOf(other.record, company);
  }
  unit.state.companies.set(company.id, { owner, revision: stamp(unit, owner), record: company });
  return company;
}

function refuseNameOf(other: Firm | Company, record: Firm | Company): void {
  if (other.id !== record.id && foldName(other.name) === foldName(record.name)) {
    throw new DomainError('duplicate_name', { message: 'that name is taken, and inactive records keep theirs' });
  }
}

function insertOffer(unit: MemoryUnit, owner: RecordOwner, terms: OfferTerms): Offer {
  const offer = putOffer(unit, owner, withoutStamp({ ...terms, ...newStamps(unit, 'offer') }));
  addVersion(unit, owner, offer.id, { kind: 'created' });
  return offer;
}

function updateOffers(unit: MemoryUnit, owner: RecordOwner, changes: readonly OfferChange[]): readonly Offer[] {
  assert(new Set(changes.map(({ offerId }) => offerId)).size === changes.length, 'an offer is changed once');
  for (const { offerId, terms, countsAlways = false } of changes) {
    const before = required(ownedRecord(unit.state.offers, owner, offerId), 'an offer of the owner is changed');
    assert(before.supplyType === terms.supplyType, 'an offer keeps its supply type');
    const { id, createdAt, updatedAt, maskedUpdatedAt = updatedAt } = before;
    const after = withoutStamp({ ...terms, id, createdAt, updatedAt });
    if (!countsAlways && isSame(after, withoutStamp(before))) continue;
    const isVisible = !isSame(withoutCommissions(after), withoutCommissions(withoutStamp(before)));
    const { revision, maskedRevision = revision } = required(unit.state.offers.get(id), 'it was just there');
    putOffer(unit, owner, { ...after, updatedAt: unit.context.at, ...(isVisible ? {} : { maskedUpdatedAt }) });
    const stored = required(unit.state.offers.get(id), 'it was just put');
    if (!isVisible) unit.state.offers.set(id, { ...stored, maskedRevision });
    addVersion(unit, owner, offerId, { kind: 'terms', offer: before });
  }
  return changes.map(({ offerId }) => required(ownedRecord(unit.state.offers, owner, offerId), 'it was just there'));
}

/** Terms may have been an offer, with the stamp of another moment. */
function withoutStamp({ maskedUpdatedAt: _stamp, ...offer }: Offer): Offer {
  return offer;
}

/** What callers who may not see commissions see of an offer. */
function withoutCommissions(offer: Offer): object {
  const none = { commissionValue: 0, commissionType: null, consumptionTiers: [] };
  return { ...offer, ...none, ...(offer.supplyType === 'LUZ' ? { powerTiers: [] } : {}) };
}

function putOffer(unit: MemoryUnit, owner: RecordOwner, offer: Offer): Offer {
  required(ownedRecord(unit.state.companies, owner, offer.companyId), 'an offer has a company of its owner');
  assert(hasFiniteNumbers(offer), 'every number of an offer is finite');
  unit.state.offers.set(offer.id, { owner, revision: stamp(unit, owner), record: offer });
  return offer;
}

function addVersion(unit: MemoryUnit, owner: RecordOwner, offerId: number, before: OfferVersion['before']): void {
  const { at, keyId } = unit.context;
  unit.state.versions.push({ offerId, revision: stamp(unit, owner), changedAt: at, keyId, before });
}

function putMonth(unit: MemoryUnit, owner: RecordOwner, offerId: number, price: MonthlyPrice): 'created' | 'replaced' {
  const offer = required(ownedRecord(unit.state.offers, owner, offerId), 'a month belongs to an offer of the owner');
  assert(offer.supplyType === price.supplyType, 'a month has the supply type of its offer');
  assert(hasFiniteNumbers(price), 'every number of a month is finite');
  const months = unit.state.months.get(offerId) ?? [];
  const before = months.find(({ month }) => month === price.month) ?? null;
  if (isSame(before, price)) return 'replaced';
  const others = months.filter((month) => month !== before);
  unit.state.months.set(
    offerId,
    [...others, price].sort((a, b) => (a.month < b.month ? -1 : 1)),
  );
  recordMonth(unit, owner, offer, { kind: 'month', month: price.month, price: before });
  return before === null ? 'created' : 'replaced';
}

function putMonths(unit: MemoryUnit, owner: RecordOwner, months: readonly MonthOfOffer[]) {
  const places = new Set(months.map(({ offerId, price }) => `${offerId} ${price.month}`));
  assert(places.size === months.length, 'a month of an offer is put once');
  return months.map(({ offerId, price }) => putMonth(unit, owner, offerId, price));
}

function deleteMonth(unit: MemoryUnit, owner: RecordOwner, offerId: number, month: Month): boolean {
  const offer = ownedRecord(unit.state.offers, owner, offerId);
  const months = unit.state.months.get(offerId) ?? [];
  const before = months.find((price) => price.month === month);
  if (!offer || !before) return false;
  unit.state.months.set(
    offerId,
    months.filter((price) => price !== before),
  );
  recordMonth(unit, owner, offer, { kind: 'month', month, price: before });
  return true;
}

/** A changed month changes its offer: a reader that knows the offer's revision learns of it. */
function recordMonth(unit: MemoryUnit, owner: RecordOwner, offer: Offer, before: OfferVersion['before']): void {
  putOffer(unit, owner, withoutStamp({ ...offer, updatedAt: unit.context.at }));
  addVersion(unit, owner, offer.id, before);
}
