import { setImmediate as pause } from 'node:timers/promises';
import { changeOf, createOfferCache, DomainError } from '@tarifario/core/service';
import { openStore, pendingMigrations } from '@tarifario/store';
import { watched } from '@tarifario/testkit/loop-watch';
import { expectWithin, further, runsOf } from '@tarifario/testkit/share';
import { temporaryPlace } from '@tarifario/testkit/temporary-database';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { MIGRATIONS } from '../src/migrations/index.ts';
import { openReader, openWriter, sqliteStore } from '../src/sqlite/store.ts';
import { startChild } from './child.ts';
import { luzTerms, manyOffers, NOW } from './sample-offers.ts';
import { tenantOnSqlite } from './tenant-on-sqlite.ts';

const { world, countOffers, insert, raw } = tenantOnSqlite();
/** Starts a program with the tenant in a process of its own. */
const startHere = (program: string, count = 0) =>
  startChild(program, world.database.url, ...[world.account.id, world.company.id, count].map(String));

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
    const handle = openWriter(world.database.path);
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

  test('a connection that reads keeps at most 4 MB of pages', () => {
    const handle = openReader(world.database.path);
    expect(handle.pragma('cache_size', { simple: true })).toBe(-4000);
    handle.close();
  });
});

test('A-25: damaged scopes and a damaged flag never give full access', async () => {
  const terms = { accountId: world.account.id, firmId: null, name: null, prefix: 'p', secretHash: 'h' };
  await world.store.write(NOW, (writer) =>
    writer.keys.insert({ ...terms, fullAccess: false, scopes: ['offers:read'] }),
  );
  raw((handle) => {
    handle.prepare('update api_keys set scopes = ?').run('\u0000');
    expect(() => handle.exec('update api_keys set full_access = 2')).toThrow('CHECK');
    handle.pragma('ignore_check_constraints = ON');
    handle.exec('update api_keys set full_access = 2');
  });
  const record = await world.store.read((reader) => reader.keys.byHash('h'));
  expect(record?.key).toMatchObject({ fullAccess: false, scopes: [] });
});

test('A-52: thirty changes of a hundred offers that leave their tiers alone do not store them', async () => {
  let offers = await insert(100);
  const consumptionTiers = Array.from({ length: 50 }, (_, i) => {
    return { from: i, to: i + 1, value: 7, type: 'fixed' as const };
  });
  const bytes = () => raw((handle) => Number(handle.prepare('select sum(pgsize) from dbstat').pluck().get()));
  const change = async (round: number) => {
    const terms = luzTerms(world.company.id, { isActive: round % 2 === 0, consumptionTiers });
    const changes = offers.flatMap((before) => changeOf(before, terms) ?? []);
    offers = await world.store.write(NOW, (writer) => writer.offers.update(world.account.id, changes));
  };
  await change(0);
  const before = bytes();
  for (let round = 1; round <= 30; round += 1) await change(round);
  // 3 000 versions of 3 KB of tiers each would be 9 MB.
  expect(bytes() - before).toBeLessThan(1_500_000);
});

test('A-52: tiers that a statement gives to many offers are stored once for the versions that had them', async () => {
  let offers = await insert(500);
  const listOf = (value: number) =>
    Array.from({ length: 100 }, (_, i) => ({ from: i, to: i + 1, value: value + i, type: 'fixed' as const }));
  const change = async (round: number) => {
    const terms = luzTerms(world.company.id, { consumptionTiers: listOf(round) });
    const changes = offers.flatMap((before) => changeOf(before, terms) ?? []);
    offers = await world.store.write(NOW, (writer) => writer.offers.update(world.account.id, changes));
  };
  const bytes = () => raw((handle) => Number(handle.prepare('select sum(pgsize) from dbstat').pluck().get()));
  await change(0);
  const before = bytes();
  for (let round = 1; round <= 4; round += 1) await change(round);
  // 2 000 versions of 5 KB of tiers each would be 10 MB.
  expect(bytes() - before).toBeLessThan(1_200_000);
  const [first] = offers;
  const versions = await world.store.read((reader) => reader.offers.versions(world.account.id, first?.id ?? 0));
  const tiersIn = versions.flatMap(({ before: { kind, ...rest } }) =>
    kind === 'terms' && 'offer' in rest ? [rest.offer.consumptionTiers] : [],
  );
  expect(tiersIn.slice(1)).toEqual([0, 1, 2, 3].map(listOf));
});

