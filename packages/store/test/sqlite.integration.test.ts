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
import { setImmediate as pause, setTimeout as sleep } from 'node:timers/promises';
import { type Account, type Company, createOfferCache, DomainError, type Store } from '@tarifario/core/service';
import { backUp, migrate, openStore, pendingMigrations } from '@tarifario/store';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { watched } from '../../sheets/test/loop-watch.ts';
import { MIGRATIONS } from '../src/migrations/index.ts';
import { openReader, openWriter, sqliteStore } from '../src/sqlite.ts';
import { startChild } from './child.ts';
import { luzTerms, manyOffers, NOW, sampleTenant } from './sample-offers.ts';
import { type TemporaryDatabase, temporaryDatabase, temporaryPlace } from './temporary-database.ts';

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

let database: TemporaryDatabase;
let store: Store;
let account: Account;
let company: Company;

beforeEach(async () => {
  database = await temporaryDatabase();
  store = await openStore(database.url);
  ({ account, company } = await sampleTenant(store));
});

afterEach(async () => {
  await store.close();
  database.remove();
});

/** The file itself, without the store. */
function raw<T>(work: (handle: Database.Database) => T): T {
  const handle = new Database(database.path);
  try {
    return work(handle);
  } finally {
    handle.close();
  }
}

function countOffers(on: Store = store): Promise<number> {
  return on.read(async (reader) => {
    return (await reader.recordCounts({ owner: account.id, firmId: null })).offers.LUZ.total;
  });
}

function insert(count: number, on: Store = store) {
  return on.write(NOW, (writer) => writer.insertOffers(account.id, manyOffers(company.id, count)));
}

function integrityOf(path: string): unknown {
  const handle = new Database(path, { readonly: true });
  try {
    return [handle.pragma('integrity_check', { simple: true }), handle.pragma('foreign_key_check')];
  } finally {
    handle.close();
  }
}

describe('settings', () => {
  test('the connection that writes is durable and checks foreign keys', () => {
    const handle = openWriter(database.path);
    const value = (name: string) => handle.pragma(name, { simple: true });
    expect(['journal_mode', 'synchronous', 'foreign_keys', 'trusted_schema'].map(value)).toEqual(['wal', 2, 1, 0]);
    expect(value('busy_timeout')).toBeLessThanOrEqual(50);
    handle.close();
  });

  test('all tables are strict', () => {
    const loose = raw((handle) =>
      handle
        .prepare("select name from pragma_table_list where schema = 'main' and type = 'table' and strict = 0")
        .all(),
    );
    expect(loose).toEqual([{ name: 'sqlite_schema' }, { name: 'sqlite_sequence' }]);
  });

  test('a value of another type is refused', async () => {
    await insert(1);
    raw((handle) => {
      for (const change of [
        "update offers set energy_1 = 'dear'",
        "update offers set is_active = 'yes'",
        'update offers set is_active = 2',
        "update offers set supply_type = 'AGUA'",
        'update offers set gas_energy = 0.1',
        'update offers set offer_name = null',
      ]) {
        expect(() => handle.exec(change), change).toThrow(/cannot store|constraint failed/);
      }
    });
  });

  test('a connection that reads keeps at most 4 MB of pages', () => {
    const handle = openReader(database.path);
    expect(handle.pragma('cache_size', { simple: true })).toBe(-4000);
    handle.close();
  });
});

