import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LUZ_BODY } from '../../../packages/api/test/sample.ts';
import { type HostileServer, refusalOf, startHostileServer } from './hostile-server.ts';
import { requestOf } from './http-world.ts';
import { ask, askFor } from './running-server.ts';

// Values that are hostile in requests that are well-formed, from end to end: a socket, a process and a SQLite file of
// its own. The numbers are those of the tables of attacks (T) and of accidents (F) that the service was planned with.

const LISTS = ['listOffers', 'listClients', 'listCompanies', 'listIndexedPrices', 'listUsage', 'listUploads'];

/**
 * Made before there is a server, because that takes seconds: the server would close the connections that it takes for
 * idle, and the next request would be sent on one of them.
 */
const ANY_TEXT = fc.string({ unit: 'binary', maxLength: 12 });

let hostile: HostileServer;

beforeAll(async () => {
  hostile = await startHostileServer();
});
afterAll(() => hostile.server.close());

describe('numbers', () => {
  const BAD_IDS = [
    '0',
    '-1',
    '1.0',
    '1e3',
    '+1',
    '%201',
    '1%20',
    '0x1',
    '01',
    '%EF%BC%91',
    'NaN',
    'null',
    'true',
    '[1]',
    '1,2',
  ];

  it('that are not ids match no record in a path and are malformed in a query', async () => {
    for (const id of BAD_IDS) {
      for (const noun of ['offers', 'companies', 'clients', 'uploads']) {
        expect((await ask(hostile.server, hostile.world.key, { path: `/v1/${noun}/${id}` })).status, id).toBe(404);
      }
      for (const name of ['client_id', 'company_id']) {
        expect((await ask(hostile.server, hostile.world.key, { path: `/v1/offers?${name}=${id}` })).status, id).toBe(
          400,
        );
      }
    }
  });

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

  it.each<[string, number | null]>([
    ['1e999', null],
    ['-1e999', null],
    ['1e308', null],
    ['-1e308', null],
    ['9007199254740993', null],
    ['"0.1"', null],
    ['true', null],
    ['[0.1]', null],
    ['{}', null],
    ['-0', 0],
    ['1e-400', 0],
    ['5e-324', 5e-324],
    ['0.1000000000000000055511151231257827', 0.1],
    ['0.30000000000000004', 0.30000000000000004],
    ['10', 10],
    ['10.000000000000002', null],
  ])('%s as a price is kept as %j or refused', async (text, kept) => {
    const body = JSON.stringify({ ...LUZ_BODY, company_id: hostile.world.sample.companyId }).replace(
      '"e1":0.18',
      `"e1":${text}`,
    );
    const answer = await ask(hostile.server, hostile.world.key, { path: '/v1/offers', body });
    if (kept === null) {
      expect([400, 422]).toContain(answer.status);
      return;
    }
    expect(answer.status).toBe(201);
    const { id } = JSON.parse(answer.text);
    const { e1 } = await askFor<{ e1: number }>(hostile.server, hostile.world.key, { path: `/v1/offers/${id}` });
    expect(Object.is(e1, kept)).toBe(true);
  });

  it('at their bounds give finite costs, and beyond them are refused', async () => {
    const most = {
      supply_type: 'LUZ',
      energia: { e1: 1e9, e2: 1e9, e3: 1e9 },
      potencia: { p1: 1e6, p2: 1e6 },
      dias: 1100,
    };
    const answer = await ask(hostile.server, hostile.world.key, {
      path: '/v1/offers/efficient',
      body: { ...most, fee_energia: 30 },
    });
    expect(answer.status).toBe(200);
    const { results } = JSON.parse(answer.text);
    expect(results.length).toBeGreaterThan(0);
    for (const { cost, nota } of results) {
      expect(
        Object.values(cost).every((part) => Number.isFinite(part)),
        JSON.stringify(cost),
      ).toBe(true);
      expect(Number.isFinite(nota)).toBe(true);
    }
    for (const e1 of ['1e10', '1e999', '1e308']) {
      const body = `{"supply_type":"LUZ","energia":{"e1":${e1}}}`;
      expect((await ask(hostile.server, hostile.world.key, { path: '/v1/offers/efficient', body })).status).toBe(400);
    }
  });

  it.each(['1', '0', 'TRUE', 'True', '%20true', 'yes', 'si', 'null', ''])(
    '"%s" is neither true nor false',
    async (text) => {
      for (const name of ['include_inactive', 'placas_solares', 'ssaa_included']) {
        const answer = await ask(hostile.server, hostile.world.key, { path: `/v1/offers?${name}=${text}` });
        expect(answer.status, name).toBe(400);
      }
    },
  );
});

