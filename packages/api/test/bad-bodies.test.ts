import { filledWorld, GAS_BODY, HOUSEHOLD, LUZ_BODY, type Sample } from '@tarifario/testkit/api/sample';
import { asRecord, type CallInput, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';
import { against, malformed, refusalOf } from './refusals.ts';

let world: World;
let sample: Sample;
let calls: Readonly<Record<string, CallInput>>;

beforeEach(async () => {
  ({ world, sample, calls } = await filledWorld());
});

const refusal = (id: string, input: CallInput) => refusalOf(world, id, input);

const bodyOf = (id: string) => asRecord(calls[id]?.body);
const withBody = (id: string, changes: object): CallInput => ({ ...calls[id], body: { ...bodyOf(id), ...changes } });

/** The household in two parts. */
const PROFILED = {
  perfil: [
    { mes: 1, dias: 31, energia: { e1: 1000, e2: 800, e3: 1400 }, excedentes: 3 },
    { mes: 2, dias: 28, energia: { e1: 200, e2: 100 }, excedentes: 4 },
  ],
};
const GAS_PROFILED = {
  supply_type: 'GAS',
  energia: undefined,
  potencia: undefined,
  perfil: [
    { mes: 1, dias: 31, consumo_gas: 0.1 },
    { dias: 28, consumo_gas: 0.2 },
  ],
};

describe('rankOffers', () => {
  const rank = (changes: object) => refusal('rankOffers', { body: { ...HOUSEHOLD, ...changes } });

  it.each<[string, object]>([
    ['w', { w: '1' }],
    ['w', { w: null }],
    ['energia.e1', { energia: JSON.parse('{"e1": 1e999}') }],
    ['potencia.e1', { potencia: { e1: 1 } }],
    ['excedentes', { excedentes: -1 }],
    ['perfil', { perfil: [] }],
    ['perfil', { perfil: Array.from({ length: 37 }, () => ({ dias: 1, energia: {} })) }],
    ['perfil', { energia: undefined, perfil: [{ dias: 600, energia: {} }, ...[{ dias: 501, energia: {} }]] }],
    ['perfil', { energia: undefined, perfil: [1, 2].map(() => ({ dias: 1, energia: { e1: 6e8 } })) }],
    ['perfil.0.dias', { perfil: [{ energia: {} }] }],
    ['perfil.0.mes', { energia: undefined, perfil: [{ mes: 13, dias: 1, energia: {} }] }],
    ['perfil.0.mes', { perfil: [{ mes: '2025-01', dias: 1, energia: {} }] }],
    ['perfil.1.energia', { energia: undefined, perfil: [{ dias: 1, energia: { e1: 1 } }, { dias: 1 }] }],
    ['perfil.0.energia.e1', { energia: undefined, perfil: [{ dias: 1, energia: { e1: -1 } }] }],
    ['perfil.0.limit', { energia: undefined, perfil: [{ dias: 1, energia: {}, limit: 1 }] }],
    ['meses', { ...PROFILED, meses: 2 }],
    ['mes', { ...PROFILED, mes: '2025-11' }],
    ['dias', { ...PROFILED, dias: 58 }],
    ['energia.e2', { ...PROFILED, energia: { e1: 1200, e2: 900.000_002, e3: 1400 } }],
    ['energia.e3', { ...PROFILED, energia: { e1: 1200, e2: 900 } }],
    ['excedentes', { ...PROFILED, excedentes: 0 }],
    ['consumo_gas', { ...GAS_PROFILED, consumo_gas: 100.1 }],
    ['perfil.0.consumo_gas', { ...GAS_PROFILED, perfil: [{ dias: 1, energia: { e1: 1 } }] }],
    ['company_id', { company_id: 0 }],
    ['company_name', { company_name: 'x'.repeat(2000) }],
  ])('refuses a malformed %s: %j', async (path, changes) => {
    expect(await rank(changes)).toMatchObject(malformed(path));
  });

  it('A-81: accepts sums beside a profile that agree with it to the precision of doubles, or no sums', async () => {
    const sums = [
      PROFILED,
      { ...PROFILED, dias: 59, excedentes: 7 },
      { ...PROFILED, energia: undefined },
      { ...PROFILED, energia: { ...HOUSEHOLD.energia, e2: 900.000_000_9 } },
      { ...GAS_PROFILED, consumo_gas: 0.1 + 0.2 },
      GAS_PROFILED,
    ];
    for (const changes of sums) {
      const { status, body } = await world.call('rankOffers', { body: { ...HOUSEHOLD, ...changes } });
      expect({ status, dias: asRecord(body).dias }, JSON.stringify(changes)).toEqual({ status: 200, dias: 59 });
    }
  });

  it('A-50: refuses a profile that consumes and contracts nothing', async () => {
    const nothing = { energia: undefined, perfil: [{ dias: 1, energia: {} }] };
    expect(await rank({ ...nothing, potencia: undefined })).toMatchObject(malformed('energia'));
    expect((await world.call('rankOffers', { body: { ...HOUSEHOLD, ...nothing } })).status).toBe(200);
    expect(await rank({ ...GAS_PROFILED, perfil: [{ dias: 1, consumo_gas: 0 }] })).toMatchObject(
      malformed('consumo_gas'),
    );
  });

  it('A-81: refuses fields of the other supply in entries with 422, each by name', async () => {
    const mixed = [{ dias: 1, energia: { e1: 1 }, excedentes: 0, consumo_gas: 1 }];
    expect(await rank({ energia: undefined, perfil: mixed })).toMatchObject(against('perfil.0.consumo_gas'));
    const gas = await rank({ ...GAS_PROFILED, perfil: mixed });
    expect(gas).toMatchObject(against('perfil.0.energia', 'perfil.0.excedentes'));
  });

  it('A-32: refuses fields of the other supply with 422, all at once', async () => {
    const body = {
      ...HOUSEHOLD,
      supply_type: 'GAS',
      consumo_gas: 1,
      excedentes: 0,
      ssaa_included: false,
      fee_potencia: 1,
    };
    const paths = ['energia', 'potencia', 'excedentes', 'ssaa_included', 'fee_potencia'];
    expect(await refusal('rankOffers', { body })).toMatchObject(against(...paths));
    expect(await rank({ consumo_gas: 1 })).toMatchObject(against('consumo_gas'));
  });
});

describe('createOffer', () => {
  const create = (changes: object, body: object = LUZ_BODY) =>
    refusal('createOffer', { body: { ...body, company_id: sample.companyId, ...changes } });
  const tier = { consumption_from: 0, consumption_to: null, commission: 1, commission_type: 'fixed' };

  // Each rule has a test in core; here one of each way in which a field of core is named on the wire.
  it.each<[string, object]>([
    ['territory_peninsula', { territory_peninsula: false }],
    ['precio_excedentes', { precio_excedentes: 0.05 }],
    ['e2', { e2: 10.01 }],
    ['offer_name', { offer_name: 'a\u200bb' }],
    ['gas_energy', { gas_energy: 0 }],
    ['commission_type', { commission_type: 'percent' }],
    ['commission_tiers.1.consumption_from', { commission_tiers: [tier, { ...tier, consumption_from: 3 }] }],
    ['commission_tiers.0.commission_type', { commission_tiers: [{ ...tier, commission_type: 'per_kw' }] }],
    [
      'commission_tiers',
      { commission_tiers: Array.from({ length: 51 }, (_, i) => ({ ...tier, consumption_from: i })) },
    ],
    ['commission_power_tiers.0.power_from', { commission_power_tiers: [{ power_from: -1, commission: 1 }] }],
  ])('A-04, A-28: refuses with 422: %s', async (path, changes) => {
    expect(await create(changes)).toMatchObject(against(path));
  });

  it.each<[string, object]>([
    ['e1', { e1: '0.1' }],
    ['e1', { e1: JSON.parse('1e999') }],
    ['commission', { commission: null }],
    ['is_active', { is_active: 1 }],
    ['acepta_dni', { acepta_dni: null }],
    ['communities.0', { communities: ['Madrid'] }],
    ['communities', { communities: 'madrid' }],
    ['supply_type', { supply_type: 'AGUA' }],
    ['placas_solares', { placas_solares: null }],
    ['commission_power_tiers', { commission_power_tiers: null }],
    ['commission_tiers.0.consumption_from', { commission_tiers: [{ commission: 1 }] }],
    ['commission_tiers.0.power_from', { commission_tiers: [{ ...tier, power_from: 1 }] }],
    ['company_id', { company_id: '1' }],
    ['company_id', { company_id: 1.5 }],
  ])('A-28: refuses with 400: %s', async (path, changes) => {
    expect(await create(changes)).toMatchObject(malformed(path));
  });

  it('A-49: requires company, name, supply and tariff', async () => {
    expect(await refusal('createOffer', { body: {} })).toMatchObject({
      ...malformed('company_id', 'offer_name', 'supply_type', 'tariff_type'),
      errors: Array.from({ length: 4 }, () => ({ error: 'is required' })),
    });
  });

  it('A-49: refuses fields of electricity on gas and ignores those that are null', async () => {
    const wrong = { e1: 0.1, p1: 0, fee_power: 1, placas_solares: true, precio_excedentes: 1, ssaa_included: true };
    const paths = ['e1', 'p1', 'fee_power', 'placas_solares', 'precio_excedentes', 'ssaa_included'];
    expect(await create(wrong, GAS_BODY)).toMatchObject(against(...paths));
    const nothing = {
      e1: null,
      placas_solares: false,
      ssaa_included: null,
      commission_power_tiers: [],
      fee_power: null,
    };
    const body = { ...GAS_BODY, ...nothing, company_id: sample.companyId };
    expect((await world.call('createOffer', { body })).status).toBe(201);
  });

  it('reports broken rules of several fields at once, and stores nothing', async () => {
    const before = await world.ask('listOffers', { query: { include_inactive: 'true' } });
    const { paths } = await create({ offer_name: '', e1: -1, acepta_dni: false, territory_peninsula: false });
    expect(paths).toEqual(['offer_name', 'e1', 'territory_peninsula', 'acepta_dni']);
    expect(await world.ask('listOffers', { query: { include_inactive: 'true' } })).toEqual(before);
  });
});

describe('indexed prices', () => {
  it('A-12: refuses months that do not exist, in body and path', async () => {
    for (const month of ['2025-02-30', '2025-13', '2025', '', '2025-1', '25-01-01', '2025-01-01T00:00:00Z']) {
      const body = { reference_month: month };
      expect(await refusal('upsertIndexedPrice', { ...calls.upsertIndexedPrice, body })).toMatchObject(
        malformed('reference_month'),
      );
      const params = { id: String(sample.indexedId), month };
      expect(await refusal('deleteIndexedPrice', { params })).toMatchObject(malformed('month'));
    }
  });

  it('A-12: refuses months out of bounds, and months of an offer that is not indexed', async () => {
    const upsert = (id: number, body: object) =>
      refusal('upsertIndexedPrice', { params: { id: String(id) }, body: { reference_month: '2026-01', ...body } });
    expect(await upsert(sample.indexedId, { e1: -10.01, p1: -0.01 })).toMatchObject(against('e1', 'p1'));
    expect(await upsert(sample.indexedId, { e1: 0.1, gas_energy: 1 })).toMatchObject(against('gas_energy'));
    expect(await upsert(sample.luzId, { e1: 0.1 })).toMatchObject(against('reference_month'));
    for (const nothing of [{}, { e1: null, p6: null }]) {
      expect(await upsert(sample.indexedId, nothing)).toEqual({
        ...against('reference_month'),
        errors: [{ path: 'reference_month', error: 'needs at least one price' }],
      });
    }
    const params = { id: String(sample.indexedId) };
    const body = { reference_month: '2026-01', e1: -10, p1: 1 };
    expect((await world.call('upsertIndexedPrice', { params, body })).status).toBe(201);
  });

  it('answers 404 for a month that is not stored', async () => {
    const params = { id: String(sample.indexedId), month: '1999-01' };
    expect(await refusal('deleteIndexedPrice', { params })).toMatchObject({ status: 404 });
  });
});

describe('names and addresses', () => {
  it.each([
    ['createClient', 'image_url'],
    ['createCompany', 'logo_url'],
  ])('%s takes https addresses in %s', async (id, field) => {
    for (const url of [
      'http://example.com/a.png',
      'https://u:p@example.com/',
      'javascript:alert(1)',
      '',
      `https://example.com/${'x'.repeat(2048)}`,
    ]) {
      expect(await refusal(id, withBody(id, { [field]: url })), url).toMatchObject(against(field));
    }
    expect(await refusal(id, withBody(id, { name: 'x'.repeat(2000) }))).toMatchObject(against('name'));
    const input = withBody(id, { [field]: 'https://example.com/logo.png' });
    expect(await world.ask(id, input)).toMatchObject({ [field]: 'https://example.com/logo.png' });
  });
});
