import { type Caller, callerWhoSees, createOfferCache, type OffersAsked, type Store } from '@tarifario/core/service';
import { type Config, compose, createLog, migrate, readConfig, type Service } from '@tarifario/runtime';
import { CommandError, type Run } from './command.ts';

/** The settings and the log of this process. @throws ConfigError */
export function readSettings(): { readonly config: Config; readonly log: ReturnType<typeof createLog> } {
  const config = readConfig(process.env);
  return { config, log: createLog(config.logLevel) };
}

export const migrateCommand: Run = async () => {
  const { config, log } = readSettings();
  const { applied } = await migrate(config.databaseUrl, log);
  return { json: { applied } };
};

/**
 * Opens the database of `DATABASE_URL`, runs `work` and closes it. Like the server it first applies pending migrations,
 * so that the first command on a new machine works.
 */
export async function withDatabase<T>(work: (service: Service) => Promise<T>): Promise<T> {
  const { config, log } = readSettings();
  await migrate(config.databaseUrl, log);
  const service = await compose(config.databaseUrl, log, { regulatedRowsFile: config.regulatedRowsFile });
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

export function noSuchAccount(id: number): CommandError {
  return new CommandError(`there is no account ${id}`);
}

/**
 * The command line opens the database itself, so its caller may see all that an account has.
 *
 * @throws CommandError where there is no such account.
 */
export async function operatorOf(store: Store, accountId: number): Promise<Caller> {
  if ((await store.read((reader) => reader.accounts.get(accountId))) === null) throw noSuchAccount(accountId);
  return callerWhoSees(accountId, true);
}

/** Opens the database for the offers that an account reaches. */
export function withAccount<T>(accountId: number, work: (asked: OffersAsked) => Promise<T>): Promise<T> {
  return withDatabase(async ({ store, clock }) => {
    const caller = await operatorOf(store, accountId);
    return work({ deps: { store, clock, offerCache: createOfferCache() }, caller });
  });
}
