import { type Imports, SCOPES } from '@tarifario/core/service';
import { filledWorld, type Sample } from '@tarifario/testkit/api/sample';
import { fakeFile, sheet } from '@tarifario/testkit/api/workbooks';
import { asRecord, type CallInput, createWorld, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';
import { REVIEWED_ORDERS } from '../../../test-fixtures/reviewed-fields.ts';
import { bulkCalls, FORMATS, TEMPLATES, UPDATE } from './bulk-calls.ts';
import { everythingOf } from './stores.ts';

const ID = { own: 'offer_id', catalog: 'catalog_offer_id' } as const;

let world: World;
let sample: Sample;

const { update, applied, templateOf } = bulkCalls(() => world);
const offer = (id: number) => world.ask('getOffer', { params: { id: String(id) } });
const upload = async (id: unknown) => world.ask('getUpload', { params: { id: String(id) } });
const uploadTotal = async () => (await world.ask('listUploads', { query: { limit: '200' } })).total;

describe('a workbook of changes', () => {
  beforeEach(async () => {
    ({ world, sample } = await filledWorld());
  });

  it('A-44: a template that is sent back unchanged changes nothing', async () => {
    const before = await everythingOf(world);
    for (const format of FORMATS) {
      for (const operation of TEMPLATES[format]) {
        const sheets = await templateOf(operation, { query: { include_inactive: 'true' } });
        expect(sheets.ofertas?.length).toBeGreaterThan(1);
        const report = await applied(format, sheets);
        expect(report).toMatchObject({ created: 0, replaced: (sheets.ofertas?.length ?? 0) - 1, deactivated: 0 });
        const dry = await applied(format, sheets, { query: { dry_run: 'true' } });
        expect(dry).toMatchObject({ upload_id: null, diff: [], diff_count: 0, warnings: [] });
      }
    }
    expect(await everythingOf(world)).toBe(before);
  });

  it('A-67: a stale template changes nothing and reports both values, dry run or not, and is applied with force', async () => {
    for (const format of FORMATS) {
      const [fixed, indexed] = TEMPLATES[format];
      const id = format === 'own' ? sample.luzId : sample.catalogId;
      const noun = format === 'own' ? 'Offer' : 'CatalogOffer';
      const sheets = await templateOf(fixed, { query: { include_inactive: 'true' } });
      await world.ask(`update${noun}`, { params: { id: String(id) }, body: { e1: 0.777 } });
      const before = await everythingOf(world);
      for (const query of [{ dry_run: 'true' }, {}]) {
        const { status, body } = await update(format, sheets, { query });
        expect([status, asRecord(asRecord(body).detail).errors]).toEqual([
          422,
          [
            {
              row: expect.any(Number),
              sheet: 'ofertas',
              [ID[format]]: id,
              error: expect.stringMatching(/e1: .*0\.18.*0\.777/),
            },
          ],
        ]);
        expect(await everythingOf(world)).toBe(before);
      }
      const dry = await applied(format, sheets, { query: { force: 'true', dry_run: 'true' } });
      expect(dry.diff).toMatchObject([{ offer_id: id, field: 'e1', before: 0.777, after: 0.18 }]);
      await applied(format, sheets, { query: { force: 'true' } });
      expect(await world.ask(`get${noun}`, { params: { id: String(id) } })).toMatchObject({ e1: 0.18 });
      const months = await templateOf(indexed, { query: { include_inactive: 'true' } });
      const params = { id: String(format === 'own' ? sample.indexedId : sample.catalogIndexedId) };
      const price = { reference_month: '2025-11', e1: 0.5 };
      await world.ask(`upsert${format === 'own' ? '' : 'Catalog'}IndexedPrice`, { params, body: price });
      expect(JSON.stringify((await update(format, months)).body)).toMatch(/precios_indexados.*e1: .*0\.1.*0\.5/);
    }
  });

  it('A-42: a file creates, replaces and deactivates offers, and writes months and tiers, under companies that it may create', async () => {
    const report = await applied('own', {
      ofertas: [
        [
          'offer_id',
          'cliente',
          'company_name',
          'offer_name',
          'supply_type',
          'tariff_type',
          'e1',
          'acepta_dni',
          'is_indexed',
          'territory_peninsula',
        ],
        [sample.luzId, 'Asesoría Uno', 'Comercializadora Uno', 'Luz Clara', 'LUZ', '2.0TD', null, true, false, true],
        [null, 'asesoría dos', 'Nueva', 'Mercado', 'LUZ', '2.0TD', null, 'sí', 'x', 1],
      ],
      precios_indexados: [
        ['offer_id', 'cliente', 'company_name', 'offer_name', 'reference_month', 'e1'],
        [sample.indexedId, null, null, null, '2025-11', 0.3],
        [null, 'Asesoría Dos', 'Nueva', 'Mercado', '2025-12-01', '0,25'],
      ],
      tramos_consumo: [
        ['offer_id', 'consumption_from', 'consumption_to', 'commission', 'commission_type'],
        [sample.luzId, 0, null, 7, 'per_mwh'],
      ],
      borrar: [['offer_id'], [sample.gasId]],
    });
    const counts = {
      created: 1,
      replaced: 1,
      deactivated: 1,
      companies_created: 1,
      prices_upserted: 2,
      tiers_replaced: 1,
      warnings: [],
    };
    expect(report).toEqual({ upload_id: expect.any(Number), ...counts });
    const luz = await offer(sample.luzId);
    expect(luz).toMatchObject({
      e1: null,
      e2: 0.13,
      commission_tiers: [{ consumption_from: 0, consumption_to: null, commission: 7, commission_type: 'per_mwh' }],
    });
    expect(luz.commission_power_tiers).toHaveLength(1);
    expect(await offer(sample.gasId)).toMatchObject({ is_active: false });
    expect((await offer(sample.indexedId)).indexed_prices).toMatchObject([
      { reference_month: '2025-11-01', e1: 0.3 },
      {},
    ]);
    const { results } = await world.ask('listOffers', { query: { company_name: 'Nueva' } });
    expect(results).toMatchObject([{ offer_name: 'Mercado', company: { client: { id: sample.otherClientId } } }]);
    expect(await upload(report.upload_id)).toMatchObject({
      kind: 'offers_bulk_update',
      client_id: null,
      file_name: 'hoja.xlsx',
      status: 'completed',
      result: counts,
      error: null,
      size_bytes: expect.any(Number),
      finished_at: expect.any(String),
    });
  });

  it.each(FORMATS)('A-27: one wrong row of many changes nothing: %s', async (format) => {
    const good = format === 'own' ? sample.luzId : sample.catalogId;
    const before = await everythingOf(world);
    const { status, body } = await update(format, {
      ofertas: sheet([ID[format], 'e1', 'e2'], [good, 0.2, 0.2], [999_999, 0.2, 'caro']),
      borrar: [[ID[format]], ['uno']],
      otra: [['x']],
    });
    expect(status).toBe(422);
    const { detail } = asRecord(body);
    expect(detail).toEqual({
      code: 'business_rule',
      message: 'nothing was changed: the file has 4 errors',
      errors: [
        { row: 3, sheet: 'ofertas', [ID[format]]: 999_999, error: expect.stringMatching(/^e2: /) },
        { row: 3, sheet: 'ofertas', [ID[format]]: 999_999, error: `${ID[format]}: no such offer` },
        { row: 2, sheet: 'borrar', [ID[format]]: null, error: expect.stringMatching(new RegExp(`^${ID[format]}: `)) },
        {
          row: 1,
          sheet: 'otra',
          [ID[format]]: null,
          error: expect.stringMatching(/^unknown sheet: there are ofertas, /),
        },
      ],
      error_count: 4,
    });
    expect(await everythingOf(world)).toBe(before);
    // The record of the upload has the same errors.
    const { results } = await world.ask('listUploads', { query: { status: 'failed' } });
    const failed = asRecord(Array.isArray(results) ? results.at(-1) : null);
    expect(failed.error).toEqual(detail);
    expect(failed.result).toBeNull();
  });

  it.each(FORMATS)('A-46: a dry run reports what would change, and stores nothing: %s', async (format) => {
    const id = format === 'own' ? sample.luzId : sample.catalogId;
    const before = await everythingOf(world);
    const uploads = await uploadTotal();
    const sheets = {
      ofertas: sheet([ID[format], 'e1', 'services_cost'], [id, 0.2, null]),
      tramos_potencia: [
        [ID[format], 'power_from', 'power_to', 'commission', 'commission_type'],
        [id, 0, 15, 2.5, 'per_kw'],
      ],
    };
    const report = await applied(format, sheets, { query: { dry_run: 'true' } });
    const [offer_name, company_name] =
      format === 'own' ? ['Luz Clara', 'Comercializadora Uno'] : ['Luz Común', 'Comercializadora Común'];
    const named = { offer_id: id, offer_name, company_name };
    const tiers = [{ power_from: 0, power_to: null, commission: 3, commission_type: 'per_kw' }];
    // Nobody misses what contracts say besides prices.
    const needed = REVIEWED_ORDERS.spreadsheet.slice(0, REVIEWED_ORDERS.spreadsheet.indexOf('potencia_min_kw'));
    const absent = needed.filter((name) => name !== 'e1' && name !== 'services_cost');
    const message = expect.stringMatching(new RegExp(`in them: ${absent.join(', ')}$`));
    expect(report).toEqual({
      upload_id: null,
      created: 0,
      replaced: 1,
      deactivated: 0,
      companies_created: 0,
      prices_upserted: 0,
      tiers_replaced: 1,
      diff: [
        { sheet: 'ofertas', row: 2, ...named, field: 'e1', before: expect.any(Number), after: 0.2 },
        {
          sheet: 'tramos_potencia',
          row: 2,
          ...named,
          field: 'commission_power_tiers',
          before: format === 'own' ? tiers : [],
          after: [{ power_from: 0, power_to: 15, commission: 2.5, commission_type: 'per_kw' }],
        },
      ],
      diff_count: 2,
      warnings: [{ code: 'columna_ausente', message, sheet: 'ofertas', count: absent.length, rows: [] }],
    });
    expect((await update(format, { borrar: [[ID[format]], [7_777_777]] }, { query: { dry_run: 'true' } })).status).toBe(
      422,
    );
    expect(
      (await world.call(UPDATE[format], { query: { dry_run: 'true' }, form: { bytes: new Uint8Array(1) } })).status,
    ).toBe(400);
    expect(await everythingOf(world)).toBe(before);
    expect(await uploadTotal()).toBe(uploads);
  });
});

it('A-46: warnings are in the answer, and in the upload as long as it is stored', async () => {
  ({ world, sample } = await filledWorld());
  const { results } = await world.ask('listOffers');
  const [stored] = Array.isArray(results) ? results : [];
  const again = [
    ['cliente', 'company_name', 'offer_name', 'supply_type', 'tariff_type', 'acepta_dni', 'territory_peninsula'],
    [stored.company.client.name, stored.company.name, stored.offer_name, 'LUZ', '2.0TD', true, true],
  ];
  const warning = { code: 'name_repeated', message: expect.any(String), sheet: 'ofertas', count: 1, rows: [2] };
  const answer = await applied('own', { ofertas: again });
  expect(answer).toMatchObject({ created: 1, warnings: [warning] });
  expect(answer).not.toHaveProperty('diff');
  const params = { id: String(answer.upload_id) };
  expect(await world.ask('getUpload', { params })).toMatchObject({ result: { created: 1, warnings: [warning] } });
});

/** A thread that has ended. */
const nobody: Imports = {
  run: () => Promise.reject(new Error('the thread has ended')),
  wake: () => {},
  expectFile: () => {},
};

it.each([
  ['bulkUpdateOffers', 'offers:write'],
  ['bulkUpdateCatalogOffers', 'catalog:write'],
] as const)(
  '%s announces its file to the worker before it is read, for callers who may send it',
  async (operation, scope) => {
    const events: string[] = [];
    const imports = { ...nobody, expectFile: () => void events.push('expected') };
    world = await createWorld(undefined, undefined, { imports });
    const readBody: CallInput['readBody'] = async (_sentAs, { beforeForm }) => {
      await beforeForm();
      events.push('read');
      return null;
    };
    const without = await world.newKey(world.account.id, { scopes: SCOPES.filter((other) => other !== scope) });
    expect(await world.call(operation, { key: without, readBody })).toMatchObject({ status: 403 });
    expect(events).toEqual([]);
    expect(await world.call(operation, { readBody })).toMatchObject({ status: 400 });
    expect(events).toEqual(['expected', 'read']);
  },
);

it('a bug while a file is applied is answered 500 without details', async () => {
  world = await createWorld(undefined, undefined, { imports: nobody });
  const answer = await world.call('bulkUpdateOffers', { form: { bytes: fakeFile({}) } });
  expect(answer).toMatchObject({
    status: 500,
    body: { detail: { code: 'internal_error', message: 'internal error' } },
  });
  expect(world.bugs).toHaveLength(1);
});
