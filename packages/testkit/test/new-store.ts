import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Store } from '@tarifario/core/service';
import { sqliteStore } from '@tarifario/store/sqlite';
import { onTestFinished } from 'vitest';
import { kept } from './kept-stores.ts';
import { temporaryDatabase, temporaryPlace } from './temporary-database.ts';

/** No store of these tests is ever restored, so a revision is its own mark: cursors of two stores are the same. */
async function migratedOnce(): Promise<Uint8Array> {
  const place = await temporaryDatabase();
  const handle = new DatabaseSync(place.path);
  handle.exec(`create trigger plain_marks after insert on revision_marks begin
    update revision_marks set mark = revision where owner_id = new.owner_id and revision = new.revision; end`);
  handle.close();
  const bytes = readFileSync(place.path);
  place.remove();
  return bytes;
}

let emptyBytes: Promise<Uint8Array> | undefined;
const empty = () => (emptyBytes ??= migratedOnce());

function openCopy(bytes: Uint8Array) {
  const place = temporaryPlace();
  writeFileSync(place.path, bytes);
  // Checks that `openStore` makes of a file take longer than most tests.
  return { place, store: sqliteStore(place.path) };
}

/**
 * A store for a test, over a SQLite file in memory: an empty one, or a copy. It goes with the test that made it, or,
 * where no test runs, with the file of tests.
 *
 * @param bytes - The file of another store, as `bytesAfter` gives it.
 */
export async function newStore(bytes?: Uint8Array): Promise<Store> {
  const { place, store } = openCopy(bytes ?? (await empty()));
  const remove = async () => {
    await store.close();
    place.remove();
  };
  try {
    onTestFinished(remove);
  } catch {
    kept.push(remove);
  }
  return store;
}

/** The file of a store once `fill` is done, for copies, and what `fill` returned. */
export async function bytesAfter<T>(
  fill: (store: Store) => Promise<T>,
): Promise<{ readonly bytes: Uint8Array; readonly answer: T }> {
  const { place, store } = openCopy(await empty());
  try {
    const answer = await fill(store);
    await store.close();
    return { bytes: readFileSync(place.path), answer };
  } finally {
    place.remove();
  }
}