describe('several processes', () => {
  test('a write of another process is in the next read', async () => {
    expect(await world.store.read((reader) => reader.changes.revisions(world.account.id))).toEqual({
      own: 1,
      catalog: 0,
    });
    const child = startHere('write-once', 3);
    expect(await child.ended()).toBe(0);
    expect(await world.store.read((reader) => reader.changes.revisions(world.account.id))).toEqual({
      own: 2,
      catalog: 0,
    });
    expect(await countOffers()).toBe(3);
    await insert(1);
    expect(await world.store.read((reader) => reader.changes.revisions(world.account.id))).toEqual({
      own: 3,
      catalog: 0,
    });
  });

  test('a write waits for the writer of another process without blocking the event loop', async () => {
    const child = startHere('hold');
    await child.line();
    const writing = insert(1);
    for (let turn = 0; turn < 10; turn += 1) expect(await countOffers()).toBe(0);
    child.release();
    const [offer] = await writing;
    expect(offer?.id).toBe(2);
    expect(await countOffers()).toBe(2);
    expect(await child.ended()).toBe(0);
  });

  test('a write that waits too long is refused and changes nothing', async () => {
    const impatient = sqliteStore(world.database.path, { writeWaitMs: 100 });
    const holder = openWriter(world.database.path);
    holder.exec('begin immediate');
    const refusal = await insert(1, impatient).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DomainError);
    expect(refusal).toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 1 } });
    holder.close();
    await insert(1, impatient);
    expect(await countOffers(impatient)).toBe(1);
    await impatient.close();
  });

  test('a write waits for two units of work of another account at most, however many of that account wait', async () => {
    const done: string[] = [];
    const write = (name: string, accountId: number) =>
      world.store.write({ ...NOW, concerns: [accountId] }, async () => {
        await pause();
        done.push(name);
      });
    await Promise.all([...['first', 'second', 'third', 'last'].map((name) => write(name, 1)), write('of another', 2)]);
    expect(done).toEqual(['first', 'second', 'of another', 'third', 'last']);
  });

  test('a store that is closed finishes the unit of work that runs, and refuses those that wait', async () => {
    const done: string[] = [];
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const running = world.store.write(NOW, async () => {
      begin();
      await pause();
      done.push('running');
    });
    const waiting = world.store.write(NOW, async () => done.push('waiting'));
    const refused = expect(waiting).rejects.toThrow('the store is closed');
    await begun;
    await world.store.close();
    await refused;
    await running;
    expect(done).toEqual(['running']);
  });

  test('concurrent writers of several processes all finish, and nothing is lost', async () => {
    const children = Array.from({ length: runsOf(1, 2) }, () => startHere('write-once', 200));
    const own = Promise.all(Array.from({ length: 10 }, () => insert(20)));
    expect(await Promise.all(children.map((child) => child.ended()))).toEqual(children.map(() => 0));
    await own;
    expect(await countOffers()).toBe(200 + children.length * 200);
    const { own: revision } = await world.store.read((reader) => reader.changes.revisions(world.account.id));
    expect(revision).toBe(11 + children.length);
  });

  test('processes that migrate at once make one database', async () => {
    const place = temporaryPlace();
    const children = Array.from({ length: runsOf(2, 4) }, () => startChild('migrate', place.url));
    const answers = await Promise.all(children.map((child) => child.line()));
    expect(await Promise.all(children.map((child) => child.ended()))).toEqual(children.map(() => 0));
    expect(answers.sort()).toEqual([
      JSON.stringify({ applied: MIGRATIONS.map(({ name }) => name) }),
      ...children.slice(1).map(() => JSON.stringify({ applied: [] })),
    ]);
    expect(await pendingMigrations(place.url)).toEqual([]);
    expect(integrityOf(place.path)).toEqual(['ok', []]);
    place.remove();
  });
});

