import { describe, expect, test } from 'vitest';
import { createImportWorld, type ImportWorld } from '../../../../test/import-world.ts';
import { sheet, type TestWorkbook } from '../../../../test/simple-bulk.ts';
import { codeOf, firstPrice, lastUpload, run, workerOf, write } from '../../../../test/upload-queue.ts';
import { luz } from '../../../../testing/contract/world.ts';
import { versionOfOffer } from '../../../bulk/row-version.ts';
import { changeOf } from '../../../engine/offers/difference.ts';
import type { Caller } from '../../access/caller.ts';
import type { ImportReport } from '../../ports/imports.ts';
import { bulkUpdate } from './bulk.ts';
import { sweepUploadFiles } from './sweeps.ts';
import { applyUpload, cancelUpload } from './uploads.ts';

/** Another digest for any other content. */
const digest = (content: Uint8Array | string) => {
  let hash = 7n;
  for (const unit of content)
    hash = (hash * 1_000_003n + BigInt(Number(unit) || String(unit).charCodeAt(0))) % 2n ** 61n;
  return String(hash);
};

async function newWorld(): Promise<ImportWorld> {
  const world = await createImportWorld();
  Object.assign(world.parts, { sha256: digest });
  return world;
}

const pricesOf = (world: ImportWorld, price = 0.3): TestWorkbook => ({
  ofertas: sheet(['offer_id', 'e1'], [world.offers[0].id, price]),
});

interface Sent {
  readonly caller?: Caller;
  readonly format?: 'own' | 'catalog';
  readonly firmId?: number | null;
  readonly force?: boolean;
}

/** Looks at a file and keeps it. */
async function check(world: ImportWorld, workbook: TestWorkbook = pricesOf(world), sent: Sent = {}): Promise<number> {
  const { caller = world.fullCaller, format = 'own', firmId = null, force = false } = sent;
  const file = { fileName: 'a.xlsx', bytes: world.fileOf(workbook), format, firmId, force, idempotencyRequest: null };
  const report = await bulkUpdate(world.deps, caller, { ...file, dryRun: true, keep: true });
  return report.uploadId ?? 0;
}

const apply = (world: ImportWorld, id: number, caller = world.fullCaller): Promise<ImportReport> =>
  applyUpload(world.deps, caller, { id, firmId: null, idempotencyRequest: null });

const change = (world: ImportWorld, terms: object, offer = world.offers[0]) =>
  world.store.write(write(world), async (writer) => {
    const before = (await writer.offers.byId(world.fullCaller.accountId, [offer.id]))[0]?.offer ?? offer;
    const changed = changeOf(before, { ...before, ...terms });
    if (changed) await writer.offers.update(world.fullCaller.accountId, [changed]);
  });

