import type { Store, UsageQuery } from '@tarifario/core/service';
import { openStore } from '@tarifario/store';
import { watched } from '@tarifario/testkit/loop-watch';
import { expectWithin, runsOf } from '@tarifario/testkit/share';
import { type TemporaryDatabase, temporaryDatabase } from '@tarifario/testkit/temporary-database';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NOW, sampleTenant } from './sample-offers.ts';

/** Enough for thirty slices, and for a query to block others if it read them at once. */
const CALLS = runsOf(300_000, 1_000_000);
/** How long other requests may wait for their turn. */
const MAX_BLOCK_MS = 50;

let database: TemporaryDatabase;
let store: Store;
let accountId: number;
let firmId: number;

beforeAll(async () => {
  database = await temporaryDatabase();
  store = await openStore(database.url);
  const { account, company } = await sampleTenant(store);
  accountId = account.id;
  firmId = company.firmId ?? 0;
  fill(database.path);
});

afterAll(async () => {
  await store.close();
  database.remove();
});

/** A call every 34 s: number i is of endpoint i % 40, of the firm when i % 3 is 0, and a failure when i % 1000 is. */
function fill(path: string): void {
  const handle = new Database(path);
  handle.exec(`
    begin;
    with recursive n (i) as (select 0 union all select i + 1 from n where i < 39)
      insert into usage_endpoints (id, endpoint) select i + 1, '/v1/resource-' || i from n;
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${CALLS})
      insert into usage_log (account_id, id, firm_id, endpoint_id, method, status_code, response_time_ms, created_at)
      select ${accountId}, i, iif(i % 3 = 0, ${firmId}, null), 1 + i % 40, 'GET', iif(i % 1000 = 0, 500, 200),
        (i % 2000) / 2.0, strftime('%Y-%m-%dT%H:%M:%fZ', 1730000000 + i * 34, 'unixepoch') from n;
    insert into usage_slices select account_id, id / 10000, min(created_at), max(created_at) from usage_log group by 1, 2;
    insert into usage_numbers (account_id, last_id) values (${accountId}, ${CALLS});
    commit;`);
  handle.close();
}

function instant(call: number): string {
  return new Date((1_730_000_000 + call * 34) * 1000).toISOString();
}

function query(changes: Partial<UsageQuery> = {}): UsageQuery {
  return { accountId, firmId: null, endpoint: null, statusCode: null, from: null, to: null, ...changes };
}

/** The result of `work`. Fails if it blocked the event loop for long. */
async function withoutBlocking<T>(work: () => Promise<T>): Promise<T> {
  const { value, blockedMs } = await watched(work);
  expectWithin(blockedMs, MAX_BLOCK_MS);
  return value;
}

