import { asRefusal, DomainError, type Scope, UnreadableFile } from '@tarifario/core/service';
import { fillSample, type Sample } from '@tarifario/testkit/api/sample';
import { fakeFile, sheet } from '@tarifario/testkit/api/workbooks';
import { asRecord, type CallInput, createWorld, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';
import { bulkCalls, TEMPLATES } from './bulk-calls.ts';
import { everythingOf } from './stores.ts';

let world: World;
let sample: Sample;

const { update, applied, templateOf } = bulkCalls(() => world);

describe('A-26: a key without commissions:read', () => {
  let key: string;
  const CANARY = 7919.1357;

  beforeEach(async () => {
    world = await createWorld();
    sample = await fillSample(world, () => CANARY);
    key = await world.newKey(world.account.id, {
      scopes: ['offers:write', 'offers:read', 'catalog:read', 'catalog:write'],
    });
  });

  it('gets a template of the catalog without commissions, and sending it back erases none', async () => {
    const before = await everythingOf(world);
    for (const operation of TEMPLATES.catalog) {
      const sheets = await templateOf(operation, { key, query: { include_inactive: 'true' } });
      expect(Object.keys(sheets).filter((name) => name.startsWith('tramos_'))).toEqual([]);
      expect(JSON.stringify(sheets)).not.toMatch(/commission|7919/);
      await applied('catalog', sheets, { key });
    }
    expect(await everythingOf(world)).toBe(before);
    expect(JSON.stringify(await templateOf('bulkTemplateCatalogOffers'))).toContain(String(CANARY));
  });

  it('gets no template of own offers', async () => {
    for (const operation of TEMPLATES.own) {
      expect(await world.call(operation, { key })).toMatchObject({
        status: 403,
        body: { detail: { missing_scope: 'commissions:read' } },
      });
    }
  });

  it('gets from a dry run that commissions are written, and not which', async () => {
    const sheets = {
      ofertas: sheet(['offer_id', 'commission'], [sample.luzId, 5]),
      tramos_consumo: [['offer_id', 'consumption_from', 'consumption_to', 'commission']],
    };
    const dry = await applied('own', sheets, { key, query: { dry_run: 'true' } });
    expect(dry.diff).toMatchObject([
      { field: 'commission', before: null, after: null },
      { field: 'commission_tiers', before: null, after: null },
    ]);
    expect(JSON.stringify(dry)).not.toContain('7919');
    expect(JSON.stringify(await applied('own', sheets, { query: { dry_run: 'true' } }))).toContain('7919');
  });

  it('A-67: gets the same error for a stale file, whatever commissions are stored', async () => {
    const id = String(sample.catalogId);
    const full = await templateOf('bulkTemplateCatalogOffers');
    const masked = await templateOf('bulkTemplateCatalogOffers', { key });
    const tell = async (sheets: typeof full) =>
      (await update('catalog', sheets, { key, query: { dry_run: 'true' } })).body;
    const fresh = [await tell(full), await tell(masked)];
    await world.ask('updateCatalogOffer', { params: { id }, body: { commission: 3 } });
    expect([await tell(full), await tell(masked)]).toEqual(fresh);
    expect(await templateOf('bulkTemplateCatalogOffers', { key })).toEqual(masked);
    await world.ask('updateCatalogOffer', { params: { id }, body: { e1: 0.19 } });
    const stale = [await tell(full), await tell(masked)];
    expect(stale[0]).toEqual(stale[1]);
    expect(JSON.stringify(stale)).toMatch(/e1: was changed/);
    expect(JSON.stringify(stale)).not.toMatch(/commission|tramos|7919/);
    await world.ask('updateCatalogOffer', { params: { id }, body: { commission: 4 } });
    expect([await tell(full), await tell(masked)]).toEqual(stale);
  });

  it("A-38: does not see where another key's file is unreadable, because this may be in its tiers", async () => {
    const fault = 'the file cannot be read: a cell has more than 4 096 bytes';
    const { store, account } = world;
    const at = '2026-01-01T00:00:00.000Z';
    const id = await store.write({ keyId: null, at }, async (writer) => {
      const fields = { firmId: null, kind: 'offers_bulk_update', fileName: 'a.xlsx', sizeBytes: 1 } as const;
      const { id } = await writer.uploads.insert(account.id, { ...fields, status: 'processing' });
      const refusal = asRefusal(new UnreadableFile('cell_too_long', 'Tramos_Consumo (1)', 4711));
      const error = refusal instanceof DomainError ? { code: refusal.code, ...refusal.details } : null;
      await writer.uploads.update(account.id, id, { from: 'processing', to: 'failed', error, finishedAt: at });
      return String(id);
    });
    const error = async (input: CallInput) => (await world.ask('getUpload', { ...input, params: { id } })).error;
    expect(await error({ key })).toEqual({ code: 'invalid_request', message: fault });
    expect(await error({})).toMatchObject({ message: expect.stringContaining('row 4711') });
  });

  it("A-38: sees nothing about the tiers of another key's file, neither their number nor their errors", async () => {
    const tiers = (from: number, to: number) => [
      ['offer_id', 'consumption_from', 'consumption_to', 'commission'],
      [sample.luzId, 0, 10, 1],
      [sample.luzId, from, to, 1],
    ];
    const wrongCell = sheet(['offer_id', 'e1'], [sample.luzId, 'x']);
    const emptied = {
      ofertas: [['offer_id'], [sample.luzId]],
      tramos_potencia: [['offer_id', 'power_from', 'commission']],
    };
    expect((await update('own', { tramos_consumo: tiers(10, 20) })).status).toBe(200);
    expect(await applied('own', emptied)).toMatchObject({ warnings: [{ code: 'tiers_emptied' }] });
    expect((await update('own', { ofertas: wrongCell, tramos_consumo: tiers(5, 20) })).status).toBe(422);
    const outcomes = async (options: { readonly key?: string }) => {
      const { results } = await world.ask('listUploads', { ...options, query: { limit: '200' } });
      return Array.isArray(results) ? results.slice(-3).map(({ result, error }) => result ?? error) : [];
    };
    const cell = { row: 2, sheet: 'ofertas', error: expect.stringContaining('e1') };
    const tier = { row: 3, sheet: 'tramos_consumo', error: expect.stringContaining('overlaps') };
    const warned = { tiers_replaced: 0, warnings: [{ code: 'tiers_emptied' }] };
    const all = [{ tiers_replaced: 2, warnings: [] }, warned, { errors: [cell, tier], error_count: 2 }];
    expect(await outcomes({})).toMatchObject(all);
    const nothing = { tiers_replaced: null, warnings: [] };
    const seen = await outcomes({ key });
    expect(seen).toMatchObject([nothing, nothing, { errors: [cell] }]);
    expect(seen[2]).toEqual({
      code: 'business_rule',
      message: expect.not.stringMatching(/\d/),
      errors: [expect.anything()],
    });
  });

  it('A-38: sees all other wrong rows, also after a hundred wrong rows of tiers', async () => {
    const tiers = Array.from({ length: 150 }, () => ['x', 0, 1, 1]);
    const sheets = {
      tramos_consumo: [['offer_id', 'consumption_from', 'consumption_to', 'commission'], ...tiers],
      borrar: [['offer_id'], ['x']],
    };
    expect((await update('own', sheets)).status).toBe(422);
    const { results } = await world.ask('listUploads', { key, query: { status: 'failed' } });
    const last = Array.isArray(results) ? results.at(-1) : null;
    expect(last).toMatchObject({ error: { errors: [{ sheet: 'borrar', row: 2 }] } });
  });

  it("sees nothing about the commissions of another key's wrong file", async () => {
    const sheets = {
      ofertas: [
        ['offer_id', 'commission', 'commission_type'],
        [sample.luzId, `${CANARY} EUR`, '7919'],
        [sample.gasId, -7919.5, 'fixed'],
      ],
      tramos_consumo: [
        ['offer_id', 'consumption_from', 'consumption_to', 'commission'],
        [sample.luzId, 79_190, 7919, 7_919_000_000],
      ],
    };
    expect((await update('own', sheets)).status).toBe(422);
    const seen = JSON.stringify(await world.ask('listUploads', { key, query: { status: 'failed' } }));
    expect(seen).not.toContain('7919');
    expect(seen).not.toContain('"error":"commission');
  });

  it('A-38: sees the same upload for two files that differ only in errors of commissions, by id and in the list', async () => {
    const failures: unknown[] = [];
    for (const wrongRows of [0, 1, 150]) {
      const rows = Array.from({ length: 150 }, (_, index) => ['x', index < wrongRows ? 'y' : 1, 'fixed']);
      const sheets = { ofertas: [['offer_id', 'commission', 'commission_type'], ...rows] };
      expect((await update('own', sheets)).status).toBe(422);
      const { results } = await world.ask('listUploads', { key, query: { status: 'failed' } });
      const last = asRecord(Array.isArray(results) ? results.at(-1) : null);
      expect(await world.ask('getUpload', { key, params: { id: String(last.id) } })).toEqual(last);
      failures.push(last.error);
    }
    const [first] = failures;
    expect(first).toMatchObject({
      errors: [{ row: 2, error: expect.stringContaining('offer_id') }, ...Array(99).fill({})],
    });
    expect(failures).toEqual([first, first, first]);
  });
});

describe('A-38: the report of a file', () => {
  const PRICE = '0.31415';
  const outcomesSeenBy = async (key: string) => {
    const { results } = await world.ask('listUploads', { key, query: { limit: '200' } });
    const shown = (Array.isArray(results) ? results : []).slice(-4).map(asRecord);
    for (const upload of shown) {
      expect(await world.ask('getUpload', { key, params: { id: String(upload.id) } })).toEqual(upload);
    }
    return shown.map(({ result, error }) => [result, error]);
  };

  beforeEach(async () => {
    world = await createWorld();
    sample = await fillSample(world);
  });

  it('says nothing of offers to another key without the scope of offers, and of the catalog without that of the catalog', async () => {
    for (const [format, idHeader, id] of [
      ['own', 'offer_id', sample.luzId],
      ['catalog', 'catalog_offer_id', sample.catalogId],
    ] as const) {
      await applied(format, { ofertas: sheet([idHeader, 'e1'], [id, 0.17]) });
      const wrong = { ofertas: sheet([idHeader, 'offer_name', 'e1'], [id, 'Secreta', PRICE], [PRICE, 'Otra', 0.1]) };
      expect((await update(format, wrong)).status).toBe(422);
    }
    const whole = [
      [expect.objectContaining({ replaced: 1 }), null],
      [null, expect.objectContaining({ errors: expect.anything() })],
    ];
    const hidden = [
      [null, null],
      [null, { code: 'business_rule', message: 'nothing was changed: the file has errors' }],
    ];
    const seenBy = async (scopes: readonly Scope[]) => outcomesSeenBy(await world.newKey(world.account.id, { scopes }));
    expect(await seenBy(['offers:read', 'catalog:read'])).toEqual([...whole, ...whole]);
    expect(await seenBy(['offers:read'])).toEqual([...whole, ...hidden]);
    expect(await seenBy(['catalog:read'])).toEqual([...hidden, ...whole]);
    expect(await seenBy(['offers:write', 'commissions:read'])).toEqual([...hidden, ...hidden]);
  });

  it('says all of it to the key that sent the file', async () => {
    const key = await world.newKey(world.account.id, { scopes: ['offers:write'] });
    const form = { bytes: fakeFile({ ofertas: sheet(['offer_id', 'e1'], [sample.luzId, 'x']) }) };
    const { id } = await world.ask('createUpload', { key, form });
    await world.work();
    expect(await world.ask('getUpload', { key, params: { id: String(id) } })).toMatchObject({
      error: { errors: [{ sheet: 'ofertas', row: 2 }] },
    });
  });
});

it('A-38: the size of a file, which tiers make larger, is shown to a key without commissions:read only where it sent it', async () => {
  world = await createWorld();
  sample = await fillSample(world);
  const key = await world.newKey(world.account.id, { scopes: ['offers:read', 'offers:write'] });
  const form = { bytes: fakeFile({ ofertas: sheet(['offer_id', 'e1'], [sample.luzId, 0.17]) }) };
  const ids: unknown[] = [];
  for (const sender of [world.fullKey, key]) {
    ids.push((await world.ask('createUpload', { key: sender, form })).id);
    ids.push((await world.ask('createUpload', { key: sender, body: { file_name: 'a.xlsx' } })).id);
  }
  const sizesFor = async (reader: string) =>
    Promise.all(
      ids.map(async (id) => (await world.ask('getUpload', { key: reader, params: { id: String(id) } })).size_bytes),
    );
  const size = form.bytes.length;
  expect(await sizesFor(world.fullKey)).toEqual([size, null, size, null]);
  expect(await sizesFor(key)).toEqual([null, null, size, null]);
});

describe('A-26: a commission that a key writes without seeing it', () => {
  const STORED = 50;
  const ways = [
    'updateOffer',
    'bulkPatchOffers',
    'bulkUpdateOffers',
    'updateCatalogOffer',
    'bulkUpdateCatalogOffers',
  ] as const;
  type Way = (typeof ways)[number];
  const isOfCatalog = (way: Way) => way.includes('Catalog');

  /** A world in which a file was made or kept before the commission was written, and what writes it. */
  async function newMarket() {
    world = await createWorld();
    sample = await fillSample(world);
    const key = await world.newKey(world.account.id, { scopes: ['offers:write', 'catalog:write', 'offers:read'] });
    const write = async (way: Way, commission: number) => {
      const params = { id: String(isOfCatalog(way) ? sample.catalogId : sample.luzId) };
      const id = Number(params.id);
      const body = { commission };
      const file = {
        ofertas: sheet([isOfCatalog(way) ? 'catalog_offer_id' : 'offer_id', 'commission'], [id, commission]),
      };
      const inputs: Readonly<Record<Way, CallInput>> = {
        updateOffer: { params, body },
        updateCatalogOffer: { params, body },
        bulkPatchOffers: { body: { offer_ids: [id], updates: body } },
        bulkUpdateOffers: { form: { bytes: fakeFile(file) } },
        bulkUpdateCatalogOffers: { form: { bytes: fakeFile(file) } },
      };
      expect((await world.call(way, { key, ...inputs[way] })).status).toBe(200);
      // What is visible and changes afterwards does not hide that the commission was written.
      const renamed = isOfCatalog(way) ? 'updateCatalogOffer' : 'updateOffer';
      const { offer_name } = await world.ask(isOfCatalog(way) ? 'getCatalogOffer' : 'getOffer', { params });
      for (const name of ['Otra', offer_name]) await world.ask(renamed, { key, params, body: { offer_name: name } });
    };
    const format = (way: Way) => (isOfCatalog(way) ? 'catalog' : 'own');
    return { key, write, format };
  }

  /** The end of the last upload, as the key that has written sees it. */
  async function endSeenBy(key: string) {
    const { results } = await world.ask('listUploads', { key, query: { limit: '200' } });
    const { status, error, result } = asRecord(Array.isArray(results) ? results.at(-1) : null);
    return { status, error, result };
  }

  it.each(ways)('makes a row of a template stale, equal or not: %s', async (way) => {
    const ends = [];
    for (const commission of [STORED, STORED + 1]) {
      const { key, write, format } = await newMarket();
      const template = await templateOf(TEMPLATES[format(way)][0]);
      await write(way, commission);
      const { status, body } = await update(format(way), template);
      expect({ status, body }).toMatchObject({ status: 422, body: { detail: { code: 'business_rule' } } });
      expect(JSON.stringify(body)).toContain('commission: was written since the template was made');
      ends.push(await endSeenBy(key));
      await applied(format(way), template, { query: { force: 'true' } });
    }
    expect(ends[1]).toEqual(ends[0]);
  });

  it.each(ways)('makes a file that was checked another one, equal or not: %s', async (way) => {
    const ends = [];
    for (const commission of [STORED, STORED + 1]) {
      const { key, write, format } = await newMarket();
      const isOwn = format(way) === 'own';
      const id = isOwn ? sample.luzId : sample.catalogId;
      const file = sheet([isOwn ? 'offer_id' : 'catalog_offer_id', 'commission', 'e2'], [id, STORED, 0.19]);
      const query = { dry_run: 'true', keep: 'true' };
      const { upload_id } = await applied(format(way), { ofertas: file }, { query });
      await write(way, commission);
      const { status } = await world.call('applyUpload', { params: { id: String(upload_id) } });
      expect(status).toBe(409);
      ends.push(await endSeenBy(key));
    }
    expect(ends[1]).toEqual(ends[0]);
  });

  it('does not hinder a file without commissions, nor one that was made afterwards', async () => {
    const { write } = await newMarket();
    const prices = sheet(['offer_id', 'e2'], [sample.luzId, 0.19]);
    const query = { dry_run: 'true', keep: 'true' };
    const { upload_id } = await applied('own', { ofertas: prices }, { query });
    await write('updateOffer', STORED);
    expect((await world.call('applyUpload', { params: { id: String(upload_id) } })).status).toBe(200);
    await applied('own', await templateOf('bulkTemplateOffers'));
  });
});
