// All that the packages of the service need. For programs that rank offers by themselves there is `index.ts`.
export * from './access/caller.ts';
export * from './access/claim.ts';
export * from './access/limits.ts';
export * from './access/permit.ts';
export * from './accounts/account.ts';
export * from './accounts/usage.ts';
export * from './advice/block-facts.ts';
export * from './advice/conflict.ts';
export * from './advice/market-facts.ts';
export * from './advice/present-contract.ts';
export * from './advice/warnings.ts';
export * from './bulk/cells.ts';
export * from './bulk/diff.ts';
export * from './bulk/offers-in-sheets.ts';
export type { CompanyToCreate } from './bulk/owners.ts';
export * from './bulk/plan.ts';
export * from './bulk/read-rows.ts';
export * from './bulk/row-errors.ts';
export * from './bulk/sheets.ts';
export * from './bulk/state.ts';
export * from './bulk/template.ts';
export * from './calendar.ts';
export * from './commission/commission.ts';
export * from './commission/tier.ts';
export * from './errors.ts';
export * from './firms/firm.ts';
export * from './firms/reach.ts';
export * from './numbers.ts';
export * from './offers/define-offer.ts';
export * from './offers/offer.ts';
export * from './offers/offer-changes.ts';
export * from './offers/offer-columns.ts';
export * from './offers/offer-filter.ts';
export * from './offers/offer-rules.ts';
export * from './periods.ts';
export * from './ports/concerns.ts';
export * from './ports/imports.ts';
export * from './ports/lists.ts';
export * from './ports/machine.ts';
export * from './ports/records.ts';
export * from './ports/stores.ts';
export * from './ports/workbooks.ts';
export * from './ranking/applied-price.ts';
export { type RankedBlock, rankedBlocks, type UniversePart } from './ranking/candidates.ts';
export * from './ranking/cost.ts';
export * from './ranking/customer.ts';
export {
  type Candidates,
  createRowFilter,
  type FilterModule,
  type FilterOptions,
  type FilterOrReason,
  type FilterQuestion,
  type RowFilter,
  sharedFilter,
} from './ranking/filter.ts';
export * from './ranking/frontier.ts';
export { neededPrices } from './ranking/masks.ts';
export * from './ranking/portfolio.ts';
export { type PortfolioRanking, type RankOptions, rankInSteps, rankUniverses } from './ranking/rank.ts';
export * from './ranking/rank-offers.ts';
export * from './ranking/ranking.ts';
export * from './ranking/recent-entries.ts';
export * from './ranking/recommend.ts';
export * from './ranking/score.ts';
export * from './ranking/universe.ts';
export * from './text.ts';
export * from './uploads/upload.ts';
export * from './usecases/account.ts';
export * from './usecases/admit.ts';
export * from './usecases/bulk.ts';
export * from './usecases/catalog.ts';
export * from './usecases/catalog-subscriptions.ts';
export * from './usecases/catalog-writes.ts';
export * from './usecases/companies.ts';
export * from './usecases/deps.ts';
export * from './usecases/fair-queue.ts';
export * from './usecases/firms.ts';
export * from './usecases/imports.ts';
export * from './usecases/indexed-prices.ts';
export { reportIn } from './usecases/kept-reports.ts';
export * from './usecases/offers.ts';
export * from './usecases/offers-in-memory.ts';
export * from './usecases/once.ts';
export * from './usecases/portfolio.ts';
export * from './usecases/queued-uploads.ts';
export * from './usecases/ranking.ts';
export * from './usecases/shelves.ts';
export * from './usecases/stats.ts';
export { asRefusal } from './usecases/unreadable-files.ts';
export * from './usecases/upload-files.ts';
export * from './usecases/uploads.ts';
export * from './usecases/usage.ts';
export * from './usecases/usage-log.ts';
