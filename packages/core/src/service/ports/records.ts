import type { Month } from '../../engine/calendar.ts';
import type { MonthlyPrice, Offer, OfferWithHistory } from '../../engine/offers/offer.ts';
import type { StoredBytes } from '../access/limits.ts';
import type { Plan } from '../access/plan.ts';
import type { Account, ApiKey, Subscription } from '../accounts/account.ts';
import type { CatalogSubscription, Company, Firm } from '../firms/firm.ts';
import type { Upload, UploadKind, UploadOutcome, UploadStatus } from '../uploads/upload.ts';
import type { CatalogCounts } from './lists.ts';

/** An offer with its company and, for own offers, its firm, as every answer about offers shows them. */
export interface OfferRecord {
  readonly offer: Offer;
  readonly company: Company;
  /** `null`: an offer of the shared catalog. */
  readonly firm: Firm | null;
}

/** What was done to the shared catalog. */
export type CatalogOperation =
  | 'create_company'
  | 'update_company'
  | 'toggle_company'
  | 'deactivate_company'
  | 'create_offer'
  | 'update_offer'
  | 'toggle_offer'
  | 'deactivate_offer'
  | 'put_month'
  | 'delete_month'
  | 'bulk_update';

/** One write to the shared catalog, as it is recorded. */
export interface CatalogWriteTerms {
  readonly accountId: number;
  readonly operation: CatalogOperation;
  /** The company or offer that was written (for a month, its offer); `null` where there are several. */
  readonly recordId: number | null;
  readonly before: CatalogCounts;
  readonly after: CatalogCounts;
  /** SHA-256 of the file that was applied, hexadecimal; `null` where there was none. */
  readonly fileHash: string | null;
}

/** One recorded write to the shared catalog. */
export interface CatalogWrite extends CatalogWriteTerms {
  readonly id: number;
  /** The key that wrote; `null` for the command line. */
  readonly keyId: number | null;
  readonly at: string;
}

/** The revisions of the data that a ranking used: equal revisions mean equal offers. */
export interface Revisions {
  /** Number of the last write to the account's records, 0 before the first. */
  readonly own: number;
  /** The same for the shared catalog. */
  readonly catalog: number;
}

/** The records of an owner that changed after some revision, without offers. */
export interface RecordChanges {
  readonly firms: readonly Firm[];
  readonly companies: readonly Company[];
  readonly subscriptions: readonly CatalogSubscription[];
}

/** All records of an owner that changed after some revision, soft deletes included; since 0 they are complete. */
export interface OwnerChanges extends RecordChanges {
  /** Every offer whose terms or monthly prices changed, whole, in ascending order of id. */
  readonly offers: readonly OfferWithHistory[];
}

/** The state of an offer, or of one of its months, before a change. */
export interface OfferVersion {
  readonly offerId: number;
  readonly revision: number;
  readonly changedAt: string;
  /** The key that made the change; `null` for the command line. */
  readonly keyId: number | null;
  readonly before:
    | { readonly kind: 'created' }
    | { readonly kind: 'terms'; readonly offer: Offer }
    /** `price: null`: the month did not exist. */
    | { readonly kind: 'month'; readonly month: Month; readonly price: MonthlyPrice | null };
}

/** A moment in the past of one owner: an instant, or a revision. Changes at the moment itself are included. */
export type Moment = { readonly instant: string } | { readonly revision: number };

/** The changes of an offer after a moment from which its state at that moment follows. */
export interface OfferPast {
  readonly offerId: number;
  /** The first change of its terms after the moment, or its creation; `null`: they have not changed. */
  readonly terms: OfferVersion | null;
  /** The first change after the moment of each month that changed, by month. */
  readonly months: readonly OfferVersion[];
  /** The last change up to the moment, where the first one after it is of a month; otherwise `null`. */
  readonly last: OfferVersion | null;
}

