import type { RateLimiter } from '@tarifario/core/service';
import { rateLimiterContract } from '@tarifario/core/testing';
import { type Database, openDatabase } from '@tarifario/store';
import {
  newDatabase,
  onServer,
  postgresUrl,
  stopClock,
  type TestDatabase,
} from '@tarifario/testkit/postgres/databases';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createPostgresRateLimiter } from '../src/postgres/limiter.ts';
import { openPool, POSTGRES_DEFAULTS } from '../src/postgres/pool.ts';

describe.skipIf(postgresUrl === null)('the limiter on PostgreSQL', () => {
  let database: TestDatabase;
  let letPass: (milliseconds: number) => Promise<void>;
  const opened: Database[] = [];

  beforeAll(async () => {
    database = await newDatabase();
    letPass = await stopClock(database);
  });
  afterEach(async () => {
    for (const { store } of opened.splice(0)) await store.close();
    await onServer(database.url, (client) => client.query('truncate rate_buckets'));
  });
  afterAll(() => database.drop());

  /** As another process would have. */
  const open = async (): Promise<RateLimiter> => {
    const one = await openDatabase(database.url, { maxConnections: 8 });
    opened.push(one);
    if (!one.limiter) throw new Error('PostgreSQL has a limiter');
    return one.limiter;
  };
  const make = async () => [await open(), await open()] as const;

  for (const { name, run } of rateLimiterContract({ make, wait: (milliseconds) => letPass(milliseconds) }))
    test(name, run);

  test.each([1, 3])(
    'A-40: a window that a clock made a day ahead holds up nobody who takes %i points',
    async (points) => {
      const limiter = await open();
      const [once, twice] = ['once', 'twice'].map((key) => ({ name: key, key, points: 3 * points, windowSeconds: 60 }));
      const buckets = once && twice ? [once, twice] : [];
      const day = 24 * 3_600_000;
      await letPass(day);
      for (let call = 0; call < 3; call += 1) expect((await limiter.take(buckets, points)).accepted).toBe(true);
      expect((await limiter.take(buckets, points)).accepted).toBe(false);
      await letPass(-day);
      const left = { remaining: 2 * points, resetSeconds: 60 };
      expect(await limiter.take(buckets, points)).toMatchObject({ accepted: true, states: [left, left] });
      await limiter.take(buckets, points);
      await limiter.take(buckets, points);
      expect((await limiter.take(buckets, points)).accepted).toBe(false);
    },
  );

  test('only expired windows are deleted after calls', async () => {
    const pool = openPool(database.url, POSTGRES_DEFAULTS);
    const limiter = createPostgresRateLimiter(pool, { report: () => {}, sweepEveryMs: 0 });
    const bucket = (key: string, windowSeconds: number) => ({ name: key, key, points: 5, windowSeconds });
    await limiter.take([bucket('short', 1), bucket('long', 60)]);
    await letPass(1100);
    await limiter.take([bucket('other', 60)]);
    const keys = async () => (await pool.query('select key from rate_buckets order by key')).rows;
    await expect.poll(keys).toEqual([{ key: 'long' }, { key: 'other' }]);
    await pool.end();
  });

  test('one sweep deletes all expired windows, however many there are', async () => {
    const pool = openPool(database.url, POSTGRES_DEFAULTS);
    const limiter = createPostgresRateLimiter(pool, { report: () => {}, sweepEveryMs: 0, sweepSize: 2 });
    const bucket = (key: string, windowSeconds: number) => ({ name: key, key, points: 5, windowSeconds });
    await limiter.take(['a', 'b', 'c', 'd', 'e'].map((key) => bucket(key, 1)));
    await letPass(1100);
    await limiter.take([bucket('other', 60)]);
    const keys = async () => (await pool.query('select key from rate_buckets')).rows;
    await expect.poll(keys).toEqual([{ key: 'other' }]);
    await pool.end();
  });

  test('a call that cannot be counted is refused as "unavailable", and the reason is reported', async () => {
    const reasons: unknown[] = [];
    const pool = openPool(database.url, POSTGRES_DEFAULTS);
    const limiter = createPostgresRateLimiter(pool, { report: (reason) => reasons.push(reason) });
    await pool.query('alter table rate_buckets rename to away');
    const buckets = [{ name: 'a', key: 'a', points: 5, windowSeconds: 60 }];
    for (const attempt of [limiter.take, limiter.giveBack]) {
      const error = await attempt(buckets).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 1 } });
      expect(String(error)).not.toContain('rate_buckets');
    }
    expect(reasons.map(String).join()).toContain('rate_buckets');
    await pool.query('alter table away rename to rate_buckets');
    expect((await limiter.take(buckets)).accepted).toBe(true);
    await pool.end();
  });
});
