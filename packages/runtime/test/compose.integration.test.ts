import fs from 'node:fs';
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { askService, operatorOf } from '@tarifario/testkit/service';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { compose, createLog, migrate, type Service } from '../src/index.ts';

/** The files that were opened as databases. */
const opened = vi.hoisted((): unknown[] => []);
vi.mock('better-sqlite3', async (load) => {
  const { default: Database } = await load<{ default: new (...args: unknown[]) => object }>();
  class Counted extends Database {
    constructor(...args: unknown[]) {
      opened.push(args[0]);
      super(...args);
    }
  }
  return { default: Counted };
});

let folder: string;
let file: string;
let lines: string[];
let service: Service;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tarifario-runtime-'));
  file = join(folder, 'test.db');
  lines = [];
  await migrate(`sqlite:${file}`);
  service = await compose(
    `sqlite:${file}`,
    createLog('warn', (line) => lines.push(line)),
  );
});

afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

function spied(name: 'accessSync' | 'statSync') {
  const spy = vi.spyOn(fs, name);
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return spy;
}

it('A-108: a command that opens the database says nothing of taxes that end', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-10-05T00:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const said: string[] = [];
  const started = await compose(
    `sqlite:${file}`,
    createLog('info', (line) => said.push(line)),
  );
  onTestFinished(() => started.close());
  expect(started.counts().openRatesFrom?.()).toBe('2026-11-01');
  expect(said).toEqual([]);
});

describe('a service is ready', () => {
  it('while its database can be read and has every migration', async () => {
    expect(await service.isReady()).toBe(true);
  });

  it('not when a migration is missing', async () => {
    const database = new DatabaseSync(file, { timeout: 60_000 });
    database.exec('delete from migrations');
    database.close();
    await expect.poll(service.isReady).toBe(false);
  });

  it('not when the file is gone', async () => {
    await rename(file, `${file}.away`);
    await expect.poll(service.isReady).toBe(false);
    await rename(`${file}.away`, file);
    await expect.poll(service.isReady).toBe(true);
  });

  it('not when another file has taken the place of the one in use', async () => {
    await rename(file, `${file}.away`);
    await copyFile(`${file}.away`, file);
    expect(await service.isReady()).toBe(false);
    expect(lines.join('')).toContain('it was replaced while it is in use');
  });

  it('not when the file can no longer be written', async () => {
    // The system says so, whoever runs the tests: root may write whatever the permissions are.
    const accessSpy = spied('accessSync');
    accessSpy.mockImplementation(() => {
      throw Object.assign(new Error('EROFS'), { code: 'EROFS' });
    });
    expect(await service.isReady()).toBe(false);
    expect(lines.join('')).toContain('check its directory and the permissions');
  });

  it('by a check that is at most one second old, however many callers there are', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const checks = spied('statSync');
    for (let call = 0; call < 1000; call += 1) {
      vi.advanceTimersByTime(3);
      expect(await service.isReady()).toBe(true);
    }
    expect(checks.mock.calls.length).toBeGreaterThan(0);
    expect(checks.mock.calls.length).toBeLessThan(10);
  });

  it('by checks that open no database file', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    await service.isReady();
    expect(opened).toContain(file);
    const before = opened.length;
    const checks = spied('statSync');
    for (let call = 0; call < 5; call += 1) {
      vi.advanceTimersByTime(2000);
      expect(await service.isReady()).toBe(true);
    }
    expect(checks.mock.calls.length).toBeGreaterThanOrEqual(5);
    expect(opened.slice(before)).toEqual([]);
  });

  it('not when its store is closed, and logs the reason', async () => {
    await service.close();
    expect(await service.isReady()).toBe(false);
    expect(lines.join('')).toContain('the store is closed');
  });
});

it('a bug is logged in full, and the caller only learns that something failed', async () => {
  await service.close();
  const answer = await askService(service, service.secrets.newKey().key, 'listOffers');
  expect(answer).toMatchObject({ status: 500, body: { detail: { code: 'internal_error' } } });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', error: { message: 'the store is closed' } });
});

it('calls that arrive together run in separate turns of the event loop, so that others need not wait', async () => {
  const operator = operatorOf(service);
  const key = await operator.addKey(await operator.addAccount('a'), {});
  let turn = 0;
  const count = () => {
    turn += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  const turns = await Promise.all(
    Array.from({ length: 20 }, async () => {
      // As requests arrive: each on its own, all of them in one turn.
      await new Promise((resolve) => setImmediate(resolve));
      const { status } = await askService(service, key, 'listClients');
      expect(status).toBe(200);
      return turn;
    }),
  );
  clearImmediate(immediate);
  expect(new Set(turns).size).toBe(20);
});
