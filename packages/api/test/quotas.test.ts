import { CATALOG_QUOTA, type RecordTotals, type Store, type Writer } from '@tarifario/core/service';
import { filledWorld, GAS_BODY, LUZ_BODY, type Sample } from '@tarifario/testkit/api/sample';
import { fakeFile, type SheetsByHand } from '@tarifario/testkit/api/workbooks';
import {
  asRecord,
  type CallInput,
  createWorld,
  idOf,
  newClient,
  newCompany,
  type World,
} from '@tarifario/testkit/api/world';
import { newStore } from '@tarifario/testkit/new-store';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Format, UPDATE } from './bulk-calls.ts';
import { ALL_STORES, everythingOf, removeDatabasesAfterEach } from './stores.ts';

let world: World;
let sample: Sample;

/** The number of records in the sample. */
const STORED: RecordTotals = { companies: 2, offers: 5, months: 2 };
const OFFER_HEADER = ['offer_id', 'cliente', 'company_name', 'offer_name', 'supply_type', 'tariff_type', 'acepta_dni'];
const newOffers = (count: number, company = 'Comercializadora Uno'): SheetsByHand => ({
  ofertas: [
    [...OFFER_HEADER, 'territory_peninsula', 'is_indexed'],
    ...Array.from({ length: count }, (_, i) => [null, 'Asesoría Uno', company, `N${i}`, 'LUZ', '2.0TD', 1, 1, 1]),
  ],
});
const monthsOf = (id: number, months: readonly string[]): SheetsByHand => ({
  precios_indexados: [['offer_id', 'reference_month', 'e1'], ...months.map((month) => [id, month, 0.5])],
});

const update = (sheets: SheetsByHand, input: CallInput = {}, format: Format = 'own') =>
  world.call(UPDATE[format], { ...input, form: { bytes: fakeFile(sheets) } });
const createOffer = () => world.call('createOffer', { body: { ...LUZ_BODY, company_id: sample.companyId } });
const createCompany = (name: string) => world.call('createCompany', { body: { client_id: sample.clientId, name } });
const putMonth = (month: string, e1 = 0.7) =>
  world.call('upsertIndexedPrice', {
    params: { id: String(sample.indexedId) },
    body: { reference_month: month, e1 },
  });
const allow = (quotas: Partial<RecordTotals>) => world.subscribe(world.account.id, { plan: 'pro', quotas });

const full = (kind: string, has: number, added = 1) => ({
  status: 409,
  body: {
    detail: {
      code: 'quota_reached',
      message: `the account, on the plan pro, may have ${has} ${kind}, inactive ones included; it has ${has}, and this would add ${added}`,
    },
  },
});

removeDatabasesAfterEach();

