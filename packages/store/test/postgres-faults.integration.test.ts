import { activeFirmCount, createUsageLog, type Writer } from '@tarifario/core/service';
import { endConnections, onServer, postgresUrl, untilWaiting } from '@tarifario/testkit/postgres/databases';
import { type Network, startNetwork } from '@tarifario/testkit/postgres/network';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { POSTGRES_DEFAULTS } from '../src/postgres/pool.ts';
import { startChild } from './child.ts';
import { countOffers, insert, luzTerms, manyOffers, NOW } from './sample-offers.ts';
import { tenantOnPostgres, writeAndHold } from './tenant-on-postgres.ts';

/** Waits for answers that never come, and no longer than for those that come late on a busy machine. */
const IMPATIENT = { answerMs: 1500, connectMs: 1500 };
const UNAVAILABLE = { name: 'DomainError', code: 'unavailable', details: { retryAfterSeconds: 1 } };

describe.skipIf(postgresUrl === null)('faults of PostgreSQL', () => {
  const { world, open, sql } = tenantOnPostgres();
  afterEach(async () => {
    await sql('drop function if exists be_slow, fail_first cascade; drop sequence if exists failures');
  });

  const own = () => ({ ...NOW, concerns: [world.account.id] });
  const insertHere = (writer: Writer, count = 1) =>
    writer.offers.insert(world.account.id, manyOffers(world.company.id, count));

  describe('connections that break', () => {
    test('in the middle of a unit of work: nothing is committed, the process survives, the next one works', async () => {
      const { store, reports } = open();
      const attempt = store.write(own(), async (writer) => {
        await insertHere(writer);
        await endConnections(world.database);
        await insertHere(writer);
      });
      await expect(attempt).rejects.toMatchObject(UNAVAILABLE);
      expect(reports).toContainEqual(expect.objectContaining({ code: '57P01' }));
      expect(await countOffers(store, world)).toBe(0);
      await insert(store, world, 1);
      expect(await countOffers(store, world)).toBe(1);
    });

    test('before the commit, without a further query: the unit of work is not reported as committed', async () => {
      const { store } = open();
      const attempt = store.write(own(), async (writer) => {
        await insertHere(writer);
        await endConnections(world.database);
        return 'done';
      });
      await expect(attempt).rejects.toMatchObject(UNAVAILABLE);
      expect(await countOffers(store, world)).toBe(0);
    });

    test('in the middle of a read', async () => {
      const { store } = open();
      const attempt = store.read(async (reader) => {
        await reader.accounts.list();
        await endConnections(world.database);
        return await reader.accounts.list();
      });
      await expect(attempt).rejects.toMatchObject(UNAVAILABLE);
      expect(await countOffers(store, world)).toBe(0);
    });

    test('in the middle of a single read', async () => {
      const { store, reports } = open({ maxConnections: 1 });
      const whole = { own: 0, catalog: 0 };
      expect(await store.latest.changes.revisions(world.account.id + 1)).toEqual(whole);
      await onServer(world.database.url, async (holder) => {
        await holder.query('begin; lock table revisions');
        const attempt = store.latest.changes.revisions(world.account.id + 1);
        const refused = expect(attempt).rejects.toMatchObject(UNAVAILABLE);
        await untilWaiting(world.database);
        await holder.query(`select pg_terminate_backend(pid, 60000) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`);
        await refused;
        await holder.query('rollback');
      });
      expect(reports).toContainEqual(expect.objectContaining({ code: '57P01' }));
      expect(await store.latest.changes.revisions(world.account.id + 1)).toEqual(whole);
    });

    test('while they are idle', async () => {
      const { store, reports } = open();
      const opening = Promise.withResolvers<void>();
      let readers = 0;
      const read = () =>
        store.read(() => {
          readers += 1;
          if (readers === 3) opening.resolve();
          return opening.promise;
        });
      await Promise.all([read(), read(), read()]);
      await endConnections(world.database);
      await expect.poll(() => reports.length).toBeGreaterThanOrEqual(3);
      await insert(store, world, 1);
      expect(await countOffers(store, world)).toBe(1);
    });

    test('an error of the work itself is rethrown, whatever happened to its connection', async () => {
      const stop = new Error('stop');
      const attempt = open().store.write(own(), async () => {
        await endConnections(world.database);
        throw stop;
      });
      await expect(attempt).rejects.toBe(stop);
    });
  });

  test('a single read waits as long as a statement may, and no longer', async () => {
    const { store, reports } = open({ maxConnections: 1, statementMs: 700 });
    await onServer(world.database.url, async (holder) => {
      await holder.query('begin; lock table revisions');
      await expect(store.latest.changes.revisions(1)).rejects.toMatchObject(UNAVAILABLE);
      await holder.query('rollback');
    });
    expect(reports).toEqual([expect.objectContaining({ code: '57014' })]);
    expect(await store.latest.changes.revisions(1)).toEqual(await world.store.latest.changes.revisions(1));
  });

  describe('a lost answer to a commit', () => {
    let network: Network;

    beforeEach(async () => {
      network = await startNetwork(Number(new URL(world.database.url).port));
    });
    afterEach(() => network.close());

    test('before the server got it: nothing is committed, and the caller learns that', async () => {
      const { store } = open({}, network.url(world.database.url));
      await insert(store, world, 1);
      network.cutAtCommit('before');
      await expect(insert(store, world, 1)).rejects.toMatchObject(UNAVAILABLE);
      expect(await countOffers(world.store, world)).toBe(1);
      await insert(store, world, 1);
      expect(await countOffers(store, world)).toBe(2);
    });

    test('after it was carried out: everything is committed, and the caller learns that', async () => {
      const { store } = open({}, network.url(world.database.url));
      await insert(store, world, 1);
      network.cutAtCommit('after');
      const offers = await store.write(own(), (writer) => insertHere(writer, 2));
      expect(offers.map(({ offerName }) => offerName)).toEqual(['Tarifa 0', 'Tarifa 1']);
      expect(await countOffers(world.store, world)).toBe(3);
    });

    test('when the server does not say whether it committed: the answer says that the outcome is unknown', async () => {
      const { store, reports } = open({ ...IMPATIENT, askMs: 500 }, network.url(world.database.url));
      const attempt = store.write(own(), async (writer) => {
        await insertHere(writer);
        network.hold(true);
      });
      const error = await attempt.catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ ...UNAVAILABLE, message: expect.stringContaining('nobody can say') });
      expect(reports).not.toEqual([]);
      network.hold(false);
    });

    test.each(['before', 'after'] as const)(
      'A-37: %s a batch of calls was committed: each call is recorded once',
      async (moment) => {
        const { store } = open({ ...IMPATIENT, askMs: 400 }, network.url(world.database.url));
        await insert(store, world, 1);
        const failures: unknown[] = [];
        const clock = { now: () => NOW.at, monotonicMs: () => 0 };
        const log = createUsageLog({ store, clock }, { name: 'one', reportFailure: (error) => failures.push(error) });
        const call = { accountId: world.account.id, firmId: null, method: 'GET', statusCode: 200, responseTimeMs: 1 };
        const record = (endpoint: string) => log.record({ ...call, endpoint, createdAt: NOW.at });
        record('/v1/a');
        record('/v1/b');
        network.cutAtCommit(moment, { thenHold: true });
        expect(await log.flush()).toBe(false);
        expect(failures).toMatchObject([{ message: expect.stringContaining('nobody can say') }]);
        record('/v1/c');
        network.hold(false);
        await expect.poll(() => log.flush()).toBe(true);
        const all = { accountId: call.accountId, firmId: null, endpoint: null, statusCode: null, from: null, to: null };
        const { results } = await world.store.read((reader) => reader.usage.list(all, { limit: 9, offset: 0 }));
        expect(results.map(({ id, endpoint }) => [id, endpoint])).toEqual([
          [1, '/v1/a'],
          [2, '/v1/b'],
          [3, '/v1/c'],
        ]);
      },
    );

    test.each([
      ['of an account', 1],
      ['of an account', 31],
      ['of an account', 32],
      ['without a concern', 0],
    ])(
      'after it was carried out, and found out late: a write %s, which has been locked %i times since',
      async (_, times) => {
        const { store } = open(IMPATIENT, network.url(world.database.url));
        const locked = async () => (await sql('select sum(writes)::int as n from write_locks')).rows[0]?.n;
        const before = await locked();
        network.cutAtCommit('after', { thenHold: true });
        const context = times === 0 ? { ...NOW, concerns: [] } : own();
        const written = store.write(context, async () => 'made');
        const outcome = written.catch((error: unknown) => String(error));
        await expect.poll(locked).toBe(before + 1);
        for (let i = 0; i < times; i += 1) await world.store.write(own(), async () => {});
        network.hold(false);
        expect(await outcome).toContain(times === 32 ? 'nobody can say' : 'made');
      },
    );

    test('half of an error message: the connection is clean when it is used again', async () => {
      const { store } = open({ maxConnections: 1, lockMs: 50 }, network.url(world.database.url));
      await insert(store, world, 1);
      network.splitReady();
      const failing = store.write(own(), (writer) => writer.offers.insert(world.account.id, [luzTerms(999)]));
      await expect(failing).rejects.toMatchObject({ code: '23503' });
      await insert(store, world, 1);
      await world.store.write(own(), async () => {
        await expect(insert(store, world, 1)).rejects.toMatchObject(UNAVAILABLE);
      });
      await insert(store, world, 1);
      expect(await countOffers(store, world)).toBe(3);
    });

    test('a network that drops everything: an error in time, and no connection is leaked', async () => {
      const { store } = open({ ...IMPATIENT, askMs: 100, maxConnections: 2 }, network.url(world.database.url));
      expect(await countOffers(store, world)).toBe(0);
      network.hold(true);
      const attempts = Array.from({ length: 4 }, () => countOffers(store, world));
      for (const { status } of await Promise.allSettled(attempts)) expect(status).toBe('rejected');
      await expect(countOffers(store, world)).rejects.toMatchObject(UNAVAILABLE);
      network.hold(false);
      await expect.poll(() => countOffers(store, world).catch(() => null)).toBe(0);
    });
  });

  describe('what takes too long', () => {
    test('waiting for a free connection', async () => {
      // Long enough for the two that are held to be opened on a busy machine.
      const { store } = open({ maxConnections: 2, connectMs: 1500 });
      const { promise: release, resolve } = Promise.withResolvers<void>();
      const began = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const transactions = began.map(({ resolve: begin }) =>
        store.read(() => {
          begin();
          return release;
        }),
      );
      await Promise.all(began.map(({ promise }) => promise));
      await expect(countOffers(store, world)).rejects.toMatchObject(UNAVAILABLE);
      await expect(insert(store, world, 1)).rejects.toMatchObject(UNAVAILABLE);
      resolve();
      await Promise.all(transactions);
      await insert(store, world, 1);
      expect(await countOffers(store, world)).toBe(1);
    });

    test('a unit of work of another process with the same concern', async () => {
      const { store, reports } = open({ lockMs: 100 });
      const release = await writeAndHold(world.store, own(), (writer) => insertHere(writer));
      await expect(insert(store, world, 1)).rejects.toMatchObject({ ...UNAVAILABLE, message: 'the database is busy' });
      expect(reports).toMatchObject([{ code: '55P03' }]);
      await release();
      await insert(store, world, 1);
      expect(await countOffers(store, world)).toBe(2);
    });

    test('a unit of work of this process with the same concern: it waits without a connection', async () => {
      const { store } = open({ lockMs: 300, maxConnections: 2 });
      const release = await writeAndHold(store, own(), async () => {});
      const waiting = Array.from({ length: 5 }, () => insert(store, world, 1));
      // Looked after from now on: on a busy machine they are refused before the count below is read.
      const settled = Promise.allSettled(waiting);
      expect(await countOffers(store, world)).toBe(0);
      for (const { status } of await settled) expect(status).toBe('rejected');
      await expect(waiting[0]).rejects.toMatchObject({ ...UNAVAILABLE, message: 'the database is busy' });
      await release();
      await insert(store, world, 1);
      expect(await countOffers(store, world)).toBe(1);
    });

    test('with the default time-outs a hanging unit of work is ended before those that wait for it, and they get the reason', () => {
      const { idleMs, lockMs, statementMs, answerMs } = POSTGRES_DEFAULTS;
      expect(idleMs).toBeLessThan(lockMs);
      expect(lockMs).toBeLessThan(statementMs);
      expect(statementMs).toBeLessThan(answerMs);
    });

    test('the same, and later units of work also wait without a connection after the first ones gave up', async () => {
      // A caller who waits with a connection would hold it for longer than others wait for one.
      const { store } = open({ lockMs: 3000, maxConnections: 2, connectMs: 1500 });
      const release = await writeAndHold(store, own(), async () => {});
      await expect(insert(store, world, 1)).rejects.toMatchObject(UNAVAILABLE);
      const waiting = Array.from({ length: 5 }, () => expect(insert(store, world, 1)).rejects.toThrow('is busy'));
      expect(await countOffers(store, world)).toBe(0);
      await Promise.all(waiting);
      await release();
      await insert(store, world, 1);
    });

    test('a statement', async () => {
      const { store, reports } = open({ statementMs: 100 });
      await sql(`create function be_slow() returns trigger language plpgsql as 'begin perform pg_sleep(20); return new; end';
        create trigger slow before insert on offers execute function be_slow()`);
      await expect(insert(store, world, 1)).rejects.toMatchObject(UNAVAILABLE);
      expect(reports).toMatchObject([{ code: '57014' }]);
    });

    test('a process that hangs in a unit of work: others continue, and it changes nothing when it wakes up', async () => {
      const { store } = open({ idleMs: 1000 });
      const { promise: others, resolve } = Promise.withResolvers<unknown>();
      const hanging = store.write(own(), async (writer) => {
        await insertHere(writer);
        const goingOn = insert(world.store, world, 1);
        resolve(goingOn);
        await goingOn;
        await insertHere(writer).catch(() => undefined);
      });
      const refused = expect(hanging).rejects.toMatchObject(UNAVAILABLE);
      await others;
      await refused;
      expect(await countOffers(store, world)).toBe(1);
    });

    test('a process that is killed in a unit of work: others continue at once', async () => {
      const { account, company } = world;
      const child = startChild('hold', world.database.url, String(account.id), String(company.id));
      await child.line();
      await child.kill();
      await insert(open({ lockMs: 8000 }).store, world, 1);
      expect(await countOffers(world.store, world)).toBe(1);
    });
  });

  describe('what the database refuses', () => {
    /** Lets the next inserts of offers fail, with an error code. */
    const failInserts = (code: string, times: number) =>
      sql(`create sequence failures;
        create function fail_first() returns trigger language plpgsql as
          $$ begin if nextval('failures') <= ${times} then raise exception using errcode = '${code}'; end if; return new; end $$;
        create trigger failing before insert on offers execute function fail_first()`);

    test.each(['40001', '40P01'])(
      'for the sake of others (%s): the unit of work is done again, from its beginning',
      async (code) => {
        await failInserts(code, 2);
        const { store, reports } = open();
        let runs = 0;
        const seen: number[] = [];
        await store.write(own(), async (writer) => {
          runs += 1;
          seen.push(await activeFirmCount(writer, world.account.id));
          await writer.firms.insert(world.account.id, {
            name: 'Una',
            imageUrl: null,
            catalogDefault: 'all',
            isActive: true,
          });
          await insertHere(writer);
        });
        expect([runs, seen, reports]).toEqual([3, [1, 1, 1], []]);
        expect(await countOffers(store, world)).toBe(1);
      },
    );

    test('repeatedly: the unit of work is abandoned', async () => {
      await failInserts('40001', 100);
      const { store, reports } = open();
      let runs = 0;
      const attempt = store.write(own(), async (writer) => {
        runs += 1;
        await insertHere(writer);
      });
      await expect(attempt).rejects.toMatchObject(UNAVAILABLE);
      expect([runs, reports]).toMatchObject([5, [{ code: '40001' }]]);
    });

    test.each([
      ['a full disk', '53100'],
      ['no memory', '53200'],
      ['no connections', '53300'],
      ['a failing disk', '58030'],
      ['a shutdown', '57P01'],
      ['a server that only reads', '25006'],
    ])('%s: nothing is stored, the reason is in the log alone, and the next unit of work succeeds', async (_, code) => {
      await failInserts(code, 1);
      const { store, reports } = open();
      const error = await insert(store, world, 10).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ ...UNAVAILABLE, message: 'the database cannot be used for now' });
      expect(reports).toMatchObject([{ code }]);
      await insert(store, world, 1);
      expect(await countOffers(store, world)).toBe(1);
    });

    test('an error that the work catches still fails the unit of work', async () => {
      await failInserts('53100', 1);
      const { store } = open();
      const attempt = store.write(own(), async (writer) => {
        await insertHere(writer).catch(() => undefined);
        return 'done';
      });
      await expect(attempt).rejects.toMatchObject(UNAVAILABLE);
      expect(await countOffers(store, world)).toBe(0);
    });

    test('a failed read that the work catches still fails it too', async () => {
      await sql('alter table usage_slices rename to away');
      const attempt = world.store.write(own(), async (writer) => {
        await insertHere(writer);
        const query = { accountId: 1, firmId: null, endpoint: null, statusCode: null, from: null, to: null };
        await writer.usage.list(query, { limit: 1, offset: 0 }).catch(() => undefined);
        return 'done';
      });
      await expect(attempt).rejects.toMatchObject({ code: '42P01' });
      await sql('alter table away rename to usage_slices');
      expect(await countOffers(world.store, world)).toBe(0);
    });

    test('our own bugs are not reported as "unavailable"', async () => {
      const attempt = world.store.write(own(), (writer) => writer.offers.insert(world.account.id, [luzTerms(999)]));
      await expect(attempt).rejects.toMatchObject({ code: '23503' });
    });
  });
});
