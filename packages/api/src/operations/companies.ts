import {
  createCatalogCompany,
  createCompany,
  deactivateCatalogCompany,
  deactivateCompany,
  getCatalogCompany,
  getCompany,
  listCatalogCompanies,
  listCompanies,
  toggleCatalogCompany,
  toggleCompany,
  updateCatalogCompany,
  updateCompany,
} from '@tarifario/core/service';
import { z } from 'zod';
import { idField, LIST_QUERY, listChoice, listOf, patchOf, toWireList } from '../fields.ts';
import type { Example } from '../openapi/example.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { companyShape, toWireCompany } from '../wire/firm.ts';
import { type Noun, recordRows } from './records.ts';

type Company = Parameters<typeof toWireCompany>[0];

const answered = { shape: companyShape, toWire: toWireCompany };

const OWN: Noun<Company> = {
  name: 'Company',
  path: '/v1/companies',
  words: { one: 'energy retailer', a: 'an energy retailer', short: 'retailer' },
  scopes: { read: 'companies:read', write: 'companies:write' },
  detail: answered,
  changed: answered,
  get: getCompany,
  toggle: toggleCompany,
  deactivate: deactivateCompany,
  about: {
    get: 'An own retailer, active or not.',
    toggle:
      'An active retailer becomes inactive, an inactive one active. The offers of an inactive retailer are neither ' +
      'ranked nor recommended.',
  },
  mcp: 'get_company',
  examples: { get: [{ summary: 'By id', params: { id: 1 } }], changed: 1 },
};

const OF_CATALOG: Noun<Company> = {
  name: 'CatalogCompany',
  path: '/v1/catalog/companies',
  words: { one: 'retailer of the catalog', a: 'a retailer of the catalog', short: 'retailer' },
  scopes: { read: 'catalog:read', write: 'catalog:write' },
  limits: ['catalog_write'],
  detail: answered,
  changed: answered,
  get: getCatalogCompany,
  toggle: toggleCatalogCompany,
  deactivate: deactivateCatalogCompany,
  about: { get: 'A retailer of the shared catalog, active or not.', toggle: OWN.about.toggle },
  examples: { get: [{ summary: 'By id', params: { id: 3 } }], changed: 3 },
};

/** All rows of one noun, but for what a list and a new company take and answer. */
function companyRows(
  noun: Noun<Company>,
  given: {
    readonly list: Operation;
    readonly create: Operation;
    readonly update: typeof updateCompany;
    readonly about: string;
    readonly example: Example;
  },
): readonly Operation[] {
  const { read, get, toggle, remove } = recordRows(noun);
  const update = defineOperation({
    id: `update${noun.name}`,
    method: 'PATCH',
    path: `${noun.path}/{id}`,
    summary: `Change ${noun.words.a}`,
    description: given.about,
    scopes: [noun.scopes.write],
    limits: noun.limits ?? [],
    body: patchOf({ name: z.string().optional(), logo_url: z.string().nullable().optional() }),
    output: companyShape,
    refusals: ['duplicate_name', 'business_rule'],
    examples: [given.example],
    current: read,
    answer: async ({ deps, caller }, { path, firmId, body: { name, logo_url: logoUrl } }) =>
      toWireCompany(await given.update(deps, caller, { ...path, firmId, name, logoUrl })),
  });
  return [given.list, given.create, get, update, toggle, remove];
}

const NEW_COMPANY = { name: z.string(), logo_url: z.string().nullable().default(null) };

export const COMPANIES = companyRows(OWN, {
  list: defineOperation({
    id: 'listCompanies',
    method: 'GET',
    path: '/v1/companies',
    summary: 'List own energy retailers',
    description:
      'The retailers of the advisory firms of the account, by id. Those of the shared catalog are not listed.',
    scopes: ['companies:read'],
    query: LIST_QUERY,
    tagged: true,
    output: listOf(companyShape),
    mcp: 'list_companies',
    examples: [{ summary: 'Those of one firm', query: { client_id: 1, limit: 1 } }],
    answer: async ({ deps, caller }, { query, firmId }) =>
      toWireList(await listCompanies(deps, caller, { firmId, ...listChoice(query) }), query, toWireCompany),
  }),
  create: defineOperation({
    id: 'createCompany',
    method: 'POST',
    path: '/v1/companies',
    summary: 'Create an energy retailer',
    description: 'Creates a retailer of one advisory firm. Names are unique within the firm.',
    scopes: ['companies:write'],
    replayable: true,
    body: z.strictObject({ client_id: idField, ...NEW_COMPANY }),
    output: companyShape,
    success: [201],
    refusals: ['quota_reached', 'duplicate_name', 'business_rule'],
    tagged: true,
    examples: [{ summary: 'A retailer', body: { client_id: 1, name: 'Comercializadora Cierzo', logo_url: null } }],
    answer: async ({ deps, caller }, { firmId, body: { client_id: ownerFirmId, name, logo_url: logoUrl } }) =>
      toWireCompany(await createCompany(deps, caller, { firmId, ownerFirmId, name, logoUrl })),
  }),
  update: updateCompany,
  about: 'Changes the fields that are sent; null erases the logo. A retailer stays with its advisory firm.',
  example: { summary: 'A logo', params: { id: 1 }, body: { logo_url: 'https://alba.example/logo.svg' } },
});

export const CATALOG_COMPANIES = companyRows(OF_CATALOG, {
  list: defineOperation({
    id: 'listCatalogCompanies',
    method: 'GET',
    path: '/v1/catalog/companies',
    summary: 'List the retailers of the catalog',
    description: 'The retailers that all accounts share, by id, whether or not a firm subscribes to them.',
    scopes: ['catalog:read'],
    query: LIST_QUERY,
    tagged: true,
    output: listOf(companyShape),
    mcp: 'list_catalog_companies',
    examples: [{ summary: 'All of them' }],
    answer: async ({ deps, caller }, { query, firmId }) =>
      toWireList(await listCatalogCompanies(deps, caller, { firmId, ...listChoice(query) }), query, toWireCompany),
  }),
  create: defineOperation({
    id: 'createCatalogCompany',
    method: 'POST',
    path: '/v1/catalog/companies',
    summary: 'Create a retailer of the catalog',
    description:
      'Names are unique within the catalog. Firms that subscribe to the whole catalog subscribe to it at once.',
    scopes: ['catalog:write'],
    limits: ['catalog_write'],
    replayable: true,
    body: z.strictObject(NEW_COMPANY),
    output: companyShape,
    success: [201],
    refusals: ['quota_reached', 'duplicate_name', 'business_rule'],
    tagged: true,
    examples: [{ summary: 'A retailer', body: { name: 'Comercializadora Sil', logo_url: null } }],
    answer: async ({ deps, caller }, { firmId, body: { name, logo_url: logoUrl } }) =>
      toWireCompany(await createCatalogCompany(deps, caller, { firmId, name, logoUrl })),
  }),
  update: updateCatalogCompany,
  about: 'Changes the fields that are sent; null erases the logo.',
  example: { summary: 'A logo', params: { id: 3 }, body: { logo_url: 'https://duero.example/logo.svg' } },
});
