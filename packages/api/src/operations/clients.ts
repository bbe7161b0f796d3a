import { createFirm, deactivateFirm, getFirm, listFirms, toggleFirm, updateFirm } from '@tarifario/core/service';
import { z } from 'zod';
import type { Call } from '../call.ts';
import {
  CLIENT_QUERY,
  catalogField,
  ID_PATH,
  LIST_QUERY,
  listOf,
  ONLY_CLIENT_QUERY,
  patchOf,
  type RecordChoice,
} from '../fields.ts';
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
  replayable: true,
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
  tagged: true,
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
  input: { path: NO_PATH, query: z.strictObject({ ...CLIENT_QUERY, ...LIST_QUERY }), body: NO_BODY },
  output: listOf(clientShape),
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

async function readClient({ deps, caller }: Call, { path, query }: RecordChoice) {
  return toWireClient(await getFirm(deps, caller, { id: path.id, firmId: query.client_id ?? null }));
}

export const getClient = defineOperation({
  id: 'getClient',
  method: 'GET',
  path: '/v1/clients/{id}',
  summary: 'Read one advisory firm',
  description: 'An advisory firm of the account, active or not.',
  scopes: ['clients:read'],
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: clientShape,
  refusals: ['not_found'],
  mcp: 'get_client',
  tagged: true,
  perform: async (call, record) => ({ status: 200, body: await readClient(call, record) }),
});

export const updateClient = defineOperation({
  id: 'updateClient',
  method: 'PATCH',
  path: '/v1/clients/{id}',
  summary: 'Change an advisory firm',
  description: 'Changes the fields that are sent; null erases the image.',
  scopes: ['clients:write'],
  input: {
    path: ID_PATH,
    query: ONLY_CLIENT_QUERY,
    body: patchOf({ name: z.string().optional(), image_url: z.string().nullable().optional() }),
  },
  output: clientShape,
  refusals: ['not_found', 'duplicate_name', 'business_rule'],
  current: readClient,
  perform: async ({ deps, caller }, { path, query, body }) => {
    const firm = await updateFirm(deps, caller, {
      id: path.id,
      firmId: query.client_id ?? null,
      name: body.name,
      imageUrl: body.image_url,
    });
    return { status: 200, body: toWireClient(firm) };
  },
});

export const toggleClient = defineOperation({
  id: 'toggleClient',
  method: 'PATCH',
  path: '/v1/clients/{id}/toggle',
  summary: 'Activate or deactivate an advisory firm',
  description:
    'An active firm becomes inactive, an inactive one active if the plan allows one more. The offers of an inactive ' +
    'firm are neither ranked nor recommended, and keys bound to it are refused.',
  scopes: ['clients:write'],
  replayable: true,
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: clientShape,
  refusals: ['not_found', 'firm_limit_reached'],
  current: readClient,
  perform: async ({ deps, caller }, { path, query }) => {
    const firm = await toggleFirm(deps, caller, { id: path.id, firmId: query.client_id ?? null });
    return { status: 200, body: toWireClient(firm) };
  },
});

export const deleteClient = defineOperation({
  id: 'deleteClient',
  method: 'DELETE',
  path: '/v1/clients/{id}',
  summary: 'Deactivate an advisory firm',
  description: 'The firm is kept, inactive. Also when it already was.',
  scopes: ['clients:write'],
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: clientShape,
  refusals: ['not_found'],
  current: readClient,
  perform: async ({ deps, caller }, { path, query }) => {
    const firm = await deactivateFirm(deps, caller, { id: path.id, firmId: query.client_id ?? null });
    return { status: 200, body: toWireClient(firm) };
  },
});
