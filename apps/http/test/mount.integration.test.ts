import { answerTo } from '@tarifario/api';
import { DomainError } from '@tarifario/core/service';
import { describe, expect, it } from 'vitest';
import type { Mount } from '../src/mount.ts';
import { open } from './echo-server.ts';

/** Answers with what it was given of the request. */
const echo: Mount = {
  path: '/mcp',
  handle: async (request) => {
    try {
      const { method, address } = request;
      const body = method === 'POST' ? await request.readBody(100, 1) : null;
      const sent = { method, address, key: request.header('x-api-key'), other: request.header('x-other'), body };
      return { status: 202, headers: { 'X-Extra': 'yes' }, body: sent };
    } catch (error) {
      return answerTo(error);
    }
  },
};

function openMounted(servesRest: boolean) {
  const dispatch = async () => answerTo(new DomainError('not_found', { message: 'no such path' }));
  const config = { host: '127.0.0.1', port: 0, trustedProxyHops: 1 };
  return open({ config, dispatch, mounts: [echo], servesRest });
}

describe('a mounted handler', () => {
  it('answers every method of its path, with the headers that every answer has', async () => {
    const { url } = await openMounted(true);
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

  it('has its path alone, with and without a slash, and a log line like every other request', async () => {
    const { url, lines } = await openMounted(true);
    for (const path of ['/mcp//', '/mcp/x', '/MCP']) expect((await fetch(url + path)).status).toBe(404);
    for (const path of ['/mcp', '/mcp/']) await fetch(`${url}${path}?key=secret`);
    await expect.poll(() => lines.length).toBe(5);
    for (const line of lines.slice(3)) expect(line).toMatchObject({ method: 'GET', route: '/mcp', status: 202 });
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it('can be the only one, beside the two health checks', async () => {
    const { url } = await openMounted(false);
    const statusOf = async (path: string) => (await fetch(url + path, { redirect: 'manual' })).status;
    expect(await statusOf('/mcp')).toBe(202);
    for (const path of ['/healthz', '/readyz']) expect(await statusOf(path)).toBe(200);
    for (const path of ['/v1/offers', '/openapi.json', '/docs', '/docs/', '/']) expect(await statusOf(path)).toBe(404);
  });
});
