import { beforeEach, describe, expect, it } from 'vitest';
import { REVIEWED_ORDERS, reviewedOf } from '../../../test-fixtures/reviewed-fields.ts';
import { fillSample, GAS_BODY, HOUSEHOLD, LUZ_BODY, type Sample } from './sample.ts';
import { asRecord, createWorld, newClient, type World } from './world.ts';

let world: World;
let sample: Sample;

beforeEach(async () => {
  world = await createWorld();
  sample = await fillSample(world);
});

const LUZ_KEYS = REVIEWED_ORDERS.answer.LUZ.toSorted();
const GAS_KEYS = REVIEWED_ORDERS.answer.GAS.toSorted();
const HISTORY_KEYS = ['indexed_prices', 'indexed_prices_total'];

const keysOf = (value: unknown) => Object.keys(asRecord(value)).sort();
const resultsOf = (answer: Record<string, unknown>) => (Array.isArray(answer.results) ? answer.results : []);

describe('A-49: the offer record', () => {
  it('A-49: has exactly the keys of its supply type, in lists, details, comparisons and answers of creation', async () => {
    const gas = { ...GAS_BODY, company_id: sample.companyId };
    const luz = { ...LUZ_BODY, company_id: sample.companyId };
    expect(keysOf(await world.ask('createOffer', { body: luz }))).toEqual(LUZ_KEYS);
    expect(keysOf(await world.ask('createOffer', { body: gas }))).toEqual(GAS_KEYS);
    for (const [supply_type, keys] of [
      ['LUZ', LUZ_KEYS],
      ['GAS', GAS_KEYS],
    ] as const) {
      const results = resultsOf(await world.ask('listOffers', { query: { supply_type } }));
      expect(results.length).toBeGreaterThan(0);
      for (const offer of results) expect(keysOf(offer)).toEqual(keys);
    }
    const ids = [sample.luzId, sample.gasId].map(String);
    const [first, second] = resultsOf(await world.ask('compareOffers', { query: { ids } }));
    expect(keysOf(first)).toEqual([...LUZ_KEYS, ...HISTORY_KEYS].sort());
    expect(keysOf(second)).toEqual([...GAS_KEYS, ...HISTORY_KEYS].sort());
    expect(keysOf(await world.ask('getOffer', { params: { id: String(sample.gasId) } }))).toEqual(keysOf(second));
  });

  it('A-29, A-49: comes back as it was sent, with defaults for the rest', async () => {
    const body = {
      ...LUZ_BODY,
      company_id: sample.companyId,
      offer_name: '  Cafe\u0301 <b>Luz</b>  ',
      e1: -0,
      services_cost: 3.5,
      fee_power: 2,
      placas_solares: true,
      precio_excedentes: 0.06,
      ssaa_included: false,
      communities: ['navarra', 'aragon', 'navarra'],
      commission_tiers: [
        { consumption_from: 10, commission: 7, commission_type: 'per_mwh' },
        { consumption_from: 0, consumption_to: 10, commission: 5 },
      ],
    };
    const { id, created_at, updated_at, ...record } = await world.ask('createOffer', { body });
    expect(created_at).toBe(updated_at);
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Object.is(record.e1, 0)).toBe(true);
    const company = {
      id: sample.companyId,
      name: 'Comercializadora Uno',
      logo_url: null,
      client: { id: sample.clientId, name: 'Asesoría Uno', image_url: null },
    };
    const values = reviewedOf('LUZ').filter(({ wire }) => wire !== 'company_id');
    const defaults = Object.fromEntries(values.map(({ wire, initial }) => [wire, initial]));
    expect(record).toEqual({
      ...defaults,
      offer_name: 'Café <b>Luz</b>',
      supply_type: 'LUZ',
      tariff_type: '2.0TD',
      is_catalog: false,
      company,
      ...{ e1: 0, e2: 0.13, e3: 0.09, p1: 0.08, p2: 0.01 },
      fee_power: 2,
      placas_solares: true,
      precio_excedentes: 0.06,
      ssaa_included: false,
      services_cost: 3.5,
      commission: 50,
      commission_tiers: [
        { consumption_from: 0, consumption_to: 10, commission: 5, commission_type: 'fixed' },
        { consumption_from: 10, consumption_to: null, commission: 7, commission_type: 'per_mwh' },
      ],
      acepta_dni: true,
      territory_peninsula: true,
      communities: ['aragon', 'navarra'],
    });
    expect(await world.ask('getOffer', { params: { id: String(id) } })).toEqual({
      ...record,
      ...{ id, created_at, updated_at },
      indexed_prices: [],
      indexed_prices_total: 0,
    });
  });
});

