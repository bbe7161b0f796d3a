import {
  getCatalogCompany,
  getCatalogOffer,
  listCatalogCompanies,
  listCatalogMonths,
  listCatalogOffers,
} from '@tarifario/core';
import { z } from 'zod';
import {
  CLIENT_QUERY,
  clientTypeField,
  ID_PATH,
  idField,
  LIST_QUERY,
  listOf,
  ONLY_CLIENT_QUERY,
  PAGE_QUERY,
  supplyTypeField,
} from '../fields.ts';
import { defineOperation, NO_BODY, NO_PATH } from '../operation.ts';
import { toWireCompany } from '../wire/firm.ts';
import { toWireOffer, toWireOfferDetail } from '../wire/offer.ts';
import { toWireMonth } from '../wire/prices.ts';
import { companyShape, monthShape, offerDetailShape, offerShape } from '../wire/shapes.ts';
import { sightOf } from './offers.ts';

export const listCatalogCompaniesOperation = defineOperation({
  id: 'listCatalogCompanies',
  method: 'GET',
  path: '/v1/catalog/companies',
  summary: 'List the retailers of the catalog',
  description: 'The retailers that all accounts share, by id, whether or not a firm subscribes to them.',
  scopes: ['catalog:read'],
  input: { path: NO_PATH, query: z.strictObject({ ...CLIENT_QUERY, ...LIST_QUERY }), body: NO_BODY },
  output: listOf(companyShape),
  mcp: 'list_catalog_companies',
  perform: async ({ deps, caller }, { query }) => {
    const { limit, offset } = query;
    const { total, results } = await listCatalogCompanies(deps, caller, {
      firmId: query.client_id ?? null,
      includeInactive: query.include_inactive,
      page: { limit, offset },
    });
    return { status: 200, body: { total, limit, offset, results: results.map(toWireCompany) } };
  },
});

export const getCatalogCompanyOperation = defineOperation({
  id: 'getCatalogCompany',
  method: 'GET',
  path: '/v1/catalog/companies/{id}',
  summary: 'Read one retailer of the catalog',
  description: 'A retailer of the shared catalog, active or not.',
  scopes: ['catalog:read'],
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: companyShape,
  refusals: ['not_found'],
  perform: async ({ deps, caller }, { path, query }) => {
    const company = await getCatalogCompany(deps, caller, { id: path.id, firmId: query.client_id ?? null });
    return { status: 200, body: toWireCompany(company) };
  },
});

export const listCatalogOffersOperation = defineOperation({
  id: 'listCatalogOffers',
  method: 'GET',
  path: '/v1/catalog/offers',
  summary: 'List the offers of the catalog',
  description:
    'The offers that all accounts share, by id, whether or not a firm subscribes to their retailer. Those of both ' +
    'supply types, unless supply_type names one; company_id is a retailer of the catalog.',
  scopes: ['catalog:read'],
  input: {
    path: NO_PATH,
    query: z.strictObject({
      ...CLIENT_QUERY,
      company_id: idField.optional(),
      supply_type: supplyTypeField.optional(),
      client_type: clientTypeField.optional(),
      ...LIST_QUERY,
    }),
    body: NO_BODY,
  },
  output: listOf(offerShape),
  mcp: 'list_catalog_offers',
  perform: async ({ deps, caller }, { query }) => {
    const { limit, offset } = query;
    const { total, results } = await listCatalogOffers(deps, caller, {
      firmId: query.client_id ?? null,
      includeInactive: query.include_inactive,
      companyId: query.company_id ?? null,
      supplyType: query.supply_type ?? null,
      customerType: query.client_type ?? null,
      page: { limit, offset },
    });
    const sight = sightOf(caller);
    return {
      status: 200,
      body: { total, limit, offset, results: results.map((record) => toWireOffer(record, sight)) },
    };
  },
});

export const getCatalogOfferOperation = defineOperation({
  id: 'getCatalogOffer',
  method: 'GET',
  path: '/v1/catalog/offers/{id}',
  summary: 'Read one offer of the catalog',
  description: 'An offer of the shared catalog, active or not, with its tiers and monthly prices.',
  scopes: ['catalog:read'],
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: offerDetailShape,
  refusals: ['not_found'],
  perform: async ({ deps, caller }, { path, query }) => {
    const detail = await getCatalogOffer(deps, caller, { id: path.id, firmId: query.client_id ?? null });
    return { status: 200, body: toWireOfferDetail(detail, sightOf(caller)) };
  },
});

export const listCatalogIndexedPrices = defineOperation({
  id: 'listCatalogIndexedPrices',
  method: 'GET',
  path: '/v1/catalog/offers/{id}/indexed-prices',
  summary: 'List the monthly prices of an offer of the catalog',
  description: 'The stored months of an offer of the shared catalog, oldest first.',
  scopes: ['catalog:read'],
  input: { path: ID_PATH, query: z.strictObject({ ...CLIENT_QUERY, ...PAGE_QUERY }), body: NO_BODY },
  output: listOf(monthShape),
  refusals: ['not_found'],
  mcp: 'list_catalog_indexed_prices',
  perform: async ({ deps, caller }, { path, query }) => {
    const { limit, offset } = query;
    const { total, results } = await listCatalogMonths(deps, caller, {
      id: path.id,
      firmId: query.client_id ?? null,
      page: { limit, offset },
    });
    return { status: 200, body: { total, limit, offset, results: results.map(toWireMonth) } };
  },
});
