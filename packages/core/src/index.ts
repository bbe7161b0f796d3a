// What a program needs that ranks offers by itself: this is what the package promises. `api-report.md` has each name with
// its signature. A type has a name here where a value here takes or returns it; a member of one is `RankedOffer['saving']`.
// What the service needs besides is in `service.ts`.

export { FILE_CAPS } from './engine/cells.ts';
export { TARIFFS } from './engine/consumption/tariff-periods.ts';
export { replaceCups } from './engine/cups.ts';
export { DomainError, type Issue } from './engine/errors.ts';
export { readInvoiceQr } from './engine/invoice/invoice-qr.ts';
export type { InvoiceReading } from './engine/invoice/invoice-reading.ts';
export { inWords, type Message } from './engine/messages/message.ts';
export { numberIn } from './engine/number-text.ts';
export { communityName } from './engine/offers/community-name.ts';
export { defineHistory, defineOffer, type OfferDefinition } from './engine/offers/define-offer.ts';
export {
  COMMUNITIES,
  type Community,
  CUSTOMER_TYPES,
  type ElectricityOffer,
  type GasOffer,
  type Offer,
  type OfferWithHistory,
  type SupplyType,
  TERRITORIES,
} from './engine/offers/offer.ts';
export type { FilterDefinition } from './engine/offers/offer-filter.ts';
export { meantAs } from './engine/plausible.ts';
export { createDemandReader } from './engine/power/demand.ts';
export { optimizePower, type PowerAdvice } from './engine/power/optimize-power.ts';
export type { DemandEntry, PowerQuestion } from './engine/power/power-question.ts';
export {
  leastPowerPrices,
  REGULATED_PRICES,
  type RegulatedPrice,
  withOperatorPrices,
} from './engine/power/regulated-prices.ts';
export { type CostBreakdown, commissionOf, type Pricing, priceOffer } from './engine/price/cost.ts';
export {
  byYearAndMonth,
  type Customer,
  type CustomerDefinition,
  type Demand,
  demandOf,
} from './engine/price/customer.ts';
export { SHOWN_COST_PARTS } from './engine/price/rule.ts';
export {
  createMarket,
  defineRequest,
  type Market,
  type RankOffersInput,
  type RequestDefinition,
  rankOffers,
} from './engine/rank/library.ts';
export type { PresentContract } from './engine/rank/present-contract.ts';
export { type PortfolioAnswer, type Preference, type Reweighed, reweigh } from './engine/rank/rank.ts';
export {
  type AskedReasons,
  MAX_LIMIT,
  MAX_RANKED_OFFSET,
  MAX_TOLERANCE,
  type RankedOffer,
  type Ranking,
  type RankingRequest,
  type ReasonsAsked,
} from './engine/rank/ranking.ts';
export { askReasons } from './engine/rank/reasons.ts';
export type { Conflict, RankedFigures } from './engine/rank/score.ts';
export type { Bill } from './engine/taxes/bill.ts';
export { BILL_LINES } from './engine/taxes/bill-lines.ts';
export {
  type BillDefinition,
  type BilledSupply,
  type BillTerms,
  billFor,
  billTerms,
  indirectTaxName,
} from './engine/taxes/bill-terms.ts';
export { checkInvoice, type InvoiceCheck } from './engine/taxes/invoice-check.ts';
export { withOperatorRates } from './engine/taxes/operator-rates.ts';
export { RATE_KIND_NAMES, RATE_NAMES, RATES, type Rate, type SettledRate } from './engine/taxes/rates.ts';
