import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apply, create, effects, newOffers, OWN, prepare, total } from './named-requests.ts';
import { sendRaw } from './raw-http.ts';
import { type RunningServer, startServerProcess, startTestServer } from './running-server.ts';

describe('a server', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it.each([
    ['sent twice', ['Idempotency-Key: a', 'Idempotency-Key: b'], 'must be sent once'],
    ['sent twice in one spelling and another', ['Idempotency-Key: a', 'idempotency-key: a'], 'must be sent once'],
    ['two values in one line', ['Idempotency-Key: a, b']],
    ['empty', ['Idempotency-Key:']],
    ['256 characters', [`Idempotency-Key: ${'x'.repeat(256)}`]],
    ['beyond ASCII', ['Idempotency-Key: año']],
  ])(
    'A-53: refuses a header that is %s',
    async (_what, lines, message = 'must be 1 to 255 visible ASCII characters') => {
      const { key, body } = await prepare(server);
      const json = JSON.stringify(body);
      const head = [
        'POST /v1/offers HTTP/1.1',
        'Host: localhost',
        'Connection: close',
        `X-API-Key: ${key}`,
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(json)}`,
        ...lines,
      ];
      const answer = await sendRaw(server.url, `${head.join('\r\n')}\r\n\r\n${json}`);
      expect(answer.status).toBe(400);
      expect(answer.body).toContain(`"path":"Idempotency-Key","error":"${message}"`);
    },
  );

  it('accepts a key of 255 characters, with spaces around it', async () => {
    const prepared = await prepare(server);
    expect((await create(server, prepared, ` ${'x'.repeat(255)} `)).status).toBe(201);
    expect((await create(server, prepared, 'x'.repeat(255))).replayed).toBe('true');
  });
});

describe('a server that is killed after its write and before its answer', () => {
  const WHEN: readonly (readonly [string, string, string | null])[] = [
    ['before the commit', '', null],
    ['after the commit', '?after', 'true'],
  ];

  /** A server that will be killed, and the next one. */
  async function twoServers(search: string) {
    const preload = new URL(`../../../packages/store/test/kill-at-commit.ts${search}`, import.meta.url).href;
    const killed = await startServerProcess({}, { nodeFlags: [`--import=${preload}`] });
    const next = await startTestServer({ databaseUrl: killed.config.databaseUrl });
    const close = async () => {
      await next.close();
      await killed.close();
    };
    return { killed, next, close };
  }

  it.each(WHEN)('A-53: %s: the next one answers as if nothing had happened', async (_when, search, replayed) => {
    const { killed, next, close } = await twoServers(search);
    try {
      const prepared = await prepare(next);
      await expect(create(killed, prepared)).rejects.toThrow('fetch failed');
      const answer = await create(next, prepared);
      expect([answer.status, answer.replayed]).toEqual([201, replayed]);
      expect(await create(next, prepared)).toEqual({ ...answer, replayed: 'true' });
      expect(await total(next, prepared)).toBe(1);
    } finally {
      await close();
    }
  });

  it.each(WHEN)(
    'A-53: %s of a file: the next one answers as if nothing had happened',
    async (_when, search, replayed) => {
      const { killed, next, close } = await twoServers(search);
      try {
        const prepared = await prepare(next);
        const file = { path: OWN.path, bytes: await newOffers(OWN) };
        await expect(apply(killed, prepared, file)).rejects.toThrow('fetch failed');
        const done = { offers: 2, uploads: 1 };
        expect(await effects(next, prepared, OWN)).toEqual(replayed === null ? { offers: 0, uploads: 0 } : done);
        const answer = await apply(next, prepared, file);
        expect([answer.status, answer.replayed]).toEqual([200, replayed]);
        expect(JSON.parse(answer.text)).toMatchObject({ created: 2, upload_id: 1 });
        expect(await apply(next, prepared, file)).toEqual({ ...answer, replayed: 'true' });
        expect(await effects(next, prepared, OWN)).toEqual(done);
      } finally {
        await close();
      }
    },
  );
});
