import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '@tarifario/runtime';
import { afterEach, describe, expect, it } from 'vitest';
import { openDoor } from '../src/door.ts';
import { openConnection, parseAnswer, readToEnd, sendRaw } from './raw-http.ts';

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Options = Partial<Parameters<typeof openDoor>[0]>;

async function open(options: Options = {}) {
  const door = await openDoor({
    config: { host: '127.0.0.1', port: 0, trustedProxyHops: 0 },
    log: createLog('silent'),
    service: { dispatch: async () => ({ status: 200, headers: {}, body: {} }), isReady: async () => true },
    drainMs: 100,
    ...options,
  });
  closing.push(door.close);
  return door;
}

it('500 callers that do not finish their headers are told so after 10 seconds, while others are served', async () => {
  const { url } = await open();
  const startedAt = performance.now();
  let told = 0;
  const answers = Promise.all(
    Array.from({ length: 500 }, async () => {
      const answer = await sendRaw(url, 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      told += 1;
      return answer;
    }),
  );
  for (let call = 0; call < 20; call++) expect((await fetch(`${url}/healthz`)).status).toBe(200);
  // They were served while all of the others were waited for.
  expect(told).toBe(0);
  for (const { status, headers, body } of await answers) {
    expect(status).toBe(408);
    expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    expect(JSON.parse(body).detail.code).toBe('invalid_request');
  }
  const seconds = (performance.now() - startedAt) / 1000;
  expect(seconds).toBeGreaterThan(9.5);
  expect(seconds).toBeLessThan(30);
});

describe('connections', () => {
  it('beyond the most that are kept are closed and counted, and when one ends there is room again', async () => {
    let dropped = 0;
    const nothing = () => {};
    const counting = { requestBegan: nothing, requestEnded: nothing, requestBroken: nothing };
    const traffic = { ...counting, connectionDropped: () => (dropped += 1) };
    const { url } = await open({ traffic, limits: { maxConnections: 3 } });
    const kept = await Promise.all(Array.from({ length: 3 }, () => openConnection(url)));
    const refused = await openConnection(url);
    expect(await readToEnd(refused)).toBe('');
    expect(dropped).toBe(1);
    kept[0]?.destroy();
    const again = async () => {
      const text = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
      const socket = await openConnection(url);
      socket.write(text);
      return parseAnswer(await readToEnd(socket)).status;
    };
    await expect.poll(again).toBe(200);
    for (const socket of kept) socket.destroy();
  });

  it('on which nothing moves are closed, also when it is the caller who does not read the answer', async () => {
    const dispatch = async () => ({ status: 200, headers: {}, body: 'x'.repeat(50_000_000) });
    const { url } = await open({
      service: { dispatch, isReady: async () => true },
      limits: { idleMs: 300 },
    });
    const socket = await openConnection(url);
    socket.on('error', () => {});
    socket.write('GET /v1/offers HTTP/1.1\r\nHost: x\r\n\r\n');
    // A few bytes are taken, then nothing more: the rest waits in the server.
    await once(socket, 'readable');
    socket.read(10);
    await sleep(1500);
    socket.resume();
    let bytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
    await once(socket, 'close');
    expect(bytes).toBeLessThan(50_000_000);
  });
});
