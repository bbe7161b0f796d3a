import {
  createCatalogOffer,
  deactivateCatalogOffer,
  deleteCatalogMonth,
  toggleCatalogOffer,
  updateCatalogOffer,
  upsertCatalogMonth,
} from '@tarifario/core/service';
import { ID_PATH, MONTH_PATH, ONLY_CLIENT_QUERY } from '../fields.ts';
import { defineOperation, NO_BODY, NO_PATH } from '../operation.ts';
import { toWireOffer } from '../wire/offer.ts';
import { fromWireNewOffer, fromWireOffer, fromWirePrices, newOfferBody, offerPatchBody } from '../wire/offer-body.ts';
import { toWireMonth } from '../wire/prices.ts';
import { monthShape, offerShape } from '../wire/shapes.ts';
import { readCatalogMonth, readCatalogOffer } from './catalog.ts';
import { monthBody } from './indexed-prices.ts';
import { visibilityOf } from './offers.ts';

export const createCatalogOfferOperation = defineOperation({
  id: 'createCatalogOffer',
  method: 'POST',
  path: '/v1/catalog/offers',
  summary: 'Create an offer of the catalog',
  description:
    'For catalog editors. Takes what a new own offer takes; company_id is a retailer of the catalog. Every firm that ' +
    'subscribes to the retailer has it in its next ranking.',
  scopes: ['catalog:write'],
  limits: ['catalog_write'],
  replayable: true,
  input: { path: NO_PATH, query: ONLY_CLIENT_QUERY, body: newOfferBody },
  output: offerShape,
  success: [201],
  refusals: ['bound_key', 'not_catalog_editor', 'not_found', 'quota_reached', 'business_rule'],
  tagged: true,
  perform: async ({ deps, caller }, { query, body }) => {
    const input = { firmId: query.client_id ?? null, ...fromWireNewOffer(body) };
    const record = await createCatalogOffer(deps, caller, input);
    return { status: 201, body: toWireOffer(record, visibilityOf(caller)) };
  },
});

export const updateCatalogOfferOperation = defineOperation({
  id: 'updateCatalogOffer',
  method: 'PATCH',
  path: '/v1/catalog/offers/{id}',
  summary: 'Change some fields of an offer of the catalog',
  description:
    'For catalog editors. Changes the fields that are sent, null erases one that can be empty, lists of tiers are ' +
    'replaced whole. The supply type never changes; company_id moves the offer to another retailer of the catalog.',
  scopes: ['catalog:write'],
  limits: ['catalog_write'],
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: offerPatchBody },
  output: offerShape,
  refusals: ['bound_key', 'not_catalog_editor', 'not_found', 'business_rule'],
  current: readCatalogOffer,
  perform: async ({ deps, caller }, { path, query, body }) => {
    const changes = fromWireOffer(body);
    const record = await updateCatalogOffer(deps, caller, { id: path.id, firmId: query.client_id ?? null, changes });
    return { status: 200, body: toWireOffer(record, visibilityOf(caller)) };
  },
});

export const toggleCatalogOfferOperation = defineOperation({
  id: 'toggleCatalogOffer',
  method: 'PATCH',
  path: '/v1/catalog/offers/{id}/toggle',
  summary: 'Activate or deactivate an offer of the catalog',
  description: 'For catalog editors. An active offer becomes inactive, an inactive one active.',
  scopes: ['catalog:write'],
  limits: ['catalog_write'],
  replayable: true,
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: offerShape,
  refusals: ['bound_key', 'not_catalog_editor', 'not_found'],
  current: readCatalogOffer,
  perform: async ({ deps, caller }, { path, query }) => {
    const record = await toggleCatalogOffer(deps, caller, { id: path.id, firmId: query.client_id ?? null });
    return { status: 200, body: toWireOffer(record, visibilityOf(caller)) };
  },
});

export const deleteCatalogOffer = defineOperation({
  id: 'deleteCatalogOffer',
  method: 'DELETE',
  path: '/v1/catalog/offers/{id}',
  summary: 'Deactivate an offer of the catalog',
  description: 'For catalog editors. The offer is kept, inactive. Also when it already was.',
  scopes: ['catalog:write'],
  limits: ['catalog_write'],
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: offerShape,
  refusals: ['bound_key', 'not_catalog_editor', 'not_found'],
  current: readCatalogOffer,
  perform: async ({ deps, caller }, { path, query }) => {
    const record = await deactivateCatalogOffer(deps, caller, { id: path.id, firmId: query.client_id ?? null });
    return { status: 200, body: toWireOffer(record, visibilityOf(caller)) };
  },
});

export const upsertCatalogIndexedPrice = defineOperation({
  id: 'upsertCatalogIndexedPrice',
  method: 'POST',
  path: '/v1/catalog/offers/{id}/indexed-prices',
  summary: 'Create or replace the prices of one month of an offer of the catalog',
  description:
    'For catalog editors. The month becomes what is sent: a price left out is erased. 201 when it is new, 200 when it ' +
    'replaces.',
  scopes: ['catalog:write'],
  limits: ['catalog_write'],
  replayable: true,
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: monthBody },
  output: monthShape,
  success: [200, 201],
  refusals: ['bound_key', 'not_catalog_editor', 'not_found', 'quota_reached', 'business_rule'],
  current: (call, { path, query, body }) =>
    readCatalogMonth(call, { path: { id: path.id, month: body.reference_month }, query }),
  perform: async ({ deps, caller }, { path, query, body }) => {
    const { price, outcome } = await upsertCatalogMonth(deps, caller, {
      id: path.id,
      firmId: query.client_id ?? null,
      draft: { month: body.reference_month, ...fromWirePrices(body) },
    });
    return { status: outcome === 'created' ? 201 : 200, body: toWireMonth(price) };
  },
});

export const deleteCatalogIndexedPrice = defineOperation({
  id: 'deleteCatalogIndexedPrice',
  method: 'DELETE',
  path: '/v1/catalog/offers/{id}/indexed-prices/{month}',
  summary: 'Delete the prices of one month of an offer of the catalog',
  description: 'For catalog editors. The month may be given as YYYY-MM or as any real day of it.',
  scopes: ['catalog:write'],
  limits: ['catalog_write'],
  input: { path: MONTH_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: null,
  success: [204],
  refusals: ['bound_key', 'not_catalog_editor', 'not_found'],
  current: readCatalogMonth,
  perform: async ({ deps, caller }, { path, query }) => {
    await deleteCatalogMonth(deps, caller, { id: path.id, firmId: query.client_id ?? null, month: path.month });
    return { status: 204, body: undefined };
  },
});
