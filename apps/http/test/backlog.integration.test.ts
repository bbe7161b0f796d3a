import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { openConnection } from './raw-http.ts';
import { startServerProcess } from './running-server.ts';

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
  const server = await startServerProcess();
  onTestFinished(() => server.close());
  server.signal('SIGSTOP');
  // One that is turned away is tried again by the system, without success while the server stands still.
  const sockets = await Promise.all(Array.from({ length: count }, () => openConnection(server.url)));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  server.signal('SIGCONT');
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});
