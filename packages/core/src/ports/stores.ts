import type { KeptAnswer } from '../access/claim.ts';
import type { RecordTotals } from '../access/limits.ts';
import type { Account, ApiKey, KeyRecord, Subscription } from '../accounts/account.ts';
import type { UsageEntry, UsageQuery, UsageRecord, UsageSummary } from '../accounts/usage.ts';
import type { BulkState } from '../bulk/state.ts';
import type { Month } from '../calendar.ts';
import type { CatalogSubscription, Company, CompanyTerms, Firm, FirmTerms } from '../firms/firm.ts';
import type { MonthlyPrice, Offer, OfferTerms } from '../offers/offer.ts';
import type { OfferRow } from '../offers/offer-columns.ts';
import type { OfferRecord } from '../offers/offer-filter.ts';
import type { Upload } from '../uploads/upload.ts';
import type {
  CatalogCounts,
  CatalogOfferQuery,
  CountScope,
  ListScope,
  OfferDepth,
  OfferQuery,
  Page,
  PageOf,
  RecordCounts,
  TemplateCounts,
  TemplateQuery,
  UploadQuery,
  UsagePage,
} from './lists.ts';
import type {
  AccountTerms,
  CatalogWrite,
  CatalogWriteTerms,
  ClaimedUpload,
  KeyTerms,
  LeaseChange,
  MonthOfOffer,
  OfferChange,
  OfferVersion,
  RecordChanges,
  Revisions,
  ShelfChanges,
  SubscriptionTerms,
  UploadChange,
  UploadTerms,
  UsageBatch,
} from './records.ts';

/** Whose shelf of offers and companies: an account's id, or the catalog that all accounts share. */
export type ShelfOwner = number | 'catalog';

/**
 * What a unit of work is about: an account with all its records, the shared catalog, the log of calls, or the queue of
 * uploads, from which work is taken whoever it is for.
 */
export type Concern = ShelfOwner | 'usage' | 'queue';

/**
 * What can be read. Every method of one `Reader` sees the same state of the data, whatever is committed meanwhile.
 * Records of another account are never returned: a foreign id and a missing one look the same.
 */
export interface Reader {
  /** @param secretHash - SHA-256 of the key, hexadecimal. Inactive keys and accounts are returned too. */
  keyByHash(secretHash: string): Promise<KeyRecord | null>;
  /** The same, of a key that is known by its id. */
  keyRecord(keyId: number): Promise<KeyRecord | null>;
  account(accountId: number): Promise<Account | null>;
  accounts(): Promise<readonly Account[]>;
  /** The PHC string of the account's password; `null` when there is no such account. Inactive accounts have theirs. */
  passwordHash(accountId: number): Promise<string | null>;
  /** The account's only subscription, active or not. */
  subscription(accountId: number): Promise<Subscription | null>;
  keys(accountId: number): Promise<readonly ApiKey[]>;
  key(keyId: number): Promise<ApiKey | null>;

  firms(scope: ListScope, page: Page): Promise<PageOf<Firm>>;
  firm(accountId: number, firmId: number): Promise<Firm | null>;
  activeFirmCount(accountId: number): Promise<number>;
  companies(scope: ListScope, page: Page): Promise<PageOf<Company>>;
  /** @param owner - whose company; a company of the catalog is found under `'catalog'` only, and the other way round. */
  company(owner: ShelfOwner, companyId: number): Promise<Company | null>;

