import { newDatabase } from '@tarifario/testkit/postgres/databases';
import { startNetwork } from '@tarifario/testkit/postgres/network';
import { findBinaries, type PostgresServer, startPostgres } from '@tarifario/testkit/postgres/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countOffers, insert, manyOffers, NOW, sampleTenant } from './sample-offers.ts';
import { openWith } from './tenant-on-postgres.ts';

const UNAVAILABLE = { name: 'DomainError', code: 'unavailable', details: { retryAfterSeconds: 1 } };

describe.skipIf(findBinaries() === null)('a server that crashes', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    // Only commits are written to the disk.
    server = await startPostgres(findBinaries() ?? '', ['synchronous_commit=on', 'wal_writer_delay=10s']);
  });
  afterAll(() => server.stop());

  test('loses an unwritten commit and counts on without it: the caller learns that nothing was committed', async () => {
    const database = await newDatabase(server.url());
    const calm = openWith(database.url);
    const tenant = await sampleTenant(calm.store);
    const network = await startNetwork(server.port);
    const { store } = openWith(network.url(database.url), { answerMs: 1500, connectMs: 1500, askMs: 60_000 });
    const attempt = store.write({ ...NOW, concerns: [tenant.account.id] }, async (writer) => {
      await writer.offers.insert(tenant.account.id, manyOffers(tenant.company.id, 5));
      network.hold(true);
    });
    const error = attempt.catch((thrown: unknown) => thrown);
    await network.swallowed('commit\0');
    await server.crash();
    // The first caller may get a broken connection.
    await insert(calm.store, tenant, 3).catch(() => insert(calm.store, tenant, 3));
    await insert(calm.store, tenant, 3);
    network.hold(false);
    expect(await error).toMatchObject({ ...UNAVAILABLE, message: 'the database cannot be used for now' });
    expect(await countOffers(calm.store, tenant)).toBe(6);
    await store.close();
    await calm.store.close();
    await network.close();
  });

  test('and comes back: answered changes are there, running ones are not, and the process continues', async () => {
    const database = await newDatabase(server.url());
    const { store } = openWith(database.url);
    const tenant = await sampleTenant(store);
    await insert(store, tenant, 3);
    const attempt = store.write({ ...NOW, concerns: [tenant.account.id] }, async (writer) => {
      await writer.offers.insert(tenant.account.id, manyOffers(tenant.company.id, 5));
      await server.crash();
      await writer.offers.insert(tenant.account.id, manyOffers(tenant.company.id, 5));
    });
    await expect(attempt).rejects.toMatchObject(UNAVAILABLE);
    expect(await countOffers(store, tenant)).toBe(3);
    await insert(store, tenant, 1);
    expect(await countOffers(store, tenant)).toBe(4);
    await server.crash();
    await expect.poll(() => countOffers(store, tenant).catch(() => null)).toBe(4);
    await store.close();
  });
});
