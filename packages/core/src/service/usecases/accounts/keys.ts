import { DomainError, type Issue, refuseIfAny } from '../../../engine/errors.ts';
import { say } from '../../../engine/messages/message.ts';
import { checkName, cleanName } from '../../../engine/text.ts';
import type { Caller, Scope } from '../../access/caller.ts';
import type { ApiKey } from '../../accounts/account.ts';
import type { PageOf } from '../../ports/lists.ts';
import type { NewKey } from '../../ports/machine.ts';
import type { Reader } from '../../ports/stores.ts';
import type { Command } from '../requests/command.ts';
import type { Deps } from '../requests/deps.ts';
import type { ListChoice } from '../requests/record-access.ts';
import { type FirmChoice, notFound, type RecordChoice, readFor, resolveFirmId } from '../requests/record-access.ts';

/** With how many keys that are not revoked an account may make no further one. */
export const MAX_KEYS = 100;

/** The keys of the account by id, or those of one firm. @throws DomainError `foreign_firm`. */
export function listKeys(
  deps: Pick<Deps, 'store'>,
  caller: Caller,
  { firmId: requestedFirmId, includeInactive, page }: ListChoice,
): Promise<PageOf<ApiKey>> {
  return readFor(deps, { caller, firmId: requestedFirmId }, async (reader, firmId) => {
    const keys = await keysOf(reader, caller, firmId);
    const found = keys.filter(({ isActive }) => isActive || includeInactive);
    const after = found.filter(({ id }) => id > (page.afterId ?? 0));
    return { total: found.length, results: after.slice(page.offset, page.offset + page.limit) };
  });
}

async function keysOf(reader: Reader, { accountId }: Caller, firmId: number | null): Promise<readonly ApiKey[]> {
  const keys = await reader.keys.list(accountId);
  return keys.filter((key) => firmId === null || key.firmId === firmId);
}

interface KeyOrder extends FirmChoice {
  readonly name: string | null;
  readonly fullAccess: boolean;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
}

/** A key with its secret, which is nowhere afterwards. */
export interface MadeKey extends ApiKey {
  readonly key: string;
}

/**
 * Makes a key, bound to the firm of the request. A key that ends makes none that ends later: it would else outlive
 * itself. A token makes none.
 *
 * @throws DomainError `not_full_access` by token, `unauthenticated`, `foreign_firm`, `quota_reached`, `business_rule`.
 * @see docs/assumptions.md, A-143
 */
export const createKey: Command<
  KeyOrder,
  MadeKey,
  number | null,
  KeyOrder & { readonly made: NewKey; readonly at: string }
> = {
  before: async ({ secrets }, _caller, input, at) => ({ ...input, made: secrets.newKey(), at }),
  async find(writer, caller, { firmId, expiresAt, name, at }) {
    if (caller.isByToken) {
      throw new DomainError('not_full_access', { message: 'a token makes no keys: they would outlive it' });
    }
    const narrowed = await resolveFirmId(writer, caller, firmId);
    const keys = await writer.keys.list(caller.accountId);
    const count = keys.filter(({ isActive }) => isActive).length;
    if (count >= MAX_KEYS) {
      const message = say('the account has {count} keys: revoke one first', { count });
      throw new DomainError('quota_reached', { message });
    }
    const own = keys.find(({ id }) => id === caller.keyId);
    // It may have been revoked, or have ended, since the call was admitted.
    if (!own?.isActive || (own.expiresAt !== null && own.expiresAt <= at)) {
      throw new DomainError('unauthenticated', { message: 'the API key is missing, invalid or inactive' });
    }
    const issues = endIssues(expiresAt, { now: at, latest: own.expiresAt });
    refuseIfAny([...(name === null ? [] : checkName('name', cleanName(name))), ...issues]);
    return narrowed;
  },
  async run(writer, { accountId }, { name, fullAccess, scopes, expiresAt, made }, firmId) {
    const { key, ...stored } = made;
    const rights = { fullAccess, scopes: fullAccess ? [] : [...new Set(scopes)] };
    const cleaned = name === null ? null : cleanName(name);
    return {
      ...(await writer.keys.insert({ accountId, firmId, name: cleaned, expiresAt, ...stored, ...rights })),
      key,
    };
  },
};

/** @param latest - The end of the key that makes another; `null`: it has none. */
function endIssues(
  expiresAt: string | null,
  { now, latest }: { readonly now: string; readonly latest: string | null },
): readonly Issue[] {
  const path = 'expiresAt';
  if (expiresAt !== null && expiresAt <= now) return [{ path, message: 'must be in the future' }];
  if (latest === null || (expiresAt !== null && expiresAt <= latest)) return [];
  return [{ path, message: say('must be at the latest {latest}, when the key that makes it ends', { latest }) }];
}

/** @throws DomainError `foreign_firm`, `not_found`. */
export function getKey(deps: Pick<Deps, 'store'>, caller: Caller, input: RecordChoice): Promise<ApiKey> {
  return deps.store.read((reader) => keyOf(reader, caller, input));
}

async function keyOf(reader: Reader, caller: Caller, { id, firmId }: RecordChoice): Promise<ApiKey> {
  const keys = await keysOf(reader, caller, await resolveFirmId(reader, caller, firmId));
  const found = keys.find((key) => key.id === id);
  if (!found) throw notFound('no such key');
  return found;
}

/**
 * Revokes a key, the caller's own too. Also when it already was.
 *
 * @throws DomainError `foreign_firm`, `not_found`.
 */
export const revokeKey: Command<RecordChoice, ApiKey, ApiKey> = {
  find: keyOf,
  run: async (writer, _caller, { id }, found) => (await writer.keys.revoke(id)) ?? found,
};
