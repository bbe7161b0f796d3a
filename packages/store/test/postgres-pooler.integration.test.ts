import { forgetsStatements, migrate, openDatabase } from '@tarifario/store';
import { newDatabase, postgresUrl, type TestDatabase } from '@tarifario/testkit/postgres/databases';
import { hasPooler, type Pooler, startPooler } from '@tarifario/testkit/postgres/pooler';
import { runsOf } from '@tarifario/testkit/share';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

describe.skipIf(postgresUrl === null)('prepared statements', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await newDatabase();
  });
  afterAll(() => database.drop());

  test('outlive a transaction without a pooler, and in SQLite', async () => {
    expect(await forgetsStatements(database.url)).toBe(false);
    expect(await forgetsStatements('sqlite:anywhere.db')).toBe(false);
  });

  describe.skipIf(!hasPooler)('behind PgBouncer', () => {
    let pooler: Pooler;

    beforeEach(async () => {
      pooler = await startPooler(database.url, 'transaction');
    });
    afterEach(() => pooler.stop());

    test('are lost in transaction mode, which is detected, also by concurrent checks', async () => {
      for (let round = 0; round < runsOf(2, 10); round += 1) {
        const checks = Array.from({ length: 5 }, () => forgetsStatements(pooler.url(database.url)));
        expect(await Promise.all(checks)).toEqual([true, true, true, true, true]);
      }
    });

    test('outlive a transaction in session mode', async () => {
      await pooler.restart('session');
      expect(await forgetsStatements(pooler.url(database.url))).toBe(false);
    });

    test('that a pooler starts to lose make calls "unavailable" and the database not ready', async () => {
      await pooler.restart('session');
      const url = pooler.url(database.url);
      await migrate(url);
      const { store, pending } = await openDatabase(url);
      try {
        const ask = () => store.latest.changes.revisions(1);
        await ask();
        expect(await pending()).toEqual([]);
        await pooler.restart('transaction');
        const askAll = () => Promise.allSettled(Array.from({ length: 20 }, ask));
        const reasons = async () =>
          (await askAll()).flatMap((answer) => (answer.status === 'rejected' ? [String(answer.reason.code)] : []));
        await askAll();
        await expect
          .poll(async () => {
            expect(new Set([...(await reasons()), 'unavailable'])).toEqual(new Set(['unavailable']));
            return await pending().catch(String);
          })
          .toBe('DatabaseProblem: a pooler forgets prepared statements');
        await pooler.restart('session');
        await expect.poll(() => pending().catch(String)).toEqual([]);
      } finally {
        await store.close();
      }
    });
  });
});