  offers(query: OfferQuery, page: Page): Promise<PageOf<OfferRecord>>;
  /**
   * The given offers of one shelf, active or not, by ascending id; unknown and foreign ids are left out.
   *
   * @param depth - With commissions when left out.
   */
  offersById(owner: ShelfOwner, offerIds: readonly number[], depth?: OfferDepth): Promise<readonly OfferRecord[]>;
  /** Monthly prices of offers, oldest first. An offer without any has no entry. Ids must come from this reader. */
  monthsOf(offerIds: readonly number[]): Promise<ReadonlyMap<number, readonly MonthlyPrice[]>>;
  /**
   * The newest months of a few offers, oldest first, and how many each has. An offer without any has no entry. Ids must
   * come from this reader.
   *
   * @param limit - Months of each offer, >= 1.
   */
  newestMonthsOf(offerIds: readonly number[], limit: number): Promise<ReadonlyMap<number, PageOf<MonthlyPrice>>>;
  /** The months of an offer, oldest first. The id must come from this reader. */
  months(offerId: number, page: Page): Promise<PageOf<MonthlyPrice>>;
  /** Companies of the shared catalog. */
  catalogCompanies(scope: Pick<ListScope, 'includeInactive'>, page: Page): Promise<PageOf<Company>>;
  catalogOffers(query: CatalogOfferQuery, page: Page): Promise<PageOf<OfferRecord>>;
  catalogCounts(): Promise<CatalogCounts>;
  /** Append-only record of the writes to the catalog, oldest first. */
  catalogWrites(page: Page): Promise<PageOf<CatalogWrite>>;
  /** The firm's decisions about catalog companies, for every firm of the account. */
  catalogSubscriptions(accountId: number): Promise<readonly CatalogSubscription[]>;

  revisions(accountId: number): Promise<Revisions>;
  /** How much is on a shelf: known without counting it. */
  recordTotals(owner: ShelfOwner): Promise<RecordTotals>;
  /**
   * Everything of one shelf that changed after a revision.
   *
   * @param since - Excluded: records stamped with a greater revision are returned. 0 returns the whole shelf.
   */
  changesSince(owner: ShelfOwner, since: number): Promise<ShelfChanges>;
  /** The same without the offers. */
  recordsSince(owner: ShelfOwner, since: number): Promise<RecordChanges>;
  /** Its offers alone, as rows, in ascending order of id: a few at a time, and other work may run in between. */
  offerRowsSince(owner: ShelfOwner, since: number): AsyncIterable<readonly OfferRow[]>;
  /**
   * How many rows a template would have, without reading any of them.
   *
   * @param enough - Once one of the counts is greater, counting may stop.
   */
  templateCounts(owner: ShelfOwner, query: TemplateQuery, enough: number): Promise<TemplateCounts>;
  /** What a template is made of: all firms and companies of the shelf, and the offers that are meant, by ascending id. */
  templateState(owner: ShelfOwner, query: TemplateQuery): Promise<BulkState>;
  /** Append-only history of an offer, oldest first. */
  versionsOf(offerId: number): Promise<readonly OfferVersion[]>;

  uploads(query: UploadQuery, page: Page): Promise<PageOf<Upload>>;
  /** `null` when the account has no such upload. */
  upload(accountId: number, uploadId: number): Promise<Upload | null>;
  /**
   * What time it is for everybody who uses the store: by the clock of the database where several machines share one.
   *
   * @param own - The instant by the clock of this process: the answer where only one machine uses the store.
   */
  instant(own: string): Promise<string>;
  /** Whether `claimUpload` would find something at an instant: a look that keeps no writer waiting. */
  isUploadWaiting(instant: string): Promise<boolean>;
  /** Recorded calls. `total` is exact, however many there are. */
  usage(query: UsageQuery, page: UsagePage): Promise<PageOf<UsageRecord>>;
  /** What the calls of a query come to; the same calls that `usage` lists. */
  usageSummary(query: UsageQuery): Promise<UsageSummary>;
  /** What a key was answered under a name, however long ago; `null` when nothing is kept. */
  keptAnswer(keyId: number, idempotencyKey: string): Promise<(KeptAnswer & { readonly keptAt: string }) | null>;
  /** @see docs/assumptions.md, A-34 */
  recordCounts(scope: CountScope): Promise<RecordCounts>;
}