describe('hundreds of thousands of calls of one account', () => {
  const list = (changes: Partial<UsageQuery>, offset = 0) =>
    withoutBlocking(() => store.read((reader) => reader.usage.list(query(changes), { limit: 2000, offset })));
  const numbers = (count: number, numberOf: (n: number) => number) =>
    Array.from({ length: count }, (_, n) => numberOf(n));

  test('the first page and the last one', async () => {
    const first = await list({});
    expect([first.total, first.results.length]).toEqual([CALLS, 2000]);
    expect(first.results[0]).toEqual({
      id: 1,
      accountId,
      firmId: null,
      endpoint: '/v1/resource-1',
      method: 'GET',
      statusCode: 200,
      responseTimeMs: 0.5,
      createdAt: instant(1),
    });
    const last = await list({}, CALLS - 500);
    expect(last.total).toBe(CALLS);
    expect(last.results.map(({ id }) => id)).toEqual(numbers(500, (n) => CALLS - 499 + n));
    expect(await list({}, CALLS)).toEqual({ total: CALLS, results: [] });
  });

  test('pages whose calls are spread over the whole log', async () => {
    const failed = await list({ statusCode: 500 }, 10);
    expect([failed.total, failed.results.map(({ id }) => id)]).toEqual([
      CALLS / 1000,
      numbers(CALLS / 1000 - 10, (n) => (n + 11) * 1000),
    ]);
    const ofFirm = await list({ firmId, endpoint: '/v1/resource-7' }, 1000);
    expect([ofFirm.total, ofFirm.results[0]?.id]).toEqual([Math.ceil((CALLS - 87) / 120), 87 + 1000 * 120]);
  });

  test('pages between two instants, both included', async () => {
    const [from, to] = [instant(23_456), instant(154_321)];
    const between = await list({ from, to }, 20_000);
    expect([between.total, between.results[0]?.id]).toEqual([154_321 - 23_456 + 1, 43_456]);
    const failed = await list({ from: instant(24_000), to: instant(26_000), statusCode: 500 });
    expect(failed.results.map(({ id }) => id)).toEqual([24_000, 25_000, 26_000]);
  });

  test('A-61: slices of the log outside the bounds are not read', async () => {
    const [from, to] = [instant(50_000), instant(149_999)];
    const bounds = (first: string, last: string, slices: string) => {
      const handle = new Database(database.path);
      const { changes } = handle
        .prepare(`update usage_slices set first_at = ?, last_at = ? where account_id = ? and slice ${slices}`)
        .run(first, last, accountId);
      handle.close();
      return changes;
    };
    expect((await list({ from, to })).total).toBe(100_000);
    // Calls in a slice whose bounds exclude them are not returned, because the slice is not read.
    expect(bounds(instant(0), instant(1), 'between 7 and 10')).toBe(4);
    expect((await list({ from, to })).total).toBe(60_000);
    bounds(instant(CALLS), instant(CALLS + 1), '= 11');
    const summary = await store.read((reader) => reader.usage.summary(query({ from, to })));
    expect(summary.totalCalls).toBe(50_000);
    bounds(instant(0), instant(CALLS), 'between 7 and 11');
    expect((await list({ from, to })).total).toBe(100_000);
  });

  test('summaries', async () => {
    const summarise = (changes: Partial<UsageQuery>) =>
      withoutBlocking(() => store.read((reader) => reader.usage.summary(query(changes))));
    const all = await summarise({});
    expect([all.totalCalls, all.callsByEndpoint.length]).toEqual([CALLS, 40]);
    expect(new Set(all.callsByEndpoint.map(({ calls }) => calls))).toEqual(new Set([CALLS / 40]));
    expect(Math.abs((all.p95ResponseTimeMs ?? 0) - 949.5)).toBeLessThan(95);
    const some = await summarise({ firmId, endpoint: '/v1/resource-7', from: instant(87), to: instant(87 + 1200) });
    expect([some.totalCalls, some.callsByEndpoint]).toEqual([11, [{ endpoint: '/v1/resource-7', calls: 11 }]]);
  });

  test('recording a batch, and deleting old calls, which keeps the rest', async () => {
    const entry = {
      accountId,
      firmId,
      endpoint: '/v1/new',
      method: 'POST',
      statusCode: 201,
      responseTimeMs: 5,
      createdAt: instant(CALLS + 1),
    };
    const batch = Array.from({ length: 1000 }, () => entry);
    await withoutBlocking(() => store.write(NOW, (writer) => writer.usage.insert(batch)));
    const added = await list({ endpoint: '/v1/new' });
    expect(added.results[0]?.id).toBe(CALLS + 1);
    const remove = (limit: number) =>
      withoutBlocking(() => store.write(NOW, (writer) => writer.usage.deleteBefore(instant(60_001), limit)));
    for (let deleted = 20_000; deleted === 20_000; ) deleted = await remove(20_000);
    const remaining = await list({});
    expect([remaining.total, remaining.results[0]?.id]).toEqual([CALLS - 60_000 + added.total, 60_001]);
  });
});
