import {
  createCatalogCompany,
  deactivateCatalogCompany,
  toggleCatalogCompany,
  updateCatalogCompany,
} from '@tarifario/core/service';
import { z } from 'zod';
import { ID_PATH, ONLY_CLIENT_QUERY, patchOf } from '../fields.ts';
import { defineOperation, NO_BODY, NO_PATH } from '../operation.ts';
import { toWireCompany } from '../wire/firm.ts';
import { companyShape } from '../wire/shapes.ts';
import { readCatalogCompany } from './catalog.ts';

export const createCatalogCompanyOperation = defineOperation({
  id: 'createCatalogCompany',
  method: 'POST',
  path: '/v1/catalog/companies',
  summary: 'Create a retailer of the catalog',
  description:
    'For catalog editors. Names are unique within the catalog. Firms that subscribe to the whole catalog subscribe to ' +
    'it at once.',
  scopes: ['catalog:write'],
  limits: ['catalog_write'],
  replayable: true,
  input: {
    path: NO_PATH,
    query: ONLY_CLIENT_QUERY,
    body: z.strictObject({ name: z.string(), logo_url: z.string().nullable().default(null) }),
  },
  output: companyShape,
  success: [201],
  refusals: ['bound_key', 'not_catalog_editor', 'quota_reached', 'duplicate_name', 'business_rule'],
  tagged: true,
  perform: async ({ deps, caller }, { query, body }) => {
    const company = await createCatalogCompany(deps, caller, {
      firmId: query.client_id ?? null,
      name: body.name,
      logoUrl: body.logo_url,
    });
    return { status: 201, body: toWireCompany(company) };
  },
});

export const updateCatalogCompanyOperation = defineOperation({
  id: 'updateCatalogCompany',
  method: 'PATCH',
  path: '/v1/catalog/companies/{id}',
  summary: 'Change a retailer of the catalog',
  description: 'For catalog editors. Changes the fields that are sent; null erases the logo.',
  scopes: ['catalog:write'],
  limits: ['catalog_write'],
  input: {
    path: ID_PATH,
    query: ONLY_CLIENT_QUERY,
    body: patchOf({ name: z.string().optional(), logo_url: z.string().nullable().optional() }),
  },
  output: companyShape,
  refusals: ['bound_key', 'not_catalog_editor', 'not_found', 'duplicate_name', 'business_rule'],
  current: readCatalogCompany,
  perform: async ({ deps, caller }, { path, query, body }) => {
    const company = await updateCatalogCompany(deps, caller, {
      id: path.id,
      firmId: query.client_id ?? null,
      name: body.name,
      logoUrl: body.logo_url,
    });
    return { status: 200, body: toWireCompany(company) };
  },
});

export const toggleCatalogCompanyOperation = defineOperation({
  id: 'toggleCatalogCompany',
  method: 'PATCH',
  path: '/v1/catalog/companies/{id}/toggle',
  summary: 'Activate or deactivate a retailer of the catalog',
  description:
    'For catalog editors. An active retailer becomes inactive, an inactive one active. The offers of an inactive ' +
    'retailer are neither ranked nor recommended.',
  scopes: ['catalog:write'],
  limits: ['catalog_write'],
  replayable: true,
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: companyShape,
  refusals: ['bound_key', 'not_catalog_editor', 'not_found'],
  current: readCatalogCompany,
  perform: async ({ deps, caller }, { path, query }) => {
    const company = await toggleCatalogCompany(deps, caller, { id: path.id, firmId: query.client_id ?? null });
    return { status: 200, body: toWireCompany(company) };
  },
});

export const deleteCatalogCompany = defineOperation({
  id: 'deleteCatalogCompany',
  method: 'DELETE',
  path: '/v1/catalog/companies/{id}',
  summary: 'Deactivate a retailer of the catalog',
  description: 'For catalog editors. The retailer is kept, inactive. Also when it already was.',
  scopes: ['catalog:write'],
  limits: ['catalog_write'],
  input: { path: ID_PATH, query: ONLY_CLIENT_QUERY, body: NO_BODY },
  output: companyShape,
  refusals: ['bound_key', 'not_catalog_editor', 'not_found'],
  current: readCatalogCompany,
  perform: async ({ deps, caller }, { path, query }) => {
    const company = await deactivateCatalogCompany(deps, caller, { id: path.id, firmId: query.client_id ?? null });
    return { status: 200, body: toWireCompany(company) };
  },
});
