import {
  getCatalogCompany,
  getCatalogMonth,
  getCatalogOffer,
  listCatalogCompanies,
  listCatalogMonths,
  listCatalogOffers,
} from '@tarifario/core/service';
import { z } from 'zod';
import type { Call } from '../call.ts';
import {
  CLIENT_QUERY,
  clientTypeField,
  ID_PATH,
  idField,
  LIST_QUERY,
  listOf,
  MONTH_PATH,
  type MonthChoice,
  ONLY_CLIENT_QUERY,
  PAGE_QUERY,
  type RecordChoice,
  supplyTypeField,
} from '../fields.ts';
import { defineOperation, NO_BODY, NO_PATH } from '../operation.ts';
import { toWireCompany } from '../wire/firm.ts';
import { toWireOfferDetail } from '../wire/offer.ts';
import { toWireMonth } from '../wire/prices.ts';
import { companyShape, monthShape, offerDetailShape, offerShape } from '../wire/shapes.ts';
import { offerPageAnswer, visibilityOf } from './offers.ts';

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

/** A retailer of the catalog, as it is answered. */
export async function readCatalogCompany({ deps, caller }: Call, { path, query }: RecordChoice) {
  return toWireCompany(await getCatalogCompany(deps, caller, { id: path.id, firmId: query.client_id ?? null }));
}

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
  tagged: true,
  perform: async (call, record) => ({ status: 200, body: await readCatalogCompany(call, record) }),
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
  longRead: 'page',
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
  perform: async ({ deps, caller, takesJson }, { query }) => {
    const { limit, offset } = query;
    const found = await listCatalogOffers(deps, caller, {
      firmId: query.client_id ?? null,
      includeInactive: query.include_inactive,
      companyId: query.company_id ?? null,
      supplyType: query.supply_type ?? null,
      customerType: query.client_type ?? null,
      page: { limit, offset },
    });
    return offerPageAnswer({ ...found, limit, offset }, { visibility: visibilityOf(caller), takesJson });
  },
});

/** An offer of the catalog, as it is answered. */
export async function readCatalogOffer({ deps, caller }: Call, { path, query }: RecordChoice) {
  const detail = await getCatalogOffer(deps, caller, { id: path.id, firmId: query.client_id ?? null });
  return toWireOfferDetail(detail, visibilityOf(caller));
}

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
  tagged: true,
  perform: async (call, record) => ({ status: 200, body: await readCatalogOffer(call, record) }),
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

/** A month of an offer of the catalog, as it is answered. */
export async function readCatalogMonth({ deps, caller }: Call, { path, query }: MonthChoice) {
  return toWireMonth(await getCatalogMonth(deps, caller, { ...path, firmId: query.client_id ?? null }));
}

export const getCatalogIndexedPrice = defineOperation({
  id: 'getCatalogIndexedPrice',
  method: 'GET',
  path: '/v1/catalog/offers/{id}/indexed-prices/{month}',
  summary: 'Read the prices of one month of an offer of the catalog',
  description:
    'A stored month of an offer of the shared catalog. The month may be given as YYYY-MM or as any real day of it.',
  scopes: ['catalog:read'],
  input: { path: MONTH_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: monthShape,
  refusals: ['not_found'],
  tagged: true,
  perform: async (call, month) => ({ status: 200, body: await readCatalogMonth(call, month) }),
});
