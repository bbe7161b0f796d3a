import type {
  CatalogDefault,
  CatalogOperation,
  FieldName,
  OFFER_FIELDS,
  OfferTermsByField,
  Plan,
  PriceName,
  SubscriptionStatus,
  SupplyType,
  UploadKind,
  UploadStatus,
} from '@tarifario/core/service';
import type { Generated, GeneratedAlways, Selectable, SqlBool, Updateable } from 'kysely';

/** 0 or 1. */
type Flag = number;

export interface AccountsTable {
  id: Generated<number>;
  name: string;
  email: string;
  email_folded: string;
  password_hash: string;
  is_active: Flag;
  is_catalog_editor: Flag;
  created_at: string;
}

export interface SubscriptionsTable {
  id: Generated<number>;
  account_id: number;
  plan: Plan;
  status: SubscriptionStatus;
  firm_limit: number;
  trial_ends_at: string | null;
  current_period_end: string;
  calls_per_minute: number | null;
  firm_calls_per_minute: number | null;
  company_quota: number | null;
  offer_quota: number | null;
  month_quota: number | null;
  created_at: string;
}

export interface ApiKeysTable {
  id: Generated<number>;
  account_id: number;
  firm_id: number | null;
  name: string | null;
  prefix: string;
  secret_hash: string;
  full_access: Flag;
  /** A JSON list. */
  scopes: string;
  is_active: Flag;
  created_at: string;
}

/** Columns of firms, companies and offers. */
interface Stamps {
  id: Generated<number>;
  revision: number;
  created_at: string;
  updated_at: string;
}

export interface FirmsTable extends Stamps {
  account_id: number;
  name: string;
  name_folded: string;
  image_url: string | null;
  catalog_default: CatalogDefault;
  is_active: Flag;
}

/** `account_id` null and `shelf_id` 0: the shared catalog. */
interface OnShelf {
  account_id: number | null;
  shelf_id: GeneratedAlways<number>;
}

export interface CompaniesTable extends Stamps, OnShelf {
  firm_id: number | null;
  name: string;
  name_folded: string;
  logo_url: string | null;
  is_active: Flag;
}

export interface CatalogSubscriptionsTable {
  firm_id: number;
  company_id: number;
  account_id: number;
  catalog_id: GeneratedAlways<number>;
  is_subscribed: Flag;
  revision: number;
}

type Table = typeof OFFER_FIELDS;
type Period = '1' | '2' | '3' | '4' | '5' | '6';

/** The columns of a field. */
type ColumnOf<Name extends FieldName> = Table[Name]['kind'] extends 'periods'
  ? `${Table[Name]['column']}_${Period}`
  : Table[Name] extends { readonly flags: infer Flags }
    ? `${Table[Name]['column']}_${keyof Flags & string}`
    : Table[Name]['column'];

/**
 * What a column of each kind holds: lists of tiers are JSON, a list of communities has a bit each, 0 for no
 * restriction.
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

type Stored<Name extends FieldName> = Table[Name]['kind'] extends keyof StoredKinds
  ? StoredKinds[Table[Name]['kind']]
  : OfferTermsByField[Name];
type OrNull<Name extends FieldName> = Table[Name] extends { readonly supply: null; readonly initial: infer Initial }
  ? Extract<Initial, null>
  : null;

type ColumnsOf<Names extends FieldName> = { [Name in Names as ColumnOf<Name>]: Stored<Name> | OrNull<Name> };

/** Prices of offers and months. Those of the other supply are null. */
export type PriceColumns = ColumnsOf<PriceName>;

/** What a writer decides about an offer; what the other supply has alone is null. */
export interface OfferTermsColumns extends ColumnsOf<FieldName> {
  supply_type: SupplyType;
}

export interface OffersTable extends Stamps, OnShelf, OfferTermsColumns {
  /** Null where it is `updated_at`. */
  masked_updated_at: string | null;
}

export interface MonthlyPricesTable extends PriceColumns {
  offer_id: number;
  month: string;
  supply_type: SupplyType;
}

export interface RevisionsTable {
  shelf_id: number;
  revision: number;
  /** How many the shelf has, inactive ones included. */
  companies: Generated<number>;
  offers: Generated<number>;
  months: Generated<number>;
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
  /** What was before, as JSON; of the terms of an offer only that they are in the columns. */
  before: string;
  created_at: string | null;
  updated_at: string | null;
  masked_updated_at: string | null;
  /**
   * If the columns of tiers are null, which tiers the offer had. Both null: no tiers, or a version from before this
   * column existed.
   */
  consumption_tiers_id: number | null;
  power_tiers_id: number | null;
}

export interface CatalogAuditTable {
  id: Generated<number>;
  account_id: number;
  key_id: number | null;
  at: string;
  operation: CatalogOperation;
  record_id: number | null;
  /** Counts as JSON. */
  counts_before: string;
  counts_after: string;
  file_hash: string | null;
}

export interface UploadsTable {
  id: Generated<number>;
  account_id: number;
  firm_id: number | null;
  kind: UploadKind;
  file_name: string;
  size_bytes: number | null;
  status: UploadStatus;
  /** JSON objects. */
  result: string | null;
  error: string | null;
  created_at: string;
  updated_at: string;
  finished_at: string | null;
  /** The end of the lease of its worker. */
  lease_until: Generated<string | null>;
  attempts: Generated<number>;
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

export interface UsageLogTable {
  account_id: number;
  /** Counted from 1 in each account. */
  id: number;
  firm_id: number | null;
  endpoint_id: number;
  method: string;
  status_code: number;
  response_time_ms: number;
  created_at: string;
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
  tier_lists: TierListsTable;
  offer_versions: OfferVersionsTable;
  catalog_audit: CatalogAuditTable;
  uploads: UploadsTable;
  upload_files: UploadFilesTable;
  usage_endpoints: UsageEndpointsTable;
  usage_numbers: UsageNumbersTable;
  usage_log: UsageLogTable;
  usage_batches: UsageBatchesTable;
  usage_slices: UsageSlicesTable;
  kept_answers: KeptAnswersTable;
}

export type AccountRow = Selectable<AccountsTable>;
export type AccountChanges = Updateable<AccountsTable>;
export type SubscriptionRow = Selectable<SubscriptionsTable>;
export type ApiKeyRow = Selectable<ApiKeysTable>;
export type FirmRow = Selectable<FirmsTable>;
export type CompanyRow = Selectable<CompaniesTable>;
export type OfferRow = Selectable<OffersTable>;
export type MonthlyPriceRow = Selectable<MonthlyPricesTable>;
export type OfferVersionRow = Selectable<OfferVersionsTable>;
export type CatalogAuditRow = Selectable<CatalogAuditTable>;
export type UploadRow = Selectable<UploadsTable> & { readonly has_file: SqlBool };
export type UsageLogRow = Selectable<UsageLogTable>;
