import { ANY_CHARACTER } from '@tarifario/core/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LUZ_BODY } from '../../../packages/api/test/sample.ts';
import { type HostileServer, startHostileServer } from './hostile-server.ts';
import { ask, askFor } from './running-server.ts';

// Values that are hostile in requests that are well-formed, from end to end: a socket, a process and a SQLite file of
// its own.

/**
 * Made before there is a server, because that takes seconds: the server would close the connections that it takes for
 * idle, and the next request would be sent on one of them.
 */
const ANY_TEXT = fc.string({ unit: ANY_CHARACTER, maxLength: 12 });

let hostile: HostileServer;

beforeAll(async () => {
  hostile = await startHostileServer();
});
afterAll(() => hostile.server.close());

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
      { numRuns: 150, seed: 30_26 },
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

it('no hostile value caused a bug', async () => {
  const { status, stderr } = await hostile.server.stop();
  expect(status).toBe(0);
  expect(stderr).not.toMatch(/"level":"error"/);
});
