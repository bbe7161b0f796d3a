import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, askFor, type RunningServer, startTestServer } from './running-server.ts';

// What callers get wrong, over a real socket and a real database. Whatever it is: the documented status, the one shape,
// the id of the request, and not a word that we did not write.

let server: RunningServer;
let key: string;
let foreignKey: string;
/** Records of our account, and one record of each kind of another account. */
let own: Records;
let foreign: Records;

interface Records {
  readonly firm: number;
  readonly company: number;
  readonly luz: number;
  readonly gas: number;
}

const LUZ = {
  offer_name: 'Fija',
  supply_type: 'LUZ',
  tariff_type: '2.0TD',
  territory_peninsula: true,
  acepta_dni: true,
  e1: 0.2,
  e2: 0.15,
  e3: 0.1,
  p1: 0.08,
  p2: 0.01,
  commission: 40,
};
const GAS = {
  offer_name: 'Gas',
  supply_type: 'GAS',
  tariff_type: 'RL.2',
  territory_peninsula: true,
  acepta_dni: true,
  gas_energy: 0.05,
  gas_fixed: 5,
};
const HOME = { supply_type: 'LUZ', energia: { e1: 1200, e2: 900, e3: 1400 }, potencia: { p1: 4.6, p2: 4.6 } };
const GAS_HOME = { supply_type: 'GAS', consumo_gas: 9000 };
const NOBODY = 999_999_999;

beforeAll(async () => {
  server = await startTestServer();
  const [ours, theirs] = [await server.addAccount('ours'), await server.addAccount('theirs')];
  key = await server.addKey(ours, {});
  foreignKey = await server.addKey(theirs, {});
  own = await createRecords(key);
  foreign = await createRecords(foreignKey);
});

afterAll(() => server.close());

async function createRecords(withKey: string): Promise<Records> {
  const create = async (path: string, body: object) =>
    (await askFor<{ id: number }>(server, withKey, { path, body })).id;
  const firm = await create('/v1/clients', { name: 'Asesoría' });
  const company = await create('/v1/companies', { client_id: firm, name: 'Comercializadora' });
  const luz = await create('/v1/offers', { company_id: company, ...LUZ });
  const gas = await create('/v1/offers', { company_id: company, ...GAS });
  return { firm, company, luz, gas };
}

/** The code of a refusal, after all that every refusal must hold. */
function codeOf({ text, headers }: { text: string; headers: Headers }): string {
  const body = JSON.parse(text);
  expect(Object.keys(body)).toEqual(['detail']);
  expect(body.detail).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  for (const finding of body.detail.errors ?? []) {
    expect(Object.keys(finding)).toEqual(['path', 'error']);
  }
  expect(headers.get('x-request-id')).toMatch(/^[\w.-]{1,128}$/);
  expect(text.length).toBeLessThan(20_000);
  expect(text).not.toMatch(/node_modules|\.ts:|\.js:|SQLITE|SQLite|constraint|zod|ZodError|stack|Unexpected token/);
  return body.detail.code;
}

