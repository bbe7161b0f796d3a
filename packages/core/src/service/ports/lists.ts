import type { SupplyType } from '../../engine/offers/offer.ts';
import type { CompanyFilter, ListFilter } from '../../engine/offers/offer-filter.ts';
import type { UploadStatus } from '../uploads/upload.ts';

/** The owner of offers and companies: the id of an account, or the catalog that all accounts share. */
export type RecordOwner = number | 'catalog';

/** A page of a list. `limit` is 1 to 2 000, `offset` 0 to 1 000 000, both included. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
  /**
   * Only records after this id, whether or not a record has it; `total` still counts all. Absent or `null`: from the
   * beginning. Lists in another order ignore it; with it `offset` is 0.
   */
  readonly afterId?: number | null;
}

/** A page of recorded calls: the oldest first, or the newest (`desc`). */
export interface UsagePage extends Page {
  readonly order?: 'asc' | 'desc';
}

/**
 * A page of results, in ascending order of id unless another order is requested, with the total number of matches, all
 * read from one state.
 */
export interface PageOf<T> {
  readonly total: number;
  readonly results: readonly T[];
}

/** A page of offers that pass a filter. */
export interface FilteredPage<T> extends PageOf<T> {
  /** Where the filter asks for a term: how many more there would be if theirs were known. */
  readonly unknownTerms?: number;
}

/** Which records of one owner a list shows. */
export interface ListScope {
  readonly owner: RecordOwner;
  /** Records of one advisory firm only; a firm of another account matches nothing. */
  readonly firmId: number | null;
  readonly includeInactive: boolean;
}

/** Which parts of each offer are read. */
export interface OfferDepth {
  /**
   * `false`: commissions are neither read nor parsed, so that the duration of a read reveals nothing about them. Offers
   * are returned as `withoutCommissions` makes them.
   */
  readonly seesCommissions: boolean;
}

/** Offers of one owner. For `includeInactive` only `isActive` of the offer counts. */
export interface OfferQuery extends ListScope, OfferDepth {
  readonly filter: ListFilter;
  /** Offers of one company of the owner; another company matches nothing. */
  readonly companyId: number | null;
  readonly companyName: CompanyFilter['companyName'];
}

/** Uploads of one account. */
export interface UploadQuery {
  readonly accountId: number;
  /**
   * Uploads for one advisory firm only; a firm of another account matches nothing. `none`: those for no firm. `null`:
   * every upload.
   */
  readonly firmId: number | 'none' | null;
  readonly status: UploadStatus | null;
  /** Those that came with a file, or those that were only announced; left out: both. */
  readonly isSent?: boolean;
  /** Those that this key made; left out: all. */
  readonly keyId?: number;
}

/** Whose records are counted. A firm of another account has none. */
export type CountScope = Pick<ListScope, 'owner' | 'firmId'>;

/** How many records of one kind there are. */
export interface RecordCount {
  /** Inactive ones included. */
  readonly total: number;
  readonly active: number;
}

/** How much an account, or one of its firms, has of its own. `isActive` of the record alone decides. */
export interface RecordCounts {
  readonly offers: Readonly<Record<SupplyType, OfferCount>>;
  readonly firms: RecordCount;
  readonly companies: RecordCount;
  readonly uploads: Readonly<Record<UploadStatus, number>>;
}

/** How many offers of one supply there are. */
export interface OfferCount extends RecordCount {
  /** Active indexed offers. */
  readonly indexed: number;
}

/** How much the shared catalog has. */
export interface CatalogCounts {
  readonly companies: RecordCount;
  readonly offers: RecordCount;
  /** Monthly prices of all its offers. */
  readonly months: number;
}
