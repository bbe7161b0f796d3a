import { createLog } from '@tarifario/runtime';
import { expect, it } from 'vitest';
import { openDoor } from '../src/door.ts';
import { sendRaw } from './raw-http.ts';

it('a caller that does not finish its headers is told so after 10 seconds, while others are served', async () => {
  const door = await openDoor({
    config: { host: '127.0.0.1', port: 0, trustedProxyHops: 0 },
    log: createLog('silent'),
    service: { dispatch: async () => ({ status: 200, headers: {}, body: {} }), isReady: async () => true },
  });
  const startedAt = performance.now();
  const answers = Promise.all(
    Array.from({ length: 50 }, () => sendRaw(door.url, 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ')),
  );
  expect((await fetch(`${door.url}/healthz`)).status).toBe(200);
  for (const { status, headers, body } of await answers) {
    expect(status).toBe(408);
    expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    expect(JSON.parse(body).detail.code).toBe('invalid_request');
  }
  const seconds = (performance.now() - startedAt) / 1000;
  expect(seconds).toBeGreaterThan(9.5);
  expect(seconds).toBeLessThan(15);
  await door.close();
});
