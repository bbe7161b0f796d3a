import type { Store } from '@tarifario/core/service';
import { openStore } from '@tarifario/store';
import type { World } from '@tarifario/testkit/api/world';
import { newStore } from '@tarifario/testkit/new-store';
import { emptyOut, newDatabase, postgresUrl, type TestDatabase } from '@tarifario/testkit/postgres/databases';
import { afterAll, afterEach } from 'vitest';

let onServer: TestDatabase | null = null;
const open = new Set<Store>();

/** One database for all tests of a file, emptied for each. */
async function postgresStore(): Promise<Store> {
  onServer ??= await newDatabase();
  await emptyOut(onServer);
  const store = await openStore(onServer.url);
  open.add(store);
  return store;
}

/** Closes the stores on the server that a test has used; a file that makes such stores calls it once. */
export function removeDatabasesAfterEach(): void {
  afterEach(async () => {
    for (const store of open) await store.close();
    open.clear();
  });
  afterAll(async () => {
    await onServer?.drop();
    onServer = null;
  });
}

/** For tests that ask the same of a service over each store: PostgreSQL where there is a server. */
export const ALL_STORES: readonly (readonly [name: string, makeStore: () => Promise<Store>])[] = [
  ['SQLite', newStore],
  ...(postgresUrl === null ? [] : [['PostgreSQL', postgresStore] as const]),
];

/** All that the account of a world has and all of the catalog, with every version of every offer, as one text. */
export function everythingOf({ store, account }: Pick<World, 'store' | 'account'>): Promise<string> {
  return store.read(async (reader) => {
    const own = await reader.changes.since(account.id, 0);
    const versions = await Promise.all(own.offers.map(({ offer }) => reader.offers.versions(account.id, offer.id)));
    const catalog = await reader.changes.since('catalog', 0);
    return JSON.stringify({ own, catalog, versions, revisions: await reader.changes.revisions(account.id) });
  });
}