describe('what the database refuses by itself', () => {
  test('A-52: versions of offers are neither changed nor deleted', async () => {
    await insert(1);
    raw((handle) => {
      expect(() => handle.exec("update offer_versions set changed_at = ''")).toThrow('append-only');
      expect(() => handle.exec('delete from offer_versions')).toThrow('append-only');
      expect(() => handle.exec('delete from offers')).toThrow('FOREIGN KEY');
      expect(handle.prepare('select count(*) from offer_versions').pluck().get()).toBe(1);
    });
  });

  test('A-23: the record of catalog writes is neither changed nor deleted', async () => {
    await store.write(NOW, async (writer) => {
      const counts = { companies: { total: 0, active: 0 }, offers: { total: 0, active: 0 }, months: 0 };
      const what = { operation: 'bulk_update', recordId: null, fileHash: null } as const;
      await writer.recordCatalogWrite({ ...what, accountId: account.id, before: counts, after: counts });
    });
    raw((handle) => {
      expect(() => handle.exec("update catalog_audit set at = ''")).toThrow('append-only');
      expect(() => handle.exec('delete from catalog_audit')).toThrow('append-only');
      expect(handle.prepare('select count(*) from catalog_audit').pluck().get()).toBe(1);
    });
  });

  test('no row points into another account, nor from the catalog into one', async () => {
    await insert(1);
    raw((handle) => {
      const other = "insert into accounts values (77, 'b', 'b', 'b', 'x', 1, 0, '')";
      handle.exec(`${other}; insert into firms values (77, 77, 'f', 'f', null, 'all', 1, 1, '', '');
        insert into companies (id, account_id, firm_id, name, name_folded, is_active, revision, created_at, updated_at)
        values (77, 77, 77, 'c', 'c', 1, 1, '', '')`);
      for (const change of [
        'update offers set company_id = 77',
        'update offers set account_id = null',
        'update offers set account_id = 77',
        'update companies set firm_id = 77 where id <> 77',
        'update firms set account_id = 77 where id <> 77',
        `insert into catalog_subscriptions (firm_id, company_id, account_id, is_subscribed, revision)
         values (77, 77, 77, 1, 1)`,
      ]) {
        expect(() => handle.exec(change), change).toThrow('FOREIGN KEY');
      }
    });
  });

  test('A-25: damaged scopes never give full access, nor scopes that were not given', async () => {
    const terms = { accountId: account.id, firmId: null, name: null, prefix: 'p', secretHash: 'h' };
    await store.write(NOW, (writer) => writer.insertKey({ ...terms, fullAccess: false, scopes: ['offers:read'] }));
    const damages = [
      '',
      'null',
      '[]',
      '[""]',
      '["bogus"]',
      '{}',
      '"*"',
      'true',
      '[null]',
      '["OFFERS:WRITE"]',
      '[["offers:write"]]',
      '["offers:rea',
      '\u0000',
    ];
    for (const scopes of damages) {
      raw((handle) => handle.prepare('update api_keys set scopes = ?').run(scopes));
      const record = await store.read((reader) => reader.keyByHash('h'));
      expect(record?.key, scopes).toMatchObject({ fullAccess: false, scopes: [] });
    }
    raw((handle) => handle.prepare('update api_keys set scopes = ?').run('["bogus", "catalog:read", 7]'));
    expect((await store.read((reader) => reader.keyByHash('h')))?.key.scopes).toEqual(['catalog:read']);
    raw((handle) => {
      expect(() => handle.exec('update api_keys set full_access = 2')).toThrow('CHECK');
      handle.pragma('ignore_check_constraints = ON');
      handle.exec('update api_keys set full_access = 2');
    });
    expect((await store.read((reader) => reader.keyByHash('h')))?.key.fullAccess).toBe(false);
  });
});

