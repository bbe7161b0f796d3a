import { operations } from '@tarifario/api';
import { ANY_CHARACTER } from '@tarifario/core/testing';
import { LUZ_BODY } from '@tarifario/testkit/api/sample';
import { asRecord } from '@tarifario/testkit/api/world';
import { sendRaw } from '@tarifario/testkit/http/raw-http';
import { ask, askFor } from '@tarifario/testkit/http/running-server';
import { runsOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostileServer, refusalOf, startHostileServer } from './hostile-server.ts';

// Requests that are hostile in their form, or in their values, from end to end: a socket, a process and a SQLite file of
// its own.

const BODY_OPERATIONS = operations.filter(({ input }) => input.sentAs.includes('json'));
const READ_OPERATIONS = operations.filter(({ method }) => method === 'GET');

/**
 * Made before there is a server, because that takes seconds: the server would close the connections that it takes for
 * idle, and the next request would be sent on one of them.
 */
const ANY_TEXT = fc.string({ unit: ANY_CHARACTER, maxLength: 12 });

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
        const good = asRecord(hostile.requestFor(operation).body);
        const { updates } = good;
        const names = [...new Set([...hostile.allColumns(), ...OTHERS])];
        expect(names.length).toBeGreaterThan(100);
        const settable = new Set(Object.keys(updates === undefined ? good : asRecord(updates)));
        const before = hostile.allRows();
        // A refusal names 100 fields at most.
        for (let at = 0; at < names.length; at += 90) {
          const fields = Object.fromEntries(names.slice(at, at + 90).map((name) => [name, { injected: name }]));
          const sent =
            updates === undefined ? { ...fields, ...good } : { ...good, updates: { ...fields, ...asRecord(updates) } };
          const answer = await hostile.send({ operation, body: JSON.stringify(sent) });
          expect(answer.status).toBe(400);
          // A column that has the name of a field is refused for what it holds, or is overlaid by the good call.
          const refused = (refusalOf(answer).errors ?? []).map(({ path }) => path.replace(/^updates\./, ''));
          const accepted = Object.keys(fields).filter((name) => !refused.includes(name) && !settable.has(name));
          expect(accepted).toEqual([]);
        }
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
        const poisoned = POISON.map((name) => `"${name}":${payload}`).join();
        for (const body of [
          `{${good},${poisoned}}`,
          `{${POISON.map((name) => `"${name}":{${poisoned}}`).join()}}`,
          `{${good},"constructor":{"prototype":{${poisoned}}}}`,
        ]) {
          const answer = await hostile.send({ operation, body });
          expect(answer.status, body).toBe(400);
          const { code, errors = [] } = refusalOf(answer);
          const sentNames = POISON.filter((name) => Object.hasOwn(JSON.parse(body), name));
          expect(errors.map(({ path }) => path)).toEqual(expect.arrayContaining(sentNames));
          expect(code).toBe('invalid_request');
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
        const twice = scalars.flatMap((name) => [`${name}=1`, `${name}=1`]).join('&');
        const doubled = await ask(hostile.server, hostile.world.key, { path: `${path}${joint}${twice}` });
        expect(doubled.status).toBe(400);
        expect((refusalOf(doubled).errors ?? []).map((one) => one.path)).toEqual(expect.arrayContaining(scalars));
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

  describe('numbers', () => {
    it('that are unknown ids match no other record', async () => {
      const { luzId } = hostile.world.sample;
      for (const id of [
        '2147483648',
        '4294967297',
        '9007199254740993',
        String(2n ** 64n + BigInt(luzId)),
        '9'.repeat(300),
      ]) {
        expect((await ask(hostile.server, hostile.world.key, { path: `/v1/offers/${id}` })).status).toBe(404);
        const listed = await ask(hostile.server, hostile.world.key, { path: `/v1/offers?company_id=${id}` });
        expect([listed.status, JSON.parse(listed.text).total]).toEqual([200, 0]);
      }
    });
  });

  describe('text', () => {
    const create = async (name: string) => {
      const body = { client_id: hostile.world.sample.clientId, name };
      return ask(hostile.server, hostile.world.key, { path: '/v1/companies', body: JSON.stringify(body) });
    };

    it.each<[string, string, string]>([
      ['an emoji', 'Luz 😀', 'Luz 😀'],
      ['other scripts', 'أوفرتا 電力', 'أوفرتا 電力'],
      ['a combining accent', 'Energi\u0301a', 'Energía'],
      ['blanks around it', ' \u00A0Casa  ', 'Casa'],
      ['markup', `<b>"&'</b>`, `<b>"&'</b>`],
      ['SQL', "'; DROP TABLE offers; --", "'; DROP TABLE offers; --"],
    ])('a name with %s is stored as people see it, and a search finds it', async (_name, name, stored) => {
      const answer = await create(name);
      expect([answer.status, JSON.parse(answer.text).name]).toEqual([201, stored]);
      const { id } = JSON.parse(answer.text);
      await askFor(hostile.server, hostile.world.key, { path: '/v1/offers', body: { ...LUZ_BODY, company_id: id } });
      for (const searched of [name.trim(), stored]) {
        const query = new URLSearchParams({ company_name: searched });
        type Listed = { readonly results: readonly { readonly company: { readonly name: string } }[] };
        const { results } = await askFor<Listed>(hostile.server, hostile.world.key, { path: `/v1/offers?${query}` });
        expect(results.map(({ company }) => company.name)).toEqual([stored]);
      }
    });

    it('of any kind is either refused or stored unchanged', async () => {
      await fc.assert(
        fc.asyncProperty(ANY_TEXT, async (text) => {
          const answer = await create(text);
          expect([201, 409, 422]).toContain(answer.status);
          if (answer.status !== 201) return;
          const { id, name } = JSON.parse(answer.text);
          expect(name).toBe(text.normalize('NFC').trim());
          expect(
            (await askFor<{ name: string }>(hostile.server, hostile.world.key, { path: `/v1/companies/${id}` })).name,
          ).toBe(name);
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
        const answer = await ask(hostile.server, hostile.world.key, { path: `/v1/offers?company_name=${text}` });
        expect([text, answer.status]).toEqual([text, status]);
        if (status === 200) expect(JSON.parse(answer.text).total).toBe(0);
      }
    });
  });

  it('has changed no prototype, reported no bug, and stops normally', async () => {
    const { status, stderr, leaks } = await hostile.server.stop();
    expect([status, leaks]).toEqual([0, []]);
    expect(stderr).not.toMatch(/"level":"error"/);
  });
});
