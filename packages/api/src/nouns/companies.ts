import { type Company, catalogCompanyCases, ownCompanyCases } from '@tarifario/core/service';
import { z } from 'zod';
import { clientIdField, nameField, patchOf } from '../fields.ts';
import type { Example } from '../openapi/example.ts';
import type { Operation } from '../operation.ts';
import { answer, id } from '../wire/answer.ts';
import { listRow, type Noun, recordRows } from './records.ts';

export const logoUrl = z.string().nullable().describe('A picture of the retailer, https.');

/** An energy retailer. */
export const company = answer(
  'Company',
  {
    id,
    client_id: id.nullable().describe('The advisory firm that owns the retailer; null: the shared catalog.'),
    name: z.string(),
    logo_url: logoUrl,
    is_active: z.boolean(),
  },
  ({ id, firmId, name, logoUrl, isActive }: Company) => ({
    id,
    client_id: firmId,
    name,
    logo_url: logoUrl,
    is_active: isActive,
  }),
);

type CompanyNoun = Noun<Company, Company>;

const NEW_COMPANY = { name: nameField, logo_url: logoUrl.default(null) };

/** All rows of one noun, except what differs between own records and those of the catalog. */
function companyRows(
  given: Pick<CompanyNoun, 'name' | 'path' | 'words' | 'scopes' | 'limits' | 'mcp'> & {
    readonly cases: typeof ownCompanyCases;
    readonly list: Pick<Operation, 'id' | 'summary' | 'description' | 'mcp' | 'examples'>;
    readonly body: z.ZodType<{ readonly client_id?: number; readonly name: string; readonly logo_url: string | null }>;
    readonly about: { readonly create: string; readonly get: string; readonly update: string };
    /** `id`: of the record that is read and changed. */
    readonly examples: { readonly id: number; readonly create: Example; readonly update: Example };
  },
): readonly Operation[] {
  const { list, body, about, examples, ...noun } = given;
  const { id, create: created, update: updated } = examples;
  const { create, one } = recordRows({
    ...noun,
    detail: company,
    changed: company,
    create: {
      description: about.create,
      body,
      refusals: ['quota_reached', 'duplicate_name', 'business_rule'],
      examples: [created],
      command: noun.cases.create,
      input: ({ firmId, body: { client_id: ownerFirmId = null, name, logo_url: logoUrl } }) => ({
        firmId,
        ownerFirmId,
        name,
        logoUrl,
      }),
    },
    update: {
      description: about.update,
      body: patchOf({ name: nameField.optional(), logo_url: logoUrl.optional() }),
      refusals: ['duplicate_name', 'business_rule'],
      examples: [{ params: { id }, ...updated }],
      command: noun.cases.update,
      input: ({ id, firmId, body: { name, logo_url: logoUrl } }) => ({ id, firmId, name, logoUrl }),
    },
    about: {
      get: about.get,
      toggle:
        'An active retailer becomes inactive, an inactive one active. The offers of an inactive retailer are neither ' +
        'ranked nor recommended.',
    },
    examples: { get: [{ summary: 'By id', params: { id } }], changed: id },
  });
  return [listRow({ ...noun, changed: company }, noun.cases.list, list), create, ...one];
}

export const COMPANIES = companyRows({
  name: 'Company',
  path: '/v1/companies',
  words: { one: 'energy retailer', a: 'an energy retailer', short: 'retailer' },
  scopes: { read: 'companies:read', write: 'companies:write' },
  mcp: 'get_company',
  cases: ownCompanyCases,
  list: {
    id: 'listCompanies',
    summary: 'List own energy retailers',
    description:
      'The retailers of the advisory firms of the account, by id. Those of the shared catalog are not listed.',
    mcp: 'list_companies',
    examples: [{ summary: 'Those of one firm', query: { client_id: 1, limit: 1 } }],
  },
  body: z.strictObject({ client_id: clientIdField, ...NEW_COMPANY }),
  about: {
    create: 'Creates a retailer of one advisory firm. Names are unique within the firm.',
    get: 'An own retailer, active or not.',
    update: 'Changes the fields that are sent; null erases the logo. A retailer stays with its advisory firm.',
  },
  examples: {
    id: 1,
    create: { summary: 'A retailer', body: { client_id: 1, name: 'Comercializadora Cierzo', logo_url: null } },
    update: { summary: 'A logo', body: { logo_url: 'https://alba.example/logo.svg' } },
  },
});

export const CATALOG_COMPANIES = companyRows({
  name: 'CatalogCompany',
  path: '/v1/catalog/companies',
  words: { one: 'retailer of the catalog', a: 'a retailer of the catalog', short: 'retailer' },
  scopes: { read: 'catalog:read', write: 'catalog:write' },
  limits: ['catalog_write'],
  cases: catalogCompanyCases,
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
    get: 'A retailer of the shared catalog, active or not.',
    update: 'Changes the fields that are sent; null erases the logo.',
  },
  examples: {
    id: 3,
    create: { summary: 'A retailer', body: { name: 'Comercializadora Sil', logo_url: null } },
    update: { summary: 'A logo', body: { logo_url: 'https://duero.example/logo.svg' } },
  },
});
