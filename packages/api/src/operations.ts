import type { Operation } from './operation.ts';
import {
  changePasswordOperation,
  getAccountOperation,
  getSubscriptionOperation,
  updateAccount,
} from './operations/account.ts';
import {
  bulkTemplateCatalogOffers,
  bulkTemplateIndexedCatalogOffers,
  bulkTemplateIndexedOffers,
  bulkTemplateOffers,
  bulkUpdateCatalogOffers,
  bulkUpdateOffers,
} from './operations/bulk-files.ts';
import {
  getCatalogCompanyOperation,
  getCatalogIndexedPrice,
  getCatalogOfferOperation,
  listCatalogCompaniesOperation,
  listCatalogIndexedPrices,
  listCatalogOffersOperation,
} from './operations/catalog.ts';
import {
  createCatalogCompanyOperation,
  deleteCatalogCompany,
  toggleCatalogCompanyOperation,
  updateCatalogCompanyOperation,
} from './operations/catalog-companies.ts';
import {
  createCatalogOfferOperation,
  deleteCatalogIndexedPrice,
  deleteCatalogOffer,
  toggleCatalogOfferOperation,
  updateCatalogOfferOperation,
  upsertCatalogIndexedPrice,
} from './operations/catalog-offers.ts';
import {
  listCatalogSubscriptionsOperation,
  subscribeToCatalogCompany,
  unsubscribeFromCatalogCompany,
} from './operations/catalog-subscriptions.ts';
import {
  createClient,
  deleteClient,
  getClient,
  listClients,
  toggleClient,
  updateClient,
} from './operations/clients.ts';
import {
  createCompanyOperation,
  deleteCompany,
  getCompanyOperation,
  listCompaniesOperation,
  toggleCompanyOperation,
  updateCompanyOperation,
} from './operations/companies.ts';
import { readConsumption } from './operations/consumption.ts';
import {
  deleteIndexedPrice,
  getIndexedPrice,
  listIndexedPrices,
  upsertIndexedPrice,
} from './operations/indexed-prices.ts';
import { readInvoice } from './operations/invoices.ts';
import {
  bulkPatchOffers,
  deleteOfferOperation,
  toggleOfferOperation,
  updateOfferOperation,
} from './operations/offer-writes.ts';
import {
  calculateCommissionOperation,
  compareOffersOperation,
  createOfferOperation,
  exportOffersOperation,
  getOfferHistory,
  getOfferOperation,
  getStats,
  listOffersOperation,
} from './operations/offers.ts';
import { rankPortfolioOperation } from './operations/portfolio.ts';
import { rankOffers, recommendOffers } from './operations/ranking.ts';
import {
  cancelUploadOperation,
  createUpload,
  getUploadOperation,
  listUploadsOperation,
  retryUploadOperation,
} from './operations/uploads.ts';
import { getUsageSummary, listUsageOperation } from './operations/usage.ts';

/**
 * Every endpoint. A fixed path stands before a path with a parameter that would match it too, so a router may take
 * them in this order.
 */
export const operations: readonly Operation[] = [
  listOffersOperation,
  createOfferOperation,
  rankOffers,
  rankPortfolioOperation,
  recommendOffers,
  compareOffersOperation,
  getStats,
  exportOffersOperation,
  bulkPatchOffers,
  bulkUpdateOffers,
  bulkTemplateOffers,
  bulkTemplateIndexedOffers,
  getOfferOperation,
  updateOfferOperation,
  toggleOfferOperation,
  deleteOfferOperation,
  getOfferHistory,
  calculateCommissionOperation,
  listIndexedPrices,
  upsertIndexedPrice,
  getIndexedPrice,
  deleteIndexedPrice,
  readInvoice,
  readConsumption,
  listClients,
  createClient,
  getClient,
  updateClient,
  toggleClient,
  deleteClient,
  listCompaniesOperation,
  createCompanyOperation,
  getCompanyOperation,
  updateCompanyOperation,
  toggleCompanyOperation,
  deleteCompany,
  listCatalogSubscriptionsOperation,
  subscribeToCatalogCompany,
  unsubscribeFromCatalogCompany,
  listCatalogCompaniesOperation,
  createCatalogCompanyOperation,
  getCatalogCompanyOperation,
  updateCatalogCompanyOperation,
  toggleCatalogCompanyOperation,
  deleteCatalogCompany,
  listCatalogOffersOperation,
  createCatalogOfferOperation,
  bulkUpdateCatalogOffers,
  bulkTemplateCatalogOffers,
  bulkTemplateIndexedCatalogOffers,
  getCatalogOfferOperation,
  updateCatalogOfferOperation,
  toggleCatalogOfferOperation,
  deleteCatalogOffer,
  listCatalogIndexedPrices,
  upsertCatalogIndexedPrice,
  getCatalogIndexedPrice,
  deleteCatalogIndexedPrice,
  getAccountOperation,
  updateAccount,
  changePasswordOperation,
  getSubscriptionOperation,
  listUsageOperation,
  getUsageSummary,
  listUploadsOperation,
  createUpload,
  getUploadOperation,
  retryUploadOperation,
  cancelUploadOperation,
];
