import { emptyDatabase, onServer, postgresUrl, untilWaiting } from '@tarifario/testkit/postgres/databases';
import { expect, test } from 'vitest';
import { MIGRATIONS } from '../src/migrations/index.ts';
import { migratePostgres } from '../src/postgres/open.ts';

test.skipIf(postgresUrl === null)(
  'look-ups of keys and revisions go on while PostgreSQL gives keys their owner',
  async () => {
    const database = await emptyDatabase();
    const at = MIGRATIONS.findIndex((migration) => migration.name === '0018-write-locks');
    await migratePostgres(database.url, { migrations: MIGRATIONS.slice(0, at) });
    const exclusive = `select relname from pg_locks join pg_class on pg_class.oid = relation
    where mode = 'AccessExclusiveLock' and relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`;
    const texts = MIGRATIONS.slice(at).map((migration) => migration.postgres);
    const answers: unknown = await onServer(database.url, (client) =>
      client.query(`begin; ${texts.join(';')}; ${exclusive}; rollback`),
    );
    const locked = (answers as readonly { readonly rows: readonly { readonly relname: string }[] }[]).at(-2)?.rows;
    const ofOffers = ['companies', 'catalog_subscriptions', 'offers', 'monthly_prices', 'tier_lists', 'offer_versions'];
    // No call waits for the last two: one is written by editors of the catalog alone, and one is new.
    expect(locked?.map(({ relname }) => relname)).toEqual(
      [...ofOffers, 'proposals', 'catalog_audit', 'write_locks'].sort(),
    );
    await database.drop();
  },
);

test.skipIf(postgresUrl === null).each([
  ['a unit of work', 'select pg_advisory_xact_lock_shared(7300000000000000)', 'insert into revisions values (9, 1)'],
  ['a read', 'select 1', 'select from monthly_prices; select from companies; select from catalog_subscriptions'],
])('%s of an earlier release that has begun ends before PostgreSQL locks what it needs', async (_what, first, next) => {
  const database = await emptyDatabase();
  const at = MIGRATIONS.findIndex((migration) => migration.name === '0018-write-locks');
  await migratePostgres(database.url, { migrations: MIGRATIONS.slice(0, at) });
  const migrated = await onServer(database.url, async (client) => {
    await client.query(`begin; set local deadlock_timeout = '100ms'; ${first}; select from offers`);
    const answer = migratePostgres(database.url);
    answer.catch(() => undefined);
    await untilWaiting(database);
    await client.query(`${next}; commit`);
    return await answer;
  });
  expect(migrated.applied[0]).toBe('0018-write-locks');
  await database.drop();
});
