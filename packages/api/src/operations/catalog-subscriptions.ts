import { decideCatalogSubscription, listCatalogSubscriptions } from '@tarifario/core/service';
import { z } from 'zod';
import { CLIENT_QUERY, ID_PATH, idField, LIST_QUERY, listOf, ONLY_CLIENT_QUERY } from '../fields.ts';
import { defineOperation, NO_BODY } from '../operation.ts';
import { toWireSubscriptionEntry } from '../wire/firm.ts';
import { catalogSubscriptionShape } from '../wire/shapes.ts';

export const listCatalogSubscriptionsOperation = defineOperation({
  id: 'listCatalogSubscriptions',
  method: 'GET',
  path: '/v1/clients/{id}/catalog-subscriptions',
  summary: 'List what of the catalog an advisory firm subscribes to',
  description:
    'Every retailer of the shared catalog, by id, with whether the firm subscribes to it. The catalog offers of the ' +
    'retailers with subscribed true take part in the rankings of the firm.',
  scopes: ['clients:read'],
  input: { path: ID_PATH, query: z.strictObject({ ...CLIENT_QUERY, ...LIST_QUERY }), body: NO_BODY },
  output: listOf(catalogSubscriptionShape),
  refusals: ['not_found'],
  perform: async ({ deps, caller }, { path, query }) => {
    const { limit, offset } = query;
    const { total, results } = await listCatalogSubscriptions(deps, caller, {
      id: path.id,
      firmId: query.client_id ?? null,
      includeInactive: query.include_inactive,
      page: { limit, offset },
    });
    return { status: 200, body: { total, limit, offset, results: results.map(toWireSubscriptionEntry) } };
  },
});

const SUBSCRIPTION_PATH = z.strictObject({ id: idField, company_id: idField });

export const subscribeToCatalogCompany = defineOperation({
  id: 'subscribeToCatalogCompany',
  method: 'PUT',
  path: '/v1/clients/{id}/catalog-subscriptions/{company_id}',
  summary: 'Subscribe an advisory firm to a retailer of the catalog',
  description: 'The offers of the retailer are in the next ranking of the firm. Also when it already subscribes.',
  scopes: ['clients:write'],
  input: { path: SUBSCRIPTION_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: catalogSubscriptionShape,
  refusals: ['not_found'],
  perform: async ({ deps, caller }, { path, query }) => {
    const input = { id: path.id, companyId: path.company_id, firmId: query.client_id ?? null, isSubscribed: true };
    return { status: 200, body: toWireSubscriptionEntry(await decideCatalogSubscription(deps, caller, input)) };
  },
});

export const unsubscribeFromCatalogCompany = defineOperation({
  id: 'unsubscribeFromCatalogCompany',
  method: 'DELETE',
  path: '/v1/clients/{id}/catalog-subscriptions/{company_id}',
  summary: 'End the subscription of an advisory firm to a retailer of the catalog',
  description:
    'The offers of the retailer are not in the next ranking of the firm. It stays so for a firm that subscribes to ' +
    'the whole catalog too. Also when it did not subscribe.',
  scopes: ['clients:write'],
  input: { path: SUBSCRIPTION_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: catalogSubscriptionShape,
  refusals: ['not_found'],
  perform: async ({ deps, caller }, { path, query }) => {
    const input = { id: path.id, companyId: path.company_id, firmId: query.client_id ?? null, isSubscribed: false };
    return { status: 200, body: toWireSubscriptionEntry(await decideCatalogSubscription(deps, caller, input)) };
  },
});
