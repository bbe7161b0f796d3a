import {
  chmodSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { backUp, migrate, openStore, pendingMigrations } from '@tarifario/store';
import { type TemporaryDatabase, temporaryPlace } from '@tarifario/testkit/temporary-database';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MIGRATIONS } from '../src/migrations/index.ts';
import { migrateSqlite } from '../src/sqlite/open.ts';
import { sqliteStore } from '../src/sqlite/store.ts';
import { tenantOnSqlite } from './tenant-on-sqlite.ts';

/** An account with uploads of all kinds of outcomes, one of them with its file. */
const UPLOADS = `
  insert into accounts (name, email, email_folded, password_hash, is_active, is_catalog_editor, created_at)
    values ('A', 'a', 'a', '', 1, 1, '2026');
  insert into uploads (account_id, kind, file_name, size_bytes, status, result, error, created_at, updated_at, finished_at) values
    (1, 'file', 'a', null, 'pending', null, null, '1', '2', null),
    (1, 'offers_bulk_update', 'b', 4, 'failed', null, '{"code":"x"}', '3', '4', '5'),
    (1, 'offers_bulk_update', 'c', 9, 'completed', '{"created":1}', null, '6', '7', '8');
  insert into upload_files (upload_id, account_id, kept_at, bytes) values (2, 1, '4', x'504b0304');`;
const MIGRATION_NAMES = MIGRATIONS.map(({ name }) => name);

const { world, countOffers, insert, raw } = tenantOnSqlite();

describe('opening', () => {
  test('an unknown kind of address is refused without repeating it, because it may contain a password', async () => {
    for (const url of ['mysql://user:secret@host/db', './x.db', '', 'sqlite:', 'sqlite::memory:']) {
      const error = await openStore(url).catch((thrown: unknown) => thrown);
      expect(String(error), url).toContain('sqlite:PATH');
      expect(String(error), url).not.toContain('secret');
      await expect(migrate(url), url).rejects.toThrow('sqlite:PATH');
    }
  });

  test('a database with pending migrations is recognised and not served', async () => {
    const place = temporaryPlace();
    expect(await pendingMigrations(place.url)).toEqual(MIGRATION_NAMES);
    await expect(openStore(place.url)).rejects.toThrow('run the migrations');
    new Database(place.path).exec('create table other (x)').close();
    expect(await pendingMigrations(place.url)).toEqual(MIGRATION_NAMES);
    await expect(openStore(place.url)).rejects.toThrow(`lacks migrations: ${MIGRATION_NAMES.join(', ')}`);
    expect(await migrate(place.url)).toEqual({ applied: MIGRATION_NAMES });
    expect(await migrate(place.url)).toEqual({ applied: [] });
    await (await openStore(place.url)).close();
    place.remove();
  });

  test('a migration waits for another process that writes, 15 times at most, and says so each time', async () => {
    const place = temporaryPlace();
    const other = new Database(place.path).exec('pragma journal_mode = wal; begin immediate');
    let waits = 0;
    const onWait = () => {
      waits += 1;
      if (waits === 15 + 3) other.exec('rollback');
    };
    // A signal, for one, is heard meanwhile.
    const turn = new Promise<string>((resolve) => setImmediate(() => resolve('a turn')));
    const migrating = migrateSqlite(place.url, { waitMs: 1, onWait }).catch(String);
    expect(await Promise.race([migrating, turn])).toBe('a turn');
    expect(await migrating).toContain('is kept busy by another process');
    expect(waits).toBe(14);
    expect(await migrateSqlite(place.url, { waitMs: 1, onWait })).toEqual({ applied: MIGRATION_NAMES });
    other.close();
    place.remove();
  });

  test('its files can be read by SQLite versions before 3.45, which reject more JSON', async () => {
    const place = temporaryPlace();
    await migrate(place.url);
    const handle = new Database(place.path);
    handle.exec(UPLOADS);
    const soundness = () => handle.prepare<[], string>('pragma integrity_check').pluck().all();
    expect(soundness()).toEqual(['ok']);
    const isJson = (text: unknown) => Number(typeof text === 'string' && /^[[{]/.test(text));
    handle.function('json_valid', { deterministic: true }, isJson);
    expect(soundness()).toEqual(['ok']);
    for (const column of ['result', 'error']) {
      expect(() => handle.exec(`update uploads set ${column} = 'x'`), column).toThrow('CHECK');
    }
    handle.close();
    place.remove();
  });

  test('migrating creates the directory of the file, but no parent directories', async () => {
    const place = temporaryPlace();
    await expect(migrate(`${place.url}.d/deeper/test.db`)).rejects.toThrow('check its directory');
    const url = `${place.url}.d/test.db`;
    expect(await migrate(url)).toEqual({ applied: MIGRATION_NAMES });
    await (await openStore(url)).close();
    place.remove();
  });

  test('a file that is damaged during use makes calls "unavailable", and the reason is logged', async () => {
    await insert(300);
    await world.store.close();
    const reports: unknown[] = [];
    world.store = sqliteStore(world.database.path, { report: (error) => reports.push(error) });
    const pageOf = (table: string) =>
      raw((handle) =>
        handle.prepare('select max(pageno) from dbstat where name = ? and pagetype = ?').pluck().get(table, 'leaf'),
      );
    const pages = [Number(pageOf('offers')), Number(pageOf('revisions'))];
    const file = openSync(world.database.path, 'r+');
    for (const page of pages) writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, (page - 1) * 4096);
    const refusal = { name: 'DomainError', code: 'unavailable', details: { retryAfterSeconds: 1 } };
    await expect(world.store.latest.changes.revisions(world.account.id)).rejects.toMatchObject(refusal);
    await expect(world.store.read((reader) => reader.changes.since(world.account.id, 0))).rejects.toMatchObject(
      refusal,
    );
    await expect(insert(1)).rejects.toMatchObject(refusal);
    expect(reports).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ code: 'SQLITE_CORRUPT' })));
    await world.store.close();
    world.store = sqliteStore(world.database.path, { report: (error) => reports.push(error) });
    writeSync(file, 'no database', 0);
    closeSync(file);
    await expect(world.store.latest.keys.byHash('')).rejects.toMatchObject(refusal);
    expect(reports.at(-1)).toMatchObject({ code: 'SQLITE_NOTADB' });
  });

  test('a file that is not a database, and a damaged one, are refused with a clear message', async () => {
    await insert(300);
    await world.store.close();
    const place = temporaryPlace();
    writeFileSync(place.path, 'this is a text and not a database, whatever its name says. '.repeat(100));
    await expect(openStore(place.url)).rejects.toThrow(`${place.path} is not a database`);
    await expect(migrate(place.url)).rejects.toThrow('is not a database');
    // One page of offers, which nothing looks at when the file is opened.
    const page = raw((handle) =>
      handle.prepare("select max(pageno) from dbstat where name = 'offers' and pagetype = 'leaf'").pluck().get(),
    );
    copyFileSync(world.database.path, place.path);
    const file = openSync(place.path, 'r+');
    writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, (Number(page) - 1) * 4096);
    closeSync(file);
    expect(await pendingMigrations(place.url)).toEqual([]);
    await expect(openStore(place.url)).rejects.toThrow('is damaged');
    place.remove();
  });

  test('a file that may only be read is refused, and one that becomes read-only later is reported', async () => {
    await insert(1);
    await world.store.close();
    // A write version that SQLite does not know: it reads such a file and does not write it, whoever asks, root included.
    const file = openSync(world.database.path, 'r+');
    writeSync(file, Buffer.from([3]), 0, 1, 18);
    closeSync(file);
    await expect(openStore(world.database.url)).rejects.toThrow('cannot be written: check the permissions');
    const reports: unknown[] = [];
    world.store = sqliteStore(world.database.path, { report: (error) => reports.push(error) });
    expect(await countOffers()).toBe(1);
    await expect(insert(1)).rejects.toMatchObject({ name: 'DomainError', code: 'unavailable' });
    expect(reports).toMatchObject([{ code: 'SQLITE_READONLY' }]);
  });

  test('a directory that is not writable is refused with a clear message', async () => {
    // These are out of reach for every user, root included.
    await expect(migrate('sqlite:/proc/tarifario/test.db')).rejects.toThrow('check its directory');
    await expect(migrate('sqlite:/proc/test.db')).rejects.toThrow('check its directory');
    await expect(migrate('sqlite:/dev/null/test.db')).rejects.toThrow('check its directory');
    await expect(migrate(`sqlite:${world.database.path}/test.db`)).rejects.toThrow('check its directory');
  });
});