describe('A-63: an account that has all its plan allows', () => {
  beforeEach(async () => {
    ({ world, sample } = await filledWorld());
    await allow(STORED);
  });

  it('A-63: cannot add more in any way, gets the numbers, and loses nothing', async () => {
    const before = await everythingOf(world);
    expect(await createOffer()).toMatchObject(full('offers', 5));
    expect(await createCompany('Nueva')).toMatchObject(full('retailers', 2));
    expect(await putMonth('2026-01')).toMatchObject(full('months of indexed offers', 2));
    const dry = { query: { dry_run: 'true' } };
    expect(await update(newOffers(3), dry)).toMatchObject(full('offers', 5, 3));
    expect(await everythingOf(world)).toBe(before);
  });

  it('A-63: gets nothing from a file with too many records, sent or queued, and the upload has the reason', async () => {
    const files = [
      [newOffers(3), full('offers', 5, 3)],
      [newOffers(1, 'Nueva'), full('retailers', 2)],
      [monthsOf(sample.indexedId, ['2025-11', '2026-01', '2026-02']), full('months of indexed offers', 2, 2)],
    ] as const;
    const shown = () => world.ask('getStats');
    const { uploads: _before, ...before } = await shown();
    for (const [sheets, refusal] of files) {
      expect(await update(sheets)).toMatchObject(refusal);
      const form = { fileName: 'ofertas.xlsx', bytes: fakeFile(sheets) };
      const id = idOf(asRecord((await world.call('createUpload', { form })).body));
      await world.work();
      const error = { code: 'quota_reached', message: refusal.body.detail.message };
      expect(await world.ask('getUpload', { params: { id: String(id) } })).toMatchObject({ status: 'failed', error });
      expect(await world.ask('getUpload', { params: { id: String(id - 1) } })).toMatchObject({
        status: 'failed',
        error,
      });
      // The file is stored: it can be retried with a larger plan.
      await allow({});
      expect((await world.call('retryUpload', { params: { id: String(id) } })).status).toBe(200);
      await allow(STORED);
      await world.work();
      expect(await world.ask('getUpload', { params: { id: String(id) } })).toMatchObject({ status: 'failed', error });
    }
    const { uploads: _after, ...after } = await shown();
    expect(after).toEqual(before);
    expect(await world.store.read((reader) => reader.counts.totals(world.account.id))).toEqual(STORED);
  });

  it('A-63: edits, replaces, deactivates and deletes as before, and inactive records count', async () => {
    const id = { params: { id: String(sample.luzId) } };
    expect((await world.call('updateOffer', { ...id, body: { e1: 0.3 } })).status).toBe(200);
    expect((await world.call('deleteOffer', id)).status).toBe(200);
    expect(await createOffer()).toMatchObject(full('offers', 5));
    expect((await putMonth('2025-12')).status).toBe(200);
    expect((await update(monthsOf(sample.indexedId, ['2025-11']))).status).toBe(200);
    const month = { params: { id: String(sample.indexedId), month: '2025-11' } };
    expect((await world.call('deleteIndexedPrice', month)).status).toBe(204);
    expect((await putMonth('2026-01')).status).toBe(201);
    expect(await putMonth('2026-02')).toMatchObject(full('months of indexed offers', 2));
  });

  it('A-63: with more than its new plan allows reads and edits everything, and cannot add more', async () => {
    await allow({ companies: 0, offers: 1, months: 0 });
    const refused = await createOffer();
    expect(refused).toMatchObject({ status: 409, body: { detail: { code: 'quota_reached' } } });
    expect(asRecord(asRecord(refused.body).detail).message).toContain('may have 1 offers');
    expect(asRecord(asRecord(refused.body).detail).message).toContain('it has 5, and this would add 1');
    expect(await world.ask('listOffers', { query: { include_inactive: 'true' } })).toMatchObject({ total: 4 });
    expect((await putMonth('2025-12', 0.9)).status).toBe(200);
    const body = { offer_ids: [sample.luzId, sample.gasId], updates: { is_active: false } };
    expect((await world.call('bulkPatchOffers', { body })).status).toBe(200);
  });

  it('A-63: can add as many records as are missing, and more after a larger subscription', async () => {
    await allow({ ...STORED, offers: 7 });
    expect((await update(newOffers(3))).status).toBe(409);
    expect((await update(newOffers(2))).status).toBe(200);
    expect(await createOffer()).toMatchObject(full('offers', 7));
    await allow({});
    expect((await createOffer()).status).toBe(201);
  });

  it.each([
    ['offers', createOffer],
    ['companies', createCompany],
    ['months', putMonth],
  ] as const)('A-63: adds %s in only one of ten concurrent requests for the last place', async (kind, attempt) => {
    await allow({ ...STORED, [kind]: STORED[kind] + 1 });
    const names = Array.from({ length: 10 }, (_, i) => `2026-${String(i + 1).padStart(2, '0')}`);
    const statuses = (await Promise.all(names.map((name) => attempt(name)))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
    const totals = await world.store.read((reader) => reader.counts.totals(world.account.id));
    expect(totals).toEqual({ ...STORED, [kind]: STORED[kind] + 1 });
  });

  it('A-63: does not restrict another account', async () => {
    const other = await world.newAccount();
    const key = await world.newKey(other.id);
    const client = await newClient(world, 'Ajena', { key });
    const company_id = await newCompany(world, client, 'Ajena', key);
    expect((await world.call('createOffer', { key, body: { ...GAS_BODY, company_id } })).status).toBe(201);
  });
});

/** A store whose catalog is full from some moment on. */
async function fillableCatalog() {
  const store = await newStore();
  let isFull = false;
  const counting = (writer: Writer): Writer => ({
    ...writer,
    counts: {
      ...writer.counts,
      totals: async (owner) => (isFull && owner === 'catalog' ? CATALOG_QUOTA : writer.counts.totals(owner)),
    },
  });
  const write: Store['write'] = (context, work) => store.write(context, (writer) => work(counting(writer)));
  const fill = () => {
    isFull = true;
  };
  return { store: { ...store, write }, fill };
}

describe('A-63: a catalog that is full', () => {
  beforeEach(async () => {
    ({ world, sample } = await filledWorld());
  });

  it('A-63: cannot grow, whoever edits it, and its records are replaced as before', async () => {
    const { store, fill } = await fillableCatalog();
    const full = await createWorld(store);
    const company = await full.ask('createCatalogCompany', { body: { name: 'Común' } });
    const body = { ...LUZ_BODY, company_id: company.id };
    const indexed = await full.ask('createCatalogOffer', { body: { ...body, offer_name: 'I', is_indexed: true } });
    const month = (reference_month: string, e1 = 0.1) =>
      full.call('upsertCatalogIndexedPrice', {
        params: { id: String(indexed.id) },
        body: { reference_month, e1 },
      });
    expect((await month('2026-01')).status).toBe(201);
    fill();
    for (const [operation, sent, quota] of [
      ['createCatalogCompany', { name: 'Nueva Común' }, CATALOG_QUOTA.companies],
      ['createCatalogOffer', body, CATALOG_QUOTA.offers],
    ] as const) {
      const { status, body: answer } = await full.call(operation, { body: sent });
      expect([operation, status]).toEqual([operation, 409]);
      expect(asRecord(asRecord(answer).detail)).toMatchObject({
        code: 'quota_reached',
        message: expect.stringContaining(`the shared catalog may have ${quota}`),
      });
    }
    expect(await month('2026-02')).toMatchObject({ status: 409, body: { detail: { code: 'quota_reached' } } });
    expect((await month('2026-01', 0.2)).status).toBe(200);
  });

  it("A-63: does not count the records of the editor's account", async () => {
    await allow({ companies: 0, offers: 0, months: 0 });
    const body = { ...LUZ_BODY, company_id: sample.catalogCompanyId };
    expect((await world.call('createCatalogOffer', { body })).status).toBe(201);
    const row = [null, 'Comercializadora Común', 'Nueva', 'LUZ', '2.0TD', 1, 1];
    const header = ['catalog_offer_id', 'company_name', 'offer_name', 'supply_type', 'tariff_type', 'acepta_dni'];
    const sheets = { ofertas: [[...header, 'territory_peninsula'], row] };
    expect((await update(sheets, {}, 'catalog')).status).toBe(200);
  });
});

describe.each(ALL_STORES)('A-64: months, over %s', (_name, makeStore) => {
  beforeEach(async () => {
    ({ world, sample } = await filledWorld(await makeStore()));
  });

  const refused = { status: 422, body: { detail: { code: 'business_rule' } } };
  const message = 'must be a month from 1990-01 to 2199-12';

  it('A-64: are stored from 1990-01 to 2199-12, by every way to write them', async () => {
    for (const month of ['1989-12-31', '2200-01', '0000-01', '9999-12']) {
      expect(await putMonth(month)).toMatchObject(refused);
      expect(await update(monthsOf(sample.indexedId, [month]))).toMatchObject({
        ...refused,
        body: { detail: { errors: [{ sheet: 'precios_indexados', row: 2, error: expect.stringContaining(message) }] } },
      });
      const params = { id: String(sample.catalogIndexedId) };
      const body = { reference_month: month, e1: 0.1 };
      expect(await world.call('upsertCatalogIndexedPrice', { params, body })).toMatchObject(refused);
    }
    for (const month of ['1990-01', '2199-12']) expect((await putMonth(month)).status).toBe(201);
  });

  const names = (first: number, count: number) =>
    Array.from({ length: count }, (_, i) => {
      const number = first + i;
      return `${1990 + Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}-01`;
    });
  const full = {
    status: 422,
    body: { detail: { errors: [{ error: expect.stringContaining('an offer has at most 360 months') }] } },
  };

  it('A-64: are all in details and comparisons, and listed page by page', async () => {
    const months = names(0, 358);
    expect((await update(monthsOf(sample.indexedId, months))).status).toBe(200);
    // Those of the sample are the newest.
    const stored = [...months, '2025-11-01', '2025-12-01'];
    const params = { id: String(sample.indexedId) };
    const shownIn = (detail: unknown) => {
      const { indexed_prices: shown, indexed_prices_total: total } = asRecord(detail);
      return { total, shown: (shown as readonly unknown[]).map((row) => asRecord(row).reference_month) };
    };
    const expected = { total: 360, shown: stored };
    expect(shownIn(await world.ask('getOffer', { params }))).toEqual(expected);
    const compared = await world.ask('compareOffers', {
      query: `ids=${sample.indexedId}&ids=${sample.luzId}`,
    });
    expect((compared.results as readonly unknown[]).map(shownIn)).toEqual([expected, { total: 0, shown: [] }]);
    const listed: unknown[] = [];
    for (let offset = 0; offset < stored.length; offset += 200) {
      const query = { limit: '200', offset: String(offset) };
      const page = await world.ask('listIndexedPrices', { params, query });
      expect(page).toMatchObject({ total: stored.length, limit: 200, offset });
      listed.push(...(page.results as readonly unknown[]).map((row) => asRecord(row).reference_month));
    }
    expect(listed).toEqual(stored);
  });

  it('A-64: of one offer are at most 360, by every way to write them', async () => {
    const before = await everythingOf(world);
    const tooMany = names(0, 359);
    expect(await update(monthsOf(sample.indexedId, tooMany))).toMatchObject(full);
    expect(await update(monthsOf(sample.indexedId, tooMany), { query: { dry_run: 'true' } })).toMatchObject(full);
    const header = ['cliente', 'company_name', 'offer_name', 'reference_month', 'e1'];
    const ofNew = names(0, 361).map((month) => ['Asesoría Uno', 'Comercializadora Uno', 'N0', month, 0.5]);
    expect(await update({ ...newOffers(1), precios_indexados: [header, ...ofNew] })).toMatchObject({
      ...full,
      body: { detail: { errors: [{ sheet: 'precios_indexados', row: 362 }] } },
    });
    const shared = { precios_indexados: [['catalog_offer_id', 'reference_month', 'e1']] as (string | number)[][] };
    for (const month of names(0, 360)) shared.precios_indexados.push([sample.catalogIndexedId, month, 0.5]);
    expect(await update(shared, {}, 'catalog')).toMatchObject(full);
    expect(before).toEqual(await everythingOf(world));
    shared.precios_indexados.pop();
    expect((await update(shared, {}, 'catalog')).status).toBe(200);
    const params = { id: String(sample.catalogIndexedId) };
    const putShared = (reference_month: string) =>
      world.call('upsertCatalogIndexedPrice', { params, body: { reference_month, e1: 0.2 } });
    expect(await putShared('2199-12')).toMatchObject(full);
    expect((await putShared('1990-01')).status).toBe(200);
  });

  it('A-64: are added in only one of ten concurrent requests for the last place, and replaced as before', async () => {
    expect((await update(monthsOf(sample.indexedId, names(0, 357)))).status).toBe(200);
    const answers = await Promise.all(names(480, 10).map((month) => putMonth(month)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 422)]);
    expect(await putMonth('2199-12')).toMatchObject(full);
    expect((await putMonth('1990-01')).status).toBe(200);
    const params = { id: String(sample.indexedId) };
    expect(await world.ask('getOffer', { params })).toMatchObject({ indexed_prices_total: 360 });
  });

  it('A-64: of a catalog offer are listed page by page too', async () => {
    const params = { id: String(sample.catalogIndexedId) };
    await world.ask('upsertCatalogIndexedPrice', { params, body: { reference_month: '2025-10', e1: 0.1 } });
    const query = { limit: '1', offset: '1' };
    expect(await world.ask('listCatalogIndexedPrices', { params, query })).toMatchObject({
      total: 2,
      limit: 1,
      offset: 1,
      results: [{ reference_month: '2025-11-01' }],
    });
    expect(await world.ask('getCatalogOffer', { params })).toMatchObject({ indexed_prices_total: 2 });
  });
});
