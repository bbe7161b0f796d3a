import type { Day } from '../../engine/calendar.ts';
import type { IndexDay, IndexSummary } from '../../engine/indices/index-days.ts';
import type { MonthChange, OfferChange } from '../../engine/offers/difference.ts';
import type { MonthlyPrice, Offer, OfferHead, OfferTerms } from '../../engine/offers/offer.ts';
import type { OfferRow } from '../../engine/offers/offer-row.ts';
import type { StoredAnswer } from '../access/idempotency.ts';
import type { RecordTotals, StoredBytes } from '../access/limits.ts';
import type { Account, ApiKey, KeyRecord, Subscription } from '../accounts/account.ts';
import type { UsageEntry, UsageQuery, UsageRecord, UsageSummary } from '../accounts/usage.ts';
import type {
  CatalogSubscription,
  Company,
  CompanyTerms,
  Firm,
  FirmDetail,
  FirmTerms,
  Letterhead,
} from '../firms/firm.ts';
import type { Upload } from '../uploads/upload.ts';
import type {
  CountScope,
  FilteredPage,
  ListScope,
  OfferDepth,
  OfferQuery,
  Page,
  PageOf,
  RecordCounts,
  RecordOwner,
  UploadQuery,
  UsagePage,
} from './lists.ts';
import type {
  AccountTerms,
  CatalogWrite,
  CatalogWriteTerms,
  ChangeQuery,
  ClaimedUpload,
  FullestAccount,
  KeptFile,
  KeyTerms,
  LeaseChange,
  Moment,
  OfferPast,
  OfferRecord,
  OfferVersion,
  OwnerChanges,
  Proposal,
  ProposalFilter,
  ProposalHead,
  ProposalQuery,
  ProposalState,
  ProposalTerms,
  RecordChange,
  RecordChanges,
  Revisions,
  SubscriptionTerms,
  UploadChange,
  UploadPlace,
  UploadTerms,
  UsageBatch,
} from './records.ts';

export interface AccountReads {
  get(accountId: number): Promise<Account | null>;
  list(): Promise<readonly Account[]>;
  /** The PHC string of the account's password, also of an inactive account; `null` when there is no such account. */
  passwordHash(accountId: number): Promise<string | null>;
  /** The account's only subscription, active or not. */
  subscription(accountId: number): Promise<Subscription | null>;
}

export interface AccountWrites {
  /** @throws DomainError `duplicate_email`, compared without case. */
  insert(terms: AccountTerms): Promise<Account>;
  update(accountId: number, changes: Partial<AccountTerms & { readonly isActive: boolean }>): Promise<Account | null>;
  /** Changes the account's subscription, which keeps its id and `createdAt`, or creates it. */
  putSubscription(accountId: number, terms: SubscriptionTerms): Promise<Subscription>;
}

export interface KeyReads {
  /** @param secretHash - SHA-256 of the key, hexadecimal. Inactive keys and accounts are returned too. */
  byHash(secretHash: string): Promise<KeyRecord | null>;
  /** The same for the id of a key. */
  record(keyId: number): Promise<KeyRecord | null>;
  list(accountId: number): Promise<readonly ApiKey[]>;
}

export interface KeyWrites {
  insert(terms: KeyTerms): Promise<ApiKey>;
  /** Deactivates a key, whatever the concerns of the unit of work; `null` when there is no such key. */
  revoke(keyId: number): Promise<ApiKey | null>;
  /**
   * Stores the instant of the unit of work as the last use of keys, whatever its concerns; unknown ids are left out.
   *
   * @param before - Keys that were used at this instant or later stay as they are.
   */
  markUsed(keyIds: readonly number[], before: string): Promise<void>;
}

export interface FirmReads {
  /** None of the catalog. */
  list(scope: ListScope, page: Page): Promise<PageOf<Firm>>;
  get(accountId: number, firmId: number): Promise<Firm | null>;
  /** The same with its picture and contact. */
  detail(accountId: number, firmId: number): Promise<FirmDetail | null>;
}

