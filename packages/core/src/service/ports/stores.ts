import type { RecordOwner } from './lists.ts';
import type {
  AccountReads,
  AccountWrites,
  AnswerReads,
  AnswerWrites,
  CatalogReads,
  CatalogWrites,
  ChangeReads,
  CompanyReads,
  CompanyWrites,
  CountReads,
  FirmReads,
  FirmWrites,
  IndexReads,
  IndexWrites,
  KeyReads,
  KeyWrites,
  MonthReads,
  MonthWrites,
  OfferReads,
  OfferWrites,
  ProposalReads,
  ProposalWrites,
  QueueReads,
  QueueWrites,
  UploadReads,
  UploadWrites,
  UsageReads,
  UsageWrites,
} from './nouns.ts';
import type { WebhookReads, WebhookWrites } from './webhooks.ts';

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
  readonly accounts: AccountReads;
  readonly keys: KeyReads;
  readonly firms: FirmReads;
  readonly companies: CompanyReads;
  readonly offers: OfferReads;
  readonly months: MonthReads;
  readonly indices: IndexReads;
  readonly catalog: CatalogReads;
  readonly changes: ChangeReads;
  readonly counts: CountReads;
  readonly proposals: ProposalReads;
  readonly uploads: UploadReads;
  readonly queue: QueueReads;
  readonly webhooks: WebhookReads;
  readonly usage: UsageReads;
  readonly answers: AnswerReads;
}

/**
 * All writes, inside one transaction: either everything that a unit of work wrote is committed, or nothing. The first
 * change of an owner's records raises their revision by one, and every written row is stamped with it. Writers with a
 * common concern wait for each other, so nothing that a writer has read of it changes before it writes. So the caller
 * finds out what differs (`differenceOf`), and everything that it gives is written, equal or not.
 */
export interface Writes {
  readonly accounts: AccountWrites;
  readonly keys: KeyWrites;
  readonly firms: FirmWrites;
  readonly companies: CompanyWrites;
  readonly offers: OfferWrites;
  readonly months: MonthWrites;
  readonly indices: IndexWrites;
  readonly catalog: CatalogWrites;
  readonly proposals: ProposalWrites;
  readonly uploads: UploadWrites;
  readonly queue: QueueWrites;
  readonly webhooks: WebhookWrites;
  readonly usage: UsageWrites;
  readonly answers: AnswerWrites;
}

/** The reads of a writer see what it has written. */
export type Writer = Reader & Writes;

/** Who writes and when, for versions and `updatedAt`. */
export interface WriteContext {
  readonly keyId: number | null;
  /** The trace that it belongs to, as `traceparent` of W3C; stored with what is done later. Left out: none. */
  readonly traceparent?: string | null;
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
export interface SingleReads {
  readonly keys: Pick<KeyReads, 'byHash'>;
  readonly changes: Pick<ChangeReads, 'revisions'>;
}

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
