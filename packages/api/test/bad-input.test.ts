import { FILE_CAPS, type Store } from '@tarifario/core/service';
import { createMemoryStore } from '@tarifario/core/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../src/index.ts';
import { fillSample, GAS_BODY, goodCalls, HOUSEHOLD, LUZ_BODY, type Sample } from './sample.ts';
import { fakeFile } from './workbooks.ts';
import { asRecord, type CallInput, createWorld, type SentFormParts, type World } from './world.ts';

let world: World;
let sample: Sample;
let calls: Readonly<Record<string, CallInput>>;

// What is refused changes nothing.
beforeAll(async () => {
  world = await createWorld();
  sample = await fillSample(world);
  calls = goodCalls(sample);
});

async function refusal(id: string, input: CallInput) {
  const { status, body } = await world.call(id, input);
  const { detail } = asRecord(body);
  const { code, message, errors, ...rest } = asRecord(detail);
  expect(Object.keys(asRecord(body))).toEqual(['detail']);
  expect(rest).toEqual({});
  expect(typeof message).toBe('string');
  const entries = Array.isArray(errors) ? errors.map((entry) => asRecord(entry)) : [];
  return { status, code, paths: entries.map((entry) => entry.path), errors: entries };
}

const queryOf = (id: string) => asRecord(calls[id]?.query ?? {});
const bodyOf = (id: string) => asRecord(calls[id]?.body);
const withBody = (id: string, changes: object): CallInput => ({ ...calls[id], body: { ...bodyOf(id), ...changes } });
const malformed = (...paths: string[]) => ({ status: 400, code: 'invalid_request', paths });
const against = (...paths: string[]) => ({ status: 422, code: 'business_rule', paths });

const all = operations.map((operation) => operation.id);
const withBodies = operations.filter(({ input }) => input.sentAs.includes('json')).map((operation) => operation.id);
const withFiles = operations.filter(({ input }) => input.sentAs.includes('multipart')).map((operation) => operation.id);

describe.each(all)('%s', (id) => {
  it('A-28: refuses unknown query parameters, hostile names included', async () => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(queryOf(id))) {
      for (const text of [value].flat()) query.append(name, String(text));
    }
    for (const name of ['x', '__proto__', 'constructor', 'toString', 'limit[]', '']) {
      const input = { ...calls[id], query: `${query}&${encodeURIComponent(name)}=1` };
      expect(await refusal(id, input)).toMatchObject({ status: 400, paths: [name] });
    }
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });

  it('A-28: refuses a scalar parameter that is sent twice, equal or not', async () => {
    for (const texts of [
      ['1', '1'],
      ['1', '2'],
    ]) {
      const input = { ...calls[id], query: asQuery({ ...queryOf(id), client_id: texts }) };
      expect(await refusal(id, input)).toMatchObject(malformed('client_id'));
    }
  });

  it.each(['', '0', '-1', '+1', ' 1', '1 ', '1.0', '0x10', '1e3', '01', '１', 'abc', 'true', 'NaN', 'Infinity'])(
    'refuses the client_id "%s"',
    async (text) => {
      const input = { ...calls[id], query: asQuery({ ...queryOf(id), client_id: text }) };
      expect(await refusal(id, input)).toMatchObject(malformed('client_id'));
    },
  );
});

function asQuery(query: Record<string, unknown>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  );
}

