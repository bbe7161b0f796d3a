import { type ApiKey, checkName, cleanName, inWords, SCOPES, type Scope } from '@tarifario/core/service';
import { type Arguments, CommandError, idFrom, oneOf, type Run, UsageError } from './command.ts';
import { noSuchAccount, withDatabase } from './database.ts';
import { instantFrom } from './subscription.ts';

/** The scopes of a key for agents; internal agents also get `INTERNAL_SCOPES`. */
export const MCP_SCOPES: readonly Scope[] = ['offers:read', 'catalog:read'];
export const INTERNAL_SCOPES: readonly Scope[] = [...MCP_SCOPES, 'commissions:read'];

export const createKey: Run = async (args) => {
  const accountId = idFrom(args.required('account'), '--account');
  const client = args.value('client');
  const firmId = client === null ? null : idFrom(client, '--client');
  const rights = rightsFrom(args);
  const nameText = args.value('name');
  const name = nameText === null ? null : cleanName(nameText);
  for (const { message } of name === null ? [] : checkName('name', name))
    throw new UsageError(`--name ${inWords(message)}`);
  const end = args.value('expires-at');
  const expiresAt = end === null ? null : instantFrom(end, '--expires-at');
  return withDatabase(async ({ store, clock, secrets }) => {
    if (expiresAt !== null && expiresAt <= clock.now()) throw new UsageError('--expires-at must be in the future');
    const { key, prefix, secretHash } = secrets.newKey();
    const stored = await store.write({ keyId: null, at: clock.now(), concerns: [accountId] }, async (writer) => {
      if ((await writer.accounts.get(accountId)) === null) throw noSuchAccount(accountId);
      if (firmId !== null && (await writer.firms.get(accountId, firmId)) === null) {
        throw new CommandError(`account ${accountId} has no client ${firmId}`);
      }
      return writer.keys.insert({ accountId, firmId, name, prefix, secretHash, expiresAt, ...rights });
    });
    const { id, scopes, fullAccess: full_access } = stored;
    const shown = { account_id: accountId, client_id: firmId, scopes, full_access, expires_at: expiresAt };
    return { json: { id, key, prefix, ...shown } };
  });
};

export const listKeys: Run = (args) => {
  const accountId = idFrom(args.required('account'), '--account');
  return withDatabase(async ({ store }) => {
    const json = await store.read(async (reader) => {
      if ((await reader.accounts.get(accountId)) === null) throw noSuchAccount(accountId);
      return (await reader.keys.list(accountId)).map(toWireKey);
    });
    return { json, records: json };
  });
};

export const revokeKey: Run = (args) => {
  const id = idFrom(args.required('ID'), 'ID');
  return withDatabase(async ({ store, clock }) => {
    const key = await store.write({ keyId: null, at: clock.now(), concerns: [] }, (writer) => writer.keys.revoke(id));
    if (key === null) throw new CommandError(`there is no key ${id}`);
    return { json: toWireKey(key) };
  });
};

function rightsFrom(args: Arguments): { readonly fullAccess: boolean; readonly scopes: readonly Scope[] } {
  const scopes = args.value('scopes');
  const ways = [args.flag('full-access'), scopes !== null, args.flag('mcp')].filter(Boolean).length;
  if (ways !== 1) throw new UsageError('key create needs one of --full-access, --scopes and --mcp');
  if (args.flag('internal') && !args.flag('mcp')) throw new UsageError('--internal goes with --mcp');
  if (args.flag('full-access')) return { fullAccess: true, scopes: [] };
  if (scopes === null) return { fullAccess: false, scopes: args.flag('internal') ? INTERNAL_SCOPES : MCP_SCOPES };
  const named = scopes.split(',').map((scope) => oneOf(SCOPES, scope.trim(), '--scopes'));
  return { fullAccess: false, scopes: SCOPES.filter((scope) => named.includes(scope)) };
}

/** A stored key. Its secret is not part of it. */
function toWireKey(key: ApiKey): object {
  return {
    id: key.id,
    prefix: key.prefix,
    account_id: key.accountId,
    client_id: key.firmId,
    name: key.name,
    scopes: key.scopes,
    full_access: key.fullAccess,
    is_active: key.isActive,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
    created_at: key.createdAt,
  };
}
