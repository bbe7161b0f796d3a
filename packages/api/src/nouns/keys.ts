import {
  type ApiKey,
  type Caller,
  createKey,
  getKey,
  listKeys,
  MAX_KEYS,
  type MadeKey,
  revokeKey,
  SCOPES,
} from '@tarifario/core/service';
import { z } from 'zod';
import { LIST_QUERY, listAnswer, listChoice, nameField } from '../fields.ts';
import { inSchema } from '../messages/in-schema.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { answer, clientId, id, instant } from '../wire/answer.ts';
import { instantField } from '../wire/instants.ts';

const MEMBERS = {
  id,
  prefix: z.string().describe('The first characters of the key, to recognise it by.'),
  name: z.string().nullable(),
  client_id: clientId,
  full_access: z.boolean(),
  scopes: z.array(z.enum(SCOPES)).describe('Empty for full access.'),
  is_active: z.boolean().describe('Whether it was not revoked; one that has ended stays active.'),
  is_own: z.boolean().describe('Whether it is the key of this call.'),
  expires_at: instant.nullable().describe('From when on it is refused; null: it does not end by itself.'),
  last_used_at: instant.nullable().describe('Up to ten minutes before the last use; null: never used.'),
  created_at: instant,
};

function toWire(key: ApiKey, { keyId }: Caller) {
  return {
    id: key.id,
    prefix: key.prefix,
    name: key.name,
    client_id: key.firmId,
    full_access: key.fullAccess,
    scopes: key.scopes,
    is_active: key.isActive,
    is_own: key.id === keyId,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
    created_at: key.createdAt,
  };
}

const apiKey = answer('ApiKey', MEMBERS, toWire);

/** Only when it was made: it is stored as its hash. */
const apiKeyWithSecret = answer(
  'ApiKeyWithSecret',
  { ...MEMBERS, key: z.string().describe('The key itself. It is not shown again.') },
  (made: MadeKey, caller: Caller) => ({ ...toWire(made, caller), key: made.key }),
);

const PATH = '/v1/keys';

export const KEYS: readonly Operation[] = [
  defineOperation({
    id: 'listKeys',
    method: 'GET',
    path: PATH,
    summary: 'List API keys',
    description: 'The keys of the account, by id, without their secrets; those of one advisory firm with client_id.',
    fullAccess: true,
    query: LIST_QUERY,
    output: listAnswer(apiKey),
    examples: [{ summary: 'Those that are not revoked' }],
    answer: ({ deps, caller }, { query, firmId }) => listKeys(deps, caller, { firmId, ...listChoice(query) }),
  }),
  defineOperation({
    id: 'createKey',
    method: 'POST',
    path: PATH,
    summary: 'Make an API key',
    description:
      'The answer alone has the key: it is stored as its hash, so a lost answer is no reason to send this again, but to ' +
      'revoke what it made. With client_id the key is bound to that advisory firm. It ends no later than the key that ' +
      `makes it, and a token makes none. At most ${MAX_KEYS} of an account that are not revoked.`,
    limits: ['key_create'],
    fullAccess: true,
    body: z
      .strictObject({
        name: nameField.nullable().default(null),
        full_access: z.boolean().default(false).describe('Everything that the account may do; else scopes is needed.'),
        scopes: z.array(z.enum(SCOPES)).max(SCOPES.length).default([]),
        expires_at: instantField('00:00:00.000')
          .nullable()
          .default(null)
          .describe('From when on the key is refused; a day means its beginning, in UTC. null: it does not end.'),
      })
      .refine(
        ({ full_access: isFull, scopes }) => isFull !== scopes.length > 0,
        inSchema('needs either full_access or scopes'),
      ),
    output: apiKeyWithSecret,
    success: [201],
    refusals: ['quota_reached', 'business_rule'],
    examples: [
      {
        summary: 'A key for a bot that talks to customers, for a year',
        body: { name: 'Bot de la web', scopes: ['offers:read', 'catalog:read'], expires_at: '2099-12-31' },
      },
    ],
    command: createKey,
    input: ({ firmId, body: { name, full_access: fullAccess, scopes, expires_at: expiresAt } }) => ({
      firmId,
      name,
      fullAccess,
      scopes,
      expiresAt,
    }),
  }),
  defineOperation({
    id: 'getKey',
    method: 'GET',
    path: `${PATH}/{id}`,
    summary: 'Read an API key',
    description: 'Without its secret, revoked or not.',
    fullAccess: true,
    output: apiKey,
    examples: [{ summary: 'By id', params: { id: 2 } }],
    answer: ({ deps, caller }, { path: { id }, firmId }) => getKey(deps, caller, { id, firmId }),
  }),
  defineOperation({
    id: 'revokeKey',
    method: 'DELETE',
    path: `${PATH}/{id}`,
    summary: 'Revoke an API key',
    description:
      'From now on it is refused, also where it is the key of this call; its webhooks are disabled. It is kept, ' +
      'inactive. Also when it already was.',
    fullAccess: true,
    output: apiKey,
    examples: [{ summary: 'It is refused from now on', params: { id: 2 } }],
    command: revokeKey,
    input: ({ path: { id }, firmId }) => ({ id, firmId }),
  }),
];
