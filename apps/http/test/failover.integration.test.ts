import { setTimeout as sleep } from 'node:timers/promises';
import { openMarket, tally } from '@tarifario/testkit/http/replicas';
import { ask, type ServerProcess, startServerProcess } from '@tarifario/testkit/http/running-server';
import { newDatabase, onServer } from '@tarifario/testkit/postgres/databases';
import { findBinaries, type PostgresServer, startPostgres } from '@tarifario/testkit/postgres/server';
import { startWritableProxy } from '@tarifario/testkit/postgres/writable-proxy';
import { expectWithin, isFullLength } from '@tarifario/testkit/share';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';

// A primary and a synchronous standby, behind a proxy that leads to the writable one. Two replicas of the service are
// asked all the time while the primary goes away and the standby is promoted.

/** Changes that are acknowledged before the primary goes, and after. */
const MANY = 20;
/** From the promotion until everybody is answered: the proxy looks, connections are made again. On a quiet machine 3 s. */
const BACK_MS = 20_000;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function startCluster() {
  const primary = await startPostgres(findBinaries() ?? '', ['synchronous_commit=on']);
  ends.push(() => primary.stop());
  const standby = await primary.startStandby();
  ends.push(() => standby.stop());
  const database = await newDatabase(primary.url());
  const proxy = await startWritableProxy([primary.port, standby.port]);
  ends.push(() => proxy.close());
  const databaseUrl = proxy.url(database.url);
  const replicas = await Promise.all([1, 2].map(() => startServerProcess({ databaseUrl, logLevel: 'fatal' })));
  for (const replica of replicas) ends.push(() => replica.close());
  const [first] = replicas;
  if (!first) throw new Error('there are two');
  return { primary, standby, replicas, first };
}

interface Seen {
  readonly at: number;
  readonly status: number;
}

/** Asks again and again. @returns Every answer, in order; 0: the connection was refused or broken. */
function asking(ask: (turn: number) => Promise<number>) {
  const seen: Seen[] = [];
  let isOver = false;
  const done = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      const status = await ask(turn).catch(() => 0);
      seen.push({ at: performance.now(), status });
      await sleep(20);
    }
  })();
  const stop = async () => {
    isOver = true;
    await done;
    return seen;
  };
  onTestFinished(() => void stop());
  return { seen, stop };
}

const LOSSES: readonly (readonly [string, (primary: PostgresServer) => void])[] = [
  ['dies', (primary) => primary.signal('SIGQUIT')],
  ['hangs', (primary) => primary.signal('SIGSTOP')],
  ['is stopped', (primary) => primary.signal('SIGINT')],
];

describe.skipIf(findBinaries() === null)('a primary with a synchronous standby', () => {
  it.each(isFullLength ? [...LOSSES, ...LOSSES, ...LOSSES] : LOSSES.slice(0, 1))(
    'when it %s and the standby is promoted, nothing acknowledged is lost or done twice, and both replicas go on',
    async (_how, lose) => {
      const { primary, standby, replicas, first } = await startCluster();
      const market = await openMarket({ first }, 'relevo', 3);
      await first.subscribe(market.accountId, { callsPerMinute: 10_000_000 });
      const body = { supply_type: 'LUZ', energia: { e1: 1000 } };
      const rank = (replica: ServerProcess) => ask(replica, market.key, { path: '/v1/offers/efficient', body });
      const acknowledged: string[] = [];
      const write = (replica: ServerProcess, name: string) =>
        asking(async (turn) => {
          // Each change is sent until it is acknowledged.
          const path = '/v1/companies';
          const headers = { 'Idempotency-Key': `${name}-${turn}` };
          const request = { path, headers, body: { client_id: market.clientId, name: `${name}-${turn}` } };
          for (let statuses: number[] = []; ; ) {
            const { status } = await ask(replica, market.key, request);
            statuses = [...statuses, status];
            if (status === 503) {
              await sleep(100);
              continue;
            }
            if (status === 201) acknowledged.push(`${name}-${turn}`);
            return status;
          }
        });
      const writing = replicas.flatMap((replica, n) => [write(replica, `a${n}`), write(replica, `b${n}`)]);
      const reading = replicas.map((replica) => asking(async () => (await rank(replica)).status));
      const probing = replicas.map(({ url }) => asking(async () => (await fetch(`${url}/readyz`)).status));

      await expect.poll(() => acknowledged.length).toBeGreaterThan(MANY);
      const lostAt = performance.now();
      lose(primary);
      for (const { seen } of probing) await expect.poll(() => seen.at(-1)?.status).toBe(503);
      const promotedAt = performance.now();
      await onServer(standby.url(), (client) => client.query('select pg_promote()'));
      const backMs: number[] = [];
      for (const { seen } of [...writing, ...reading, ...probing]) {
        const isBack = () => seen.find(({ at, status }) => at > promotedAt && [200, 201].includes(status));
        await expect.poll(isBack).toBeDefined();
        backMs.push((isBack()?.at ?? 0) - promotedAt);
      }
      const then = acknowledged.length;
      await expect.poll(() => acknowledged.length).toBeGreaterThan(then + MANY);
      const [writes, reads, probes] = await Promise.all(
        [writing, reading, probing].map(async (group) => (await Promise.all(group.map(({ stop }) => stop()))).flat()),
      );

      expectWithin(Math.max(...backMs), BACK_MS);
      expect(Object.keys(tally(writes ?? []))).toEqual(['201']);
      expect(Object.keys(tally(reads ?? [])).filter((status) => !['200', '503'].includes(status))).toEqual([]);
      // It is not ready for as long as it cannot write, and says nothing else.
      expect(Object.keys(tally(probes ?? []))).toEqual(['200', '503']);
      const notReady = (probes ?? []).filter(({ status }) => status === 503).map(({ at }) => at);
      expect(Math.min(...notReady)).toBeGreaterThan(lostAt);
      for (const replica of replicas) expect((await fetch(`${replica.url}/readyz`)).status).toBe(200);

      const found = await onServer(standby.url(new URL(first.config.databaseUrl).pathname.slice(1)), (client) =>
        client.query('select name from companies order by name'),
      );
      const names = found.rows.map(({ name }) => String(name)).filter((name) => /^[ab]\d-/.test(name));
      expect(new Set(names).size).toBe(names.length);
      expect(acknowledged.filter((name) => !names.includes(name))).toEqual([]);
    },
  );
});
