import { sendRaw } from '@tarifario/testkit/http/raw-http';
import { type RunningServer, startServerProcess, startTestServer } from '@tarifario/testkit/http/running-server';
import { newDatabase, postgresUrl, type TestDatabase } from '@tarifario/testkit/postgres/databases';
import { shareOf } from '@tarifario/testkit/share';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apply, create, effects, newOffers, OWN, prepare } from './named-requests.ts';

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

/** A server that will be killed at the commit of its first answer under a key. */
function startMortal({ config }: RunningServer, search: string) {
  const preload = new URL(`../../../packages/store/test/kill-at-commit.ts${search}`, import.meta.url).href;
  return startServerProcess({ databaseUrl: config.databaseUrl }, { nodeFlags: [`--import=${preload}`] });
}

const BEFORE = { when: 'before the commit', search: '', replayed: null };
const AFTER = { when: 'after the commit', search: '?after', replayed: 'true' };
const CASES = [
  { what: 'a request', ...AFTER },
  { what: 'a request', ...BEFORE },
  { what: 'a file', ...BEFORE },
  { what: 'a file', ...AFTER },
];
const ENGINES = [
  { engine: 'SQLite', isThere: true, cases: shareOf(CASES, 2) },
  { engine: 'PostgreSQL', isThere: postgresUrl !== null, cases: shareOf(CASES, 2, 1) },
];

describe.each(ENGINES)('a server over $engine that is killed', ({ engine, isThere, cases }) => {
  let database: TestDatabase | null = null;
  beforeAll(async () => {
    if (engine === 'PostgreSQL' && isThere) database = await newDatabase();
  });
  afterAll(() => database?.drop());

  it.skipIf(!isThere).each(cases)(
    'A-53: $when of $what: the next one answers as if nothing had happened',
    async ({ what, search, replayed }) => {
      const next = await startTestServer(database === null ? {} : { databaseUrl: database.url });
      const killed = await startMortal(next, search);
      try {
        const prepared = await prepare(next);
        const file = { path: OWN.path, bytes: await newOffers(OWN) };
        const send = (server: RunningServer) =>
          what === 'a file' ? apply(server, prepared, file) : create(server, prepared);
        const done = what === 'a file' ? { offers: 2, uploads: 1 } : { offers: 1, uploads: 0 };
        await expect(send(killed)).rejects.toThrow('fetch failed');
        expect(await effects(next, prepared, OWN)).toEqual(replayed === null ? { offers: 0, uploads: 0 } : done);
        const answer = await send(next);
        expect([answer.status, answer.replayed]).toEqual([what === 'a file' ? 200 : 201, replayed]);
        if (what === 'a file') expect(JSON.parse(answer.text)).toMatchObject({ created: 2 });
        expect(await send(next)).toEqual({ ...answer, replayed: 'true' });
        expect(await effects(next, prepared, OWN)).toEqual(done);
      } finally {
        await next.close();
        await killed.close();
      }
    },
  );
});