describe('a ranking', () => {
  const text = (field: string, value: string) => `{"supply_type":"LUZ","energia":{"e1":1000},"${field}":${value}}`;
  const deep = `{"supply_type":"LUZ","energia":${'{"e1":'.repeat(20_000)}1${'}'.repeat(20_000)}}`;

  it.each<[string, unknown, number]>([
    ['an empty object', {}, 400],
    ['an array', [HOME], 400],
    ['null', 'null', 400],
    ['a number', '7', 400],
    ['an unknown field', { ...HOME, precio: 1 }, 400],
    ['an unknown period', { ...HOME, energia: { e7: 1 } }, 400],
    ['an unknown supply', { ...HOME, supply_type: 'AGUA' }, 400],
    ['a supply in lower case', { ...HOME, supply_type: 'luz' }, 400],
    ['text for a number', { ...HOME, energia: { e1: '1200' } }, 400],
    ['a number for text', { ...HOME, tariff_type: 2 }, 400],
    ['null for a number', { ...HOME, dias: null }, 400],
    ['an infinite consumption', '{"supply_type":"LUZ","energia":{"e1":1e999}}', 400],
    ['an infinite weight', text('w', '1e999'), 400],
    ['a negative consumption', { ...HOME, energia: { e1: -1 } }, 400],
    ['too much consumption', { ...HOME, energia: { e1: 1e9 + 1 } }, 400],
    ['a negative power', { ...HOME, potencia: { p1: -0.1 } }, 400],
    ['a weight below 0', { ...HOME, w: -0.001 }, 400],
    ['a weight above 1', { ...HOME, w: 1.001 }, 400],
    ['a weight in words', { ...HOME, w: '0.5' }, 400],
    ['no day', { ...HOME, dias: 0 }, 400],
    ['half a day', { ...HOME, dias: 30.5 }, 400],
    ['too many days', { ...HOME, dias: 1101 }, 400],
    ['no month', { ...HOME, meses: 0 }, 400],
    ['too many months', { ...HOME, meses: 37 }, 400],
    ['a day that does not exist', { ...HOME, mes: '2025-02-30' }, 400],
    ['a fee below 1', { ...HOME, fee_energia: 0.5 }, 400],
    ['a fee above 30', { ...HOME, fee_potencia: 31 }, 400],
    ['no limit', { ...HOME, limit: 0 }, 400],
    ['too high a limit', { ...HOME, limit: 201 }, 400],
    ['an unknown territory', { ...HOME, territory: 'Peninsula' }, 400],
    ['an unknown community', { ...HOME, community: 'portugal' }, 400],
    ['an unknown kind of customer', { ...HOME, client_type: 'nif' }, 400],
    ['yes for true', { ...HOME, ssaa_included: 'yes' }, 400],
    ['no consumption at all', { supply_type: 'LUZ' }, 400],
    ['only zeros', { supply_type: 'LUZ', energia: { e1: 0 }, potencia: { p1: 0 } }, 400],
    ['no gas', { supply_type: 'GAS' }, 400],
    ['zero gas', { supply_type: 'GAS', consumo_gas: 0 }, 400],
    ['a name of 2 000 characters to look for', { ...HOME, company_name: 'x'.repeat(2000) }, 400],
    ['an offset', { ...HOME, offset: 0 }, 400],
    ['objects 20 000 deep', deep, 400],
    ['a key of the prototype', text('__proto__', '{"w":0}'), 400],
    ['the constructor', text('constructor', '{"prototype":{"w":0}}'), 400],
    ['a prototype inside', '{"supply_type":"LUZ","energia":{"__proto__":{"e1":5},"e1":1}}', 400],
    ['a power fee on gas', { ...GAS_HOME, fee_potencia: 5 }, 422],
    ['energy periods on gas', { ...GAS_HOME, energia: { e1: 1 } }, 422],
    ['power on gas', { ...GAS_HOME, potencia: { p1: 1 } }, 422],
    ['surplus on gas', { ...GAS_HOME, excedentes: 1 }, 422],
    ['balancing services on gas', { ...GAS_HOME, ssaa_included: true }, 422],
    ['gas on electricity', { ...HOME, consumo_gas: 1 }, 422],
  ])('with %s is refused', async (_name, body, status) => {
    const answer = await ask(server, key, { path: '/v1/offers/efficient', body });
    expect(answer.status).toBe(status);
    expect(codeOf(answer)).toBe(status === 400 ? 'invalid_request' : 'business_rule');
  });

  it('of a firm of another account gets the same refusal as of a firm that does not exist', async () => {
    const asked = (client_id: number) =>
      ask(server, key, { path: '/v1/offers/efficient', body: { ...HOME, client_id } });
    const [theirs, nobodys] = [await asked(foreign.firm), await asked(NOBODY)];
    expect([theirs.status, codeOf(theirs)]).toEqual([403, 'foreign_firm']);
    expect(nobodys.text).toBe(theirs.text);
  });

  it('refuses unknown query parameters', async () => {
    const answer = await ask(server, key, { path: '/v1/offers/efficient?w=1', body: HOME });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request']);
  });

  it('with a valid body is answered, so the refusals above are only due to the fault', async () => {
    for (const body of [HOME, GAS_HOME, { ...HOME, w: 0.5, dias: 30, fee_energia: 1, client_id: own.firm }]) {
      expect((await ask(server, key, { path: '/v1/offers/efficient', body })).status).toBe(200);
    }
  });
});

