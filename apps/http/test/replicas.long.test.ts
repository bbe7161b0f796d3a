import { setTimeout as sleep } from 'node:timers/promises';
import { type Market, openMarket, type Replicas, startReplicas } from '@tarifario/testkit/http/replicas';
import { type Answer, ask, type ServerProcess } from '@tarifario/testkit/http/running-server';
import { onServer, postgresUrl } from '@tarifario/testkit/postgres/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stepsOf, wrongsOf } from './histories.ts';
import { mix, openField } from './mixed-histories.ts';

// As replicas.integration.test.ts, for longer, and with processes that die and that hang.

const LIFE_MS = 1_200_000;
const ROUNDS = 4;

describe.skipIf(postgresUrl === null)('three replicas', () => {
  let replicas: Replicas;

  beforeAll(async () => {
    replicas = await startReplicas({ lifetimeMs: LIFE_MS });
  }, 120_000);
  afterAll(() => replicas.close());

  const bulk = ({ key, offerIds }: Market, marker: number, replica: ServerProcess): Promise<Answer | null> => {
    const body = { offer_ids: offerIds, updates: { services_cost: marker } };
    // A replica that is killed answers nothing.
    return ask(replica, key, { path: '/v1/offers/bulk-patch', body }).catch(() => null);
  };
  /** The markers that a replica shows, each once. */
  const markersOn = async ({ key }: Market, replica: ServerProcess): Promise<number[]> => {
    const { text } = await ask(replica, key, { path: '/v1/offers?limit=200' });
    const { results }: { results: { services_cost: number }[] } = JSON.parse(text);
    return [...new Set(results.map((offer) => offer.services_cost))];
  };

  it('continue while one of them hangs for a minute, and it does nothing twice when it resumes', async () => {
    const market = await openMarket(replicas, 'colgada', 150);
    const hanging = await replicas.startAnother();
    await bulk(market, 1, hanging);
    const underWay = bulk(market, 2, hanging);
    await sleep(6);
    hanging.signal('SIGSTOP');
    const startedAt = performance.now();
    const acknowledged: number[] = [];
    for (let marker = 10; performance.now() - startedAt < 60_000; marker += 1) {
      const answer = await bulk(market, marker, replicas.any());
      if (answer?.status === 200) acknowledged.push(marker);
      expect([200, 429, 503]).toContain(answer?.status);
      await sleep(2500);
    }
    hanging.signal('SIGCONT');
    const late = await underWay;
    expect([200, 503, undefined]).toContain(late?.status);
    // At most the first ten seconds are lost, until the server ends the transaction of the one that hangs.
    expect(acknowledged.length).toBeGreaterThan(8);
    const shown = await markersOn(market, hanging);
    expect(shown).toEqual(acknowledged.slice(-1));
    expect((await bulk(market, 999, hanging))?.status).toBe(200);
    expect(await markersOn(market, replicas.any())).toEqual([999]);
  });

  it('never let more calls through in a window than the limit allows, whatever their clocks say', async () => {
    const { accountId, key } = await openMarket(replicas, 'ventanas', 0);
    const limit = 40;
    await replicas.first.subscribe(accountId, { callsPerMinute: limit });
    // The calls that made the account are in a window of their own: it has to end first.
    await sleep(61_000);
    const passedAt: number[] = [];
    const startedAt = performance.now();
    const callers = Array.from({ length: 6 }, async () => {
      while (performance.now() - startedAt < 150_000) {
        const { status } = await ask(replicas.any(), key, { path: '/v1/companies' });
        if (status === 200) passedAt.push(performance.now() - startedAt);
        await sleep(50);
      }
    });
    await Promise.all(callers);
    // Three windows, each begun by the first call after the one before.
    expect(passedAt.length).toBe(3 * limit);
    const windows = [passedAt.slice(0, limit), passedAt.slice(limit, 2 * limit), passedAt.slice(2 * limit)];
    for (const [i, passed] of windows.entries()) {
      const begin = (windows[i - 1]?.[0] ?? -60_000) + 60_000;
      expect(passed[0]).toBeGreaterThanOrEqual(begin - 500);
    }
  });

  /** Writes for a while during `fault`. Returns the errors of the history. */
  async function historyUnder(name: string, any: () => ServerProcess, fault: (isOver: () => boolean) => Promise<void>) {
    const accountId = await replicas.first.addAccount(name);
    const keys = [await replicas.first.addKey(accountId, {})];
    const field = await openField(replicas.first, { format: 'own', keys, offers: 40 });
    const { store } = replicas.first.service;
    const { own: since } = await store.read((reader) => reader.changes.revisions(accountId));
    let isOver = false;
    const faults = fault(() => isOver);
    const history = await mix(field, { files: 3, patches: 9, singles: 60 }, any);
    isOver = true;
    await faults;
    const observed = await stepsOf(store, { owner: accountId, offerIds: field.offerIds }, since);
    expect(wrongsOf(history, observed)).toEqual([]);
    expect(history.looks.length).toBeGreaterThan(20);
    const doneCount = history.acts.filter(({ status }) => status === 200 || status === 204).length;
    return { kept: doneCount, open: history.acts.filter(({ status }) => status === null || status === 503).length };
  }

  it.each(Array.from({ length: ROUNDS }, (_, round) => round))(
    'stay consistent under writes of all kinds while one replica after the other is killed: %i',
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
    'stay consistent under writes of all kinds while their connections break: %i',
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
});