export interface FirmWrites {
  /** @throws DomainError `duplicate_name`: another firm of the account, active or not, has the folded name. */
  insert(accountId: number, terms: FirmTerms & Partial<Letterhead>): Promise<Firm>;
  /** Writes some terms of a firm of the account. @throws DomainError `duplicate_name`. */
  update(accountId: number, firmId: number, changes: Partial<FirmTerms & Letterhead>): Promise<Firm>;
}

export interface CompanyReads {
  list(scope: ListScope, page: Page): Promise<PageOf<Company>>;
  /** A company of the catalog is found under `'catalog'` only, and the other way round. */
  get(owner: RecordOwner, companyId: number): Promise<Company | null>;
}

export interface CompanyWrites {
  /** @throws DomainError `duplicate_name`: within the firm, or within the catalog. */
  insert(owner: RecordOwner, terms: CompanyTerms): Promise<Company>;
  update(owner: RecordOwner, companyId: number, changes: Partial<CompanyTerms>): Promise<Company>;
}

export interface OfferReads {
  list(query: OfferQuery, page: Page): Promise<FilteredPage<OfferRecord>>;
  /**
   * The given offers of one owner, active or not, by ascending id; unknown and foreign ids are left out.
   *
   * @param depth - With commissions when left out.
   */
  byId(owner: RecordOwner, offerIds: readonly number[], depth?: OfferDepth): Promise<readonly OfferRecord[]>;
  /** Append-only history of an offer of the owner, oldest first. @param depth - With commissions when left out. */
  versions(owner: RecordOwner, offerId: number, depth?: OfferDepth): Promise<readonly OfferVersion[]>;
  /**
   * The offers of an owner that changed after a moment, with those changes, each offer once, by ascending id. They are
   * read in parts, and other work may run in between.
   *
   * @param depth - With commissions when left out.
   */
  past(owner: RecordOwner, moment: Moment, depth?: OfferDepth): AsyncIterable<readonly OfferPast[]>;
  /**
   * The offers of an owner that changed after a revision, as rows, by ascending id. They are read in parts, and other
   * work may run in between.
   */
  rowsSince(owner: RecordOwner, since: number): AsyncIterable<readonly OfferRow[]>;
}

export interface OfferWrites {
  /** New offers, in the order given; ids ascend. The companies belong to the owner. */
  insert(owner: RecordOwner, terms: readonly OfferTerms[]): Promise<readonly Offer[]>;
  /**
   * Offers of the owner as they are afterwards, in the order given. Every offer is one of the owner's and comes once. A
   * masked change leaves `maskedUpdatedAt` as it was.
   */
  update(owner: RecordOwner, changes: readonly OfferChange[]): Promise<readonly Offer[]>;
}

export interface MonthReads {
  /** Monthly prices of the owner's offers, oldest first. An offer without any, or of another owner, has no entry. */
  of(owner: RecordOwner, offerIds: readonly number[]): Promise<ReadonlyMap<number, readonly MonthlyPrice[]>>;
}

export interface MonthWrites {
  /** Creates or replaces months of the owner's offers, each once. Each stamps its offer: `updatedAt` and revision. */
  put(owner: RecordOwner, months: readonly MonthChange[]): Promise<void>;
  /** Deletes a month that an offer of the owner has. It stamps the offer too. */
  delete(owner: RecordOwner, offerId: number, before: MonthlyPrice): Promise<void>;
}

export interface IndexReads {
  /** Those that have a price, by name. */
  list(): Promise<readonly IndexSummary[]>;
  /** Stored days of an index, the oldest first. Both bounds are included. */
  days(index: string, from: Day, to: Day): Promise<readonly IndexDay[]>;
}

export interface IndexWrites {
  /** Creates or replaces days, each once. */
  put(days: readonly IndexDay[]): Promise<void>;
}

