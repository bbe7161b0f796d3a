import { DomainError, type ImportJob, type ImportReport } from '@tarifario/core/service';
import { callerOf } from '@tarifario/core/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createImports, type ImportQueue } from './import-queue.ts';
import type { ImportWorker } from './import-worker.ts';
import { createLog } from './log.ts';

interface Begun {
  readonly name: string;
  /** When it has to be over; absent: a look for uploads, which nobody waits for. */
  readonly withinMs?: number;
  /** Ends it; a look for uploads has found one. */
  end(): void;
  endEmpty(): void;
  fail(error: Error): void;
}

/** What the worker has begun; it is over when the test says so. */
let begun: Begun[];
let isWorkerClosed: boolean;
let lines: string[];
let imports: ImportQueue;
let isWorkThere: boolean;
/** Files that were announced to the worker before they arrived. */
let expected: number;

const REPORT: ImportReport = {
  uploadId: 7,
  counts: { created: 0, replaced: 0, deactivated: 0, companiesCreated: 0, pricesUpserted: 0, tiersReplaced: 0 },
  diff: null,
  warnings: [],
};

const worker: ImportWorker = {
  run: ({ fileName }, withinMs = Number.NaN) =>
    new Promise((resolve, fail) => {
      const end = () => resolve(REPORT);
      begun.push({ name: fileName, withinMs, end, endEmpty: end, fail });
    }),
  next: () =>
    new Promise((resolve, fail) => {
      begun.push({ name: 'next', end: () => resolve(true), endEmpty: () => resolve(false), fail });
    }),
  expectFile: () => {
    expected += 1;
  },
  close: async () => {
    isWorkerClosed = true;
    for (const { fail } of begun) fail(new Error('the thread has ended'));
  },
};

beforeEach(() => {
  vi.useFakeTimers();
  [begun, lines, isWorkerClosed, isWorkThere, expected] = [[], [], false, false, 0];
  imports = start();
});
afterEach(async () => {
  const closed = imports.close();
  await vi.runAllTimersAsync();
  await closed;
  vi.useRealTimers();
});

function start(hasWork: (() => Promise<boolean>) | null = async () => isWorkThere): ImportQueue {
  const log = createLog('info', (line) => lines.push(line));
  return createImports({ databaseUrl: 'sqlite:none', log, hasWork, worker });
}

const job = (fileName: string, accountId = 1): ImportJob => ({
  caller: callerOf({ accountId }),
  format: 'own',
  firmId: null,
  fileName,
  bytes: new Uint8Array(),
  dryRun: false,
  uploadId: null,
  idempotencyRequest: null,
});

const names = () => begun.map(({ name }) => name);
/** Runs the callbacks of settled promises. */
const settle = () => vi.advanceTimersByTimeAsync(0);