describe('a query', () => {
  it.each([
    '/v1/offers?limit=0',
    '/v1/offers?limit=201',
    '/v1/offers?limit=-1',
    '/v1/offers?limit=1e2',
    '/v1/offers?limit=0x10',
    '/v1/offers?limit=+1',
    '/v1/offers?limit=%201',
    '/v1/offers?limit=1.0',
    '/v1/offers?limit=',
    '/v1/offers?limit=all',
    '/v1/offers?limit=%EF%BC%91',
    '/v1/offers?limit=1&limit=1',
    '/v1/offers?offset=-1',
    '/v1/offers?offset=1000001',
    '/v1/offers?supply_type=LUZ&supply_type=GAS',
    '/v1/offers?supply_type=luz',
    '/v1/offers?include_inactive=1',
    '/v1/offers?include_inactive=True',
    '/v1/offers?placas_solares=si',
    '/v1/offers?unknown=1',
    '/v1/offers?limit[]=1',
    '/v1/offers?__proto__=1',
    '/v1/offers?constructor=1',
    '/v1/offers?company_id=0',
    `/v1/offers?company_name=${'x'.repeat(2000)}`,
    `/v1/offers?tariff_type=${'x'.repeat(33)}`,
    '/v1/offers/compare',
    '/v1/offers/compare?ids=1',
    '/v1/offers/compare?ids=1&ids=1',
    '/v1/offers/compare?ids=1,2',
    '/v1/offers/compare?ids=1&ids=x',
    `/v1/offers/compare?${Array.from({ length: 11 }, (_, index) => `ids=${index + 1}`).join('&')}`,
    '/v1/offers/recommend',
    '/v1/offers/recommend?consumption_mwh=-1',
    '/v1/offers/recommend?consumption_mwh=1e999',
    '/v1/offers/recommend?consumption_mwh=Infinity',
    '/v1/offers/recommend?consumption_mwh=NaN',
    '/v1/offers/recommend?consumption_mwh=3,5',
    '/v1/clients?limit=201',
    '/v1/companies?offset=x',
  ])('%s is refused', async (path) => {
    const answer = await ask(server, key, { path });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request']);
  });

  it('for power with gas breaks a rule', async () => {
    const path = '/v1/offers/recommend?supply_type=GAS&consumption_mwh=9&power_kw=4';
    const answer = await ask(server, key, { path });
    expect([answer.status, codeOf(answer)]).toEqual([422, 'business_rule']);
  });

  it('with LIKE wildcards searches for these characters', async () => {
    for (const name of ['%25', '_', '%5C', "'", '%22', '%00']) {
      const answer = await ask(server, key, { path: `/v1/offers?company_name=${name}` });
      expect([200, 400]).toContain(answer.status);
      if (answer.status === 200) expect(JSON.parse(answer.text).total, name).toBe(0);
    }
  });
});

describe('a record', () => {
  const paths = (ids: Records) => [
    `/v1/offers/${ids.luz}`,
    `/v1/offers/compare?ids=${own.luz}&ids=${ids.gas}`,
    `/v1/offers/${ids.luz}/commission-calculator?consumption_mwh=1`,
    `/v1/offers/${ids.luz}/indexed-prices`,
    `/v1/companies/${ids.company}`,
    `/v1/clients/${ids.firm}`,
  ];

  it('A-24: of another account is answered "not found", like one that does not exist', async () => {
    const nobodys = paths({ firm: NOBODY, company: NOBODY, luz: NOBODY, gas: NOBODY });
    for (const [index, path] of paths(foreign).entries()) {
      const theirs = await ask(server, key, { path });
      const missing = await ask(server, key, { path: nobodys[index] ?? '' });
      expect([path, theirs.status, codeOf(theirs)]).toEqual([path, 404, 'not_found']);
      expect([missing.status, missing.text]).toEqual([404, theirs.text]);
      expect((await ask(server, key, { path: paths({ ...own, luz: own.luz })[index] ?? '' })).status).toBe(200);
    }
  });

  it.each([
    '0',
    '-1',
    '1.5',
    '1e3',
    '+1',
    '%201',
    '0x1',
    '01',
    'abc',
    '%00',
    '１',
    '99999999999999999999',
    '__proto__',
  ])('cannot have the id %s', async (id) => {
    for (const path of [`/v1/offers/${id}`, `/v1/companies/${id}`, `/v1/clients/${id}`]) {
      const answer = await ask(server, key, { path });
      expect([400, 404]).toContain(answer.status);
      expect(['invalid_request', 'not_found']).toContain(codeOf(answer));
    }
  });

  it.each(['2025-13', '2025-02-30', '25-01', 'january', '2025-01-01T00:00:00Z', '%00'])(
    'has no month %s to delete',
    async (month) => {
      const answer = await ask(server, key, {
        method: 'DELETE',
        path: `/v1/offers/${own.luz}/indexed-prices/${month}`,
      });
      expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request']);
    },
  );
});

