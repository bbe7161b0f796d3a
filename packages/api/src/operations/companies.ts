import { catalogCompanyCases, ownCompanyCases } from '@tarifario/core/service';
import { z } from 'zod';
import { idField, LIST_QUERY, listChoice, listOf, patchOf, toWireList } from '../fields.ts';
import type { Example } from '../openapi/example.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { companyShape, toWireCompany } from '../wire/firm.ts';
import { type Noun, recordRows } from './records.ts';

type CompanyNoun = Noun<Parameters<typeof toWireCompany>[0]> & { readonly cases: typeof ownCompanyCases };

const answered = { shape: companyShape, toWire: toWireCompany };

const OWN: CompanyNoun = {
  name: 'Company',
  path: '/v1/companies',
  words: { one: 'energy retailer', a: 'an energy retailer', short: 'retailer' },
  scopes: { read: 'companies:read', write: 'companies:write' },
  detail: answered,
  changed: answered,
  cases: ownCompanyCases,
  about: {
    get: 'An own retailer, active or not.',
    toggle:
      'An active retailer becomes inactive, an inactive one active. The offers of an inactive retailer are neither ' +
      'ranked nor recommended.',
  },
  mcp: 'get_company',
  examples: { get: [{ summary: 'By id', params: { id: 1 } }], changed: 1 },
};

const OF_CATALOG: CompanyNoun = {
  name: 'CatalogCompany',
  path: '/v1/catalog/companies',
  words: { one: 'retailer of the catalog', a: 'a retailer of the catalog', short: 'retailer' },
  scopes: { read: 'catalog:read', write: 'catalog:write' },
  limits: ['catalog_write'],
  detail: answered,
  changed: answered,
  cases: catalogCompanyCases,
  about: { get: 'A retailer of the shared catalog, active or not.', toggle: OWN.about.toggle },
  examples: { get: [{ summary: 'By id', params: { id: 3 } }], changed: 3 },
};

const NEW_COMPANY = { name: z.string(), logo_url: z.string().nullable().default(null) };

/** All rows of one noun, except what differs between own records and those of the catalog. */
function companyRows(
  noun: CompanyNoun,
  texts: {
    readonly list: Pick<Operation, 'id' | 'summary' | 'description' | 'mcp' | 'examples'>;
    readonly body: z.ZodType<{ readonly client_id?: number; readonly name: string; readonly logo_url: string | null }>;
    readonly about: { readonly create: string; readonly update: string };
    readonly examples: { readonly create: Example; readonly update: Example };
  },
): readonly Operation[] {
  const { name, path, words, scopes, limits = [], cases } = noun;
  const { read, get, toggle, remove } = recordRows(noun);
  const list = defineOperation({
    ...texts.list,
    method: 'GET',
    path,
    scopes: [scopes.read],
    query: LIST_QUERY,
    tagged: true,
    output: listOf(companyShape),
    answer: async ({ deps, caller }, { query, firmId }) =>
      toWireList(await cases.list(deps, caller, { firmId, ...listChoice(query) }), query, toWireCompany),
  });
  const create = defineOperation({
    id: `create${name}`,
    method: 'POST',
    path,
    summary: `Create ${words.a}`,
    description: texts.about.create,
    scopes: [scopes.write],
    limits,
    replayable: true,
    body: texts.body,
    output: companyShape,
    success: [201],
    refusals: ['quota_reached', 'duplicate_name', 'business_rule'],
    tagged: true,
    examples: [texts.examples.create],
    answer: async (
      { deps, caller },
      { firmId, body: { client_id: ownerFirmId = null, name: called, logo_url: logoUrl } },
    ) => toWireCompany(await cases.create(deps, caller, { firmId, ownerFirmId, name: called, logoUrl })),
  });
  const update = defineOperation({
    id: `update${name}`,
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: `Change ${words.a}`,
    description: texts.about.update,
    scopes: [scopes.write],
    limits,
    body: patchOf({ name: z.string().optional(), logo_url: z.string().nullable().optional() }),
    output: companyShape,
    refusals: ['duplicate_name', 'business_rule'],
    examples: [texts.examples.update],
    current: read,
    answer: async ({ deps, caller }, { path: place, firmId, body: { name: called, logo_url: logoUrl } }) =>
      toWireCompany(await cases.update(deps, caller, { ...place, firmId, name: called, logoUrl })),
  });
  return [list, create, get, update, toggle, remove];
}

export const COMPANIES = companyRows(OWN, {
  list: {
    id: 'listCompanies',
    summary: 'List own energy retailers',
    description:
      'The retailers of the advisory firms of the account, by id. Those of the shared catalog are not listed.',
    mcp: 'list_companies',
    examples: [{ summary: 'Those of one firm', query: { client_id: 1, limit: 1 } }],
  },
  body: z.strictObject({ client_id: idField, ...NEW_COMPANY }),
  about: {
    create: 'Creates a retailer of one advisory firm. Names are unique within the firm.',
    update: 'Changes the fields that are sent; null erases the logo. A retailer stays with its advisory firm.',
  },
  examples: {
    create: { summary: 'A retailer', body: { client_id: 1, name: 'Comercializadora Cierzo', logo_url: null } },
    update: { summary: 'A logo', params: { id: 1 }, body: { logo_url: 'https://alba.example/logo.svg' } },
  },
});

export const CATALOG_COMPANIES = companyRows(OF_CATALOG, {
  list: {
    id: 'listCatalogCompanies',
    summary: 'List the retailers of the catalog',
    description: 'The retailers that all accounts share, by id, whether or not a firm subscribes to them.',
    mcp: 'list_catalog_companies',
    examples: [{ summary: 'All of them' }],
  },
  body: z.strictObject(NEW_COMPANY),
  about: {
    create: 'Names are unique within the catalog. Firms that subscribe to the whole catalog subscribe to it at once.',
    update: 'Changes the fields that are sent; null erases the logo.',
  },
  examples: {
    create: { summary: 'A retailer', body: { name: 'Comercializadora Sil', logo_url: null } },
    update: { summary: 'A logo', params: { id: 3 }, body: { logo_url: 'https://duero.example/logo.svg' } },
  },
});