describe('indexed prices', () => {
  it('A-12: creating a month is 201, replacing it 200, deleting it 204, the list is oldest first', async () => {
    const params = { id: String(sample.indexedId) };
    const upsert = (body: object) => world.call('upsertIndexedPrice', { params, body });
    const nulls = {
      e2: null,
      e3: null,
      e4: null,
      e5: null,
      e6: null,
      p1: null,
      p2: null,
      p3: null,
      p4: null,
      p5: null,
      p6: null,
    };
    const created = await upsert({ reference_month: '2025-10-31', e1: 0.3, e2: 0.2 });
    expect(created).toMatchObject({ status: 201, body: { reference_month: '2025-10-01', e1: 0.3, e2: 0.2 } });
    const replaced = await upsert({ reference_month: '2025-10', e1: 0.4 });
    expect(replaced).toEqual({
      status: 200,
      headers: { ETag: expect.any(String) },
      body: { reference_month: '2025-10-01', e1: 0.4, ...nulls },
    });
    const list = await world.ask('listIndexedPrices', { params });
    expect(list).toMatchObject({ total: 3, limit: 50, offset: 0 });
    expect(resultsOf(list).map((month) => month.reference_month)).toEqual(['2025-10-01', '2025-11-01', '2025-12-01']);
    const page = await world.ask('listIndexedPrices', { params, query: { limit: '1', offset: '1' } });
    expect(page).toMatchObject({ total: 3, limit: 1, offset: 1, results: [{ reference_month: '2025-11-01' }] });
    const deleted = await world.call('deleteIndexedPrice', { params: { ...params, month: '2025-11-30' } });
    expect(deleted).toEqual({ status: 204, headers: {}, body: undefined });
    expect(await world.ask('listIndexedPrices', { params })).toMatchObject({ total: 2 });
    const detail = await world.ask('getOffer', { params });
    expect(detail.indexed_prices).toEqual(resultsOf(await world.ask('listIndexedPrices', { params })));
  });
});

describe('the ranking answer', () => {
  it('A-11: shows each offer with its own prices and the origin of applied ones', async () => {
    const ranking = await world.ask('rankOffers', { body: HOUSEHOLD });
    expect(ranking).toMatchObject({ w: 0.5, dias: 365, meses: 12, total: 4, excluded_count: 1 });
    expect(ranking.excluded).toEqual([
      {
        offer_id: expect.any(Number),
        offer_name: 'Sin precio',
        company_name: 'Comercializadora Uno',
        is_catalog: false,
        motivo: 'Sin precio de energía en el periodo P2, en el que hay consumo',
        codigo: 'sin_precio_energia',
      },
    ]);
    const byId = new Map(resultsOf(ranking).map((result) => [result.offer.id, result]));
    expect(byId.get(sample.luzId).indexada).toBeNull();
    const indexed = byId.get(sample.indexedId);
    expect(indexed.offer).toMatchObject({ e1: 0.18, is_catalog: false });
    expect(indexed.indexada).toMatchObject({
      ...{ modo: 'media', meses_historico: 2, desde: '2025-11-01', hasta: '2025-12-01', mes: null },
      precios: { e2: 0.1, e3: -0.01, e4: null, p1: 0.08 },
    });
    expect(indexed.indexada.precios.e1).toBeCloseTo(0.15, 12);
    expect(byId.get(sample.catalogId).offer).toMatchObject({
      is_catalog: true,
      company: { id: sample.catalogCompanyId, name: 'Comercializadora Común', logo_url: null },
    });
    const monthly = await world.ask('rankOffers', { body: { ...HOUSEHOLD, mes: '2025-11' } });
    const applied = resultsOf(monthly).find((result) => result.offer.id === sample.indexedId).indexada;
    const none = { meses_historico: null, desde: null, hasta: null };
    expect(applied).toMatchObject({ modo: 'mes', ...none, mes: '2025-11-01', precios: { e1: 0.1 } });
  });

  it('A-03: rounds EUR to 6 decimals and notas to 4, and has no -0', async () => {
    const ranking = await world.ask('rankOffers', {
      body: { ...HOUSEHOLD, energia: { e1: 1 / 3 }, w: 0.3, excedentes: 5 },
    });
    const check = (value: unknown, decimals: number) => {
      if (typeof value !== 'number') throw new Error('a number was expected');
      expect(Math.abs(value * 10 ** decimals - Math.round(value * 10 ** decimals))).toBeLessThan(1e-6);
      expect(Object.is(value, -0)).toBe(false);
    };
    expect(resultsOf(ranking).length).toBeGreaterThan(2);
    for (const { cost, commission, nota, nota_precio, nota_comision } of resultsOf(ranking)) {
      for (const amount of [...Object.values(cost), ...Object.values(commission)]) check(amount, 6);
      for (const value of [nota, nota_precio, nota_comision]) check(value, 4);
    }
  });

  it('keeps its shape when nothing is ranked', async () => {
    const ranking = await world.ask('rankOffers', { body: { ...HOUSEHOLD, tariff_type: '6.4TD' } });
    expect(ranking).toEqual({
      ...{ w: 0.5, dias: 365, meses: 12, total: 0, excluded_count: 0, excluded: [] },
      ...{ mas_barata_id: null, mas_comision_id: null, mas_eficiente_id: null },
      escala: { coste_min: null, coste_max: null, comision_min: null, comision_max: null },
      umbrales: [],
      ...{ actual: null, avisos: [], conflicto: null },
      results: [],
    });
  });
});

