import { decideCatalogSubscription, listCatalogSubscriptions, type SubscriptionEntry } from '@tarifario/core/service';
import { z } from 'zod';
import { LIST_QUERY, listAnswer, listChoice } from '../fields.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { answer } from '../wire/answer.ts';
import { company } from './companies.ts';

/** A retailer of the catalog, and whether the firm of the path subscribes to it. */
const catalogSubscription = answer(
  'CatalogSubscription',
  {
    company: company.shape,
    subscribed: z
      .boolean()
      .describe('Whether the catalog offers of the retailer take part in the rankings of the firm.'),
  },
  (entry: SubscriptionEntry) => ({ company: company.toWire(entry.company), subscribed: entry.isSubscribed }),
);

const PATH = '/v1/clients/{id}/catalog-subscriptions/{company_id}';

function decisionRow(
  isSubscribed: boolean,
  texts: Pick<Operation, 'id' | 'method' | 'summary' | 'description'>,
): Operation {
  return defineOperation({
    ...texts,
    path: PATH,
    scopes: ['clients:write'],
    output: catalogSubscription,
    examples: [{ summary: 'One retailer', params: { id: 1, company_id: 3 } }],
    command: decideCatalogSubscription,
    input: ({ path: { id, company_id: companyId }, firmId }) => ({ id, companyId, firmId, isSubscribed }),
  });
}

export const CATALOG_SUBSCRIPTIONS: readonly Operation[] = [
  defineOperation({
    id: 'listCatalogSubscriptions',
    method: 'GET',
    path: '/v1/clients/{id}/catalog-subscriptions',
    summary: 'List what of the catalog an advisory firm subscribes to',
    description:
      'Every retailer of the shared catalog, by id, with whether the firm subscribes to it. The catalog offers of the ' +
      'retailers with subscribed true take part in the rankings of the firm.',
    scopes: ['clients:read'],
    query: LIST_QUERY,
    tagged: true,
    output: listAnswer(catalogSubscription),
    examples: [{ summary: 'Of a firm that subscribes to nothing', params: { id: 1 } }],
    answer: ({ deps, caller }, { path: { id }, query, firmId }) =>
      listCatalogSubscriptions(deps, caller, { id, firmId, ...listChoice(query) }),
  }),
  decisionRow(true, {
    id: 'subscribeToCatalogCompany',
    method: 'PUT',
    summary: 'Subscribe an advisory firm to a retailer of the catalog',
    description: 'The offers of the retailer are in the next ranking of the firm. Also when it already subscribes.',
  }),
  decisionRow(false, {
    id: 'unsubscribeFromCatalogCompany',
    method: 'DELETE',
    summary: 'End the subscription of an advisory firm to a retailer of the catalog',
    description:
      'The offers of the retailer are not in the next ranking of the firm. It stays so for a firm that subscribes to ' +
      'the whole catalog too. Also when it did not subscribe.',
  }),
];
