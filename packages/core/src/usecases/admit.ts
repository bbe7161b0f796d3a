import type { Caller } from '../access/caller.ts';
import { DEFAULT_FIRM_LIMIT, type KeyRecord } from '../accounts/account.ts';
import { DomainError } from '../errors.ts';
import type { Deps } from './deps.ts';

/**
 * Finds out who calls. Text that cannot be one of our keys is refused without a query.
 *
 * @param key - The API key as received; `null` when none was sent.
 * @throws DomainError `unauthenticated` for a missing, malformed, unknown or revoked key (one answer for all),
 *   `account_inactive`, and `firm_inactive` for a key bound to a deactivated firm.
 * @see docs/assumptions.md, A-25 and A-39
 */
export async function admit(deps: Deps, key: string | null): Promise<Caller> {
  const secretHash = key === null ? null : deps.secrets.hashFor(key);
  const record = secretHash === null ? null : await deps.store.read((reader) => reader.keyByHash(secretHash));
  if (!record?.key.isActive) {
    throw new DomainError('unauthenticated', { message: 'the API key is missing, invalid or inactive' });
  }
  if (!record.account.isActive) throw new DomainError('account_inactive', { message: 'the account is deactivated' });
  if (!record.firmIsActive) {
    throw new DomainError('firm_inactive', { message: 'the advisory firm of the API key is deactivated' });
  }
  return callerOf(record);
}

function callerOf({ key, account, subscription }: KeyRecord): Caller {
  const isSubscribed = subscription !== null && subscription.status === 'active';
  return {
    accountId: account.id,
    keyId: key.id,
    firmId: key.firmId,
    fullAccess: key.fullAccess,
    scopes: new Set(key.scopes),
    isCatalogEditor: account.isCatalogEditor,
    firmLimit: isSubscribed ? subscription.firmLimit : DEFAULT_FIRM_LIMIT.free,
  };
}