it('A-16: calculator, recommendation and ranking agree', async () => {
  const params = { id: String(sample.luzId) };
  const query = { consumption_mwh: '3.5', power_kw: '4.6' };
  const calculated = await world.ask('calculateCommission', { params, query });
  expect(calculated).toEqual({
    offer_id: sample.luzId,
    consumption_mwh: 3.5,
    power_kw: 4.6,
    consumption_commission: {
      value: 42,
      commission_type: 'per_mwh',
      matched_tier: { consumption_from: 3, consumption_to: null },
    },
    power_commission: { value: 13.8, commission_type: 'per_kw', matched_tier: { power_from: 0, power_to: null } },
  });
  const recommended = resultsOf(await world.ask('recommendOffers', { query })).find(
    (result) => result.offer.id === sample.luzId,
  );
  expect(recommended).toMatchObject({
    consumption_commission: calculated.consumption_commission,
    power_commission: calculated.power_commission,
    total_commission: 55.8,
  });
  const ranked = resultsOf(await world.ask('rankOffers', { body: HOUSEHOLD })).find(
    (result) => result.offer.id === sample.luzId,
  );
  expect(ranked.commission).toEqual({ energia: 42, potencia: 13.8, total: 55.8 });
});

describe('firms and companies', () => {
  it('A-51: names are unique without case and outer space, per account and per firm, accents kept', async () => {
    for (const name of ['asesoría uno', ' ASESORÍA UNO ', 'Asesori\u0301a Uno']) {
      expect(await world.call('createClient', { body: { name } })).toMatchObject({
        status: 409,
        body: { detail: { code: 'duplicate_name' } },
      });
    }
    expect((await world.call('createClient', { body: { name: 'Asesoria Uno' } })).status).toBe(201);
    const company = (client_id: number) =>
      world.call('createCompany', { body: { client_id, name: 'comercializadora UNO' } });
    expect((await company(sample.clientId)).status).toBe(409);
    expect((await company(sample.otherClientId)).status).toBe(201);
    const stranger = await world.newAccount();
    expect(await newClient(world, 'Asesoría Uno', { key: await world.newKey(stranger.id) })).toBeGreaterThan(0);
  });

  it('A-51: of 20 equal names at once one is created', async () => {
    const answers = await atOnce(20, () => world.call('createClient', { body: { name: 'A la vez' } }));
    expect(countOf(answers)).toEqual({ 201: 1, 409: 19 });
    const companies = await atOnce(20, () =>
      world.call('createCompany', { body: { client_id: sample.clientId, name: 'A la vez' } }),
    );
    expect(countOf(companies)).toEqual({ 201: 1, 409: 19 });
  });

  it('A-39: 20 creations at once do not pass the limit of the plan', async () => {
    const { id } = await world.newAccount({ plan: 'starter', firmLimit: 5 });
    const key = await world.newKey(id);
    let count = 0;
    const answers = await atOnce(20, () => {
      count += 1;
      return world.call('createClient', { key, body: { name: `Asesoría ${count}` } });
    });
    expect(countOf(answers)).toEqual({ 201: 5, 403: 15 });
    expect(answers.find((answer) => answer.status === 403)?.body).toEqual({
      detail: { code: 'firm_limit_reached', message: 'the plan allows 5 active advisory firms' },
    });
    expect(await world.ask('listClients', { key })).toMatchObject({ total: 5 });
  });
});

function atOnce<T>(count: number, work: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, work));
}

function countOf(answers: readonly { readonly status: number }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