describe('a new record', () => {
  it.each<[string, object, number]>([
    ['a field of the store', { created_at: '2025-01-01' }, 400],
    ['an id', { id: 1 }, 400],
    ['a flag of the catalog', { is_catalog: true }, 400],
    ['an infinite price', { e1: '1e999' }, 400],
    ['text for a price', { e1: '0.2' }, 400],
    ['a price above the bound', { e1: 10.5 }, 422],
    ['a yearly price of power typed as daily', { p1: 26.9 }, 422],
    ['a negative price', { e1: -0.1 }, 422],
    ['a negative commission', { commission: -1 }, 422],
    ['an unknown commission', { commission_type: 'percent' }, 422],
    ['no territory', { territory_peninsula: false }, 422],
    ['nobody to sign', { acepta_dni: false }, 422],
    ['a surplus price without panels', { precio_excedentes: 0.05 }, 422],
    ['a price of gas', { gas_energy: 0.05 }, 422],
    ['a name of 2 000 characters', { offer_name: 'x'.repeat(2000) }, 422],
    ['a blank name', { offer_name: '  ' }, 422],
    ['a name that writes backwards', { offer_name: 'a\u202Eb' }, 422],
    ['a name with half a character', { offer_name: 'a\uD800b' }, 422],
    ['a name with NUL', { offer_name: 'a\u0000b' }, 422],
    [
      'tiers that overlap',
      {
        commission_tiers: [
          { consumption_from: 0, consumption_to: 5, commission: 1, commission_type: 'fixed' },
          { consumption_from: 4, consumption_to: 9, commission: 1, commission_type: 'fixed' },
        ],
      },
      422,
    ],
    ['51 tiers', { commission_tiers: tiers(51) }, 422],
  ])('with %s is refused, and nothing is kept', async (_name, fault, status) => {
    const body = { company_id: own.company, ...LUZ, ...fault };
    const text = JSON.stringify(body).replace('"1e999"', '1e999');
    const answer = await ask(server, key, { path: '/v1/offers', body: text });
    expect([answer.status, codeOf(answer)]).toEqual([status, status === 400 ? 'invalid_request' : 'business_rule']);
    const { total } = await askFor<{ total: number }>(server, key, { path: '/v1/offers?include_inactive=true' });
    expect(total).toBe(1);
  });

  it('under a company or a firm of another account is refused as under one that does not exist', async () => {
    for (const company_id of [foreign.company, NOBODY]) {
      const answer = await ask(server, key, { path: '/v1/offers', body: { company_id, ...LUZ } });
      expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found']);
    }
    for (const client_id of [foreign.firm, NOBODY]) {
      const answer = await ask(server, key, { path: '/v1/companies', body: { client_id, name: 'X' } });
      expect([answer.status, codeOf(answer)]).toEqual([403, 'foreign_firm']);
    }
  });

  it('with the name of another record of the account, ignoring case, is a conflict', async () => {
    const answer = await ask(server, key, { path: '/v1/clients', body: { name: ' ASESORÍA ' } });
    expect([answer.status, codeOf(answer)]).toEqual([409, 'duplicate_name']);
  });

  it.each([
    'javascript:alert(1)',
    'http://a.example/x.png',
    'https://user:pass@a.example/',
    'data:image/png;base64,AAAA',
    `https://a.example/${'x'.repeat(2100)}`,
  ])('with the picture %s is refused', async (logo_url) => {
    const answer = await ask(server, key, {
      path: '/v1/companies',
      body: { client_id: own.firm, name: 'Y', logo_url },
    });
    expect([answer.status, codeOf(answer)]).toEqual([422, 'business_rule']);
  });

  it('cannot be a month of an offer that is not indexed', async () => {
    const path = `/v1/offers/${own.luz}/indexed-prices`;
    const answer = await ask(server, key, { path, body: { reference_month: '2025-01', e1: 0.1 } });
    expect([answer.status, codeOf(answer)]).toEqual([422, 'business_rule']);
  });
});