export interface CatalogReads {
  /** Append-only record of the writes to the catalog, oldest first. */
  writes(page: Page): Promise<PageOf<CatalogWrite>>;
  /** The firm's decisions about catalog companies, for every firm of the account. */
  subscriptions(accountId: number): Promise<readonly CatalogSubscription[]>;
}

export interface CatalogWrites {
  /** Records a firm's decision about a catalog company, also one that it has made before. */
  putSubscription(accountId: number, subscription: CatalogSubscription): Promise<void>;
  /** Adds to the record of writes to the catalog. This creates no revision and no version. */
  recordWrite(terms: CatalogWriteTerms): Promise<void>;
}

export interface ChangeReads {
  revisions(accountId: number): Promise<Revisions>;
  /** Changed records, each once, in the order of their positions. */
  after(owner: RecordOwner, query: ChangeQuery): Promise<readonly RecordChange[]>;
  /** A random number of a revision; `null`: there is no such revision. */
  mark(owner: RecordOwner, revision: number): Promise<number | null>;
  /**
   * Every record of one owner that changed after a revision.
   *
   * @param since - Excluded: records stamped with a greater revision are returned. 0 returns all of them.
   * @param isWanted - Which offers to read; all of them when left out.
   */
  since(owner: RecordOwner, since: number, isWanted?: (head: OfferHead) => boolean): Promise<OwnerChanges>;
  /** The same without the offers. */
  recordsSince(owner: RecordOwner, since: number): Promise<RecordChanges>;
}

export interface CountReads {
  /** How many records an owner has. The number is stored and not counted. */
  totals(owner: RecordOwner): Promise<RecordTotals>;
  /** What an owner has stored. The numbers are stored, too. */
  stored(owner: RecordOwner): Promise<StoredBytes>;
  /** Accounts among which those are that have stored most of what they may. */
  fullest(): Promise<readonly FullestAccount[]>;
  /** @see docs/assumptions.md, A-34 */
  records(scope: CountScope): Promise<RecordCounts>;
  /** How many offers of an owner are active, by its `isActive` alone. */
  activeOffers(owner: RecordOwner): Promise<number>;
}

export interface ProposalReads {
  list(filter: ProposalFilter, page: Page): Promise<PageOf<ProposalHead>>;
  /** `null` when the query has no such proposal. */
  get(query: ProposalQuery, proposalId: number): Promise<Proposal | null>;
}

export interface ProposalWrites {
  /** The firm belongs to the account. This creates no revision and no version. */
  insert(accountId: number, terms: ProposalTerms): Promise<Proposal>;
  /** Sets the state of a proposal that the account has. */
  update(accountId: number, proposalId: number, changes: { readonly state: ProposalState }): Promise<ProposalHead>;
  /** Deletes a proposal that the account has. */
  delete(accountId: number, proposalId: number): Promise<void>;
}

export interface UploadReads {
  list(query: UploadQuery, page: Page): Promise<PageOf<Upload>>;
  /** `null` when the account has no such upload. */
  get(accountId: number, uploadId: number): Promise<Upload | null>;
  /** The file of a dry run; `null`: there is none. */
  kept(accountId: number, uploadId: number): Promise<KeptFile | null>;
  /**
   * Uploads of every account, by id, that have the file of a dry run: those created before an instant, and all but the
   * newest ones of each account.
   *
   * @param before - Excluded: one of exactly that instant is not among them.
   */
  keptBefore(before: string, perAccount: number): Promise<readonly UploadPlace[]>;
}

