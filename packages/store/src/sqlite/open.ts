import { accessSync, chmodSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Store } from '@tarifario/core/service';
import Database from 'better-sqlite3';
import { DatabaseProblem, type Examination, type Database as OpenDatabase } from '../database.ts';
import { MIGRATIONS, type Migration, pendingAmong, refuse } from '../migrations/index.ts';
import { isBusy, openReader, openWriter, type SqliteOptions, sqliteStore } from './store.ts';

/**
 * The store at an address.
 *
 * @param databaseUrl - `sqlite:PATH` of a file that `migrate` has made.
 * @throws DatabaseProblem: an unknown kind of database, no file, a damaged one, one that cannot be
 * written, pending migrations.
 */
export async function openSqlite(databaseUrl: string, options: Pick<SqliteOptions, 'report'> = {}): Promise<Store> {
  const path = pathOf(databaseUrl);
  if (!existsSync(path)) throw new DatabaseProblem(`there is no database file ${path}: run the migrations first`);
  const pending = await pendingInSqlite(databaseUrl);
  if (pending.length > 0) throw new DatabaseProblem(`the database ${path} lacks migrations: ${pending.join(', ')}`);
  return explained(path, () => {
    checkFile(path);
    return sqliteStore(path, options);
  });
}

/**
 * Migrates a database to the current schema, and creates the file and its directory (but no parent directories) if
 * missing. Several processes may call this at once: one applies the migrations, the others wait.
 *
 * @param options - `onWait`: called after each `waitMs` of waiting, of which there are 15 at most.
 * @returns The names of the migrations that this call applied.
 * @throws DatabaseProblem as `openSqlite` does.
 */
export async function migrateSqlite(
  databaseUrl: string,
  { migrations = MIGRATIONS, waitMs = 60_000, onWait = () => {} } = {},
): Promise<{ readonly applied: readonly string[] }> {
  const path = pathOf(databaseUrl);
  const handle = explained(path, () => createFile(path));
  try {
    handle.pragma('busy_timeout = 0');
    const run = handle.transaction(() => apply(handle, pendingIn(handle, migrations)));
    for (let waits = 1; ; waits += 1) {
      const end = performance.now() + waitMs;
      for (;;) {
        const isLast = performance.now() >= end;
        const applied = explained(path, () => unlessBusy(run.immediate, waits === MAX_MIGRATION_WAITS && isLast));
        if (applied) return { applied };
        if (isLast) break;
        // Not in SQLite, which would let no signal through.
        await setTimeout(Math.min(waitMs, MIGRATION_RETRY_MS));
      }
      onWait();
    }
  } finally {
    handle.close();
  }
}

/** `null`: another process writes. */
function unlessBusy<T>(work: () => T, isLast: boolean): T | null {
  try {
    return work();
  } catch (error) {
    if (isLast || !isBusy(error)) throw error;
    return null;
  }
}

/** Names of the migrations that a database lacks; all of them when there is no file. */
export async function pendingInSqlite(databaseUrl: string, migrations = MIGRATIONS): Promise<readonly string[]> {
  const path = pathOf(databaseUrl);
  if (!existsSync(path)) return migrations.map(({ name }) => name);
  return explained(path, () => {
    const handle = new Database(path, { readonly: true, fileMustExist: true });
    try {
      return pendingIn(handle, migrations).map(({ name }) => name);
    } finally {
      handle.close();
    }
  });
}

/**
 * A store, and the pending migrations of its file. They are read on a connection that stays open, because opening one
 * takes much longer. A connection does not notice when the file is removed, replaced or made read-only, so that is
 * checked in the file system.
 */
export function watchedSqlite(databaseUrl: string, store: Store): Pick<OpenDatabase, 'store' | 'pending'> {
  const path = pathOf(databaseUrl);
  const { ino } = statSync(path);
  const handle = openReader(path);
  const pending = async () => {
    if (!handle.open) throw new RangeError('the store is closed');
    return explained(path, () => {
      if (statSync(path).ino !== ino) throw new DatabaseProblem('it was replaced while it is in use');
      accessSync(path, constants.W_OK);
      accessSync(dirname(path), constants.W_OK);
      return pendingIn(handle, MIGRATIONS).map(({ name }) => name);
    });
  };
  const close = async () => {
    handle.close();
    await store.close();
  };
  return { store: { ...store, close }, pending };
}

/** Looks at a file without changing it. @throws DatabaseProblem as `openSqlite` does. */
export function examineSqlite(databaseUrl: string): Examination {
  const path = pathOf(databaseUrl);
  if (!existsSync(path)) throw new DatabaseProblem(`there is no database file ${path}: tarifario migrate makes it`);
  return explained(path, () => {
    checkFile(path);
    const handle = new Database(path, { readonly: true, fileMustExist: true });
    try {
      const version = handle.prepare<[], string>('select sqlite_version()').pluck().get();
      const isOpen = (statSync(path).mode & 0o077) !== 0;
      const lacks = isOpen ? [`to be read by its owner alone: chmod 600 ${path}`] : [];
      return { version: `SQLite ${version}`, clockAheadMs: null, lacks };
    } finally {
      handle.close();
    }
  });
}

