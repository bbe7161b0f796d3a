import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresUrl } from '../../../packages/store/test/postgres/databases.ts';
import { type Market, openMarket, type Replicas, startReplicas, watchMarkers } from './replicas.ts';
import { type Answer, ask, type ServerProcess } from './running-server.ts';

// As replicas.integration.test.ts, for longer, and with processes that die and that hang.

const LIFE_MS = 1_200_000;

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

  it('show every bulk write whole, in every answer of every account', async () => {
    const markets = await Promise.all(['uno', 'dos', 'tres'].map((name) => openMarket(replicas, name, 150)));
    const markers = Array.from({ length: 28 }, (_, i) => i + 1);
    for (const { written, torn, looks } of await Promise.all(
      markets.map((one) => watchMarkers(replicas, one, markers)),
    )) {
      expect(torn).toEqual([]);
      expect(written).toEqual(markers);
      expect(looks).toBeGreaterThan(100);
    }
  });

  it('leave no partial bulk write when one of them is killed', async () => {
    const market = await openMarket(replicas, 'muerta', 150);
    let last = 0;
    for (let round = 1; round <= 8; round += 1) {
      const victim = await replicas.startAnother();
      await bulk(market, round * 100, victim);
      const dying = bulk(market, round * 100 + 1, victim);
      await sleep(round * 4);
      victim.signal('SIGKILL');
      const answer = await dying;
      const shown = await markersOn(market, replicas.any());
      expect(shown).toHaveLength(1);
      const [marker = 0] = shown;
      // What was answered is there; what was not may be.
      expect(answer?.status === 200 ? [round * 100 + 1] : [round * 100, round * 100 + 1]).toContain(marker);
      expect(marker).toBeGreaterThan(last);
      last = marker;
      // Nobody has to wait for the dead.
      expect((await bulk(market, marker, replicas.any()))?.status).toBe(200);
    }
  });

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
    const { store, clock } = replicas.first.service;
    const limit = 40;
    await store.write({ keyId: null, at: clock.now() }, async (writer) => {
      const subscription = await writer.subscription(accountId);
      if (!subscription) throw new Error('the account has a subscription');
      await writer.putSubscription(accountId, { ...subscription, callsPerMinute: limit });
    });
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
});