/**
 * What can be changed, inside one transaction: everything that a unit of work wrote is kept, or nothing.
 * The first change of a shelf raises its revision by one, and every changed row is stamped with it. Writers of the
 * same concern wait for each other; what a writer reads of it is what it changes (no other write comes between).
 */
export interface Writer extends Reader {
  /** @throws DomainError `duplicate_email`, compared without case. */
  insertAccount(terms: AccountTerms): Promise<Account>;
  updateAccount(
    accountId: number,
    changes: Partial<AccountTerms & { readonly isActive: boolean }>,
  ): Promise<Account | null>;
  /** Changes the account's subscription, which keeps its id and `createdAt`; the first time it begins one. */
  putSubscription(accountId: number, terms: SubscriptionTerms): Promise<Subscription>;
  insertKey(terms: KeyTerms): Promise<ApiKey>;
  /** Deactivates a key, whatever the unit of work is about; `null` when there is none. */
  revokeKey(keyId: number): Promise<ApiKey | null>;

  /** @throws DomainError `duplicate_name`: another firm of the account, active or not, has the folded name. */
  insertFirm(accountId: number, terms: FirmTerms): Promise<Firm>;
  /** `null` when the account has no such firm. @throws DomainError `duplicate_name`. */
  updateFirm(accountId: number, firmId: number, terms: FirmTerms): Promise<Firm | null>;
  /** @throws DomainError `duplicate_name`: within the firm, or within the catalog. */
  insertCompany(owner: ShelfOwner, terms: CompanyTerms): Promise<Company>;
  updateCompany(owner: ShelfOwner, companyId: number, terms: CompanyTerms): Promise<Company | null>;
  /** Records a firm's decision about a catalog company. */
  putCatalogSubscription(accountId: number, subscription: CatalogSubscription): Promise<void>;

  /** Adds to the record of writes to the catalog. No revision and no version comes of it. */
  recordCatalogWrite(terms: CatalogWriteTerms): Promise<void>;

  /** New offers, in the order given; ids ascend. The companies belong to the owner. */
  insertOffers(owner: ShelfOwner, terms: readonly OfferTerms[]): Promise<readonly Offer[]>;
  /**
   * Offers of the owner as they are afterwards, in the order given. Every id exists on that shelf and comes once. A change
   * of commissions alone leaves `maskedUpdatedAt` as it was, also one that counts always.
   */
  updateOffers(owner: ShelfOwner, changes: readonly OfferChange[]): Promise<readonly Offer[]>;
  /**
   * Creates or replaces one month; an equal month is left alone. The offer must be on that shelf. A changed month
   * stamps its offer: `updatedAt` and revision.
   */
  putMonth(owner: ShelfOwner, offerId: number, price: MonthlyPrice): Promise<'created' | 'replaced'>;
  /** As `putMonth`, for many at once, in the order given. Every month of an offer comes once. */
  putMonths(owner: ShelfOwner, months: readonly MonthOfOffer[]): Promise<readonly ('created' | 'replaced')[]>;
  /** `false` when the offer had no such month. */
  deleteMonth(owner: ShelfOwner, offerId: number, month: Month): Promise<boolean>;

