import { randomUUID } from 'node:crypto';
import { createUsageLog, type Store, type UsageEntry } from '@tarifario/core/service';
import { newStore } from '@tarifario/testkit/new-store';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from './clock.ts';
import { createLog } from './log.ts';
import { startUsageJobs } from './usage-jobs.ts';

let sound: Store;
let store: Store;
let isBroken: boolean;
let lines: Record<string, unknown>[];
let accountId: number;

beforeEach(async () => {
  sound = await newStore();
  [isBroken, lines] = [false, []];
  store = {
    ...sound,
    write: (context, work) => (isBroken ? Promise.reject(new Error('disk full')) : sound.write(context, work)),
  };
  const terms = { name: 'a', email: 'a@example.com', passwordHash: '', isCatalogEditor: false };
  const context = { keyId: null, at: systemClock.now() };
  accountId = (await store.write(context, (writer) => writer.accounts.insert(terms))).id;
  // A store takes turns of the event loop.
  vi.useFakeTimers({ toNotFake: ['setImmediate'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function start(retentionDays: number | null, maxWaiting = 100) {
  const log = createLog('info', (line) => lines.push(JSON.parse(line)));
  const reportFailure = (error: unknown) => log.error({ error }, 'failed');
  const usageLog = createUsageLog({ store, clock: systemClock }, { name: randomUUID(), reportFailure, maxWaiting });
  return { usageLog, ...startUsageJobs({ store, clock: systemClock, usageLog }, { retentionDays, log }) };
}

const entry = (daysAgo = 0): UsageEntry => ({
  accountId,
  firmId: null,
  endpoint: '/v1/offers',
  method: 'GET',
  statusCode: 200,
  responseTimeMs: 1,
  createdAt: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
});

/** Moves the clock without the jobs of the time between, which write twice a second. */
const passTime = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** Reads once all that the jobs have asked the store for is written: one unit of work comes after the other. */
const read: Store['read'] = async (work) => {
  const context = { keyId: null, at: systemClock.now() };
  for (let unit = 0; unit < 5; unit += 1) await sound.write(context, async () => {});
  return await sound.read(work);
};

async function total(): Promise<number> {
  const query = { accountId, firmId: null, endpoint: null, statusCode: null, from: null, to: null };
  return (await read((reader) => reader.usage.summary(query))).totalCalls;
}

describe('the jobs of usage', () => {
  it('A-37: write recorded calls within a second', async () => {
    const { usageLog, stop } = start(null);
    usageLog.record(entry());
    await vi.advanceTimersByTimeAsync(999);
    expect(await total()).toBe(1);
    await stop();
  });

  it('write waiting calls when they stop, and nothing afterwards', async () => {
    const { usageLog, stop } = start(null);
    usageLog.record(entry());
    await stop();
    expect(await total()).toBe(1);
    usageLog.record(entry());
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await total()).toBe(1);
  });

  it('retry after a failure of the store, and report it once', async () => {
    const { usageLog, stop } = start(null);
    usageLog.record(entry());
    isBroken = true;
    await vi.advanceTimersByTimeAsync(5000);
    isBroken = false;
    await vi.advanceTimersByTimeAsync(1000);
    expect(await total()).toBe(1);
    expect(lines).toEqual([expect.objectContaining({ level: 'error', msg: 'failed' })]);
    await stop();
  });

  it('log how many calls were dropped', async () => {
    const { usageLog, stop } = start(null, 2);
    for (let i = 0; i < 5; i += 1) usageLog.record(entry());
    await vi.advanceTimersByTimeAsync(3000);
    expect(lines).toEqual([expect.objectContaining({ level: 'warn', dropped: 3 })]);
    await stop();
  });

  it('A-37: delete old calls at once, and then every hour', async () => {
    const first = start(null);
    for (const daysAgo of [0, 29, 31, 400]) first.usageLog.record(entry(daysAgo));
    await first.stop();
    expect(await total()).toBe(4);
    const { usageLog, stop } = start(30);
    await vi.advanceTimersByTimeAsync(1);
    expect(await total()).toBe(2);
    usageLog.record(entry(31));
    await vi.advanceTimersByTimeAsync(3_590_000);
    expect(await total()).toBe(3);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await total()).toBe(2);
    await stop();
  });

  it('A-38: delete files of finished uploads after a week, also every hour', async () => {
    const sendFailed = () =>
      store.write({ keyId: null, at: systemClock.now() }, async (writer) => {
        const terms = { firmId: null, kind: 'offers_bulk_update', fileName: 'x.xlsx', sizeBytes: 1 } as const;
        const begun = { ...terms, status: 'processing', file: new Uint8Array(1) } as const;
        const { id } = await writer.uploads.insert(accountId, begun);
        const change = { from: 'processing', to: 'failed', finishedAt: systemClock.now() } as const;
        await writer.uploads.update(accountId, id, change);
      });
    const hasFiles = async () => {
      const query = { accountId, firmId: null, status: null };
      const { results } = await read((reader) => reader.uploads.list(query, { limit: 9, offset: 0 }));
      return results.map(({ hasFile }) => hasFile);
    };
    await sendFailed();
    passTime(7 * 86_400_000 + 1000);
    await sendFailed();
    const { stop } = start(30);
    await vi.advanceTimersByTimeAsync(1);
    expect(await hasFiles()).toEqual([false, true]);
    expect(lines.at(-1)).toMatchObject({ msg: 'old files of uploads were deleted', deleted: 1 });
    passTime(7 * 86_400_000);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(await hasFiles()).toEqual([false, false]);
    await stop();
  });

  it('delete stored answers that are no longer valid, also every hour', async () => {
    const name = { idempotencyKey: 'k', fingerprint: 'f', rights: 'r', answer: 'a' };
    const secretHash = { prefix: '', secretHash: 's' };
    const rights = { accountId, firmId: null, name: null, fullAccess: true, scopes: [] };
    const yesterday = new Date(Date.now() - 86_400_001).toISOString();
    const keyId = await store.write({ keyId: null, at: yesterday }, async (writer) => {
      const { id } = await writer.keys.insert({ ...rights, ...secretHash });
      for (const idempotencyKey of ['k', 'l']) {
        await writer.answers.store({ ...name, keyId: id, idempotencyKey }, { replacesOlderThan: yesterday });
      }
      return id;
    });
    const stored = (idempotencyKey: string) => read((reader) => reader.answers.get(keyId, idempotencyKey));
    await store.write({ keyId: null, at: new Date().toISOString() }, (writer) =>
      writer.answers.store({ ...name, keyId, idempotencyKey: 'young' }, { replacesOlderThan: yesterday }),
    );
    await start(null).stop();
    expect(await stored('k')).not.toBeNull();
    const { stop } = start(30);
    await vi.advanceTimersByTimeAsync(1);
    expect(await stored('k')).toBeNull();
    expect(await stored('young')).toMatchObject({ answer: 'a' });
    passTime(24 * 3_600_000);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(await stored('young')).toBeNull();
    expect(lines.map(({ msg, deleted }) => [msg, deleted])).toEqual([
      ['old answers were deleted', 2],
      ['old answers were deleted', 1],
    ]);
    await stop();
  });

  it('continue deleting after a failure', async () => {
    isBroken = true;
    const { usageLog, stop } = start(30);
    await vi.advanceTimersByTimeAsync(1000);
    expect(lines.map(({ msg }) => msg).toSorted()).toEqual([
      'old answers could not be deleted',
      'old calls could not be deleted',
      'old files of uploads could not be deleted',
    ]);
    isBroken = false;
    usageLog.record(entry(31));
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(await total()).toBe(0);
    await stop();
  });

  it('do not keep a process alive', () => {
    const unref = vi.fn();
    const started = vi.spyOn(globalThis, 'setInterval').mockImplementation((): NodeJS.Timeout => {
      return Object.assign(
        setTimeout(() => {}, 0),
        { unref },
      );
    });
    start(null);
    expect(unref).toHaveBeenCalledTimes(started.mock.calls.length);
    expect(started).toHaveBeenCalledTimes(4);
    started.mockRestore();
  });
});
