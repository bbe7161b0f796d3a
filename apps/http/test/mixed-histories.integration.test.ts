import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onServer, postgresUrl } from '../../../packages/store/test/postgres/databases.ts';
import { runsOf } from '../../../packages/store/test/share.ts';
import { stepsOf, wrongsOf } from './histories.ts';
import { mix, openField } from './mixed-histories.ts';
import { type Replicas, startReplicas, tally } from './replicas.ts';

// Whatever is done at once to the same offers, by files and one by one, on three replicas: the versions that the database
// keeps tell in which order it happened. In that order every answer has to be true.

const AMOUNTS = { files: runsOf(2, 3), patches: runsOf(4, 6), singles: runsOf(10, 15) };

describe.skipIf(postgresUrl === null)(
  'files, bulk patches, prices, toggles and deletions at once on three replicas',
  () => {
    let replicas: Replicas;

    beforeAll(async () => {
      replicas = await startReplicas();
    });
    afterAll(() => replicas.close());

    it.each(['own', 'catalog'] as const)(
      'have the effect of one after the other, each whole: %s offers',
      async (format) => {
        const accounts = [];
        for (const who of ['a', 'b', 'c']) accounts.push(await replicas.first.addAccount(`${format}-${who}`));
        const [owner = 0] = accounts;
        // Own offers are written by their account alone, those of the catalog by three.
        const writers = format === 'own' ? [owner] : accounts;
        const keys = await Promise.all(writers.map((accountId) => replicas.first.addKey(accountId, {})));
        const field = await openField(replicas.first, { format, keys, offers: 12 });
        const { store } = replicas.first.service;
        const revisions = await store.read((reader) => reader.revisions(owner));
        const history = await mix(field, AMOUNTS, replicas.any);
        const offersOwner = format === 'own' ? owner : 'catalog';
        const observed = await stepsOf(store, offersOwner, format === 'own' ? revisions.own : revisions.catalog);
        expect(wrongsOf(history, observed)).toEqual([]);
        // Nobody was sent away: all of it was seen to happen.
        const statuses = Object.keys(tally(history.acts.map(({ status }) => ({ status: status ?? 0 }))));
        expect(statuses.filter((status) => status !== '200' && status !== '204')).toEqual([]);
        const { files, patches, singles } = AMOUNTS;
        expect(history.acts.length).toBe(3 * (files + 2 * singles + (format === 'own' ? patches : 0)));
        expect(new Set(observed.steps.map(({ kind }) => kind))).toEqual(
          new Set(['all', 'month', 'price', 'on', 'off']),
        );
        expect(history.looks.length).toBeGreaterThan(10);
        const { rows } = await onServer(replicas.databaseUrl, (client) =>
          client.query('select deadlocks::int from pg_stat_database where datname = current_database()'),
        );
        expect(rows).toEqual([{ deadlocks: 0 }]);
      },
    );
  },
);