describe('A-129: the file of a dry run', () => {
  test('is applied with the report of a bulk update, without a point, and once', async () => {
    const world = await newWorld();
    const id = await check(world);
    expect(await firstPrice(world)).toBe(0.1);
    expect(await lastUpload(world)).toMatchObject({
      id,
      status: 'pending',
      hasFile: false,
      sizeBytes: 2,
      result: null,
    });
    const expected = { uploadId: id, counts: { replaced: 1 }, diff: null };
    const attempts = await Promise.allSettled([apply(world, id), apply(world, id), apply(world, id)]);
    const reports = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
    expect(reports).toEqual([
      expect.objectContaining({ ...expected, counts: expect.objectContaining(expected.counts) }),
    ]);
    expect(await firstPrice(world)).toBe(0.3);
    expect(await world.uploads()).toMatchObject([{ id, status: 'completed', result: { replaced: 1 }, error: null }]);
    expect(await codeOf(apply(world, id))).toBe('wrong_state');
    expect(world.taken).toEqual([]);
  });

  test('is not kept without a dry run, and no worker applies it', async () => {
    const world = await newWorld();
    const file = { fileName: 'a.xlsx', bytes: world.fileOf(pricesOf(world)), format: 'own', firmId: null } as const;
    const attempt = bulkUpdate(world.deps, world.fullCaller, {
      ...file,
      keep: true,
      dryRun: false,
      idempotencyRequest: null,
    });
    expect(await codeOf(attempt)).toBe('invalid_request');
    await check(world);
    expect([await workerOf(world).next(), await firstPrice(world)]).toEqual([false, 0.1]);
  });

  const others: readonly [string, (world: ImportWorld) => Promise<unknown>, boolean][] = [
    [
      'a field that the file changes',
      (world) => change(world, { energyEurPerKwh: [0.2, ...Array(5).fill(null)] }),
      false,
    ],
    ['the name of an offer of the file', (world) => change(world, { offerName: 'Otra' }), false],
    ['a field that the file leaves', (world) => change(world, { servicesEurPerMonth: 3 }), true],
    ['another offer', (world) => change(world, { offerName: 'Otra' }, world.offers[1]), true],
    [
      'the number of offers',
      (world) =>
        world.store.write(write(world), (writer) =>
          writer.offers.insert(world.fullCaller.accountId, [luz(world.companies[0].id, { offerName: 'Nueva' })]),
        ),
      true,
    ],
  ];
  test.each(others)('after a change of %s is applied only if it does what was shown', async (_, act, isApplied) => {
    const world = await newWorld();
    const id = await check(world);
    await act(world);
    const before = await firstPrice(world);
    if (isApplied) expect(await apply(world, id)).toMatchObject({ uploadId: id, counts: { replaced: 1 } });
    else {
      expect(await codeOf(apply(world, id))).toBe('wrong_state');
      expect(await firstPrice(world)).toBe(before);
      expect(await lastUpload(world)).toMatchObject({ status: 'failed', error: { code: 'wrong_state' } });
      expect(await codeOf(apply(world, id))).toBe('wrong_state');
    }
  });

  test('with a change far behind the entries that are shown is not applied', async () => {
    const world = await newWorld();
    const many = await world.store.write(write(world), (writer) =>
      writer.offers.insert(
        world.fullCaller.accountId,
        Array.from({ length: 1500 }, () => luz(world.companies[0].id)),
      ),
    );
    const rows = many.map(({ id }) => [id, 0.3]);
    const id = await check(world, { ofertas: sheet(['offer_id', 'e1'], ...rows) });
    const last = many.at(-1);
    if (!last) throw new Error('offers were made');
    await change(world, { offerName: 'Otra' }, last);
    expect(await codeOf(apply(world, id))).toBe('wrong_state');
  });

  test('tells a caller without commissions nothing about changes of commissions', async () => {
    const world = await newWorld();
    const masked = await world.newCaller({ scopes: ['offers:write'] });
    const workbook = { ofertas: sheet(['offer_id', 'e1', 'commission'], [world.offers[0].id, 0.3, 55]) };
    const seen = await check(world, workbook);
    const id = await check(world, workbook, { caller: masked });
    await change(world, { commissionValue: 44 });
    expect(await apply(world, id, masked)).toMatchObject({ uploadId: id });
    await change(world, { commissionValue: 44, energyEurPerKwh: [0.1, ...Array(5).fill(null)] });
    expect(await codeOf(apply(world, seen))).toBe('wrong_state');
  });

  test('is applied only with the rights of who looked at it', async () => {
    const world = await newWorld();
    const masked = await world.newCaller({ scopes: ['offers:write'] });
    for (const [looking, applying] of [
      [world.fullCaller, masked],
      [masked, world.fullCaller],
    ] as const) {
      const id = await check(world, pricesOf(world), { caller: looking });
      expect(await codeOf(apply(world, id, applying))).toBe('wrong_state');
      expect(await firstPrice(world)).toBe(0.1);
    }
  });

  test('is refused to who may not apply it, and stays', async () => {
    const world = await newWorld();
    const [norte, sur] = world.firms;
    const own = await check(world, pricesOf(world), { firmId: norte.id });
    const shared = await check(
      world,
      { ofertas: sheet(['catalog_offer_id', 'e1'], [world.catalogOffer.id, 0.3]) },
      { format: 'catalog' },
    );
    const reader = await world.newCaller({ scopes: ['offers:read'] });
    const stranger = await world.newCaller({ firmId: sur.id });
    expect(await codeOf(apply(world, own, reader))).toBe('missing_scope');
    expect(await codeOf(apply(world, own, stranger))).toBe('not_found');
    expect(await codeOf(apply(world, own, { ...world.fullCaller, accountId: 999 }))).toBe('not_found');
    expect(await codeOf(apply(world, shared, { ...world.fullCaller, isCatalogEditor: false }))).toBe(
      'not_catalog_editor',
    );
    expect(await apply(world, own, await world.newCaller({ firmId: norte.id }))).toMatchObject({ uploadId: own });
    expect(await apply(world, shared)).toMatchObject({ uploadId: shared });
  });

  test('is forgotten when it is cancelled, after a day, and beyond the last twenty of the account', async () => {
    const world = await newWorld();
    const cancelled = await check(world);
    await run(world, cancelUpload, { id: cancelled, firmId: null });
    expect(await codeOf(apply(world, cancelled))).toBe('wrong_state');
    const first = await check(world);
    for (let count = 0; count < 20; count += 1) await check(world);
    expect(await sweepUploadFiles(world.deps)).toBe(1);
    expect((await world.uploads()).find(({ id }) => id === first)).toMatchObject({ status: 'cancelled' });
    const last = await lastUpload(world);
    world.pass(24 * 3600);
    expect(await codeOf(apply(world, last?.id ?? 0))).toBe('wrong_state');
    expect(await sweepUploadFiles(world.deps)).toBe(20);
    expect(new Set((await world.uploads()).map(({ status }) => status))).toEqual(new Set(['cancelled']));
  });

  test('is applied with the force that it was looked at with', async () => {
    const world = await newWorld();
    const version = versionOfOffer(world.offers[0], { seesCommissions: true });
    const stale = { ofertas: sheet(['offer_id', 'e1', 'version'], [world.offers[0].id, 0.3, version]) };
    await change(world, { energyEurPerKwh: [0.2, ...Array(5).fill(null)] });
    expect(await codeOf(check(world, stale))).toBe('business_rule');
    const id = await check(world, stale, { force: true });
    expect(await apply(world, id)).toMatchObject({ uploadId: id });
    expect(await firstPrice(world)).toBe(0.3);
  });
});
