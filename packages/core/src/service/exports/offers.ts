// Offers, their prices and commissions, the retailers and the advisory firms.

export type { ConsumptionCommission, PowerCommission } from '../../engine/commission/commission.ts';
export {
  type AnyTier,
  CONSUMPTION_COMMISSION_TYPES,
  type ConsumptionTier,
  POWER_COMMISSION_TYPES,
  type PowerTier,
} from '../../engine/commission/tier.ts';
export { communityName } from '../../engine/offers/community-name.ts';
export type { ContractTerm } from '../../engine/offers/contract-fields.ts';
export { changeOf, isMaskedChange, type MonthChange, type OfferChange } from '../../engine/offers/difference.ts';
export type { ExcludedOffer, Exclusion } from '../../engine/offers/exclusion.ts';
export {
  copierOf,
  FIELD_LIST,
  fieldPartsOf,
  fieldsOf,
  fieldsOfSupply,
  initialOf,
  initialTerms,
  type TermsField,
} from '../../engine/offers/field-parts.ts';
export type { FieldName, FieldSection, OfferTermsByField } from '../../engine/offers/field-spec.ts';
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
  indicesOf,
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
} from '../../engine/offers/offer.ts';
export { draftMonth, draftOffer, type OfferChanges, type RequiredTerms } from '../../engine/offers/offer-changes.ts';
export { MAX_TARIFF_LENGTH, OFFER_FIELDS, type PriceName } from '../../engine/offers/offer-fields.ts';
export {
  ANY_COMPANY,
  anyOffer,
  asksForTerms,
  type ListFilter,
  matchesCompany,
} from '../../engine/offers/offer-filter.ts';
export {
  MONTH_VALUES,
  OFFER_VALUES,
  type OfferRow,
  type RowValue,
  type ValuePlace,
} from '../../engine/offers/offer-row.ts';
export { misplacedCommunity, territoryOf } from '../../engine/offers/places.ts';
export type { CostLine } from '../../engine/price/cost.ts';
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
} from '../../engine/price/customer.ts';
export { type AppliedPrices, choosePrices, type PriceOrigin } from '../../engine/price/prices.ts';
export {
  COMMISSION_PARTS,
  COST_PARTS,
  type CostPart,
  type CostPartName,
  SHOWN_COST_PARTS,
  SSAA_PART,
  shownPartsOf,
} from '../../engine/price/rule.ts';
export { entryAt, type Table } from '../../engine/price/table.ts';
export {
  CATALOG_DEFAULTS,
  type CatalogDefault,
  type CatalogSubscription,
  type Company,
  type CompanyTerms,
  type Firm,
  type FirmDetail,
  type FirmTerms,
  type Letterhead,
} from '../firms/firm.ts';
export { MAX_LOGO_BYTES } from '../firms/logo.ts';
export {
  decideCatalogSubscription,
  listCatalogSubscriptions,
  type SubscriptionEntry,
} from '../usecases/firms/catalog-subscriptions.ts';
export { catalogCompanyCases, ownCompanyCases } from '../usecases/firms/companies.ts';
export {
  createFirm,
  deactivateFirm,
  getFirm,
  listFirms,
  toggleFirm,
  updateFirm,
} from '../usecases/firms/firms.ts';
export {
  callerWhoSees,
  type FileOffers,
  type OffersAsked,
  offersOfFile,
} from '../usecases/offers/file-offers.ts';
export { catalogMonthCases, ownMonthCases } from '../usecases/offers/indexed-prices.ts';
export { type OfferEvent, offerHistory } from '../usecases/offers/offer-history.ts';
export type { OfferOrder, OfferPage, OrderName, OrderPlace } from '../usecases/offers/offer-search.ts';
export {
  calculateCommission,
  catalogOfferCases,
  exportOffers,
  listCatalogOffers,
  listOffers,
  MAX_EXPORT,
  ownOfferCases,
  updateOffers,
} from '../usecases/offers/offers.ts';
export { type ListedOffer, type OfferDetail, recordOf } from '../usecases/offers/offers-in-memory.ts';
export { PAST_POINTS } from '../usecases/offers/past-offers.ts';