export interface UploadWrites {
  /** The firm belongs to the account. Uploads and calls create no revision and no version. */
  insert(accountId: number, terms: UploadTerms): Promise<Upload>;
  /**
   * Changes an upload if its status is `from`. Of several concurrent changes, one succeeds. Afterwards there is no
   * lease on it.
   *
   * @returns The upload afterwards; `null` when the account has none with that id in that status and under that lease.
   */
  update(accountId: number, uploadId: number, change: UploadChange): Promise<Upload | null>;
  /** Deletes the file of an upload, or of its dry run, if there is one. */
  dropFile(accountId: number, uploadId: number): Promise<void>;
}

export interface QueueReads {
  /**
   * The current time for all processes that use the store: by the clock of the database where several machines share
   * it.
   *
   * @param own - The current time of this process, which is returned where only one machine uses the store.
   */
  instant(own: string): Promise<string>;
  /** Whether `claim` would find something at an instant, without making writers wait. */
  isWaiting(instant: string, latest?: string): Promise<boolean>;
}

export interface QueueWrites {
  /**
   * Takes the upload with a file that has waited longest and sets it to `processing`: a pending one, or one whose lease
   * has expired because its worker died. Two concurrent calls never take the same one.
   *
   * @param leaseUntil - An instant. Until then (excluded) nobody else can take it. An upload in `processing` without a
   *   lease is never taken.
   * @param latest - A lease that ends later was given by a clock that has gone back since: it is none. Left out: all
   *   leases hold.
   * @returns `null` when nothing waits.
   */
  claim(leaseUntil: string, latest?: string): Promise<ClaimedUpload | null>;
  /**
   * `false` when the lease is no longer valid: the upload is finished, was put back, or has been taken by another
   * worker.
   */
  extendLease(accountId: number, uploadId: number, lease: LeaseChange): Promise<boolean>;
  /**
   * Deletes files of finished uploads, of every account: those sent before an instant, and all but the newest ones of
   * each account.
   *
   * @param before - Excluded: a file of exactly that instant stays.
   * @param perAccount - How many files of finished uploads each account may keep.
   * @returns How many were deleted.
   */
  sweepFiles(before: string, perAccount: number): Promise<number>;
}

export interface UsageReads {
  /** Recorded calls. `total` is exact, however many there are. */
  list(query: UsageQuery, page: UsagePage): Promise<PageOf<UsageRecord>>;
  /** A summary of the calls that `list` has. */
  summary(query: UsageQuery): Promise<UsageSummary>;
}

export interface UsageWrites {
  /**
   * Records calls. Each account's are numbered from 1, in the order given, and no number is given twice. The accounts
   * exist and the firms are theirs.
   *
   * @param batch - Identifies the entries, so that they are not recorded twice when the answer to an earlier call was
   *   lost. Left out: they are recorded in any case.
   */
  insert(entries: readonly UsageEntry[], batch?: UsageBatch): Promise<void>;
  /**
   * Deletes recorded calls of every account that are older than an instant, the oldest first.
   *
   * @param instant - Excluded: a call of exactly that instant stays.
   * @param limit - How many this call deletes at most, >= 1. Repeat until fewer are deleted.
   * @returns How many were deleted. Batch numbers of logs that recorded nothing since are deleted too, and not counted.
   */
  deleteBefore(instant: string, limit: number): Promise<number>;
}

export interface AnswerReads {
  /** The answer stored under an API key and an idempotency key, however old; `null` when there is none. */
  get(keyId: number, idempotencyKey: string): Promise<(StoredAnswer & { readonly storedAt: string }) | null>;
}

export interface AnswerWrites {
  /**
   * Stores the answer to a request in the transaction of its effect. Of two units of work that store one under the same
   * idempotency key, one succeeds.
   *
   * @param options - `replacesOlderThan`: an answer under the same key is replaced if it is older than this instant.
   * @throws DomainError `idempotency_in_flight` when there is a newer one.
   */
  store(answer: StoredAnswer, options: { readonly replacesOlderThan: string }): Promise<void>;
  /** Deletes stored answers older than an instant; `instant` and `limit` as for recorded calls. */
  deleteBefore(instant: string, limit: number): Promise<number>;
}
