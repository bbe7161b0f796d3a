import { existsSync, readFileSync } from 'node:fs';
import { copyDatabase, digestsOf, migrate, openDatabase, openStore, pendingMigrations } from '@tarifario/store';
import { emptyDatabase, onServer, postgresUrl } from '@tarifario/testkit/postgres/databases';
import { shareOf } from '@tarifario/testkit/share';
import { temporaryPlace } from '@tarifario/testkit/temporary-database';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { LEFT_OUT } from '../src/copy/tables.ts';
import { MIGRATIONS } from '../src/migrations/index.ts';
import { startChild } from './child.ts';
import { insert, sampleTenant, type Tenant } from './sample-offers.ts';

/** A database, and what is done to it past the store. */
interface Place {
  readonly url: string;
  rows(text: string): Promise<readonly unknown[]>;
  execute(text: string): Promise<unknown>;
  remove(): unknown;
}

async function onSqlite(): Promise<Place> {
  const { path, url, remove } = temporaryPlace();
  const withFile = async <T>(work: (handle: Database.Database) => T): Promise<T> => {
    const handle = new Database(path);
    try {
      return work(handle);
    } finally {
      handle.close();
    }
  };
  const rows = (text: string) => withFile((handle) => handle.prepare(text).all());
  return { url, remove, rows, execute: (text) => withFile((handle) => handle.exec(text)) };
}

async function onPostgres(): Promise<Place> {
  const { url, drop } = await emptyDatabase();
  const execute = (text: string) => onServer(url, (client) => client.query(text));
  return { url, remove: drop, execute, rows: async (text) => (await execute(text)).rows };
}

interface Engine {
  readonly name: string;
  readonly make: () => Promise<Place>;
  /** Triggers as they are, and whether they work. */
  readonly triggers: string;
  readonly allTables: string;
}

const ENGINES: readonly Engine[] = [
  {
    name: 'SQLite',
    make: onSqlite,
    triggers: "select name, sql from sqlite_schema where type = 'trigger' order by name",
    allTables: "select name from sqlite_schema where type = 'table' and name not like 'sqlite%'",
  },
  {
    name: 'PostgreSQL',
    make: onPostgres,
    triggers: "select tgname, tgenabled, tgrelid::regclass::text from pg_trigger where tgname !~ '^RI_' order by 1, 3",
    allTables: "select tablename as name from pg_tables where schemaname = 'public'",
  },
].filter(({ name }) => name === 'SQLite' || postgresUrl !== null);

const OFFERS = 1500;
const UNFINISHED = 'cannot be used: a copy into it has not ended: run tarifario copy again';

