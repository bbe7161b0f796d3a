import {
  createCompany,
  deactivateCompany,
  getCompany,
  listCompanies,
  toggleCompany,
  updateCompany,
} from '@tarifario/core/service';
import { z } from 'zod';
import type { Call } from '../call.ts';
import {
  CLIENT_QUERY,
  ID_PATH,
  idField,
  LIST_QUERY,
  listOf,
  ONLY_CLIENT_QUERY,
  patchOf,
  type RecordChoice,
} from '../fields.ts';
import { defineOperation, NO_BODY, NO_PATH } from '../operation.ts';
import { toWireCompany } from '../wire/firm.ts';
import { companyShape } from '../wire/shapes.ts';

export const createCompanyOperation = defineOperation({
  id: 'createCompany',
  method: 'POST',
  path: '/v1/companies',
  summary: 'Create an energy retailer',
  description: 'Creates a retailer of one advisory firm. Names are unique within the firm.',
  scopes: ['companies:write'],
  replayable: true,
  input: {
    path: NO_PATH,
    query: ONLY_CLIENT_QUERY,
    body: z.strictObject({
      client_id: idField,
      name: z.string(),
      logo_url: z.string().nullable().default(null),
    }),
  },
  output: companyShape,
  success: [201],
  refusals: ['quota_reached', 'duplicate_name', 'business_rule'],
  tagged: true,
  perform: async ({ deps, caller }, { query, body }) => {
    const company = await createCompany(deps, caller, {
      firmId: query.client_id ?? null,
      ownerFirmId: body.client_id,
      name: body.name,
      logoUrl: body.logo_url,
    });
    return { status: 201, body: toWireCompany(company) };
  },
});

export const listCompaniesOperation = defineOperation({
  id: 'listCompanies',
  method: 'GET',
  path: '/v1/companies',
  summary: 'List own energy retailers',
  description: 'The retailers of the advisory firms of the account, by id. Those of the shared catalog are not listed.',
  scopes: ['companies:read'],
  input: { path: NO_PATH, query: z.strictObject({ ...CLIENT_QUERY, ...LIST_QUERY }), body: NO_BODY },
  output: listOf(companyShape),
  mcp: 'list_companies',
  perform: async ({ deps, caller }, { query }) => {
    const { limit, offset } = query;
    const { total, results } = await listCompanies(deps, caller, {
      firmId: query.client_id ?? null,
      includeInactive: query.include_inactive,
      page: { limit, offset },
    });
    return { status: 200, body: { total, limit, offset, results: results.map(toWireCompany) } };
  },
});

async function readCompany({ deps, caller }: Call, { path, query }: RecordChoice) {
  return toWireCompany(await getCompany(deps, caller, { id: path.id, firmId: query.client_id ?? null }));
}

export const getCompanyOperation = defineOperation({
  id: 'getCompany',
  method: 'GET',
  path: '/v1/companies/{id}',
  summary: 'Read one energy retailer',
  description: 'An own retailer, active or not.',
  scopes: ['companies:read'],
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: companyShape,
  refusals: ['not_found'],
  mcp: 'get_company',
  tagged: true,
  perform: async (call, record) => ({ status: 200, body: await readCompany(call, record) }),
});

export const updateCompanyOperation = defineOperation({
  id: 'updateCompany',
  method: 'PATCH',
  path: '/v1/companies/{id}',
  summary: 'Change an energy retailer',
  description: 'Changes the fields that are sent; null erases the logo. A retailer stays with its advisory firm.',
  scopes: ['companies:write'],
  input: {
    path: ID_PATH,
    query: ONLY_CLIENT_QUERY,
    body: patchOf({ name: z.string().optional(), logo_url: z.string().nullable().optional() }),
  },
  output: companyShape,
  refusals: ['not_found', 'duplicate_name', 'business_rule'],
  current: readCompany,
  perform: async ({ deps, caller }, { path, query, body }) => {
    const company = await updateCompany(deps, caller, {
      id: path.id,
      firmId: query.client_id ?? null,
      name: body.name,
      logoUrl: body.logo_url,
    });
    return { status: 200, body: toWireCompany(company) };
  },
});

export const toggleCompanyOperation = defineOperation({
  id: 'toggleCompany',
  method: 'PATCH',
  path: '/v1/companies/{id}/toggle',
  summary: 'Activate or deactivate an energy retailer',
  description:
    'An active retailer becomes inactive, an inactive one active. The offers of an inactive retailer are neither ' +
    'ranked nor recommended.',
  scopes: ['companies:write'],
  replayable: true,
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: companyShape,
  refusals: ['not_found'],
  current: readCompany,
  perform: async ({ deps, caller }, { path, query }) => {
    const company = await toggleCompany(deps, caller, { id: path.id, firmId: query.client_id ?? null });
    return { status: 200, body: toWireCompany(company) };
  },
});

export const deleteCompany = defineOperation({
  id: 'deleteCompany',
  method: 'DELETE',
  path: '/v1/companies/{id}',
  summary: 'Deactivate an energy retailer',
  description: 'The retailer is kept, inactive. Also when it already was.',
  scopes: ['companies:write'],
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: companyShape,
  refusals: ['not_found'],
  current: readCompany,
  perform: async ({ deps, caller }, { path, query }) => {
    const company = await deactivateCompany(deps, caller, { id: path.id, firmId: query.client_id ?? null });
    return { status: 200, body: toWireCompany(company) };
  },
});
