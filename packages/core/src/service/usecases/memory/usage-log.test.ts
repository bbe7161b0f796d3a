import { newStore } from '@tarifario/testkit/new-store';
import { beforeEach, describe, expect, it } from 'vitest';
import { daysBefore } from '../../../engine/calendar.ts';
import type { UsageEntry } from '../../accounts/usage.ts';
import type { Store } from '../../ports/stores.ts';
import { sweepUsage } from '../uploads/sweeps.ts';
import { createUsageLog, USAGE_BATCH } from './usage-log.ts';

const AT = '2026-01-01T00:00:00.000Z';
const clock = { now: () => AT, monotonicMs: () => 0 };

let memory: Store;
let store: Store;
let isBroken: boolean;
let batches: number[];
let failures: unknown[];
let accountId: number;

beforeEach(async () => {
  memory = await newStore();
  [isBroken, batches, failures] = [false, [], []];
  store = {
    ...memory,
    write: (context, work) =>
      memory.write(context, (writer) =>
        work({
          ...writer,
          usage: {
            ...writer.usage,
            insert: async (entries, batch) => {
              if (isBroken) throw new Error('disk full');
              batches.push(entries.length);
              return writer.usage.insert(entries, batch);
            },
          },
        }),
      ),
  };
  const terms = { name: 'a', email: 'a@example.com', passwordHash: '', isCatalogEditor: false };
  accountId = (await memory.write({ keyId: null, at: AT }, (writer) => writer.accounts.insert(terms))).id;
});

const entry = (number: number, createdAt = AT): UsageEntry => ({
  accountId,
  firmId: null,
  endpoint: `/v1/${number}`,
  method: 'GET',
  statusCode: 200,
  responseTimeMs: 1,
  createdAt,
});

async function written(): Promise<readonly string[]> {
  const query = { accountId, firmId: null, endpoint: null, statusCode: null, from: null, to: null };
  const { results } = await memory.read((reader) => reader.usage.list(query, { limit: 2000, offset: 0 }));
  return results.map(({ endpoint }) => endpoint);
}

const logOf = (maxWaiting?: number) => {
  const reportFailure = (error: unknown) => failures.push(error);
  return createUsageLog(
    { store, clock },
    { name: 'log', reportFailure, ...(maxWaiting === undefined ? {} : { maxWaiting }) },
  );
};

describe('the usage log', () => {
  it('writes nothing before it is flushed, then everything in order', async () => {
    const log = logOf();
    for (const number of [1, 2, 3]) log.record(entry(number));
    expect([await written(), log.waiting()]).toEqual([[], 3]);
    expect(await log.flush()).toBe(true);
    expect([await written(), log.waiting(), log.dropped()]).toEqual([['/v1/1', '/v1/2', '/v1/3'], 0, 0]);
    await log.flush();
    expect(batches).toEqual([3]);
  });

  it('A-37: drops and counts what exceeds its bound, and accepts calls again once it has written', async () => {
    const log = logOf(2);
    for (const number of [1, 2, 3, 4]) log.record(entry(number));
    expect([log.waiting(), log.dropped()]).toEqual([2, 2]);
    await log.flush();
    log.record(entry(5));
    await log.flush();
    expect(await written()).toEqual(['/v1/1', '/v1/2', '/v1/5']);
  });

  it('writes no more than a thousand in one unit of work', async () => {
    const log = logOf();
    for (let number = 0; number < 2 * USAGE_BATCH + 1; number += 1) log.record(entry(number));
    await log.flush();
    expect(batches).toEqual([1000, 1000, 1]);
  });

  it('A-37: keeps the calls that a failing store does not take, up to its bound, and reports the failure once', async () => {
    const log = logOf(3);
    isBroken = true;
    log.record(entry(1));
    for (let i = 0; i < 3; i += 1) expect(await log.flush()).toBe(false);
    expect(failures).toEqual([new Error('disk full')]);
    for (const number of [2, 3, 4]) log.record(entry(number));
    expect([log.waiting(), log.dropped()]).toEqual([3, 1]);
    isBroken = false;
    expect(await log.flush()).toBe(true);
    expect(await written()).toEqual(['/v1/1', '/v1/2', '/v1/3']);
    isBroken = true;
    log.record(entry(5));
    await log.flush();
    expect(failures).toHaveLength(2);
  });

  it('A-37: writes each call once, also when only the confirmation was lost', async () => {
    let losesAnswers = true;
    const lossy: Store = {
      ...store,
      write: async (context, work) => {
        const answer = await store.write(context, work);
        if (losesAnswers) throw new Error('nobody can say whether the change was made');
        return answer;
      },
    };
    const log = createUsageLog({ store: lossy, clock }, { name: 'log', reportFailure: () => {} });
    for (const number of [1, 2]) log.record(entry(number));
    expect(await log.flush()).toBe(false);
    // Later calls are not part of the batch that may have been stored.
    log.record(entry(3));
    expect([await log.flush(), log.waiting()]).toEqual([false, 3]);
    losesAnswers = false;
    expect([await log.flush(), log.waiting()]).toEqual([true, 0]);
    log.record(entry(4));
    await log.flush();
    expect(await written()).toEqual(['/v1/1', '/v1/2', '/v1/3', '/v1/4']);
  });

  it('writes each call once, however many flush at the same time', async () => {
    const log = logOf();
    for (let number = 0; number < 10; number += 1) log.record(entry(number));
    const flushes = Promise.all([log.flush(), log.flush(), log.flush()]);
    log.record(entry(10));
    expect(await flushes).toEqual([true, true, true]);
    await log.flush();
    expect(await written()).toEqual(Array.from({ length: 11 }, (_, number) => `/v1/${number}`));
  });

  it('has written what was recorded before a flush when that flush ends, and does not wait for more', async () => {
    let number = 0;
    // Each unit of work brings another call with it: a flush that waited for all would never end.
    const busyStore: Store = {
      ...store,
      write: (context, work) => {
        number += 1;
        log.record(entry(number));
        return store.write(context, work);
      },
    };
    const log = createUsageLog({ store: busyStore, clock }, { name: 'log', reportFailure: () => {} });
    log.record(entry(0));
    await log.flush();
    expect([await written(), log.waiting()]).toEqual([['/v1/0'], 1]);
  });
});

