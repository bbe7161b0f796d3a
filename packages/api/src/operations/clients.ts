import { createFirm, getFirm, listFirms } from '@tarifario/core';
import { z } from 'zod';
import { CLIENT_QUERY, catalogField, ID_PATH, LIST_QUERY, listOf, ONLY_CLIENT_QUERY } from '../fields.ts';
import { defineOperation, NO_BODY, NO_PATH } from '../operation.ts';
import { toWireClient } from '../wire/firm.ts';
import { clientShape } from '../wire/shapes.ts';

export const createClient = defineOperation({
  id: 'createClient',
  method: 'POST',
  path: '/v1/clients',
  summary: 'Create an advisory firm',
  description: 'The firm subscribes to the whole shared catalog, also to what is added later, unless catalog is none.',
  scopes: ['clients:write'],
  limits: [],
  input: {
    path: NO_PATH,
    query: ONLY_CLIENT_QUERY,
    body: z.strictObject({
      name: z.string(),
      image_url: z.string().nullable().default(null),
      catalog: catalogField.default('all'),
    }),
  },
  output: clientShape,
  success: [201],
  refusals: ['bound_key', 'firm_limit_reached', 'duplicate_name', 'business_rule'],
  mcp: null,
  perform: async ({ deps, caller }, { query, body }) => {
    const firm = await createFirm(deps, caller, {
      firmId: query.client_id ?? null,
      name: body.name,
      imageUrl: body.image_url,
      catalogDefault: body.catalog,
    });
    return { status: 201, body: toWireClient(firm) };
  },
});

export const listClients = defineOperation({
  id: 'listClients',
  method: 'GET',
  path: '/v1/clients',
  summary: 'List advisory firms',
  description: 'The advisory firms of the account, by id; a key bound to one of them sees that one.',
  scopes: ['clients:read'],
  limits: [],
  input: { path: NO_PATH, query: z.strictObject({ ...CLIENT_QUERY, ...LIST_QUERY }), body: NO_BODY },
  output: listOf(clientShape),
  success: [200],
  refusals: [],
  mcp: 'list_clients',
  perform: async ({ deps, caller }, { query }) => {
    const { limit, offset } = query;
    const { total, results } = await listFirms(deps, caller, {
      firmId: query.client_id ?? null,
      includeInactive: query.include_inactive,
      page: { limit, offset },
    });
    return { status: 200, body: { total, limit, offset, results: results.map(toWireClient) } };
  },
});

export const getClient = defineOperation({
  id: 'getClient',
  method: 'GET',
  path: '/v1/clients/{id}',
  summary: 'Read one advisory firm',
  description: 'An advisory firm of the account, active or not.',
  scopes: ['clients:read'],
  limits: [],
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: clientShape,
  success: [200],
  refusals: ['not_found'],
  mcp: 'get_client',
  perform: async ({ deps, caller }, { path, query }) => {
    const firm = await getFirm(deps, caller, { id: path.id, firmId: query.client_id ?? null });
    return { status: 200, body: toWireClient(firm) };
  },
});
