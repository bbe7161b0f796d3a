import type { Store } from '@tarifario/core/service';
import { type Database, DatabaseProblem, type Examination } from './database.ts';
import {
  examinePostgres,
  migratePostgres,
  openPostgres,
  pendingInPostgres,
  postgresForgetsStatements,
} from './postgres/open.ts';
import type { PostgresOptions } from './postgres/pool.ts';
import { examineSqlite, migrateSqlite, openSqlite, pendingInSqlite, watchedSqlite } from './sqlite/open.ts';
import { MAX_LONG_READS } from './sqlite/store.ts';

/**
 * The database at an address.
 *
 * @param databaseUrl - `sqlite:PATH` or `postgres://...`, of a database that `migrate` has made.
 * @param options - For PostgreSQL only, except `report`, which is for both.
 * @throws DatabaseProblem: an unknown kind of database, one that is not there, cannot be reached or
 * written, is damaged, or lacks migrations. The password in the address is in none of them.
 */
export async function openDatabase(databaseUrl: string, options: PostgresOptions = {}): Promise<Database> {
  if (isPostgres(databaseUrl)) return await openPostgres(databaseUrl, options);
  const { report } = options;
  const store = await openSqlite(databaseUrl, report ? { report } : {});
  return { ...watchedSqlite(databaseUrl, store), limiter: null, longReads: MAX_LONG_READS, connections: () => null };
}

/** The store of the database at an address. @throws DatabaseProblem as `openDatabase` does. */
export async function openStore(databaseUrl: string, options: PostgresOptions = {}): Promise<Store> {
  return (await openDatabase(databaseUrl, options)).store;
}

/**
 * Migrates a database to the current schema. Several processes may call this at once: one applies the migrations, the
 * others wait.
 *
 * @param onWait - Called after each minute of waiting.
 * @returns The names of the migrations that this call applied.
 * @throws DatabaseProblem as `openDatabase` does.
 */
export async function migrate(
  databaseUrl: string,
  onWait = () => {},
): Promise<{ readonly applied: readonly string[] }> {
  if (isPostgres(databaseUrl)) return await migratePostgres(databaseUrl, { onWait });
  return await migrateSqlite(databaseUrl, { onWait });
}

/** Names of the migrations that a database lacks. @throws DatabaseProblem as `openDatabase` does. */
export async function pendingMigrations(databaseUrl: string): Promise<readonly string[]> {
  return isPostgres(databaseUrl) ? await pendingInPostgres(databaseUrl) : await pendingInSqlite(databaseUrl);
}

/** Whether there is a pooler in between that loses prepared statements. @throws DatabaseProblem as `openDatabase` does. */
export async function forgetsStatements(databaseUrl: string): Promise<boolean> {
  return isPostgres(databaseUrl) && (await postgresForgetsStatements(databaseUrl));
}

/** Looks at a database without changing it. @throws DatabaseProblem as `openDatabase` does. */
export async function examine(databaseUrl: string): Promise<Examination> {
  return isPostgres(databaseUrl) ? await examinePostgres(databaseUrl) : examineSqlite(databaseUrl);
}

/** @throws DatabaseProblem for an address of any other kind. It may hold a password, so it is not repeated. */
export function isPostgres(databaseUrl: string): boolean {
  const [scheme = ''] = databaseUrl.split(':');
  if (scheme === 'sqlite') return false;
  if (scheme !== 'postgres' && scheme !== 'postgresql') {
    throw new DatabaseProblem(`unknown kind of database "${scheme}": the address is sqlite:PATH or postgres://...`);
  }
  if (!URL.canParse(databaseUrl)) throw new DatabaseProblem('the address of the database is not a URL');
  return true;
}