describe('several processes', () => {
  test('a write of another process is in the next read', async () => {
    expect(await store.read((reader) => reader.revisions(account.id))).toEqual({ own: 1, catalog: 0 });
    const child = startChild('write-once', database.url, String(account.id), String(company.id), '3');
    expect(await child.ended()).toBe(0);
    expect(await store.read((reader) => reader.revisions(account.id))).toEqual({ own: 2, catalog: 0 });
    expect(await countOffers()).toBe(3);
    await insert(1);
    expect(await store.read((reader) => reader.revisions(account.id))).toEqual({ own: 3, catalog: 0 });
  });

  test('a write waits for the writer of another process without blocking the event loop', async () => {
    const child = startChild('hold', database.url, String(account.id), String(company.id));
    await child.line();
    const writing = insert(1);
    expect(await countOffers()).toBe(0);
    for (let turn = 0; turn < 10; turn += 1) await sleep(20);
    child.release();
    const [offer] = await writing;
    expect(offer?.id).toBe(2);
    expect(await countOffers()).toBe(2);
    expect(await child.ended()).toBe(0);
  });

  test('a write that waits too long is refused and changes nothing', async () => {
    const impatient = sqliteStore(database.path, { writeWaitMs: 100 });
    const child = startChild('hold', database.url, String(account.id), String(company.id));
    await child.line();
    const refusal = await insert(1, impatient).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DomainError);
    expect(refusal).toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 1 } });
    await child.kill();
    await insert(1, impatient);
    expect(await countOffers(impatient)).toBe(1);
    await impatient.close();
  });

  test('a write waits for two units of work of another account at most, however many of that account wait', async () => {
    const done: string[] = [];
    const write = (name: string, accountId: number) =>
      store.write({ ...NOW, concerns: [accountId] }, async () => {
        await pause();
        done.push(name);
      });
    await Promise.all([...['first', 'second', 'third', 'last'].map((name) => write(name, 1)), write('of another', 2)]);
    expect(done).toEqual(['first', 'second', 'of another', 'third', 'last']);
  });

  test('a store that is closed finishes the unit of work that runs, and refuses those that wait', async () => {
    const done: string[] = [];
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const running = store.write(NOW, async () => {
      begin();
      await pause();
      done.push('running');
    });
    const waiting = store.write(NOW, async () => done.push('waiting'));
    const refused = expect(waiting).rejects.toThrow('the store is closed');
    await begun;
    await store.close();
    await refused;
    await running;
    expect(done).toEqual(['running']);
  });

  test('concurrent writers of several processes all finish, and nothing is lost', async () => {
    const args = [database.url, String(account.id), String(company.id), '200'] as const;
    const children = [startChild('write-once', ...args), startChild('write-once', ...args)];
    const own = Promise.all(Array.from({ length: 10 }, () => insert(20)));
    expect(await Promise.all(children.map((child) => child.ended()))).toEqual([0, 0]);
    await own;
    expect(await countOffers()).toBe(600);
    expect(await store.read((reader) => reader.revisions(account.id))).toEqual({ own: 13, catalog: 0 });
  });

  test('four processes that migrate at once make one database', async () => {
    const place = temporaryPlace();
    const children = Array.from({ length: 4 }, () => startChild('migrate', place.url));
    const answers = await Promise.all(children.map((child) => child.line()));
    expect(await Promise.all(children.map((child) => child.ended()))).toEqual([0, 0, 0, 0]);
    expect(answers.sort()).toEqual([
      JSON.stringify({ applied: MIGRATION_NAMES }),
      ...Array.from({ length: 3 }, () => JSON.stringify({ applied: [] })),
    ]);
    expect(await pendingMigrations(place.url)).toEqual([]);
    expect(integrityOf(place.path)).toEqual(['ok', []]);
    place.remove();
  });
});

