import { newDatabase } from '@tarifario/testkit/postgres/databases';
import { findBinaries, startPostgres } from '@tarifario/testkit/postgres/server';
import { describe, expect, test } from 'vitest';
import { countOffers, insert, sampleTenant } from './sample-offers.ts';
import { openWith } from './tenant-on-postgres.ts';

describe.skipIf(findBinaries() === null)('a primary that waits for its standby', () => {
  test('does not let a change be acknowledged that the standby does not have, however long it waits', async () => {
    const primary = await startPostgres(findBinaries() ?? '', ['synchronous_commit=on']);
    const standby = await primary.startStandby();
    const { url } = await newDatabase(primary.url());
    const { store } = openWith(url, { statementMs: 300, answerMs: 1500, askMs: 300 });
    const tenant = await sampleTenant(store);
    await insert(store, tenant, 2);
    await standby.quit();
    await expect(insert(store, tenant, 1)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('nobody can say'),
    });
    expect(await countOffers(store, tenant)).toBe(2);
    await store.close();
    await primary.stop();
    await standby.stop();
  });
});
