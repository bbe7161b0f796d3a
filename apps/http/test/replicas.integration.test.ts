import { openMarket, type Replicas, startReplicas, tally } from '@tarifario/testkit/http/replicas';
import { ask, askFor, startTestServer } from '@tarifario/testkit/http/running-server';
import { onServer, postgresUrl } from '@tarifario/testkit/postgres/databases';
import { runsOf } from '@tarifario/testkit/share';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stepsOf, wrongsOf } from './histories.ts';
import { mix, openField } from './mixed-histories.ts';
import { apply, CATALOG, create, effects, expectOneEffect, newOffers, OWN, prepare, total } from './named-requests.ts';

// Three servers in processes of their own over one PostgreSQL database, one with a clock that is a minute ahead. Whatever
// they are asked at once, their answers are those that one server would have given.

/** How many files, bulk patches and single writes of each kind of writer are made at once. */
const AMOUNTS = { files: runsOf(2, 3), patches: runsOf(4, 6), singles: runsOf(10, 15) };

describe.skipIf(postgresUrl === null)('three replicas', () => {
  let replicas: Replicas;

  beforeAll(async () => {
    replicas = await startReplicas();
  });
  afterAll(() => replicas.close());

  const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
  const atOnce = (key: string, requests: readonly Parameters<typeof ask>[2][]) =>
    Promise.all(requests.map((request) => ask(replicas.any(), key, request)));

  it('show a write of one in the next answer of every other', async () => {
    const { key, offerIds } = await openMarket(replicas, 'enseguida', 2);
    const [id = 0] = offerIds;
    const ranking = { path: '/v1/offers/efficient', body: { supply_type: 'LUZ', energia: { e1: 1000 }, w: 1 } };
    for (let round = 1; round <= 12; round += 1) {
      const e1 = 0.1 + round / 100;
      await askFor(replicas.any(), key, { method: 'PATCH', path: `/v1/offers/${id}`, body: { e1 } });
      for (const replica of replicas.all) {
        type Ranked = { results: { offer: { id: number }; cost: { total: number } }[] };
        const { results } = await askFor<Ranked>(replica, key, ranking);
        expect(results.at(-1)).toMatchObject({ offer: { id }, cost: { total: expect.closeTo(e1 * 1000, 6) } });
      }
    }
  });

  it.each([
    ['127.0.0.1', 0],
    ['0.0.0.0', 1],
  ])('warn at the start when others may read what goes to the database: %s', async (hostname, warnings) => {
    const url = new URL(replicas.databaseUrl);
    url.hostname = hostname;
    const server = await startTestServer({ databaseUrl: url.href });
    await server.close();
    expect(server.logLines.filter((line) => line.includes('without encryption'))).toHaveLength(warnings);
    expect(server.logLines.join()).not.toContain(replicas.databaseUrl);
  });

  it('give one name to only one of twenty requests', async () => {
    const { key } = await openMarket(replicas, 'nombre', 0);
    const answers = await atOnce(
      key,
      times(20, () => ({ path: '/v1/clients', body: { name: 'Deseada' } })),
    );
    expect(tally(answers)).toEqual({ 201: 1, 409: 19 });
  });

  it('never pass the limit of a plan', async () => {
    const { accountId, key } = await openMarket(replicas, 'limitada', 0);
    await replicas.first.subscribe(accountId, { firmLimit: 5 });
    const answers = await atOnce(
      key,
      times(20, (i) => ({ path: '/v1/clients', body: { name: `Cliente ${i}` } })),
    );
    expect(tally(answers)).toEqual({ 201: 4, 403: 16 });
  });

  it.each([30, 31])(
    'toggle an offer %i times at once with the result of toggling one after the other',
    async (count) => {
      const { key, offerIds } = await openMarket(replicas, `alternada${count}`, 1);
      const path = `/v1/offers/${offerIds[0]}`;
      const answers = await atOnce(
        key,
        times(count, () => ({ method: 'PATCH', path: `${path}/toggle` })),
      );
      expect(tally(answers)).toEqual({ 200: count });
      const states = answers.map(({ text }) => Boolean(JSON.parse(text).is_active));
      expect(states.filter((isActive) => !isActive)).toHaveLength(Math.ceil(count / 2));
      expect(await askFor(replicas.any(), key, { path })).toMatchObject({ is_active: count % 2 === 0 });
    },
  );

  it('A-40: let as many calls through as the limit allows, and no more because of a clock that is ahead', async () => {
    const { accountId, key, clientId } = await openMarket(replicas, 'apurada', 0);
    await replicas.first.subscribe(accountId, { firmCallsPerMinute: 25 });
    const bound = await replicas.first.addKey(accountId, { firmId: clientId });
    const answers = await atOnce(
      bound,
      times(75, () => ({ path: '/v1/companies' })),
    );
    expect(tally(answers)).toEqual({ 200: 25, 429: 50 });
    for (const replica of replicas.all) {
      const { status, headers } = await ask(replica, bound, { path: '/v1/companies' });
      const seconds = Number(headers.get('retry-after'));
      expect([status, seconds > 0 && seconds <= 60]).toEqual([429, true]);
    }
    // It is ahead indeed, however long it takes to say so.
    const askedAt = Date.now();
    const { created_at } = await askFor<{ created_at: string }>(replicas.all[2] ?? replicas.first, key, {
      path: '/v1/uploads',
      body: { file_name: 'futuro.xlsx' },
    });
    expect(Date.parse(created_at) - askedAt).toBeGreaterThan(50_000);
    // The account itself has points left: refused calls took none.
    expect((await ask(replicas.any(), key, { path: '/v1/companies' })).status).toBe(200);
  });

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

  // The versions that the database stores tell in which order it happened. In that order every answer has to be true.
  it.each(['own', 'catalog'] as const)(
    'give files, bulk patches, prices, toggles and deletions at once the effect of one after the other, each whole: %s offers',
    async (format) => {
      const accounts = [];
      for (const who of ['a', 'b', 'c']) accounts.push(await replicas.first.addAccount(`${format}-${who}`));
      const [owner = 0] = accounts;
      // Own offers are written by their account alone, those of the catalog by three.
      const writers = format === 'own' ? [owner] : accounts;
      const keys = await Promise.all(writers.map((accountId) => replicas.first.addKey(accountId, {})));
      const field = await openField(replicas.first, { format, keys, offers: 12 });
      const { store } = replicas.first.service;
      const revisions = await store.read((reader) => reader.changes.revisions(owner));
      const history = await mix(field, AMOUNTS, replicas.any);
      const written = { owner: format === 'own' ? owner : format, offerIds: field.offerIds };
      const observed = await stepsOf(store, written, format === 'own' ? revisions.own : revisions.catalog);
      expect(wrongsOf(history, observed)).toEqual([]);
      // The server refused no request, so the history above contains every write.
      const statuses = Object.keys(tally(history.acts.map(({ status }) => ({ status: status ?? 0 }))));
      expect(statuses.filter((status) => status !== '200' && status !== '204')).toEqual([]);
      const { files, patches, singles } = AMOUNTS;
      expect(history.acts.length).toBe(3 * (files + 2 * singles + (format === 'own' ? patches : 0)));
      expect(new Set(observed.steps.map(({ kind }) => kind))).toEqual(new Set(['all', 'month', 'price', 'on', 'off']));
      expect(history.looks.length).toBeGreaterThan(10);
      const { rows } = await onServer(replicas.databaseUrl, (client) =>
        client.query('select deadlocks::int from pg_stat_database where datname = current_database()'),
      );
      expect(rows).toEqual([{ deadlocks: 0 }]);
    },
  );
});
