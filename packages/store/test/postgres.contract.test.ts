import type { Store } from '@tarifario/core/service';
import { importContract, storeContract } from '@tarifario/core/testing';
import { openStore } from '@tarifario/store';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { emptyOut, newDatabase, onServer, postgresUrl, type TestDatabase } from './postgres/databases.ts';

describe.skipIf(postgresUrl === null)('the store on PostgreSQL', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await newDatabase();
  });
  afterAll(() => database.drop());

  const makeStore = async () => {
    await emptyOut(database);
    return await openStore(database.url);
  };

  for (const { name, run } of storeContract(makeStore)) test(name, run);

  /** Every row of every table, except for those that a refused upload leaves. */
  const dump = (_store: Store) =>
    onServer(database.url, async (client) => {
      const { rows: tables } = await client.query<{ name: string }>(
        "select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'upload%'",
      );
      if (tables.length < 10) throw new Error('a database without its tables');
      const queries = tables.map(({ name }) => `select '${name}' as name, ${name}::text as row from ${name}`);
      return (await client.query(`${queries.join(' union all ')} order by 1, 2`)).rows;
    });

  for (const { name, run } of importContract(makeStore, { dump, runs: 4 })) test(name, run);
});
