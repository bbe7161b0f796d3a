import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '@tarifario/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
// The quick faults as well: this file is the one that has all of them.
import './postgres-crashes.integration.test.ts';
import './postgres-faults.integration.test.ts';
import { newDatabase, onServer } from '@tarifario/testkit/postgres/databases';
import { findBinaries, type PostgresServer, startPostgres } from '@tarifario/testkit/postgres/server';
import { countOffers, insert, sampleTenant } from './sample-offers.ts';
import { openWith } from './tenant-on-postgres.ts';

const UNAVAILABLE = { name: 'DomainError', code: 'unavailable' };

describe.skipIf(findBinaries() === null)('a server of its own', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres(findBinaries() ?? '', ['synchronous_commit=on']);
  });
  afterAll(() => server.stop());

  test('that crashes repeatedly under load keeps all answered changes, each of them whole', async () => {
    const database = await newDatabase(server.url());
    const { store } = openWith(database.url, { askMs: 20_000 });
    const tenant = await sampleTenant(store);
    let [answered, isUnknown, isRunning] = [0, 0, true];
    const writers = Array.from({ length: 4 }, async () => {
      while (isRunning) {
        try {
          await insert(store, tenant, 7);
          answered += 7;
        } catch (error) {
          expect(error).toMatchObject(UNAVAILABLE);
          if (String(error).includes('nobody can say')) isUnknown += 7;
        }
      }
    });
    for (let crash = 0; crash < 8; crash += 1) {
      await sleep(700);
      await server.crash();
    }
    isRunning = false;
    await Promise.all(writers);
    const total = await countOffers(store, tenant);
    expect(total % 7).toBe(0);
    expect(total).toBeGreaterThanOrEqual(answered);
    expect(total).toBeLessThanOrEqual(answered + isUnknown);
    expect(answered).toBeGreaterThan(0);
    expect((await store.read((reader) => reader.changes.revisions(tenant.account.id))).own).toBe(1 + total / 7);
    await store.close();
  });

  test('whose disk is full refuses writes, stays readable, and continues when there is space', async () => {
    const disk = mountSmallDisk(server);
    if (disk === null) {
      process.stderr.write('*** A file system cannot be mounted here: a full disk is only simulated.\n');
      return;
    }
    try {
      await onServer(server.url(), (client) => client.query(`create tablespace small location '${disk.path}'`));
      await onServer(server.url(), (client) =>
        client.query('create database full_disk template template0 tablespace small'),
      );
      await migrate(server.url('full_disk'));
      const { store, reports } = openWith(server.url('full_disk'));
      const tenant = await sampleTenant(store);
      let committed = 0;
      let refusal: unknown = null;
      while (refusal === null && committed < 200_000) {
        await insert(store, tenant, 2000).then(
          () => {
            committed += 2000;
          },
          (error: unknown) => {
            refusal = error;
          },
        );
      }
      expect(refusal).toMatchObject(UNAVAILABLE);
      expect(reports).toMatchObject([{ code: '53100' }]);
      expect(await countOffers(store, tenant)).toBe(committed);
      await onServer(server.url('full_disk'), (client) => client.query('drop index offers_revision'));
      await onServer(server.url('full_disk'), (client) => client.query('vacuum offers, offer_versions'));
      await insert(store, tenant, 1);
      expect(await countOffers(store, tenant)).toBe(committed + 1);
      await store.close();
      await onServer(server.url(), (client) => client.query('drop database full_disk with (force)'));
      await onServer(server.url(), (client) => client.query('drop tablespace small'));
    } finally {
      disk.unmount();
    }
  });
});

/** 24 MiB that the server may write to; `null` where one may not mount. */
function mountSmallDisk(owner: PostgresServer): { readonly path: string; unmount(): void } | null {
  const path = mkdtempSync(join(tmpdir(), 'tarifario-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    rmSync(path, { recursive: true });
    return null;
  }
  const { uid, gid } = statSync(dirname(owner.dataDirectory));
  chownSync(path, uid, gid);
  return {
    path,
    unmount: () => {
      execFileSync('umount', [path]);
      rmSync(path, { recursive: true });
    },
  };
}
