import {
  createFirm,
  deactivateFirm,
  EXTRA_LIMITS,
  type Firm,
  type FirmDetail,
  getFirm,
  listFirms,
  MAX_LOGO_BYTES,
  toggleFirm,
  updateFirm,
} from '@tarifario/core/service';
import { z } from 'zod';
import { catalogField, nameField, patchOf } from '../fields.ts';
import type { Operation } from '../operation.ts';
import { answer, id } from '../wire/answer.ts';
import { listRow, recordRows } from './records.ts';

export const imageUrl = z.string().nullable().describe('A picture of the firm, https.');

const logo = z
  .string()
  .nullable()
  .describe(
    `The picture that proposals of the firm show: a data: URI of a PNG, JPEG or WebP in base64, at most ${MAX_LOGO_BYTES} bytes of picture.`,
  );

const contact = z
  .string()
  .nullable()
  .describe('How to reach the firm, a line of 1 to 200 characters that its proposals show.');

const CLIENT = { id, name: z.string(), image_url: imageUrl, is_active: z.boolean() };
const toWireClient = (firm: Firm) => ({
  id: firm.id,
  name: firm.name,
  image_url: firm.imageUrl,
  is_active: firm.isActive,
});

/** An advisory firm, which is a `client` on the wire, in a list. */
const client = answer('Client', CLIENT, toWireClient);

/** One advisory firm. */
const clientDetail = answer('ClientDetail', { ...CLIENT, logo, contact }, (firm: FirmDetail) => ({
  ...toWireClient(firm),
  logo: firm.logo,
  contact: firm.contact,
}));

const LOGOS = `An account sends at most ${EXTRA_LIMITS.logos.points} logos in an hour.`;
/** A picture of one point. */
const DOT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNwAAAAQgBBhL+OYgAAAABJRU5ErkJggg==';

const NOUN = {
  name: 'Client',
  path: '/v1/clients',
  words: { one: 'advisory firm', a: 'an advisory firm', short: 'firm' },
  scopes: { read: 'clients:read', write: 'clients:write' },
  detail: clientDetail,
  changed: clientDetail,
} as const;

const { create, one } = recordRows({
  ...NOUN,
  cases: { get: getFirm, toggle: toggleFirm, deactivate: deactivateFirm },
  create: {
    description: `The firm subscribes to the whole shared catalog, also to what is added later, unless catalog is none. ${LOGOS}`,
    body: z.strictObject({
      name: nameField,
      image_url: imageUrl.default(null),
      logo: logo.default(null),
      catalog: catalogField.default('all'),
    }),
    refusals: ['bound_key', 'firm_limit_reached', 'duplicate_name', 'business_rule'],
    examples: [
      {
        summary: 'A firm that sees the shared catalog',
        body: { name: 'Asesoría Norte', image_url: 'https://asesorianorte.example/logo.png', catalog: 'all' },
      },
    ],
    command: createFirm,
    input: ({ firmId, body: { name, image_url: imageUrl, logo, catalog: catalogDefault } }) => ({
      firmId,
      name,
      imageUrl,
      logo,
      catalogDefault,
    }),
  },
  update: {
    description: `Changes the fields that are sent; null erases a picture or the contact. ${LOGOS}`,
    body: patchOf({
      name: nameField.optional(),
      image_url: imageUrl.optional(),
      logo: logo.optional(),
      contact: contact.optional(),
    }),
    refusals: ['duplicate_name', 'business_rule'],
    examples: [
      { summary: 'A new name', params: { id: 1 }, body: { name: 'Asesoría Levante y Sur' } },
      { summary: 'The picture that its proposals show', params: { id: 1 }, body: { logo: DOT } },
    ],
    command: updateFirm,
    input: ({ id, firmId, body: { image_url: imageUrl, ...others } }) => ({ id, firmId, imageUrl, ...others }),
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

const list = listRow({ ...NOUN, changed: client }, listFirms, {
  id: 'listClients',
  summary: 'List advisory firms',
  description:
    'The advisory firms of the account, by id, without their logos; a key bound to one of them sees that one.',
  mcp: 'list_clients',
  examples: [{ summary: 'The first two', query: { limit: 2 } }],
});

export const CLIENTS: readonly Operation[] = [list, create, ...one];
