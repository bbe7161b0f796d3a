import type { Operation } from './operation.ts';
import { createClient, getClient, listClients } from './operations/clients.ts';
import { createCompanyOperation, getCompanyOperation, listCompaniesOperation } from './operations/companies.ts';
import { deleteIndexedPrice, listIndexedPrices, upsertIndexedPrice } from './operations/indexed-prices.ts';
import {
  calculateCommissionOperation,
  compareOffersOperation,
  createOfferOperation,
  getOfferOperation,
  listOffersOperation,
} from './operations/offers.ts';
import { rankOffers, recommendOffers } from './operations/ranking.ts';

/**
 * Every endpoint. A fixed path stands before a path with a parameter that would match it too, so a router may take
 * them in this order.
 */
export const operations: readonly Operation[] = [
  listOffersOperation,
  createOfferOperation,
  rankOffers,
  recommendOffers,
  compareOffersOperation,
  getOfferOperation,
  calculateCommissionOperation,
  listIndexedPrices,
  upsertIndexedPrice,
  deleteIndexedPrice,
  listClients,
  createClient,
  getClient,
  listCompaniesOperation,
  createCompanyOperation,
  getCompanyOperation,
];
