import { type ApiKey, type Caller, type MadeKey, SCOPES } from '@tarifario/core/service';
import { z } from 'zod';
import { answer, clientId, id, instant } from './answer.ts';

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

export const apiKey = answer('ApiKey', MEMBERS, toWire);

/** Only when it was made: it is stored as its hash. */
export const apiKeyWithSecret = answer(
  'ApiKeyWithSecret',
  { ...MEMBERS, key: z.string().describe('The key itself. It is not shown again.') },
  (made: MadeKey, caller: Caller) => ({ ...toWire(made, caller), key: made.key }),
);
