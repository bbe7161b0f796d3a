import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
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
  const handle = explained(path, () => new Database(path, { readonly: true, fileMustExist: true }));
  try {
    // `vacuum into` reads one snapshot; the step-by-step backup begins again whenever somebody writes in between.
    handle.prepare('vacuum into ?').run(partial);
    const copy = openSync(partial, 'r+');
    fsyncSync(copy);
    closeSync(copy);
    renameSync(partial, file);
    return { bytes: statSync(file).size };
  } catch (error) {
    rmSync(partial, { force: true });
    throw new Error(`the backup ${file} ${explanationOf(error)}`, { cause: error });
  } finally {
    handle.close();
  }
}
