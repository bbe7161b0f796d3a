import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onServer, postgresUrl } from '../../../packages/store/test/postgres/databases.ts';
import { stepsOf, wrongsOf } from './histories.ts';
import { mix, openField } from './mixed-histories.ts';
import { type Replicas, startReplicas } from './replicas.ts';
import type { ServerProcess } from './running-server.ts';

// As mixed-histories.integration.test.ts, for longer, while replicas are killed and connections of the database end.

const ROUNDS = 4;

describe.skipIf(postgresUrl === null)(
  'files, bulk patches, prices, toggles and deletions at once on three replicas',
  () => {
    let replicas: Replicas;

    beforeAll(async () => {
      replicas = await startReplicas({ lifetimeMs: 1_200_000 });
    }, 120_000);
    afterAll(() => replicas.close());

    /** Writes for a while during `fault`. Returns the errors of the history. */
    async function historyUnder(
      name: string,
      any: () => ServerProcess,
      fault: (isOver: () => boolean) => Promise<void>,
    ) {
      const accountId = await replicas.first.addAccount(name);
      const keys = [await replicas.first.addKey(accountId, {})];
      const field = await openField(replicas.first, { format: 'own', keys, offers: 40 });
      const { store } = replicas.first.service;
      const { own: since } = await store.read((reader) => reader.revisions(accountId));
      let isOver = false;
      const faults = fault(() => isOver);
      const history = await mix(field, { files: 3, patches: 9, singles: 60 }, any);
      isOver = true;
      await faults;
      const observed = await stepsOf(store, accountId, since);
      expect(wrongsOf(history, observed)).toEqual([]);
      expect(history.looks.length).toBeGreaterThan(20);
      const doneCount = history.acts.filter(({ status }) => status === 200 || status === 204).length;
      return { kept: doneCount, open: history.acts.filter(({ status }) => status === null || status === 503).length };
    }

    it.each(Array.from({ length: ROUNDS }, (_, round) => round))(
      'stay consistent while one replica after the other is killed: %i',
      async (round) => {
        let victim = await replicas.startAnother();
        let turn = 0;
        const any = () => {
          turn += 1;
          return turn % 2 === 0 ? victim : replicas.any();
        };
        let kills = 0;
        const { kept: doneCount, open } = await historyUnder(`muertes${round}`, any, async (isOver) => {
          while (!isOver()) {
            await sleep(400);
            victim.signal('SIGKILL');
            kills += 1;
            victim = await replicas.startAnother();
          }
        });
        expect(kills).toBeGreaterThan(0);
        // Some were not answered, and most were.
        expect([doneCount > 100, open > 0]).toEqual([true, true]);
      },
    );

    it.each(Array.from({ length: ROUNDS }, (_, round) => round))(
      'stay consistent while their connections break: %i',
      async (round) => {
        let ends = 0;
        const { kept: doneCount } = await historyUnder(`cortes${round}`, replicas.any, async (isOver) => {
          while (!isOver()) {
            await sleep(150);
            const { rowCount } = await onServer(replicas.databaseUrl, (client) =>
              client.query(`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' order by random() limit 2`),
            );
            ends += rowCount ?? 0;
          }
        });
        expect([doneCount > 50, ends > 0]).toEqual([true, true]);
      },
    );
  },
);
