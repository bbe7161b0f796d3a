import { newDatabase, onServer, postgresUrl } from '@tarifario/testkit/postgres/databases';
import { describe, expect, test } from 'vitest';
import { unexcused } from './by-owner/exceptions.ts';
import { violationsOfSchema } from './by-owner/schema.ts';
import { violationsIn } from './by-owner/statements.ts';
import { DIVISION } from './by-owner/tables.ts';

test.skipIf(postgresUrl === null)(
  'tables, keys and references of all migrations are such that a distributed engine takes them, or are excused',
  async () => {
    const database = await newDatabase();
    const found = await violationsOfSchema(database);
    await database.drop();
    expect(unexcused(found, { ofTables: true, isAll: true })).toEqual({ refused: [], outdated: [] });
  },
);

test.skipIf(postgresUrl === null)(
  'a database that deploy/citus.sql has divided has each table in one place, and nothing of what is excused in its tables',
  async () => {
    const database = await newDatabase();
    // What the engine does with a table, and whether it has references from others then, is not tried here.
    await onServer(database.url, (client) =>
      client.query(`create function create_reference_table(text) returns void language sql as '';
        create function create_distributed_table(text, text, colocate_with text default '') returns void language sql as '';
        begin; ${DIVISION} commit;`),
    );
    const found = await violationsOfSchema(database);
    await database.drop();
    expect(found).toEqual([]);
  },
);

describe('a statement', () => {
  test.each([
    'select * from offers where owner_id = $1 and id = any($2)',
    'select 1 from offers o join companies c on c.owner_id = o.owner_id and c.id = o.company_id where o.owner_id = $1',
    'select (select max(id) from offers as one where one.owner_id = c.owner_id) from companies as c where c.owner_id = 7',
    'with given as (select 1 as owner_id) update offers set id = 1 from given where offers.owner_id = given.owner_id',
    'insert into offers (owner_id, id) values ($1, 2) on conflict (owner_id, id) do nothing',
    'select * from api_keys join accounts on accounts.id = api_keys.account_id',
    'insert into firms (account_id) select account_id from offers join firms using (id) where owner_id = $1 and firms.account_id = $1',
  ])('%s is of an owner in every part', (sql) => {
    expect(violationsIn(sql)).toEqual([]);
  });

  test.each([
    ['select * from offers where id = $1', 'select of offers: whose offers?'],
    ['select * from offers where owner_id = $1 or id = 2', 'select of offers: whose offers?'],
    ['select * from offers where owner_id = id', 'select of offers: whose offers?'],
    ['select * from offers where owner_id <> $1', 'select of offers: whose offers?'],
    [
      'select 1 from offers o join companies c on c.id = o.company_id where o.owner_id = $1',
      'select of companies, offers: whose companies?',
    ],
    ['select 1 from firms join offers on owner_id = account_id', 'select of firms, offers: whose firms?'],
    ['select 1 where exists (select from offers where id = 1)', 'select of offers: whose offers?'],
    ['select * from accounts a join firms f on f.account_id = a.id', 'select of firms: whose firms?'],
    ['with gone as (delete from firms where id = 1) select 1', 'delete of firms: whose firms?'],
    ['update offers set owner_id = 7', 'update of offers: whose offers?'],
    ['insert into offers (id) values (1)', 'insert into offers without its owner'],
    [
      'insert into offers (owner_id, id) values (1, 1) on conflict (id) do nothing',
      'conflict of offers without its owner',
    ],
    ['update offer_versions set key_id = 1 where owner_id = $1', 'change of offer_versions'],
    [
      'insert into tier_lists (owner_id, id) values (1, 1) on conflict (owner_id, id) do update set id = 2',
      'change of tier_lists',
    ],
    ['truncate offer_versions', 'statement TruncateStmt'],
    ['merge into offers using firms on true when matched then delete', 'statement MergeStmt'],
    [
      'select 1 from offers o left join companies c on o.owner_id = $1 and c.owner_id = o.owner_id',
      'select of companies, offers: whose offers?',
    ],
    ['begin; select pg_advisory_xact_lock(1)', 'function pg_advisory_xact_lock'],
    ['select pg_catalog.pg_xact_status($1)', 'function pg_xact_status'],
  ])('%s is found', (sql, violation) => {
    expect(violationsIn(sql)).toContain(violation);
  });
});
