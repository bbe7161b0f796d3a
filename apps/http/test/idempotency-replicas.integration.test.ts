import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newDatabase, postgresUrl, type TestDatabase } from '../../../packages/store/test/postgres/databases.ts';
import { runsOf } from '../../../packages/store/test/share.ts';
import { apply, CATALOG, create, effects, expectOneEffect, newOffers, OWN, prepare, total } from './named-requests.ts';
import { type Replicas, startReplicas } from './replicas.ts';
import { startServerProcess, startTestServer } from './running-server.ts';

// Three servers over one PostgreSQL database, one with a clock that is a minute ahead.

describe.skipIf(postgresUrl === null)('three replicas', () => {
  let replicas: Replicas;

  beforeAll(async () => {
    replicas = await startReplicas();
  });
  afterAll(() => replicas.close());

  it('A-53: perform a request once that is sent 20 times to all of them at once', async () => {
    for (let round = 0; round < runsOf(1, 3); round += 1) {
      const prepared = await prepare(replicas.first);
      const answers = await Promise.all(Array.from({ length: 20 }, () => create(replicas.any(), prepared)));
      expectOneEffect(answers, 201);
      expect(await total(replicas.any(), prepared)).toBe(1);
      for (const replica of replicas.all) expect(await create(replica, prepared)).toMatchObject({ replayed: 'true' });
    }
  });

  it.each([
    ['own offers', OWN],
    ['the catalog', CATALOG],
  ])('apply together once a file to %s that is sent 6 times to all at once', async (_what, update) => {
    const prepared = await prepare(replicas.first);
    const file = { path: update.path, bytes: await newOffers(update) };
    const before = await effects(replicas.any(), prepared, update);
    const answers = await Promise.all(Array.from({ length: 6 }, () => apply(replicas.any(), prepared, file)));
    expectOneEffect(answers, 200);
    const once = { offers: before.offers + 2, uploads: before.uploads + 1 };
    expect(await effects(replicas.any(), prepared, update)).toEqual(once);
    for (const replica of replicas.all) {
      expect(await apply(replica, prepared, file)).toMatchObject({ replayed: 'true' });
    }
    const other = { path: update.path, bytes: await newOffers(update, ' de otra hoja') };
    expect(await apply(replicas.any(), prepared, other)).toMatchObject({ status: 422 });
    expect(await effects(replicas.any(), prepared, update)).toEqual(once);
  });
});

describe.skipIf(postgresUrl === null)('a replica that is killed after its write and before its answer', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await newDatabase();
  });
  afterAll(() => database.drop());

  it.each([
    ['before the commit', '', null],
    ['after the commit', '?after', 'true'],
  ])('A-53: %s: another one answers as if the first had never been killed', async (_when, search, replayed) => {
    const preload = new URL(`../../../packages/store/test/kill-at-commit.ts${search}`, import.meta.url).href;
    const settings = { databaseUrl: database.url };
    const start = () => startServerProcess(settings, { nodeFlags: [`--import=${preload}`] });
    const next = await startTestServer(settings);
    const [first, second] = [await start(), await start()];
    try {
      const prepared = await prepare(next);
      await expect(create(first, prepared)).rejects.toThrow('fetch failed');
      const answer = await create(next, prepared);
      expect([answer.status, answer.replayed]).toEqual([201, replayed]);
      expect(await create(next, prepared)).toEqual({ ...answer, replayed: 'true' });
      expect(await total(next, prepared)).toBe(1);

      const file = { path: OWN.path, bytes: await newOffers(OWN), name: 'hoja' };
      await expect(apply(second, prepared, file)).rejects.toThrow('fetch failed');
      const applied = await apply(next, prepared, file);
      expect([applied.status, applied.replayed]).toEqual([200, replayed]);
      expect(await apply(next, prepared, file)).toEqual({ ...applied, replayed: 'true' });
      expect(await effects(next, prepared, OWN)).toEqual({ offers: 3, uploads: 1 });
    } finally {
      for (const server of [first, second, next]) await server.close();
    }
  });
});