describe.each(withBodies)('%s', (id) => {
  it.each([undefined, null, [], 'text', 1, true])('refuses the body %j', async (body) => {
    expect(await refusal(id, { ...calls[id], body })).toMatchObject(malformed(''));
  });

  it('refuses unknown fields, prototypes included', async () => {
    for (const name of ['x', '__proto__', 'constructor', 'id', 'created_at', 'is_catalog']) {
      const body: unknown = JSON.parse(`{${JSON.stringify(name)}: {"polluted": true}}`);
      const merged = Object.fromEntries([...Object.entries(bodyOf(id)), ...Object.entries(asRecord(body))]);
      expect(await refusal(id, { ...calls[id], body: merged })).toMatchObject(malformed(name));
    }
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('A-28: refuses every field of a wrong type', async () => {
    for (const field of Object.keys(bodyOf(id))) {
      const { status, paths } = await refusal(id, withBody(id, { [field]: { wrong: 'type' } }));
      expect(status, field).toBe(400);
      expect(String(paths[0]), field).toMatch(new RegExp(`^${field}`));
    }
  });

  it('accepts or refuses 50 000 levels of nesting without a crash', async () => {
    const text = '[]'.replace('[]', `${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    const [field] = Object.keys(bodyOf(id));
    const body = withBody(id, { [field ?? 'x']: JSON.parse(text) });
    expect((await refusal(id, body)).status).toBe(400);
    expect(world.bugs).toEqual([]);
  });
});

it.each(withBodies.filter((id) => /^update(?!Account)/.test(id)))(
  'A-30: %s refuses a body without fields',
  async (id) => {
    const error = 'must name at least one field';
    expect(await refusal(id, { ...calls[id], body: {} })).toMatchObject({ status: 400, errors: [{ path: '', error }] });
  },
);

describe.each(withFiles)('%s with a form', (id) => {
  const bytes = fakeFile({ borrar: [['offer_id']] });
  // What the sample says is not there yet while tests are named.
  const query = () => asQuery(queryOf(id));
  const withForm = (fields: SentFormParts['fields'] = {}): CallInput => ({ query: query(), form: { fields, bytes } });

  it('refuses unknown fields, hostile names included', async () => {
    for (const name of ['x', '__proto__', 'constructor', 'file[0]', 'file.name', '']) {
      const fields = Object.fromEntries([[name, '1']]);
      expect(await refusal(id, withForm(fields))).toMatchObject({
        status: 400,
        code: 'invalid_request',
        paths: [name],
      });
    }
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });

  it('refuses JSON that looks like a form', async () => {
    for (const file of [null, 'ofertas.xlsx', [80, 75], { name: 'x', bytes: [80, 75] }, { bytes: 'PK' }]) {
      const { status, paths } = await refusal(id, { body: { fields: [], file } });
      expect([status, paths]).toEqual([400, expect.arrayContaining(['file'])]);
    }
  });

  it('refuses an unknown field beside a large file without searching its bytes', async () => {
    // Looked at one by one as values of a list, they would take seconds and gigabytes.
    const bytes = new Uint8Array(FILE_CAPS.sentBytes);
    expect(await refusal(id, { query: query(), form: { fields: { x: '1' }, bytes } })).toMatchObject(malformed('x'));
  });
});

it('createUpload refuses a form with unknown fields', async () => {
  const bytes = fakeFile({});
  for (const [fields, path] of [
    [{ client_id: 'uno' }, 'client_id'],
    [{ client_id: '0' }, 'client_id'],
    [{ client_id: ['1', '1'] }, 'client_id'],
    [{ kind: 'file' }, 'kind'],
    [{ kind: '' }, 'kind'],
    [{ kind: ['offers_bulk_update', 'offers_bulk_update'] }, 'kind'],
    [{ file_name: 'ofertas.xlsx' }, 'file_name'],
  ] as const) {
    expect(await refusal('createUpload', { form: { fields, bytes } })).toMatchObject(malformed(path));
  }
});

it('dry_run is true or false', async () => {
  const form = { bytes: fakeFile({}) };
  for (const id of ['bulkUpdateOffers', 'bulkUpdateCatalogOffers']) {
    for (const dry_run of ['', '1', 'TRUE', 'yes']) {
      expect(await refusal(id, { form, query: { dry_run } })).toMatchObject(malformed('dry_run'));
    }
  }
});

describe('query values', () => {
  const badWhole = ['', '0x10', '+1', ' 1', '1e3', '１', '1.0', '01', '-0', 'null', '1,0', '9'.repeat(400)];
  it.each(badWhole)('A-28: limit and offset refuse "%s"', async (text) => {
    for (const id of ['listOffers', 'listClients', 'listCompanies', 'listIndexedPrices', 'recommendOffers']) {
      for (const name of ['limit', 'offset']) {
        const input = { ...calls[id], query: asQuery({ ...queryOf(id), [name]: text }) };
        expect(await refusal(id, input), id).toMatchObject(malformed(name));
      }
    }
  });

  it('A-29: keeps limit between 1 and 200 and offset between 0 and 1 000 000', async () => {
    for (const [name, good, bad] of [
      ['limit', ['1', '200'], ['0', '201', '-1']],
      ['offset', ['0', '1000000'], ['-1', '1000001']],
    ] as const) {
      for (const text of good) expect((await world.call('listOffers', { query: { [name]: text } })).status).toBe(200);
      for (const text of bad)
        expect(await refusal('listOffers', { query: { [name]: text } })).toMatchObject(malformed(name));
    }
  });

  it.each(['', 'TRUE', 'True', '1', '0', 'yes', 'si', ' true', 'false '])(
    'A-29: booleans refuse "%s"',
    async (text) => {
      const input = { query: { include_inactive: text, placas_solares: text } };
      expect((await refusal('listOffers', input)).paths.sort()).toEqual(['include_inactive', 'placas_solares']);
    },
  );

  it.each(['', '-1', '+1', '1e3', '0x1', '.5', '5.', '00', '1,5', 'NaN', 'Infinity', '9'.repeat(400), '10000000001'])(
    'refuses the consumption "%s"',
    async (text) => {
      for (const id of ['recommendOffers', 'calculateCommission']) {
        const input = { ...calls[id], query: { consumption_mwh: text } };
        expect(await refusal(id, input)).toMatchObject(malformed('consumption_mwh'));
      }
    },
  );

  it('A-33: consumption is required and may be 0', async () => {
    for (const id of ['recommendOffers', 'calculateCommission']) {
      expect(await refusal(id, { ...calls[id], query: {} })).toMatchObject({
        ...malformed('consumption_mwh'),
        errors: [{ error: 'is required' }],
      });
      expect((await world.call(id, { ...calls[id], query: { consumption_mwh: '0', power_kw: '0' } })).status).toBe(200);
    }
  });

  it.each([
    ['supply_type', 'luz'],
    ['territory', 'peninsula '],
    ['community', 'Madrid'],
    ['client_type', 'DNI'],
    ['tariff_type', ''],
    ['tariff_type', 'x'.repeat(33)],
    ['company_name', ''],
    ['company_name', ' '],
    ['company_name', 'x'.repeat(201)],
    ['company_name', '\u202e'],
    ['company_id', 'uno'],
  ])('refuses %s "%s" as a filter', async (name, text) => {
    expect(await refusal('listOffers', { query: { [name]: text } })).toMatchObject(malformed(name));
  });

  it('A-33: compares 2 to 10 distinct ids', async () => {
    const ids = (...texts: string[]) => refusal('compareOffers', { query: { ids: texts } });
    expect(await refusal('compareOffers', {})).toMatchObject(malformed('ids'));
    expect(await ids('1')).toMatchObject(malformed('ids'));
    expect(await ids(...Array.from({ length: 11 }, (_, index) => String(index + 1)))).toMatchObject(malformed('ids'));
    expect(await ids('1', '2', '1')).toMatchObject(malformed('ids'));
    expect(await ids('1', '01')).toMatchObject(malformed('ids.1'));
    expect(await ids('1,2', '3')).toMatchObject(malformed('ids.0'));
  });

  it('A-15: power with gas is refused in a recommendation, and ignored in the calculator', async () => {
    const query = { consumption_mwh: '5', power_kw: '4', supply_type: 'GAS' };
    expect(await refusal('recommendOffers', { query })).toMatchObject(against('power_kw'));
    const params = { id: String(sample.gasId) };
    const answer = await world.ask('calculateCommission', { params, query: { consumption_mwh: '5', power_kw: '4' } });
    const nothing = { value: 0, commission_type: null, matched_tier: null };
    expect(answer).toMatchObject({ power_kw: null, power_commission: nothing });
  });
});

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
    ['w', { w: 1.0001 }],
    ['w', { w: -0.0001 }],
    ['w', { w: '1' }],
    ['w', { w: null }],
    ['energia.e1', { energia: { e1: -1 } }],
    ['energia.e1', { energia: { e1: 1e9 + 1 } }],
    ['energia.e1', { energia: JSON.parse('{"e1": 1e999}') }],
    ['energia.e7', { energia: { e7: 1 } }],
    ['potencia.p1', { potencia: { p1: 1e6 + 1 } }],
    ['potencia.e1', { potencia: { e1: 1 } }],
    ['excedentes', { excedentes: -1 }],
    ['dias', { dias: 0 }],
    ['dias', { dias: 1101 }],
    ['dias', { dias: 30.5 }],
    ['meses', { meses: 37 }],
    ['mes', { mes: '2025-02-30' }],
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
    ['fee_energia', { fee_energia: 0.999 }],
    ['fee_potencia', { fee_potencia: 30.001 }],
    ['limit', { limit: 201 }],
    ['company_id', { company_id: 0 }],
    ['company_name', { company_name: 'x'.repeat(2000) }],
    ['ssaa_included', { ssaa_included: 'true' }],
    ['supply_type', { supply_type: 'luz' }],
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

  it('A-50: refuses a question that consumes and contracts nothing', async () => {
    expect(await refusal('rankOffers', { body: { supply_type: 'LUZ' } })).toMatchObject(malformed('energia'));
    expect(await rank({ energia: { e1: 0 }, potencia: { p1: 0 } })).toMatchObject(malformed('energia'));
    for (const consumo_gas of [undefined, 0]) {
      const body = { supply_type: 'GAS', consumo_gas };
      expect(await refusal('rankOffers', { body })).toMatchObject(malformed('consumo_gas'));
    }
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

  it.each<[string, object]>([
    ['territory_peninsula', { territory_peninsula: false }],
    ['acepta_dni', { acepta_dni: false }],
    ['precio_excedentes', { precio_excedentes: 0.05 }],
    ['e2', { e2: 10.01 }],
    ['p1', { p1: 1.01 }],
    ['services_cost', { services_cost: -1 }],
    ['commission', { commission: 1_000_001 }],
    ['commission_type', { commission_type: 'percent' }],
    ['offer_name', { offer_name: 'x'.repeat(2000) }],
    ['offer_name', { offer_name: '   ' }],
    ['offer_name', { offer_name: 'a\u200bb' }],
    ['offer_name', { offer_name: '\ud800' }],
    ['tariff_type', { tariff_type: 'x'.repeat(33) }],
    ['gas_energy', { gas_energy: 0 }],
    ['commission_tiers.0.consumption_to', { commission_tiers: [{ ...tier, consumption_from: 5, consumption_to: 5 }] }],
    ['commission_tiers.1.consumption_from', { commission_tiers: [tier, { ...tier, consumption_from: 3 }] }],
    ['commission_tiers.0.commission', { commission_tiers: [{ ...tier, commission: -1 }] }],
    ['commission_tiers.0.commission_type', { commission_tiers: [{ ...tier, commission_type: 'per_kw' }] }],
    [
      'commission_tiers',
      {
        commission_tiers: Array.from({ length: 51 }, (_, i) => ({
          ...tier,
          consumption_from: i,
          consumption_to: i + 1,
        })),
      },
    ],
    [
      'commission_power_tiers.0.power_from',
      { commission_power_tiers: [{ power_from: -1, power_to: 2, commission: 1 }] },
    ],
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

describe('A-27: errors', () => {
  it('lists at most 100 findings', async () => {
    const body = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`campo${index}`, 1]));
    const { errors } = await refusal('createClient', { body: { name: 'X', ...body } });
    expect(errors).toHaveLength(100);
  });

  it('repeats no more than 60 characters of the input', async () => {
    const long = 'ñ'.repeat(5000);
    const input = { query: `${long}=1`, body: { name: 'X', [long]: 1, [`\ud83d\ude00${long}`]: 1, '\ud800': 1 } };
    const { errors } = await refusal('createClient', input);
    expect(errors).toHaveLength(4);
    for (const { path, error } of errors) {
      expect([...String(path)].length).toBeLessThanOrEqual(60);
      expect(String(path).isWellFormed()).toBe(true);
      expect(error).toMatch(/^unknown (field|query parameter)$/);
    }
  });

  it('asks for a whole number where one is needed, and for a finite one elsewhere', async () => {
    const wordsOf = async (id: string, input: CallInput) =>
      Object.fromEntries((await refusal(id, input)).errors.map(({ path, error }) => [path, error]));
    const whole = 'must be a whole number';
    const query = { limit: 'x', offset: '1.5', client_id: 'abc' };
    expect(await wordsOf('listOffers', { query })).toEqual({ limit: whole, offset: whole, client_id: whole });
    const question = { ...HOUSEHOLD, limit: '1', dias: 1.5, company_id: true, w: '1', energia: { e1: '1' } };
    const finite = 'must be a finite number';
    expect(await wordsOf('rankOffers', { body: question })).toEqual({
      limit: whole,
      dias: whole,
      company_id: whole,
      w: finite,
      'energia.e1': finite,
    });
    const patch = { offer_ids: [1, 'x'], updates: { company_id: '1', e1: '1' } };
    const { 'offer_ids.1': inList, 'updates.e1': price } = await wordsOf('bulkPatchOffers', { body: patch });
    expect([inList, price]).toEqual([whole, finite]);
  });

  it('uses the singular for one entry', async () => {
    const { errors } = await refusal('bulkPatchOffers', { body: { offer_ids: [], updates: { e1: 1 } } });
    expect(errors).toEqual([{ path: 'offer_ids', error: 'must have at least 1 entry' }]);
    const { errors: ofMany } = await refusal('compareOffers', { query: { ids: ['1'] } });
    expect(ofMany).toEqual([{ path: 'ids', error: 'must have at least 2 entries' }]);
  });

  it('A-27: never contains the words of a library', async () => {
    const answers = await Promise.all([
      world.call('rankOffers', {
        body: { supply_type: 'X', energia: 'x', w: 2, limit: '1', mes: 5, dias: 1.5, ssaa_included: 3 },
      }),
      world.call('listOffers', { query: 'limit=x&supply_type=&placas_solares=2&territory=a&territory=b' }),
      world.call('createOffer', { body: { communities: 3, commission_tiers: {}, e1: 'x' } }),
    ]);
    expect(JSON.stringify(answers)).not.toMatch(/Invalid|expected|received|Unrecognized|Too (big|small)/);
    expect(answers.map((answer) => answer.status)).toEqual([400, 400, 400]);
  });

  it('A-27: a bug is answered without details, and the log has all of them', async () => {
    const broken = new Error('SELECT secret FROM driver');
    const sound = createMemoryStore();
    let isBroken = false;
    const store: Store = { ...sound, read: (work) => (isBroken ? Promise.reject(broken) : sound.read(work)) };
    const faulty = await createWorld(store);
    isBroken = true;
    expect(await faulty.call('listClients')).toEqual({
      status: 500,
      headers: {},
      body: { detail: { code: 'internal_error', message: 'internal error' } },
    });
    expect(faulty.bugs).toEqual([broken]);
  });
});
