import type { Store } from '@tarifario/core/service';
import { openStore } from '@tarifario/store';
import { type TemporaryDatabase, temporaryDatabase } from '@tarifario/testkit/temporary-database';
import Database from 'better-sqlite3';
import { afterEach, beforeEach } from 'vitest';
import { countOffers, insert, sampleTenant, type Tenant } from './sample-offers.ts';

export interface SqliteWorld extends Tenant {
  readonly database: TemporaryDatabase;
  /** A test may close it and set another one. It is closed after the test. */
  store: Store;
}

/** For each test of a file a database with one tenant. */
export function tenantOnSqlite() {
  const world = {} as SqliteWorld;
  beforeEach(async () => {
    const database = await temporaryDatabase();
    const store = await openStore(database.url);
    Object.assign(world, { database, store, ...(await sampleTenant(store)) });
  });
  afterEach(async () => {
    await world.store.close();
    world.database.remove();
  });
  return {
    world,
    countOffers: (on = world.store) => countOffers(on, world),
    insert: (count: number, on = world.store) => insert(on, world, count),
    /** The file itself, without the store. */
    raw: <T>(work: (handle: Database.Database) => T): T => {
      const handle = new Database(world.database.path);
      try {
        return work(handle);
      } finally {
        handle.close();
      }
    },
  };
}
