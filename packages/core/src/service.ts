// All that the packages of the service need. For programs that rank offers by themselves there is `index.ts`.
export * from './access/buckets.ts';
export { type Caller, rightsOf, SCOPES, type Scope, seesCommissions } from './access/caller.ts';
export * from './access/idempotency.ts';
export {
  bucketsOf,
  CALLS_PER_MINUTE,
  CATALOG_QUOTA,
  EXTRA_LIMITS,
  type ExtraLimit,
  extraBucketOf,
  networkOf,
  QUOTAS,
  RECORD_KINDS,
  type RecordTotals,
  ROWS_PER_POINT,
  unknownKeysFrom,
} from './access/limits.ts';
export { foreignFirm, refusalFor } from './access/permit.ts';
export * from './accounts/account.ts';
export * from './accounts/plan.ts';
export type { UsageEntry, UsageQuery, UsageRecord, UsageSummary } from './accounts/usage.ts';
export { rankedInBlocks } from './advice/block-facts.ts';
export type { Conflict } from './advice/conflict.ts';
export { weightForTolerance } from './advice/conflict.ts';
export { MAX_NAMED } from './advice/market-facts.ts';
export {
  missingContractPrices,
  type PresentContract,
  type PresentCost,
  type Saving,
} from './advice/present-contract.ts';
export { type RankingWarning, WARNING_CODES, type WarningCode, warningsFor } from './advice/warnings.ts';
export * from './bulk/cells.ts';
export * from './bulk/diff.ts';
export * from './bulk/format.ts';
export * from './bulk/offers-in-sheets.ts';
export {
  BULK_WARNINGS,
  type BulkCounts,
  type BulkOutcome,
  type BulkPlan,
  type BulkWarning,
  planBulkUpdate,
} from './bulk/plan.ts';
export { type BulkDrafts, createRowReader, readRows } from './bulk/read-rows.ts';
export { createRowLog, MAX_ROWS_SHOWN, type RowError, type RowErrors } from './bulk/row-errors.ts';
export {
  bulkSheetFor,
  bulkSheets,
  columnFor,
  ID_HEADERS,
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
export * from './bulk/state.ts';
export { TEMPLATE_KINDS, type TemplateKind, templateOf } from './bulk/template.ts';
export { daysBefore, type Month, monthFor, monthNumber, secondsAfter } from './calendar.ts';
export {
  type ConsumptionCommission,
  commissionAt,
  consumptionCommission,
  consumptionRate,
  type PowerCommission,
  powerCommission,
  powerRate,
} from './commission/commission.ts';
export {
  type AnyTier,
  CONSUMPTION_COMMISSION_TYPES,
  type ConsumptionCommissionType,
  type ConsumptionTier,
  checkTiers,
  MAX_TIERS,
  POWER_COMMISSION_TYPES,
  type PowerTier,
  sortTiers,
  tierBounds,
  tierFor,
} from './commission/tier.ts';
export { CURVE_NOTICES, type Curve, type CurveTerms, createCurveReader } from './consumption/curve.ts';
export { MEASURED_TARIFFS } from './consumption/tariff-periods.ts';
export * from './errors.ts';
export {
  CATALOG_DEFAULTS,
  type CatalogDefault,
  type CatalogSubscription,
  type Company,
  type CompanyTerms,
  type Firm,
  type FirmTerms,
} from './firms/firm.ts';
export { visibleCompanies } from './firms/visible-companies.ts';
export {
  CONTRACT_KINDS,
  type ContractPrices,
  INVOICE_NOTICES,
  type InvoiceReading,
  readInvoiceQr,
} from './invoice/invoice-qr.ts';
export * from './numbers.ts';
export * from './offers/define-offer.ts';
export {
  copierOf,
  FIELD_LIST,
  type FieldPart,
  fieldPartsOf,
  fieldsOf,
  fieldsOfSupply,
  initialOf,
  initialTerms,
  type TermsField,
  withoutCommissions,
} from './offers/field-parts.ts';
export {
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
  type OfferRecordStamps,
  type OfferTerms,
  type OfferWithHistory,
  SUPPLY_TYPES,
  type SupplyType,
  TERRITORIES,
  type Territory,
} from './offers/offer.ts';
export {
  draftMonth,
  draftOffer,
  type OfferChanges,
  type RequiredTerms,
  type SparsePrices,
} from './offers/offer-changes.ts';
export {
  columnise,
  MONTH_VALUES,
  materialise,
  OFFER_VALUES,
  type OfferRow,
  rowAt,
  rowOf,
} from './offers/offer-columns.ts';
export {
  type Bounds,
  type FieldName,
  type FieldSection,
  MAX_TARIFF_LENGTH,
  type OFFER_FIELDS,
  type OfferTermsByField,
  type PriceName,
} from './offers/offer-fields.ts';
export * from './offers/offer-filter.ts';
export * from './offers/offer-rules.ts';
export { bitsOfList, type RowValue, type ValuePlace } from './offers/record-columns.ts';
export { NO_PRICES, NO_QUANTITIES, type PerPeriod, perPeriod } from './periods.ts';
export * from './ports/concerns.ts';
export * from './ports/imports.ts';
export * from './ports/lists.ts';
export * from './ports/machine.ts';
export type {
  CatalogOperation,
  CatalogWrite,
  CatalogWriteTerms,
  ClaimedUpload,
  KeyTerms,
  LeaseChange,
  Moment,
  MonthOfOffer,
  OfferChange,
  OfferPast,
  OfferVersion,
  OwnerChanges,
  Proposal,
  ProposalHead,
  ProposalQuery,
  ProposalTerms,
  RecordChanges,
  Revisions,
  SubscriptionTerms,
  UploadChange,
  UploadTerms,
  UsageBatch,
} from './ports/records.ts';
export * from './ports/stores.ts';
export * from './ports/workbooks.ts';
export { canonicalJson, type JsonDifference } from './proposals/canonical-json.ts';
export { cleanNote, MAX_NOTE_LENGTH } from './proposals/note.ts';
export { type AppliedPrices, choosePrices, type MissingHistory, type PriceOrigin } from './ranking/applied-price.ts';
export { rankedBlocks, type UniversePart } from './ranking/candidates.ts';
export * from './ranking/cost.ts';
export * from './ranking/customer.ts';
export { createRowFilter, type FilterOrReason, type FilterQuestion, type RowFilter } from './ranking/filter.ts';
export { type Contender, contenderOf, frontierOf, winnerAt, winnersByWeight } from './ranking/frontier.ts';
export { neededPrices } from './ranking/masks.ts';
export * from './ranking/portfolio.ts';
export { finish, type RankOptions, rankInSteps, rankUniverses } from './ranking/rank.ts';
export * from './ranking/rank-offers.ts';
export {
  DEFAULT_LIMIT,
  DEFAULT_WEIGHT,
  type ExcludedOffer,
  MAX_LIMIT,
  MAX_TOLERANCE,
  type RankedOffer,
  type Ranking,
  type RankingRequest,
  type RecommendationRequest,
  type WinnerSegment,
} from './ranking/ranking.ts';
export { keyOf } from './ranking/recent-entries.ts';
export * from './ranking/recommend.ts';
export { compareStandings, type Standing, scoresOf, weightedScore } from './ranking/score.ts';
export {
  BLOCK_ROWS,
  type Block,
  compileUniverse,
  patchUniverse,
  type Universe,
} from './ranking/universe.ts';
export {
  checkEmail,
  checkName,
  checkUrl,
  cleanName,
  foldName,
  isLongerThan,
  MAX_URL_LENGTH,
  withoutCups,
} from './text.ts';
export * from './uploads/upload.ts';
export * from './usecases/account.ts';
export {
  admit,
  callerOf,
  rateLimited,
  takeCallPoints,
  takeMorePoints,
  takeRowPoints,
  tightestOf,
} from './usecases/admit.ts';
export * from './usecases/bulk.ts';
export * from './usecases/catalog.ts';
export * from './usecases/catalog-subscriptions.ts';
export * from './usecases/companies.ts';
export * from './usecases/curves.ts';
export type { Deps } from './usecases/deps.ts';
export * from './usecases/fair-queue.ts';
export { createFirm, deactivateFirm, getFirm, listFirms, toggleFirm, updateFirm } from './usecases/firms.ts';
export * from './usecases/idempotency-guard.ts';
export { type ImportParts, importFile, runImport } from './usecases/imports.ts';
export {
  deleteCatalogMonth,
  deleteMonth,
  getMonth,
  listMonths,
  upsertCatalogMonth,
  upsertMonth,
} from './usecases/indexed-prices.ts';
export * from './usecases/invoices.ts';
export {
  BYTES_PER_MB,
  createOfferCache,
  DEFAULT_CACHE_MB,
  type OfferCache,
  type OfferCacheCounts,
  type OwnedOffers,
} from './usecases/offer-cache.ts';
export { type OfferEvent, offerHistory } from './usecases/offer-history.ts';
export {
  calculateCommission,
  compareOffers,
  createCatalogOffer,
  createOffer,
  deactivateCatalogOffer,
  deactivateOffer,
  exportOffers,
  getOffer,
  listOffers,
  MAX_EXPORT,
  toggleCatalogOffer,
  toggleOffer,
  updateCatalogOffer,
  updateOffer,
  updateOffers,
} from './usecases/offers.ts';
export {
  type ListedOffer,
  MAX_SHOWN_MONTHS,
  type OfferDetail,
  type ReadDeps,
  recordOf,
} from './usecases/offers-in-memory.ts';
export { offersAsOf, PAST_POINTS } from './usecases/past-offers.ts';
export * from './usecases/portfolio.ts';
export {
  contentOf,
  getProposal,
  listProposals,
  makeProposal,
  PROPOSALS_PER_HOUR,
  type ProposalContent,
  type ProposalForms,
  type Verification,
  verifyProposal,
} from './usecases/proposals.ts';
export { isUploadQueued, MAX_ATTEMPTS, type QueueParts, runNextUpload } from './usecases/queued-uploads.ts';
export {
  accountOffersFor,
  partsOf,
  type RankingAnswer,
  type RankingQuestion,
  type Recommendation,
  rankForCaller,
  recommendForCaller,
  visibleTo,
  weightFor,
} from './usecases/ranking.ts';
export * from './usecases/stats.ts';
export { reportIn } from './usecases/stored-reports.ts';
export * from './usecases/sweeps.ts';
export { asRefusal } from './usecases/unreadable-files.ts';
export * from './usecases/uploads.ts';
export * from './usecases/usage.ts';
export * from './usecases/usage-log.ts';
