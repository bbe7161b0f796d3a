import {
  bulkTemplate,
  bulkUpdate,
  createRowReader,
  DomainError,
  type Reader,
  type RefusalCode,
  type Store,
  type Workbooks,
} from '@tarifario/core/service';
import { expect, test } from 'vitest';
import { createImportWorld, type ImportWorld } from '../../test/import-world.ts';

async function codeOf(attempt: Promise<unknown>): Promise<RefusalCode> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  throw new Error('a refusal was expected');
}

/** A file that deactivates an own offer. */
function fileOf(world: ImportWorld, offerId: number) {
  const bytes = world.fileOf({ borrar: [['offer_id'], [offerId]] });
  return { format: 'own', firmId: null, fileName: 'ofertas.xlsx', bytes, dryRun: false } as const;
}

test('A-24: a bulk update is restricted to the firm of the key and the request, and never reaches foreign firms', async () => {
  const world = await createImportWorld();
  const [mine, other] = world.offers;
  const [norte, sur] = world.firms;
  const bound = await world.newCaller({ firmId: norte.id });
  expect(await codeOf(bulkUpdate(world.deps, bound, fileOf(world, other.id)))).toBe('business_rule');
  const asked = { ...fileOf(world, other.id), firmId: sur.id };
  expect(await codeOf(bulkUpdate(world.deps, bound, asked))).toBe('foreign_firm');
  expect(await codeOf(bulkUpdate(world.deps, world.fullCaller, { ...asked, firmId: 999 }))).toBe('foreign_firm');
  await bulkUpdate(world.deps, bound, fileOf(world, mine.id));
  expect((await world.offer(mine.id))?.isActive).toBe(false);
  await bulkUpdate(world.deps, world.fullCaller, asked);
  expect((await world.offer(other.id))?.isActive).toBe(false);
  const uploads = await world.uploads();
  expect(uploads.map(({ firmId, status }) => [firmId, status])).toEqual([
    [norte.id, 'failed'],
    [norte.id, 'completed'],
    [sur.id, 'completed'],
  ]);
});

test('A-23: the catalog can only be updated by editors with keys that are not bound to a firm', async () => {
  const world = await createImportWorld();
  const bytes = world.fileOf({ borrar: [['catalog_offer_id'], [world.catalogOffer.id]] });
  const file = { ...fileOf(world, 0), format: 'catalog', bytes } as const;
  const bound = await world.newCaller({ firmId: world.firms[0].id });
  expect(await codeOf(bulkUpdate(world.deps, bound, file))).toBe('bound_key');
  const reader = { ...world.fullCaller, isCatalogEditor: false };
  expect(await codeOf(bulkUpdate(world.deps, reader, file))).toBe('not_catalog_editor');
  expect(await world.uploads()).toEqual([]);
  await bulkUpdate(world.deps, world.fullCaller, { ...file, firmId: world.firms[0].id });
  expect(await world.uploads()).toMatchObject([{ kind: 'catalog_bulk_update', firmId: null, status: 'completed' }]);
});

test('the name of a file is stored without folders, and refused when it is invalid', async () => {
  const world = await createImportWorld();
  const file = { ...fileOf(world, world.offers[0].id), fileName: 'C:\\Datos\\  enero.xlsx ' };
  expect(await codeOf(bulkUpdate(world.deps, world.fullCaller, { ...file, fileName: 'a/' }))).toBe('business_rule');
  expect(await world.uploads()).toEqual([]);
  await bulkUpdate(world.deps, world.fullCaller, file);
  expect((await world.uploads())[0]?.fileName).toBe('enero.xlsx');
});

async function idsIn(world: ImportWorld, bytes: Uint8Array, format: 'own' | 'catalog' = 'own') {
  const reader = createRowReader(format);
  for await (const part of world.workbooks.read(bytes, 'xlsx')) reader.take(part);
  const { sheets, errorCount } = reader.finish();
  return { ids: sheets.ofertas?.rows.map(({ id }) => id), columns: sheets.ofertas?.columns ?? [], errorCount };
}

