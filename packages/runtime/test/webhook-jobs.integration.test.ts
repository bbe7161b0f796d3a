import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Store, WEBHOOK_EVENTS, WebhookEvent } from '@tarifario/core/service';
import { openStore } from '@tarifario/store';
import { childEnvironment } from '@tarifario/testkit/child-environment';
import { newDatabase, postgresUrl } from '@tarifario/testkit/postgres/databases';
import { quietPort } from '@tarifario/testkit/postgres/quiet-port';
import { isFullLength, runsOf } from '@tarifario/testkit/share';
import { temporaryDatabase } from '@tarifario/testkit/temporary-database';
import { temporaryFolder } from '@tarifario/testkit/temporary-folder';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../src/index.ts';
import { startWebhookJobs, type WebhookJobs } from '../src/webhook-jobs.ts';
import { createSendEvent, type SendEvent } from '../src/webhook-sender.ts';
import { clockAhead } from './webhook-child.ts';
import { type Receiver, startReceiver } from './webhook-receiver.ts';

const PROGRAM = fileURLToPath(new URL('./webhook-child.ts', import.meta.url));
const AT = '2026-03-01T12:00:00.000Z';
const PLACE = { place: { revision: 0, kind: 0, id: 0 }, mark: 0 };
const UNTOLD = { cursor: { own: PLACE, catalog: PLACE }, ownRevision: 0, catalogRevision: 0 };

let receiver: Receiver;
let accountCount = 0;
let ends: (() => unknown)[] = [];
beforeEach(async () => {
  receiver = await startReceiver();
  ends = [];
});
afterEach(async () => {
  for (const end of ends.reverse()) await end();
  await receiver.close();
});

async function open(databaseUrl: string): Promise<Store> {
  const store = await openStore(databaseUrl);
  ends.push(() => store.close());
  return store;
}

async function sqlite(): Promise<string> {
  const { url, remove } = await temporaryDatabase();
  ends.push(remove);
  return url;
}

async function postgres(): Promise<string> {
  const { url, drop } = await newDatabase();
  ends.push(drop);
  return url;
}

/** Accounts with a key, each with webhooks that hear of one kind of events. @returns The ids of the accounts. */
async function register(
  store: Store,
  accounts: number,
  paths: readonly string[],
  event: (typeof WEBHOOK_EVENTS)[number] = 'upload.finished',
): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let n = 0; n < accounts; n += 1) {
    const accountId = await store.write({ keyId: null, at: AT }, async (writer) => {
      accountCount += 1;
      const email = `a${accountCount}@example.com`;
      return (await writer.accounts.insert({ name: 'A', email, passwordHash: '-', isCatalogEditor: false })).id;
    });
    ids.push(accountId);
    const key = { accountId, firmId: null, name: null, prefix: 'tfk_', fullAccess: true, scopes: [] };
    const secretHash = `${accountId}`.padStart(64, '0');
    const keyId = (await store.write({ keyId: null, at: AT }, (writer) => writer.keys.insert({ ...key, secretHash })))
      .id;
    for (const path of paths) {
      const terms = { firmId: null, events: [event], secret: 'whsec_AAAA', cursorSecret: 'a' };
      const url = path.startsWith('/') ? receiver.urlOf(path) : path;
      await store.write({ keyId, at: AT }, (writer) => writer.webhooks.insert(accountId, { ...terms, ...UNTOLD, url }));
    }
  }
  return ids;
}

async function queue(store: Store, accountIds: readonly number[], count: number): Promise<void> {
  for (const accountId of accountIds) {
    await store.write({ keyId: null, at: AT }, async (writer) => {
      for (let uploadId = 1; uploadId <= count; uploadId += 1) {
        const event: WebhookEvent = { type: 'upload.finished', data: { uploadId, status: 'completed' } };
        await writer.webhooks.queue(accountId, event, null);
      }
    });
  }
}

/** What arrived at whom: the body has the id of the upload, and each account has a path of its own. */
const bodyOf: Parameters<typeof createSendEvent>[0]['bodyOf'] = ({ webhook, event }) =>
  JSON.stringify({ webhook: webhook.id, event: event.id });

interface Options {
  readonly aheadSeconds?: () => number;
  readonly answerMs?: number;
  readonly lookEveryMs?: number;
  readonly lines?: string[];
}

function start(
  store: Store,
  { aheadSeconds = () => 0, answerMs = 15_000, lookEveryMs = 20, lines = [] }: Options = {},
): WebhookJobs {
  const sendEvent: SendEvent = createSendEvent({ bodyOf, answerMs }, receiver.receivers);
  const parts = { store, clock: clockAhead(aheadSeconds), sendEvent };
  const jobs = startWebhookJobs(parts, { log: createLog('warn', (line) => lines.push(line)), lookEveryMs });
  ends.push(() => jobs.stop());
  return jobs;
}

