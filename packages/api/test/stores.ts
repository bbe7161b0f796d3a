import type { Store } from '@tarifario/core/service';
import { createMemoryStore } from '@tarifario/core/testing';
import { openStore } from '@tarifario/store';
import type { World } from '@tarifario/testkit/api/world';
import { emptyOut, newDatabase, postgresUrl, type TestDatabase } from '@tarifario/testkit/postgres/databases';
import { type TemporaryDatabase, temporaryDatabase } from '@tarifario/testkit/temporary-database';
import { afterAll, afterEach } from 'vitest';

const databases: { readonly store: Store; readonly place: Pick<TemporaryDatabase, 'remove'> }[] = [];
let onServer: TestDatabase | null = null;

async function sqliteStore(): Promise<Store> {
  const place = await temporaryDatabase();
  const store = await openStore(place.url);
  databases.push({ store, place });
  return store;
}

/** One database for all tests of a file, emptied for each. */
async function postgresStore(): Promise<Store> {
  onServer ??= await newDatabase();
  await emptyOut(onServer);
  const store = await openStore(onServer.url);
  databases.push({ store, place: { remove: () => {} } });
  return store;
}

/** Removes the databases that a test has used; a file that makes such stores calls it once. */
export function removeDatabasesAfterEach(): void {
  afterEach(async () => {
    for (const { store, place } of databases.splice(0)) {
      await store.close();
      place.remove();
    }
  });
  afterAll(async () => {
    await onServer?.drop();
    onServer = null;
  });
}

/** For tests that ask the same of a service over each store. */
export const STORES: readonly (readonly [name: string, makeStore: () => Promise<Store>])[] = [
  ['memory', async () => createMemoryStore()],
  ['SQLite', sqliteStore],
];

/** Those, and PostgreSQL where there is a server. */
export const ALL_STORES: typeof STORES = [
  ...STORES,
  ...(postgresUrl === null ? [] : [['PostgreSQL', postgresStore] as const]),
];

/** All that the account of a world has and all of the catalog, with every version of every offer, as one text. */
export function everythingOf({ store, account }: Pick<World, 'store' | 'account'>): Promise<string> {
  return store.read(async (reader) => {
    const own = await reader.changes.since(account.id, 0);
    const versions = await Promise.all(own.offers.map(({ offer }) => reader.offers.versions(offer.id)));
    const catalog = await reader.changes.since('catalog', 0);
    return JSON.stringify({ own, catalog, versions, revisions: await reader.changes.revisions(account.id) });
  });
}