  /** The firm is one of the account. No revision and no version comes of an upload or of a call. */
  insertUpload(accountId: number, terms: UploadTerms): Promise<Upload>;
  /**
   * Changes an upload if it is in `from`. Of many that try at once, one succeeds. Whatever it is put to, nobody holds
   * a lease on it any more.
   *
   * @returns The upload afterwards; `null` when the account has none with that id in that status and under that lease.
   */
  updateUpload(accountId: number, uploadId: number, change: UploadChange): Promise<Upload | null>;
  /**
   * Takes the upload with a file that waits longest and puts it to `processing`: a pending one, or one whose lease has
   * run out because whoever worked on it died. Two that take at once never get the same.
   *
   * @param leaseUntil - An instant. Until then, excluded, nobody else gets it; nor ever one without a lease.
   * @returns `null` when nothing waits.
   */
  claimUpload(leaseUntil: string): Promise<ClaimedUpload | null>;
  /** `false` when that lease is not in force: the upload is over, was put back, or somebody else has taken it since. */
  extendLease(accountId: number, uploadId: number, lease: LeaseChange): Promise<boolean>;
  /** Forgets the file of an upload, if there is one. */
  dropUploadFile(accountId: number, uploadId: number): Promise<void>;
  /**
   * Forgets files, of every account, whose upload is over: those that came before an instant, and those beyond the newest
   * of an account.
   *
   * @param before - Excluded: a file of that very instant stays.
   * @param perAccount - How many files of uploads that are over an account may keep.
   * @returns How many were forgotten.
   */
  sweepUploadFiles(before: string, perAccount: number): Promise<number>;
  /**
   * Records calls. Each account's are numbered from 1, in the order given, and no number is given twice. The accounts
   * exist and the firms are theirs.
   *
   * @param batch - Entries that were recorded under it before are not recorded again: nobody may have heard that they
   *   were. Left out: they are recorded in any case.
   */
  insertUsage(entries: readonly UsageEntry[], batch?: UsageBatch): Promise<void>;
  /**
   * Deletes recorded calls of every account that are older than an instant, the oldest first.
   *
   * @param instant - Excluded: a call of that very instant stays.
   * @param limit - The most that this call deletes, >= 1; delete again until the answer is less.
   * @returns How many were deleted. Logs that recorded nothing since are forgotten, and not counted.
   */
  deleteUsageBefore(instant: string, limit: number): Promise<number>;

  /**
   * Keeps the answer to a request together with what the request did. Of two units of work that keep one under the same
   * name, one is kept.
   *
   * @param options - `insteadOf`: an answer under that name is replaced if it is older than this instant.
   * @throws DomainError `idempotency_in_flight` when a younger one is there.
   */
  keepAnswer(answer: KeptAnswer, options: { readonly insteadOf: string }): Promise<void>;
  /** Deletes kept answers older than an instant; `instant` and `limit` as of `deleteUsageBefore`. */
  deleteAnswersBefore(instant: string, limit: number): Promise<number>;
}

/** Who writes, and when: stamped on the versions and on `updatedAt`. */
export interface WriteContext {
  readonly keyId: number | null;
  /** UTC, `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly at: string;
  /**
   * The unit of work changes nothing else, and a store may let it run beside others: those that have a concern in
   * common wait for each other. What it reads of anything else may change meanwhile; it decides nothing by that which
   * would be wrong a moment later. Left out: it waits for every other unit of work, and every other for it.
   */
  readonly concerns?: readonly Concern[];
}

/** The reads that nearly every request begins with, each a question that stands alone. */
export type SingleReads = Pick<Reader, 'keyByHash' | 'revisions'>;

/** A place where everything is kept. Every implementation passes `@tarifario/core/testing`'s store contract. */
export interface Store {
  /**
   * What is committed at the moment of each call: two calls may see two states, so what belongs together is asked in
   * `read`. Waits for no reader and no writer.
   *
   * @throws DomainError `unavailable` when the database cannot be used.
   */
  readonly latest: SingleReads;
  /** Runs reads that see one and the same state. What `work` throws is thrown on. */
  read<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /**
   * Runs a unit of work. It is kept whole when `work` returns, and leaves no trace when `work` throws; what it
   * throws is thrown on. A change that failed dooms the whole unit of work, even when `work` catches its error: look
   * before changing instead. Do not call `read` or `write` inside.
   *
   * `work` may be run again from its beginning, with a new writer, when others were in its way; nothing of the earlier
   * run is kept. So it has no effect but through its writer, and remembers nothing outside itself but its answer.
   *
   * @throws DomainError `unavailable` when the database cannot be used. Nothing is kept then, unless the message says
   *   that nobody knows.
   */
  write<T>(context: WriteContext, work: (writer: Writer) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
