import type {
  Account,
  ApiKey,
  CatalogSubscription,
  CatalogWrite,
  Company,
  FieldName,
  Firm,
  OFFER_FIELDS,
  OfferTermsByField,
  PriceName,
  Proposal,
  Subscription,
  SupplyType,
  Upload,
  UsageRecord,
} from '@tarifario/core/service';
import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { RowOf } from './record-codec.ts';

/** 0 or 1. */
type Flag = number;

/** The columns of a record, whose id the database gives. */
type Table<T> = Omit<RowOf<T>, 'id'> & { id: Generated<number> };

export interface AccountsTable extends Table<Account> {
  email_folded: string;
  password_hash: string;
}

export interface SubscriptionsTable extends Table<Omit<Subscription, 'quotas'>> {
  account_id: number;
  company_quota: number | null;
  offer_quota: number | null;
  month_quota: number | null;
}

/** `scopes` is a JSON list. */
export interface ApiKeysTable extends Table<ApiKey> {
  secret_hash: string;
}

export interface FirmsTable extends Table<Firm> {
  account_id: number;
  name_folded: string;
  revision: number;
}

/** `account_id` null and `shelf_id` 0: the shared catalog. */
interface OfOwner {
  account_id: number | null;
  shelf_id: GeneratedAlways<number>;
  revision: number;
}

export interface CompaniesTable extends Table<Company>, OfOwner {
  name_folded: string;
}

export interface CatalogSubscriptionsTable extends RowOf<CatalogSubscription> {
  account_id: number;
  catalog_id: GeneratedAlways<number>;
  revision: number;
}

type Fields = typeof OFFER_FIELDS;
type Period = '1' | '2' | '3' | '4' | '5' | '6';

/** The columns of a field. */
type ColumnOf<Name extends FieldName> = Fields[Name]['kind'] extends 'periods'
  ? `${Fields[Name]['column']}_${Period}`
  : Fields[Name] extends { readonly flags: infer Flags }
    ? `${Fields[Name]['column']}_${keyof Flags & string}`
    : Fields[Name]['column'];

/**
 * The column of each kind: a list of tiers is JSON, and a list of communities has a bit for each, 0 for no restriction.
 */
interface StoredKinds {
  readonly id: number;
  readonly text: string;
  readonly flag: Flag;
  readonly flags: Flag;
  readonly amount: number;
  readonly periods: number;
  readonly list: number;
  readonly tiers: string;
}

type Stored<Name extends FieldName> = Fields[Name]['kind'] extends keyof StoredKinds
  ? StoredKinds[Fields[Name]['kind']]
  : OfferTermsByField[Name];
type OrNull<Name extends FieldName> = Fields[Name] extends { readonly supply: null; readonly initial: infer Initial }
  ? Extract<Initial, null>
  : null;

type ColumnsOf<Names extends FieldName> = { [Name in Names as ColumnOf<Name>]: Stored<Name> | OrNull<Name> };

/** Prices of offers and months. Those of the other supply are null. */
export type PriceColumns = ColumnsOf<PriceName>;

/** The terms of an offer; fields of the other supply are null. */
export interface OfferTermsColumns extends ColumnsOf<FieldName> {
  supply_type: SupplyType;
}

export interface OffersTable extends OfOwner, OfferTermsColumns {
  id: Generated<number>;
  created_at: string;
  updated_at: string;
  /** Null where it is `updated_at`. */
  masked_updated_at: string | null;
  /** Null where it is `revision`. */
  masked_revision: number | null;
}

export interface MonthlyPricesTable extends PriceColumns {
  offer_id: number;
  month: string;
  supply_type: SupplyType;
}

export interface RevisionsTable {
  shelf_id: number;
  revision: number;
  /** How many the owner has, inactive ones included. */
  companies: Generated<number>;
  offers: Generated<number>;
  months: Generated<number>;
}

export interface RevisionMarksTable {
  shelf_id: number;
  revision: number;
  /** Random. */
  mark: number;
}