describe.each(ENGINES)('a copy to $name', ({ make, triggers, allTables }) => {
  let source: Place;
  let tenant: Tenant;
  const places: Place[] = [];
  const newPlace = async () => {
    const place = await make();
    places.push(place);
    return place;
  };

  beforeAll(async () => {
    source = await onSqlite();
    await migrate(source.url);
    const store = await openStore(source.url);
    tenant = await sampleTenant(store);
    await insert(store, tenant, OFFERS);
    await store.close();
  });
  afterEach(async () => {
    for (const { remove } of places.splice(0)) await remove();
  });
  afterAll(() => source.remove());

  test('has the tables and the triggers that migrations make, and what they count from there on', async () => {
    const [migrated, copied] = [await newPlace(), await newPlace()];
    await migrate(migrated.url);
    await copyDatabase(source.url, copied.url);
    expect(await copied.rows(triggers)).toEqual(await migrated.rows(triggers));
    expect(await pendingMigrations(copied.url)).toEqual([]);
    const store = await openStore(copied.url);
    const counts = () => store.read((reader) => reader.counts.totals(tenant.account.id));
    expect(await counts()).toEqual({ companies: 1, offers: OFFERS, months: 0 });
    const added = await insert(store, tenant, 2);
    expect(added.map(({ id }) => id)).toEqual([OFFERS + 1, OFFERS + 2]);
    expect(await counts()).toEqual({ companies: 1, offers: OFFERS + 2, months: 0 });
    await store.close();
  });

  test('is of every table but those that are left out on purpose', async () => {
    const place = await newPlace();
    await migrate(place.url);
    const all = ((await place.rows(allTables)) as { name: string }[]).map(({ name }) => name);
    const copied = (await digestsOf(place.url)).map(({ table }) => table);
    expect(copied.toSorted()).toEqual(all.filter((name) => !LEFT_OUT.has(name)).toSorted());
  });

  test('says before what it would be, and writes nothing then', async () => {
    const target = await newPlace();
    const report = await copyDatabase(source.url, target.url, { isDryRun: true });
    expect(report.isCopied).toBe(false);
    expect(report.tables).toContainEqual({ table: 'offers', rows: OFFERS, sha256: null });
    expect(report.rows).toBe((await digestsOf(source.url)).reduce((sum, { rows }) => sum + rows, 0));
    if (target.url.startsWith('sqlite:')) expect(existsSync(target.url.slice('sqlite:'.length))).toBe(false);
    else expect(await target.rows(allTables)).toEqual([]);
  });

  test('tells how far it is, up to all', async () => {
    const told: (readonly [number, number])[] = [];
    const { rows } = await copyDatabase(source.url, (await newPlace()).url, {
      onProgress: (done, all) => told.push([done, all]),
    });
    expect(told.every(([done, all], index) => all === 2 * rows && done > (told[index - 1]?.[0] ?? 0))).toBe(true);
    expect(told.at(-1)).toEqual([2 * rows, 2 * rows]);
  });

  test('is of one moment, whatever is written meanwhile', async () => {
    const before = await digestsOf(source.url);
    const moving = await newPlace();
    await copyDatabase(source.url, moving.url);
    const store = await openStore(moving.url);
    const writes: Promise<unknown>[] = [];
    const onProgress = () => void writes.push(insert(store, tenant, 1));
    const { tables } = await copyDatabase(moving.url, (await newPlace()).url, { onProgress });
    await Promise.all(writes);
    expect(tables).toEqual(before);
    await store.close();
  });

  describe('is refused, and nothing is written,', () => {
    test('into a database that has tables, whatever they have', async () => {
      const [other, migrated] = [await newPlace(), await newPlace()];
      await other.execute('create table other (id integer)');
      await migrate(migrated.url);
      for (const place of [other, migrated]) {
        const tables = await place.rows(allTables);
        await expect(copyDatabase(source.url, place.url)).rejects.toThrow(
          /^the database .* cannot be used: it is not empty, and a copy needs a database without tables$/,
        );
        expect(await place.rows(allTables)).toEqual(tables);
      }
      expect((await digestsOf(migrated.url)).filter(({ rows }) => rows > 0)).toEqual([]);
    });

    test('from a database that lacks a migration, that of a later release, and one whose own copy has not ended', async () => {
      const [older, later, begun] = [await onSqlite(), await onSqlite(), await onSqlite()];
      places.push(older, later, begun);
      for (const place of [older, later, begun]) await migrate(place.url);
      const last = MIGRATIONS.at(-1)?.name;
      await older.execute(`delete from migrations where name = '${last}'`);
      await later.execute("insert into migrations values ('9999-later', '2026')");
      await begun.execute("delete from migrations; insert into migrations values ('unfinished-copy', '2026')");
      const target = await newPlace();
      const refusal = (place: Place) => copyDatabase(place.url, target.url).catch((error: Error) => error.message);
      expect(await refusal(older)).toContain(`lacks migrations: ${last}: run tarifario migrate on it first`);
      expect(await refusal(later)).toMatch(/is of a later release, which can copy it: 9999-later$/);
      expect(await refusal(begun)).toContain(UNFINISHED);
      expect(await pendingMigrations(older.url)).toEqual([last]);
      await expect(copyDatabase('sqlite:/nowhere/x.db', target.url)).rejects.toThrow('there is no database file');
    });
  });

  test('that is killed at any moment leaves nothing that is served, and ends when it is run again', async () => {
    const before = await digestsOf(source.url);
    const bytes = readFileSync(source.url.slice('sqlite:'.length));
    // The eighth piece is the last one that is written. From the 17th on a copy ends by itself.
    for (const moment of shareOf(
      Array.from({ length: 18 }, (_, index) => index),
      8,
      7,
    )) {
      const target = await newPlace();
      const child = startChild('copy', source.url, target.url, String(moment));
      if (moment > 0 && moment <= 16) expect(await child.line()).toBe('holding');
      else if (moment > 16) await child.ended();
      await child.kill();
      const state = await stateOf(target);
      const { tables, isCopied } = await copyDatabase(source.url, target.url);
      expect([tables, isCopied]).toEqual([before, state !== 'whole']);
      if (moment > 0) expect(state).toBe(moment > 16 ? 'whole' : 'marked');
      expect(await digestsOf(target.url)).toEqual(before);
      await (await openStore(target.url)).close();
    }
    expect(readFileSync(source.url.slice('sqlite:'.length))).toEqual(bytes);
  });

  /** How far a copy has come: where it has begun, nothing opens or migrates the database. */
  async function stateOf(target: Place): Promise<'untouched' | 'marked' | 'whole'> {
    const pending = await pendingMigrations(target.url).catch((error: Error) => error.message);
    if (typeof pending !== 'string') {
      if (pending.length > 0) expect(await target.rows(allTables)).toEqual([]);
      return pending.length > 0 ? 'untouched' : 'whole';
    }
    expect(pending).toContain(UNFINISHED);
    for (const attempt of [openStore, migrate]) await expect(attempt(target.url)).rejects.toThrow(UNFINISHED);
    expect(await target.rows('select name from migrations')).toEqual([{ name: 'unfinished-copy' }]);
    return 'marked';
  }

  test.skipIf(postgresUrl === null)('has marked its target while it still counts the rows of its source', async () => {
    const [large, target] = [await onPostgres(), await newPlace()];
    places.push(large);
    await copyDatabase(source.url, large.url);
    await onServer(large.url, async (client) => {
      await client.query('begin; lock table usage_log in access exclusive mode');
      const copied = copyDatabase(large.url, target.url);
      const pending = () => pendingMigrations(target.url).catch((error: Error) => error.message);
      await expect.poll(pending).toContain(UNFINISHED);
      await client.query('rollback');
      expect((await copied).isCopied).toBe(true);
    });
  });

  test('that goes on is not served, and another one into the same database is refused', async () => {
    const target = await newPlace();
    const seen: unknown[] = [];
    const refusals: Promise<unknown>[] = [];
    await copyDatabase(source.url, target.url, {
      onProgress: () => {
        if (refusals.length > 0) return;
        refusals.push(pendingMigrations(target.url).catch((error: Error) => seen.push(error.message)));
        refusals.push(copyDatabase(source.url, target.url).catch((error: Error) => seen.push(error.message)));
      },
    });
    await Promise.all(refusals);
    expect(seen).toEqual([
      expect.stringContaining(UNFINISHED),
      expect.stringMatching(/is kept busy by another process|it is not empty/),
    ]);
    const { store } = await openDatabase(target.url);
    await store.close();
  });
});
