import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { namedQueries } from '../src/postgres-named-query.ts';
import { openPool, POSTGRES_DEFAULTS } from '../src/postgres-pool.ts';
import { newDatabase, onServer, postgresUrl, type TestDatabase } from './postgres/databases.ts';
import { openWith } from './postgres/tenant-on.ts';

describe.skipIf(postgresUrl === null)('a prepared statement', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  let client: pg.PoolClient;
  let run: ReturnType<typeof namedQueries>;

  beforeAll(async () => {
    database = await newDatabase();
  });
  beforeEach(async () => {
    pool = openPool(database.url, { ...POSTGRES_DEFAULTS, answerMs: 300, statementMs: 10_000 });
    client = await pool.connect();
    run = namedQueries();
  });
  afterEach(async () => {
    client.release(true);
    await pool.end();
  });
  afterAll(() => database.drop());

  const ask = (text: string, values: readonly unknown[], name = 'asked') => run(client, { name, text, values });

  test('returns the same as the first time: all types, nulls, many rows, none', async () => {
    const text = `select n::bigint as id, n::smallint as small, n / 3::float8 as part, 'ñ' || n as word,
      nullif(n, 2) as gap, $2::text as given from generate_series(1, $1::int) as n`;
    for (const [count, value] of [
      [3, 'a "b"'],
      [0, 'x'],
      [1000, null],
    ] as const) {
      const { rows } = await client.query(text, [count, value]);
      for (let turn = 0; turn < 2; turn++) expect(await ask(text, [count, value])).toEqual(rows);
    }
  });

  test('is prepared once on each connection, separately for each name', async () => {
    const other = await pool.connect();
    const text = 'select $1::int as a';
    for (let turn = 1; turn < 3; turn++) {
      expect(await ask(text, [turn])).toEqual([{ a: turn }]);
      expect(await run(other, { name: 'asked', text, values: [-turn] })).toEqual([{ a: -turn }]);
      expect(await ask('select $1::int as b', [turn], 'second')).toEqual([{ b: turn }]);
    }
    other.release();
  });

  test('fails with the error of the server or of parsing, and the connection stays usable', async () => {
    const text = 'select 10 / $1::int as a, 9007199254740990 + 10 / $1::int as b';
    await ask(text, [10]);
    await expect(ask(text, [0])).rejects.toMatchObject({ code: '22012' });
    await expect(ask(text, [1])).rejects.toThrow('too great');
    expect(await ask(text, [10])).toEqual([{ a: 1, b: 9_007_199_254_740_991 }]);
  });

  test('has the same time-out as other queries', async () => {
    const text = 'select pg_sleep($1::float8)::text as a';
    expect(await ask(text, [0])).toEqual([{ a: '' }]);
    await expect(ask(text, [5])).rejects.toThrow('Query read timeout');
  });

  test('is prepared again on another connection after its columns changed their type', async () => {
    const { store } = openWith(database.url, { maxConnections: 1 });
    const before = await store.latest.revisions(1);
    // PostgreSQL alters no column that a trigger names.
    await onServer(database.url, (other) => other.query('drop trigger mark_revision on revisions'));
    for (const type of ['integer', 'bigint']) {
      await onServer(database.url, (other) => other.query(`alter table revisions alter column revision type ${type}`));
      await expect(store.latest.revisions(1)).rejects.toMatchObject({ code: '0A000' });
      for (let turn = 0; turn < 2; turn++) expect(await store.latest.revisions(1)).toEqual(before);
    }
    await store.close();
  });
});
