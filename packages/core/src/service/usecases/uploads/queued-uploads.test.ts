import { describe, expect, test } from 'vitest';
import { createImportWorld, type ImportWorld, readingOf } from '../../../../test/import-world.ts';
import {
  codeOf,
  firstPrice,
  lastUpload,
  priceFile,
  queue,
  workerOf,
  worldWithFile,
  write,
} from '../../../../test/upload-queue.ts';
import { secondsAfter } from '../../../engine/calendar.ts';
import { DomainError, type RefusalCode } from '../../../engine/errors.ts';
import type { Caller, Scope } from '../../access/caller.ts';
import { isUploadQueued, MAX_ATTEMPTS, type QueueParts } from './queued-uploads.ts';
import type { NewUpload } from './uploads.ts';

const UNTOLD = { place: { revision: 0, kind: 0, id: 0 }, mark: 0 };
const WEBHOOK = {
  ...{ firmId: null, url: 'https://receptor.example.com/', secret: '', cursorSecret: '' },
  ...{ events: ['upload.finished' as const], cursor: { own: UNTOLD, catalog: UNTOLD } },
  ...{ ownRevision: 0, catalogRevision: 0 },
};

test('A-136: the end of a queued file is told with the trace of the request that sent it', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const world = await createImportWorld();
  const caller = { ...world.fullCaller, traceparent };
  for (const price of [0.3, -1]) await queue(world, priceFile(world, price), caller);
  await world.store.write({ ...write(world), keyId: caller.keyId }, (writer) =>
    writer.webhooks.insert(caller.accountId, WEBHOOK),
  );
  const worker = workerOf(world);
  while (await worker.next());
  const told = [];
  for (let day = 1; day <= 2; day += 1) {
    const at = `2099-01-0${day}T00:00:00.000Z`;
    told.push(
      ...(await world.store.write({ keyId: null, at }, async (writer) => {
        const claimed = await writer.webhooks.claim(`2099-01-0${day}T01:00:00.000Z`, 9);
        for (const one of claimed) await writer.webhooks.settle(one, null);
        return claimed.map(({ event }) => event);
      })),
    );
  }
  const finished = (status: string) => ({ type: 'upload.finished', traceparent, data: { status } });
  expect(told).toMatchObject([finished('completed'), finished('failed')]);
});

describe('A-38: queueing a file', () => {
  test('A-38: creates a pending upload with the file, wakes the worker, and costs a point of the bulk update of its kind', async () => {
    const world = await createImportWorld();
    const upload = await queue(world, { ...priceFile(world, 0.3), ownerFirmId: world.firms[0].id });
    const expected = { kind: 'offers_bulk_update', firmId: world.firms[0].id, status: 'pending', hasFile: true };
    expect(upload).toMatchObject({ ...expected, sizeBytes: 2 });
    await queue(world, { ...priceFile(world, 0.3), kind: 'catalog_bulk_update' });
    const { accountId } = world.fullCaller;
    expect(world.taken).toEqual([`bulk_update:${accountId}`, `catalog_bulk_update:${accountId}`]);
    expect(world.woken.count).toBe(2);
  });

  const refused: readonly [string, readonly Scope[], Partial<NewUpload>, RefusalCode][] = [
    ['without offers:write', ['catalog:write'], {}, 'missing_scope'],
    ['of the catalog without catalog:write', ['offers:write'], { kind: 'catalog_bulk_update' }, 'missing_scope'],
    [
      'of the catalog for a firm',
      ['catalog:write'],
      { kind: 'catalog_bulk_update', ownerFirmId: 1 },
      'invalid_request',
    ],
    ['for a firm of nobody', ['offers:write'], { ownerFirmId: 999 }, 'foreign_firm'],
    [
      'for another firm than the request is narrowed to',
      ['offers:write'],
      { ownerFirmId: 1, firmId: 2 },
      'foreign_firm',
    ],
    ['with a name that is none', ['offers:write'], { fileName: ' ' }, 'business_rule'],
    [
      'that is too large',
      ['offers:write'],
      { file: { bytes: new Uint8Array(10 * 1024 * 1024 + 1), charged: null } },
      'too_large',
    ],
  ];
  test.each(refused)('A-38: is refused %s', async (_, scopes, changes, code) => {
    const world = await createImportWorld();
    const caller = await world.newCaller({ scopes });
    expect(await codeOf(queue(world, { ...priceFile(world, 0.3), ...changes }, caller))).toBe(code);
    expect(await world.uploads()).toEqual([]);
    expect(world.woken.count).toBe(0);
    if (code === 'missing_scope') expect(world.taken).toEqual([]);
  });

  test('A-38: of the catalog is only for editors with a key that is not bound to a firm', async () => {
    const world = await createImportWorld();
    const file = { ...priceFile(world, 0.3), kind: 'catalog_bulk_update' } as const;
    const bound = await world.newCaller({ firmId: world.firms[0].id });
    expect(await codeOf(queue(world, file, bound))).toBe('bound_key');
    expect(await codeOf(queue(world, file, { ...world.fullCaller, isCatalogEditor: false }))).toBe(
      'not_catalog_editor',
    );
  });
});

