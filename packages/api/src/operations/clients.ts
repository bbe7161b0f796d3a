import { createFirm, deactivateFirm, getFirm, listFirms, toggleFirm, updateFirm } from '@tarifario/core/service';
import { z } from 'zod';
import { catalogField, LIST_QUERY, listChoice, listOf, patchOf, toWireList } from '../fields.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { clientShape, toWireClient } from '../wire/firm.ts';
import { recordRows } from './records.ts';

const answered = { shape: clientShape, toWire: toWireClient };

const { read, get, toggle, remove } = recordRows({
  name: 'Client',
  path: '/v1/clients',
  words: { one: 'advisory firm', a: 'an advisory firm', short: 'firm' },
  scopes: { read: 'clients:read', write: 'clients:write' },
  detail: answered,
  changed: answered,
  cases: { get: getFirm, toggle: toggleFirm, deactivate: deactivateFirm },
  toggleRefusals: ['firm_limit_reached'],
  about: {
    get: 'An advisory firm of the account, active or not.',
    toggle:
      'An active firm becomes inactive, an inactive one active if the plan allows one more. The offers of an inactive ' +
      'firm are neither ranked nor recommended, and keys bound to it are refused.',
  },
  mcp: 'get_client',
  examples: { get: [{ summary: 'By id', params: { id: 1 } }], changed: 1 },
});

export const CLIENTS: readonly Operation[] = [
  defineOperation({
    id: 'listClients',
    method: 'GET',
    path: '/v1/clients',
    summary: 'List advisory firms',
    description: 'The advisory firms of the account, by id; a key bound to one of them sees that one.',
    scopes: ['clients:read'],
    query: LIST_QUERY,
    tagged: true,
    output: listOf(clientShape),
    mcp: 'list_clients',
    examples: [{ summary: 'The first two', query: { limit: 2 } }],
    answer: async ({ deps, caller }, { query, firmId }) =>
      toWireList(await listFirms(deps, caller, { firmId, ...listChoice(query) }), query, toWireClient),
  }),
  defineOperation({
    id: 'createClient',
    method: 'POST',
    path: '/v1/clients',
    summary: 'Create an advisory firm',
    description:
      'The firm subscribes to the whole shared catalog, also to what is added later, unless catalog is none.',
    scopes: ['clients:write'],
    replayable: true,
    body: z.strictObject({
      name: z.string(),
      image_url: z.string().nullable().default(null),
      catalog: catalogField.default('all'),
    }),
    output: clientShape,
    success: [201],
    refusals: ['bound_key', 'firm_limit_reached', 'duplicate_name', 'business_rule'],
    tagged: true,
    examples: [
      {
        summary: 'A firm that sees the shared catalog',
        body: { name: 'Asesoría Norte', image_url: 'https://asesorianorte.example/logo.png', catalog: 'all' },
      },
    ],
    answer: async ({ deps, caller }, { firmId, body: { name, image_url: imageUrl, catalog: catalogDefault } }) =>
      toWireClient(await createFirm(deps, caller, { firmId, name, imageUrl, catalogDefault })),
  }),
  get,
  defineOperation({
    id: 'updateClient',
    method: 'PATCH',
    path: '/v1/clients/{id}',
    summary: 'Change an advisory firm',
    description: 'Changes the fields that are sent; null erases the image.',
    scopes: ['clients:write'],
    body: patchOf({ name: z.string().optional(), image_url: z.string().nullable().optional() }),
    output: clientShape,
    refusals: ['duplicate_name', 'business_rule'],
    examples: [{ summary: 'A new name', params: { id: 1 }, body: { name: 'Asesoría Levante y Sur' } }],
    current: read,
    answer: async ({ deps, caller }, { path, firmId, body: { name, image_url: imageUrl } }) =>
      toWireClient(await updateFirm(deps, caller, { ...path, firmId, name, imageUrl })),
  }),
  toggle,
  remove,
];
