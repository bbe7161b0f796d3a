import {
  type Account,
  type ApiKey,
  type CatalogSubscription,
  type CatalogWrite,
  type Company,
  type Firm,
  type KeptAttempt,
  type MonthlyPrice,
  type Offer,
  type OfferVersion,
  type Proposal,
  type ProposalHead,
  type QueuedEvent,
  SCOPES,
  type Scope,
  type Subscription,
  type Upload,
  type Webhook,
} from '@tarifario/core/service';
import { fromPriceRow, fromTermsRow } from './offer-columns.ts';
import { REPLACED } from './offer-rows.ts';
import { recordCodec } from './record-codec.ts';
import type { ApiKeyRow, MonthlyPriceRow, OfferRow, OfferVersionRow, SubscriptionRow } from './schema.ts';

/**
 * Converts between records and rows. Only this file trusts the content of the database: JSON columns are not checked,
 * because only this file writes them. The exception are scopes, which are checked.
 */

export const ACCOUNT = recordCodec<Account>()({
  plain: ['id', 'name', 'email', 'createdAt'],
  flags: ['isActive', 'isCatalogEditor'],
});

export const SUBSCRIPTION = recordCodec<Omit<Subscription, 'quotas'>>()({
  plain: [
    'id',
    'plan',
    'status',
    'firmLimit',
    'trialEndsAt',
    'currentPeriodEnd',
    'callsPerMinute',
    'firmCallsPerMinute',
    'createdAt',
  ],
});

/** The columns of quotas; null: the quota of the plan. */
export const QUOTA_COLUMNS = {
  companies: 'company_quota',
  offers: 'offer_quota',
  months: 'month_quota',
  historyBytes: 'history_quota',
  proposalsBytes: 'proposals_quota',
} as const;

export function subscriptionReader(prefix: string): (row: object) => Subscription {
  const read = SUBSCRIPTION.readerIn(prefix);
  return (row) => {
    const stored = row as Pick<SubscriptionRow, (typeof QUOTA_COLUMNS)[keyof typeof QUOTA_COLUMNS]>;
    const quotas = Object.entries(QUOTA_COLUMNS).map(([kind, column]) => [kind, stored[column]] as const);
    return { ...read(row), quotas: Object.fromEntries(quotas.filter(([, quota]) => quota !== null)) };
  };
}
export const fromSubscriptionRow = subscriptionReader('');

export const API_KEY = recordCodec<Omit<ApiKey, 'scopes'>>()({
  plain: ['id', 'accountId', 'firmId', 'name', 'prefix', 'expiresAt', 'lastUsedAt', 'createdAt'],
  flags: ['fullAccess', 'isActive'],
});

export function fromKeyRow(row: Omit<ApiKeyRow, 'secret_hash'>): ApiKey {
  return { ...API_KEY.read(row), scopes: scopesOf(row.scopes) };
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

export const FIRM = recordCodec<Firm>()({
  plain: ['id', 'name', 'imageUrl', 'catalogDefault', 'createdAt', 'updatedAt'],
  flags: ['isActive'],
});

export const COMPANY = recordCodec<Company>()({
  plain: ['id', 'firmId', 'name', 'logoUrl', 'createdAt', 'updatedAt'],
  flags: ['isActive'],
});

export const CATALOG_SUBSCRIPTION = recordCodec<CatalogSubscription>()({
  plain: ['firmId', 'companyId'],
  flags: ['isSubscribed'],
});

/** A row of an offer, or of a version of one. */
export type TermsRow = Omit<OfferRow, 'account_id' | 'owner_id' | 'revision' | 'masked_revision'>;

export function fromOfferRow(row: TermsRow): Offer {
  const offer = fromTermsRow(row);
  offer.id = row.id;
  offer.createdAt = row.created_at;
  offer.updatedAt = row.updated_at;
  if (row.masked_updated_at !== null) offer.maskedUpdatedAt = row.masked_updated_at;
  if (row.blind_revision !== null) offer.blindRevision = row.blind_revision;
  // The compiler checks that the table has the fields of an offer.
  return offer as unknown as Offer;
}

export function fromMonthRow(row: MonthlyPriceRow): MonthlyPrice {
  const price = fromPriceRow(row);
  price.month = row.month;
  return price as unknown as MonthlyPrice;
}

/** Only for versions whose text is complete; a version of replaced terms is made from the row of the offer. */
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
      ? { kind: 'terms' as const, offer: fromOfferRow({ ...row, id: offer_id, blind_revision: null } as TermsRow) }
      : (JSON.parse(row.before) as OfferVersion['before']);
  return { offerId: offer_id, revision, changedAt: changed_at, keyId: key_id, before };
}

/** The columns of counts have other names. */
export const CATALOG_WRITE = recordCodec<Omit<CatalogWrite, 'before' | 'after'>>()({
  plain: ['id', 'accountId', 'keyId', 'at', 'operation', 'recordId', 'fileHash'],
});

const HEAD = ['id', 'createdAt', 'firmId', 'note', 'ref', 'state', 'sha256'] as const;
export const PROPOSAL_HEAD = recordCodec<ProposalHead>()({ plain: HEAD, json: ['summary'] });
export const PROPOSAL = recordCodec<Proposal>()({
  plain: [...HEAD, 'keyId', 'ownRevision', 'catalogRevision', 'companies', 'content', 'words', 'seal'],
  flags: ['isMasked'],
  json: ['summary'],
});

export const UPLOAD = recordCodec<Upload>()({
  plain: ['id', 'firmId', 'keyId', 'kind', 'fileName', 'sizeBytes', 'status', 'createdAt', 'updatedAt', 'finishedAt'],
  flags: ['hasFile'],
  json: ['result', 'error'],
});

export const WEBHOOK = recordCodec<Webhook>()({
  plain: [
    'id',
    'accountId',
    'firmId',
    'keyId',
    'url',
    'secret',
    'formerSecret',
    'formerUntil',
    'cursorSecret',
    'ownRevision',
    'catalogRevision',
    'disabledAt',
    'disabledReason',
    'createdAt',
  ],
  json: ['events', 'cursor'],
});

export const QUEUED_EVENT = recordCodec<QueuedEvent>()({
  plain: ['id', 'type', 'createdAt', 'traceparent', 'attempts'],
  json: ['data'],
});

export const KEPT_ATTEMPT = recordCodec<KeptAttempt>()({
  plain: [
    ...(['number', 'eventId', 'type', 'createdAt', 'traceparent'] as const),
    ...(['sentAt', 'durationMs', 'status', 'failure'] as const),
  ],
  json: ['data'],
});
