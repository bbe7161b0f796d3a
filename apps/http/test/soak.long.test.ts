import { operations } from '@tarifario/api';
import { FORM_TYPE } from '@tarifario/testkit/http/forms';
import { fillServer, type HttpRequest, requestOf } from '@tarifario/testkit/http/http-world';
import { openConnection } from '@tarifario/testkit/http/raw-http';
import { ask, type ServerProcess, startServerProcess } from '@tarifario/testkit/http/running-server';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

const ROUNDS = 30;
/** Later rounds send no files: only ten an hour are allowed. */
const LAST_ROUND_OF_FILES = 4;

let server: ServerProcess;
let world: Awaited<ReturnType<typeof fillServer>>;

beforeAll(async () => {
  server = await startServerProcess({ metricsPort: 0, logLevel: 'info' }, { lifetimeMs: 600_000 });
  world = await fillServer(server, 'remojo');
});

afterAll(() => server.close());

/** The open files and sockets of the process, and the handles that keep its event loop alive. */
async function open(): Promise<readonly number[]> {
  const page = await (await fetch(`${server.metricsUrl}/metrics`)).text();
  return ['process_open_fds', 'nodejs_active_handles_total', 'tarifario_http_requests_in_flight'].map((name) =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1] ?? Number.NaN),
  );
}

/** The request as bytes, with a key. */
function bytesOf({ method, path, body, formBody }: HttpRequest): Buffer {
  const content = Buffer.from(formBody ?? (body === undefined ? '' : JSON.stringify(body)));
  const type = formBody ? FORM_TYPE : 'application/json';
  const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${world.key}\r\nContent-Type: ${type}\r\n`;
  return Buffer.concat([Buffer.from(`${head}Content-Length: ${content.length}\r\n\r\n`), content]);
}

/** Sends some of it, and goes away without a word. */
async function vanish(bytes: Buffer, afterMs: number): Promise<void> {
  const socket = await openConnection(server.url);
  socket.on('error', () => {});
  socket.write(bytes);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  socket.resetAndDestroy();
}

async function round(number: number): Promise<number> {
  const chosen = operations.filter(
    ({ id }) => number < LAST_ROUND_OF_FILES || !requestOf(id, world.calls[id]).formBody,
  );
  await Promise.all(
    chosen.flatMap(({ id }) => {
      const request = requestOf(id, world.calls[id]);
      const bytes = bytesOf(request);
      const half = bytes.subarray(0, Math.floor((bytes.length * (1 + (number % 9))) / 10));
      return [ask(server, world.key, request), vanish(half, number % 5), vanish(bytes, number % 3)];
    }),
  );
  return chosen.length;
}

it('a server has no open connection, file or timer after any mix of requests and disconnects', {
  timeout: 600_000,
}, async () => {
  for (let number = 0; number < LAST_ROUND_OF_FILES; number += 1) await round(number);
  await vi.waitFor(async () => expect((await open())[2]).toBe(0), { timeout: 10_000 });
  // They include connections of this client, which stay open for five seconds.
  const before = await open();
  let answered = 0;
  for (let number = LAST_ROUND_OF_FILES; number < ROUNDS; number += 1) answered += await round(number);
  const lines = () => server.logLines.filter((line) => line.includes('"msg":"request"')).length;
  expect(lines()).toBeGreaterThan(answered);
  await vi.waitFor(
    async () => {
      const more = (await open()).map((count, index) => count - (before[index] ?? 0));
      expect(Math.max(...more)).toBeLessThanOrEqual(0);
    },
    { timeout: 30_000, interval: 500 },
  );
  expect(server.logLines.filter((line) => !line.includes('"level":"info"'))).toEqual([]);
  expect((await server.stop()).status).toBe(0);
});
