import { backUp, migrate, openStore, pendingMigrations } from '@tarifario/store';
import {
  emptyDatabase,
  newDatabase,
  onServer,
  PostgresClient,
  postgresUrl,
  type TestDatabase,
  untilWaiting,
} from '@tarifario/testkit/postgres/databases';
import { type Network, startNetwork } from '@tarifario/testkit/postgres/network';
import { runsOf } from '@tarifario/testkit/share';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MIGRATIONS } from '../src/migrations/index.ts';
import { migratePostgres, pendingInPostgres } from '../src/postgres/open.ts';
import { startChild } from './child.ts';

const MIGRATION_NAMES = MIGRATIONS.map(({ name }) => name);

/** Long enough on a busy machine for steps that do not hang. */
const SHORT = { answerMs: 1200, lockMs: 300, idleMs: 30_000, stepMs: 1000 };

/** A network to the server of a database, another one for each test. */
function networkTo(databaseUrl: () => string): () => Network {
  let network: Network;
  beforeEach(async () => {
    network = await startNetwork(Number(new URL(databaseUrl()).port));
  });
  afterEach(() => network.close());
  return () => network;
}

describe.skipIf(postgresUrl === null)('opening a PostgreSQL database', () => {
  let database: TestDatabase;

  describe('without tables', () => {
    beforeEach(async () => {
      database = await emptyDatabase();
    });
    afterEach(() => database.drop());

    test('processes that migrate at once create one database', async () => {
      const children = Array.from({ length: runsOf(2, 4) }, () => startChild('migrate', database.url));
      const answers = await Promise.all(children.map((child) => child.line()));
      expect(await Promise.all(children.map((child) => child.ended()))).toEqual(children.map(() => 0));
      expect(answers.sort()).toEqual([
        JSON.stringify({ applied: MIGRATION_NAMES }),
        ...children.slice(1).map(() => JSON.stringify({ applied: [] })),
      ]);
      expect(await pendingMigrations(database.url)).toEqual([]);
    });

    test('migrations that a unit of work of an earlier release was in the way of, in a deadlock, are begun again', async () => {
      await migrate(database.url);
      const step = { name: '9999-next', sqlite: '', postgres: 'lock table webhook_events; lock table revisions' };
      const migrated = await onServer(database.url, async (other) => {
        // Longer than the server waits before it ends one of both, so that it is the migration.
        await other.query("begin; set local deadlock_timeout = '1min'; lock table revisions");
        const answer = migratePostgres(database.url, { migrations: [...MIGRATIONS, step] }).catch(String);
        await untilWaiting(database);
        await other.query('lock table webhook_events');
        await other.query('commit');
        return await answer;
      });
      expect(migrated).toEqual({ applied: [step.name] });
    });

    test('a database with pending migrations is recognised and not served', async () => {
      expect(await pendingMigrations(database.url)).toEqual(MIGRATION_NAMES);
      await expect(openStore(database.url)).rejects.toThrow(`lacks migrations: ${MIGRATION_NAMES.join(', ')}`);
      expect(await migrate(database.url)).toEqual({ applied: MIGRATION_NAMES });
      expect(await migrate(database.url)).toEqual({ applied: [] });
      await (await openStore(database.url)).close();
    });

    describe('on a server that hangs', () => {
      const network = networkTo(() => database.url);

      test.each([
        ['when the transaction begins', 'begin'],
        ['when it waits for others', 'pg_advisory_xact_lock'],
        ['in the middle of a migration', 'CREATE TABLE accounts'],
        ['at the end', 'commit'],
      ])('%s ends with an error that says so, and the next attempt succeeds', async (_, text) => {
        network().holdAt(text);
        await expect(migratePostgres(network().url(database.url), { patience: SHORT })).rejects.toThrow(
          'does not answer',
        );
        // The server ends the transaction of a connection that is gone.
        await expect.poll(() => migrate(database.url).catch(() => null)).toEqual({ applied: MIGRATION_NAMES });
      });

      test('after the migration: the connection is closed, and the result is valid', async () => {
        network().holdAt('X\0\0\0\u0004');
        expect(await migratePostgres(network().url(database.url), { patience: SHORT })).toEqual({
          applied: MIGRATION_NAMES,
        });
      });

      test('waiting for a process that hangs while it migrates has a time limit', async () => {
        const patience = { ...SHORT, idleMs: 100 };
        await onServer(database.url, async (client) => {
          await client.query('begin; select pg_advisory_xact_lock(7299999999999999)');
          await expect(migratePostgres(database.url, { patience })).rejects.toThrow(
            'is kept busy by another process: start again',
          );
        });
        expect(await migrate(database.url)).toEqual({ applied: MIGRATION_NAMES });
      });

      test('a process waits for as long as another one migrates, and says so each time', async () => {
        let waits = 0;
        const patience = { ...SHORT, lockMs: 50 };
        const migrated = await onServer(database.url, async (client) => {
          await client.query('begin; select pg_advisory_xact_lock(7299999999999999)');
          let isOver = false;
          const onWait = () => (waits += 1);
          const answer = migratePostgres(database.url, { patience, onWait }).finally(() => (isOver = true));
          answer.catch(() => {});
          while (waits < 3 && !isOver) await client.query('select pg_sleep(0.01)');
          await client.query('commit');
          return await answer;
        });
        expect(migrated).toEqual({ applied: MIGRATION_NAMES });
      });
    });
  });

  describe('with all tables', () => {
    beforeAll(async () => {
      database = await newDatabase();
    });
    afterAll(() => database.drop());

    test('a server that is too old is refused by everything that opens it', async () => {
      // As the server would report its version.
      await onServer(database.url, (client) =>
        client.query(`create schema older;
          create function older.current_setting(name text) returns text language sql as
            $$ select case name when 'server_version_num' then '140022' else pg_catalog.current_setting(name) end $$;
          alter database ${database.name} set search_path = older, pg_catalog, public`),
      );
      for (const attempt of [openStore, migrate, pendingMigrations]) {
        await expect(attempt(database.url)).rejects.toThrow('PostgreSQL 15 or later is needed, and this is 14.22');
      }
      await onServer(database.url, (client) => client.query(`alter database ${database.name} reset search_path`));
    });

    test('a database that cannot keep every text is refused', async () => {
      const latin = `${database.name}_latin`;
      await onServer(postgresUrl, (client) =>
        client.query(`create database ${latin} template template0 encoding latin1`),
      );
      const url = database.url.replace(database.name, latin);
      for (const attempt of [openStore, migrate, pendingMigrations]) {
        await expect(attempt(url)).rejects.toThrow('its encoding has to be UTF8, and is LATIN1');
      }
      await onServer(postgresUrl, (client) => client.query(`drop database ${latin} with (force)`));
    });

    test.each(['p%zz', '100%', 'a@b', 'ñandú', "a'b", 'a b', '%E0%A4%A', 'a%25b', 'a:b/c?d#e@f%20'])(
      'the password %s is read as in any URL',
      async (password) => {
        const url = `postgres://u:${encodeURIComponent(password)}@127.0.0.1:1/db`;
        expect(new PostgresClient(url).password).toBe(password);
        const error = await openStore(url).catch((thrown: unknown) => thrown);
        expect(String(error)).toContain('nothing listens there');
      },
    );

    test('refusals name the database and never the password', async () => {
      const at = (changes: Partial<URL>) =>
        Object.assign(new URL(database.url), { password: 'hunter2', ...changes }).href;
      const cases: readonly (readonly [url: string, text: string])[] = [
        [at({ pathname: '/nowhere' }), 'the database nowhere on 127.0.0.1'],
        [at({ port: '1' }), 'nothing listens there'],
        [at({ username: 'nobody-of-that-name' }), 'refuses the user'],
        // A name that is too long is refused without a connection.
        [at({ hostname: `${'x'.repeat(64)}.invalid` }), 'cannot be reached'],
        [at({ pathname: '/%zz' }), 'the database %zz on 127.0.0.1'],
        [at({ search: '?sslmode=require' }), 'cannot be used: The server does not support SSL connections'],
        [at({ search: '?sslrootcert=/nowhere.pem' }), 'cannot be used: ENOENT'],
        [at({ search: '?host=/nowhere' }), 'cannot be used: connect ENOENT /nowhere'],
        ['postgres://u:hunter2@host:port/db', 'is not a URL'],
      ];
      for (const [url, text] of cases) {
        for (const attempt of [openStore, migrate, pendingMigrations]) {
          const error = await attempt(url).catch((thrown: unknown) => thrown);
          expect(String(error), text).toContain(text);
          const cause = error instanceof Error ? error.cause : null;
          expect(`${String(error)} ${String(cause)} ${JSON.stringify(cause)}`).not.toContain('hunter2');
        }
      }
    });

    describe('on a server that hangs', () => {
      const network = networkTo(() => database.url);

      test.each([
        ['before it says anything', null],
        ['when it is asked what it is', 'server_version_num'],
        ['when it is asked for the tables', 'to_regclass'],
      ])('%s ends with an error that says so', async (_, text) => {
        if (text === null) network().hold(true);
        else network().holdAt(text);
        for (const attempt of [migratePostgres, pendingInPostgres]) {
          await expect(attempt(network().url(database.url), { patience: SHORT })).rejects.toThrow(
            /^the database .* does not answer$/,
          );
        }
      });
    });

    test('a backup refers to pg_dump', async () => {
      await expect(backUp(database.url, '/nonexistent/backup')).rejects.toThrow('pg_dump');
    });
  });
});