/** The kinds of records in a list of changes. Changes with the same revision are in this order. */
export const CHANGE_KINDS = ['client', 'company', 'offer', 'subscriptions'] as const;
/** `subscriptions`: all decisions of a firm about companies of the catalog; its id is that of the firm. */
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The position of a change among those of its owner: by revision, then by kind, then by id. */
export interface ChangePlace {
  readonly revision: number;
  /** Its place in `CHANGE_KINDS`. */
  readonly kind: number;
  readonly id: number;
}

/** The place up to which changes of an owner were read. */
export interface MarkedPlace {
  readonly place: ChangePlace;
  /** A random number of its revision: after a restore the same revision gets another one. */
  readonly mark: number;
}

/** How far a caller has read the changes of the account and of the catalog. */
export interface ChangeCursor {
  readonly own: MarkedPlace;
  readonly catalog: MarkedPlace;
}

/** A record at the position of its last change. */
export interface RecordChange extends ChangePlace {
  /** The firm that it belongs to now; `null`: the catalog. */
  readonly firmId: number | null;
  readonly isActive: boolean;
  /** It belonged to the requested firm, and belongs to another one now. */
  readonly isGone: boolean;
}

/** Which changes of an owner are requested. */
export interface ChangeQuery {
  readonly kinds: readonly ChangeKind[];
  /** Excluded. `null`: only the last ones, without those that are gone. */
  readonly after: ChangePlace | null;
  /** Records of one firm only, and offers that it had before; `null`: all. */
  readonly firmId: number | null;
  /** If not, the position of an offer is its last change of anything but its commissions. */
  readonly seesCommissions: boolean;
  readonly limit: number;
}

