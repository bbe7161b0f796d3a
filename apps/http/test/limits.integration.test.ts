import { answerTo, type Dispatch } from '@tarifario/api';
import { openConnection, sendRaw } from '@tarifario/testkit/http/raw-http';
import { ask, askFor, type RunningServer, startTestServer } from '@tarifario/testkit/http/running-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { open } from './echo-server.ts';

describe('a running server', () => {
  let server: RunningServer;
  let accountId: number;
  let key: string;

  beforeEach(async () => {
    server = await startTestServer();
    accountId = await server.addAccount('nuestra');
    key = await server.addKey(accountId, {});
  });
  afterEach(() => server.close());

  const remainingIn = (headers: Headers) => Number(/;r=(\d+);/.exec(headers.get('RateLimit') ?? '')?.[1]);

  it('A-40: counts every call of a caller, whatever its path or method', async () => {
    const variants = [
      ['GET', '/v1/offers'],
      ['HEAD', '/v1/offers'],
      ['GET', '/V1/offers'],
      ['GET', '//v1/offers'],
      ['GET', '/v1/offers/'],
      ['GET', '/v1/%6Fffers'],
      ['GET', '/v1/nothing'],
      ['GET', '/v1/offers/%ff'],
      ['PUT', '/v1/offers'],
      ['OPTIONS', '/v1/offers'],
      ['DELETE', '/healthz'],
      ['DELETE', '/'],
    ];
    let before = remainingIn((await ask(server, key, { path: '/v1/account' })).headers);
    expect(before).toBe(999_999);
    for (const [method = '', path = ''] of variants) {
      const response = await fetch(server.url + path, { method, headers: { 'X-API-Key': key } });
      await response.text();
      expect([method, path, remainingIn(response.headers)]).toEqual([method, path, before - 1]);
      before -= 1;
    }
  });

  it('refuses a request without waiting for its body', async () => {
    const stranger = await server.addKey(accountId, { scopes: [] });
    const head = `POST /v1/clients HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n`;
    const { status } = await sendRaw(server.url, `${head}X-API-Key: ${stranger}\r\nConnection: close\r\n\r\n`);
    expect(status).toBe(403);
  });

  it('does not report a bug when a caller disconnects in the middle of a body', async () => {
    const head = `POST /v1/clients HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n`;
    const socket = await openConnection(server.url);
    socket.write(`${head}X-API-Key: ${key}\r\n\r\n{"name":`);
    await expect
      .poll(async () => remainingIn((await ask(server, key, { path: '/v1/account' })).headers))
      .toBeLessThan(999_998);
    socket.destroy();
    await expect.poll(() => server.logLines.filter((line) => line.includes('"aborted":true')).length).toBe(1);
    const recorded = async () => (await ask(server, key, { path: '/v1/usage?endpoint=/v1/clients' })).text;
    await expect.poll(recorded).toContain('"status_code":400');
    expect(server.logLines.filter((line) => !line.includes('"level":"info"'))).toEqual([]);
  });

  it('records calls so that the next one sees them, and writes all of them when it closes', async () => {
    const start = performance.now();
    await ask(server, key, { path: '/v1/offers/1' });
    await ask(server, key, { path: '/v1/no/such/path?with=query' });
    const elapsedMs = performance.now() - start;
    const usage = { path: '/v1/usage' };
    const { results } = await askFor<{ results: Record<string, unknown>[] }>(server, key, usage);
    expect(results.map(({ endpoint, status_code }) => [endpoint, status_code])).toEqual([
      ['/v1/offers/{id}', 404],
      ['(unknown)', 404],
    ]);
    for (const { response_time_ms } of results) {
      expect(response_time_ms).toBeGreaterThan(0);
      expect(response_time_ms).toBeLessThanOrEqual(Math.ceil(elapsedMs));
    }
  });
});

describe('the address of a client', () => {
  it.each([
    [0, '127.0.0.1'],
    [1, '198.51.100.3'],
    [2, '198.51.100.2'],
  ])('A-40: behind %d trusted proxies is %s', async (trustedProxyHops, expected) => {
    const seen: string[] = [];
    const dispatch: Dispatch = async (request) => {
      seen.push(request.address);
      return answerTo(null);
    };
    const config = { host: '127.0.0.1', port: 0, trustedProxyHops };
    const { url } = await open({ config, dispatch });
    const headers = { 'X-Forwarded-For': '198.51.100.1, 198.51.100.2, 198.51.100.3' };
    await (await fetch(`${url}/v1/account`, { headers })).text();
    await (await fetch(`${url}/v1/nothing`, { headers })).text();
    expect(seen).toEqual([expected, expected]);
  });
});