const waitingIn = (store: Store) => store.read((reader) => reader.webhooks.isDue('2100-01-01T00:00:00.000Z'));

const ENGINES = [
  { engine: 'SQLite', newDatabaseUrl: sqlite },
  ...(postgresUrl === null ? [] : [{ engine: 'PostgreSQL', newDatabaseUrl: postgres }]),
];

describe.each(ENGINES)('events over $engine', ({ engine, newDatabaseUrl }) => {
  it('A-123: arrive once each over two replicas', async () => {
    const databaseUrl = await newDatabaseUrl();
    const store = await open(databaseUrl);
    const accounts = await register(store, 4, ['/a', '/b', '/c', '/d', '/e']);
    await queue(store, accounts, 10);
    for (const replica of [store, await open(databaseUrl)]) start(replica);
    await expect.poll(() => receiver.arrived.length).toBe(200);
    await expect.poll(() => waitingIn(store)).toBe(false);
    expect(new Set(receiver.arrived.map(({ body }) => body)).size).toBe(200);
    expect(receiver.arrived).toHaveLength(200);
  });

  it('A-123: arrive at everybody, no one before others who wait, however many there are', async () => {
    const store = await open(await newDatabaseUrl());
    const each = runsOf(10, 100);
    const webhooks = runsOf(30, 100);
    const accounts = await register(store, webhooks / 5, ['/a', '/b', '/c', '/d', '/e']);
    await queue(store, accounts, each);
    start(store);
    const all = webhooks * each;
    await expect.poll(() => receiver.arrived.length).toBe(all);
    const bodies = receiver.arrived.map(({ body }) => JSON.parse(body));
    expect(new Set(bodies.map(({ event }) => event)).size).toBe(all);
    // When half have arrived, each webhook has got nearly half of its own.
    const half = new Map<number, number>();
    for (const { webhook } of bodies.slice(0, all / 2)) half.set(webhook, (half.get(webhook) ?? 0) + 1);
    expect(half.size).toBe(webhooks);
    for (const count of half.values()) expect(Math.abs(count - each / 2)).toBeLessThanOrEqual(Math.max(2, each / 20));
  });

  // Leases follow the clock of PostgreSQL, which cannot be ahead: each takes a minute there.
  it.skipIf(engine === 'PostgreSQL' && !isFullLength)(
    'A-123: are all sent by processes that are killed at any time',
    async () => {
      const databaseUrl = await newDatabaseUrl();
      const store = await open(databaseUrl);
      const accounts = await register(store, 4, ['/a', '/b', '/c', '/d', '/e']);
      await queue(store, accounts, 15);
      const distinct = () => new Set(receiver.arrived.map(({ path, id }) => path + id)).size;
      let killed = 0;
      for (let wanted = 60; distinct() < 300; wanted += 60) {
        // What the one before had taken is free again after its lease of a minute.
        const program = run('send', databaseUrl, String(61 * killed));
        await expect.poll(distinct, { interval: 1 }).toBeGreaterThanOrEqual(Math.min(wanted, 300));
        await kill(program);
        killed += 1;
      }
      expect(killed).toBeGreaterThanOrEqual(3);
      start(store, { aheadSeconds: () => 61 * killed });
      await expect.poll(() => waitingIn(store)).toBe(false);
      expect(distinct()).toBe(300);
    },
  );
});

describe('receivers', () => {
  it('A-123: that are slow or lie keep nobody else waiting, and are tried again', async () => {
    const store = await open(await sqlite());
    const lies = ['/slow', '/drip', '/again', '/reset', '/garbage', '/upgrade'];
    const liars = await register(store, 4, lies);
    const honest = await register(store, 4, ['/good']);
    await queue(store, [...liars, ...honest], 20);
    let aheadSeconds = 0;
    start(store, { aheadSeconds: () => aheadSeconds, answerMs: 400 });
    const good = () => {
      // On a busy machine an honest answer may come too late as well. It is tried again once its time has come.
      aheadSeconds += 1;
      return new Set(receiver.arrived.filter(({ path }) => path === '/good').map(({ id }) => id)).size;
    };
    await expect.poll(good).toBe(80);
    const triesOf = (path: string) => {
      const ids = receiver.arrived.filter((one) => one.path === path).map(({ id }) => id);
      return Math.max(...ids.map((id) => ids.filter((other) => other === id).length));
    };
    aheadSeconds += 6;
    await expect.poll(() => Math.min(...lies.map(triesOf))).toBeGreaterThanOrEqual(2);
  });

  it('A-123: that are killed get everything once they are back', async () => {
    const port = await quietPort();
    const folder = temporaryFolder();
    const file = join(folder, 'ids');
    const store = await open(await sqlite());
    const accounts = await register(store, 3, [`https://receptor.example.com:${port}/a`]);
    await queue(store, accounts, 40);
    let aheadSeconds = 0;
    start(store, { aheadSeconds: () => aheadSeconds });
    const arrived = () => (existsSync(file) ? new Set(readFileSync(file, 'utf8').trim().split('\n')).size : 0);
    let killed = 0;
    for (let wanted = 30; arrived() < 120; wanted += 30) {
      const program = run('receive', String(port), file);
      if (program.stdout) await once(program.stdout, 'data');
      // What was refused meanwhile is due again.
      aheadSeconds += 20_000;
      await expect.poll(arrived, { interval: 1 }).toBeGreaterThanOrEqual(Math.min(wanted, 120));
      await kill(program);
      killed += 1;
    }
    expect(killed).toBeGreaterThanOrEqual(3);
    await expect.poll(() => waitingIn(store)).toBe(false);
  });
});

