import type { Store, WriteContext, Writer } from '@tarifario/core/service';
import { emptyOut, newDatabase, onServer, type TestDatabase } from '@tarifario/testkit/postgres/databases';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openPool, POSTGRES_DEFAULTS, type PostgresOptions } from '../src/postgres/pool.ts';
import { postgresStore } from '../src/postgres/store.ts';
import { sampleTenant, type Tenant } from './sample-offers.ts';

/** A store as a separate process would open it, with its reports. */
export interface OpenedStore {
  readonly store: Store;
  readonly reports: unknown[];
}

export function openWith(url: string, options: PostgresOptions = {}): OpenedStore {
  const reports: unknown[] = [];
  const all = { ...POSTGRES_DEFAULTS, ...options, report: (error: unknown) => reports.push(error) };
  return { store: postgresStore(openPool(url, all), all), reports };
}

export interface PostgresWorld extends Tenant {
  readonly database: TestDatabase;
  readonly store: Store;
}

/** One database for the tests of a `describe`, with nothing but one tenant when each begins. */
export function tenantOnPostgres() {
  const world = {} as PostgresWorld;
  const opened: OpenedStore[] = [];
  const open = (options: PostgresOptions = {}, url = world.database.url): OpenedStore => {
    const one = openWith(url, options);
    opened.push(one);
    return one;
  };
  beforeAll(async () => {
    Object.assign(world, { database: await newDatabase() });
  });
  beforeEach(async () => {
    await emptyOut(world.database);
    const { store } = open();
    Object.assign(world, { store, ...(await sampleTenant(store)) });
  });
  afterEach(async () => {
    for (const { store } of opened.splice(0)) await store.close();
  });
  afterAll(() => world.database.drop());
  return {
    world,
    /** Opens a store, which is closed after the test. */
    open,
    sql: (text: string, parameters: readonly unknown[] = []) =>
      onServer(world.database.url, (client) => client.query(text, parameters.length > 0 ? [...parameters] : undefined)),
  };
}

/**
 * Begins a unit of work that stays open once its work is done.
 *
 * @returns What commits it, and waits until that is done.
 */
export async function writeAndHold(
  store: Store,
  context: WriteContext,
  work: (writer: Writer) => Promise<unknown>,
): Promise<() => Promise<void>> {
  const [done, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const writing = store.write(context, async (writer) => {
    await work(writer);
    done.resolve();
    await released.promise;
  });
  await Promise.race([done.promise, writing]);
  return async () => {
    released.resolve();
    await writing;
  };
}