describe('faults', () => {
  test('a process that is killed in a unit of work leaves none of its changes', async () => {
    await insert(5);
    const before = await store.read((reader) => reader.changesSince(account.id, 0));
    const child = startChild('write-without-end', database.url, String(account.id), String(company.id), '1000');
    for (let i = 0; i < 8; i += 1) await child.line();
    await child.kill();
    expect(await store.read((reader) => reader.changesSince(account.id, 0))).toEqual(before);
    await insert(1);
    await store.close();
    expect(integrityOf(database.path)).toEqual(['ok', []]);
    store = await openStore(database.url);
    expect(await countOffers()).toBe(6);
  });

  test('a process that is killed at any moment has committed all answered units of work, each of them whole', async () => {
    const size = 150;
    let committed = 0;
    for (const delayMs of [0, 3, 7]) {
      const child = startChild(
        'commit-without-end',
        database.url,
        String(account.id),
        String(company.id),
        String(size),
      );
      const answered = 3;
      for (let i = 0; i < answered; i += 1) await child.line();
      await sleep(delayMs);
      await child.kill();
      const total = await countOffers();
      expect(total % size).toBe(0);
      expect(total).toBeGreaterThanOrEqual(committed + answered * size);
      expect((await store.read((reader) => reader.revisions(account.id))).own).toBe(1 + total / size);
      committed = total;
    }
    await store.close();
    expect(integrityOf(database.path)).toEqual(['ok', []]);
  });

  test('a full disk fails the unit of work with the reason, and neither it nor later statements are committed', async () => {
    await insert(10);
    await store.close();
    const pages = raw((handle) => Number(handle.pragma('page_count', { simple: true })));
    const reports: unknown[] = [];
    store = sqliteStore(database.path, { maxPages: pages + 40, report: (error) => reports.push(error) });
    const before = await store.read((reader) => reader.changesSince(account.id, 0));
    await expect(insert(3000)).rejects.toMatchObject({ name: 'DomainError', code: 'unavailable' });
    const swallowing = store.write(NOW, async (writer) => {
      await writer.insertOffers(account.id, manyOffers(company.id, 3000)).catch(() => undefined);
      await writer.insertOffers(account.id, manyOffers(company.id, 1)).catch(() => undefined);
    });
    await expect(swallowing).rejects.toMatchObject({ name: 'DomainError', code: 'unavailable' });
    expect(reports).toMatchObject([{ code: 'SQLITE_FULL' }, { code: 'SQLITE_FULL' }]);
    expect(await store.read((reader) => reader.changesSince(account.id, 0))).toEqual(before);
    await insert(1);
    expect(await countOffers()).toBe(11);
    await store.close();
    expect(integrityOf(database.path)).toEqual(['ok', []]);
  });
});

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

  test('A-51: names of before are compared with one space, and two that would be one stay as they are', async () => {
    const place = temporaryPlace();
    const handle = new Database(place.path);
    const before = MIGRATIONS.filter(({ name }) => name < '0017');
    handle.exec('create table migrations (name text primary key, applied_at text not null) strict');
    for (const { name, sqlite } of before) handle.exec(`${sqlite}; insert into migrations values ('${name}', '2026')`);
    handle.exec(UPLOADS);
    const names = ['a  b', 'a b', `c${' '.repeat(198)}d`, 'e\u00a0f\u3000g', 'h i'];
    for (const name of names) {
      handle
        .prepare(`insert into firms (account_id, name, name_folded, catalog_default, is_active, revision, created_at, updated_at)
          values (1, ?, ?, 'all', 1, 1, '', '')`)
        .run(name, name);
    }
    expect(await migrate(place.url)).toEqual({ applied: ['0017-names-by-one-space'] });
    const column = (name: string) => handle.prepare(`select ${name} from firms order by id`).pluck().all();
    expect(column('name')).toEqual(names);
    expect(column('name_folded')).toEqual(['a  b', 'a b', 'c d', 'e f g', 'h i']);
    const store = await openStore(place.url);
    const firm = await store.read((reader) => reader.firm(1, 1));
    if (!firm) throw new Error('a firm was expected');
    await store.write(NOW, (writer) => writer.updateFirm(1, 1, { ...firm, isActive: false }));
    expect(await store.read((reader) => reader.firm(1, 1))).toMatchObject({ name: 'a  b', isActive: false });
    await store.close();
    handle.close();
    place.remove();
  });

  test('a file of an early release is migrated with all its uploads, and with names that differ only in an emoji', async () => {
    const place = temporaryPlace();
    const handle = new Database(place.path);
    const before = MIGRATIONS.filter(({ name }) => name < '0010');
    handle.exec('create table migrations (name text primary key, applied_at text not null) strict');
    for (const { name, sqlite } of before) handle.exec(`${sqlite}; insert into migrations values ('${name}', '2026')`);
    handle.pragma('foreign_keys = on');
    handle.exec(`${UPLOADS}
      insert into firms (account_id, name, name_folded, catalog_default, is_active, revision, created_at, updated_at) values
        (1, 'A \u26a1\ufe0f', 'a \u26a1\ufe0f', 'all', 1, 1, '', ''), (1, 'A \u26a1\ufe0e', 'a \u26a1\ufe0e', 'all', 1, 1, '', ''),
        (1, 'B', 'b', 'all', 1, 1, '', '');`);
    const rows = () => {
      const columns = 'id, account_id, firm_id, kind, file_name, size_bytes, status, result, error, created_at';
      const uploads = handle
        .prepare(`select ${columns}, updated_at, finished_at, lease_until, attempts from uploads`)
        .all();
      return [
        uploads,
        handle.prepare('select * from upload_files').all(),
        handle.prepare('select name from firms').all(),
      ];
    };
    const stored = rows();
    expect(await migrate(place.url)).toEqual({ applied: MIGRATION_NAMES.filter((name) => name >= '0010') });
    expect(rows()).toEqual(stored);
    expect(handle.prepare('select name_folded from firms order by id').pluck().all()).toEqual([
      'a \u26a1\ufe0f',
      'a \u26a1',
      'b',
    ]);
    expect(handle.pragma('foreign_key_check')).toEqual([]);
    const store = await openStore(place.url);
    for (const id of [1, 2]) {
      // Both have the same name now. Another field of each is edited.
      const [firm] = [await store.read((reader) => reader.firm(1, id))];
      if (firm) await store.write(NOW, (writer) => writer.updateFirm(1, id, { ...firm, imageUrl: 'https://a.es/' }));
      expect((await store.read((reader) => reader.firm(1, id)))?.imageUrl).toBe('https://a.es/');
    }
    await store.close();
    handle.close();
    place.remove();
  });

  test('a file of the first release, with several subscriptions of an account, is migrated to one of them', async () => {
    const place = temporaryPlace();
    const [initial] = MIGRATIONS;
    const first = (initial?.sqlite ?? '')
      .replace('current_period_end TEXT NOT NULL', 'current_period_end TEXT')
      .replace('UNIQUE INDEX subscriptions_account', 'INDEX subscriptions_account');
    const handle = new Database(place.path);
    handle.exec(`${first}
      create table migrations (name text primary key, applied_at text not null) strict;
      insert into migrations values ('${initial?.name}', '2026');
      insert into accounts (name, email, email_folded, password_hash, is_active, is_catalog_editor, created_at)
        values ('A', 'a', 'a', '', 1, 1, '2026'), ('B', 'b', 'b', '', 1, 0, '2026');
      insert into subscriptions (account_id, plan, status, firm_limit, created_at) values
        (1, 'pro', 'cancelled', 25, '2026-01-31T10:00:00.000Z'), (1, 'starter', 'active', 5, '2026-01-31T10:00:00.000Z'),
        (2, 'pro', 'active', 25, '2026-01-31T10:00:00.000Z');`);
    handle.close();
    await migrate(place.url);
    const old = await openStore(place.url);
    const subscriptions = () =>
      old.read(async (reader) => [await reader.subscription(1), await reader.subscription(2)]);
    const currentPeriodEnd = '2026-03-02T10:00:00.000Z';
    expect(await subscriptions()).toMatchObject([
      { id: 2, plan: 'starter', currentPeriodEnd },
      { id: 3, plan: 'pro', currentPeriodEnd },
    ]);
    const [subscription] = await subscriptions();
    if (subscription)
      await old.write(NOW, (writer) => writer.putSubscription(1, { ...subscription, plan: 'business' }));
    expect(await subscriptions()).toMatchObject([{ id: 2, plan: 'business' }, { id: 3 }]);
    await old.close();
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
    await store.close();
    const reports: unknown[] = [];
    store = sqliteStore(database.path, { report: (error) => reports.push(error) });
    const pageOf = (table: string) =>
      raw((handle) =>
        handle.prepare('select max(pageno) from dbstat where name = ? and pagetype = ?').pluck().get(table, 'leaf'),
      );
    const pages = [Number(pageOf('offers')), Number(pageOf('revisions'))];
    const file = openSync(database.path, 'r+');
    for (const page of pages) writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, (page - 1) * 4096);
    const refusal = { name: 'DomainError', code: 'unavailable', details: { retryAfterSeconds: 1 } };
    await expect(store.latest.revisions(account.id)).rejects.toMatchObject(refusal);
    await expect(store.read((reader) => reader.changesSince(account.id, 0))).rejects.toMatchObject(refusal);
    await expect(insert(1)).rejects.toMatchObject(refusal);
    expect(reports).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ code: 'SQLITE_CORRUPT' })));
    await store.close();
    store = sqliteStore(database.path, { report: (error) => reports.push(error) });
    writeSync(file, 'no database', 0);
    closeSync(file);
    await expect(store.latest.keyByHash('')).rejects.toMatchObject(refusal);
    expect(reports.at(-1)).toMatchObject({ code: 'SQLITE_NOTADB' });
  });

  test('A-52: a version that has its whole offer as text, from an early release, is read like any other', async () => {
    const [offer] = await insert(1);
    const text = JSON.stringify({ kind: 'terms', offer });
    raw((handle) =>
      handle
        .prepare("insert into offer_versions (offer_id, revision, changed_at, before) values (?, 1, '2026', ?)")
        .run(offer?.id, text),
    );
    const versions = await store.read((reader) => reader.versionsOf(offer?.id ?? 0));
    expect(versions.map(({ before }) => before)).toEqual([{ kind: 'created' }, { kind: 'terms', offer }]);
  });

  test('A-63: a file of the release before is counted, and its versions are read, once it has these tables', async () => {
    const [offer] = await insert(3);
    await store.write(NOW, (writer) =>
      writer.putMonth(account.id, offer?.id ?? 0, {
        supplyType: 'LUZ',
        month: '2026-01-01',
        energyEurPerKwh: [0.1, null, null, null, null, null],
        powerEurPerKwDay: [null, null, null, null, null, null],
      }),
    );
    const place = temporaryPlace();
    const handle = new Database(place.path);
    const older = MIGRATIONS.filter(({ name }) => name < '0012');
    handle.exec('create table migrations (name text primary key, applied_at text not null) strict');
    for (const { name, sqlite } of older) handle.exec(`${sqlite}; insert into migrations values ('${name}', '2026')`);
    handle.exec(`attach '${database.path}' as present`);
    const columnsOf = (table: string) => handle.prepare(`select name from pragma_table_info('${table}')`).pluck().all();
    for (const table of ['accounts', 'firms', 'companies', 'offers', 'monthly_prices', 'revisions']) {
      handle.exec(`insert into ${table} (${columnsOf(table)}) select ${columnsOf(table)} from present.${table}`);
    }
    // Fields that came later have no column yet.
    const columns = columnsOf('offers').filter((name) => columnsOf('offer_versions').includes(name));
    handle.exec(`insert into offer_versions (offer_id, revision, changed_at, before, ${columns})
      select id, 2, '2026', '{"kind":"terms"}', ${columns} from offers where id = ${offer?.id}`);
    handle.close();
    expect((await migrate(place.url)).applied).toEqual(MIGRATION_NAMES.filter((name) => name >= '0012'));
    const old = await openStore(place.url);
    const totals = () => old.read((reader) => reader.recordTotals(account.id));
    expect(await totals()).toEqual({ companies: 1, offers: 3, months: 1 });
    const versions = await old.read((reader) => reader.versionsOf(offer?.id ?? 0));
    expect(versions.map(({ before }) => before)).toEqual([
      { kind: 'terms', offer: { ...offer, updatedAt: expect.any(String) } },
    ]);
    await insert(2, old);
    expect(await totals()).toEqual({ companies: 1, offers: 5, months: 1 });
    await old.close();
    place.remove();
  });

  test('A-52: thirty changes of a hundred offers store each list of their tiers once, for good', async () => {
    const offers = await insert(100);
    const tiers = (value: number) =>
      Array.from({ length: 50 }, (_, i) => ({ from: i, to: i + 1, value, type: 'fixed' as const }));
    const bytes = () => raw((handle) => Number(handle.prepare('select sum(pgsize) from dbstat').pluck().get()));
    const change = (round: number) =>
      store.write(NOW, (writer) => {
        const terms = luzTerms(company.id, { isActive: round % 3 === 0, consumptionTiers: tiers(round % 2) });
        return writer.updateOffers(
          account.id,
          offers.map(({ id }) => ({ offerId: id, terms })),
        );
      });
    await change(0);
    const before = bytes();
    for (let round = 1; round <= 30; round += 1) await change(round);
    // 3 000 versions of 3 KB of tiers each would be 9 MB.
    expect(bytes() - before).toBeLessThan(1_500_000);
    raw((handle) => {
      const lists = handle.prepare('select count(*) from tier_lists').pluck().get();
      // Consumption: as inserted, and two; power: one.
      expect(lists).toBe(4);
      expect(() => handle.exec("update tier_lists set tiers = '[]'")).toThrow('append-only');
      expect(() => handle.exec('delete from tier_lists')).toThrow('append-only');
    });
  });

  test('a file that is not a database, and a damaged one, are refused with a clear message', async () => {
    await insert(300);
    await store.close();
    const place = temporaryPlace();
    writeFileSync(place.path, 'this is a text and not a database, whatever its name says. '.repeat(100));
    await expect(openStore(place.url)).rejects.toThrow(`${place.path} is not a database`);
    await expect(migrate(place.url)).rejects.toThrow('is not a database');
    // One page of offers, which nothing looks at when the file is opened.
    const page = raw((handle) =>
      handle.prepare("select max(pageno) from dbstat where name = 'offers' and pagetype = 'leaf'").pluck().get(),
    );
    copyFileSync(database.path, place.path);
    const file = openSync(place.path, 'r+');
    writeSync(file, Buffer.alloc(4096, 0xa5), 0, 4096, (Number(page) - 1) * 4096);
    closeSync(file);
    expect(await pendingMigrations(place.url)).toEqual([]);
    await expect(openStore(place.url)).rejects.toThrow('is damaged');
    place.remove();
  });

  test('a file that may only be read is refused, and one that becomes read-only later is reported', async () => {
    await insert(1);
    await store.close();
    // A write version that SQLite does not know: it reads such a file and does not write it, whoever asks, root included.
    const file = openSync(database.path, 'r+');
    writeSync(file, Buffer.from([3]), 0, 1, 18);
    closeSync(file);
    await expect(openStore(database.url)).rejects.toThrow('cannot be written: check the permissions');
    const reports: unknown[] = [];
    store = sqliteStore(database.path, { report: (error) => reports.push(error) });
    expect(await countOffers()).toBe(1);
    await expect(insert(1)).rejects.toMatchObject({ name: 'DomainError', code: 'unavailable' });
    expect(reports).toMatchObject([{ code: 'SQLITE_READONLY' }]);
  });

  test('a database of another program is refused with the reason', async () => {
    const place = temporaryPlace();
    new Database(place.path).exec('create table accounts (x)').close();
    await expect(migrate(place.url)).rejects.toThrow('cannot be used: table accounts already exists');
    place.remove();
  });

  test('a directory that is not writable is refused with a clear message', async () => {
    // These are out of reach for every user, root included.
    await expect(migrate('sqlite:/proc/tarifario/test.db')).rejects.toThrow('check its directory');
    await expect(migrate('sqlite:/proc/test.db')).rejects.toThrow('check its directory');
    await expect(migrate('sqlite:/dev/null/test.db')).rejects.toThrow('check its directory');
    await expect(migrate(`sqlite:${database.path}/test.db`)).rejects.toThrow('check its directory');
  });
});

describe('owners with many offers', () => {
  test('reading and writing 20 000 offers lets other work run in between', async () => {
    // A write ends in one piece, its commit, and so may take longer than a read.
    const terms = manyOffers(company.id, 20_000);
    const writing = () => store.write(NOW, (writer) => writer.insertOffers(account.id, terms));
    expect((await watched(writing)).blockedMs).toBeLessThan(200);
    const reading = () => store.read((reader) => reader.changesSince(account.id, 0));
    expect((await watched(reading)).blockedMs).toBeLessThan(50);
    const caching = () =>
      store.read((reader) => createOfferCache({ pause: () => pause() }).current(reader, account.id));
    expect((await watched(caching)).blockedMs).toBeLessThan(50);
    const { offers } = await reading();
    const changes = offers.map(({ offer }) => ({ offerId: offer.id, terms: luzTerms(company.id) }));
    const changing = () => store.write(NOW, (writer) => writer.updateOffers(account.id, changes));
    expect((await watched(changing)).blockedMs).toBeLessThan(200);
    const changed = await store.read((reader) => reader.changesSince(account.id, 2));
    expect(changed.offers.length).toBe(20_000);
    expect(changed.offers.every(({ offer }) => offer.offerName === 'Tarifa')).toBe(true);
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
