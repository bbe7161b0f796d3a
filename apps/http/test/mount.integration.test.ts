import { answerTo } from '@tarifario/api';
import { DomainError } from '@tarifario/core/service';
import { createLog, readConfig } from '@tarifario/runtime';
import { afterEach, describe, expect, it } from 'vitest';
import { openHttpServer } from '../src/http-server.ts';
import type { Mount } from '../src/mount.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Answers with what it was given of the request. */
const echo: Mount = {
  path: '/mcp',
  handle: async (request) => {
    try {
      const { method, address } = request;
      const body = method === 'POST' ? await request.readBody(100) : null;
      const sent = { method, address, key: request.header('x-api-key'), other: request.header('x-other'), body };
      return { status: 202, headers: { 'X-Extra': 'yes' }, body: sent };
    } catch (error) {
      return answerTo(error);
    }
  },
};

async function open(servesRest: boolean, lines: string[] = []): Promise<string> {
  const refused = new DomainError('not_found', { message: 'dispatched' });
  const service = { dispatch: async () => answerTo(refused), isReady: async () => true };
  const config = { ...readConfig({}), port: 0, trustedProxyHops: 1 };
  const log = createLog('info', (line) => lines.push(line));
  const httpServer = await openHttpServer({ config, log, service, mounts: [echo], servesRest });
  closing.push(httpServer.close);
  return httpServer.url;
}

describe('a mounted handler', () => {
  it('answers every method of its path, with the headers that every answer has', async () => {
    const url = await open(true);
    for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'OPTIONS']) {
      const json = method === 'POST' ? { body: '{"a":1}' } : {};
      const headers = { 'Content-Type': 'application/json', 'X-API-Key': 'k', 'X-Forwarded-For': '198.51.100.4' };
      const response = await fetch(`${url}/mcp`, { method, headers, ...json });
      expect(response.status).toBe(202);
      expect(await response.json()).toEqual({
        method,
        address: '198.51.100.4',
        key: 'k',
        other: null,
        body: method === 'POST' ? { a: 1 } : null,
      });
      expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
      expect(response.headers.get('x-extra')).toBe('yes');
      expect(response.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('has its own limit on bodies, which dispatch gets before the body is read', async () => {
    const url = await open(true);
    const headers = { 'Content-Type': 'application/json' };
    const ask = async (body: string) => (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).status;
    expect(await ask(`"${'x'.repeat(98)}"`)).toBe(202);
    expect(await ask(`"${'x'.repeat(99)}"`)).toBe(413);
  });

  it('has its path alone, and a log line like every other request', async () => {
    const lines: string[] = [];
    const url = await open(true, lines);
    for (const path of ['/mcp/', '/mcp/x', '/MCP']) expect((await fetch(url + path)).status).toBe(404);
    await fetch(`${url}/mcp?key=secret`);
    await expect.poll(() => lines.length).toBe(4);
    expect(JSON.parse(lines[3] ?? '')).toMatchObject({ method: 'GET', route: '/mcp', status: 202 });
    expect(lines.join()).not.toContain('secret');
  });

  it('can be the only one, beside the two health checks', async () => {
    const url = await open(false);
    const statusOf = async (path: string) => (await fetch(url + path, { redirect: 'manual' })).status;
    for (const path of ['/mcp']) expect(await statusOf(path)).toBe(202);
    for (const path of ['/healthz', '/readyz']) expect(await statusOf(path)).toBe(200);
    for (const path of ['/v1/offers', '/openapi.json', '/docs', '/docs/', '/']) expect(await statusOf(path)).toBe(404);
  });
});
