import type { CustomerType, SupplyType } from '../offers/offer.ts';
import type { CompanyFilter, OfferFilter } from '../offers/offer-filter.ts';
import type { UploadStatus } from '../uploads/upload.ts';

/** A page of a list. `limit` is 1 to 2 000, `offset` 0 to 1 000 000, both included. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
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

/** Which records of one account a list shows. */
export interface ListScope {
  readonly accountId: number;
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
  readonly withCommissions: boolean;
}

/** Own offers of one account. For `includeInactive` only `isActive` of the offer counts. */
export interface OfferQuery extends ListScope, OfferDepth {
  readonly filter: OfferFilter;
  readonly company: CompanyFilter;
}

/** Offers of the shared catalog; `null`: any. For `includeInactive` only `isActive` of the offer counts. */
export interface CatalogOfferQuery extends OfferDepth {
  readonly includeInactive: boolean;
  /** A company of the catalog; any other matches nothing. */
  readonly companyId: number | null;
  readonly supplyType: SupplyType | null;
  readonly customerType: CustomerType | null;
}

/**
 * The offers that a template is filled with, of one owner. `isActive` of the offer alone decides about
 * `includeInactive`.
 */
export interface TemplateQuery extends OfferDepth {
  /** Offers of one advisory firm only; `null`: of all. */
  readonly firmId: number | null;
  /** `null`: both. */
  readonly supplyType: SupplyType | null;
  readonly isIndexed: boolean;
  readonly includeInactive: boolean;
}

/** How many rows a template has. */
export interface TemplateCounts {
  readonly offers: number;
  /** 0 of offers that are not indexed. */
  readonly months: number;
  /** 0 without commissions, as `powerTiers`. */
  readonly consumptionTiers: number;
  readonly powerTiers: number;
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
}

/** Whose records are counted. A firm of another account has none. */
export type CountScope = Pick<ListScope, 'accountId' | 'firmId'>;

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
