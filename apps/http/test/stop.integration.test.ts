import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createLog } from '@tarifario/runtime';
import { beginRequest, openConnection, parseAnswer, readToEnd } from '@tarifario/testkit/http/raw-http';
import { ask, type RunningServer, startTestServer } from '@tarifario/testkit/http/running-server';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { closeOnSignal, startServer } from '../src/server.ts';

let place: RunningServer;
let accountId: number;
let key: string;

beforeEach(async () => {
  place = await startTestServer();
  accountId = await place.addAccount('nuestra');
  key = await place.addKey(accountId, {});
});

afterEach(() => place.close());

/** The recorded calls of the account, as another process finds them. */
async function recorded(): Promise<readonly { readonly endpoint: string; readonly statusCode: number }[]> {
  const query = { accountId, firmId: null, endpoint: null, statusCode: null, from: null, to: null };
  const { results } = await place.service.store.read((reader) => reader.usage.list(query, { limit: 200, offset: 0 }));
  return results.map(({ endpoint, statusCode }) => ({ endpoint, statusCode }));
}

it('A-108: a server says at its start from which day on a tax or a regulated price is not known', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-10-05T00:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const log = createLog('info', (line) => lines.push(line));
  const server = await startServer({ config: { ...place.config, port: 0 }, log });
  onTestFinished(() => server.close());
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ openFrom: '2026-11-01', msg: expect.stringContaining('tarifario taxes --due') }),
  );
});

describe('a server that is stopped', () => {
  it('has recorded every call that it answered, including the last ones', async () => {
    const server = await startServer({ config: { ...place.config, port: 0 }, log: createLog('silent') });
    for (let call = 0; call < 30; call++) {
      expect((await ask(server, key, { path: '/v1/account' })).status).toBe(200);
    }
    expect((await ask(server, key, { path: '/v1/offers/7' })).status).toBe(404);
    await server.close();
    const calls = await recorded();
    expect(calls.filter(({ endpoint }) => endpoint === '/v1/account')).toHaveLength(30);
    expect(calls.at(-1)).toEqual({ endpoint: '/v1/offers/{id}', statusCode: 404 });
  });

  it('finishes and records the requests that have begun, and keeps what they wrote', async () => {
    const server = await startServer({ config: { ...place.config, port: 0 }, log: createLog('silent') });
    const socket = await openConnection(server.url);
    const body = '{"name":"Asesoría"}';
    const head = `POST /v1/clients HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n`;
    await beginRequest(socket, `${head}Content-Length: ${Buffer.byteLength(body)}\r\n`);
    const end = readToEnd(socket);
    socket.write(body.slice(0, 5));
    const closed = server.close();
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
    socket.write(body.slice(5));
    expect(parseAnswer(await end).status).toBe(201);
    await closed;
    expect(await recorded()).toEqual([{ endpoint: '/v1/clients', statusCode: 201 }]);
    const { text } = await ask(place, key, { path: '/v1/clients' });
    expect(JSON.parse(text).results).toMatchObject([{ name: 'Asesoría' }]);
  });

  it('ends although something cannot be closed, with status 1 and a log line', async () => {
    expect(await stopped('200', 'hangs')).toEqual({
      status: 1,
      messages: ['draining', 'not everything could be closed in time: it is left as it is'],
    });
  });

  it('that fails to close logs it at once, and only once', async () => {
    expect(await stopped('600000', 'fails')).toEqual({ status: 3, messages: ['draining'] });
  });
});

describe('a server that gets a signal', () => {
  /** One that drains for long and closes as soon as it may. Time stands still until `signal` moves it. */
  function started() {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
    const before = new Set(process.listeners('SIGTERM'));
    const done: string[] = [];
    const act = (name: string) => () => void done.push(name);
    const server = { drain: act('drain'), close: async () => act('close')() };
    const closed = closeOnSignal(server, createLog('silent'), { drainSeconds: 3600 });
    const listener = process.listeners('SIGTERM').find((one) => !before.has(one));
    onTestFinished(() => {
      for (const name of SIGNALS) if (listener) process.off(name, listener);
      vi.restoreAllMocks();
      vi.useRealTimers();
    });
    const signal = (name: NodeJS.Signals, afterMs = 0) => {
      vi.advanceTimersByTime(afterMs);
      listener?.(name);
    };
    return { done, exit, closed, signal };
  }
  const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

  it.each(['SIGTERM', 'SIGHUP'] as const)(
    'drains on %s, takes it twice within a second for once, and closes at another one',
    async (name) => {
      const { done, closed, signal } = started();
      signal(name);
      await setImmediate();
      expect(done).toEqual(['drain']);
      signal(name, 1000);
      await setImmediate();
      expect(done).toEqual(['drain']);
      signal(name, 1);
      await closed;
      expect(done).toEqual(['drain', 'close']);
    },
  );

  it('closes at once on SIGINT, takes it twice within a second for once, and exits at another one with status 1', async () => {
    const { done, exit, closed, signal } = started();
    signal('SIGINT');
    await closed;
    expect(done).toEqual(['drain', 'close']);
    signal('SIGINT', 1000);
    expect(exit).not.toHaveBeenCalled();
    signal('SIGINT', 1);
    expect(exit.mock.calls).toEqual([[1]]);
  });
});

/** What a child ends with and tells when it is stopped. */
async function stopped(stopMs: string, how: 'hangs' | 'fails') {
  const program = fileURLToPath(new URL('./child-that-hangs.ts', import.meta.url));
  const args = ['--conditions=tarifario-source', program, stopMs, how];
  const child = spawn(process.execPath, args, { timeout: 600_000, killSignal: 'SIGKILL' });
  const log = text(child.stderr);
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  const [status] = await once(child, 'exit');
  const lines = (await log).trim().split('\n');
  return { status, messages: lines.map((line) => JSON.parse(line).msg) };
}
