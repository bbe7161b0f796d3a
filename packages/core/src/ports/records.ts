import type { Account, ApiKey, Subscription } from '../accounts/account.ts';
import type { Month } from '../calendar.ts';
import type { CatalogSubscription, Company, Firm } from '../firms/firm.ts';
import type { MonthlyPrice, Offer, OfferTerms, OfferWithHistory } from '../offers/offer.ts';
import type { Upload, UploadKind, UploadOutcome, UploadStatus } from '../uploads/upload.ts';
import type { CatalogCounts } from './lists.ts';

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

/** One write to the shared catalog, as its writer tells it. */
export interface CatalogWriteTerms {
  readonly accountId: number;
  readonly operation: CatalogOperation;
  /** The company or offer that was written, the offer of a month; `null` where there are several. */
  readonly recordId: number | null;
  readonly before: CatalogCounts;
  readonly after: CatalogCounts;
  /** SHA-256 of the file that was applied, hexadecimal; `null` where there was none. */
  readonly fileHash: string | null;
}

/** One write to the shared catalog, as it is kept. */
export interface CatalogWrite extends CatalogWriteTerms {
  readonly id: number;
  /** The key that wrote; `null` for the command line. */
  readonly keyId: number | null;
  readonly at: string;
}

/** Which writes a ranking has seen: equal revisions, equal offers. */
export interface Revisions {
  /** Number of the last write to the account's shelf, 0 before the first. */
  readonly own: number;
  /** The same of the shared catalog. */
  readonly catalog: number;
}

/** What a shelf had changed after some revision, but for its offers. */
export interface RecordChanges {
  readonly firms: readonly Firm[];
  readonly companies: readonly Company[];
  readonly subscriptions: readonly CatalogSubscription[];
}

/** All that a shelf had changed after some revision, soft deletes included; complete when asked since 0. */
export interface ShelfChanges extends RecordChanges {
  /** Every offer whose terms or monthly prices changed, whole, in ascending order of id. */
  readonly offers: readonly OfferWithHistory[];
}

/** What an offer, or one of its months, was before a change. */
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

/** What a new account is made of. */
export interface AccountTerms extends Pick<Account, 'name' | 'email' | 'isCatalogEditor'> {
  /** PHC string. */
  readonly passwordHash: string;
}

/** What a subscription says; `putSubscription` writes all of it. */
export type SubscriptionTerms = Omit<Subscription, 'id' | 'createdAt'>;

/** What a new API key is made of. */
export interface KeyTerms extends Omit<ApiKey, 'id' | 'isActive' | 'createdAt'> {
  /** SHA-256 of the key, hexadecimal. */
  readonly secretHash: string;
}

/** What an offer becomes. The writer compares with what is stored: an offer that does not change is left alone. */
export interface OfferChange {
  readonly offerId: number;
  readonly terms: OfferTerms;
  /** `true`: equal terms are a change too, so that nobody learns whether they were equal. */
  readonly countsAlways?: boolean;
}

/** A month that an offer gets. */
export interface MonthOfOffer {
  readonly offerId: number;
  readonly price: MonthlyPrice;
}

/** An upload as it begins. One that is over is made of one that began, in the same unit of work. */
export interface UploadTerms extends Pick<Upload, 'firmId' | 'fileName' | 'sizeBytes'> {
  readonly kind: UploadKind;
  readonly status: Extract<UploadStatus, 'pending' | 'processing'>;
  /** Kept with the upload, and with the key that writes it, until it is dropped. */
  readonly file?: Uint8Array;
}

/** Which entries of a log are recorded in one go. */
export interface UsageBatch {
  /** A name that no other log has, in whatever process. */
  readonly log: string;
  /** Ascends, from 1: when a batch was recorded, all before it were, or never will be. */
  readonly number: number;
}

/** A queued upload that somebody has taken to work on. */
export interface ClaimedUpload {
  readonly accountId: number;
  /** In `processing`. */
  readonly upload: Upload;
  readonly file: Uint8Array;
  /** The key that sent the file; `null`: the command line. */
  readonly keyId: number | null;
  /** How often it was taken since it was last put to pending, this time included. */
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
  /** The lease of whoever takes the step, as its end: when another one is in force, or none, the step is not taken. */
  readonly heldUntil?: string;
}

/** A lease on an upload: it ends later than every lease before it, so its end says which one it is. */
export interface LeaseChange {
  /** The end of the lease that is held. */
  readonly held: string;
  /** Its new end. */
  readonly until: string;
}