/** How far a proposal has come. */
export const PROPOSAL_STATES = ['borrador', 'enviada', 'aceptada', 'rechazada'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

/** What a list shows of the content of a proposal. Nothing in it depends on a commission. */
export interface ProposalSummary {
  /** How many offers are proposed. */
  readonly offers: number;
  /** The proposed offer with which least is paid, of those that can be compared. */
  readonly offerId: number;
  readonly offerName: string;
  readonly companyName: string;
  /** EUR in a year; `null`: the present contract is not known, or what comes after a discount. */
  readonly savingPerYearEur: number | null;
  /** Of what is paid today. */
  readonly savingPercent: number | null;
  /** Whether the saving is of bills. */
  readonly hasTaxes: boolean;
}

/** The stored fields of a proposal, without its id and instant. */
export interface ProposalTerms {
  /** The firm that its question was narrowed to; `null`: the whole account. */
  readonly firmId: number | null;
  /** Whether it was made by a caller who may not see commissions. */
  readonly isMasked: boolean;
  /** The revisions of the offers that it ranks. */
  readonly ownRevision: number;
  readonly catalogRevision: number;
  /** JSON: the companies that were visible. */
  readonly companies: string;
  /** JSON: a `ProposalContent`. */
  readonly content: string;
  /** The note of the content, for lists; `null`: none, or it was made by an earlier release. */
  readonly note: string | null;
  /** A hash of the content and the instant. */
  readonly sha256: string;
  /** The words by which the office knows the customer. */
  readonly ref: string | null;
  /** `null`: it was made by an earlier release. */
  readonly summary: ProposalSummary | null;
  /** In what it is searched, as `searchForm` makes it: `ref`, offers and retailers; `null`: of an earlier release. */
  readonly words: string | null;
  /** A hash of the fields that prove it, `sha256` among them: not of the note, `ref`, what lists show, or the state. */
  readonly seal: string;
}

/** A stored proposal. Only its state changes. */
export interface Proposal extends ProposalTerms {
  readonly id: number;
  readonly state: ProposalState;
  /** The key that made it; `null`: the command line. */
  readonly keyId: number | null;
  readonly createdAt: string;
}

/** The fields of a proposal in a list. */
export type ProposalHead = Pick<
  Proposal,
  'id' | 'createdAt' | 'firmId' | 'note' | 'ref' | 'state' | 'summary' | 'sha256'
>;

/** Which proposals of one account a caller may see. */
export interface ProposalQuery {
  readonly accountId: number;
  /** Proposals of one advisory firm only; `null`: all. */
  readonly firmId: number | null;
  /** If not, only those that were made by a caller who may not see commissions. */
  readonly seesCommissions: boolean;
}

/** The same that match. */
export interface ProposalFilter extends ProposalQuery {
  /** Each is in `words` of the proposal; none: all. */
  readonly words: readonly string[];
  /** `null`: any. */
  readonly state: ProposalState | null;
}

/** What one or several accounts have stored at most, and may. */
export interface FullestAccount {
  readonly stored: StoredBytes;
  /** `free` without an active subscription. */
  readonly plan: Plan;
  /** In place of the plan's. */
  readonly quotas: Partial<StoredBytes>;
}

/** The fields of a new account. */
export interface AccountTerms extends Pick<Account, 'name' | 'email' | 'isCatalogEditor'> {
  /** PHC string. */
  readonly passwordHash: string;
}

/** The terms of a subscription; `putSubscription` writes all of them. */
export type SubscriptionTerms = Omit<Subscription, 'id' | 'createdAt'>;

/** The fields of a new API key. */
export interface KeyTerms extends Omit<ApiKey, 'id' | 'isActive' | 'expiresAt' | 'lastUsedAt' | 'createdAt'> {
  /** `null` when left out. */
  readonly expiresAt?: string | null;
  /** SHA-256 of the key, hexadecimal. */
  readonly secretHash: string;
}

/** A new upload. One that is finished at once is first inserted, then updated, in the same unit of work. */
export interface UploadTerms extends Pick<Upload, 'firmId' | 'fileName' | 'sizeBytes'> {
  readonly kind: UploadKind;
  readonly status: Extract<UploadStatus, 'pending' | 'processing'>;
  /** The file, stored with the upload and the key that wrote it, until it is dropped. */
  readonly file?: Uint8Array;
  /** The file of a dry run. No worker takes it. */
  readonly kept?: KeptFile;
}

/** The file of a dry run, stored so that it can be applied as it was looked at. */
export interface KeptFile {
  readonly bytes: Uint8Array;
  /** A digest of all that the file would change. */
  readonly effect: string;
  /** Rows of an older state than the stored one are applied nevertheless. */
  readonly isForced: boolean;
}

/** Identifies the entries of a log that are written in one transaction. */
export interface UsageBatch {
  /** The name of the log, unique over all processes. */
  readonly log: string;
  /** Ascending from 1. Once a batch is recorded, every earlier one has been recorded or never will be. */
  readonly number: number;
}

/** An upload and its account. */
export interface UploadPlace {
  readonly accountId: number;
  readonly uploadId: number;
}

/** A queued upload that a worker has taken. */
export interface ClaimedUpload {
  readonly accountId: number;
  /** In `processing`. */
  readonly upload: Upload;
  readonly file: Uint8Array;
  /** The key that sent the file; `null`: the command line. */
  readonly keyId: number | null;
  /** The trace of the request that sent it; `null`: none. */
  readonly traceparent: string | null;
  /** How often it was taken since it last became pending, this time included. */
  readonly attempt: number;
}

/** A step of an upload from one status to another. */
export interface UploadChange {
  readonly from: UploadStatus;
  readonly to: UploadStatus;
  /** Left as it is when omitted; `null` erases it. */
  readonly result?: UploadOutcome | null;
  readonly error?: UploadOutcome | null;
  /** An instant exactly when `to` is completed, failed or cancelled. */
  readonly finishedAt: string | null;
  /**
   * The end of the lease of the worker that takes this step. If another lease is valid, or none, the step is not taken.
   */
  readonly heldUntil?: string;
}

/** A lease on an upload. It ends later than every earlier lease, so its end identifies it. */
export interface LeaseChange {
  /** The end of the current lease. */
  readonly heldUntil: string;
  /** Its new end. */
  readonly until: string;
}