describe('a process that sends events', () => {
  it('counts what became of them, and those that wait', async () => {
    const store = await open(await sqlite());
    await queue(store, await register(store, 1, ['/a', '/gone', '/error', '/b']), 1);
    const jobs = start(store);
    const outcomes = { delivered: 2, gone: 1, failed: 1 };
    await expect.poll(() => [Object.fromEntries(jobs.counts().outcomes), jobs.counts().waiting]).toEqual([outcomes, 1]);
  });

  it('A-123: goes on looking at once where a look has found as many as it takes', async () => {
    const store = await open(await sqlite());
    const paths = Array.from({ length: 101 }, () => '/a');
    const [accountId = 0] = await register(store, 1, paths, 'catalog.changed');
    const firm = { name: 'F', imageUrl: null, catalogDefault: 'all', isActive: true } as const;
    await store.write({ keyId: null, at: AT }, (writer) => writer.firms.insert(accountId, firm));
    start(store, { lookEveryMs: 3_600_000 });
    await expect.poll(() => receiver.arrived.length).toBe(paths.length);
  });

  it('A-123: tells the others of changes where one cannot be told, and logs why', async () => {
    const store = await open(await sqlite());
    const accounts = await register(store, 2, ['/a'], 'catalog.changed');
    const firm = { name: 'F', imageUrl: null, catalogDefault: 'all', isActive: true } as const;
    for (const id of accounts) await store.write({ keyId: null, at: AT }, (writer) => writer.firms.insert(id, firm));
    const failing: Store = {
      ...store,
      write: (context, work) =>
        store.write(context, (writer) => {
          const moveOn: typeof writer.webhooks.moveOn = (from, ...rest) =>
            from.accountId === accounts[0]
              ? Promise.reject(new Error('no room'))
              : writer.webhooks.moveOn(from, ...rest);
          return work({ ...writer, webhooks: { ...writer.webhooks, moveOn } });
        }),
    };
    const lines: string[] = [];
    start(failing, { lines });
    await expect.poll(() => receiver.arrived.length).toBe(1);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', msg: 'events cannot be sent for now', error: { cause: { message: 'no room' } } },
    ]);
  });

  it('A-123: that cannot find changes sends what is queued', async () => {
    const store = await open(await sqlite());
    await queue(store, await register(store, 1, ['/a', '/b']), 2);
    const failing: Store = {
      ...store,
      read: (work) =>
        store.read((reader) => {
          const behind = () => Promise.reject(new Error('a bug'));
          return work({ ...reader, webhooks: { ...reader.webhooks, behind } });
        }),
    };
    start(failing);
    await expect.poll(() => receiver.arrived.length).toBe(4);
  });

  it('A-123: that stops records what it has sent, and takes no more', async () => {
    const store = await open(await sqlite());
    await queue(store, await register(store, 1, ['/slow', '/a']), 1);
    const jobs = start(store);
    await expect.poll(() => receiver.arrived.length).toBe(2);
    await jobs.stop();
    await queue(store, await register(store, 1, ['/b']), 1);
    const left = await store.write({ keyId: null, at: '2100-01-01T00:00:00.000Z' }, (writer) =>
      writer.webhooks.claim('2100-01-01T00:01:00.000Z', 10),
    );
    expect(left.map(({ webhook, event }) => [new URL(webhook.url).pathname, event.attempts])).toEqual([
      ['/b', 0],
      ['/slow', 0],
    ]);
  });
});

function run(...args: readonly string[]): ChildProcess {
  const program = spawn(process.execPath, ['--conditions=tarifario-source', PROGRAM, ...args], {
    env: childEnvironment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  ends.push(() => kill(program));
  return program;
}

async function kill(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  program.kill('SIGKILL');
  await once(program, 'exit');
}