/** Opens a file to write, which is created with its directory if it is missing. */
export function createFile(path: string): Database.Database {
  makeDirectory(dirname(path));
  keepToItsOwner(path);
  return openWriter(path);
}

/** One level only, because Node's recursive mkdir never returns below a place that allows no directories (/proc). */
function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Also thrown when another process was faster.
    if (!existsSync(path)) throw error;
  }
}

/**
 * Restricts the database file to its owner, whatever the umask, also an existing one. SQLite gives its other files the
 * same rights when it creates them.
 */
function keepToItsOwner(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    try {
      if (file === path) closeSync(openSync(file, 'a', 0o600));
      const { mode } = statSync(file);
      if ((mode & 0o077) !== 0) chmodSync(file, mode & 0o700);
    } catch {
      // The file is missing or has another owner: opening it will report that.
    }
  }
}

const MAX_MIGRATION_WAITS = 15;
const MIGRATION_RETRY_MS = 100;

export function pathOf(databaseUrl: string): string {
  const path = databaseUrl.replace(/^sqlite:/, '');
  if (path === '' || path.startsWith(':'))
    throw new DatabaseProblem('the address of a database is sqlite:PATH of a file');
  return path;
}

function pendingIn(handle: Database.Database, migrations: readonly Migration[]): readonly Migration[] {
  const known = "select name from sqlite_schema where name in ('accounts', 'migrations')";
  const tables = handle.prepare<[], string>(known).pluck().all();
  const isMigrated = tables.includes('migrations');
  const applied = isMigrated ? handle.prepare<[], string>('select name from migrations').pluck().all() : [];
  return pendingAmong(migrations, tables.length === 0 ? null : applied);
}

/** Applies migrations in a transaction that is open. @returns Their names. */
export function apply(handle: Database.Database, pending: readonly Migration[]): readonly string[] {
  handle.exec('create table if not exists migrations (name text primary key, applied_at text not null) strict');
  const record = handle.prepare(
    "insert into migrations (name, applied_at) values (?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
  );
  for (const { name, sqlite, refusals } of pending) {
    if (refusals) refuse(name, handle.prepare<[], { refusal: string }>(refusals.sqlite).all());
    handle.exec(sqlite);
    record.run(name);
  }
  return pending.map(({ name }) => name);
}

/** Refuses a file that is damaged or not writable, before it is used. */
function checkFile(path: string): void {
  const handle = openWriter(path);
  try {
    const findings = handle.prepare<[], string>('pragma quick_check(1)').pluck().all();
    if (findings.join() !== 'ok') throw new DamagedFile();
    // Without a write statement, SQLite opens a file that it cannot write without an error.
    handle.exec('begin immediate; delete from migrations where false; rollback');
  } catch (error) {
    if (!isBusy(error)) throw error;
  } finally {
    handle.close();
  }
}

class DamagedFile extends Error {}

const EXPLANATIONS: readonly (readonly [prefix: string, text: string])[] = [
  ['SQLITE_NOTADB', 'is not a database'],
  ['SQLITE_CORRUPT', 'is damaged: restore a backup'],
  ['SQLITE_READONLY', 'cannot be written: check the permissions of the file and of its directory'],
  ['SQLITE_CANTOPEN', 'cannot be opened: check its directory and the permissions'],
  ['SQLITE_FULL', 'cannot be written: the disk is full'],
  // When there is no space for its shared-memory file.
  ['SQLITE_IOERR_SHMSIZE', 'cannot be read or written: the disk is full'],
  ['ENOSPC', 'cannot be written: the disk is full'],
  ['EDQUOT', 'cannot be written: the disk is full'],
  ['SQLITE_IOERR', 'cannot be read or written: the disk fails'],
  ['SQLITE_BUSY', 'is kept busy by another process'],
];

/** Runs `work` and rewords errors of the driver and the system, with the original as the cause. */
export function explained<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new DatabaseProblem(`the database file ${path} ${explanationOf(error)}`, { cause: error });
  }
}

export function explanationOf(error: unknown): string {
  if (error instanceof DamagedFile) return 'is damaged: restore a backup';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const explanation = EXPLANATIONS.find(([prefix]) => code.startsWith(prefix));
  if (explanation) return explanation[1];
  return ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'EEXIST'].includes(code)
    ? 'cannot be made: check its directory and the permissions'
    : `cannot be used: ${error instanceof Error ? error.message : 'nobody says why'}`;
}
