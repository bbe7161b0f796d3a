import {
  createFirm,
  deactivateFirm,
  getFirm,
  listFirms,
  taskOf,
  toggleFirm,
  updateFirm,
} from '@tarifario/core/service';
import { z } from 'zod';
import { catalogField, nameField, patchOf } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { client, imageUrl } from '../wire/firm.ts';
import { listRow, recordRows } from './records.ts';

const NOUN = {
  name: 'Client',
  path: '/v1/clients',
  words: { one: 'advisory firm', a: 'an advisory firm', short: 'firm' },
  scopes: { read: 'clients:read', write: 'clients:write' },
  detail: client,
  changed: client,
} as const;

const { create, one } = recordRows({
  ...NOUN,
  cases: { get: getFirm, toggle: toggleFirm, deactivate: deactivateFirm },
  create: {
    description:
      'The firm subscribes to the whole shared catalog, also to what is added later, unless catalog is none.',
    body: z.strictObject({
      name: nameField,
      image_url: imageUrl.default(null),
      catalog: catalogField.default('all'),
    }),
    refusals: ['bound_key', 'firm_limit_reached', 'duplicate_name', 'business_rule'],
    examples: [
      {
        summary: 'A firm that sees the shared catalog',
        body: { name: 'Asesoría Norte', image_url: 'https://asesorianorte.example/logo.png', catalog: 'all' },
      },
    ],
    write: ({ firmId, body: { name, image_url: imageUrl, catalog: catalogDefault } }) =>
      taskOf(createFirm, { firmId, name, imageUrl, catalogDefault }),
  },
  update: {
    description: 'Changes the fields that are sent; null erases the image.',
    body: patchOf({ name: nameField.optional(), image_url: imageUrl.optional() }),
    refusals: ['duplicate_name', 'business_rule'],
    examples: [{ summary: 'A new name', params: { id: 1 }, body: { name: 'Asesoría Levante y Sur' } }],
    write: ({ id, firmId, body: { name, image_url: imageUrl } }) => taskOf(updateFirm, { id, firmId, name, imageUrl }),
  },
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

const list = listRow(NOUN, listFirms, {
  id: 'listClients',
  summary: 'List advisory firms',
  description: 'The advisory firms of the account, by id; a key bound to one of them sees that one.',
  mcp: 'list_clients',
  examples: [{ summary: 'The first two', query: { limit: 2 } }],
});

export const CLIENTS: readonly Operation[] = [list, create, ...one];
