// What a program needs that ranks offers by itself: this is what the package promises. `api-report.md` has each name with
// its signature. What the service needs besides is in `service.ts`.

export type { ConsumptionTier, PowerTier } from './engine/commission/tier.ts';
export type { ProfileDefinition, ProfileEntry } from './engine/consumption/profile.ts';
export type { AppliedPrices, PriceOrigin } from './engine/cost/applied-price.ts';
export {
  type CommissionBreakdown,
  type CostBreakdown,
  commissionOf,
  type Exclusion,
  type Pricing,
  priceOffer,
} from './engine/cost/cost.ts';
export { SHOWN_COST_PARTS } from './engine/cost/cost-parts.ts';
export {
  type Customer,
  type CustomerDefinition,
  type Demand,
  demandOf,
} from './engine/cost/customer.ts';
export { DomainError, type Issue, type RefusalCode, type RefusalDetails } from './engine/errors.ts';
export { readInvoiceQr } from './engine/invoice/invoice-qr.ts';
export type { InvoiceReading } from './engine/invoice/invoice-reading.ts';
export { inWords, type Message } from './engine/messages/message.ts';
export { defineHistory, defineOffer, type OfferDefinition } from './engine/offers/define-offer.ts';
export {
  COMMUNITIES,
  CUSTOMER_TYPES,
  type ElectricityOffer,
  type GasOffer,
  type Offer,
  type OfferWithHistory,
  type SupplyType,
  TERRITORIES,
} from './engine/offers/offer.ts';
export { createDemandReader } from './engine/power/demand.ts';
export { optimizePower, type PowerAdvice } from './engine/power/optimize-power.ts';
export type { DemandEntry, PowerQuestion } from './engine/power/power-question.ts';
export { REGULATED_PRICES, type RegulatedPrice, withOperatorPrices } from './engine/power/regulated-prices.ts';
export type { Conflict, ExtraOfYear } from './engine/ranking/conflict.ts';
export { type PortfolioAnswer, rankPortfolio } from './engine/ranking/portfolio.ts';
export { createPreselection, type Preselection, type PreselectionOrReason } from './engine/ranking/preselection.ts';
export type { ContractPrices, PresentContract, PresentCost, Saving } from './engine/ranking/present-contract.ts';
export { type RankOptions, rankUniverses } from './engine/ranking/rank.ts';
export {
  createMarket,
  defineRequest,
  defineUniverse,
  type Market,
  type RankOffersInput,
  type RequestDefinition,
  rankOffers,
} from './engine/ranking/rank-offers.ts';
export type { ExcludedOffer, RankedOffer, Ranking, RankingRequest, WinnerSegment } from './engine/ranking/ranking.ts';
export { type ExpectedCommission, recommendFrom } from './engine/ranking/recommend.ts';
export {
  type Preference,
  type Reweighed,
  type ReweighedOffer,
  reweigh,
} from './engine/ranking/reweigh.ts';
export type { RankedFigures } from './engine/ranking/score.ts';
export { patchUniverse, type Universe, type UniversePart } from './engine/ranking/universe.ts';
export type { RankingWarning, WarningCode } from './engine/ranking/warnings.ts';
export type { Bill } from './engine/taxes/bill.ts';
export { BILL_LINES } from './engine/taxes/bill-lines.ts';
export {
  type BillDefinition,
  type BilledSupply,
  type BillTerms,
  billFor,
  billTerms,
} from './engine/taxes/bill-terms.ts';
export { checkInvoice, type InvoiceCheck } from './engine/taxes/invoice-check.ts';
export { withOperatorRates } from './engine/taxes/operator-rates.ts';
export { RATE_NAMES, RATES, type Rate, type SettledRate } from './engine/taxes/rates.ts';
