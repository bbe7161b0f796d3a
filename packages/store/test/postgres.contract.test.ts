import type { Store } from '@tarifario/core/service';
import { importContract, storeContract } from '@tarifario/core/testing';
import { emptyBy, newDatabase, postgresUrl, type TestDatabase } from '@tarifario/testkit/postgres/databases';
import { runsOf, runsOfContract } from '@tarifario/testkit/share';
import type pg from 'pg';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { postgresStore } from '../src/postgres.ts';
import { openPool, POSTGRES_DEFAULTS } from '../src/postgres-pool.ts';

describe.skipIf(postgresUrl === null)('the store on PostgreSQL', () => {
  let database: TestDatabase;
  /** Of all stores: a new connection reads the catalog of the server again, which takes longer than most cases. */
  let pool: pg.Pool;
  let endPool: () => Promise<void>;

  beforeAll(async () => {
    database = await newDatabase();
    pool = openPool(database.url, POSTGRES_DEFAULTS);
    endPool = pool.end.bind(pool);
    pool.end = async () => {};
  });
  afterAll(async () => {
    await endPool();
    await database.drop();
  });

  const makeStore = async () => {
    await emptyBy(pool);
    return postgresStore(pool, POSTGRES_DEFAULTS);
  };

  for (const { name, run } of storeContract(makeStore, { runs: runsOfContract })) test(name, run);

  /** Every row of every table, except for those that a refused upload leaves. */
  const dump = async (_store: Store) => {
    const { rows: tables } = await pool.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'upload%'",
    );
    if (tables.length < 10) throw new Error('a database without its tables');
    const queries = tables.map(({ name }) => `select '${name}' as name, ${name}::text as row from ${name}`);
    return (await pool.query(`${queries.join(' union all ')} order by 1, 2`)).rows;
  };

  for (const { name, run } of importContract(makeStore, { dump, runs: runsOf(2, 4) })) test(name, run);
});
