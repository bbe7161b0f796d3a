import type { Store } from '@tarifario/core/service';
import { importContract, storeContract } from '@tarifario/core/testing';
import { emptyBy, newDatabase, postgresUrl, type TestDatabase } from '@tarifario/testkit/postgres/databases';
import { isFullLength, runsOf, runsOfContract } from '@tarifario/testkit/share';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPool, POSTGRES_DEFAULTS } from '../src/postgres/pool.ts';
import { postgresStore } from '../src/postgres/store.ts';
import { unexcused } from './by-owner/exceptions.ts';
import { violationsIn } from './by-owner/statements.ts';

/**
 * Of each noun what a server may do otherwise than a file: at full length the whole contract, as always on SQLite. Both
 * stores have the same queries.
 */
const LAWS: readonly string[] = [
  'of twenty accounts created at once with one e-mail address, one exists',
  'A-51: two names of firms, companies or the catalog are the same name exactly where foldName says so',
  'A-23: every recorded write to the catalog is read as it was written, in order, and raises no revision',
  'an offer is read as it was written, to the last bit of its numbers',
  'a list of offers has exactly those that matchesFilter and matchesCompany accept, by id',
  'A-62: offers of both supplies can be read without commissions, by id, in lists and from the catalog',
  'A-52: offers whose different sections change together are then as asked, and their versions as they were',
  'A-52: versions of offers whose tiers change back and forth each have the tiers of their time',
  'A-52: versions of offers that had equal tiers each have those of their own time',
  'many months written at once have the effect of writing each, version by version',
  'A-86: the past of an owner has the first change of each offer and month after an instant or a revision',
  'the changes after a revision are exactly the changed records, whole',
  'changes of an owner are listed once each, in order of revision, kind and id, and page by page',
  'A-63: the number of records of an owner is right after each change, and unchanged after a failed one',
  'A-162: bytes of versions and proposals are counted as they are stored, and not where they are not kept',
  'A-52: a unit of work that fails after any of its steps changes nothing',
  'after a failed change its unit of work is rolled back, even when the error was caught',
  'writers wait for each other: no change is lost',
  'units of work that have a concern in common wait for each other, in whatever order they name them',
  'changes that nobody awaited are stored with their unit of work',
  'A-88: a proposal is read as it was made, and only by its account and firm',
  'A-88: a proposal is deleted alone, once, and only by its account, and its id is given to no other',
  'a single read returns what is committed, whatever transactions are running',
  'a read sees the state of its start, not of its first query',
  'A-53: of 20 units of work that store an answer under one name at once, one succeeds',
  'of twenty workers that take a pending upload at once, one gets it',
  'of twenty workers that take at once, each gets another upload or none',
  'a list and a summary have exactly the calls that match their query, for any query',
  'A-37: a batch of calls is recorded once, however often it is sent, and later batches follow it',
  'A-123: an event that is queued again while it is sent is due at once, whatever comes of the sending',
  'A-123: one sender has a webhook at a time, and those served least recently come first',
];

describe.skipIf(postgresUrl === null)('the store on PostgreSQL', () => {
  let database: TestDatabase;
  /** Of all stores: a new connection reads the catalog of the server again, which takes longer than most cases. */
  let pool: pg.Pool;
  let endPool: () => Promise<void>;
  /** What the stores have sent. */
  const sent = new Set<string>();

  beforeAll(async () => {
    database = await newDatabase();
    pool = openPool(database.url, POSTGRES_DEFAULTS);
    endPool = pool.end.bind(pool);
    pool.end = async () => {};
    pool.on('connect', (client) => {
      const query: (...args: readonly unknown[]) => unknown = client.query.bind(client);
      const watched = (...args: readonly unknown[]) => {
        const [text] = args;
        sent.add(typeof text === 'string' ? text : String(Object(text).text));
        return query(...args);
      };
      client.query = watched as pg.PoolClient['query'];
    });
  });
  afterAll(async () => {
    await endPool();
    await database.drop();
  });

  const makeStore = async () => {
    await emptyBy(pool);
    return postgresStore(pool, POSTGRES_DEFAULTS);
  };

  const contract = storeContract(makeStore, { runs: runsOfContract });
  test('has every law of the share in its contract', () => {
    expect(LAWS.filter((law) => !contract.some(({ name }) => name === law))).toEqual([]);
  });
  for (const { name, run } of contract.filter((law) => isFullLength || LAWS.includes(law.name))) test(name, run);

  /** Every row of every table, except for those that a refused upload leaves, and locks. */
  const dump = async (_store: Store) => {
    const { rows: tables } = await pool.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'upload%' and tablename <> 'write_locks'",
    );
    if (tables.length < 10) throw new Error('a database without its tables');
    const queries = tables.map(({ name }) => `select '${name}' as name, ${name}::text as row from ${name}`);
    return (await pool.query(`${queries.join(' union all ')} order by 1, 2`)).rows;
  };

  for (const { name, run } of importContract(makeStore, { dump, runs: runsOf(1, 4) })) test(name, run);

  test('sends statements of an owner in every part, or such that are excused', () => {
    // The others are those of this test.
    const ofStores = [...sent].filter((text) => !/^do \$\$|pg_tables|::text as row/.test(text));
    expect(ofStores.length).toBeGreaterThan(100);
    const found = [...new Set(ofStores.flatMap(violationsIn))];
    expect(unexcused(found, { ofTables: false, isAll: isFullLength })).toEqual({ refused: [], outdated: [] });
  });
});