describe('faults', () => {
  test('a process that is killed in a unit of work leaves none of its changes', async () => {
    await insert(5);
    const before = await world.store.read((reader) => reader.changes.since(world.account.id, 0));
    const child = startHere('write-without-end', 1000);
    for (let i = 0; i < 8; i += 1) await child.line();
    await child.kill();
    expect(await world.store.read((reader) => reader.changes.since(world.account.id, 0))).toEqual(before);
    await insert(1);
    await world.store.close();
    expect(integrityOf(world.database.path)).toEqual(['ok', []]);
    world.store = await openStore(world.database.url);
    expect(await countOffers()).toBe(6);
  });

  test('a process that is killed at any moment has committed all answered units of work, each of them whole', async () => {
    const size = 150;
    let committed = 0;
    for (const answered of [3, 1, 7]) {
      const child = startHere('commit-without-end', size);
      for (let i = 0; i < answered; i += 1) await child.line();
      await child.kill();
      const total = await countOffers();
      expect(total % size).toBe(0);
      expect(total).toBeGreaterThanOrEqual(committed + answered * size);
      expect((await world.store.read((reader) => reader.changes.revisions(world.account.id))).own).toBe(
        1 + total / size,
      );
      committed = total;
    }
    await world.store.close();
    expect(integrityOf(world.database.path)).toEqual(['ok', []]);
  });

  test('a full disk fails the unit of work with the reason, and neither it nor later statements are committed', async () => {
    await insert(10);
    await world.store.close();
    const pages = raw((handle) => Number(handle.pragma('page_count', { simple: true })));
    const reports: unknown[] = [];
    world.store = sqliteStore(world.database.path, { maxPages: pages + 40, report: (error) => reports.push(error) });
    const before = await world.store.read((reader) => reader.changes.since(world.account.id, 0));
    await expect(insert(3000)).rejects.toMatchObject({ name: 'DomainError', code: 'unavailable' });
    const swallowing = world.store.write(NOW, async (writer) => {
      await writer.offers.insert(world.account.id, manyOffers(world.company.id, 3000)).catch(() => undefined);
      await writer.offers.insert(world.account.id, manyOffers(world.company.id, 1)).catch(() => undefined);
    });
    await expect(swallowing).rejects.toMatchObject({ name: 'DomainError', code: 'unavailable' });
    expect(reports).toMatchObject([{ code: 'SQLITE_FULL' }, { code: 'SQLITE_FULL' }]);
    expect(await world.store.read((reader) => reader.changes.since(world.account.id, 0))).toEqual(before);
    await insert(1);
    expect(await countOffers()).toBe(11);
    await world.store.close();
    expect(integrityOf(world.database.path)).toEqual(['ok', []]);
  });
});

further('reading and writing thousands of offers lets other work run in between', async () => {
  const count = 20_000;
  // A write ends in one piece, its commit, and so may take longer than a read.
  const terms = manyOffers(world.company.id, count);
  const writing = () => world.store.write(NOW, (writer) => writer.offers.insert(world.account.id, terms));
  expectWithin((await watched(writing)).blockedMs, 200);
  const reading = () => world.store.read((reader) => reader.changes.since(world.account.id, 0));
  expectWithin((await watched(reading)).blockedMs, 50);
  const caching = () =>
    world.store.read((reader) => createOfferCache({ pause: () => pause() }).current(reader, world.account.id));
  expectWithin((await watched(caching)).blockedMs, 50);
  const { offers } = await reading();
  const changes = offers.flatMap(({ offer }) => changeOf(offer, luzTerms(world.company.id)) ?? []);
  const changing = () => world.store.write(NOW, (writer) => writer.offers.update(world.account.id, changes));
  expectWithin((await watched(changing)).blockedMs, 200);
  const changed = await world.store.read((reader) => reader.changes.since(world.account.id, 2));
  expect(changed.offers.length).toBe(count);
  expect(changed.offers.every(({ offer }) => offer.offerName === 'Tarifa')).toBe(true);
});
