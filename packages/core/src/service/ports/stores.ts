import type { MonthChange, OfferChange } from '../../engine/offers/difference.ts';
import type { MonthlyPrice, Offer, OfferHead, OfferTerms } from '../../engine/offers/offer.ts';
import type { OfferRow } from '../../engine/offers/offer-columns.ts';
import type { StoredAnswer } from '../access/idempotency.ts';
import type { RecordTotals } from '../access/limits.ts';
import type { Account, ApiKey, KeyRecord, Subscription } from '../accounts/account.ts';
import type { UsageEntry, UsageQuery, UsageRecord, UsageSummary } from '../accounts/usage.ts';
import type { CatalogSubscription, Company, CompanyTerms, Firm, FirmTerms } from '../firms/firm.ts';
import type { Upload } from '../uploads/upload.ts';
import type {
  CountScope,
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
  KeyTerms,
  LeaseChange,
  Moment,
  OfferPast,
  OfferRecord,
  OfferVersion,
  OwnerChanges,
  Proposal,
  ProposalHead,
  ProposalQuery,
  ProposalTerms,
  RecordChange,
  RecordChanges,
  Revisions,
  SubscriptionTerms,
  UploadChange,
  UploadTerms,
  UsageBatch,
} from './records.ts';

/**
 * What a unit of work changes: an account with all its records, the shared catalog, the log of calls, or the queue of
 * uploads of all accounts.
 */
export type Concern = RecordOwner | 'usage' | 'queue';

/**
 * All reads. Every method of one `Reader` sees the same state of the data, whatever is committed meanwhile. Records of
 * another account are never returned: a foreign id and a missing one look the same.
 */
export interface Reader {
  /** @param secretHash - SHA-256 of the key, hexadecimal. Inactive keys and accounts are returned too. */
  keyByHash(secretHash: string): Promise<KeyRecord | null>;
  /** The same for the id of a key. */
  keyRecord(keyId: number): Promise<KeyRecord | null>;
  account(accountId: number): Promise<Account | null>;
  accounts(): Promise<readonly Account[]>;
  /** The PHC string of the account's password, also of an inactive account; `null` when there is no such account. */
  passwordHash(accountId: number): Promise<string | null>;
  /** The account's only subscription, active or not. */
  subscription(accountId: number): Promise<Subscription | null>;
  keys(accountId: number): Promise<readonly ApiKey[]>;

  /** None of the catalog. */
  firms(scope: ListScope, page: Page): Promise<PageOf<Firm>>;
  firm(accountId: number, firmId: number): Promise<Firm | null>;
  companies(scope: ListScope, page: Page): Promise<PageOf<Company>>;
  /**
   * @param owner - whose company; a company of the catalog is found under `'catalog'` only, and the other way round.
   */
  company(owner: RecordOwner, companyId: number): Promise<Company | null>;

  offers(query: OfferQuery, page: Page): Promise<PageOf<OfferRecord>>;
  /**
   * The given offers of one owner, active or not, by ascending id; unknown and foreign ids are left out.
   *
   * @param depth - With commissions when left out.
   */
  offersById(owner: RecordOwner, offerIds: readonly number[], depth?: OfferDepth): Promise<readonly OfferRecord[]>;
  /** Monthly prices of offers, oldest first. An offer without any has no entry. Ids must come from this reader. */
  monthsOf(offerIds: readonly number[]): Promise<ReadonlyMap<number, readonly MonthlyPrice[]>>;
  /** Append-only record of the writes to the catalog, oldest first. */
  catalogWrites(page: Page): Promise<PageOf<CatalogWrite>>;
  /** The firm's decisions about catalog companies, for every firm of the account. */
  catalogSubscriptions(accountId: number): Promise<readonly CatalogSubscription[]>;

  revisions(accountId: number): Promise<Revisions>;
  /** Changed records, each once, in the order of their positions. */
  changesAfter(owner: RecordOwner, query: ChangeQuery): Promise<readonly RecordChange[]>;
  /** A random number of a revision; `null`: there is no such revision. */
  revisionMark(owner: RecordOwner, revision: number): Promise<number | null>;
  /** How many records an owner has. The number is stored and not counted. */
  recordTotals(owner: RecordOwner): Promise<RecordTotals>;
  /**
   * Every record of one owner that changed after a revision.
   *
   * @param since - Excluded: records stamped with a greater revision are returned. 0 returns all of them.
   * @param isWanted - Which offers to read; all of them when left out.
   */
  changesSince(owner: RecordOwner, since: number, isWanted?: (head: OfferHead) => boolean): Promise<OwnerChanges>;
  /** The same without the offers. */
  recordsSince(owner: RecordOwner, since: number): Promise<RecordChanges>;
  /** Only its offers, as rows, in ascending order of id. They are read in parts, and other work may run in between. */
  offerRowsSince(owner: RecordOwner, since: number): AsyncIterable<readonly OfferRow[]>;
  /** Append-only history of an offer, oldest first. */
  versionsOf(offerId: number): Promise<readonly OfferVersion[]>;
  /**
   * The offers of an owner that changed after a moment, with those changes, each offer once, by ascending id. They are
   * read in parts, and other work may run in between.
   */
  pastOf(owner: RecordOwner, moment: Moment): AsyncIterable<readonly OfferPast[]>;

