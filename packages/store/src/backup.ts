import { closeSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { explained, explanationOf, pathOf } from './open-sqlite.ts';

/**
 * Copies a database to a new file while others read and write it. The copy is the state of one moment, complete, and
 * gets its name only when it is whole on the disk.
 *
 * @param file - Where to; what is there is replaced.
 * @returns The size of the copy.
 * @throws Error in words for the operator.
 */
export async function backUp(databaseUrl: string, file: string): Promise<{ readonly bytes: number }> {
  if (!databaseUrl.startsWith('sqlite:')) {
    throw new Error('only SQLite is backed up like this: PostgreSQL has pg_dump, which copies a database in use');
  }
  const path = pathOf(databaseUrl);
  const partial = `${file}.partial`;
  const handle = explained(path, () => openToRead(path));
  try {
    // What a backup that was killed has left may be readable to others, and is no empty file.
    if (lstatSync(partial, { throwIfNoEntry: false })?.isFile()) rmSync(partial);
    // For its owner alone: it holds every price and password hash. SQLite fills an empty file as it would make a new one,
    // and would not say why it cannot make one.
    closeSync(openSync(partial, 'w', 0o600));
    // `vacuum into` reads one snapshot; the step-by-step backup begins again whenever somebody writes in between.
    handle.prepare('vacuum into ?').run(partial);
    const copy = openSync(partial, 'r+');
    fsyncSync(copy);
    closeSync(copy);
    renameSync(partial, file);
    return { bytes: statSync(file).size };
  } catch (error) {
    removeQuietly(partial);
    throw new Error(`the backup ${file} ${explanationOf(error)}`, { cause: error });
  } finally {
    handle.close();
  }
}

/** Reads once: what is wrong with the database itself shows before anything is said about the backup. */
function openToRead(path: string): Database.Database {
  const handle = new Database(path, { readonly: true, fileMustExist: true });
  try {
    handle.pragma('schema_version');
    return handle;
  } catch (error) {
    handle.close();
    throw error;
  }
}

/** Where nothing could be made there may be nothing to remove, nor a directory. */
function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {}
}