/** Tiers of former offers; each text is stored once per owner. */
export interface TierListsTable {
  id: Generated<number>;
  shelf_id: number;
  /** SHA-256 of the text. */
  digest: Uint8Array;
  /** A JSON list. */
  tiers: string;
}

type Past<T> = { readonly [Column in keyof T]: T[Column] | null };

/** The columns of terms are null unless the text is `terms`. */
export interface OfferVersionsTable extends Past<OfferTermsColumns> {
  id: Generated<number>;
  offer_id: number;
  revision: number;
  changed_at: string;
  key_id: number | null;
  /** The former state, as JSON; for the terms of an offer only that they are in the columns. */
  before: string;
  created_at: string | null;
  updated_at: string | null;
  masked_updated_at: string | null;
  /**
   * Where the columns of tiers are null, the ids of the former tiers. Both null: no tiers, or a version from before
   * this column existed.
   */
  consumption_tiers_id: number | null;
  power_tiers_id: number | null;
  /** The changed month; null: the terms were changed. */
  month: GeneratedAlways<string | null>;
}

export interface CatalogAuditTable extends Table<Omit<CatalogWrite, 'before' | 'after'>> {
  /** Counts as JSON. */
  counts_before: string;
  counts_after: string;
}

/** `result` and `error` are JSON objects. */
export interface UploadsTable extends Table<Omit<Upload, 'hasFile'>> {
  account_id: number;
  /** The end of the lease of its worker. */
  lease_until: Generated<string | null>;
  attempts: Generated<number>;
}

/** `companies` and `content` are JSON. */
export interface ProposalsTable extends Table<Proposal> {
  account_id: number;
}

export interface UploadFilesTable {
  upload_id: number;
  account_id: number;
  key_id: number | null;
  kept_at: string;
  bytes: Uint8Array;
}

export interface UsageEndpointsTable {
  id: Generated<number>;
  endpoint: string;
}

export interface UsageNumbersTable {
  account_id: number;
  last_id: number;
}

/** Ids are counted from 1 in each account. */
export interface UsageLogTable extends RowOf<Omit<UsageRecord, 'endpoint'>> {
  endpoint_id: number;
}

/** Bounds of the instants of the calls in a slice, both included. */
export interface UsageSlicesTable {
  account_id: number;
  /** The number of a call, divided by 10 000. */
  slice: number;
  first_at: string;
  last_at: string;
}

export interface UsageBatchesTable {
  log: string;
  last_number: number;
  written_at: string;
}

export interface KeptAnswersTable {
  id: Generated<number>;
  key_id: number;
  idempotency_key: string;
  fingerprint: string;
  rights: string;
  answer: string;
  kept_at: string;
}

export interface Schema {
  accounts: AccountsTable;
  subscriptions: SubscriptionsTable;
  api_keys: ApiKeysTable;
  firms: FirmsTable;
  companies: CompaniesTable;
  catalog_subscriptions: CatalogSubscriptionsTable;
  offers: OffersTable;
  monthly_prices: MonthlyPricesTable;
  revisions: RevisionsTable;
  revision_marks: RevisionMarksTable;
  tier_lists: TierListsTable;
  offer_versions: OfferVersionsTable;
  catalog_audit: CatalogAuditTable;
  proposals: ProposalsTable;
  uploads: UploadsTable;
  upload_files: UploadFilesTable;
  usage_endpoints: UsageEndpointsTable;
  usage_numbers: UsageNumbersTable;
  usage_log: UsageLogTable;
  usage_batches: UsageBatchesTable;
  usage_slices: UsageSlicesTable;
  kept_answers: KeptAnswersTable;
}

export type SubscriptionRow = Selectable<SubscriptionsTable>;
export type ApiKeyRow = Selectable<ApiKeysTable>;
export type OfferRow = Selectable<OffersTable>;
export type MonthlyPriceRow = Selectable<MonthlyPricesTable>;
export type OfferVersionRow = Selectable<OfferVersionsTable>;
export type CatalogAuditRow = Selectable<CatalogAuditTable>;
