import { once } from 'node:events';
import { addressOf, openWorkplace, type Workplace } from '@tarifario/testkit/cli/run-program';
import { newDatabase, postgresUrl, type TestDatabase } from '@tarifario/testkit/postgres/databases';
import { hasPooler, type Pooler, startPooler } from '@tarifario/testkit/postgres/pooler';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

describe.skipIf(postgresUrl === null || !hasPooler)('the service behind PgBouncer', () => {
  let place: Workplace;
  let database: TestDatabase;
  let pooler: Pooler;
  let env: { readonly DATABASE_URL: string };

  beforeEach(async () => {
    place = await openWorkplace();
    database = await newDatabase();
    pooler = await startPooler(database.url, 'session');
    env = { DATABASE_URL: pooler.url(database.url) };
  });
  afterEach(async () => {
    await pooler.stop();
    await database.drop();
    await place.remove();
  });

  it('does not start in transaction mode: status 2 and one line', async () => {
    await pooler.restart('transaction');
    const { status, stdout, stderr } = await place.run(['serve', '--port', '0'], { env });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^tarifario: DATABASE_URL leads to a pooler [^\n]+\n$/);
  });

  it('answers every call in session mode, and is not ready once the pooler changes its mode', async () => {
    const account = ['account', 'create', '--name', 'A', '--email', 'a@a.example', '--password', 'molinos de viento'];
    const { id } = await place.json<{ id: number }>([...account, '--plan', 'business'], { env });
    const ceilings = ['subscription', 'set', '--account', String(id), '--plan', 'business'];
    await place.json([...ceilings, '--calls-per-minute', '1000000'], { env });
    const { key } = await place.json<{ key: string }>(['key', 'create', '--account', String(id), '--full-access'], {
      env,
    });
    const child = place.start(['serve', '--port', '0'], { env: { ...env, LOG_LEVEL: 'silent' } });
    const url = await addressOf(child);
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const statusOf = async (path: string, init = {}) => {
      const answer = await fetch(url + path, { headers, ...init });
      await answer.arrayBuffer();
      return answer.status;
    };
    const create = (name: string) => statusOf('/v1/clients', { method: 'POST', body: JSON.stringify({ name }) });
    const callers = Array.from({ length: 12 }, async (_, caller) => {
      const statuses: number[] = [];
      for (let turn = 0; turn < 40; turn += 1) {
        statuses.push(await statusOf('/v1/offers'), await statusOf('/v1/account'));
        if (turn < 2) statuses.push(await create(`${caller} ${turn}`));
      }
      return statuses;
    });
    const counts = Map.groupBy((await Promise.all(callers)).flat(), (status) => status);
    expect([...counts].map(([status, { length }]) => [status, length])).toEqual(
      expect.arrayContaining([
        [200, 960],
        [201, 24],
      ]),
    );
    expect(counts.size).toBe(2);
    await pooler.restart('transaction');
    await expect
      .poll(async () => {
        await Promise.all(Array.from({ length: 20 }, () => statusOf('/v1/account')));
        return await statusOf('/readyz');
      })
      .toBe(503);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
