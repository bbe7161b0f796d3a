import { operations } from '@tarifario/api';
import { ANY_CHARACTER } from '@tarifario/core/testing';
import { asRecord } from '@tarifario/testkit/api/world';
import { fillServer, requestOf } from '@tarifario/testkit/http/http-world';
import { sendRaw } from '@tarifario/testkit/http/raw-http';
import { ask, askFor, type ServerProcess, startServerProcess } from '@tarifario/testkit/http/running-server';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// What only a process of its own can show of hostile requests: its parser of JSON, its prototypes and its SQLite file. The
// loops over the table of operations are in `packages/api/test/bad-input.test.ts`.

const BODY_OPERATIONS = operations.filter(({ input }) => input.sentAs.includes('json'));

/**
 * Made before there is a server, because that takes seconds: the server would close the connections that it takes for
 * idle, and the next request would be sent on one of them.
 */
const ANY_TEXT = fc.string({ unit: ANY_CHARACTER, maxLength: 12 });

let server: ServerProcess;
let world: Awaited<ReturnType<typeof fillServer>>;

describe.each([
  { mode: 'as it is', nodeFlags: [] },
  { mode: 'without __proto__', nodeFlags: ['--disable-proto=delete'] },
])('a server $mode', ({ nodeFlags }) => {
  beforeAll(async () => {
    server = await startServerProcess({ logLevel: 'warn' }, { nodeFlags });
    world = await fillServer(server, 'nuestra');
  });
  afterAll(() => server.close());

  describe('names of prototype properties', () => {
    const POISON = ['__proto__', 'constructor', 'prototype', 'toString', '__defineGetter__', 'hasOwnProperty'];
    const payload = '{"polluted":"yes","isActive":true,"fullAccess":true,"toJSON":"x"}';

    it.each(BODY_OPERATIONS.map(({ id }) => id))('in the body of %s are unknown fields, at any depth', async (id) => {
      const { method, path, body: sound } = requestOf(id, world.calls[id]);
      const good = JSON.stringify(asRecord(sound)).slice(1, -1);
      const poisoned = POISON.map((name) => `"${name}":${payload}`).join();
      for (const body of [
        `{${good},${poisoned}}`,
        `{${POISON.map((name) => `"${name}":{${poisoned}}`).join()}}`,
        `{${good},"constructor":{"prototype":{${poisoned}}}}`,
      ]) {
        const answer = await ask(server, world.key, { method, path, body });
        expect(answer.status, body).toBe(400);
        const { code, errors } = JSON.parse(answer.text).detail;
        const sentNames = POISON.filter((name) => Object.hasOwn(JSON.parse(body), name));
        expect(errors.map((one: { path: string }) => one.path)).toEqual(expect.arrayContaining(sentNames));
        expect(code).toBe('invalid_request');
      }
    });

    it('in paths and queries find nothing', async () => {
      for (const name of [...POISON, '..%2f..%2fetc', '%5f%5fproto%5f%5f']) {
        for (const path of [
          `/v1/${name}`,
          `/v1/offers/${name}`,
          `/v1/offers/${world.sample.luzId}/${name}`,
          `/${name}`,
        ]) {
          expect((await ask(server, world.key, { path })).status, path).toBe(404);
        }
        for (const query of [`${name}=1`, `${name}[polluted]=1`, `${name}.polluted=1`, `a[${name}]=1`]) {
          expect((await ask(server, world.key, { path: `/v1/offers?${query}` })).status, query).toBe(400);
        }
      }
    });

    it('as headers change nothing', async () => {
      const lines = POISON.map((name) => `${name}: polluted`).join('\r\n');
      const head = `GET /v1/account HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: ${world.key}\r\n`;
      expect((await sendRaw(server.url, `${head}${lines}\r\n\r\n`)).status).toBe(200);
    });
  });

  if (nodeFlags.length === 0) keepsWhatIsSent();

  it('has changed no prototype, reported no bug, and stops normally', async () => {
    const { status, stderr, leaks } = await server.stop();
    expect([status, leaks]).toEqual([0, []]);
    expect(stderr).not.toMatch(/"level":"error"/);
  });
});

function keepsWhatIsSent(): void {
  describe('numbers', () => {
    it('that are unknown ids match no other record', async () => {
      const { luzId } = world.sample;
      for (const id of [
        '2147483648',
        '4294967297',
        '9007199254740993',
        String(2n ** 64n + BigInt(luzId)),
        '9'.repeat(300),
      ]) {
        expect((await ask(server, world.key, { path: `/v1/offers/${id}` })).status).toBe(404);
        const listed = await ask(server, world.key, { path: `/v1/offers?company_id=${id}` });
        expect([listed.status, JSON.parse(listed.text).total]).toEqual([200, 0]);
      }
    });
  });

  describe('text', () => {
    const create = async (name: string) => {
      const body = { client_id: world.sample.clientId, name };
      return ask(server, world.key, { path: '/v1/companies', body: JSON.stringify(body) });
    };

    it('of any kind is either refused or stored unchanged', async () => {
      await fc.assert(
        fc.asyncProperty(ANY_TEXT, async (text) => {
          const answer = await create(text);
          expect([201, 409, 422]).toContain(answer.status);
          if (answer.status !== 201) return;
          const { id, name } = JSON.parse(answer.text);
          expect(name).toBe(text.normalize('NFC').trim());
          expect((await askFor<{ name: string }>(server, world.key, { path: `/v1/companies/${id}` })).name).toBe(name);
        }),
        { numRuns: runsOf(75, 150), seed: 30_26 },
      );
    });

    it('in a query is searched for literally, or refused', async () => {
      for (const [text, status] of [
        ['%00', 400],
        ['a%0Ab', 400],
        ['%E2%80%AE', 400],
        ['%ED%A0%80', 200],
        ['%FF', 200],
        ['%C0%AF', 200],
        ['%F0%9F%8E%88', 200],
        [`${'%F0%9F%98%80'.repeat(201)}`, 400],
        ['%', 200],
        ['%zz', 200],
      ] as const) {
        const answer = await ask(server, world.key, { path: `/v1/offers?company_name=${text}` });
        expect([text, answer.status]).toEqual([text, status]);
        if (status === 200) expect(JSON.parse(answer.text).total).toBe(0);
      }
    });
  });
}
