import { filledWorld, GAS_BODY, HOUSEHOLD, LUZ_BODY, type Sample } from '@tarifario/testkit/api/sample';
import { callTool, contentOf } from '@tarifario/testkit/api/tool-calls';
import { asRecord, idOf, newClient, newCompany, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';
import { arrayOf } from './array-of.ts';

let world: World;
let sample: Sample;

/** The terms of offers of both supplies; `null`: not said. */
const SAID = {
  Doce: { permanencia_meses: 12, precio_fijo_meses: 12, energia_verde: true },
  Trece: { permanencia_meses: 13, precio_fijo_meses: 11, energia_verde: false },
  Calla: {},
} as const;

beforeEach(async () => {
  ({ world, sample } = await filledWorld());
  for (const [offer_name, terms] of Object.entries(SAID))
    for (const fields of [LUZ_BODY, GAS_BODY])
      await world.ask('createOffer', { body: { ...fields, company_id: sample.companyId, offer_name, ...terms } });
});

const namesIn = (answer: Readonly<Record<string, unknown>>) =>
  arrayOf(answer.results).map((result) => asRecord(asRecord(result).offer ?? result).offer_name);

/** The answer to a list of own offers, those of this file alone. */
async function listed(query: Readonly<Record<string, string>>) {
  const all = await world.ask('listOffers', { query: { limit: '200', ...query } });
  return { names: namesIn(all).filter((name) => String(name) in SAID), left: all.terminos_desconocidos };
}

describe('A-126: a list of offers', () => {
  it.each([
    [{ permanencia_max: '12' }, ['Doce']],
    [{ permanencia_max: '13' }, ['Doce', 'Trece']],
    [{ precio_fijo_min: '12' }, ['Doce']],
    [{ precio_fijo_min: '11' }, ['Doce', 'Trece']],
    [{ energia_verde: 'true' }, ['Doce']],
    [{ energia_verde: 'false' }, ['Trece']],
    [{ energia_verde: 'false', permanencia_max: '12' }, []],
  ])('with %j has %j, and the number of those that do not say it', async (query, names) => {
    for (const supply_type of ['LUZ', 'GAS']) {
      const plain = await world.ask('listOffers', { query: { supply_type, limit: '200' } });
      const answer = await listed({ supply_type, ...query });
      expect(answer.names).toEqual(names);
      expect(answer.left).toBe(namesIn(plain).length - 2);
    }
  });

  it('without such a filter has no number, and page by page the same one', async () => {
    expect(await world.ask('listOffers', { query: {} })).not.toHaveProperty('terminos_desconocidos');
    const query = { permanencia_max: '60', limit: '1' };
    const [first, second] = [
      await world.ask('listOffers', { query }),
      await world.ask('listOffers', { query: { ...query, offset: '1' } }),
    ];
    expect([first.total, namesIn(first), second.total, namesIn(second)]).toEqual([2, ['Doce'], 2, ['Trece']]);
    expect(first.terminos_desconocidos).toBe(second.terminos_desconocidos);
  });

  it('that is searched and ordered counts those that have the words', async () => {
    const query = { permanencia_max: '12', limit: '1' };
    for (const [q, names, left] of [
      ['calla', [], 1],
      ['doce', ['Doce'], 0],
    ] as const) {
      for (const order of [{}, { sort: 'offer_name' }]) {
        const answer = await world.ask('listOffers', { query: { ...query, ...order, q } });
        expect([namesIn(answer), answer.total, answer.terminos_desconocidos]).toEqual([names, names.length, left]);
      }
    }
    const plain = await world.ask('listOffers', { query: { q: 'calla', sort: 'offer_name' } });
    expect(plain).not.toHaveProperty('terminos_desconocidos');
  });

  it('of another account has none of these offers, and does not count them', async () => {
    const other = await world.newAccount();
    const key = await world.newKey(other.id);
    const answer = await world.ask('listOffers', { key, query: { permanencia_max: '60' } });
    expect(answer).toMatchObject({ total: 0, terminos_desconocidos: 0, results: [] });
  });

  it.each([
    ['permanencia_max', '61'],
    ['permanencia_max', '-1'],
    ['permanencia_max', '1.5'],
    ['permanencia_max', ''],
    ['precio_fijo_min', '0'],
    ['precio_fijo_min', '121'],
    ['energia_verde', 'si'],
  ])('with %s %j is refused and names it', async (path, value) => {
    for (const operation of ['listOffers', 'listCatalogOffers', 'exportOffers', 'recommendOffers'] as const) {
      const query = { consumption_mwh: '3', [path]: value };
      const { consumption_mwh: _, ...others } = query;
      const refused = await world.call(operation, { query: operation === 'recommendOffers' ? query : others });
      expect(refused.status).toBe(400);
      expect(JSON.stringify(refused.body)).toContain(`"${path}"`);
    }
  });
});

it('A-126: the list of the catalog filters by terms and counts those that do not say them', async () => {
  const all = await world.ask('listCatalogOffers', { query: { limit: '200' } });
  const none = await world.ask('listCatalogOffers', { query: { limit: '200', permanencia_max: '12' } });
  const saying = arrayOf(all.results).filter((offer) => asRecord(offer).permanencia_meses !== null);
  expect(none.terminos_desconocidos).toBe(Number(all.total) - saying.length);
  expect(Number(all.total)).toBeGreaterThan(0);
});

it('A-126: the export has the rows of the list, and the number of those that are left out in a header', async () => {
  const { headers, body } = await world.call('exportOffers', { query: { permanencia_max: '12' } });
  expect(headers).toMatchObject({ 'X-Total-Count': '2' });
  const plain = await world.call('exportOffers', { query: {} });
  expect(plain.headers).not.toHaveProperty('X-Unknown-Terms-Count');
  // Both supplies: one offer that says twelve, and one that says thirteen, of each.
  expect(headers['X-Unknown-Terms-Count']).toBe(String(Number(plain.headers['X-Total-Count']) - 4));
  expect(String(body)).toContain('"Doce"');
  expect(String(body)).not.toMatch(/"Trece"|"Calla"/);
});

it('A-126: rankings, portfolios and tools name the offers that do not say a term', async () => {
  const body = { ...HOUSEHOLD, permanencia_max: 12, energia_verde: true };
  const ranking = await world.ask('rankOffers', { body });
  expect(namesIn(ranking)).toEqual(['Doce']);
  const [warning] = arrayOf(ranking.avisos)
    .map(asRecord)
    .filter(({ codigo }) => codigo === 'terminos_desconocidos');
  const left = await world.ask('listOffers', { query: { permanencia_max: '12', energia_verde: 'true' } });
  expect(Number(warning?.total)).toBeGreaterThanOrEqual(Number(left.terminos_desconocidos));
  expect(Number(left.terminos_desconocidos)).toBeGreaterThan(0);
  const { results } = await world.ask('rankPortfolio', { body: { customers: [{ ref: 'a', ...body }] } });
  expect(asRecord(arrayOf(results)[0]).avisos).toContain('terminos_desconocidos');
  const { result } = await callTool(world, 'list_offers', { permanencia_max: 12, energia_verde: true });
  expect(contentOf(result)).toMatchObject({ total: 1, terminos_desconocidos: left.terminos_desconocidos });
});

it('A-126: a key without commissions gets the same names and numbers', async () => {
  const key = await world.newKey(world.account.id, { scopes: ['offers:read'] });
  const query = { permanencia_max: '12', limit: '200' };
  const [seen, masked] = [await world.ask('listOffers', { query }), await world.ask('listOffers', { key, query })];
  expect([masked.total, masked.terminos_desconocidos, namesIn(masked)]).toEqual([
    ...[seen.total, seen.terminos_desconocidos],
    namesIn(seen),
  ]);
});

it('A-126: a firm counts its own offers alone', async () => {
  const clientId = await newClient(world, 'Otra');
  const company_id = await newCompany(world, clientId, 'De otra');
  idOf(await world.ask('createOffer', { body: { ...LUZ_BODY, company_id, offer_name: 'Calla' } }));
  const answer = await world.ask('listOffers', { query: { client_id: String(clientId), permanencia_max: '12' } });
  expect(answer).toMatchObject({ total: 0, terminos_desconocidos: 1 });
});
