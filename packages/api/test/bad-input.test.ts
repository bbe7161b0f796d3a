import { DatabaseSync } from 'node:sqlite';
import { FILE_CAPS, type Store } from '@tarifario/core/service';
import { filledWorld, HOUSEHOLD, type Sample } from '@tarifario/testkit/api/sample';
import { fakeFile } from '@tarifario/testkit/api/workbooks';
import {
  asRecord,
  type CallInput,
  createWorld,
  operationOf,
  type SentFormParts,
  type World,
} from '@tarifario/testkit/api/world';
import { newStore } from '@tarifario/testkit/new-store';
import { temporaryDatabase } from '@tarifario/testkit/temporary-database';
import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../src/index.ts';
import { traces } from './named-calls.ts';
import { against, malformed, refusalOf } from './refusals.ts';

let world: World;
let sample: Sample;
let calls: Readonly<Record<string, CallInput>>;
/** All that could be changed, before anything is refused. */
let before: string;
/** The columns of the database, and what every caller knows of records and cannot set. */
let names: readonly string[];

beforeAll(async () => {
  ({ world, sample, calls } = await filledWorld());
  before = await traces(world);
  const { path, remove } = await temporaryDatabase();
  const file = new DatabaseSync(path);
  const columns = file.prepare('select distinct c.name from sqlite_schema t, pragma_table_xinfo(t.name) c').all();
  file.close();
  remove();
  const known = 'company client is_catalog has_file indexed_prices account key_id scopes plan'.split(' ');
  names = [...new Set([...columns.map(({ name }) => String(name)), ...known])];
});

const refusal = (id: string, input: CallInput) => refusalOf(world, id, input);

const queryOf = (id: string) => asRecord(calls[id]?.query ?? {});
const bodyOf = (id: string) => asRecord(calls[id]?.body);
const withBody = (id: string, changes: object): CallInput => ({ ...calls[id], body: { ...bodyOf(id), ...changes } });

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
    for (const texts of [['1', '1'], ['1', '2'], Array(1200).fill('1')]) {
      const input = { ...calls[id], query: asQuery({ ...queryOf(id), client_id: texts }) };
      expect(await refusal(id, input)).toMatchObject(malformed('client_id'));
    }
    const scalars = Object.keys(operationOf(id).input.query.shape).filter((name) => name !== 'ids');
    const twice = Object.fromEntries(scalars.map((name) => [name, ['1', '1']]));
    const { paths } = await refusal(id, { ...calls[id], query: { ...asQuery(queryOf(id)), ...twice } });
    expect(paths).toEqual(expect.arrayContaining(scalars));
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

  it('refuses every column of the database as a field, except its own fields', async () => {
    expect(names.length).toBeGreaterThan(100);
    const { updates, ...good } = bodyOf(id);
    const own = updates === undefined ? good : asRecord(updates);
    // A refusal names 100 fields at most.
    for (let at = 0; at < names.length; at += 90) {
      const tried = names.slice(at, at + 90);
      const fields = { ...Object.fromEntries(tried.map((name) => [name, { injected: name }])), ...own };
      const { status, paths } = await refusal(id, withBody(id, updates === undefined ? fields : { updates: fields }));
      const refused = paths.map((path) => String(path).replace(/^updates\./, ''));
      const accepted = tried.filter((name) => !refused.includes(name) && !Object.hasOwn(own, name));
      expect([status, accepted]).toEqual([400, []]);
    }
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
        // A question that the form lacks may be told too.
        paths: expect.arrayContaining([name]),
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
    const { status, paths } = await refusal(id, { query: query(), form: { fields: { x: '1' }, bytes } });
    expect([status, paths]).toEqual([400, expect.arrayContaining(['x'])]);
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
    const sound = await newStore();
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

it('what was refused has changed nothing', async () => {
  expect(await traces(world)).toBe(before);
});
