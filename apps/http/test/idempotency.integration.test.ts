import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apply, CATALOG, create, effects, NAME, newOffers, OWN, prepare, total } from './named-requests.ts';
import { sendRaw } from './raw-http.ts';
import { type RunningServer, startServerProcess, startTestServer } from './running-server.ts';

describe('a server', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it('answers a repeated request with the bytes of the first answer', async () => {
    const prepared = await prepare(server);
    const first = await create(server, prepared);
    const second = await create(server, prepared);
    expect([first.status, first.replayed]).toEqual([201, null]);
    expect(second).toEqual({ ...first, replayed: 'true' });
    expect(await total(server, prepared)).toBe(1);
  });

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

  it.each([
    ['own offers', OWN],
    ['the catalog', CATALOG],
  ])('applies a file to %s once, however often it is sent', async (_what, update) => {
    const prepared = await prepare(server);
    const { path } = update;
    const bytes = await newOffers(update);
    const before = await effects(server, prepared, update);
    const first = await apply(server, prepared, { path, bytes });
    expect([first.status, first.replayed]).toEqual([200, null]);
    expect(JSON.parse(first.text)).toMatchObject({ created: 2 });
    expect(await apply(server, prepared, { path, bytes })).toEqual({ ...first, replayed: 'true' });
    const other = await apply(server, prepared, { path, bytes: await newOffers(update, ' de otra hoja') });
    expect([other.status, other.text]).toEqual([422, expect.stringContaining('"idempotency_mismatch"')]);
    const after = { offers: before.offers + 2, uploads: before.uploads + 1 };
    expect(await effects(server, prepared, update)).toEqual(after);
    const again = await apply(server, prepared, { path, bytes, name: `${NAME}x` });
    expect([again.status, again.replayed]).toEqual([200, null]);
    expect(await effects(server, prepared, update)).toEqual({ offers: after.offers + 2, uploads: after.uploads + 1 });
  });

  it('applies a file once that was queued twice under the same key', async () => {
    const prepared = await prepare(server);
    const file = { path: '/v1/uploads', bytes: await newOffers(OWN) };
    const first = await apply(server, prepared, file);
    expect([first.status, first.replayed]).toEqual([202, null]);
    expect(await apply(server, prepared, file)).toEqual({ ...first, replayed: 'true' });
    await expect.poll(async () => (await effects(server, prepared, OWN)).offers, { interval: 100 }).toBe(2);
    expect(await apply(server, prepared, file)).toEqual({ ...first, replayed: 'true' });
    expect(await effects(server, prepared, OWN)).toEqual({ offers: 2, uploads: 1 });
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
