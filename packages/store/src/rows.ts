import {
  type Account,
  type ApiKey,
  type CatalogCounts,
  type CatalogSubscription,
  type CatalogWrite,
  type Company,
  type CompanyTerms,
  type Firm,
  type FirmTerms,
  foldName,
  type MonthlyPrice,
  type Offer,
  type OfferVersion,
  SCOPES,
  type Scope,
  type Subscription,
  type Upload,
  type UploadOutcome,
} from '@tarifario/core/service';
import { fromPriceRow, fromTermsRow, hasSamePrices, toPriceColumns } from './offer-columns.ts';
import { REPLACED } from './offer-rows.ts';
import type {
  AccountRow,
  ApiKeyRow,
  CatalogAuditRow,
  CompanyRow,
  FirmRow,
  MonthlyPriceRow,
  OfferRow,
  OfferVersionRow,
  SubscriptionRow,
  UploadRow,
} from './schema.ts';
import { flag } from './values.ts';

/**
 * Converts between records and rows. Only this file trusts the content of the database: JSON columns are not checked,
 * because only this file writes them. The exception are scopes, which are checked.
 */

export function fromAccountRow(row: Omit<AccountRow, 'email_folded' | 'password_hash'>): Account {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    isActive: row.is_active === 1,
    isCatalogEditor: row.is_catalog_editor === 1,
    createdAt: row.created_at,
  };
}

export function fromSubscriptionRow(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    plan: row.plan,
    status: row.status,
    firmLimit: row.firm_limit,
    trialEndsAt: row.trial_ends_at,
    currentPeriodEnd: row.current_period_end,
    callsPerMinute: row.calls_per_minute,
    firmCallsPerMinute: row.firm_calls_per_minute,
    quotas: {
      ...(row.company_quota === null ? {} : { companies: row.company_quota }),
      ...(row.offer_quota === null ? {} : { offers: row.offer_quota }),
      ...(row.month_quota === null ? {} : { months: row.month_quota }),
    },
    createdAt: row.created_at,
  };
}

export function fromKeyRow(row: Omit<ApiKeyRow, 'secret_hash'>): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    firmId: row.firm_id,
    name: row.name,
    prefix: row.prefix,
    fullAccess: row.full_access === 1,
    scopes: scopesOf(row.scopes),
    isActive: row.is_active === 1,
    createdAt: row.created_at,
  };
}

/** The scopes in a text; invalid text and unknown names give none. */
function scopesOf(text: string): readonly Scope[] {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    return [];
  }
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((name) => SCOPES.filter((scope) => scope === name));
}

export function toFirmColumns(terms: FirmTerms) {
  return {
    name: terms.name,
    name_folded: foldName(terms.name),
    image_url: terms.imageUrl,
    catalog_default: terms.catalogDefault,
    is_active: flag(terms.isActive),
  };
}

export function fromFirmRow(row: Omit<FirmRow, 'account_id' | 'name_folded' | 'revision'>): Firm {
  return {
    id: row.id,
    name: row.name,
    imageUrl: row.image_url,
    catalogDefault: row.catalog_default,
    isActive: row.is_active === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function toCompanyColumns(terms: CompanyTerms) {
  return {
    firm_id: terms.firmId,
    name: terms.name,
    name_folded: foldName(terms.name),
    logo_url: terms.logoUrl,
    is_active: flag(terms.isActive),
  };
}

export function fromCompanyRow(row: Omit<CompanyRow, 'account_id' | 'shelf_id' | 'name_folded' | 'revision'>): Company {
  return {
    id: row.id,
    firmId: row.firm_id,
    name: row.name,
    logoUrl: row.logo_url,
    isActive: row.is_active === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function fromCatalogSubscriptionRow(row: {
  readonly firm_id: number;
  readonly company_id: number;
  readonly is_subscribed: number;
}): CatalogSubscription {
  return { firmId: row.firm_id, companyId: row.company_id, isSubscribed: row.is_subscribed === 1 };
}

/** A row of an offer, or of a version of one. */
export type TermsRow = Omit<OfferRow, 'account_id' | 'shelf_id' | 'revision'>;

export function fromOfferRow(row: TermsRow): Offer {
  const offer = fromTermsRow(row);
  offer.id = row.id;
  offer.createdAt = row.created_at;
  offer.updatedAt = row.updated_at;
  if (row.masked_updated_at !== null) offer.maskedUpdatedAt = row.masked_updated_at;
  // The compiler holds the table of fields to those of an offer.
  return offer as unknown as Offer;
}

export function toMonthRow(offerId: number, price: MonthlyPrice): MonthlyPriceRow {
  return { offer_id: offerId, month: price.month, supply_type: price.supplyType, ...toPriceColumns(price) };
}

export function isSameMonth(a: MonthlyPrice, b: MonthlyPrice): boolean {
  return a.supplyType === b.supplyType && a.month === b.month && hasSamePrices(a, b);
}

export function fromMonthRow(row: MonthlyPriceRow): MonthlyPrice {
  const price = fromPriceRow(row);
  price.month = row.month;
  return price as unknown as MonthlyPrice;
}

/** Only for versions that are complete in their text; a version of replaced terms is made from the row of the offer. */
export function toVersionRow(version: OfferVersion) {
  return {
    offer_id: version.offerId,
    revision: version.revision,
    changed_at: version.changedAt,
    key_id: version.keyId,
    before: JSON.stringify(version.before),
  };
}

export function fromVersionRow(row: OfferVersionRow): OfferVersion {
  const { offer_id, revision, changed_at, key_id } = row;
  const before =
    row.before === REPLACED
      ? { kind: 'terms' as const, offer: fromOfferRow({ ...row, id: offer_id } as TermsRow) }
      : (JSON.parse(row.before) as OfferVersion['before']);
  return { offerId: offer_id, revision, changedAt: changed_at, keyId: key_id, before };
}

export function fromCatalogAuditRow(row: CatalogAuditRow): CatalogWrite {
  return {
    id: row.id,
    accountId: row.account_id,
    keyId: row.key_id,
    at: row.at,
    operation: row.operation,
    recordId: row.record_id,
    before: JSON.parse(row.counts_before) as CatalogCounts,
    after: JSON.parse(row.counts_after) as CatalogCounts,
    fileHash: row.file_hash,
  };
}

export function toOutcomeText(outcome: UploadOutcome | null): string | null {
  return outcome === null ? null : JSON.stringify(outcome);
}

function outcomeOf(text: string | null): UploadOutcome | null {
  return text === null ? null : (JSON.parse(text) as UploadOutcome);
}

export function fromUploadRow(row: UploadRow): Upload {
  return {
    id: row.id,
    firmId: row.firm_id,
    kind: row.kind,
    fileName: row.file_name,
    sizeBytes: row.size_bytes,
    status: row.status,
    result: outcomeOf(row.result),
    error: outcomeOf(row.error),
    hasFile: Boolean(row.has_file),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    finishedAt: row.finished_at,
  };
}
