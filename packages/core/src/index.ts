// What a program needs that ranks offers by itself: this is what the package promises. `api-report.md` has each name with
// its signature. What the service needs besides is in `service.ts`.

export type { Conflict, ExtraOfYear } from './advice/conflict.ts';
export type { ContractPrices, PresentContract, PresentCost, Saving } from './advice/present-contract.ts';
export type { RankingWarning, WarningCode } from './advice/warnings.ts';
export type { ConsumptionTier, PowerTier } from './commission/tier.ts';
export type { ProfileDefinition, ProfileEntry } from './consumption/profile.ts';
export { DomainError, type Issue, type RefusalCode, type RefusalDetails } from './errors.ts';
export { type InvoiceReading, readInvoiceQr } from './invoice/invoice-qr.ts';
export { inWords, type Message } from './messages/message.ts';
export { defineHistory, defineOffer, type OfferDefinition } from './offers/define-offer.ts';
export {
  COMMUNITIES,
  CUSTOMER_TYPES,
  type ElectricityOffer,
  type GasOffer,
  type Offer,
  type OfferWithHistory,
  type SupplyType,
  TERRITORIES,
} from './offers/offer.ts';
export type { AppliedPrices, PriceOrigin } from './ranking/applied-price.ts';
export type { UniversePart } from './ranking/candidates.ts';
export {
  type CommissionBreakdown,
  type CostBreakdown,
  commissionOf,
  type Exclusion,
  type Pricing,
  priceOffer,
} from './ranking/cost.ts';
export { SHOWN_COST_PARTS } from './ranking/cost-parts.ts';
export {
  type Customer,
  type CustomerDefinition,
  type Demand,
  demandOf,
} from './ranking/customer.ts';
export { createRowFilter, type FilterOrReason, type RowFilter } from './ranking/filter.ts';
export { type PortfolioAnswer, rankPortfolio } from './ranking/portfolio.ts';
export { type RankOptions, rankUniverses } from './ranking/rank.ts';
export {
  createMarket,
  defineRequest,
  defineUniverse,
  type Market,
  type RankOffersInput,
  type RequestDefinition,
  rankOffers,
} from './ranking/rank-offers.ts';
export type { ExcludedOffer, RankedOffer, Ranking, RankingRequest, WinnerSegment } from './ranking/ranking.ts';
export { type ExpectedCommission, recommendFrom } from './ranking/recommend.ts';
export {
  type Preference,
  type Reweighed,
  type ReweighedOffer,
  reweigh,
} from './ranking/reweigh.ts';
export type { RankedFigures } from './ranking/score.ts';
export { patchUniverse, type Universe } from './ranking/universe.ts';
