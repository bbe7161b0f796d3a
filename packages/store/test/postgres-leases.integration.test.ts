import {
  DomainError,
  exchangeEvents,
  isUploadQueued,
  type QueueParts,
  runNextUpload,
  type Upload,
} from '@tarifario/core/service';
import { onServer, postgresUrl, stopClock } from '@tarifario/testkit/postgres/databases';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NOW } from './sample-offers.ts';
import { tenantOnPostgres } from './tenant-on-postgres.ts';

const TEN_MINUTES_MS = 600_000;

describe.skipIf(postgresUrl === null)('replicas whose clocks are wrong', () => {
  const { world, open } = tenantOnPostgres();
  let letPass: (milliseconds: number) => Promise<void>;

  beforeAll(async () => {
    letPass = await stopClock(world.database);
  });

  /** The worker of a replica, and what it does with a file: it is refused once it was read. */
  const workerOf = (clockOffMs: number, options: { leaseSeconds?: number; whileReading?: Promise<void> } = {}) => {
    const { whileReading, ...rest } = options;
    const began = Promise.withResolvers<void>();
    const workbooks: QueueParts['workbooks'] = {
      // biome-ignore lint/correctness/useYield: a file of which nothing can be read
      async *read() {
        began.resolve();
        await whileReading;
        throw new DomainError('invalid_request', { message: 'it is not an XLSX workbook' });
      },
    };
    const clock = { now: () => new Date(Date.now() + clockOffMs).toISOString() };
    const parts = { store: open().store, clock, workbooks, sha256: () => '', reportBug: () => {}, ...rest };
    return { began: began.promise, next: () => runNextUpload(parts), hasWork: () => isUploadQueued(parts) };
  };
  const enqueue = () =>
    world.store.write({ ...NOW, keyId, concerns: [world.account.id] }, (writer) => {
      const terms = {
        firmId: null,
        kind: 'offers_bulk_update',
        fileName: 'a.xlsx',
        sizeBytes: 3,
        status: 'pending',
      } as const;
      return writer.uploads.insert(world.account.id, { ...terms, file: new Uint8Array([1, 2, 3]) });
    });
  const statusOf = async ({ id }: Upload) =>
    (await world.store.read((reader) => reader.uploads.get(world.account.id, id)))?.status;
  /** How long a lease still lasts by the clock of the database; `null`: there is none. */
  const secondsLeft = async () => {
    const query =
      'select extract(epoch from lease_until::timestamptz - clock_timestamp())::float8 as left from uploads';
    const { rows } = await onServer(world.database.url, (client) => client.query<{ left: number | null }>(query));
    return rows[0]?.left ?? null;
  };

  let keyId: number;
  beforeEach(async () => {
    const rights = { firmId: null, name: null, fullAccess: true, scopes: [] };
    const terms = { accountId: world.account.id, prefix: 'tfk_abc', secretHash: 'x', ...rights };
    keyId = (await world.store.write(NOW, (writer) => writer.keys.insert(terms))).id;
  });

  test('the time comes from the database, in the format of instants', async () => {
    const instant = await world.store.read((reader) => reader.queue.instant('2020-01-01T00:00:00.000Z'));
    expect(instant).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
    const { rows } = await onServer(world.database.url, (client) =>
      client.query<{ off: number }>(
        'select abs(extract(epoch from clock_timestamp() - $1::timestamptz))::float8 as off',
        [instant],
      ),
    );
    expect(rows[0]?.off).toBeLessThan(10);
  });

  test.each([
    ['ahead', TEN_MINUTES_MS],
    ['behind', -TEN_MINUTES_MS],
  ])('A-38: one that is ten minutes %s keeps a lease for two minutes, and no longer', async (_, offMs) => {
    await enqueue();
    const release = Promise.withResolvers<void>();
    const worker = workerOf(offMs, { whileReading: release.promise });
    const working = worker.next();
    await worker.began;
    expect(await secondsLeft()).toBeCloseTo(120, 2);
    release.resolve();
    expect(await working).toBe(true);
  });

  test('A-38: one that is ten minutes ahead does not take an upload that another one is working on', async () => {
    const upload = await enqueue();
    const release = Promise.withResolvers<void>();
    const worker = workerOf(0, { whileReading: release.promise });
    const working = worker.next();
    await worker.began;
    const ahead = workerOf(TEN_MINUTES_MS);
    expect([await ahead.hasWork(), await ahead.next()]).toEqual([false, false]);
    expect(await statusOf(upload)).toBe('processing');
    release.resolve();
    expect(await working).toBe(true);
    expect(await statusOf(upload)).toBe('failed');
  });

  test('A-123: events that one ten minutes ahead queues, for a webhook that it registered, are sent at once', async () => {
    const at = new Date(Date.now() + TEN_MINUTES_MS).toISOString();
    const place = { place: { revision: 0, kind: 0, id: 0 }, mark: 0 };
    await world.store.write({ keyId, at, concerns: [world.account.id] }, async (writer) => {
      await writer.webhooks.insert(world.account.id, {
        ...{ firmId: null, url: 'https://example.com/', events: ['usage.limit_near'], secret: '', cursorSecret: '' },
        ...{ cursor: { own: place, catalog: place }, ownRevision: 0, catalogRevision: 0 },
      });
      const event = { type: 'usage.limit_near', data: { points: 1, windowSeconds: 60 } } as const;
      await writer.webhooks.queue(world.account.id, event, 'any');
    });
    const clock = { now: () => new Date().toISOString() };
    expect((await exchangeEvents({ store: world.store, clock }, [], 10)).deliveries).toHaveLength(1);
  });

  test('A-38: one that is ten minutes behind takes over the uploads of dead workers', async () => {
    const upload = await enqueue();
    const hanging = workerOf(TEN_MINUTES_MS, { leaseSeconds: 1, whileReading: new Promise(() => {}) });
    void hanging.next();
    await hanging.began;
    const behind = workerOf(-TEN_MINUTES_MS);
    expect([await behind.hasWork(), await behind.next()]).toEqual([false, false]);
    await letPass(1100);
    expect([await behind.hasWork(), await behind.next()]).toEqual([true, true]);
    expect(await statusOf(upload)).toBe('failed');
  });
});
