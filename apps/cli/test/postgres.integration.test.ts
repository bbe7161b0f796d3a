import { compose, createLog } from '@tarifario/runtime';
import { addressOf, openWorkplace, type Workplace } from '@tarifario/testkit/cli/run-program';
import { emptyDatabase, onServer, postgresUrl, type TestDatabase } from '@tarifario/testkit/postgres/databases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe.skipIf(postgresUrl === null)('the commands over PostgreSQL', () => {
  let database: TestDatabase;
  let place: Workplace;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    database = await emptyDatabase();
    place = await openWorkplace();
    env = { DATABASE_URL: database.url };
  });
  afterAll(async () => {
    await place.remove();
    await database.drop();
  });

  it('migrate the database once', async () => {
    const before = await place.runHere(['doctor'], env);
    expect([before.status, before.stdout]).toEqual([0, expect.stringContaining('missing: tarifario migrate')]);
    const applied = async () => (await place.json<{ applied: string[] }>(['migrate'], { env })).applied;
    expect((await applied())[0]).toBe('0001-schema');
    expect(await applied()).toEqual([]);
  });

  it('create the account, the key and the demo data that a server then serves', async () => {
    const seeded = await place.json<{ account_id: number; keys: { full_access: string } }>(['demo', 'seed'], { env });
    const accounts = await place.json<{ id: number }[]>(['account', 'list'], { env });
    expect(accounts.map(({ id }) => id)).toEqual([seeded.account_id]);
    const server = place.start(['serve', '--port', '0'], { env });
    const url = await addressOf(server);
    const headers = { 'X-API-Key': seeded.keys.full_access, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ supply_type: 'LUZ', energia: { e1: 1000 } });
    const response = await fetch(`${url}/v1/offers/efficient`, { method: 'POST', headers, body });
    expect([response.status, Object(await response.json()).total > 0]).toEqual([200, true]);
    server.kill('SIGTERM');
    expect(await new Promise((resolve) => server.once('exit', resolve))).toBe(0);
  });

  it('report with doctor which rights the database user lacks', async () => {
    const user = `${database.name}_reader`;
    const statesAs = async (url: string) => {
      const { status, stdout } = await place.runHere(['doctor'], { DATABASE_URL: url });
      const checks: { check: string; state: string; about: string }[] = JSON.parse(stdout);
      return { status, ...Object.fromEntries(checks.map(({ check, ...rest }) => [check, rest])) };
    };
    const good = { state: 'good' };
    const all = { migrations: good, pooler: good, permissions: good, 'clock of the database': good };
    expect(await statesAs(database.url)).toMatchObject({ status: 0, ...all });
    await onServer(database.url, async (client) => {
      await client.query(`create role ${user} login password 'x'; grant usage on schema public to ${user}`);
      await client.query(`grant select on all tables in schema public to ${user}`);
    });
    const at = Object.assign(new URL(database.url), { username: user, password: 'x' });
    try {
      const about = expect.stringMatching(/to create tables in public; to read and write accounts, .*offers/);
      expect(await statesAs(at.href)).toMatchObject({ status: 1, ...all, permissions: { state: 'bad', about } });
    } finally {
      await onServer(database.url, (client) => client.query(`drop owned by ${user}; drop role ${user}`));
    }
  });

  it('revoke a key at once, whatever transaction its account is in', async () => {
    const accounts = await place.json<{ id: number }[]>(['account', 'list'], { env });
    const [accountId = 0] = accounts.map(({ id }) => id);
    const made = ['key', 'create', '--account', String(accountId), '--mcp'];
    const { id } = await place.json<{ id: number }>(made, { env });
    const service = await compose(database.url, createLog('error'));
    const [began, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const context = { keyId: null, at: service.clock.now(), concerns: [accountId] };
    const holding = service.store.write(context, async () => {
      began.resolve();
      await release.promise;
    });
    await began.promise;
    // The server ends what is idle for long, as it would be while a process of its own starts on a busy machine.
    const { status, stdout } = await place.runHere(['key', 'revoke', String(id)], env);
    release.resolve();
    await holding;
    expect([status, JSON.parse(stdout)]).toMatchObject([0, { id, is_active: false }]);
    await service.close();
  });

  it('refer to pg_dump for backups', async () => {
    const { status, stderr } = await place.runHere(['backup', 'copy.db'], env);
    expect([status, stderr]).toEqual([1, expect.stringContaining('pg_dump')]);
  });

  it('say what is wrong with an address, and never show its password', async () => {
    const at = new URL(database.url);
    at.password = 'hunter2';
    const wrong: readonly (readonly [url: string, status: number, text: string])[] = [
      [at.href.replace(database.name, 'nowhere'), 1, 'the database nowhere on'],
      ['postgres://u:hunter2@127.0.0.1:1/db', 1, 'nothing listens there'],
      ['postgres://u:hunter2@127.0.0.1:port/db', 2, 'DATABASE_URL must be'],
    ];
    for (const [url, status, text] of wrong) {
      const finished = await place.runHere(['account', 'list'], { DATABASE_URL: url });
      expect([finished.status, finished.stderr]).toEqual([status, expect.stringContaining(text)]);
      expect(finished.stderr + finished.stdout).not.toContain('hunter2');
    }
  });
});
