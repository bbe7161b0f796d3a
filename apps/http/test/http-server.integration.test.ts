import { once } from 'node:events';
import type { ApiAnswer } from '@tarifario/api';
import { createSecrets } from '@tarifario/runtime';
import { beginRequest, openConnection, parseAnswer, readToEnd, sendRaw } from '@tarifario/testkit/http/raw-http';
import { describe, expect, it } from 'vitest';
import { codeOf, open, post, RANK } from './echo-server.ts';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

describe('the routes', () => {
  it.each([
    '/*',
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/V1/offers',
    '/v1/Offers',
    '/v1/offers/',
    '//v1/offers',
    '/v1/offers/1/x',
  ])('do not include %s', async (path) => {
    const { url } = await open();
    const response = await fetch(url + path);
    expect([response.status, await codeOf(response)]).toEqual([404, 'not_found']);
    expect(response.headers.get('x-request-id')).toMatch(UUID);
  });

  it('A-28: refuse other methods, and list the allowed ones', async () => {
    const { url } = await open();
    const tried = [
      ['PUT', '/v1/offers', 'GET, HEAD, POST'],
      ['OPTIONS', '/v1/offers', 'GET, HEAD, POST'],
      ['GET', RANK, 'POST'],
      // Not "the offer with the id compare".
      ['DELETE', '/v1/offers/compare', 'GET, HEAD'],
      ['POST', '/healthz', 'GET, HEAD'],
    ] as const;
    for (const [method, path, allowed] of tried) {
      const response = await fetch(url + path, { method });
      expect([response.status, response.headers.get('allow')], `${method} ${path}`).toEqual([405, allowed]);
      expect(await codeOf(response)).toBe('method_not_allowed');
    }
  });

  it('answer HEAD as GET without a body', async () => {
    const { url } = await open();
    const [get, head] = await Promise.all(['GET', 'HEAD'].map((method) => fetch(`${url}/v1/offers`, { method })));
    expect(head?.status).toBe(200);
    expect(await head?.text()).toBe('');
    expect(head?.headers.get('content-length')).toBe(String((await get?.text())?.length));
  });

  it.each([
    ['http://[::1/tfk_canary?canary', 404],
    ['http://[tfk_canary', 404],
    ['http://[::1/healthz?canary', 200],
    ['http://x', 404],
    ['*', 404],
  ])('answer %s with the standard refusal, and nothing of it is logged', async (target, status) => {
    const { url, lines } = await open();
    const warnings: Error[] = [];
    const see = (warning: Error) => warnings.push(warning);
    process.on('warning', see);
    const answer = await sendRaw(url, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    process.off('warning', see);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json; charset=utf-8']);
    expect(answer.headers.get('x-request-id')).toMatch(UUID);
    expect([...warnings.map(String), answer.body, JSON.stringify(lines)].join()).not.toContain('canary');
    expect(warnings).toEqual([]);
  });

  it('refuse a path that cannot be decoded', async () => {
    const { url } = await open();
    const answer = await sendRaw(url, 'GET /v1/offers/%ZZ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body).detail.code).toBe('invalid_request');
  });
});

describe('every answer', () => {
  it('has headers that prevent caching and do not reveal the software', async () => {
    const { url } = await open();
    for (const path of ['/v1/offers', '/nothing', '/healthz', '/readyz']) {
      const { headers } = await fetch(url + path);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      for (const name of ['etag', 'x-powered-by', 'server']) expect(headers.get(name)).toBeNull();
    }
  });

  it('A-27: has the id of the request, or a new one', async () => {
    const { url } = await open();
    const sent = (id: string) => fetch(`${url}/healthz`, { headers: { 'X-Request-Id': id } });
    expect((await sent('trace-1.a_B')).headers.get('x-request-id')).toBe('trace-1.a_B');
    expect((await sent('with space')).headers.get('x-request-id')).toMatch(UUID);
    expect((await sent('x'.repeat(129))).headers.get('x-request-id')).toMatch(UUID);
  });

  it('without a body has none', async () => {
    const { url } = await open({
      dispatch: async () => ({ status: 204, headers: { 'X-Total-Count': '7' }, body: undefined }),
    });
    const response = await fetch(`${url}/v1/offers`);
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(response.headers.get('x-total-count')).toBe('7');
  });
});

it('a file is sent byte for byte, and for HEAD only its headers', async () => {
  const bytes = new Uint8Array(200_000).map((_, index) => (index * 31) % 256);
  const headers = { 'Content-Type': 'application/x-libro', 'Content-Disposition': 'attachment; filename="x"' };
  const { url } = await open({ dispatch: async () => ({ status: 200, headers, body: undefined, bytes }) });
  for (const method of ['GET', 'HEAD']) {
    const response = await fetch(`${url}/v1/offers/bulk-template`, { method });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/x-libro',
      'content-disposition': 'attachment; filename="x"',
      'content-length': '200000',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const received = new Uint8Array(await response.arrayBuffer());
    expect(Buffer.compare(received, method === 'GET' ? bytes : new Uint8Array(0))).toBe(0);
  }
});

describe('a bug', () => {
  it('is answered 500, logged in full with the request id, and not shown to the caller', async () => {
    const { url, lines } = await open({
      dispatch: async () => {
        throw Object.assign(new Error('SQLITE_FULL in /var/lib/canary.db'), { status: 418, body: 'canary' });
      },
    });
    const response = await post(url, '{}', { 'X-Request-Id': 'id-1' });
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(JSON.parse(text)).toEqual({ detail: { code: 'internal_error', message: 'internal error' } });
    expect(response.headers.get('x-request-id')).toBe('id-1');
    const bug = lines.find(({ level }) => level === 'error');
    expect(bug).toMatchObject({ requestId: 'id-1', error: { message: 'SQLITE_FULL in /var/lib/canary.db' } });
    expect(JSON.stringify(bug)).not.toContain('"canary"');
  });
});

describe('a request that is not valid HTTP', () => {
  it.each([
    ['a header without end', `GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['an address without end', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ['another protocol', 'HELLO\r\n\r\n', 400],
    ['a key with NUL', 'GET /v1/offers HTTP/1.1\r\nHost: x\r\nX-API-Key: k\0\r\n\r\n', 400],
    ['a key on a folded line', 'GET /v1/offers HTTP/1.1\r\nHost: x\r\nX-API-Key: a\r\n k\r\n\r\n', 400],
    ['two lengths', 'POST /v1/offers HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}', 400],
    [
      'a length and pieces',
      'POST /v1/offers HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
  ])('%s gets the standard refusal', async (_name, text, status) => {
    const { url } = await open();
    const answer = await sendRaw(url, text);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-request-id')).toMatch(UUID);
    expect(JSON.parse(answer.body)).toEqual({ detail: { code: 'invalid_request', message: expect.any(String) } });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it('a request without Host, or with an unknown expectation, is served', async () => {
    const { url } = await open();
    expect((await sendRaw(url, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')).status).toBe(200);
    const expecting = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: miracles\r\n\r\n';
    const answer = await sendRaw(url, expecting);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-request-id')).toMatch(UUID);
  });
});

describe('the log', () => {
  it('has one line per request: its route and status, and nothing that the caller sent', async () => {
    const { key, prefix } = createSecrets().newKey();
    const { url, lines } = await open();
    const headers = { 'X-API-Key': key, 'X-Request-Id': 'id-7' };
    await fetch(`${url}/v1/offers/canary?company_name=canary`, { headers });
    await fetch(`${url}/canary`, { headers: { 'X-API-Key': 'canary' } });
    await expect.poll(() => lines.length).toBe(2);
    expect(lines[0]).toEqual({
      level: 'info',
      time: expect.any(String),
      requestId: 'id-7',
      method: 'GET',
      route: '/v1/offers/{id}',
      status: 200,
      ms: expect.any(Number),
      keyPrefix: prefix,
      msg: 'request',
    });
    expect(lines[1]).toMatchObject({ route: null, status: 404, keyPrefix: null });
    expect(JSON.stringify(lines)).not.toContain('canary');
  });

  it('A-136: names the trace of the caller in every line of a request, and none that is not well-formed', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
    const passedOn: unknown[] = [];
    const dispatch = (request: object) => {
      passedOn.push('traceparent' in request ? request.traceparent : undefined);
      return Promise.reject(new Error('a bug'));
    };
    const { url, lines } = await open({ dispatch });
    await fetch(`${url}/v1/offers`, { headers: { traceparent } });
    await fetch(`${url}/v1/offers`, { headers: { traceparent: `00-canary-${traceId}` } });
    await expect.poll(() => lines.length).toBe(4);
    expect(lines.map((line) => line.traceId)).toEqual([traceId, traceId, undefined, undefined]);
    expect(passedOn).toEqual([traceparent, null]);
    expect(JSON.stringify(lines)).not.toContain('canary');
  });

  it('marks requests whose caller disconnected before the answer', async () => {
    const { promise: answer, resolve } = Promise.withResolvers<ApiAnswer>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const dispatch = () => {
      begin();
      return answer;
    };
    const { url, lines } = await open({ dispatch });
    const socket = await openConnection(url);
    socket.write('GET /v1/offers HTTP/1.1\r\nHost: x\r\n\r\n');
    await begun;
    // Closed in good order it could be one that still reads.
    socket.resetAndDestroy();
    await expect.poll(() => lines.length).toBe(1);
    resolve({ status: 200, headers: {}, body: {} });
    expect(lines[0]).toMatchObject({ route: '/v1/offers', aborted: true, requestId: expect.stringMatching(UUID) });
  });
});

describe('the probes', () => {
  it('report that the process is alive, and whether it is ready', async () => {
    let isReady = true;
    const { url } = await open({ isReady: async () => isReady });
    const statuses = async () =>
      Promise.all(['/healthz', '/readyz'].map(async (path) => (await fetch(url + path)).status));
    expect(await statuses()).toEqual([200, 200]);
    isReady = false;
    expect(await statuses()).toEqual([200, 503]);
    const response = await fetch(`${url}/readyz`);
    expect(await codeOf(response)).toBe('unavailable');
  });

  it('are logged at debug, unless the answer is another one than before', async () => {
    let isReady = true;
    const { url, lines } = await open({ isReady: async () => isReady });
    const probe = async () => {
      for (const path of ['/healthz', '/readyz', '/readyz', '/healthz']) await (await fetch(url + path)).text();
    };
    await probe();
    isReady = false;
    await probe();
    isReady = true;
    await probe();
    await fetch(`${url}/readyz`, { method: 'POST' });
    await expect.poll(() => lines.length).toBe(5);
    expect(lines.map(({ level, method, route, status }) => [level, method, route, status])).toEqual([
      ['info', 'GET', '/healthz', 200],
      ['info', 'GET', '/readyz', 200],
      ['warn', 'GET', '/readyz', 503],
      ['info', 'GET', '/readyz', 200],
      ['info', 'POST', '/readyz', 405],
    ]);
  });
});

describe('closing', () => {
  const HEAD = `POST ${RANK} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 13\r\n`;

  it('finishes running requests, accepts no new ones, and does not wait for idle connections', async () => {
    const { url, close, lines } = await open({ drainMs: 60_000 });
    const idle = await openConnection(url);
    const idleEnd = readToEnd(idle);
    idle.write('GET /v1/offers HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => lines.length).toBe(1);
    const busy = await openConnection(url);
    await beginRequest(busy, HEAD);
    const busyEnd = readToEnd(busy);
    busy.write('{"half":');
    const closed = close();
    expect(parseAnswer(await idleEnd).status).toBe(200);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    busy.write('true}');
    expect(JSON.parse(parseAnswer(await busyEnd).body).body).toEqual({ half: true });
    await closed;
  });

  it('answers "not ready" on an open connection, and closes it', async () => {
    const { url, drain } = await open();
    const socket = await openConnection(url);
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'data');
    drain();
    const end = readToEnd(socket);
    socket.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await end).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nConnection: close\r\n[\s\S]*unavailable/);
  });

  it('closes connections whose requests do not end in time', async () => {
    const { url, close } = await open({ drainMs: 200 });
    const socket = await openConnection(url);
    await beginRequest(socket, HEAD);
    const end = readToEnd(socket);
    socket.write('{"half":');
    const startedAt = performance.now();
    await close();
    expect(performance.now() - startedAt).toBeGreaterThan(150);
    expect(await end).toBe('');
  });
});
