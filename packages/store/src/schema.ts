import type {
  Account,
  ApiKey,
  CatalogSubscription,
  CatalogWrite,
  Company,
  FieldName,
  Firm,
  KeptAttempt,
  Letterhead,
  OFFER_FIELDS,
  OfferTermsByField,
  PriceName,
  Proposal,
  QueuedEvent,
  Subscription,
  SupplyType,
  Upload,
  UsageRecord,
  Webhook,
} from '@tarifario/core/service';
import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { RowOf } from './record-codec.ts';

/** 0 or 1. */
type Flag = number;

/** The columns of a record, whose id the database gives. */
type Table<T> = Omit<RowOf<T>, 'id'> & { id: Generated<number> };

/** `account_id` null and `owner_id` 0: the shared catalog. */
export interface OfOwner {
  account_id: number | null;
  owner_id: number;
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
  readonly note: string;
  readonly day: string;
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

type TierColumn = { [Name in FieldName]: Fields[Name]['kind'] extends 'tiers' ? ColumnOf<Name> : never }[FieldName];

type Past<T> = { readonly [Column in keyof T]: T[Column] | null };

export interface Schema {
  accounts: Table<Account> & { email_folded: string; password_hash: string };
  subscriptions: Table<Omit<Subscription, 'quotas'>> & {
    account_id: number;
    company_quota: number | null;
    offer_quota: number | null;
    month_quota: number | null;
    history_quota: number | null;
    proposals_quota: number | null;
  };
  /** `scopes` is a JSON list. */
  api_keys: Table<ApiKey> & { secret_hash: string };
  firms: Table<Firm> & { account_id: number; name_folded: string; revision: number } & Letterhead;
  companies: Table<Company> & OfOwner & { name_folded: string };
  catalog_subscriptions: RowOf<CatalogSubscription> & {
    account_id: number;
    catalog_id: GeneratedAlways<number>;
    revision: number;
  };
  offers: OfferTermsColumns &
    OfOwner & {
      id: Generated<number>;
      created_at: string;
      updated_at: string;
      /** Null where it is `updated_at`. */
      masked_updated_at: string | null;
      /** Null where it is `revision`. */
      masked_revision: number | null;
      /** Null: commissions were never written by who may not see them. */
      blind_revision: number | null;
    };
  monthly_prices: PriceColumns & { owner_id: number; offer_id: number; month: string; supply_type: SupplyType };
  /** Of UTC. `prices` is JSON, `hours` how many have a price. */
  index_days: { indice: string; day: string; hours: number; prices: string };
  revisions: {
    owner_id: number;
    revision: number;
    /** How many the owner has, inactive ones included. */
    companies: Generated<number>;
    offers: Generated<number>;
    months: Generated<number>;
  };
  /** Bytes. */
  stored_bytes: { owner_id: number; history: Generated<number>; proposals: Generated<number> };
  /** `mark` is random. */
  revision_marks: { owner_id: number; revision: number; mark: number };
  /** Tiers, a JSON list, of several versions, which name them in `..._tiers_id`; `digest` is their SHA-256. */
  tier_lists: { id: Generated<number>; owner_id: number; digest: Uint8Array; tiers: string };
  /** The columns of terms are null unless the text is `terms`; those of tiers also where the change left them alone. */
  offer_versions: Past<OfferTermsColumns> & {
    [Column in TierColumn as `${Column}_id`]: number | null;
  } & {
    id: Generated<number>;
    owner_id: number;
    offer_id: number;
    revision: number;
    changed_at: string;
    key_id: number | null;
    /** The former state, as JSON; for the terms of an offer only that they are in the columns. */
    before: string;
    created_at: string | null;
    updated_at: string | null;
    masked_updated_at: string | null;
    /** The changed month; null: the terms were changed. */
    month: GeneratedAlways<string | null>;
  };
  /** The counts are JSON. */
  catalog_audit: Table<Omit<CatalogWrite, 'before' | 'after'>> & { counts_before: string; counts_after: string };
  /** `companies`, `content` and `summary` are JSON. */
  proposals: Table<Proposal> & { account_id: number };
  /** `result` and `error` are JSON objects, `lease_until` is the end of the lease of its worker. */
  uploads: Table<Omit<Upload, 'hasFile'>> & {
    account_id: number;
    lease_until: Generated<string | null>;
    attempts: Generated<number>;
  };
  upload_files: {
    upload_id: number;
    account_id: number;
    key_id: number | null;
    traceparent: string | null;
    kept_at: string;
    bytes: Uint8Array;
  };
  upload_kept_files: { upload_id: number; account_id: number; effect: string; is_forced: Flag; bytes: Uint8Array };
  /** `lease_until` is the end of the lease of its sender, who ends it once the event is settled. Whose ended first is served first. */
  webhooks: Table<Webhook> & { lease_until: string };
  webhook_events: Table<QueuedEvent> & { webhook_id: number; due_at: string };
  webhook_attempts: Table<KeptAttempt> & { webhook_id: number; place: number };
  usage_endpoints: { id: Generated<number>; endpoint: string };
  usage_numbers: { account_id: number; last_id: number };
  /** Ids are counted from 1 in each account. */
  usage_log: RowOf<Omit<UsageRecord, 'endpoint'>> & { endpoint_id: number };
  usage_batches: { log: string; last_number: number; written_at: string };
  /**
   * Bounds of the instants of the calls in a slice, both included. `slice` is the number of a call, divided by 10 000.
   */
  usage_slices: { account_id: number; slice: number; first_at: string; last_at: string };
  kept_answers: {
    id: Generated<number>;
    key_id: number;
    idempotency_key: string;
    fingerprint: string;
    rights: string;
    answer: string;
    kept_at: string;
  };
}

export type SubscriptionRow = Selectable<Schema['subscriptions']>;
export type ApiKeyRow = Selectable<Schema['api_keys']>;
export type OfferRow = Selectable<Schema['offers']>;
export type MonthlyPriceRow = Selectable<Schema['monthly_prices']>;
export type OfferVersionRow = Selectable<Schema['offer_versions']>;
export type CatalogAuditRow = Selectable<Schema['catalog_audit']>;
