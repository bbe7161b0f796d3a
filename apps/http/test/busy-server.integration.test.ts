import { readFileSync } from 'node:fs';
import { fillServer } from '@tarifario/testkit/http/http-world';
import { openConnection } from '@tarifario/testkit/http/raw-http';
import { ask, type ServerProcess, startServerProcess } from '@tarifario/testkit/http/running-server';
import { further } from '@tarifario/testkit/share';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { watchedServer } from './bulk-watch.ts';

let server: ServerProcess;
let sender: Awaited<ReturnType<typeof fillServer>>;

beforeAll(async () => {
  server = await startServerProcess({ metricsPort: 0 });
  sender = await fillServer(server, 'cuerpos');
});

afterAll(() => server.close());

/** The engine by itself lets 64 MB of bytes gather that nobody needs. */
const MAX_GROWTH_MB = 40;

further.each([
  ['an unknown key', 401, 'tfk_unknown', 1_000_000],
  ['their length', 413, null, 3_000_000],
])('100 MB and more of bodies refused for %s leave less than 40 MB in the process', async (_, status, key, length) => {
  const body = { ref: 'x'.repeat(length) };
  const { value, grownMb } = await watchedServer(server, sender, async () => {
    const statuses = new Set<number>();
    for (let sent = 0; sent < 100; sent += 1) {
      statuses.add((await ask(server, key ?? sender.key, { path: '/v1/offers/efficient', body })).status);
    }
    return [...statuses];
  });
  expect(value).toEqual([status]);
  expect(grownMb).toBeLessThan(MAX_GROWTH_MB);
});

/** How many connections the system lets wait at most; elsewhere than on Linux as many as everywhere. */
function allowedBySystem(): number {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  } catch {
    return 128;
  }
}

it('connections that the server cannot accept yet wait in the operating system, and none is refused', async () => {
  // More than may wait by default in Node, and fewer than one address may have.
  const count = Math.min(900, allowedBySystem());
  server.signal('SIGSTOP');
  // One that is turned away is tried again by the system, without success while the server stands still.
  const sockets = await Promise.all(Array.from({ length: count }, () => openConnection(server.url)));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  server.signal('SIGCONT');
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});
