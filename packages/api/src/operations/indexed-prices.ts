import { deleteMonth, getMonth, listMonths, upsertMonth } from '@tarifario/core/service';
import { z } from 'zod';
import type { Call } from '../call.ts';
import {
  CLIENT_QUERY,
  ID_PATH,
  listOf,
  MONTH_PATH,
  type MonthChoice,
  monthField,
  ONLY_CLIENT_QUERY,
  PAGE_QUERY,
} from '../fields.ts';
import { defineOperation, NO_BODY } from '../operation.ts';
import { fromWirePrices, PRICE_FIELDS } from '../wire/offer-body.ts';
import { toWireMonth } from '../wire/prices.ts';
import { monthShape } from '../wire/shapes.ts';

/** The prices of one month, as they are sent. */
export const monthBody = z.strictObject({ reference_month: monthField, ...PRICE_FIELDS });

export const listIndexedPrices = defineOperation({
  id: 'listIndexedPrices',
  method: 'GET',
  path: '/v1/offers/{id}/indexed-prices',
  summary: 'List the monthly prices of an offer',
  description: 'The stored months of an offer in reach, oldest first.',
  scopes: ['indexed_prices:read'],
  input: { path: ID_PATH, query: z.strictObject({ ...CLIENT_QUERY, ...PAGE_QUERY }), body: NO_BODY },
  output: listOf(monthShape),
  refusals: ['not_found'],
  mcp: 'list_indexed_prices',
  perform: async ({ deps, caller }, { path, query }) => {
    const { limit, offset } = query;
    const { total, results } = await listMonths(deps, caller, {
      id: path.id,
      firmId: query.client_id ?? null,
      page: { limit, offset },
    });
    return { status: 200, body: { total, limit, offset, results: results.map(toWireMonth) } };
  },
});

async function readMonth({ deps, caller }: Call, { path, query }: MonthChoice) {
  return toWireMonth(await getMonth(deps, caller, { ...path, firmId: query.client_id ?? null }));
}

export const getIndexedPrice = defineOperation({
  id: 'getIndexedPrice',
  method: 'GET',
  path: '/v1/offers/{id}/indexed-prices/{month}',
  summary: 'Read the prices of one month',
  description: 'A stored month of an offer in reach. The month may be given as YYYY-MM or as any real day of it.',
  scopes: ['indexed_prices:read'],
  input: { path: MONTH_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: monthShape,
  refusals: ['not_found'],
  tagged: true,
  perform: async (call, month) => ({ status: 200, body: await readMonth(call, month) }),
});

export const upsertIndexedPrice = defineOperation({
  id: 'upsertIndexedPrice',
  method: 'POST',
  path: '/v1/offers/{id}/indexed-prices',
  summary: 'Create or replace the prices of one month',
  description: 'The month becomes what is sent: a price left out is erased. 201 when it is new, 200 when it replaces.',
  scopes: ['offers:write'],
  replayable: true,
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: monthBody },
  output: monthShape,
  success: [200, 201],
  refusals: ['not_found', 'quota_reached', 'business_rule'],
  current: (call, { path, query, body }) =>
    readMonth(call, { path: { id: path.id, month: body.reference_month }, query }),
  perform: async ({ deps, caller }, { path, query, body }) => {
    const { price, outcome } = await upsertMonth(deps, caller, {
      id: path.id,
      firmId: query.client_id ?? null,
      draft: { month: body.reference_month, ...fromWirePrices(body) },
    });
    return { status: outcome === 'created' ? 201 : 200, body: toWireMonth(price) };
  },
});

export const deleteIndexedPrice = defineOperation({
  id: 'deleteIndexedPrice',
  method: 'DELETE',
  path: '/v1/offers/{id}/indexed-prices/{month}',
  summary: 'Delete the prices of one month',
  description: 'The month may be given as YYYY-MM or as any real day of it.',
  scopes: ['offers:write'],
  input: { path: MONTH_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: null,
  success: [204],
  refusals: ['not_found'],
  current: readMonth,
  perform: async ({ deps, caller }, { path, query }) => {
    await deleteMonth(deps, caller, { id: path.id, firmId: query.client_id ?? null, month: path.month });
    return { status: 204, body: undefined };
  },
});
