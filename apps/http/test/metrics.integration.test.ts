import { operations } from '@tarifario/api';
import { createLog } from '@tarifario/runtime';
import { openConnection, readToEnd, sendRaw } from '@tarifario/testkit/http/raw-http';
import { ask, askFor, type RunningServer, startTestServer } from '@tarifario/testkit/http/running-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../src/server.ts';

let server: RunningServer;
let key: string;

beforeAll(async () => {
  server = await startTestServer({ metricsPort: 0, mcpAllowedHosts: ['metrics.example'] });
  const accountId = await server.addAccount('canary-account');
  key = await server.addKey(accountId, {});
});

afterAll(() => server.close());

async function readPage(path = '/metrics', method = 'GET') {
  const response = await fetch(`${server.metricsUrl}${path}`, { method });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The value of a metric with exactly these labels; 0 when it has none yet. */
async function readMetric(nameAndLabels: string): Promise<number> {
  const { text } = await readPage();
  const line = text.split('\n').find((each) => each.startsWith(`${nameAndLabels} `));
  return Number(line?.slice(nameAndLabels.length) ?? 0);
}

const countOf = (method: string, route: string, status: number) =>
  readMetric(`tarifario_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`);

describe('the metrics', () => {
  it('are on their own port, at one path', async () => {
    expect(server.metricsUrl).not.toBe(server.url);
    const { status, headers, text } = await readPage();
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(text).toMatch(/^tarifario_build_info\{/m);
    for (const path of ['/', '/metrics/', '/metrics2', '/v1/offers', '/healthz']) {
      expect(await readPage(path)).toMatchObject({ status: 404, text: '' });
    }
    const refused = await readPage('/metrics', 'POST');
    expect([refused.status, refused.text, refused.headers.get('allow')]).toEqual([405, '', 'GET, HEAD']);
    expect(await readPage('/metrics', 'HEAD')).toMatchObject({ status: 200, text: '' });
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  });

  it.each([
    ['the address that Prometheus was given', 'Host: 10.0.0.7:9100\r\n', 200],
    ['an address of IPv6', 'Host: [2001:db8::7]:9100\r\n', 200],
    ['this machine', 'Host: localhost:9100\r\n', 200],
    ['a name that is allowed', 'Host: METRICS.example:9100\r\n', 200],
    ['a name that was bent to this address', 'Host: evil.example:9100\r\n', 403],
    ['what looks like an address and is a name', 'Host: 10.0.0.7.evil.example\r\n', 403],
    ['no name', 'Host:\r\n', 403],
    ['two names', 'Host: localhost\r\nHost: localhost\r\n', 403],
  ])('are shown under %s or not: %s%d', async (_what, host, status) => {
    const answer = await sendRaw(server.metricsUrl ?? '', `GET /metrics HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body).toBe('');
    else expect(answer.body).toContain('tarifario_build_info');
  });

  it('count requests by the template of their path', async () => {
    const before = await countOf('GET', '/v1/clients/{id}', 404);
    for (const id of [901, 902, 903]) await ask(server, key, { path: `/v1/clients/${id}` });
    await expect.poll(() => countOf('GET', '/v1/clients/{id}', 404)).toBe(before + 3);
  });

  it('count requests in progress and those whose callers disconnected', async () => {
    const socket = await openConnection(server.url);
    const head = `POST /v1/clients HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n`;
    socket.write(`${head}Content-Length: 20\r\n\r\n{`);
    await expect.poll(() => readMetric('tarifario_http_requests_in_flight')).toBe(1);
    socket.destroy();
    await expect.poll(() => readMetric('tarifario_http_requests_in_flight')).toBe(0);
  });

  it('count invalid HTTP requests', async () => {
    const before = await readMetric('tarifario_http_broken_requests_total{status="400"}');
    await sendRaw(server.url, 'HELLO\r\n\r\n');
    await sendRaw(server.url, `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(await readMetric('tarifario_http_broken_requests_total{status="400"}')).toBe(before + 1);
    expect(await readMetric('tarifario_http_broken_requests_total{status="431"}')).toBe(1);
  });

  it('count refusals for too many calls by the limit that was reached', async () => {
    const unknown = server.service.secrets.newKey().key;
    for (let call = 0; call < 62; call++) await ask(server, unknown, { path: '/v1/clients' });
    expect(await readMetric('tarifario_rate_limited_total{limit="unknown_key"}')).toBe(2);
    await expect.poll(() => countOf('GET', '/v1/clients', 429)).toBe(2);
  });

  it('count calls that wait to be recorded, and owners whose offers were compiled', async () => {
    const waiting = () => readMetric('tarifario_usage_waiting');
    // Twice a second they are recorded, which may be between a call and the look.
    await expect
      .poll(async () => {
        await ask(server, key, { path: '/v1/clients' });
        return waiting();
      })
      .toBeGreaterThan(0);
    await expect.poll(waiting).toBe(0);
    expect(await readMetric('tarifario_usage_dropped_total')).toBe(0);
    const body = { supply_type: 'LUZ', energia: { e1: 1 } };
    await askFor(server, key, { path: '/v1/clients', body: { name: 'canary-firm' } });
    for (let call = 0; call < 2; call++) await askFor(server, key, { path: '/v1/offers/efficient', body });
    expect(await readMetric('tarifario_offer_cache_reads_total{outcome="rebuilt"}')).toBe(1);
    expect(await readMetric('tarifario_offer_cache_reads_total{outcome="ready"}')).toBe(1);
  });
});

it('no label has a value that a caller sent or that is stored: only templates, methods, statuses and limits', async () => {
  const { key: strange } = server.service.secrets.newKey();
  const sent = [`/canary-path/${key}`, '/v1/offers/424242?company_name=canary-query', `/v1/canary-path?key=${key}`];
  for (const path of sent) {
    for (const withKey of [key, strange, 'canary-key']) await ask(server, withKey, { path });
  }
  await fetch(`${server.url}/v1/offers`, { method: 'PROPFIND', headers: { 'X-API-Key': key } });
  const { text } = await readPage();
  expect(text).not.toMatch(/canary|424242|tfk_|PROPFIND/);
  expect(text).not.toContain(key.slice(4, 12));
  const known = new Set([...operations.map(({ path }) => path), '/healthz', '/readyz', '/openapi.json', 'unknown']);
  const routes = [...text.matchAll(/route="([^"]*)"/g)].map(([, route = '']) => route);
  expect(routes.length).toBeGreaterThan(0);
  expect(routes.filter((route) => !known.has(route) && !route.startsWith('/docs'))).toEqual([]);
  const names = [...text.matchAll(/[{,](\w+)="/g)].map(([, name = '']) => name);
  const ours = ['method', 'route', 'status', 'le', 'limit', 'outcome', 'state', 'version', 'node'];
  const ofProcess = ['type', 'kind', 'space', 'major', 'minor', 'patch'];
  expect(names.filter((name) => ![...ours, ...ofProcess].includes(name))).toEqual([]);
});

describe('a server', () => {
  const startWith = async (settings: object, lines: string[] = []) => {
    const log = createLog('info', (line) => lines.push(line));
    return startServer({ config: { ...server.config, port: 0, metricsPort: null, ...settings }, log });
  };

  it('has no metrics unless a setting turns them on', async () => {
    const other = await startWith({});
    expect(other.metricsUrl).toBeNull();
    await other.close();
  });

  it('closes the port of its metrics without waiting for connections that stay open there', async () => {
    const other = await startWith({ metricsPort: 0 });
    const socket = await openConnection(other.metricsUrl ?? '');
    const end = readToEnd(socket);
    socket.write(`GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\nGET /metrics HTTP/1.1\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    await other.close();
    // A server that waits for the second request ends it with 408.
    expect((await end).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    await expect(fetch(`${other.metricsUrl}/metrics`)).rejects.toThrow();
  });

  it.each(['port', 'metricsPort'] as const)(
    'says in one line that its %s is taken, and leaves nothing open',
    async (name) => {
      const taken = Number(new URL(server.url).port);
      const starting = startWith({ [name]: taken });
      const setting = name === 'port' ? 'PORT' : 'METRICS_PORT';
      await expect(starting).rejects.toThrow(
        `cannot listen on ${setting} ${taken} of 127.0.0.1: it is taken (EADDRINUSE)`,
      );
    },
  );

  it.each([
    ['0.0.0.0', 1],
    ['127.0.0.1', 0],
    ['localhost', 0],
  ])('on %s warns %d times that plain HTTP leaves the machine', async (host, count) => {
    const lines: string[] = [];
    const other = await startWith({ host }, lines);
    await other.close();
    const warnings = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn');
    expect(warnings).toHaveLength(count);
    if (count > 0) expect(warnings[0].msg).toContain('TLS');
  });
});
