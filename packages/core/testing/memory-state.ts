import { assert } from '../src/engine/errors.ts';
import type { MonthlyPrice, Offer } from '../src/engine/offers/offer.ts';
import type { StoredAnswer } from '../src/service/access/idempotency.ts';
import type { Account, ApiKey, Subscription } from '../src/service/accounts/account.ts';
import type { UsageRecord } from '../src/service/accounts/usage.ts';
import type { CatalogSubscription, Company, Firm, WithLogo } from '../src/service/firms/firm.ts';
import type { Page, PageOf, RecordOwner } from '../src/service/ports/lists.ts';
import type { CatalogWrite, KeptFile, OfferVersion, Proposal } from '../src/service/ports/records.ts';
import type { WriteContext } from '../src/service/ports/stores.ts';
import type { QueuedEvent, Webhook } from '../src/service/ports/webhooks.ts';
import type { Upload } from '../src/service/uploads/upload.ts';

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
  readonly kept: KeptFile | null;
  /** An instant; `null`: nobody has taken it. */
  readonly leaseUntil: string | null;
  readonly attempts: number;
}

export interface StoredFile {
  readonly bytes: Uint8Array;
  readonly keyId: number | null;
  readonly traceparent: string | null;
  readonly storedAt: string;
}

export interface StoredWebhook {
  readonly webhook: Webhook;
  /** An instant: until then one has taken it, or when it was served last. */
  readonly leaseUntil: string;
}

type Sequence =
  | 'account'
  | 'subscription'
  | 'key'
  | 'firm'
  | 'company'
  | 'offer'
  | 'proposal'
  | 'upload'
  | 'webhook'
  | 'webhookEvent';

/** The tables of a store, by id where nothing else is said. */
export function emptyState() {
  return {
    lastIds: new Map<Sequence, number>(),
    accounts: new Map<number, StoredAccount>(),
    /** By account: only the newest is stored. */
    subscriptions: new Map<number, Subscription>(),
    keys: new Map<number, StoredKey>(),
    firms: new Map<number, OwnedRecord<Firm> & WithLogo>(),
    companies: new Map<number, OwnedRecord<Company>>(),
    /** By firm and company. */
    catalogSubscriptions: new Map<string, OwnedRecord<CatalogSubscription>>(),
    offers: new Map<number, OwnedRecord<Offer>>(),
    /** By offer, oldest month first. */
    months: new Map<number, readonly MonthlyPrice[]>(),
    revisions: new Map<RecordOwner, number>(),
    /** In the order in which they were written. */
    versions: [] as OfferVersion[],
    catalogWrites: [] as CatalogWrite[],
    /** Each with its account. */
    proposals: new Map<number, Proposal & { readonly accountId: number }>(),
    uploads: new Map<number, StoredUpload>(),
    webhooks: new Map<number, StoredWebhook>(),
    webhookEvents: new Map<
      number,
      { readonly webhookId: number; readonly event: QueuedEvent; readonly dueAt: string }
    >(),
    /** By account, in order of id. */
    usage: new Map<number, readonly UsageRecord[]>(),
    /** By account: the number of the last recorded call. */
    lastUsageIds: new Map<number, number>(),
    /** By log: its last batch. */
    usageBatches: new Map<string, { readonly number: number; readonly writtenAt: string }>(),
    /** By key and name. */
    answers: new Map<string, StoredAnswer & { readonly storedAt: string }>(),
  };
}

/** Everything that a memory store holds. Tables change; the records and lists in them are replaced. */
export type MemoryState = ReturnType<typeof emptyState>;

/** A copy to work on: changing it leaves the original as it is. */
export function copyState(state: MemoryState): MemoryState {
  const copyOf = (table: unknown) =>
    Array.isArray(table) ? [...table] : new Map(table as ReadonlyMap<unknown, unknown>);
  return Object.fromEntries(Object.entries(state).map(([name, table]) => [name, copyOf(table)])) as MemoryState;
}

/** A unit of work on its own copy of the state. */
export interface MemoryUnit {
  readonly state: MemoryState;
  readonly context: WriteContext;
  /** Owners whose records this unit has changed, with what it stamps there. */
  readonly stamps: Map<RecordOwner, { readonly revision: number; readonly at: string }>;
  isOpen: boolean;
  /** The error of the first change that failed: the unit is not committed, even if its code caught the error. */
  failure: { readonly error: unknown } | null;
}

export function nextId({ lastIds }: MemoryState, sequence: Sequence): number {
  const id = (lastIds.get(sequence) ?? 0) + 1;
  lastIds.set(sequence, id);
  return id;
}

/** The record of an owner with an id; one of another owner is as missing as one that does not exist. */
export function ownedRecord<T>(records: ReadonlyMap<number, OwnedRecord<T>>, owner: RecordOwner, id: number): T | null {
  const owned = records.get(id);
  return owned?.owner === owner ? owned.record : null;
}

/** The records of an owner, the oldest first; `since` is excluded. */
export function recordsOf<T>(
  records: ReadonlyMap<unknown, OwnedRecord<T>>,
  owner: RecordOwner,
  since = 0,
): readonly T[] {
  return ownedBy(records, owner).flatMap(({ revision, record }) => (revision > since ? [record] : []));
}

export function ownedBy<T>(records: ReadonlyMap<unknown, OwnedRecord<T>>, owner: RecordOwner) {
  return [...records.values()].filter((owned) => owned.owner === owner);
}

export function pageOf<T>(
  matching: readonly T[],
  { limit, offset, afterId = null }: Page,
  idOf: (record: T) => number = (record) => Object(record).id,
): PageOf<T> {
  const rest = afterId === null ? matching : matching.filter((record) => idOf(record) > afterId);
  return { total: matching.length, results: rest.slice(offset, offset + limit) };
}

/** What must exist if the program is right. */
export function required<T>(value: T | null | undefined, what: string): T {
  assert(value !== null && value !== undefined, what);
  return value;
}

/** Whether every number in a record is finite: others can be neither stored nor compared. */
export function hasFiniteNumbers(record: unknown): boolean {
  if (typeof record === 'number') return Number.isFinite(record);
  return typeof record !== 'object' || record === null || Object.values(record).every(hasFiniteNumbers);
}
