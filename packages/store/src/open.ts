import type { RateLimiter, Store } from '@tarifario/core/service';
import { forgetsStatements, migratePostgres, openPostgres, pendingInPostgres } from './open-postgres.ts';
import { migrateSqlite, openSqlite, pendingInSqlite, watchedSqlite } from './open-sqlite.ts';
import type { PostgresOptions } from './postgres-pool.ts';
import { MAX_LONG_READS } from './sqlite.ts';

/** A database that is open. */
export interface Database {
  /** Closing it closes the database. */
  readonly store: Store;
  /** Counts for every process on the database; `null`: it is for one process, which can count by itself. */
  readonly limiter: RateLimiter | null;
  /** Long reads that may be under way at once: those leave connections to short ones. */
  readonly longReads: number;
  /**
   * Names of the migrations that it lacks: none, unless somebody changed it meanwhile. Cheap enough to be asked often.
   *
   * @throws Error when it cannot be used.
   */
  pending(): Promise<readonly string[]>;
}

/**
 * The database at an address.
 *
 * @param databaseUrl - `sqlite:PATH` or `postgres://...`, of a database that `migrate` has made.
 * @param options - For PostgreSQL, but for `report`, which is for both.
 * @throws Error in words for the operator: an unknown kind of database, one that is not there, cannot be reached or
 * written, is damaged, or lacks migrations. The password in the address is in none of them.
 */
export async function openDatabase(databaseUrl: string, options: PostgresOptions = {}): Promise<Database> {
  if (isPostgres(databaseUrl)) return await openPostgres(databaseUrl, options);
  const { report } = options;
  const store = await openSqlite(databaseUrl, report ? { report } : {});
  return { ...watchedSqlite(databaseUrl, store), limiter: null, longReads: MAX_LONG_READS };
}

/** The store of the database at an address. @throws Error as `openDatabase` does. */
export async function openStore(databaseUrl: string, options: PostgresOptions = {}): Promise<Store> {
  return (await openDatabase(databaseUrl, options)).store;
}

/**
 * Brings a database to the current tables. Several processes may do this at once: one applies, the others wait and find
 * nothing left to do.
 *
 * @returns Names of the migrations that this call applied.
 * @throws Error as `openDatabase` does.
 */
export async function migrate(databaseUrl: string): Promise<{ readonly applied: readonly string[] }> {
  return isPostgres(databaseUrl) ? await migratePostgres(databaseUrl) : await migrateSqlite(databaseUrl);
}

/** Names of the migrations that a database lacks. @throws Error as `openDatabase` does. */
export async function pendingMigrations(databaseUrl: string): Promise<readonly string[]> {
  return isPostgres(databaseUrl) ? await pendingInPostgres(databaseUrl) : await pendingInSqlite(databaseUrl);
}

/** Whether a pooler stands in between that loses what connections prepare. @throws Error as `openDatabase` does. */
export async function isForgetful(databaseUrl: string): Promise<boolean> {
  return isPostgres(databaseUrl) && (await forgetsStatements(databaseUrl));
}

/** @throws Error for an address of any other kind. It may hold a password, so it is not repeated. */
function isPostgres(databaseUrl: string): boolean {
  const [scheme = ''] = databaseUrl.split(':');
  if (scheme === 'sqlite') return false;
  if (scheme !== 'postgres' && scheme !== 'postgresql') {
    throw new Error(`unknown kind of database "${scheme}": the address is sqlite:PATH or postgres://...`);
  }
  if (!URL.canParse(databaseUrl)) throw new Error('the address of the database is not a URL');
  return true;
}
