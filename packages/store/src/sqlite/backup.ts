import { closeSync, fsyncSync, lstatSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { DatabaseProblem } from '../database.ts';
import { explained, explanationOf, pathOf } from './open.ts';

/**
 * Copies a database to a new file while others read and write it. The copy is a consistent snapshot, and gets its final
 * name only when it is complete on disk.
 *
 * @param file - The target file, which is replaced if it exists.
 * @returns The size of the copy.
 * @throws DatabaseProblem.
 */
export async function backUp(databaseUrl: string, file: string): Promise<{ readonly bytes: number }> {
  if (!databaseUrl.startsWith('sqlite:')) {
    throw new DatabaseProblem(
      'only SQLite is backed up like this: PostgreSQL has pg_dump, which copies a database in use',
    );
  }
  const path = pathOf(databaseUrl);
  const partial = `${file}.partial`;
  const handle = explained(path, () => openToRead(path));
  try {
    // A killed backup may have left a file that is not empty or that others can read.
    if (lstatSync(partial, { throwIfNoEntry: false })?.isFile()) rmSync(partial);
    // Readable by its owner only, because it contains every price and password hash. The empty file is created first:
    // SQLite fills it as it would a new one, but would give no reason if it could not create it.
    closeSync(openSync(partial, 'w', 0o600));
    // `vacuum into` reads one snapshot; the incremental backup of SQLite starts again after every write.
    handle.prepare('vacuum into ?').run(partial);
    const copy = openSync(partial, 'r+');
    fsyncSync(copy);
    closeSync(copy);
    renameSync(partial, file);
    return { bytes: statSync(file).size };
  } catch (error) {
    removeQuietly(partial);
    throw new DatabaseProblem(`the backup ${file} ${explanationOf(error)}`, { cause: error });
  } finally {
    handle.close();
  }
}

/** Opens and reads the database first, so that its own errors are reported before those of the backup. */
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

/** If creating the file failed, neither it nor its directory may exist. */
function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {}
}