describe('with a umask that lets everybody read', () => {
  const umask = process.umask(0);
  process.umask(umask);
  let place: TemporaryDatabase;

  beforeEach(async () => {
    place = await temporaryPlace();
    process.umask(0);
  });
  afterEach(() => {
    process.umask(umask);
    place.remove();
  });

  const modesIn = (folder: string) =>
    Object.fromEntries(
      readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
    );

  test('a new database, its folder, its other files and a backup are readable by their owner only', async () => {
    const folder = join(place.path, '..', 'data');
    const url = `sqlite:${join(folder, 'new.db')}`;
    await migrate(url);
    const opened = await openStore(url);
    // As a backup that was killed leaves it.
    writeFileSync(join(folder, 'backup.db.partial'), 'half of one');
    await backUp(url, join(folder, 'backup.db'));
    expect(modesIn(folder)).toEqual({ 'new.db': '600', 'new.db-wal': '600', 'new.db-shm': '600', 'backup.db': '600' });
    expect((statSync(folder).mode & 0o777).toString(8)).toBe('700');
    await opened.close();
  });

  test('an old database that others may read is restricted when the service starts; its folder stays as it is', async () => {
    const folder = join(place.path, '..', 'old');
    mkdirSync(folder);
    const path = join(folder, 'old.db');
    const url = `sqlite:${path}`;
    await migrate(url);
    const opened = await openStore(url);
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
    await migrate(url);
    expect(modesIn(folder)).toEqual({ 'old.db': '600', 'old.db-wal': '600', 'old.db-shm': '600' });
    expect((statSync(folder).mode & 0o777).toString(8)).toBe('777');
    await opened.close();
  });
});
