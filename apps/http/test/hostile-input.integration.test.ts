import { operations } from '@tarifario/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord } from '../../../packages/api/test/world.ts';
import { type HostileServer, refusalOf, startHostileServer } from './hostile-server.ts';
import { sendRaw } from './raw-http.ts';
import { ask } from './running-server.ts';

// Requests that are hostile in their form, from end to end: a socket, a process and a SQLite file of its own.

const BODY_OPERATIONS = operations.filter(({ input }) => input.sentAs.includes('json'));
const READ_OPERATIONS = operations.filter(({ method }) => method === 'GET');

let hostile: HostileServer;

describe.each([
  { mode: 'as it is', nodeFlags: [] },
  { mode: 'without __proto__', nodeFlags: ['--disable-proto=delete'] },
])('a server $mode', ({ nodeFlags }) => {
  beforeAll(async () => {
    hostile = await startHostileServer(nodeFlags);
  });
  afterAll(() => hostile.server.close());

  describe('the key', () => {
    const head = 'GET /v1/account HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
    const bytes = (lines: string) => Buffer.from(`${head}${lines}\r\n\r\n`, 'latin1');

    it.each<[string, (key: string) => string, number]>([
      ['alone', (key) => `X-API-Key: ${key}`, 200],
      ['under a name in another case', (key) => `x-aPi-kEY: ${key}`, 200],
      ['between blanks', (key) => `X-API-Key: \t ${key} \t`, 200],
      ['twice', (key) => `X-API-Key: ${key}\r\nX-API-Key: ${key}`, 401],
      ['after another', (key) => `X-API-Key: x\r\nX-API-Key: ${key}`, 401],
      ['in a list', (key) => `X-API-Key: ${key},${key}`, 401],
      ['empty', () => 'X-API-Key:', 401],
      ['nowhere', () => 'X-Other: 1', 401],
      ['in quotes', (key) => `X-API-Key: "${key}"`, 401],
      ['with a letter outside ASCII', (key) => `X-API-Key: ${key}\u00e9`, 401],
      ['of 15 000 characters', () => `X-API-Key: ${'k'.repeat(15_000)}`, 401],
      ['of 17 000 characters', () => `X-API-Key: ${'k'.repeat(17_000)}`, 431],
      ['with NUL', (key) => `X-API-Key: ${key}\0`, 400],
      ['on a folded line', (key) => `X-API-Key: a\r\n ${key}`, 400],
      ['as a bearer', (key) => `Authorization: Bearer ${key}`, 200],
      ['as a bearer, and as another key', (key) => `Authorization: Bearer ${key}\r\nX-API-Key: x`, 400],
      ['as a password', (key) => `Authorization: Basic ${Buffer.from(`key:${key}`).toString('base64')}`, 401],
      ['in a cookie', (key) => `Cookie: X-API-Key=${key}`, 401],
    ])('%s', async (_name, lines, status) => {
      const answer = await sendRaw(hostile.server.url, bytes(lines(hostile.world.key)));
      expect(answer.status).toBe(status);
      expect(answer.headers.get('x-request-id')).toMatch(/^[\w.-]+$/);
      if (status !== 200) expect(JSON.parse(answer.body)).toEqual({ detail: expect.any(Object) });
    });

    it('in the query is ignored', async () => {
      for (const name of ['X-API-Key', 'x-api-key', 'api_key', 'key']) {
        const response = await fetch(`${hostile.server.url}/v1/account?${name}=${hostile.world.key}`);
        expect(response.status).toBe(401);
      }
    });
  });

  describe('a field that callers may not set', () => {
    // What every caller knows of records and cannot set, besides the columns of the database.
    const OTHERS = [
      'company',
      'client',
      'is_catalog',
      'has_file',
      'indexed_prices',
      'account',
      'key_id',
      'scopes',
      'plan',
    ];

    it.each(BODY_OPERATIONS.map((operation) => [operation.id, operation] as const))(
      'is refused by %s by its name, for every column of the database',
      async (_id, operation) => {
        const { body } = hostile.requestFor(operation);
        const before = hostile.allRows();
        let refused = 0;
        for (const [table, columns] of [...hostile.allColumns(), ['others', OTHERS] as const]) {
          const good = asRecord(body);
          const { updates } = good;
          const mixed = (fields: object): object =>
            updates === undefined ? { ...fields, ...good } : { ...good, updates: { ...fields, ...asRecord(updates) } };
          const sent = mixed(Object.fromEntries(columns.map((name) => [name, { injected: table }])));
          const answer = await hostile.send({ operation, body: JSON.stringify(sent) });
          expect(answer.status, table).toBe(400);
          const errors = refusalOf(answer).errors ?? [];
          const unknown = errors.filter(({ error }) => error === 'unknown field').map(({ path }) => path);
          // A column that has the name of a field is refused for what it holds, or is overlaid by the good call.
          const misused = errors.map(({ path }) => path.replace(/^updates\./, ''));
          const settable = new Set(Object.keys(updates === undefined ? good : asRecord(updates)));
          expect(
            columns.filter((name) => !misused.includes(name) && !settable.has(name)),
            table,
          ).toEqual([]);
          refused += unknown.length;
        }
        expect(refused).toBeGreaterThan(50);
        expect(hostile.allRows()).toEqual(before);
      },
    );
  });

  describe('names of prototype properties', () => {
    const POISON = ['__proto__', 'constructor', 'prototype', 'toString', '__defineGetter__', 'hasOwnProperty'];
    const payload = '{"polluted":"yes","isActive":true,"fullAccess":true,"toJSON":"x"}';

    it.each(BODY_OPERATIONS.map((operation) => [operation.id, operation] as const))(
      'in the body of %s are unknown fields, at any depth',
      async (_id, operation) => {
        const good = JSON.stringify(hostile.requestFor(operation).body).slice(1, -1);
        const before = hostile.allRows();
        for (const name of POISON) {
          for (const body of [
            `{${good},"${name}":${payload}}`,
            `{"${name}":{"${name}":${payload}}}`,
            `{${good},"constructor":{"prototype":${payload}}}`,
          ]) {
            const answer = await hostile.send({ operation, body });
            expect(answer.status, body).toBe(400);
            expect(refusalOf(answer).code).toBe('invalid_request');
          }
        }
        expect(hostile.allRows()).toEqual(before);
      },
    );

    it('in paths and queries find nothing', async () => {
      for (const name of [...POISON, '..%2f..%2fetc', '%5f%5fproto%5f%5f']) {
        for (const path of [
          `/v1/${name}`,
          `/v1/offers/${name}`,
          `/v1/offers/${hostile.world.sample.luzId}/${name}`,
          `/${name}`,
        ]) {
          expect((await ask(hostile.server, hostile.world.key, { path })).status, path).toBe(404);
        }
        for (const query of [`${name}=1`, `${name}[polluted]=1`, `${name}.polluted=1`, `a[${name}]=1`]) {
          expect((await ask(hostile.server, hostile.world.key, { path: `/v1/offers?${query}` })).status, query).toBe(
            400,
          );
        }
      }
    });

    it('as headers change nothing', async () => {
      const lines = POISON.map((name) => `${name}: polluted`).join('\r\n');
      const head = `GET /v1/account HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-API-Key: ${hostile.world.key}\r\n`;
      expect((await sendRaw(hostile.server.url, `${head}${lines}\r\n\r\n`)).status).toBe(200);
    });
  });

  describe('parameters', () => {
    it.each(READ_OPERATIONS.map((operation) => [operation.id, operation] as const))(
      'of %s that occur twice, occur 1 500 times, or do not exist are refused',
      async (_id, operation) => {
        const { path } = hostile.requestFor(operation);
        const joint = path.includes('?') ? '&' : '?';
        const scalars = Object.keys(operation.input.query.shape).filter((name) => name !== 'ids');
        for (const name of scalars) {
          const sent = `${path}${joint}${name}=1&${name}=1`;
          const answer = await ask(hostile.server, hostile.world.key, { path: sent });
          expect([name, answer.status]).toEqual([name, 400]);
        }
        const many = Array.from({ length: 1500 }, (_, index) => `p${index}=1`).join('&');
        const same = Array.from({ length: 1200 }, () => 'client_id=1').join('&');
        for (const query of [many, same]) {
          const answer = await ask(hostile.server, hostile.world.key, { path: `${path}${joint}${query}` });
          expect(answer.status).toBe(400);
          expect((refusalOf(answer).errors ?? []).length).toBeLessThanOrEqual(100);
        }
      },
    );
  });

  it('has changed no prototype, reported no bug, and stops normally', async () => {
    const { status, stderr, leaks } = await hostile.server.stop();
    expect([status, leaks]).toEqual([0, []]);
    expect(stderr).not.toMatch(/"level":"error"/);
  });
});
