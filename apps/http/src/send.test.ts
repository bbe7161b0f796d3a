import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiAnswer } from '@tarifario/api';
import { expect, test } from 'vitest';
import { send } from './send.ts';

/** Sends one answer to a client that reads all of it. */
async function received(answer: Pick<ApiAnswer, 'json' | 'bytes'>): Promise<Buffer> {
  const server = createServer((_, response) => {
    send({ requestId: 'x', response }, { status: 200, headers: {}, body: undefined, ...answer });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const bytes = Buffer.from(await (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer());
  server.close();
  return bytes;
}

test('the memory of an answer made for one caller is freed once it is sent, that of a page is not', async () => {
  const content = Buffer.alloc(3_000_000, 'á');
  const json = Uint8Array.from(content);
  const page = Uint8Array.from(content);
  expect((await received({ json })).equals(content)).toBe(true);
  expect((await received({ bytes: page })).equals(content)).toBe(true);
  expect([json.length, page.length]).toEqual([0, content.length]);
});
