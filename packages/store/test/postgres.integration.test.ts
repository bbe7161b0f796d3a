import { AsyncLocalStorage } from 'node:async_hooks';
import { carryOut, changeOf, type Deps, type Reader, retryUpload, type Store } from '@tarifario/core/service';
import { callerOf } from '@tarifario/core/testing';
import { postgresUrl, untilWaiting } from '@tarifario/testkit/postgres/databases';
import { beforeEach, describe, expect, test } from 'vitest';
import { faultOf } from '../src/postgres/faults.ts';
import { countOffers, insert, luzTerms, manyOffers, NOW } from './sample-offers.ts';
import { openWith, tenantOnPostgres, writeAndHold } from './tenant-on-postgres.ts';

describe.skipIf(postgresUrl === null)('a PostgreSQL database', () => {
  const { world, open, sql } = tenantOnPostgres();
  const own = () => ({ ...NOW, concerns: [world.account.id] });

  test('a running program is not affected by new columns', async () => {
    const ask = async () => [
      await world.store.latest.keys.byHash('h'),
      await world.store.latest.changes.revisions(world.account.id),
    ];
    const terms = { accountId: world.account.id, firmId: null, name: null, prefix: 'p', secretHash: 'h' };
    await world.store.write(NOW, (writer) => writer.keys.insert({ ...terms, fullAccess: true, scopes: [] }));
    const before = await ask();
    expect(before).toMatchObject([{ key: { fullAccess: true } }, { own: 1 }]);
    const tables = ['api_keys', 'accounts', 'firms', 'subscriptions', 'revisions'];
    for (const table of tables) await sql(`alter table ${table} add column later text`);
    try {
      expect(await ask()).toEqual(before);
    } finally {
      for (const table of tables) await sql(`alter table ${table} drop column later`);
    }
    expect(await ask()).toEqual(before);
  });

  test('a prepared read is prepared again on another connection after its columns changed their type', async () => {
    const { store } = openWith(world.database.url, { maxConnections: 1 });
    const before = await store.latest.changes.revisions(world.account.id);
    // Its trigger, which does nothing, is of this column.
    await sql('drop function mark_revision cascade');
    for (const type of ['integer', 'bigint']) {
      await sql(`alter table revisions alter column revision type ${type}`);
      await expect(store.latest.changes.revisions(world.account.id)).rejects.toMatchObject({ code: '0A000' });
      for (let turn = 0; turn < 2; turn++)
        expect(await store.latest.changes.revisions(world.account.id)).toEqual(before);
    }
    await store.close();
  });

  test('a write tells its caller how long it waited for others of its owner, of this process and of others, also in vain', async () => {
    const callers = new AsyncLocalStorage<string>();
    const told = new Map<string | undefined, number>();
    const onWriteWait = (ms: number) => void told.set(callers.getStore(), ms);
    const [one, impatient] = [open({ onWriteWait }), open({ onWriteWait, lockMs: 20 })];
    const write = (name: string, { store }: typeof one) =>
      callers.run(name, () => store.write(own(), async () => null));
    const end = await writeAndHold(world.store, own(), async () => {});
    const both = [write('first', one), write('second', one)];
    await untilWaiting(world.database);
    await expect(write('in vain', impatient)).rejects.toThrow('busy');
    await sql('select pg_sleep(0.05)');
    await end();
    await Promise.all(both);
    expect([...told.keys()]).toEqual(['in vain', 'first', 'second']);
    expect([...told.values()].map((ms) => Math.min(ms, 20))).toEqual([20, 20, 20]);
  });

  test('a replica of an earlier release reads beside this one, and is told that the database only reads when it writes', async () => {
    const error = await sql('insert into revisions (owner_id, revision) values (99, 1)').catch((thrown) => thrown);
    expect(error).toMatchObject({ code: '25006' });
    expect(faultOf(error)).toBe('unavailable');
    expect((await sql('select * from revisions where owner_id = 99')).rows).toEqual([]);
  });

  test('calls that a replica of an earlier release answers beside this one are recorded', async () => {
    await sql("insert into usage_endpoints (endpoint) values ('/v1/offers')");
    await sql(`insert into usage_log (account_id, id, endpoint_id, method, status_code, response_time_ms, created_at)
      select ${world.account.id}, 1, id, 'GET', 200, 1, '${NOW.at}' from usage_endpoints`);
    const query = {
      accountId: world.account.id,
      firmId: null,
      endpoint: null,
      statusCode: null,
      from: NOW.at,
      to: NOW.at,
    };
    const listed = await world.store.read((reader) => reader.usage.list(query, { limit: 9, offset: 0 }));
    expect(listed).toMatchObject({ total: 1, results: [{ endpoint: '/v1/offers', createdAt: NOW.at }] });
  });

  describe('values', () => {
    test('numbers are read back exactly, of any size', async () => {
      const numbers = [0.1, 1 / 3, 5e-324, Number.MIN_VALUE, Number.MAX_VALUE, 1e21, 123456789.12345679, 2 ** 53 + 2];
      const offers = numbers.map((commissionValue) => luzTerms(world.company.id, { commissionValue }));
      await world.store.write(NOW, (writer) => writer.offers.insert(world.account.id, offers));
      const { offers: read } = await world.store.read((reader) => reader.changes.since(world.account.id, 0));
      expect(read.map(({ offer }) => offer.commissionValue)).toEqual(numbers);
    });

    test('a number that would be rounded is refused when it is read', async () => {
      await sql('update revisions set revision = 9007199254740993');
      await expect(world.store.read((reader) => reader.changes.revisions(world.account.id))).rejects.toThrow(
        'too great',
      );
      await expect(world.store.latest.changes.revisions(world.account.id)).rejects.toThrow('too great');
    });

    test('unknown ids of any size find nothing, without an error', async () => {
      const lookUp = (id: number) => (reader: Reader) => reader.offers.byId(world.account.id, [id]);
      for (const id of [0, -1, 2 ** 31, 2 ** 40, Number.MAX_SAFE_INTEGER]) {
        expect(await world.store.read(lookUp(id)), String(id)).toEqual([]);
        expect(await world.store.read((reader) => reader.firms.get(world.account.id, id))).toBeNull();
        expect(await world.store.read((reader) => reader.accounts.get(id))).toBeNull();
      }
    });

    test('neither the time zone nor the formats of a session change what is read', async () => {
      const third = luzTerms(world.company.id, { commissionValue: 1 / 3 });
      await world.store.write(NOW, (writer) => writer.offers.insert(world.account.id, [third]));
      const storeSnapshot = () =>
        openWith(world.database.url).store.read((reader) => reader.changes.since(world.account.id, 0));
      const before = await storeSnapshot();
      for (const setting of [
        "timezone = 'Asia/Kathmandu'",
        "datestyle = 'German'",
        "intervalstyle = 'sql_standard'",
        'extra_float_digits = 0',
      ]) {
        await sql(`alter database ${world.database.name} set ${setting}`);
      }
      expect(await storeSnapshot()).toEqual(before);
      await sql(`alter database ${world.database.name} reset all`);
    });
  });

  describe('several processes', () => {
    test('a write of another process is visible in the next read', async () => {
      const other = open().store;
      for (let i = 1; i <= 20; i += 1) {
        await insert(other, world, 1);
        expect(await world.store.read((reader) => reader.changes.revisions(world.account.id))).toEqual({
          own: 1 + i,
          catalog: 0,
        });
        expect(await countOffers(world.store, world)).toBe(i);
      }
    });

    test('A-63: twenty units of work that count before they insert cannot exceed a limit together', async () => {
      const stores = [world.store, open().store, open().store, open().store];
      const { account, company } = world;
      const add = (one: Store) =>
        one.write({ ...NOW, concerns: [account.id] }, async (writer) => {
          const { offers } = await writer.counts.totals(account.id);
          if (offers >= 7) return false;
          await writer.offers.insert(account.id, manyOffers(company.id, 1));
          return true;
        });
      const outcomes = await Promise.all(Array.from({ length: 20 }, (_, i) => add(stores[i % 4] ?? world.store)));
      expect(outcomes.filter((isDone) => isDone)).toHaveLength(7);
      expect(await countOffers(world.store, world)).toBe(7);
      const { offers } = await world.store.read((reader) => reader.counts.totals(account.id));
      expect(offers).toBe(7);
    });

    test('units of work with a common concern wait for each other, others do not, and one without concerns waits for all', async () => {
      const other = open().store;
      const release = await writeAndHold(world.store, own(), (writer) =>
        writer.offers.insert(world.account.id, manyOffers(world.company.id, 1)),
      );
      const done: string[] = [];
      const note = (what: string) => () => done.push(what);
      const same = insert(other, world, 1).then(note('same'));
      const context = { ...NOW, concerns: ['catalog'] } as const;
      const terms = { firmId: null, name: 'Catálogo', logoUrl: null, isActive: true };
      await other.write(context, (writer) => writer.companies.insert('catalog', terms)).then(note('other'));
      const everything = other
        .write(NOW, async (writer) => (await writer.accounts.list()).length)
        .then(note('everything'));
      expect(done).toEqual(['other']);
      await Promise.all([release(), same, everything]);
      expect(done.toSorted()).toEqual(['everything', 'other', 'same']);
    });

    test('calls of one account are numbered without a gap, whichever process records them', async () => {
      const [account, endpoints] = [world.account.id, ['/a', '/b', '/c', '/d']];
      const call = (i: number) => ({
        accountId: account,
        firmId: null,
        endpoint: endpoints[i % 4] ?? '',
        method: 'GET',
        statusCode: 200,
        responseTimeMs: i,
        createdAt: NOW.at,
      });
      const writers = [world.store, open().store, open().store];
      await Promise.all(
        Array.from({ length: 30 }, (_, i) =>
          writers[i % 3]?.write({ ...NOW, concerns: ['usage'] }, (writer) =>
            writer.usage.insert([call(i), call(i + 1)]),
          ),
        ),
      );
      const all = { accountId: account, firmId: null, endpoint: null, statusCode: null, from: null, to: null };
      const { results } = await world.store.read((reader) => reader.usage.list(all, { limit: 100, offset: 0 }));
      expect(results.map(({ id }) => id)).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
    });

    const queue = { ...NOW, concerns: ['queue'] } as const;
    const LEASE = '2026-01-01T00:02:00.000Z';
    const claim = (one: Store) => one.write(queue, (writer) => writer.queue.claim(LEASE));
    const enqueue = (count: number) =>
      world.store.write(own(), async (writer) => {
        const file = {
          firmId: null,
          kind: 'offers_bulk_update',
          fileName: 'a.xlsx',
          sizeBytes: 3,
          status: 'pending',
        } as const;
        for (let i = 0; i < count; i += 1) {
          await writer.uploads.insert(world.account.id, { ...file, file: new Uint8Array([0, 255, i]) });
        }
      });

    test('queued uploads are each taken once, with their bytes, until no upload waits', async () => {
      await enqueue(12);
      const claimed = await Promise.all(
        Array.from({ length: 15 }, (_, i) => claim(i % 2 === 0 ? world.store : open().store)),
      );
      const files = claimed.flatMap((one) => (one === null ? [] : [[...one.file]]));
      expect(files.toSorted((a, b) => (a[2] ?? 0) - (b[2] ?? 0))).toEqual(
        Array.from({ length: 12 }, (_, i) => [0, 255, i]),
      );
    });

    test('a queued upload that is being changed is skipped, and the next one is taken', async () => {
      await enqueue(2);
      const release = await writeAndHold(world.store, own(), (writer) =>
        writer.uploads.update(world.account.id, 1, { from: 'pending', to: 'cancelled', finishedAt: NOW.at }),
      );
      expect([(await claim(open().store))?.upload.id, await claim(open().store)]).toEqual([2, null]);
      await release();
      expect(await claim(open().store)).toBeNull();
    });

    describe('the file of a failed upload that is deleted during a retry', () => {
      const LATER = '2027-01-01T00:00:00.000Z';
      const sweep = (one: Store) => one.write(queue, (writer) => writer.queue.sweepFiles(LATER, 0));
      const upload = () => world.store.read((reader) => reader.uploads.get(world.account.id, 1));
      const retry = (one: Store) => {
        const imports = {
          wake: () => {},
          expectFile: () => {},
          run: () => Promise.reject(new Error('nothing is run')),
        };
        const clock = { now: () => NOW.at, monotonicMs: () => 0 };
        const limiter = { take: async () => ({ accepted: true, states: [] }), giveBack: async () => {} };
        const deps = { store: one, clock, imports, limiter } as unknown as Deps;
        const caller = callerOf({ accountId: world.account.id });
        const order = { command: retryUpload, input: { id: 1, firmId: null }, deps, caller };
        return carryOut(order, async ({ find, run }) => run(await find()));
      };

      beforeEach(async () => {
        await enqueue(1);
        await world.store.write(own(), (writer) =>
          writer.uploads.update(world.account.id, 1, { from: 'pending', to: 'failed', finishedAt: NOW.at }),
        );
      });

      test('remains when the retry was first', async () => {
        const release = await writeAndHold(world.store, own(), (writer) =>
          writer.uploads.update(world.account.id, 1, { from: 'failed', to: 'pending', finishedAt: null }),
        );
        expect(await sweep(open().store)).toBe(0);
        await release();
        expect(await upload()).toMatchObject({ status: 'pending', hasFile: true });
      });

      test('is gone when the deletion was first, and the retry is refused', async () => {
        const release = await writeAndHold(world.store, queue, async (writer) => {
          expect(await writer.queue.sweepFiles(LATER, 0)).toBe(1);
        });
        const refusal = expect(retry(open().store)).rejects.toMatchObject({ code: 'wrong_state' });
        await untilWaiting(world.database);
        await Promise.all([release(), refusal]);
        expect(await upload()).toMatchObject({ status: 'failed', hasFile: false });
      });
    });

    test('a bulk write of one account blocks neither the queue nor other accounts', async () => {
      await enqueue(1);
      const release = await writeAndHold(
        world.store,
        { ...NOW, concerns: ['catalog', world.account.id + 1] },
        (writer) => writer.companies.insert('catalog', { firmId: null, name: 'C', logoUrl: null, isActive: true }),
      );
      expect((await claim(open().store))?.upload.id).toBe(1);
      await insert(open({ lockMs: 1000 }).store, world, 1);
      await release();
    });

    test('old calls are deleted once, however many processes do it', async () => {
      const call = {
        accountId: world.account.id,
        firmId: null,
        endpoint: '/a',
        method: 'GET',
        statusCode: 200,
        responseTimeMs: 1,
      };
      const calls = Array.from({ length: 300 }, () => ({ ...call, createdAt: NOW.at }));
      await world.store.write(NOW, (writer) => writer.usage.insert(calls));
      const sweep = (one: Store) =>
        one.write({ ...NOW, concerns: ['usage'] }, (writer) =>
          writer.usage.deleteBefore('2027-01-01T00:00:00.000Z', 100),
        );
      const deleted = await Promise.all([world.store, open().store, open().store, open().store].map(sweep));
      expect(deleted.toSorted((a, b) => b - a)).toEqual([100, 100, 100, 0]);
    });
  });

  test('A-52: tiers that a statement gives to many offers are stored once for the versions that had them', async () => {
    let offers = await insert(world.store, world, 20);
    for (const round of [0, 1, 2]) {
      const consumptionTiers = Array.from({ length: 100 }, (_, i) => {
        return { from: i, to: i + 1, value: round + i, type: 'fixed' as const };
      });
      const terms = luzTerms(world.company.id, { consumptionTiers });
      const changes = offers.flatMap((before) => changeOf(before, terms) ?? []);
      offers = await world.store.write(NOW, (writer) => writer.offers.update(world.account.id, changes));
    }
    const { rows } = await sql(`select count(consumption_tiers)::int as own, count(consumption_tiers_id)::int as named,
      (select count(*)::int from tier_lists) as lists from offer_versions`);
    expect(rows).toEqual([{ own: 0, named: 60, lists: 3 }]);
  });

  test('a version has tiers only where they were changed, or commissions were written blindly', async () => {
    let offers = await insert(world.store, world, 10);
    for (const [value, commissionValue, isBlind] of [
      [1, 5, false],
      [1, 6, false],
      [2, 6, false],
      [2, 6, true],
    ] as const) {
      const consumptionTiers = [{ from: 0, to: null, value, type: 'fixed' as const }];
      const terms = luzTerms(world.company.id, { consumptionTiers, commissionValue });
      const changes = offers.flatMap((before) => changeOf(before, terms, { isBlind }) ?? []);
      offers = await world.store.write(NOW, (writer) => writer.offers.update(world.account.id, changes));
    }
    const { rows } = await sql(
      `select count(coalesce(consumption_tiers, consumption_tiers_id::text))::int as c,
        count(coalesce(power_tiers, power_tiers_id::text))::int as p from offer_versions`,
    );
    expect(rows).toEqual([{ c: 30, p: 10 }]);
  });
});