const CHOICE = { kind: 'fixed', supplyType: null, includeInactive: false, firmId: null } as const;

test('A-41: a template has the own offers of the caller, or those of one firm when the request is restricted to it', async () => {
  const world = await createImportWorld();
  const [mine, other] = world.offers;
  const bound = await world.newCaller({ firmId: world.firms[0].id });
  const own = { ...CHOICE, format: 'own' } as const;
  expect((await idsIn(world, await bulkTemplate(world.deps, world.fullCaller, own))).ids).toEqual([mine.id, other.id]);
  expect((await idsIn(world, await bulkTemplate(world.deps, bound, own))).ids).toEqual([mine.id]);
  const narrowed = { ...own, firmId: world.firms[1].id };
  expect((await idsIn(world, await bulkTemplate(world.deps, world.fullCaller, narrowed))).ids).toEqual([other.id]);
  expect(await codeOf(bulkTemplate(world.deps, bound, narrowed))).toBe('foreign_firm');
  const gas = await bulkTemplate(world.deps, world.fullCaller, { ...own, supplyType: 'GAS' });
  expect((await idsIn(world, gas)).ids).toEqual([]);
});

test('A-44: a template of the catalog has commissions for those who may see them', async () => {
  const world = await createImportWorld();
  const catalog = { ...CHOICE, format: 'catalog' } as const;
  const full = await idsIn(world, await bulkTemplate(world.deps, world.fullCaller, catalog), 'catalog');
  expect(full).toMatchObject({ ids: [world.catalogOffer.id], errorCount: 0 });
  expect(full.columns).toContain('commission');
  const masked = await world.newCaller({ scopes: ['catalog:read'] });
  const { ids, columns } = await idsIn(world, await bulkTemplate(world.deps, masked, catalog), 'catalog');
  expect(ids).toEqual([world.catalogOffer.id]);
  expect(columns.filter((header) => header.startsWith('commission'))).toEqual([]);
});

test('A-41, A-45, A-61: a template too large to be sent back is refused', async () => {
  const world = await createImportWorld();
  const { accountId } = world.fullCaller;
  const [offer] = world.offers;
  const insert = (count: number) =>
    world.store.write({ keyId: null, at: '2026-02-01T00:00:00.000Z' }, (writer) =>
      writer.insertOffers(
        accountId,
        Array.from({ length: count }, () => offer),
      ),
    );
  let written = 0;
  const counting: Workbooks['write'] = async ([ofertas]) => {
    written = ofertas?.kind === 'table' ? [...ofertas.rows].length : 0;
    return new Uint8Array(10 * 1024 * 1024);
  };
  const deps = { ...world.deps, workbooks: { ...world.workbooks, write: counting } };
  const template = () => bulkTemplate(deps, world.fullCaller, { ...CHOICE, format: 'own' });
  // With the two that are there and the header: exactly 50 000 rows.
  await insert(49_997);
  expect((await template()).length).toBe(10 * 1024 * 1024);
  expect(written).toBe(49_999);
  await insert(1);
  const asked: string[] = [];
  const { read } = world.store;
  const watching: Store['read'] = (work) =>
    read((reader) => {
      const templateState: Reader['templateState'] = (...given) => {
        asked.push('rows');
        return reader.templateState(...given);
      };
      return work({ ...reader, templateState });
    });
  const watched = { ...deps, store: { ...world.store, read: watching } };
  const tooLong = bulkTemplate(watched, world.fullCaller, { ...CHOICE, format: 'own' });
  await expect(tooLong).rejects.toMatchObject({
    code: 'wrong_state',
    details: { message: expect.stringMatching(/^the sheet ofertas /) },
  });
  // Rows are counted, and none is read.
  expect(asked).toEqual([]);
  const workbooks = { ...world.workbooks, write: async () => new Uint8Array(10 * 1024 * 1024 + 1) };
  const narrowed = { ...CHOICE, format: 'own', firmId: world.firms[1].id } as const;
  expect(await codeOf(bulkTemplate({ ...world.deps, workbooks }, world.fullCaller, narrowed))).toBe('wrong_state');
});
