import {
  type Account,
  checkAccount,
  checkPassword,
  cleanName,
  inWords,
  refuseIfAny,
  type Subscription,
} from '@tarifario/core/service';
import { type Arguments, CommandError, idFrom, oneOf, type Run, UsageError } from './command.ts';
import { noSuchAccount, withDatabase } from './database.ts';
import { firstLineOf } from './first-line.ts';
import { shownSubscription, subscriptionTerms, wantedSubscription } from './subscription.ts';

export const createAccount: Run = async (args) => {
  const [name, email] = [cleanName(args.required('name')), cleanName(args.required('email'))];
  refuseIfAny(checkAccount({ name, email }));
  const wanted = wantedSubscription(args);
  const password = await readPassword(args.required('password'));
  return withDatabase(async ({ store, clock, secrets }) => {
    const passwordHash = await secrets.hashPassword(password);
    const now = clock.now();
    const json = await store.write({ keyId: null, at: now }, async (writer) => {
      // A new installation needs a catalog editor: only an editor can fill the catalog.
      const isFirst = (await writer.accounts.list()).length === 0;
      const isCatalogEditor = isFirst || args.flag('catalog-editor');
      const account = await writer.accounts.insert({ name, email, passwordHash, isCatalogEditor });
      if (wanted === null) return toWireAccount(account, null);
      const terms = subscriptionTerms(wanted, { current: null, now });
      return toWireAccount(account, await writer.accounts.putSubscription(account.id, terms));
    });
    return { json };
  });
};

export const listAccounts: Run = () =>
  withDatabase(async ({ store }) => {
    const json = await store.read(async (reader) => {
      const accounts = [];
      for (const account of await reader.accounts.list()) {
        accounts.push(toWireAccount(account, await reader.accounts.subscription(account.id)));
      }
      return accounts;
    });
    return { json, records: json };
  });

export const setAccount: Run = async (args) => {
  const editor = args.value('catalog-editor');
  const password = args.value('password');
  if (editor === null && password === null) throw new UsageError('account set needs something to set');
  return changeAccount(args, {
    ...(editor !== null && { isCatalogEditor: oneOf(['true', 'false'], editor, '--catalog-editor') === 'true' }),
    ...(password !== null && { password: await readPassword(password) }),
  });
};

export const activateAccount: Run = (args) => changeAccount(args, { isActive: true });
export const deactivateAccount: Run = (args) => changeAccount(args, { isActive: false });

function changeAccount(
  args: Arguments,
  { password, ...others }: { isActive?: boolean; isCatalogEditor?: boolean; password?: string },
) {
  const id = idFrom(args.required('ID'), 'ID');
  return withDatabase(async ({ store, clock, secrets }) => {
    const passwordHash = password === undefined ? {} : { passwordHash: await secrets.hashPassword(password) };
    const changes = { ...others, ...passwordHash };
    const json = await store.write({ keyId: null, at: clock.now(), concerns: [id] }, async (writer) => {
      const account = await writer.accounts.update(id, changes);
      if (account === null) throw noSuchAccount(id);
      return toWireAccount(account, await writer.accounts.subscription(id));
    });
    return { json };
  });
}

function toWireAccount(account: Account, subscription: Subscription | null): object {
  return {
    id: account.id,
    name: account.name,
    email: account.email,
    is_active: account.isActive,
    is_catalog_editor: account.isCatalogEditor,
    created_at: account.createdAt,
    subscription: subscription === null ? null : shownSubscription(subscription),
  };
}

/**
 * The given password, or with `-` the first line of standard input, so that it does not show in a list of processes.
 */
async function readPassword(passwordText: string): Promise<string> {
  const { stdin, stderr } = process;
  const typed = { terminal: stdin.isTTY ? stderr : null, question: 'password: ' };
  const password = passwordText === '-' ? await firstLineOf(stdin, typed) : passwordText;
  for (const { path, message } of checkPassword('password', password))
    throw new CommandError(`${path}: ${inWords(message)}`);
  return password;
}