describe('files of bulk updates', () => {
  it('are applied one at a time, in the order they came', async () => {
    const runs = ['a', 'b', 'c'].map((name, index) => imports.run(job(name, index)));
    await settle();
    expect(names()).toEqual(['a']);
    begun[0]?.fail(new DomainError('business_rule'));
    await expect(runs[0]).rejects.toMatchObject({ code: 'business_rule' });
    expect(names()).toEqual(['a', 'b']);
    begun[1]?.end();
    expect(await runs[1]).toBe(REPORT);
    expect(names()).toEqual(['a', 'b', 'c']);
    begun[2]?.end();
    await runs[2];
  });

  it('A-40, A-56: are refused with Retry-After when two of their account, or four in all, are waiting', async () => {
    const runs = [imports.run(job('a')), imports.run(job('b')), imports.run(job('c'))];
    const refusal = { code: 'unavailable', details: { isQueueFull: true, retryAfterSeconds: 10 } };
    await expect(imports.run(job('d'))).rejects.toMatchObject(refusal);
    runs.push(...[2, 3].map((accountId) => imports.run(job(`of ${accountId}`, accountId))));
    await expect(imports.run(job('of 5', 5))).rejects.toMatchObject(refusal);
    begun[0]?.end();
    await runs[0];
    const late = imports.run(job('late', 5));
    for (const index of [1, 2, 3, 4]) {
      begun[index]?.end();
      await runs[index];
    }
    begun[5]?.end();
    expect(await late).toBe(REPORT);
    expect(names()).toEqual(['a', 'b', 'c', 'of 2', 'of 3', 'late']);
  });

  it('A-56: are answered within 55 seconds, including the time in the queue', async () => {
    const running = imports.run(job('a'));
    const [second, third] = [imports.run(job('b')), imports.run(job('c', 2)).catch((error) => error)];
    await vi.advanceTimersByTimeAsync(40_000);
    begun[0]?.fail(new DomainError('unavailable', { retryAfterSeconds: 30 }));
    await expect(running).rejects.toMatchObject({ code: 'unavailable' });
    await settle();
    expect(begun.map(({ name, withinMs }) => [name, withinMs])).toEqual([
      ['a', 55_000],
      ['b', 15_000],
    ]);
    await vi.advanceTimersByTimeAsync(14_999);
    expect(begun).toHaveLength(2);
    begun[1]?.end();
    expect(await second).toBe(REPORT);
    await vi.advanceTimersByTimeAsync(1);
    begun[2]?.end();
    expect(await third).toBe(REPORT);
  });

  it('A-56: are refused after waiting that long, and are not started afterwards', async () => {
    const running = imports.run(job('a'));
    const waiting = imports.run(job('b')).catch((error) => error);
    await vi.advanceTimersByTimeAsync(55_000);
    expect(await waiting).toMatchObject({ code: 'unavailable', details: { isQueueFull: true, retryAfterSeconds: 10 } });
    begun[0]?.end();
    await running;
    await settle();
    expect(names()).toEqual(['a']);
  });

  it('A-160: are not begun once the connection of their caller has closed, and leave their place', async () => {
    const running = imports.run(job('a'));
    const closing = new AbortController();
    const waiting = [imports.run(job('b'), closing.signal), imports.run(job('c'), closing.signal)];
    const outcomes = Promise.allSettled(waiting);
    closing.abort();
    expect(await outcomes).toMatchObject(waiting.map(() => ({ reason: { code: 'invalid_request' } })));
    const next = imports.run(job('d'));
    begun[0]?.end();
    await running;
    begun[1]?.end();
    await next;
    expect(names()).toEqual(['a', 'd']);
  });

  it('go before queued uploads', async () => {
    const first = imports.run(job('a'));
    imports.wake();
    const second = imports.run(job('b'));
    begun[0]?.end();
    await first;
    expect(names()).toEqual(['a', 'b']);
    begun[1]?.end();
    await second;
    await settle();
    expect(names()).toEqual(['a', 'b', 'next']);
    begun[2]?.endEmpty();
  });
});

it('the worker prepares for an announced file, until the queue is closed', async () => {
  imports.expectFile();
  expect(expected).toBe(1);
  await imports.close();
  imports.expectFile();
  expect(expected).toBe(1);
});

describe('queued uploads', () => {
  it('are applied at once when one is queued, until no upload waits', async () => {
    imports.wake();
    begun[0]?.end();
    await settle();
    expect(names()).toEqual(['next', 'next']);
    begun[1]?.endEmpty();
    await settle();
    expect(names()).toHaveLength(2);
  });

  it('of other processes, also dead ones, are found within five seconds', async () => {
    await vi.advanceTimersByTimeAsync(20_000);
    expect(names()).toEqual([]);
    isWorkThere = true;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(names()).toEqual(['next']);
    // Not while one is worked on.
    await vi.advanceTimersByTimeAsync(20_000);
    expect(names()).toEqual(['next']);
  });

  it('are not applied in this process where another one applies them', async () => {
    const others = start(null);
    others.wake();
    isWorkThere = false;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(names()).toEqual([]);
    await others.close();
  });

  it('are tried again later when the thread or the query fails, and the failure is logged', async () => {
    isWorkThere = true;
    imports.wake();
    begun[0]?.fail(new Error('out of memory'));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(names()).toEqual(['next', 'next']);
    expect(lines.join()).toContain('uploads cannot be worked on for now');
    const failing = start(() => Promise.reject(new Error('no database')));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(lines.join()).toContain('queued uploads cannot be looked for');
    await failing.close();
  });
});

describe('closing', () => {
  it('refuses waiting files and finishes the running one', async () => {
    const running = imports.run(job('a'));
    const waiting = imports.run(job('b')).catch((error) => error);
    const closed = imports.close();
    expect(await waiting).toMatchObject({ code: 'unavailable', details: { isQueueFull: true } });
    await vi.advanceTimersByTimeAsync(17_000);
    expect(isWorkerClosed).toBe(false);
    begun[0]?.end();
    await closed;
    expect(await running).toBe(REPORT);
    expect(isWorkerClosed).toBe(true);
    await expect(imports.run(job('c'))).rejects.toMatchObject({ code: 'unavailable' });
    imports.wake();
    expect(names()).toEqual(['a']);
  });

  it('abandons a file that does not end within eighteen seconds', async () => {
    const running = imports.run(job('a')).catch((error) => error);
    const closed = imports.close();
    await vi.advanceTimersByTimeAsync(18_000);
    await closed;
    expect(isWorkerClosed).toBe(true);
    expect(await running).toMatchObject({ message: 'the thread has ended' });
  });
});
