export { MAX_DAYS, MAX_KW, MAX_KWH } from './engine/bounds.ts';
// All that the packages of the service need. For programs that rank offers by themselves there is `index.ts`.

export type { BulkDiff, DiffEntry } from './bulk/diff.ts';
export { offersInSheets } from './bulk/offers-in-sheets.ts';
export { BULK_WARNINGS, type BulkCounts, type BulkWarning } from './bulk/plan.ts';
export { isPercentage, readCell, settleNumber } from './bulk/read-cell.ts';
export { createRowReader } from './bulk/read-rows.ts';
export {
  bulkSheetFor,
  bulkSheets,
  isAboutCommissions,
  isTierSheet,
  OFFER_COLUMNS,
  SHEET_NAMES,
  type SheetColumn,
  type SheetName,
  TIER_FIELDS,
  TIER_HEADERS,
  TIER_SHEETS,
  type TierHeaders,
  type TierSheet,
} from './bulk/sheets.ts';
export type { TemplateKind } from './bulk/template.ts';
export { byMonth, dayNumber, type Month, monthFor, NEVER } from './engine/calendar.ts';
export {
  type CellToWrite,
  type CellValue,
  type ColumnToWrite,
  CsvError,
  FILE_CAPS,
  FILE_FAULTS,
  type FileCaps,
  type FileFault,
  type NumberFormat,
  type SheetCell,
  type SheetPart,
  type SheetRow,
  type SheetToWrite,
  UnreadableFile,
} from './engine/cells.ts';
export type { ConsumptionCommission, PowerCommission } from './engine/commission/commission.ts';
export {
  type AnyTier,
  CONSUMPTION_COMMISSION_TYPES,
  type ConsumptionTier,
  POWER_COMMISSION_TYPES,
  type PowerTier,
} from './engine/commission/tier.ts';
export { CURVE_NOTICES, type CurveNotice, type CurveTerms } from './engine/consumption/curve.ts';
export { MAX_PROFILE_ENTRIES, type ProfileEntry, profileTotals } from './engine/consumption/profile.ts';
export { MEASURED_TARIFFS } from './engine/consumption/tariff-periods.ts';
export { withoutCups } from './engine/cups.ts';
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
} from './engine/errors.ts';
export { headerFinder, isTotal } from './engine/header.ts';
export type { HourlyPrices } from './engine/indices/curve-prices.ts';
export {
  INDEX_NAME,
  type IndexDay,
  type IndexMonth,
  type IndexSummary,
  pricedHours,
  spanOf,
} from './engine/indices/index-days.ts';
export { createIndexFileReader, type IndexChoice, MAX_INDEX_PRICE } from './engine/indices/index-file.ts';
export {
  CONTRACT_KINDS,
  INVOICE_NOTICES,
  type InvoiceNotice,
  type InvoicePrices,
} from './engine/invoice/invoice-reading.ts';
export { SPANISH } from './engine/messages/es.ts';
export { inWords, type Message, type MessageText, type Said, say } from './engine/messages/message.ts';
export { createMarks } from './engine/number-text.ts';
export { roundHalfUp } from './engine/numbers.ts';
export { communityName } from './engine/offers/community-name.ts';
export type { ContractTerm } from './engine/offers/contract-fields.ts';
export { changeOf, isMaskedChange, type MonthChange, type OfferChange } from './engine/offers/difference.ts';
export type { ExcludedOffer, Exclusion } from './engine/offers/exclusion.ts';
export {
  copierOf,
  FIELD_LIST,
  fieldPartsOf,
  fieldsOf,
  fieldsOfSupply,
  initialOf,
  initialTerms,
  type TermsField,
} from './engine/offers/field-parts.ts';
export type { FieldName, FieldSection, OfferTermsByField } from './engine/offers/field-spec.ts';
export {
  bitsOfList,
  COMMUNITIES,
  type Community,
  CUSTOMER_TYPES,
  type ElectricityMonth,
  type ElectricityOffer,
  type ElectricityTerms,
  type GasMonth,
  type GasOffer,
  type GasTerms,
  type MonthlyPrice,
  type Offer,
  type OfferHead,
  type OfferRecordStamps,
  type OfferTerms,
  type OfferWithHistory,
  SUPPLY_TYPES,
  type SupplyType,
  shownUpdatedAt,
  TERRITORIES,
  type Territory,
} from './engine/offers/offer.ts';
export { draftMonth, draftOffer, type OfferChanges, type RequiredTerms } from './engine/offers/offer-changes.ts';
export { MAX_TARIFF_LENGTH, OFFER_FIELDS, type PriceName } from './engine/offers/offer-fields.ts';
export { ANY_COMPANY, anyOffer, asksForTerms, type ListFilter, matchesCompany } from './engine/offers/offer-filter.ts';
export {
  MONTH_VALUES,
  OFFER_VALUES,
  type OfferRow,
  type RowValue,
  type ValuePlace,
} from './engine/offers/offer-row.ts';
export { misplacedCommunity, territoryOf } from './engine/offers/places.ts';
export { NO_PRICES, NO_QUANTITIES, type PerPeriod, perPeriod } from './engine/periods.ts';
export { POWER_NOTICES, type PowerAdvice, type PowerCost, type PowerNotice } from './engine/power/optimize-power.ts';
export { METER_TYPES, SENT_POWER_PRICE } from './engine/power/power-question.ts';
export {
  POWER_TARIFFS,
  REGULATED_PRICES,
  REGULATED_UNITS,
  type RegulatedConcept,
  type RegulatedPrice,
  withOperatorPrices,
} from './engine/power/regulated-prices.ts';
export type { CostLine } from './engine/price/cost.ts';
export {
  byYearAndMonth,
  type Customer,
  calculationPeriod,
  defineCustomer,
  type ElectricityCustomer,
  MAX_SSAA_EUR_PER_MWH,
  NO_FEES,
  periodOf,
  YEAR,
} from './engine/price/customer.ts';
export { type AppliedPrices, choosePrices, type PriceOrigin } from './engine/price/prices.ts';
export {
  COMMISSION_PARTS,
  COST_PARTS,
  type CostPart,
  type CostPartName,
  SHOWN_COST_PARTS,
  SSAA_PART,
  shownPartsOf,
} from './engine/price/rule.ts';
export { entryAt, type Table } from './engine/price/table.ts';
export { MAX_NAMED } from './engine/rank/facts.ts';
export { rankOffers } from './engine/rank/library.ts';
export {
  CONTRACT_PRICES,
  CONTRACT_TOTAL,
  missingContractPrices,
  type PresentContract,
} from './engine/rank/present-contract.ts';
export { type Gap, rankPortfolio, rankUniverses, stepsOf } from './engine/rank/rank.ts';
export {
  ADVISOR_WARNINGS,
  type BilledRanking,
  type BilledResult,
  type CostDifference,
  DEFAULT_LIMIT,
  DEFAULT_WEIGHT,
  type FilterName,
  MAX_LIMIT,
  MAX_RANKED_OFFSET,
  MAX_TOLERANCE,
  type RankedOffer,
  type Ranking,
  type RankingRequest,
  type RankingWarning,
  type ReasonsAsked,
  type Retrospective,
  WARNING_CODES,
  type WarningCode,
} from './engine/rank/ranking.ts';
export {
  annualQuantities,
  type ExpectedCommission,
  expectedCommission,
  recommendFrom,
} from './engine/rank/recommend.ts';
export type { Conflict, WinnerSegment } from './engine/rank/score.ts';
export { compileUniverse, patchUniverse, type UniversePart } from './engine/rank/universe.ts';
export type { RowByDay } from './engine/rows-by-day.ts';
export type { Bill } from './engine/taxes/bill.ts';
export { BILL_LINES } from './engine/taxes/bill-lines.ts';
export {
  BILL_BOUNDS,
  type BillDefinition,
  billIssues,
  hasIndustrialUse,
  indirectTaxName,
} from './engine/taxes/bill-terms.ts';
export { DUE_DAYS, dueRows, firstOpenDay } from './engine/taxes/due-rows.ts';
export { withOperatorRates } from './engine/taxes/operator-rates.ts';
export {
  type PlacedRate,
  RATE_KIND_NAMES,
  RATE_KINDS,
  RATE_NAMES,
  RATE_UNITS,
  RATES,
  type Rate,
  ratesInForce,
  type SettledRate,
} from './engine/taxes/rates.ts';
export { checkName, cleanName, editDistance, foldName, MAX_URL_LENGTH } from './engine/text.ts';
export type { Bucket } from './service/access/buckets.ts';
export { type Caller, hasScope, maySeeCommissions, rightsOf, SCOPES, type Scope } from './service/access/caller.ts';
export {
  answerInForce,
  answersInForceSince,
  type IdempotencyRequest,
  type StoredAnswer,
} from './service/access/idempotency.ts';
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
} from './service/access/limits.ts';
export { foreignFirm, refusalFor } from './service/access/permit.ts';
export { DEFAULT_FIRM_LIMIT, PLANS, type Plan } from './service/access/plan.ts';
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
} from './service/accounts/account.ts';
export type { UsageEntry, UsageQuery, UsageRecord, UsageSummary } from './service/accounts/usage.ts';
export { createFairQueue, type FairQueue, type FairQueueSettings, type QueueKey } from './service/fair-queue.ts';
export {
  CATALOG_DEFAULTS,
  type CatalogDefault,
  type CatalogSubscription,
  type Company,
  type CompanyTerms,
  type Firm,
  type FirmDetail,
  type FirmTerms,
} from './service/firms/firm.ts';
export { MAX_LOGO_BYTES } from './service/firms/logo.ts';
export { scopedWriter } from './service/ports/concerns.ts';
export type { ImportJob, ImportReport, Imports } from './service/ports/imports.ts';
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
} from './service/ports/lists.ts';
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
} from './service/ports/machine.ts';
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
  type Proposal,
  type ProposalHead,
  type ProposalQuery,
  type RecordChange,
  type RecordChanges,
  type Revisions,
  type SubscriptionTerms,
  type UploadChange,
  type UploadPlace,
  type UploadTerms,
  type UsageBatch,
} from './service/ports/records.ts';
export type { Concern, Reader, SingleReads, Store, WriteContext, Writer, Writes } from './service/ports/stores.ts';
export {
  type ClaimedWebhook,
  DISABLED_REASONS,
  type Horizon,
  type QueuedEvent,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookEvent,
  type WebhookQuery,
} from './service/ports/webhooks.ts';
export type { FileForm, Workbooks } from './service/ports/workbooks.ts';
export { canonicalJson, type JsonDifference } from './service/proposals/canonical-json.ts';
export { cleanNote, MAX_NOTE_LENGTH } from './service/proposals/note.ts';
export {
  UPLOAD_KINDS,
  UPLOAD_STATUSES,
  type Upload,
  type UploadOutcome,
  type UploadStatus,
} from './service/uploads/upload.ts';
export { type About, describeComparison } from './service/usecases/about.ts';
export {
  type AccountState,
  changePassword,
  editAccount,
  getAccount,
  getSubscription,
} from './service/usecases/accounts/account.ts';
export { createKey, getKey, listKeys, MAX_KEYS, type MadeKey, revokeKey } from './service/usecases/accounts/keys.ts';
export { listUsage, summarizeUsage } from './service/usecases/accounts/usage.ts';
export {
  decideCatalogSubscription,
  listCatalogSubscriptions,
  type SubscriptionEntry,
} from './service/usecases/firms/catalog-subscriptions.ts';
export { catalogCompanyCases, ownCompanyCases } from './service/usecases/firms/companies.ts';
export {
  createFirm,
  deactivateFirm,
  getFirm,
  listFirms,
  toggleFirm,
  updateFirm,
} from './service/usecases/firms/firms.ts';
export { createLimitWatch } from './service/usecases/memory/limit-watch.ts';
export {
  BYTES_PER_MB,
  createOfferCache,
  DEFAULT_CACHE_MB,
  type OfferCache,
  type OfferCacheCounts,
} from './service/usecases/memory/offer-cache.ts';
export { createUsageLog, type UsageLog } from './service/usecases/memory/usage-log.ts';
export {
  callerWhoSees,
  type FileOffers,
  type OffersAsked,
  offersOfFile,
} from './service/usecases/offers/file-offers.ts';
export { catalogMonthCases, ownMonthCases } from './service/usecases/offers/indexed-prices.ts';
export { type OfferEvent, offerHistory } from './service/usecases/offers/offer-history.ts';
export type { OfferOrder, OfferPage, OrderName, OrderPlace } from './service/usecases/offers/offer-search.ts';
export {
  calculateCommission,
  catalogOfferCases,
  exportOffers,
  listCatalogOffers,
  listOffers,
  MAX_EXPORT,
  ownOfferCases,
  updateOffers,
} from './service/usecases/offers/offers.ts';
export { type ListedOffer, type OfferDetail, recordOf } from './service/usecases/offers/offers-in-memory.ts';
export { PAST_POINTS } from './service/usecases/offers/past-offers.ts';
export {
  contentOf,
  deleteProposal,
  getProposal,
  getProposalToPrint,
  type Issuer,
  listProposals,
  MAX_PAGE_ROWS,
  makeProposal,
  type PageRow,
  type ProposalForms,
  type ProposedRanking,
  type Verification,
  verifyProposal,
} from './service/usecases/proposals.ts';
export { negotiationForCaller } from './service/usecases/ranking/negotiation.ts';
export { portfolioForCaller, type RankedCustomer } from './service/usecases/ranking/portfolio.ts';
export {
  billedRequest,
  type NamedContract,
  type RankingAnswer,
  type RankingQuestion,
  type Recommendation,
  rankForCaller,
  recommendForCaller,
  weightFor,
} from './service/usecases/ranking/ranking.ts';
export {
  type AskedIndices,
  type IndexedCurve,
  readCurve,
  readCurveForCaller,
  refuseUnknown,
} from './service/usecases/readings/curves.ts';
export { importIndex, listIndexMonths, listIndices } from './service/usecases/readings/indices.ts';
export { type CheckedInvoice, checkedInvoice, readInvoiceForCaller } from './service/usecases/readings/invoices.ts';
export {
  answerPower,
  listRegulatedPrices,
  optimizePowerForCaller,
  type PowerInput,
} from './service/usecases/readings/power.ts';
export { listTaxes, type Taxes } from './service/usecases/readings/taxes.ts';
export { admit, rateLimited, takeCallPoints, takeMorePoints, tightestOf } from './service/usecases/requests/admit.ts';
export { connectionClosed, onceClosed, whileOpen } from './service/usecases/requests/closing.ts';
export { type Command, carryOut } from './service/usecases/requests/command.ts';
export type { Deps, Imprint } from './service/usecases/requests/deps.ts';
export { fullestShares } from './service/usecases/requests/quotas.ts';
export type { ListChoice } from './service/usecases/requests/record-access.ts';
export { activeFirmCount, countRecords } from './service/usecases/requests/stats.ts';
export { bulkTemplate, bulkUpdate } from './service/usecases/uploads/bulk.ts';
export {
  isUploadQueued,
  maySeeReport,
  type QueueParts,
  runNextUpload,
} from './service/usecases/uploads/queued-uploads.ts';
export { runImport } from './service/usecases/uploads/run-import.ts';
export { reportIn } from './service/usecases/uploads/stored-reports.ts';
export { sweepAnswers, sweepUploadFiles, sweepUsage } from './service/usecases/uploads/sweeps.ts';
export { asRefusal, readParts, withoutSheet } from './service/usecases/uploads/unreadable-files.ts';
export {
  applyUpload,
  cancelUpload,
  createUpload,
  getUpload,
  listUploads,
  retryUpload,
  returnFilePoint,
  takeFilePoint,
} from './service/usecases/uploads/uploads.ts';
export { type ListedChange, listChanges, unknownCursor } from './service/usecases/webhooks/changes.ts';
export {
  type Delivery,
  exchangeEvents,
  isEventDue,
  queueChanges,
  type SendOutcome,
} from './service/usecases/webhooks/webhook-events.ts';
export {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  MAX_WEBHOOKS,
  MAX_WEBHOOKS_OF_KEY,
  managesWebhook,
  rotateWebhookSecret,
} from './service/usecases/webhooks/webhooks.ts';