  proposals(query: ProposalQuery, page: Page): Promise<PageOf<ProposalHead>>;
  /** `null` when the query has no such proposal. */
  proposal(query: ProposalQuery, proposalId: number): Promise<Proposal | null>;

  uploads(query: UploadQuery, page: Page): Promise<PageOf<Upload>>;
  /** `null` when the account has no such upload. */
  upload(accountId: number, uploadId: number): Promise<Upload | null>;
  /**
   * The current time for all processes that use the store: by the clock of the database where several machines share
   * it.
   *
   * @param own - The current time of this process, which is returned where only one machine uses the store.
   */
  instant(own: string): Promise<string>;
  /** Whether `claimUpload` would find something at an instant, without making writers wait. */
  isUploadWaiting(instant: string): Promise<boolean>;
  /** Recorded calls. `total` is exact, however many there are. */
  usage(query: UsageQuery, page: UsagePage): Promise<PageOf<UsageRecord>>;
  /** A summary of the calls that `usage` lists. */
  usageSummary(query: UsageQuery): Promise<UsageSummary>;
  /** The answer stored under an API key and an idempotency key, however old; `null` when there is none. */
  storedAnswer(keyId: number, idempotencyKey: string): Promise<(StoredAnswer & { readonly storedAt: string }) | null>;
  /** How many offers of an owner are active, by its `isActive` alone. */
  activeOfferCount(owner: RecordOwner): Promise<number>;
  /** @see docs/assumptions.md, A-34 */
  recordCounts(scope: CountScope): Promise<RecordCounts>;
}

/**
 * All writes, inside one transaction: either everything that a unit of work wrote is committed, or nothing. The first
 * change of an owner's records raises their revision by one, and every written row is stamped with it. Writers with a
 * common concern wait for each other, so nothing that a writer has read of it changes before it writes. So the caller
 * finds out what differs (`differenceOf`), and everything that it gives is written, equal or not.
 */
export interface Writer extends Reader {
  /** @throws DomainError `duplicate_email`, compared without case. */
  insertAccount(terms: AccountTerms): Promise<Account>;
  updateAccount(
    accountId: number,
    changes: Partial<AccountTerms & { readonly isActive: boolean }>,
  ): Promise<Account | null>;
  /** Changes the account's subscription, which keeps its id and `createdAt`, or creates it. */
  putSubscription(accountId: number, terms: SubscriptionTerms): Promise<Subscription>;
  insertKey(terms: KeyTerms): Promise<ApiKey>;
  /** Deactivates a key, whatever the concerns of the unit of work; `null` when there is no such key. */
  revokeKey(keyId: number): Promise<ApiKey | null>;

  /** @throws DomainError `duplicate_name`: another firm of the account, active or not, has the folded name. */
  insertFirm(accountId: number, terms: FirmTerms): Promise<Firm>;
  /** Writes some terms of a firm of the account. @throws DomainError `duplicate_name`. */
  updateFirm(accountId: number, firmId: number, changes: Partial<FirmTerms>): Promise<Firm>;
  /** @throws DomainError `duplicate_name`: within the firm, or within the catalog. */
  insertCompany(owner: RecordOwner, terms: CompanyTerms): Promise<Company>;
  updateCompany(owner: RecordOwner, companyId: number, changes: Partial<CompanyTerms>): Promise<Company>;
  /** Records a firm's decision about a catalog company, also one that it has made before. */
  putCatalogSubscription(accountId: number, subscription: CatalogSubscription): Promise<void>;

  /** Adds to the record of writes to the catalog. This creates no revision and no version. */
  recordCatalogWrite(terms: CatalogWriteTerms): Promise<void>;

  /** New offers, in the order given; ids ascend. The companies belong to the owner. */
  insertOffers(owner: RecordOwner, terms: readonly OfferTerms[]): Promise<readonly Offer[]>;
  /**
   * Offers of the owner as they are afterwards, in the order given. Every offer is one of the owner's and comes once. A
   * masked change leaves `maskedUpdatedAt` as it was.
   */
  updateOffers(owner: RecordOwner, changes: readonly OfferChange[]): Promise<readonly Offer[]>;
  /**
   * Creates or replaces months of the owner's offers, each once. Each stamps its offer: `updatedAt` and revision.
   */
  putMonths(owner: RecordOwner, months: readonly MonthChange[]): Promise<void>;
  /** Deletes a month that an offer of the owner has. It stamps the offer too. */
  deleteMonth(owner: RecordOwner, offerId: number, before: MonthlyPrice): Promise<void>;

