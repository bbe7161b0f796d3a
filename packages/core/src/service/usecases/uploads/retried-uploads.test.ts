import { describe, expect, test } from 'vitest';
import { createImportWorld, type ImportWorld } from '../../../../test/import-world.ts';
import { FORMULA, sheet } from '../../../../test/simple-bulk.ts';
import {
  codeOf,
  firstPrice,
  lastUpload,
  priceFile,
  queue,
  run,
  workerOf,
  write,
} from '../../../../test/upload-queue.ts';
import type { Upload } from '../../uploads/upload.ts';
import { sweepUploadFiles } from './sweeps.ts';
import { cancelUpload, retryUpload } from './uploads.ts';

describe('A-38: retry and cancel', () => {
  async function failedUpload(world: ImportWorld): Promise<Upload> {
    const upload = await queue(world, priceFile(world, FORMULA));
    await workerOf(world).next();
    return upload;
  }

  test('a failed file is applied again, without the errors of the first time, and costs a point', async () => {
    const world = await createImportWorld();
    // Wrong as long as there is no such firm.
    const bytes = world.fileOf({
      ofertas: sheet(['offer_id', 'cliente', 'company_name', 'e1'], [world.offers[0].id, 'Centro', 'Iber', 0.3]),
    });
    const { id } = await queue(world, { ...priceFile(world, 0.3), file: { bytes, charged: null } });
    await workerOf(world).next();
    expect(await lastUpload(world)).toMatchObject({ status: 'failed' });
    const [firm] = world.firms;
    await world.store.write(write(world), (writer) =>
      writer.firms.update(world.fullCaller.accountId, firm.id, { ...firm, name: 'Centro' }),
    );
    const woken = world.woken.count;
    const retried = await run(world, retryUpload, { id, firmId: null });
    expect(retried).toMatchObject({ status: 'pending', error: null, result: null, finishedAt: null, hasFile: true });
    expect(world.woken.count).toBe(woken + 1);
    expect(world.taken).toEqual(Array.from({ length: 2 }, () => `bulk_update:${world.fullCaller.accountId}`));
    await workerOf(world).next();
    expect(await lastUpload(world)).toMatchObject({ status: 'completed', hasFile: false });
    expect(await firstPrice(world)).toBe(0.3);
  });

  test('A-38: a direct bulk update that was refused is retried by the worker', async () => {
    const world = await createImportWorld();
    const [firm] = world.firms;
    const [, other] = world.offers;
    const job = world.jobOf({ borrar: [['offer_id'], [other.id]] }, { firmId: firm.id });
    expect(await codeOf(world.deps.imports.run(job))).toBe('business_rule');
    const [upload] = await world.uploads();
    await run(world, retryUpload, { id: upload?.id ?? 0, firmId: null });
    await workerOf(world).next();
    // Narrowed as it was: it fails again, and not for the whole account.
    expect(await lastUpload(world)).toMatchObject({ id: upload?.id, status: 'failed', firmId: firm.id });
  });

  test('a retry needs the scope of the kind, and a file', async () => {
    const world = await createImportWorld();
    const { id } = await failedUpload(world);
    const reader = await world.newCaller({ scopes: ['offers:read'] });
    expect(await codeOf(run(world, retryUpload, { id, firmId: null }, reader))).toBe('missing_scope');
    await world.store.write(write(world), (writer) => writer.uploads.dropFile(world.fullCaller.accountId, id));
    expect(await codeOf(run(world, retryUpload, { id, firmId: null }))).toBe('wrong_state');
    expect(await lastUpload(world)).toMatchObject({ status: 'failed', error: { code: 'business_rule' } });
    // A refusal takes only the point of the file itself.
    expect(world.taken).toHaveLength(1);
  });

  test('A-38: a key that sees no commissions retries what it has sent itself, and no file of another key', async () => {
    const world = await createImportWorld();
    const { id } = await failedUpload(world);
    const blind = await world.newCaller({ scopes: ['offers:read', 'offers:write'] });
    expect(await codeOf(run(world, retryUpload, { id, firmId: null }, blind))).toBe('missing_scope');
    const seeing = await world.newCaller({ scopes: ['offers:write', 'commissions:read'] });
    expect(await run(world, retryUpload, { id, firmId: null }, seeing)).toMatchObject({ status: 'pending' });
    const own = await queue(world, priceFile(world, FORMULA), blind);
    while (await workerOf(world).next());
    expect(await run(world, retryUpload, { id: own.id, firmId: null }, blind)).toMatchObject({ status: 'pending' });
  });

  test('A-38: a file is applied ten times an hour, however often it is tried again', async () => {
    const world = await createImportWorld();
    const { id } = await failedUpload(world);
    for (let turn = 2; turn <= 10; turn += 1) {
      await run(world, retryUpload, { id, firmId: null });
      await workerOf(world).next();
    }
    expect(await codeOf(run(world, retryUpload, { id, firmId: null }))).toBe('rate_limited');
    expect(await lastUpload(world)).toMatchObject({ status: 'failed', error: { code: 'business_rule' } });
  });

  test('A-38: the file of a cancelled upload is deleted and never applied', async () => {
    const world = await createImportWorld();
    const { id } = await queue(world, priceFile(world, 0.3));
    const cancelled = await run(world, cancelUpload, { id, firmId: null });
    expect(cancelled).toMatchObject({ status: 'cancelled', hasFile: false });
    expect(await workerOf(world).next()).toBe(false);
    expect(await firstPrice(world)).toBe(0.1);
  });

  test('A-38: the file of a failed upload is deleted after seven days, and then it cannot be retried', async () => {
    const world = await createImportWorld();
    const { id } = await failedUpload(world);
    world.pass(7 * 86_400 - 60);
    expect(await sweepUploadFiles(world.deps)).toBe(0);
    world.pass(120);
    expect(await sweepUploadFiles(world.deps)).toBe(1);
    expect(await lastUpload(world)).toMatchObject({ status: 'failed', hasFile: false });
    expect(await codeOf(run(world, retryUpload, { id, firmId: null }))).toBe('wrong_state');
  });
});
