import {
  type Account,
  type ApiKey,
  assert,
  type CatalogSubscription,
  type CatalogWrite,
  type Company,
  type Firm,
  type MonthlyPrice,
  type Offer,
  type OfferDepth,
  type OfferVersion,
  type Page,
  type PageOf,
  type Proposal,
  type RecordOwner,
  type StoredAnswer,
  type Subscription,
  type Upload,
  type UsageRecord,
  withoutCommissions,
} from '../src/service.ts';

/** A record of an owner, with the revision of the write that changed it last. */
export interface OwnedRecord<T> {
  readonly owner: RecordOwner;
  readonly revision: number;
  /** That of the last change but of commissions; left out: the same. */
  readonly maskedRevision?: number;
  readonly record: T;
}

export interface StoredAccount {
  readonly account: Account;
  readonly passwordHash: string;
}

export interface StoredKey {
  readonly key: ApiKey;
  readonly secretHash: string;
}

export interface StoredUpload {
  readonly accountId: number;
  readonly upload: Upload;
  /** `null`: none, or it was dropped. */
  readonly file: StoredFile | null;
  /** An instant; `null`: nobody has taken it. */
  readonly leaseUntil: string | null;
  readonly attempts: number;
}

export interface StoredFile {
  readonly bytes: Uint8Array;
  readonly keyId: number | null;
  readonly storedAt: string;
}

/** Everything that a memory store keeps. Records are replaced, never changed in place. */
export interface MemoryState {
  lastIds: Readonly<Record<IdSequence, number>>;
  readonly accounts: Map<number, StoredAccount>;
  /** By account: only the newest is stored. */
  readonly subscriptions: Map<number, Subscription>;
  readonly keys: Map<number, StoredKey>;
  readonly firms: Map<number, OwnedRecord<Firm>>;
  readonly companies: Map<number, OwnedRecord<Company>>;
  /** By firm and company. */
  readonly catalogSubscriptions: Map<string, OwnedRecord<CatalogSubscription>>;
  readonly offers: Map<number, OwnedRecord<Offer>>;
  /** By offer, oldest month first; lists are replaced, never changed in place. */
  readonly months: Map<number, readonly MonthlyPrice[]>;
  readonly revisions: Map<RecordOwner, number>;
  readonly versions: OfferVersion[];
  readonly catalogWrites: CatalogWrite[];
  /** By id; each with its account. */
  readonly proposals: Map<number, Proposal & { readonly accountId: number }>;
  readonly uploads: Map<number, StoredUpload>;
  /** By account, in order of id; lists are replaced, never changed in place. */
  readonly usage: Map<number, readonly UsageRecord[]>;
  /** By account: the number of the last recorded call. */
  readonly lastUsageIds: Map<number, number>;
  /** By log: its last batch. */
  readonly usageBatches: Map<string, { readonly number: number; readonly writtenAt: string }>;
  /** By key and name. */
  readonly answers: Map<string, StoredAnswer & { readonly storedAt: string }>;
}

export type IdSequence = 'account' | 'subscription' | 'key' | 'firm' | 'company' | 'offer' | 'proposal' | 'upload';

export function emptyState(): MemoryState {
  return {
    lastIds: { account: 0, subscription: 0, key: 0, firm: 0, company: 0, offer: 0, proposal: 0, upload: 0 },
    accounts: new Map(),
    subscriptions: new Map(),
    keys: new Map(),
    firms: new Map(),
    companies: new Map(),
    catalogSubscriptions: new Map(),
    offers: new Map(),
    months: new Map(),
    revisions: new Map(),
    versions: [],
    catalogWrites: [],
    proposals: new Map(),
    uploads: new Map(),
    usage: new Map(),
    lastUsageIds: new Map(),
    usageBatches: new Map(),
    answers: new Map(),
  };
}

/** A copy to work on: changing it leaves the original as it is. */
export function copyState(state: MemoryState): MemoryState {
  return {
    lastIds: state.lastIds,
    accounts: new Map(state.accounts),
    subscriptions: new Map(state.subscriptions),
    keys: new Map(state.keys),
    firms: new Map(state.firms),
    companies: new Map(state.companies),
    catalogSubscriptions: new Map(state.catalogSubscriptions),
    offers: new Map(state.offers),
    months: new Map(state.months),
    revisions: new Map(state.revisions),
    versions: [...state.versions],
    catalogWrites: [...state.catalogWrites],
    proposals: new Map(state.proposals),
    uploads: new Map(state.uploads),
    usage: new Map(state.usage),
    lastUsageIds: new Map(state.lastUsageIds),
    usageBatches: new Map(state.usageBatches),
    answers: new Map(state.answers),
  };
}

export function nextId(state: MemoryState, sequence: IdSequence): number {
  const id = state.lastIds[sequence] + 1;
  state.lastIds = { ...state.lastIds, [sequence]: id };
  return id;
}

/** The record of an owner with an id; one of another owner is as missing as one that does not exist. */
export function ownedRecord<T>(records: ReadonlyMap<number, OwnedRecord<T>>, owner: RecordOwner, id: number): T | null {
  const owned = records.get(id);
  return owned?.owner === owner ? owned.record : null;
}

export function byId<T extends { readonly id: number }>(records: readonly T[]): readonly T[] {
  return records.toSorted((a, b) => a.id - b.id);
}

/** The records of an owner by ascending id; `since` is excluded. */
export function recordsOf<T extends { readonly id: number }>(
  records: ReadonlyMap<number, OwnedRecord<T>>,
  owner: RecordOwner,
  since = 0,
): readonly T[] {
  const changed = [...records.values()].filter((owned) => owned.owner === owner && owned.revision > since);
  return byId(changed.map((owned) => owned.record));
}

export function pageOf<T>(
  matching: readonly T[],
  { limit, offset, afterId = null }: Page,
  idOf: (record: T) => number = (record) => Object(record).id,
): PageOf<T> {
  const rest = afterId === null ? matching : matching.filter((record) => idOf(record) > afterId);
  return { total: matching.length, results: rest.slice(offset, offset + limit) };
}

/** An offer with as much of it as is read. */
export function atDepth(offer: Offer, { withCommissions }: OfferDepth): Offer {
  return withCommissions ? offer : withoutCommissions(offer);
}

/** What must exist if the program is right. */
export function required<T>(value: T | null | undefined, what: string): T {
  assert(value !== null && value !== undefined, what);
  return value;
}

/** Whether two records say the same: same fields, same values, lists in the same order. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const remaining = new Map(Object.entries(a));
  const right = new Map(Object.entries(b));
  return (
    Array.isArray(a) === Array.isArray(b) &&
    remaining.size === right.size &&
    [...remaining].every(([name, value]) => right.has(name) && isSame(value, right.get(name)))
  );
}

/** Whether every number in a record is finite: others can be neither stored nor compared. */
export function hasFiniteNumbers(record: unknown): boolean {
  if (typeof record === 'number') return Number.isFinite(record);
  return typeof record !== 'object' || record === null || Object.values(record).every(hasFiniteNumbers);
}
