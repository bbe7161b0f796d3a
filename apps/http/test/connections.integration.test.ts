import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ApiAnswer, ApiRequest } from '@tarifario/api';
import { openConnection, parseAnswer, readToEnd } from '@tarifario/testkit/http/raw-http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { boundConnections } from '../src/connections.ts';
import { listen } from '../src/listen.ts';
import { open } from './echo-server.ts';

const GET = 'GET /v1/offers HTTP/1.1\r\nHost: x\r\n\r\n';
const DONE: ApiAnswer = { status: 200, headers: {}, body: {} };

/** A server that counts dropped connections and requests, and answers when the test says so. */
async function openCounting(
  options: Parameters<typeof open>[0] = {},
  answer: () => Promise<ApiAnswer> = async () => DONE,
) {
  const counts = { requests: 0, ended: 0, atOnce: 0, mostAtOnce: 0, dropped: 0 };
  const dispatch = async () => {
    counts.requests += 1;
    counts.atOnce += 1;
    counts.mostAtOnce = Math.max(counts.mostAtOnce, counts.atOnce);
    try {
      return await answer();
    } finally {
      counts.atOnce -= 1;
    }
  };
  const nothing = () => {};
  const requestEnded = () => (counts.ended += 1);
  const counting = { requestBegan: nothing, requestEnded, requestBroken: nothing };
  const traffic = { ...counting, connectionDropped: () => (counts.dropped += 1) };
  const { url } = await open({ dispatch, traffic, ...options });
  return { url, counts };
}

/** A connection from an address of this machine. */
async function connectFrom(url: string, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), localAddress });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** For how many milliseconds the connection that was accepted last may be silent, as the server has set it. */
function silentFor(): () => unknown {
  let socket: Socket | undefined;
  const remember = (message: unknown) => {
    socket = Object(message).socket;
  };
  subscribe('net.server.socket', remember);
  onTestFinished(() => void unsubscribe('net.server.socket', remember));
  return () => socket?.timeout;
}

async function answerOn(socket: Socket): Promise<number> {
  const [data] = await Promise.all([once(socket, 'data'), socket.write(GET)]);
  return parseAnswer(String(data)).status;
}

const isClosed = (socket: Socket) => {
  socket.resume();
  return socket.readableEnded || socket.destroyed;
};