describe('a body that is too large, or not JSON', () => {
  it.each<[string, string | Buffer, string, number]>([
    ['2 MB', `{"name":"${'x'.repeat(2 * 1024 * 1024)}"}`, 'application/json', 413],
    ['a form', 'name=x', 'application/x-www-form-urlencoded', 415],
    ['plain text', '{"name":"x"}', 'text/plain', 415],
    ['cut short', '{"name":', 'application/json', 400],
    ['nothing', '', 'application/json', 400],
    ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le'), 'application/json', 400],
  ])('%s', async (_name, body, contentType, status) => {
    const headers = { 'X-API-Key': key, 'Content-Type': contentType };
    const response = await fetch(`${server.url}/v1/clients`, { method: 'POST', headers, body });
    const answer = { status: response.status, headers: response.headers, text: await response.text() };
    expect(answer.status).toBe(status);
    codeOf(answer);
  });

  it('is not even read from a caller without a key', async () => {
    const response = await fetch(`${server.url}/v1/clients`, { method: 'POST', body: 'x'.repeat(2 * 1024 * 1024) });
    expect(response.status).toBe(401);
  });
});

describe('a key', () => {
  const tried = (headers: Record<string, string>, path = '/v1/offers') => fetch(server.url + path, { headers });

  it('that is missing, empty, malformed, truncated, changed, sent twice or in another place is refused', async () => {
    const changed = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
    const unknown = server.service.secrets.newKey().key;
    const variants: Record<string, string>[] = [
      {},
      { 'X-API-Key': '' },
      { 'X-API-Key': 'junk' },
      { 'X-API-Key': key.slice(0, -1) },
      { 'X-API-Key': changed },
      { 'X-API-Key': unknown },
      { 'X-API-Key': `${key}, ${key}` },
      { 'X-API-Key': `Bearer ${key}` },
      { 'X-API-Key': key.toLowerCase() },
      { 'X-API-Key': '\u00FF'.repeat(60) },
      { 'X-API-Key': 'x'.repeat(10_000) },
      { Authorization: `Basic ${key}` },
      { Authorization: `Bearer ${changed}` },
      { 'X-Api-Key-2': key },
    ];
    const bodies = new Set<string>();
    for (const headers of variants) {
      const response = await tried(headers);
      const answer = { text: await response.text(), headers: response.headers };
      expect([response.status, codeOf(answer)]).toEqual([401, 'unauthenticated']);
      bodies.add(answer.text);
    }
    expect(bodies.size).toBe(1);
    expect((await tried({}, `/v1/offers?X-API-Key=${key}`)).status).toBe(401);
    expect((await tried({ 'x-api-key': ` ${key} ` })).status).toBe(200);
  });

  it('without a scope gets a refusal that names the scope', async () => {
    const ownAccount = await server.addAccount('scopes');
    const reader = await server.addKey(ownAccount, { scopes: ['offers:read'] });
    const refused = await ask(server, reader, { path: '/v1/clients', body: { name: 'X' } });
    expect([refused.status, JSON.parse(refused.text).detail.missing_scope]).toEqual([403, 'clients:write']);
    const body = { ...HOME, w: 0.9 };
    const weighted = await ask(server, reader, { path: '/v1/offers/efficient', body });
    expect([weighted.status, codeOf(weighted)]).toEqual([403, 'weight_needs_commissions']);
  });
});

describe('the log of all this', () => {
  it('has no key, no body, no query and no bug', () => {
    const log = server.logLines.join('');
    expect(log).not.toContain(key);
    expect(log).not.toContain(key.slice(0, 20));
    expect(log).not.toMatch(/consumption_mwh|Asesoría|xxxxxxxx/);
    expect(server.logLines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error')).toEqual([]);
  });
});

function tiers(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    consumption_from: index,
    consumption_to: index + 1,
    commission: 1,
    commission_type: 'fixed',
  }));
}
