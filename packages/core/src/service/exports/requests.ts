// What every request needs: refusals, messages, days, the ports and their use.

export { INDEX_NAME, MAX_DAYS, MAX_INDEX_PRICE, MAX_KW, MAX_KWH } from '../../engine/bounds.ts';
export { byMonth, dayNumber, type Month, monthFor, NEVER } from '../../engine/calendar.ts';
export { withoutCups } from '../../engine/cups.ts';
export {
  assert,
  BULK_FORMATS,
  type BucketState,
  type BulkFormat,
  DomainError,
  type Issue,
  type OpenRate,
  type RateOption,
  REFUSAL_CODES,
  type RefusalCode,
  type RefusalDetails,
  type RowError,
  type RowErrors,
  refuseIfAny,
} from '../../engine/errors.ts';
export { headerFinder, isTotal } from '../../engine/header.ts';
export { SPANISH } from '../../engine/messages/es.ts';
export { inWords, type Message, type MessageText, type Said, say } from '../../engine/messages/message.ts';
export { createMarks } from '../../engine/number-text.ts';
export { roundHalfUp } from '../../engine/numbers.ts';
export { NO_PRICES, NO_QUANTITIES, type PerPeriod, perPeriod } from '../../engine/periods.ts';
export type { RowByDay } from '../../engine/rows-by-day.ts';
export { checkName, cleanName, editDistance, foldName, MAX_URL_LENGTH, searchForm } from '../../engine/text.ts';
export { createFairQueue, type FairQueue, type FairQueueSettings, type QueueKey } from '../fair-queue.ts';
export { scopedWriter } from '../ports/concerns.ts';
export type { ImportJob, ImportReport, Imports } from '../ports/imports.ts';
export type {
  CountScope,
  ListScope,
  OfferCount,
  OfferDepth,
  OfferQuery,
  Page,
  PageOf,
  RecordCount,
  RecordCounts,
  RecordOwner,
  UploadQuery,
  UsagePage,
} from '../ports/lists.ts';
export type {
  Cell,
  Cipher,
  Clock,
  Closing,
  CsvForm,
  RateLimiter,
  Secrets,
  Tables,
  TakeResult,
  Tokens,
} from '../ports/machine.ts';
export {
  type CatalogWrite,
  type CatalogWriteTerms,
  CHANGE_KINDS,
  type ChangeCursor,
  type ChangeKind,
  type ChangePlace,
  type ChangeQuery,
  type ClaimedUpload,
  type FullestAccount,
  type LeaseChange,
  type MarkedPlace,
  type Moment,
  type OfferPast,
  type OfferRecord,
  type OfferVersion,
  PROPOSAL_STATES,
  type Proposal,
  type ProposalFilter,
  type ProposalHead,
  type ProposalQuery,
  type ProposalSummary,
  type RecordChange,
  type RecordChanges,
  type Revisions,
  type SubscriptionTerms,
  type UploadChange,
  type UploadPlace,
  type UploadTerms,
  type UsageBatch,
} from '../ports/records.ts';
export type { Concern, Reader, SingleReads, Store, WriteContext, Writer, Writes } from '../ports/stores.ts';
export {
  type ClaimedWebhook,
  DISABLED_REASONS,
  type Horizon,
  KEPT_ATTEMPTS,
  type KeptAttempt,
  type QueuedEvent,
  SEND_FAILURES,
  type SendAttempt,
  type SendFailure,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookEvent,
  type WebhookQuery,
} from '../ports/webhooks.ts';
export type { FileForm, Workbooks } from '../ports/workbooks.ts';
export { createLimitWatch } from '../usecases/memory/limit-watch.ts';
export {
  BYTES_PER_MB,
  createOfferCache,
  DEFAULT_CACHE_MB,
  type OfferCache,
  type OfferCacheCounts,
} from '../usecases/memory/offer-cache.ts';
export { createUsageLog, type UsageLog } from '../usecases/memory/usage-log.ts';
export { admit, rateLimited, takeCallPoints, takeMorePoints, tightestOf } from '../usecases/requests/admit.ts';
export { connectionClosed, onceClosed, whileOpen } from '../usecases/requests/closing.ts';
export { type Command, carryOut } from '../usecases/requests/command.ts';
export type { Deps, Imprint } from '../usecases/requests/deps.ts';
export { fullestShares } from '../usecases/requests/quotas.ts';
export type { ListChoice } from '../usecases/requests/record-access.ts';
export { activeFirmCount, countRecords } from '../usecases/requests/stats.ts';