describe('pipelined requests', () => {
  it('A-57: are answered in order, one after the other', async () => {
    let count = 0;
    const { url, counts } = await openCounting({}, async () => {
      count += 1;
      const body = { count };
      // The first takes longest.
      for (let turn = count; turn < 32; turn += 1) await nextTurn();
      return { ...DONE, body };
    });
    const socket = await openConnection(url);
    const all = readToEnd(socket);
    socket.write(GET.repeat(32) + GET.replace('Host', 'Connection: close\r\nHost'));
    const answered = [...(await all).matchAll(/\{"count":(\d+)\}/g)].map(([, number]) => Number(number));
    expect(answered).toEqual(Array.from({ length: 33 }, (_, index) => index + 1));
    expect(counts).toMatchObject({ mostAtOnce: 1, dropped: 0 });
  });

  it.each([
    ['of an operation', GET],
    ['of a page', 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\n\r\n'],
  ])('A-57: more than 33 %s close the connection before any of them is processed', async (_what, request) => {
    const { url, counts } = await openCounting();
    const socket = await openConnection(url);
    const all = readToEnd(socket);
    socket.write(request.repeat(1300));
    const text = await all;
    expect(text.match(/HTTP\/1\.1/g)?.length ?? 0).toBeLessThan(2);
    expect(counts.dropped).toBe(1);
    expect(counts.requests).toBeLessThan(2);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it('A-57: beyond 33 are not even parsed', async () => {
    const server = createServer();
    const limits = { maxConnections: 10, maxOfAddress: 10, freshMs: 0, idleMs: 1000, unreadMs: 1000 };
    const parts = { limits, isProxied: false, onDrop: () => {}, answer: () => () => {} };
    const { answer } = boundConnections(server, parts);
    let count = 0;
    server.on('request', () => (count += 1)).on('request', answer);
    const url = await listen(server, { host: '127.0.0.1', port: 0, setting: 'PORT' });
    onTestFinished(() => void server.close());
    const socket = await openConnection(url);
    const all = readToEnd(socket);
    socket.write(GET.repeat(1300));
    expect(await all).toBe('');
    expect(count).toBe(34);
  });

  it('A-57: wait until the previous answer was read, so that a connection has one answer in memory at a time', async () => {
    const body = 'x'.repeat(30_000_000);
    const { url, counts } = await openCounting({}, async () => ({ ...DONE, body }));
    const socket = await connectFrom(url);
    socket.pause();
    socket.write(GET.repeat(5));
    await expect.poll(() => counts.requests).toBe(1);
    for (let call = 0; call < 5; call += 1) expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(counts.requests).toBe(1);
    let bytes = 0;
    socket.on('data', (data) => {
      bytes += data.length;
    });
    socket.resume();
    await expect.poll(() => bytes).toBeGreaterThan(5 * body.length);
    expect(counts.requests).toBe(5);
  });

  it('that wait are not started once their connection is closed', async () => {
    const { promise, resolve } = Promise.withResolvers<ApiAnswer>();
    const { url, counts } = await openCounting({}, () => promise);
    const socket = await openConnection(url);
    socket.write(GET.repeat(5));
    await expect.poll(() => counts.requests).toBe(1);
    socket.resetAndDestroy();
    await fetch(`${url}/healthz`);
    resolve(DONE);
    for (let call = 0; call < 5; call += 1) await fetch(`${url}/healthz`);
    expect(counts.requests).toBe(1);
  });
});

describe('the work for a connection', () => {
  it('A-160: is asked to end once the connection closes, and not when an answer was sent before', async () => {
    const closings: ApiRequest['closing'][] = [];
    const held = Promise.withResolvers<ApiAnswer>();
    const { url } = await open({
      dispatch: async ({ closing }) => {
        closings.push(closing);
        return closings.length === 2 ? held.promise : DONE;
      },
    });
    onTestFinished(() => held.resolve(DONE));
    const socket = await openConnection(url);
    socket.write(GET);
    await once(socket, 'data');
    socket.write(GET);
    await expect.poll(() => closings.length).toBe(2);
    expect(closings.map((closing) => closing?.aborted)).toEqual([false, false]);
    const ended = new Promise<void>((resolve) => closings[1]?.addEventListener('abort', resolve));
    socket.destroy();
    await ended;
    expect(closings[1]?.aborted).toBe(true);
  });

  it('A-160: is asked to end soon after the caller has ended its side alone', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: ended, resolve: end } = Promise.withResolvers<ApiAnswer>();
    const { url } = await open({
      dispatch: ({ closing }) => {
        closing?.addEventListener('abort', () => end(DONE));
        begin();
        return ended;
      },
    });
    const socket = await openConnection(url);
    socket.write(GET);
    await begun;
    socket.end();
    expect(await ended).toBe(DONE);
  });
});

describe('an answer that its caller does not read', () => {
  it('is abandoned sooner than a request that is being processed', async () => {
    const limits = { idleMs: 60_000, unreadMs: 300 };
    const big = { ...DONE, body: 'x'.repeat(50_000_000) };
    const silent = silentFor();
    const allowed: unknown[] = [];
    const { url, counts } = await openCounting({ limits }, async () => {
      allowed.push(silent());
      return big;
    });
    const socket = await connectFrom(url);
    socket.pause();
    socket.write(GET);
    await expect.poll(() => counts.ended).toBe(1);
    expect([counts.requests, ...allowed, silent()]).toEqual([1, 60_000, 300]);
  });

  it('that is read late does not shorten the idle time of the next request', async () => {
    const limits = { idleMs: 60_000, unreadMs: 50_000 };
    const silent = silentFor();
    const allowed: unknown[] = [];
    const { url } = await openCounting({ limits }, async () => {
      allowed.push(silent());
      return DONE;
    });
    const socket = await openConnection(url);
    const all = readToEnd(socket);
    socket.write(GET.repeat(2) + GET.replace('Host', 'Connection: close\r\nHost'));
    expect((await all).match(/ 200 OK/g)).toHaveLength(3);
    expect(allowed).toEqual([60_000, 60_000, 60_000]);
  });

  it('is closed after the idle time without traffic', async () => {
    const { url } = await openCounting({ limits: { idleMs: 300 } }, () => new Promise(() => {}));
    const socket = await openConnection(url);
    socket.write(GET);
    expect(await readToEnd(socket)).toBe('');
  });
});

describe('connections beyond those of one address', () => {
  it('A-57: replace the connection that was idle for longest, and none with a request in progress', async () => {
    let release = () => {};
    const { url, counts } = await openCounting({ limits: { maxOfAddress: 3, freshMs: 0 } }, () => {
      return new Promise((resolve) => {
        release = () => resolve(DONE);
      });
    });
    const busy = await connectFrom(url);
    const answered = once(busy, 'data');
    busy.write(GET);
    await expect.poll(() => counts.requests).toBe(1);
    const [older, newer] = [await connectFrom(url), await connectFrom(url)];
    await connectFrom(url);
    await expect.poll(() => isClosed(older)).toBe(true);
    expect([isClosed(busy), isClosed(newer), counts.dropped]).toEqual([false, false, 1]);
    release();
    expect(String(await answered)).toContain('200 OK');
  });

  it('A-57: are closed when all others have requests in progress', async () => {
    const { url, counts } = await openCounting({ limits: { maxConnections: 2 } }, () => new Promise(() => {}));
    for (let count = 1; count <= 2; count += 1) {
      (await connectFrom(url)).write(GET);
      await expect.poll(() => counts.requests).toBe(count);
    }
    const refused = await openConnection(url);
    expect(await readToEnd(refused)).toBe('');
    expect(counts.dropped).toBe(1);
  });

  it('A-57: are accepted while the others have requests in progress or are too new to have sent one', async () => {
    const { url, counts } = await openCounting({ limits: { maxOfAddress: 2, freshMs: 600_000 } });
    const sockets = [];
    for (let count = 0; count < 4; count += 1) sockets.push(await connectFrom(url));
    for (const socket of sockets) expect(await answerOn(socket)).toBe(200);
    expect(counts.dropped).toBe(0);
  });

  it('A-57: replace one whose caller does not read its answer', async () => {
    const body = 'x'.repeat(30_000_000);
    const { url, counts } = await openCounting({ limits: { maxOfAddress: 1 } }, async () => ({ ...DONE, body }));
    const stalled = await connectFrom(url);
    stalled.pause();
    stalled.write(GET);
    await expect.poll(() => counts.requests).toBe(1);
    await expect.poll(async () => (await fetch(`${url}/healthz`)).status).toBe(200);
    expect(counts.dropped).toBe(1);
  });

  it('A-57: are not limited for a proxy, whose address is that of all clients', async () => {
    const config = { host: '127.0.0.1', port: 0, trustedProxyHops: 1 };
    const { url, counts } = await openCounting({ config, limits: { maxOfAddress: 2 } });
    const sockets = [];
    for (let count = 0; count < 10; count += 1) sockets.push(await connectFrom(url));
    for (const socket of sockets) expect(await answerOn(socket)).toBe(200);
    expect(counts.dropped).toBe(0);
  });
});

describe('connections beyond those of the server', () => {
  it('A-57: replace an idle one of the address with the most connections', async () => {
    const { url, counts } = await openCounting({ limits: { maxConnections: 5 } });
    const other = await connectFrom(url, '127.0.0.2');
    const many = [];
    for (let count = 0; count < 4; count += 1) many.push(await connectFrom(url));
    const third = await connectFrom(url, '127.0.0.3');
    const [oldest] = many;
    await expect.poll(() => oldest && isClosed(oldest)).toBe(true);
    expect(await answerOn(third)).toBe(200);
    expect(await answerOn(other)).toBe(200);
    expect(counts.dropped).toBe(1);
  });

  it('A-57: are accepted again when others end', async () => {
    const { url, counts } = await openCounting({ limits: { maxConnections: 3 } });
    const sockets = [await connectFrom(url), await connectFrom(url), await connectFrom(url)];
    for (const socket of sockets) {
      socket.destroy();
      await once(socket, 'close');
    }
    await expect
      .poll(async () => {
        const before = counts.dropped;
        await connectFrom(url);
        return counts.dropped - before;
      })
      .toBe(0);
  });
});

it.skipIf(process.platform !== 'linux')(
  'connections that arrive together are accepted, several in each turn of the event loop',
  async () => {
    const all = 320;
    const { url } = await open();
    let accepted = 0;
    const count = () => {
      accepted += 1;
    };
    subscribe('net.server.socket', count);
    onTestFinished(() => void unsubscribe('net.server.socket', count));
    const { hostname, port } = new URL(url);
    const sockets = Array.from({ length: all }, () => connect(Number(port), hostname));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    let turns = 0;
    while (accepted < all) {
      await nextTurn();
      turns += 1;
    }
    // One in each turn: a caller waits for as many turns as there are connections before his.
    expect(turns).toBeLessThan(all / 4);
  },
);
