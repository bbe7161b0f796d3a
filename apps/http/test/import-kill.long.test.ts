import { setTimeout as sleep } from 'node:timers/promises';
import { newOffersWorkbook, sendFile } from '@tarifario/testkit/http/bulk-files';
import { ask, askFor, type ServerProcess, startServerProcess } from '@tarifario/testkit/http/running-server';
import { newDatabase, onServer, postgresUrl, type TestDatabase } from '@tarifario/testkit/postgres/databases';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

// A replica is killed while it applies a spreadsheet that came over HTTP. The other one then says what was stored.

const SIZE = { offers: 3000, indexed: 1500 };
const BULK_UPDATE = '/v1/offers/bulk-update';

describe.skipIf(postgresUrl === null)('a replica that is killed while it applies a file', () => {
  let database: TestDatabase;
  let survivor: ServerProcess;
  let victim: ServerProcess;
  let bytes: Uint8Array;
  /** How long the file takes when nobody is killed: until something is locked, and from then on. */
  let usual: { readonly readMs: number; readonly writeMs: number };
  let accounts = 0;
  let undone = 0;

  beforeAll(async () => {
    database = await newDatabase();
    bytes = await newOffersWorkbook(SIZE);
    survivor = await start();
    victim = await start();
    const { key, accountId } = await newSender();
    const startedAt = performance.now();
    const answer = sendFile(victim, key, { path: BULK_UPDATE, bytes });
    await changing(accountId);
    const readMs = performance.now() - startedAt;
    expect((await answer).status).toBe(200);
    usual = { readMs, writeMs: performance.now() - startedAt - readMs };
    expect(await traceOf(accountId)).toEqual(WHOLE);
  }, 120_000);
  afterEach(async () => {
    await victim.close();
    victim = await start();
  });
  afterAll(async () => {
    await victim.close();
    await survivor.close();
    await database.drop();
  });

  const start = () => startServerProcess({ databaseUrl: database.url }, { lifetimeMs: 1_200_000 });

  async function newSender() {
    accounts += 1;
    const accountId = await survivor.addAccount(`cuenta${accounts}`);
    const key = await survivor.addKey(accountId, {});
    await askFor(survivor, key, { path: '/v1/clients', body: { name: 'Norte' } });
    return { accountId, key };
  }

  const sql = (text: string) => onServer(database.url, async (client) => (await client.query(text)).rows);

  /** Resolves when rows are being written in a unit of work about the account. */
  const changing = (accountId: number) =>
    onServer(database.url, async (client) => {
      // The number of the lock, as the list of locks splits it.
      const lock = 7_300_000_000_001_000n + BigInt(accountId);
      const isHeld = `select from pg_locks join pg_stat_activity using (pid)
        where query like '%json_populate_recordset%' and locktype = 'advisory' and granted
        and classid = ${lock >> 32n} and objid = ${lock & 0xffff_ffffn}`;
      for (let polls = 0; (await client.query(isHeld)).rowCount === 0; polls += 1) {
        if (polls > 20_000) throw new Error('nothing was ever changed');
      }
    });

  /** All that a file leaves behind, as one row. */
  async function traceOf(accountId: number) {
    const ofOffers = `where offer_id in (select id from offers where account_id = ${accountId})`;
    const [row] = await sql(`select
      (select count(*)::int from offers where account_id = ${accountId}) as offers,
      (select count(*)::int from companies where account_id = ${accountId}) as companies,
      (select count(*)::int from monthly_prices ${ofOffers}) as months,
      (select count(*)::int from offer_versions ${ofOffers}) as versions,
      (select revision::int from revisions where owner_id = ${accountId}) as revision,
      (select coalesce(string_agg(status, ' '), 'none') from uploads where account_id = ${accountId}) as uploads,
      (select count(*)::int from upload_files where account_id = ${accountId}) as files`);
    return row;
  }

  const NOTHING = { offers: 0, companies: 0, months: 0, versions: 0, revision: 1, uploads: 'none', files: 0 };
  const WHOLE = {
    offers: SIZE.offers,
    companies: 40,
    months: SIZE.indexed,
    versions: SIZE.offers + SIZE.indexed,
    revision: 2,
    uploads: 'completed',
    files: 0,
  };

  const moments = [
    { phase: 'read', share: 0.2 },
    { phase: 'read', share: 0.6 },
    { phase: 'read', share: 0.95 },
    { phase: 'written', share: 0 },
    { phase: 'written', share: 0.25 },
    { phase: 'written', share: 0.5 },
    { phase: 'written', share: 0.75 },
    { phase: 'written', share: 0.95 },
    { phase: 'written', share: 1.05 },
  ] as const;

  it.each(moments)('while it is $phase ($share): everything is stored, or nothing', async ({ phase, share }) => {
    const { accountId, key } = await newSender();
    const answer = sendFile(victim, key, { path: BULK_UPDATE, bytes }).then(
      ({ status }) => status,
      () => null,
    );
    if (phase === 'written') await changing(accountId);
    await sleep(share * (phase === 'written' ? usual.writeMs : usual.readMs));
    await victim.kill();
    const status = await answer;
    // Nobody has to wait for the dead: this takes the lock that it had, if it had one.
    expect((await ask(survivor, key, { path: '/v1/clients', body: { name: 'Sur' } })).status).toBe(201);
    const { revision, ...rest } = await traceOf(accountId);
    const isDone = rest.offers > 0;
    const { revision: revisionThen, ...expected } = isDone ? WHOLE : NOTHING;
    expect(rest).toEqual(expected);
    expect(revision).toBe(revisionThen + 1);
    if (status !== null) expect([status, isDone]).toEqual([200, true]);
    if (isDone) return;
    undone += 1;
    const again = await sendFile(survivor, key, { path: BULK_UPDATE, bytes });
    expect([again.status, JSON.parse(again.text).created]).toEqual([200, SIZE.offers]);
    expect(await traceOf(accountId)).toEqual({ ...WHOLE, revision: 3 });
  });

  it('was killed before the end in most runs, so the test shows something', () => {
    expect(undone).toBeGreaterThan(moments.length / 2);
  });

  it.each([0.1, 0.5, 0.9])('that was queued (%d): the other replica applies it, once', async (share) => {
    const { accountId, key } = await newSender();
    const fields = { kind: 'offers_bulk_update' };
    const sent = await sendFile(victim, key, { path: '/v1/uploads', bytes, fields });
    expect(sent.status).toBe(202);
    await changing(accountId);
    await sleep(share * usual.writeMs);
    await victim.kill();
    // This waits until no process works on the upload: the database finishes a commit, and the other replica may have taken it.
    await askFor(survivor, key, { path: '/v1/clients', body: { name: 'Sur' } });
    const after = await traceOf(accountId);
    if (after.offers === 0) {
      expect(after).toEqual({ ...NOTHING, revision: 2, uploads: 'processing', files: 1 });
      // Nobody else takes it before its lease is over.
      await sleep(6000);
      expect(await traceOf(accountId)).toEqual(after);
      await sql(`update uploads set lease_until = '2020-01-01T00:00:00.000Z' where account_id = ${accountId}`);
    }
    const whole = { ...WHOLE, revision: 3 };
    await expect.poll(() => traceOf(accountId), { timeout: 60_000, interval: 500 }).toEqual(whole);
    const { results } = await askFor<{ results: object[] }>(survivor, key, { path: '/v1/uploads' });
    expect(results).toMatchObject([{ status: 'completed', result: { created: SIZE.offers } }]);
  });
});