describe('text', () => {
  const create = async (name: string) => {
    const body = { client_id: hostile.world.sample.clientId, name };
    return ask(hostile.server, hostile.world.key, { path: '/v1/companies', body: JSON.stringify(body) });
  };

  it.each<[string, string]>([
    ['NUL', 'a\u0000b'],
    ['half a character', 'a\uD83Db'],
    ['the other half', '\uDE00a'],
    ['halves in the wrong order', '\uDE00\uD83D'],
    ['a line break', 'a\nb'],
    ['an override of the direction', 'a\u202Eb'],
    ['an isolate', 'a\u2066b\u2069'],
    ['a zero-width space', 'a\u200Bb'],
    ['a byte order mark', 'a\uFEFFb'],
    ['a joiner between emojis', '👩\u200D🚀'],
    ['a tag', 'a\u{E0041}b'],
    ['a million characters', 'x'.repeat(1_000_000)],
    ['201 characters', 'ñ'.repeat(201)],
    ['nothing but blanks', ' \u00A0\u3000 '],
  ])('a name with %s is refused', async (_name, name) => {
    const before = hostile.allRows();
    const answer = await create(name);
    expect([answer.status, refusalOf(answer).code]).toEqual([422, 'business_rule']);
    expect(hostile.allRows()).toEqual(before);
  });

  it.each<[string, string, string]>([
    ['an emoji', 'Luz 😀', 'Luz 😀'],
    ['other scripts', 'أوفرتا 電力', 'أوفرتا 電力'],
    ['a combining accent', 'Energi\u0301a', 'Energía'],
    ['blanks around it', ' \u00A0Casa  ', 'Casa'],
    ['markup', `<b>"&'</b>`, `<b>"&'</b>`],
    ['SQL', "'; DROP TABLE offers; --", "'; DROP TABLE offers; --"],
  ])('a name with %s is kept as people see it, and found by it', async (_name, name, kept) => {
    const answer = await create(name);
    expect([answer.status, JSON.parse(answer.text).name]).toEqual([201, kept]);
    const { id } = JSON.parse(answer.text);
    await askFor(hostile.server, hostile.world.key, { path: '/v1/offers', body: { ...LUZ_BODY, company_id: id } });
    for (const asked of [name.trim(), kept]) {
      const query = new URLSearchParams({ company_name: asked });
      type Listed = { readonly results: readonly { readonly company: { readonly name: string } }[] };
      const { results } = await askFor<Listed>(hostile.server, hostile.world.key, { path: `/v1/offers?${query}` });
      expect(results.map(({ company }) => company.name)).toEqual([kept]);
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

describe('a part of a name', () => {
  const NAMES = ['Energía 100%', 'Energia_B', 'Barra\\Luz', "L'Elèctrica", 'ÑANDÚ'];

  beforeAll(async () => {
    for (const name of NAMES) {
      const body = { client_id: hostile.world.sample.otherClientId, name };
      const { id } = await askFor<{ id: number }>(hostile.server, hostile.world.key, { path: '/v1/companies', body });
      await askFor(hostile.server, hostile.world.key, {
        path: '/v1/offers',
        body: { ...LUZ_BODY, company_id: id, offer_name: name },
      });
    }
  });

  it.each<[string, readonly string[]]>([
    ['%', ['Energía 100%']],
    ['100%', ['Energía 100%']],
    ['%%', []],
    ['_', ['Energia_B']],
    ['__', []],
    ['\\', ['Barra\\Luz']],
    ['\\%', []],
    ['*', []],
    ['[a-z]', []],
    ["'", ["L'Elèctrica"]],
    ["''", []],
    ['ENERGÍA', ['Energía 100%']],
    ['energi\u0301a', ['Energía 100%']],
    ['ENERGIA', ['Energia_B']],
    ['ñandú', ['ÑANDÚ']],
    ['barra\\LUZ', ['Barra\\Luz']],
    ['ELÈC', ["L'Elèctrica"]],
    ["' OR 1=1 --", []],
  ])('%s finds %j in the list, the export and the ranking', async (part, found) => {
    const query = new URLSearchParams({ company_name: part, client_id: String(hostile.world.sample.otherClientId) });
    const namesOf = (results: readonly { readonly offer_name: string }[]) =>
      results.map(({ offer_name }) => offer_name).toSorted();
    const expected = [...found].toSorted();
    type Listed = { readonly results: readonly { readonly offer_name: string }[] };
    const listed = await askFor<Listed>(hostile.server, hostile.world.key, { path: `/v1/offers?${query}` });
    expect(namesOf(listed.results)).toEqual(expected);
    const exported = await ask(hostile.server, hostile.world.key, { path: `/v1/offers/export?${query}` });
    expect([exported.status, exported.headers.get('x-total-count')]).toEqual([200, String(found.length)]);
    type Ranked = { readonly results: readonly { readonly offer: { readonly offer_name: string } }[] };
    const ranked = await askFor<Ranked>(hostile.server, hostile.world.key, {
      path: '/v1/offers/efficient',
      body: {
        ...{ supply_type: 'LUZ', energia: { e1: 1 }, company_name: part },
        client_id: hostile.world.sample.otherClientId,
      },
    });
    expect(namesOf(ranked.results.map(({ offer }) => offer))).toEqual(expected);
  });
});

describe('pages', () => {
  it.each(LISTS)('of %s have their bounds', async (id) => {
    const page = (query: string) =>
      ask(hostile.server, hostile.world.key, {
        path: `${requestOf(id, hostile.world.calls[id]).path.split('?')[0]}?${query}`,
      });
    for (const query of [
      'limit=0',
      'limit=201',
      'limit=-1',
      'limit=1000000000',
      'limit=all',
      'limit=',
      'limit=1e2',
      'limit=１',
    ]) {
      expect((await page(query)).status, query).toBe(400);
    }
    for (const query of ['offset=-1', 'offset=1000001', 'offset=9007199254740993', 'offset=0x1', 'offset=']) {
      expect((await page(query)).status, query).toBe(400);
    }
    const far = await page('limit=200&offset=1000000');
    expect([far.status, JSON.parse(far.text).results]).toEqual([200, []]);
  });

  it.each(LISTS.filter((id) => id !== 'listUsage'))(
    'of %s put together are the whole list, once each and in order',
    async (id) => {
      const path = requestOf(id, hostile.world.calls[id]).path.split('?')[0];
      type Listed = { readonly total: number; readonly results: readonly { readonly id?: number }[] };
      const page = (query: string) => askFor<Listed>(hostile.server, hostile.world.key, { path: `${path}?${query}` });
      const whole = await page('limit=200');
      expect(whole.results).toHaveLength(whole.total);
      const pieces: unknown[] = [];
      for (let offset = 0; offset < whole.total; offset += 2) {
        const { total, results } = await page(`limit=2&offset=${offset}`);
        expect(total).toBe(whole.total);
        pieces.push(...results);
      }
      expect(pieces).toEqual(whole.results);
      const ids = whole.results.flatMap((record) => record.id ?? []);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    },
  );
});

it('none of this was a bug', async () => {
  const { status, stderr } = await hostile.server.stop();
  expect(status).toBe(0);
  expect(stderr).not.toMatch(/"level":"error"/);
});
