import { bulkTemplate, createRowReader, type Reader, type Store, type Workbooks } from '@tarifario/core/service';
import { expect, test } from 'vitest';
import { createImportWorld, type ImportWorld } from '../../test/import-world.ts';
import { refusalOf } from '../../testing/callers.ts';

const codeOf = async (attempt: Promise<unknown>) => (await refusalOf(attempt)).code;

/** A file that deactivates an own offer. */
function _fileOf(world: ImportWorld, offerId: number) {
  const bytes = world.fileOf({ borrar: [['offer_id'], [offerId]] });
  return { format: 'own', firmId: null, fileName: 'ofertas.xlsx', bytes, dryRun: false } as const;
}

async function _idsIn(world: ImportWorld, bytes: Uint8Array, format: 'own' | 'catalog' = 'own') {
  const reader = createRowReader(format);
  for await (const part of world.workbooks.read(bytes, 'xlsx')) reader.take(part);
  const { sheets, errorCount } = reader.finish();
  return { ids: sheets.ofertas?.rows.map(({ id }) => id), columns: sheets.ofertas?.columns ?? [], errorCount };
}

const CHOICE = { kind: 'fixed', supplyType: null, includeInactive: false, firmId: null } as const;

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
