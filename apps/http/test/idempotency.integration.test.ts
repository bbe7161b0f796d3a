import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LUZ_BODY } from '../../../packages/api/test/sample.ts';
import { sendRaw } from './raw-http.ts';
import { askFor, type RunningServer, startServerProcess, startTestServer } from './running-server.ts';

const NAME = '7d0f7e0c-6a3b-4f5e-9b1d-2c8a1e4f6b70';

interface Prepared {
  readonly key: string;
  readonly accountId: number;
  readonly body: object;
}

let accounts = 0;

/** An account with a retailer, and the body of an offer of it. */
async function prepare(server: RunningServer): Promise<Prepared> {
  accounts += 1;
  const accountId = await server.addAccount(`account-${accounts}`);
  const key = await server.addKey(accountId, {});
  const { store, clock } = server.service;
  const companyId = await store.write({ keyId: null, at: clock.now() }, async (writer) => {
    const firm = { name: 'Asesoría', imageUrl: null, catalogDefault: 'all', isActive: true } as const;
    const { id: firmId } = await writer.insertFirm(accountId, firm);
    return (await writer.insertCompany(accountId, { firmId, name: 'Comercial', logoUrl: null, isActive: true })).id;
  });
  return { key, accountId, body: { ...LUZ_BODY, company_id: companyId } };
}

async function create({ url }: Pick<RunningServer, 'url'>, { key, body }: Prepared, name = NAME) {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', 'Idempotency-Key': name };
  const response = await fetch(`${url}/v1/offers`, { method: 'POST', headers, body: JSON.stringify(body) });
  const replayed = response.headers.get('Idempotent-Replayed');
  return { status: response.status, replayed, text: await response.text() };
}

async function total(server: Pick<RunningServer, 'url'>, { key }: Prepared): Promise<number> {
  return (await askFor<{ total: number }>(server, key, { path: '/v1/offers' })).total;
}

describe('a server', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it('answers a request that is sent again with the bytes of the first time', async () => {
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
  ])('refuses a header that is %s', async (_what, lines, message = 'must be 1 to 255 visible ASCII characters') => {
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
  });

  it('takes one of 255 characters, with space around it', async () => {
    const prepared = await prepare(server);
    expect((await create(server, prepared, ` ${'x'.repeat(255)} `)).status).toBe(201);
    expect((await create(server, prepared, 'x'.repeat(255))).replayed).toBe('true');
  });
});

describe('two servers on one database', () => {
  it('do together once what 20 requests ask of both at once', async () => {
    const one = await startTestServer();
    const two = await startServerProcess({ databaseUrl: one.config.databaseUrl });
    try {
      for (let round = 0; round < 3; round += 1) {
        const prepared = await prepare(one);
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, i) => create(i % 2 === 0 ? one : two, prepared)),
        );
        const done = answers.filter(({ status }) => status === 201);
        expect(new Set(done.map(({ text }) => text)).size).toBe(1);
        expect(done.filter(({ replayed }) => replayed === null)).toHaveLength(1);
        const refusals = answers.filter(({ status }) => status !== 201);
        expect(refusals.filter(({ text }) => !text.includes('"idempotency_in_flight"'))).toEqual([]);
        expect(await total(one, prepared)).toBe(1);
        for (const server of [one, two]) expect(await create(server, prepared)).toMatchObject({ replayed: 'true' });
      }
    } finally {
      await two.close();
      await one.close();
    }
  });
});

describe('a server that is killed when it has written and not answered', () => {
  it.each([
    ['before the commit', '', null],
    ['after the commit', '?after', 'true'],
  ])('%s: the next one answers as if nothing had been', async (_when, search, replayed) => {
    const preload = new URL(`../../../packages/store/test/kill-at-commit.ts${search}`, import.meta.url).href;
    const killed = await startServerProcess({}, { nodeFlags: [`--import=${preload}`] });
    const next = await startTestServer({ databaseUrl: killed.config.databaseUrl });
    try {
      const prepared = await prepare(next);
      await expect(create(killed, prepared)).rejects.toThrow('fetch failed');
      const answer = await create(next, prepared);
      expect([answer.status, answer.replayed]).toEqual([201, replayed]);
      expect(await create(next, prepared)).toEqual({ ...answer, replayed: 'true' });
      expect(await total(next, prepared)).toBe(1);
    } finally {
      await next.close();
      await killed.close();
    }
  });
});
