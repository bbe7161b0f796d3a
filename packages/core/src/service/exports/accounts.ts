// Accounts, keys, access, limits and webhooks.

export type { Bucket } from '../access/buckets.ts';
export { type Caller, hasScope, maySeeCommissions, rightsOf, SCOPES, type Scope } from '../access/caller.ts';
export {
  answerInForce,
  answersInForceSince,
  type IdempotencyRequest,
  type StoredAnswer,
} from '../access/idempotency.ts';
export {
  bucketsOf,
  CALLS_PER_MINUTE,
  CATALOG_QUOTA,
  EXTRA_LIMITS,
  type ExtraLimit,
  extraBucketOf,
  networkOf,
  type Quotas,
  type RecordTotals,
  type StoredBytes,
} from '../access/limits.ts';
export { foreignFirm, refusalFor } from '../access/permit.ts';
export { DEFAULT_FIRM_LIMIT, PLANS, type Plan } from '../access/plan.ts';
export {
  type Account,
  type ApiKey,
  checkAccount,
  checkPassword,
  type KeyRecord,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  SUBSCRIPTION_STATUSES,
  type Subscription,
} from '../accounts/account.ts';
export type { UsageEntry, UsageQuery, UsageRecord, UsageSummary } from '../accounts/usage.ts';
export {
  type AccountState,
  changePassword,
  editAccount,
  getAccount,
  getSubscription,
} from '../usecases/accounts/account.ts';
export { createKey, getKey, listKeys, MAX_KEYS, type MadeKey, revokeKey } from '../usecases/accounts/keys.ts';
export { listUsage, summarizeUsage } from '../usecases/accounts/usage.ts';
export { type ListedChange, listChanges, unknownCursor } from '../usecases/webhooks/changes.ts';
export {
  type Delivery,
  exchangeEvents,
  isEventDue,
  messageIdOf,
  queueChanges,
  type SendOutcome,
  type SentDelivery,
} from '../usecases/webhooks/webhook-events.ts';
export {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhookAttempts,
  listWebhooks,
  MAX_WEBHOOKS,
  MAX_WEBHOOKS_OF_KEY,
  managesWebhook,
  redeliverEvent,
  rotateWebhookSecret,
  sendTestEvent,
} from '../usecases/webhooks/webhooks.ts';
