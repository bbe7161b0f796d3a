import { DomainError, refuseIfAny } from '../../../engine/errors.ts';
import { cleanName } from '../../../engine/text.ts';
import type { Caller } from '../../access/caller.ts';
import { type StoredBytes, wrongPasswordsOf } from '../../access/limits.ts';
import { type Account, checkAccount, type Subscription } from '../../accounts/account.ts';
import type { Reader } from '../../ports/stores.ts';
import { takeOrRefuse } from '../requests/admit.ts';
import type { Command } from '../requests/command.ts';
import type { Deps } from '../requests/deps.ts';
import { type FirmChoice, notFound, readFor } from '../requests/record-access.ts';
import { MAX_WEBHOOKS } from '../webhooks/webhooks.ts';

/** An account, the ids of those of its webhooks that were disabled, and what it has stored. */
export interface AccountState extends Account {
  readonly disabledWebhooks: readonly number[];
  readonly stored: StoredBytes;
}

/** The account of the caller; webhooks of the requested firm only. @throws DomainError `foreign_firm`. */
export async function getAccount(deps: Pick<Deps, 'store'>, caller: Caller, input: FirmChoice): Promise<AccountState> {
  return readFor(deps, { caller, firmId: input.firmId }, async (reader, firmId) => {
    const account = await reader.accounts.get(caller.accountId);
    if (!account) throw notFound('no such account');
    return stateOf(reader, account, firmId);
  });
}

async function stateOf(reader: Reader, account: Account, firmId: number | null): Promise<AccountState> {
  const query = { accountId: account.id, firmId };
  const { results } = await reader.webhooks.list(query, { limit: MAX_WEBHOOKS, offset: 0 });
  const disabledWebhooks = results.flatMap(({ id, disabledAt }) => (disabledAt === null ? [] : [id]));
  return { ...account, disabledWebhooks, stored: await reader.counts.stored(account.id) };
}

/** The active subscription of the caller's account. @throws DomainError `foreign_firm`, `no_subscription`. */
export async function getSubscription(deps: Deps, caller: Caller, input: FirmChoice): Promise<Subscription> {
  return readFor(deps, { caller, firmId: input.firmId }, async (reader) => {
    const subscription = await reader.accounts.subscription(caller.accountId);
    if (subscription?.status !== 'active') {
      throw new DomainError('no_subscription', { message: 'there is no active subscription' });
    }
    return subscription;
  });
}

interface AccountEdit extends FirmChoice {
  /** `null`: not changed. */
  readonly name: string | null;
  readonly email: string | null;
  /** `null`: not sent. Verified whenever it is sent; required when the e-mail address changes. */
  readonly currentPassword: string | null;
}

/** What is to be written, and the password that permits it; `passwordHash: null`: none is needed. */
interface PermittedChange {
  readonly passwordHash: string | null;
  readonly changes: { readonly name?: string; readonly email?: string; readonly passwordHash?: string };
}

/** Writes a change, unless the password that permitted it was changed in the meantime. */
const permitted: Pick<Command<never, AccountState, void, PermittedChange>, 'find' | 'run'> = {
  async find(writer, { accountId }, { passwordHash }) {
    if (passwordHash !== null && passwordHash !== (await writer.accounts.passwordHash(accountId)))
      throw wrongPassword();
  },
  async run(writer, { accountId }, { changes }) {
    const account = await writer.accounts.update(accountId, changes);
    if (!account) throw notFound('no such account');
    return stateOf(writer, account, null);
  },
};

/**
 * Changes the name or the e-mail address of the account. The password is verified before the new address is checked, so
 * that only the owner of the account can find out whether an address is taken.
 *
 * @throws DomainError `invalid_request` when the address changes without a password, `foreign_firm`, `wrong_password`,
 *   `rate_limited` after too many wrong passwords, `business_rule`, `duplicate_email`.
 */
export const editAccount: Command<AccountEdit, AccountState, void, PermittedChange> = {
  ...permitted,
  async before(deps, caller, input) {
    const { currentPassword } = input;
    const before = await getAccount(deps, caller, input);
    const email = input.email === null || cleanName(input.email) === before.email ? null : cleanName(input.email);
    if (email !== null && currentPassword === null) {
      throw new DomainError('invalid_request', {
        issues: [{ path: 'current_password', message: 'is required when the email changes' }],
      });
    }
    const passwordHash = currentPassword === null ? null : await verifiedHash(deps, caller, currentPassword);
    // Only changed fields are written, because another request may be changing the others.
    const changes = {
      ...(input.name === null ? {} : { name: cleanName(input.name) }),
      ...(email === null ? {} : { email }),
    };
    refuseIfAny(checkAccount(changes));
    return { passwordHash, changes };
  },
};

/**
 * Changes the password of the account.
 *
 * @throws DomainError `foreign_firm`, `wrong_password`, `rate_limited` after too many wrong passwords.
 */
export const changePassword: Command<
  FirmChoice & { readonly currentPassword: string; readonly newPassword: string },
  AccountState,
  void,
  PermittedChange
> = {
  ...permitted,
  async before(deps, caller, input) {
    await getAccount(deps, caller, input);
    const verified = await verifiedHash(deps, caller, input.currentPassword);
    return { passwordHash: verified, changes: { passwordHash: await deps.secrets.hashPassword(input.newPassword) } };
  },
};

/**
 * The hash of the account's password, after the password was found correct. A point is taken before the password is
 * verified and returned when it is correct, so that concurrent attempts cannot exceed the limit.
 */
async function verifiedHash(deps: Deps, caller: Caller, password: string): Promise<string> {
  const bucket = wrongPasswordsOf(caller.accountId);
  await takeOrRefuse(deps, [bucket]);
  const passwordHash = await deps.store.read((reader) => reader.accounts.passwordHash(caller.accountId));
  if (passwordHash === null || !(await deps.secrets.verifyPassword(passwordHash, password))) throw wrongPassword();
  await deps.limiter.giveBack([bucket]);
  return passwordHash;
}

function wrongPassword(): DomainError {
  return new DomainError('wrong_password', { message: 'the current password is wrong' });
}