  /** Stores a proposal for good. The firm belongs to the account. This creates no revision and no version. */
  insertProposal(accountId: number, terms: ProposalTerms): Promise<Proposal>;

  /** The firm belongs to the account. Uploads and calls create no revision and no version. */
  insertUpload(accountId: number, terms: UploadTerms): Promise<Upload>;
  /**
   * Changes an upload if its status is `from`. Of several concurrent changes, one succeeds. Afterwards there is no
   * lease on it.
   *
   * @returns The upload afterwards; `null` when the account has none with that id in that status and under that lease.
   */
  updateUpload(accountId: number, uploadId: number, change: UploadChange): Promise<Upload | null>;
  /**
   * Takes the upload with a file that has waited longest and sets it to `processing`: a pending one, or one whose lease
   * has expired because its worker died. Two concurrent calls never take the same one.
   *
   * @param leaseUntil - An instant. Until then (excluded) nobody else can take it. An upload in `processing` without a
   *   lease is never taken.
   * @returns `null` when nothing waits.
   */
  claimUpload(leaseUntil: string): Promise<ClaimedUpload | null>;
  /**
   * `false` when the lease is no longer valid: the upload is finished, was put back, or has been taken by another
   * worker.
   */
  extendLease(accountId: number, uploadId: number, lease: LeaseChange): Promise<boolean>;
  /** Deletes the file of an upload, if there is one. */
  dropUploadFile(accountId: number, uploadId: number): Promise<void>;
  /**
   * Deletes files of finished uploads, of every account: those sent before an instant, and all but the newest ones of
   * each account.
   *
   * @param before - Excluded: a file of exactly that instant stays.
   * @param perAccount - How many files of finished uploads each account may keep.
   * @returns How many were deleted.
   */
  sweepUploadFiles(before: string, perAccount: number): Promise<number>;
  /**
   * Records calls. Each account's are numbered from 1, in the order given, and no number is given twice. The accounts
   * exist and the firms are theirs.
   *
   * @param batch - Identifies the entries, so that they are not recorded twice when the answer to an earlier call was
   *   lost. Left out: they are recorded in any case.
   */
  insertUsage(entries: readonly UsageEntry[], batch?: UsageBatch): Promise<void>;
  /**
   * Deletes recorded calls of every account that are older than an instant, the oldest first.
   *
   * @param instant - Excluded: a call of exactly that instant stays.
   * @param limit - How many this call deletes at most, >= 1. Repeat until fewer are deleted.
   * @returns How many were deleted. Batch numbers of logs that recorded nothing since are deleted too, and not counted.
   */
  deleteUsageBefore(instant: string, limit: number): Promise<number>;

  /**
   * Stores the answer to a request in the transaction of its effect. Of two units of work that store one under the same
   * idempotency key, one succeeds.
   *
   * @param options - `replacesOlderThan`: an answer under the same key is replaced if it is older than this instant.
   * @throws DomainError `idempotency_in_flight` when there is a newer one.
   */
  storeAnswer(answer: StoredAnswer, options: { readonly replacesOlderThan: string }): Promise<void>;
  /** Deletes stored answers older than an instant; `instant` and `limit` as in `deleteUsageBefore`. */
  deleteAnswersBefore(instant: string, limit: number): Promise<number>;
}

/** Who writes and when, for versions and `updatedAt`. */
export interface WriteContext {
  readonly keyId: number | null;
  /** UTC, `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly at: string;
  /**
   * The unit of work changes nothing else. Units of work with a common concern wait for each other; others may run at
   * the same time. Anything else that it reads may change meanwhile, so it must not rely on it. Left out: it waits for
   * every other unit of work, and they wait for it.
   */
  readonly concerns?: readonly Concern[];
}

/** The reads at the beginning of nearly every request. Each sees its own state of the data. */
export type SingleReads = Pick<Reader, 'keyByHash' | 'revisions'>;

/** Where all data is stored. Every implementation passes the store contract of `@tarifario/core/testing`. */
export interface Store {
  /**
   * Reads what is committed at the moment of each call. Two calls may see two states, so use `read` for what belongs
   * together. Waits for no reader and no writer.
   *
   * @throws DomainError `unavailable` when the database cannot be used.
   */
  readonly latest: SingleReads;
  /** Runs reads that all see the same state. What `work` throws is rethrown. */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * Runs a unit of work. It is committed when `work` returns, and rolled back when `work` throws; the error is
   * rethrown. After a failed change the unit of work is always rolled back, even when `work` catches the error: check
   * before you change instead. Do not call `read` or `write` inside.
   *
   * After a conflict with other transactions `work` may be run again from its beginning, with a new writer; nothing of
   * the earlier run is committed. So it may have no effect except through its writer and its result.
   *
   * @throws DomainError `unavailable` when the database cannot be used. Nothing is committed then, unless the message
   *   says that the outcome is unknown.
   */
  write<T>(context: WriteContext, work: (writer: Writer) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
