import { createHash } from 'node:crypto';
import { DomainError, type ImportJob, type Imports } from '@tarifario/core/service';
import { createMemoryRateLimiter } from '@tarifario/runtime';
import { filledWorld, type Sample } from '@tarifario/testkit/api/sample';
import { fakeFile, type SheetsByHand } from '@tarifario/testkit/api/workbooks';
import { type CallInput, createWorld, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';
import { bulkCalls, UPDATE } from './bulk-calls.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

let world: World;
let sample: Sample;

const { update, applied, templateOf } = bulkCalls(() => world);
const offer = (id: number) => world.ask('getOffer', { params: { id: String(id) } });
const upload = async (id: unknown) => world.ask('getUpload', { params: { id: String(id) } });
const uploadTotal = async () => (await world.ask('listUploads', { query: { limit: '200' } })).total;

describe('a template', () => {
  beforeEach(async () => {
    ({ world, sample } = await filledWorld());
  });

  it.each([
    ['bulkTemplateOffers', 'ofertas.xlsx', ['ofertas', 'tramos_consumo', 'tramos_potencia', 'borrar', 'leeme']],
    [
      'bulkTemplateIndexedOffers',
      'ofertas-indexadas.xlsx',
      ['ofertas', 'precios_indexados', 'tramos_consumo', 'tramos_potencia', 'borrar', 'leeme'],
    ],
    ['bulkTemplateCatalogOffers', 'catalogo.xlsx', ['ofertas', 'tramos_consumo', 'tramos_potencia', 'borrar', 'leeme']],
    [
      'bulkTemplateIndexedCatalogOffers',
      'catalogo-indexado.xlsx',
      ['ofertas', 'precios_indexados', 'tramos_consumo', 'tramos_potencia', 'borrar', 'leeme'],
    ],
  ])('%s is an attachment, called %s', async (operation, fileName, names) => {
    const { headers } = await world.call(operation);
    expect(headers).toMatchObject({
      'Content-Type': XLSX,
      'Content-Disposition': `attachment; filename="${fileName}"`,
    });
    expect(Object.keys(await templateOf(operation))).toEqual(names);
  });

  /** The ids in the first column of `ofertas`. */
  const idsIn = ({ ofertas = [] }: SheetsByHand) => ofertas.slice(1).map(([id]) => id);

  it('A-29: a template has the requested offers: of a firm, of a supply, inactive ones too', async () => {
    const { luzId, gasId, otherLuzId, indexedId, clientId, otherClientId, catalogId, catalogIndexedId } = sample;
    await world.ask('deleteOffer', { params: { id: String(gasId) } });
    const priceless = otherLuzId + 1;
    const ids = async (operation: string, query: Record<string, string>, key = world.fullKey) =>
      idsIn(await templateOf(operation, { query, key }));
    expect(await ids('bulkTemplateOffers', {})).toEqual([luzId, otherLuzId, priceless]);
    expect(await ids('bulkTemplateOffers', { include_inactive: 'true' })).toEqual([
      luzId,
      gasId,
      otherLuzId,
      priceless,
    ]);
    expect(await ids('bulkTemplateOffers', { include_inactive: 'true', supply_type: 'GAS' })).toEqual([gasId]);
    expect(await ids('bulkTemplateOffers', { client_id: String(clientId) })).toEqual([luzId, priceless]);
    expect(await ids('bulkTemplateIndexedOffers', {})).toEqual([indexedId]);
    expect(await ids('bulkTemplateIndexedOffers', { client_id: String(otherClientId) })).toEqual([]);
    const bound = await world.newKey(world.account.id, { firmId: otherClientId });
    expect(await ids('bulkTemplateOffers', {}, bound)).toEqual([otherLuzId]);
    expect(await ids('bulkTemplateCatalogOffers', {}, bound)).toEqual([catalogId]);
    expect(await ids('bulkTemplateCatalogOffers', { supply_type: 'GAS' })).toEqual([]);
    expect(await ids('bulkTemplateIndexedCatalogOffers', {})).toEqual([]);
    expect(await ids('bulkTemplateIndexedCatalogOffers', { include_inactive: 'true' })).toEqual([catalogIndexedId]);
  });

  it('a bound key, or a client_id, reaches the offers of that firm only', async () => {
    const bound = await world.newKey(world.account.id, { firmId: sample.otherClientId });
    const tries: readonly CallInput[] = [{ key: bound }, { query: { client_id: String(sample.otherClientId) } }];
    for (const input of tries) {
      const foreign = { borrar: [['offer_id'], [sample.luzId]] };
      expect(await update('own', foreign, input)).toMatchObject({
        status: 422,
        body: { detail: { errors: [{ error: 'offer_id: no such offer' }] } },
      });
      const firm = {
        ofertas: [
          ['offer_id', 'cliente', 'company_name'],
          [sample.otherLuzId, 'Asesoría Uno', 'Comercializadora Uno'],
        ],
      };
      expect(await update('own', firm, input)).toMatchObject({
        status: 422,
        body: { detail: { errors: [{ error: 'cliente: no such firm' }] } },
      });
      const own = await applied('own', { borrar: [['offer_id'], [sample.otherLuzId]] }, input);
      expect(await upload(own.upload_id)).toMatchObject({ client_id: sample.otherClientId });
    }
    expect(await offer(sample.luzId)).toMatchObject({ is_active: true });
  });

  it('A-23: a file for the catalog leaves a record of the write with the hash of the file', async () => {
    const sheets = { borrar: [['catalog_offer_id'], [sample.catalogId]] };
    expect((await world.call('getOffer', { params: { id: String(sample.catalogId) } })).status).toBe(200);
    const report = await applied('catalog', sheets, { query: { client_id: String(sample.clientId) } });
    expect(await upload(report.upload_id)).toMatchObject({ client_id: null, kind: 'catalog_bulk_update' });
    // No firm can read the offer through the catalog any more.
    expect((await world.call('getOffer', { params: { id: String(sample.catalogId) } })).status).toBe(404);
    const writes = await world.store.read((reader) => reader.catalog.writes({ limit: 10, offset: 0 }));
    expect(writes.results.at(-1)).toMatchObject({
      operation: 'bulk_update',
      fileHash: createHash('sha256').update(fakeFile(sheets)).digest('hex'),
    });
  });
});

describe('A-40: when too many files wait', () => {
  const full: Imports = {
    run: async () => {
      throw new DomainError('unavailable', {
        message: 'other files are being applied: try again later',
        retryAfterSeconds: 10,
        isQueueFull: true,
      });
    },
    wake: () => {},
    expectFile: () => {},
  };

  it.each([
    ['own', ['bulk_update']],
    ['catalog', ['catalog_bulk_update', 'catalog_write']],
  ] as const)('A-40: the call gets Retry-After and its own points back: %s', async (format, limits) => {
    const limiter = createMemoryRateLimiter();
    world = await createWorld(undefined, limiter, { imports: full });
    const call = () => world.send(UPDATE[format], { form: { bytes: fakeFile({}) } });
    for (let turn = 0; turn < 12; turn += 1) {
      const { status, headers } = await call();
      expect([status, headers['Retry-After']]).toEqual([503, '10']);
      // The ceiling has counted it nevertheless.
      expect(headers['RateLimit-Policy']?.split(', ').map((policy) => policy.split(';')[0])).toEqual(
        ['account', ...limits].map((name) => `"${name}"`),
      );
      expect(headers.RateLimit).toMatch(/^"(catalog_)?bulk_update";r=10;/);
    }
    const { headers } = await world.send('getAccount');
    expect(headers.RateLimit).toBe('"account";r=387;t=60');
    expect(await uploadTotal()).toBe(0);
  });

  it('A-40: a 503 for another reason, and any refusal of the file, costs its point', async () => {
    const jobs: ImportJob[] = [];
    const run: Imports['run'] = async (job) => {
      jobs.push(job);
      throw new DomainError('unavailable', { message: 'the database is busy', retryAfterSeconds: 1 });
    };
    world = await createWorld(undefined, createMemoryRateLimiter(), { imports: { ...full, run } });
    const statuses = [];
    for (let turn = 0; turn < 11; turn += 1) {
      statuses.push((await world.send('bulkUpdateOffers', { form: { bytes: fakeFile({}) } })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 503), 429]);
    expect(jobs).toHaveLength(10);
  });
});