describe('A-135: the last use of a key', () => {
  const later = (seconds: number) => new Date(Date.parse(AT) + seconds * 1000).toISOString();

  it('A-135: is stored with the calls, once in ten minutes', async () => {
    let marks = 0;
    let now = AT;
    const counting: Store = {
      ...memory,
      write: (context, work) =>
        memory.write(context, (writer) => {
          const markUsed: typeof writer.keys.markUsed = (...args) => {
            marks += 1;
            return writer.keys.markUsed(...args);
          };
          return work({ ...writer, keys: { ...writer.keys, markUsed } });
        }),
    };
    const terms = { accountId, firmId: null, name: null, prefix: '', secretHash: '', fullAccess: true, scopes: [] };
    const { id } = await memory.write({ keyId: null, at: AT }, (writer) => writer.keys.insert(terms));
    const lastUse = async () => (await memory.read((reader) => reader.keys.record(id)))?.key.lastUsedAt ?? null;
    const log = createUsageLog(
      { store: counting, clock: { ...clock, now: () => now } },
      { name: 'log', reportFailure: (error) => failures.push(error), maxWaiting: 2 },
    );
    const use = async (seconds: number) => {
      now = later(seconds);
      const caller = { keyId: id, lastUsedAt: await lastUse() };
      for (let call = 0; call < 3; call += 1) log.record(entry(call, now), caller);
      await log.flush();
      return [await lastUse(), marks];
    };
    expect(await use(0)).toEqual([later(0), 1]);
    expect(await use(599)).toEqual([later(0), 1]);
    expect(await use(600)).toEqual([later(0), 1]);
    expect(await use(601)).toEqual([later(601), 2]);
    expect(failures).toEqual([]);
  });

  it('A-135: is stored later where the store fails', async () => {
    const terms = { accountId, firmId: null, name: null, prefix: '', secretHash: '', fullAccess: true, scopes: [] };
    const { id } = await memory.write({ keyId: null, at: AT }, (writer) => writer.keys.insert(terms));
    const log = logOf();
    isBroken = true;
    log.record(entry(1), { keyId: id, lastUsedAt: null });
    expect(await log.flush()).toBe(false);
    isBroken = false;
    expect(await log.flush()).toBe(true);
    expect((await memory.read((reader) => reader.keys.record(id)))?.key.lastUsedAt).toBe(AT);
  });
});

describe('the sweep', () => {
  it('A-37: deletes calls older than the retention, to the millisecond', async () => {
    const log = logOf();
    log.record(entry(1, '2025-12-01T23:59:59.999Z'));
    log.record(entry(2, '2025-12-02T00:00:00.000Z'));
    await log.flush();
    expect(await sweepUsage({ store, clock }, { retentionDays: 30, keepGoing: () => true })).toBe(1);
    expect(await written()).toEqual(['/v1/2']);
  });

  it('continues slice by slice until nothing old is left, or it is stopped', async () => {
    const log = logOf();
    for (let number = 0; number < 2500; number += 1) log.record(entry(number, '2024-01-01T00:00:00.000Z'));
    await log.flush();
    let slices = 0;
    const twice = () => {
      slices += 1;
      return slices <= 2;
    };
    expect(await sweepUsage({ store, clock }, { retentionDays: 30, keepGoing: twice })).toBe(2000);
    expect(await sweepUsage({ store, clock }, { retentionDays: 30, keepGoing: () => true })).toBe(500);
  });
});

describe('days before an instant', () => {
  it.each([
    ['2026-01-01T10:20:30.400Z', 0, '2026-01-01T10:20:30.400Z'],
    ['2026-01-01T10:20:30.400Z', 1, '2025-12-31T10:20:30.400Z'],
    ['2024-03-01T00:00:00.000Z', 1, '2024-02-29T00:00:00.000Z'],
    ['2025-03-01T00:00:00.000Z', 1, '2025-02-28T00:00:00.000Z'],
    ['0000-01-02T00:00:00.000Z', 9, '0000-01-01T00:00:00.000Z'],
  ])('%s less %d is %s', (instant, days, expected) => {
    expect(daysBefore(instant, days)).toBe(expected);
  });

  it('are those of the calendar of the machine, over four centuries', () => {
    for (let days = 0; days < 150_000; days += 37) {
      const expected = new Date(Date.UTC(2026, 10, 20, 1, 2, 3, 4) - days * 86_400_000).toISOString();
      expect(daysBefore('2026-11-20T01:02:03.004Z', days)).toBe(expected);
    }
  });
});