describe('A-38: the background worker', () => {
  test('applies the file that waited longest first, one at a time, and reports when no file waits', async () => {
    const world = await createImportWorld();
    await queue(world, priceFile(world, 0.3));
    await queue(world, priceFile(world, 0.4));
    const { file: _file, ...announced } = priceFile(world, 0.5);
    await queue(world, { ...announced, kind: 'file' });
    const worker = workerOf(world);
    expect([await worker.next(), await firstPrice(world)]).toEqual([true, 0.3]);
    expect([await worker.next(), await firstPrice(world)]).toEqual([true, 0.4]);
    expect(await worker.next()).toBe(false);
    const uploads = await world.uploads();
    expect(uploads.map(({ status, hasFile }) => [status, hasFile])).toEqual([
      ['completed', false],
      ['completed', false],
      ['pending', false],
    ]);
    expect(uploads[0]).toMatchObject({ result: { replaced: 1 }, error: null });
    expect(worker.bugs).toEqual([]);
  });

  test('writes with the key that sent the file, restricted to the firm of the upload', async () => {
    const world = await createImportWorld();
    const caller = await world.newCaller({ scopes: ['offers:write'] });
    await queue(world, { ...priceFile(world, 0.3), ownerFirmId: world.firms[0].id }, caller);
    await workerOf(world).next();
    const versions = await world.store.read((reader) =>
      reader.offers.versions(world.fullCaller.accountId, world.offers[0].id),
    );
    expect(versions.at(-1)?.keyId).toBe(caller.keyId);
    await queue(world, { ...priceFile(world, 0.3), ownerFirmId: world.firms[1].id }, caller);
    await workerOf(world).next();
    expect(await lastUpload(world)).toMatchObject({
      status: 'failed',
      hasFile: true,
      error: { code: 'business_rule', errorCount: 1, errors: [{ message: 'no such offer' }] },
    });
  });

  const withdrawn: readonly [string, RefusalCode, (world: ImportWorld, caller: Caller) => Promise<unknown>][] = [
    [
      'the key',
      'unauthenticated',
      (world, { keyId }) => world.store.write(write(world), (writer) => writer.keys.revoke(keyId)),
    ],
    [
      'the account',
      'account_inactive',
      (world, { accountId }) =>
        world.store.write(write(world), (writer) => writer.accounts.update(accountId, { isActive: false })),
    ],
    [
      'the firm of the key',
      'firm_inactive',
      (world, { accountId }) =>
        world.store.write(write(world), (writer) =>
          writer.firms.update(accountId, world.firms[0].id, { ...world.firms[0], isActive: false }),
        ),
    ],
  ];
  test.each(withdrawn)('A-38: applies nothing after %s was deactivated', async (_, code, withdraw) => {
    const world = await createImportWorld();
    const caller = await world.newCaller({ firmId: world.firms[0].id });
    await queue(world, priceFile(world, 0.3), caller);
    await withdraw(world, caller);
    expect(await workerOf(world).next()).toBe(true);
    expect(await lastUpload(world)).toMatchObject({ status: 'failed', hasFile: true, error: { code } });
    expect(await firstPrice(world)).toBe(0.1);
  });

  test('A-38: applies nothing when the key is revoked while the file is planned', async () => {
    const world = await createImportWorld();
    const caller = await world.newCaller({});
    await queue(world, priceFile(world, 0.3), caller);
    const sha256 = () => {
      // Called between the plan and the write.
      revoked = world.store.write(write(world), (writer) => writer.keys.revoke(caller.keyId));
      return '';
    };
    let revoked: Promise<unknown> = Promise.resolve();
    await workerOf(world, { sha256 }).next();
    await revoked;
    expect(await lastUpload(world)).toMatchObject({ status: 'failed', error: { code: 'unauthenticated' } });
    expect(await firstPrice(world)).toBe(0.1);
  });

  test('applies nothing to the catalog once the account is no longer an editor', async () => {
    const world = await createImportWorld();
    const bytes = world.fileOf({ borrar: [['catalog_offer_id'], [world.catalogOffer.id]] });
    await queue(world, { ...priceFile(world, 0.3), kind: 'catalog_bulk_update', file: { bytes, charged: null } });
    const { accountId } = world.fullCaller;
    await world.store.write(write(world), (writer) => writer.accounts.update(accountId, { isCatalogEditor: false }));
    await workerOf(world).next();
    expect(await lastUpload(world)).toMatchObject({ status: 'failed', error: { code: 'not_catalog_editor' } });
  });

  test('fails a file that causes a bug without details, reports the bug, and continues', async () => {
    const world = await worldWithFile();
    const bug = new TypeError('secret');
    const worker = workerOf(world, {
      sha256: () => {
        throw bug;
      },
    });
    expect(await worker.next()).toBe(true);
    expect(worker.bugs).toEqual([bug]);
    const error = { code: 'internal_error', message: 'internal error' };
    expect(await lastUpload(world)).toMatchObject({ status: 'failed', hasFile: true, error });
  });

  test('sets a file back to pending when reading is unavailable, and does not try again at once', async () => {
    const world = await worldWithFile();
    const workbooks = readingOf(world, {
      before: () => Promise.reject(new DomainError('unavailable', { retryAfterSeconds: 1 })),
    });
    expect(await workerOf(world, { workbooks }).next()).toBe(false);
    expect(await lastUpload(world)).toMatchObject({ status: 'pending', hasFile: true, finishedAt: null });
    expect(await workerOf(world).next()).toBe(true);
    expect(await lastUpload(world)).toMatchObject({ status: 'completed' });
  });

  test('A-38: takes over the file of a dead worker when its lease has expired', async () => {
    const world = await worldWithFile();
    const { clock, store } = world.parts;
    const until = secondsAfter(clock.now(), 120);
    await store.write(write(world), (writer) => writer.queue.claim(until));
    expect(await workerOf(world).next()).toBe(false);
    world.pass(120);
    expect(clock.now() > until).toBe(true);
    expect(await workerOf(world).next()).toBe(true);
    expect(await lastUpload(world)).toMatchObject({ status: 'completed' });
  });

  test('A-38: takes over the file of a dead worker whose clock was a day ahead', async () => {
    const world = await worldWithFile();
    const { clock, store } = world.parts;
    world.pass(24 * 3600);
    const { at } = write(world);
    await store.write({ keyId: null, at }, (writer) => writer.queue.claim(secondsAfter(clock.now(), 120)));
    world.pass(-24 * 3600);
    expect(await isUploadQueued(world.parts)).toBe(true);
    expect(await workerOf(world).next()).toBe(true);
    expect(await lastUpload(world)).toMatchObject({ status: 'completed' });
  });

  test('A-38: fails a file that was taken three times and never finished', async () => {
    const world = await worldWithFile();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const claimed = await world.store.write(write(world), (writer) => writer.queue.claim(world.parts.clock.now()));
      expect(claimed?.attempt).toBe(attempt);
      world.pass(10);
    }
    expect(await workerOf(world).next()).toBe(true);
    const error = { code: 'internal_error', message: { values: { count: 3 } } };
    expect(await lastUpload(world)).toMatchObject({ status: 'failed', hasFile: true, error });
    expect(await firstPrice(world)).toBe(0.1);
  });

  test('A-38: that was slower than its lease does not change the upload, which another worker has', async () => {
    const world = await worldWithFile();
    const other = workerOf(world);
    // While the first one reads, its lease runs out, and the second one does it all.
    const workbooks = readingOf(world, {
      before: async () => {
        world.pass(600);
        expect(await other.next()).toBe(true);
      },
    });
    const slow = workerOf(world, { workbooks });
    expect(await slow.next()).toBe(true);
    expect(slow.bugs).toEqual([]);
    expect(await lastUpload(world)).toMatchObject({ status: 'completed', result: { replaced: 1 } });
    const versions = await world.store.read((reader) =>
      reader.offers.versions(world.fullCaller.accountId, world.offers[0].id),
    );
    expect(versions).toHaveLength(2);
  });

  test.each([
    ['reads it', null],
    ['finds that it cannot be read', new DomainError('invalid_request', { message: 'it is not an XLSX workbook' })],
    ['finds that others are in the way', new DomainError('unavailable', { retryAfterSeconds: 1 })],
    ['breaks', new Error('no memory')],
  ])(
    'A-38: that was slower than its lease and then %s takes nothing from the worker that has the upload',
    async (_, failure) => {
      const world = await worldWithFile();
      const slowIsDone = Promise.withResolvers<void>();
      const [otherBegan, other] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()];
      const whileSecondReads = async () => {
        otherBegan.resolve();
        await slowIsDone.promise;
      };
      const second = workerOf(world, { workbooks: readingOf(world, { before: whileSecondReads }) });
      const whileSlowReads = async () => {
        world.pass(600);
        other.resolve(second.next());
        await otherBegan.promise;
        if (failure) throw failure;
      };
      const slow = workerOf(world, { workbooks: readingOf(world, { before: whileSlowReads }) });
      await slow.next();
      expect(await lastUpload(world)).toMatchObject({ status: 'processing', error: null, hasFile: true });
      expect(await firstPrice(world)).toBe(0.1);
      slowIsDone.resolve();
      expect(await other.promise).toBe(true);
      expect(await lastUpload(world)).toMatchObject({ status: 'completed', result: { replaced: 1 } });
      expect(second.bugs).toEqual([]);
    },
  );

  test('A-38: that loses its lease while it plans applies nothing', async () => {
    const world = await worldWithFile();
    const { store } = world.parts;
    let plans = 0;
    const taking: QueueParts['store'] = {
      write: store.write,
      read: async (work) => {
        const answer = await store.read(work);
        // Reads: the instant, the caller, the instant again, the plan.
        plans += 1;
        if (plans < 4) return answer;
        world.pass(600);
        const another = { keyId: null, at: world.parts.clock.now() };
        await store.write(another, (writer) => writer.queue.claim('2027-01-01T00:00:00.000Z'));
        return answer;
      },
    };
    expect(await workerOf(world, { store: taking }).next()).toBe(true);
    expect(plans).toBe(4);
    expect(await lastUpload(world)).toMatchObject({ status: 'processing', error: null, hasFile: true });
    expect(await firstPrice(world)).toBe(0.1);
  });

  test('does not change an upload that was released and taken by another worker meanwhile', async () => {
    const world = await createImportWorld();
    const { id } = await queue(world, priceFile(world, 0.3));
    const { store } = world.parts;
    const { accountId } = world.fullCaller;
    const release = { from: 'processing', to: 'pending', finishedAt: null } as const;
    const workbooks = readingOf(world, {
      after: () => store.write(write(world), (writer) => writer.uploads.update(accountId, id, release)),
    });
    const taking: QueueParts['store'] = {
      read: (work) => store.read(work),
      write: async (context, work) => {
        const answer = await store.write(context, work);
        // The lease is no longer ours: another worker has it.
        const another = { keyId: null, at: context.at };
        if (answer === false) await store.write(another, (writer) => writer.queue.claim('2027-01-01T00:00:00.000Z'));
        return answer;
      },
    };
    expect(await workerOf(world, { workbooks, store: taking }).next()).toBe(true);
    expect(await lastUpload(world)).toMatchObject({ status: 'processing', error: null });
    expect(await firstPrice(world)).toBe(0.1);
  });

  test('reaches no more than the key that sent the file, whatever the upload is for', async () => {
    const world = await createImportWorld();
    const bound = await world.newCaller({ firmId: world.firms[0].id });
    const { file, kind } = priceFile(world, 0.3, world.offers[1]);
    const terms = {
      firmId: null,
      kind,
      fileName: 'a.xlsx',
      sizeBytes: 1,
      status: 'pending',
      file: file.bytes,
    } as const;
    await world.store.write({ ...write(world), keyId: bound.keyId }, (writer) =>
      writer.uploads.insert(bound.accountId, terms),
    );
    await workerOf(world).next();
    expect(await lastUpload(world)).toMatchObject({
      status: 'failed',
      error: { errors: [{ message: 'no such offer' }] },
    });
  });

  test('extends its lease when reading the file took long', async () => {
    const world = await worldWithFile();
    const other = workerOf(world);
    const workbooks = readingOf(world, { after: async () => world.pass(100) });
    const sha256 = () => {
      world.pass(100);
      taken = other.next();
      return '';
    };
    let taken: Promise<boolean> = Promise.resolve(true);
    await workerOf(world, { workbooks, sha256, leaseSeconds: 150 }).next();
    expect(await taken).toBe(false);
    expect(await lastUpload(world)).toMatchObject({ status: 'completed' });
  });
});
