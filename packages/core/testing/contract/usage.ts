import fc from 'fast-check';
import type { UsageEntry, UsageQuery, UsageRecord, UsageSummary } from '../../src/service/accounts/usage.ts';
import type { UsagePage } from '../../src/service/ports/lists.ts';
import type { Store } from '../../src/service/ports/stores.ts';
import { type CaseOn, equal, fails, holds, SEED } from './assertions.ts';
import { at, EVERYTHING, moment, newAccount, newTenant } from './world.ts';

function call(accountId: number, changes: Partial<UsageEntry> = {}): UsageEntry {
  return {
    accountId,
    firmId: null,
    endpoint: '/v1/offers/{id}',
    method: 'GET',
    statusCode: 200,
    responseTimeMs: 12.5,
    createdAt: moment(10),
    ...changes,
  };
}

function allCalls(accountId: number, changes: Partial<UsageQuery> = {}): UsageQuery {
  return { accountId, firmId: null, endpoint: null, statusCode: null, from: null, to: null, ...changes };
}

function record(store: Store, entries: readonly UsageEntry[]): Promise<void> {
  return store.write(at(20), (writer) => writer.usage.insert(entries));
}

function list(store: Store, query: UsageQuery, page: UsagePage = EVERYTHING) {
  return store.read((reader) => reader.usage.list(query, page));
}

function summary(store: Store, query: UsageQuery): Promise<UsageSummary> {
  return store.read((reader) => reader.usage.summary(query));
}

/** The smallest of the times that at least 95 % of them do not exceed. */
function exactP95(times: readonly number[]): number | null {
  return times.toSorted((a, b) => a - b)[Math.ceil((times.length * 95) / 100) - 1] ?? null;
}

function holdsP95(got: number | null, times: readonly number[], what: string): void {
  const exact = exactP95(times);
  if (got === null || exact === null) {
    equal(got, exact, `${what}: the 95th percentile of nothing`);
    return;
  }
  holds(Math.abs(got - exact) <= exact / 10, `${what}: the 95th percentile is ${exact}, not ${got}`);
}

/** A summary is what the records come to. */
function equalSummary(got: UsageSummary, calls: readonly UsageEntry[], what: string): void {
  const counts = new Map<string, number>();
  for (const { endpoint } of calls) counts.set(endpoint, (counts.get(endpoint) ?? 0) + 1);
  const callsByEndpoint = [...counts]
    .map(([endpoint, count]) => ({ endpoint, calls: count }))
    .sort((a, b) => b.calls - a.calls || (a.endpoint < b.endpoint ? -1 : 1));
  const { p95ResponseTimeMs, ...rest } = got;
  equal(rest, { totalCalls: calls.length, callsByEndpoint }, what);
  const times = calls.map(({ responseTimeMs }) => responseTimeMs);
  holdsP95(p95ResponseTimeMs, times, what);
}

function isMeant(entry: UsageEntry, query: UsageQuery): boolean {
  return (
    (query.firmId === null || entry.firmId === query.firmId) &&
    (query.endpoint === null || entry.endpoint === query.endpoint) &&
    (query.statusCode === null || entry.statusCode === query.statusCode) &&
    (query.from === null || entry.createdAt >= query.from) &&
    (query.to === null || entry.createdAt <= query.to)
  );
}

const ENDPOINTS = ['/v1/offers', '/v1/offers/{id}', 'mcp:rank_offers', '/v1/%'] as const;
/** Few values, so that many records share each and bounds fall on records. */
const MOMENTS = fc.integer({ min: 0, max: 8 }).map(moment);

function arbitraryCall(accountId: number, firmIds: readonly (number | null)[]) {
  return fc.record({
    accountId: fc.constant(accountId),
    firmId: fc.constantFrom(...firmIds),
    endpoint: fc.constantFrom(...ENDPOINTS),
    method: fc.constantFrom('GET', 'POST'),
    statusCode: fc.constantFrom(200, 404, 500),
    responseTimeMs: fc.oneof(fc.constantFrom(0, 1, 250), fc.double({ min: 0.001, max: 1e7, noNaN: true })),
    createdAt: MOMENTS,
  });
}

function arbitraryQuery(accountId: number, firmIds: readonly (number | null)[]) {
  const any = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null, freq: 2 });
  return fc.record({
    accountId: fc.constant(accountId),
    firmId: any(fc.constantFrom(...firmIds)),
    endpoint: any(fc.constantFrom(...ENDPOINTS, '/v1/OFFERS', '')),
    statusCode: any(fc.constantFrom(200, 404, 500, 0)),
    from: any(MOMENTS),
    to: any(MOMENTS),
  });
}

const DISTRIBUTIONS: readonly (readonly [name: string, times: readonly number[]])[] = [
  ['all equal', Array.from({ length: 137 }, () => 73)],
  ['all 0 ms', Array.from({ length: 40 }, () => 0)],
  ['one call', [0.004]],
  ['twenty calls, one slow', [...Array.from({ length: 19 }, () => 3), 9000]],
  ['nineteen calls, one slow', [...Array.from({ length: 18 }, () => 3), 9000]],
  ['94 % fast', Array.from({ length: 100 }, (_, i) => (i < 94 ? 1 : 4000))],
  ['95 % fast', Array.from({ length: 100 }, (_, i) => (i < 95 ? 1 : 4000))],
  ['96 % zero', Array.from({ length: 100 }, (_, i) => (i < 96 ? 0 : 4000))],
  ['94 % zero', Array.from({ length: 100 }, (_, i) => (i < 94 ? 0 : 4000))],
  ['huge', Array.from({ length: 60 }, (_, i) => 1e12 * (i + 1))],
  ['less than 1 ms', Array.from({ length: 60 }, (_, i) => (i + 1) / 100_000)],
  ['1 ms to 1 h', Array.from({ length: 300 }, (_, i) => 3_600_000 ** (i / 299))],
  ['falling', Array.from({ length: 500 }, (_, i) => 500 - i)],
];

/** Recorded calls. */
export const usageCases: readonly CaseOn<Store>[] = [
  {
    name: 'calls are read as they were recorded, numbered in each account',
    run: async (store) => {
      const { account, firm } = await newTenant(store);
      const other = await newAccount(store);
      const first = call(account.id, { firmId: firm.id, method: 'POST', statusCode: 429, responseTimeMs: 0 });
      const second = call(account.id, { endpoint: 'mcp:rank_offers', responseTimeMs: 0.125, createdAt: moment(9) });
      await record(store, [first, call(other.id), second]);
      await record(store, []);
      await record(store, [call(account.id), call(other.id)]);
      const expected = [first, second, call(account.id)].map((entry, i) => ({ ...entry, id: i + 1 }));
      equal(await list(store, allCalls(account.id)), { total: 3, results: expected }, 'the calls');
      const others = [1, 2].map((id) => ({ ...call(other.id), id }));
      equal(await list(store, allCalls(other.id)), { total: 2, results: others }, 'the calls of the other');
      for (const accountId of [0, -1, 999]) {
        equal(await list(store, allCalls(accountId)), { total: 0, results: [] }, 'the calls of nobody');
      }
    },
  },
  {
    name: 'a list and a summary have exactly the calls that match their query, for any query',
    run: async (store, runs) => {
      const property = fc.asyncProperty(fc.gen(), fc.integer({ min: 0, max: 40 }), async (generate, size) => {
        const [own, foreign] = [await newTenant(store), await newTenant(store)];
        const calls = Array.from({ length: size }, () => generate(arbitraryCall, own.account.id, [null, own.firm.id]));
        const noise = [null, foreign.firm.id].map((firmId) => call(foreign.account.id, { firmId }));
        await record(store, [...calls.slice(0, size / 2), ...noise]);
        await record(store, [...noise, ...calls.slice(size / 2)]);
        for (let i = 0; i < 5; i += 1) {
          const query = generate(arbitraryQuery, own.account.id, [own.firm.id, foreign.firm.id]);
          const expected = calls.map((entry, n) => ({ ...entry, id: n + 1 })).filter((entry) => isMeant(entry, query));
          equal(
            await list(store, query),
            { total: expected.length, results: expected },
            `calls of ${JSON.stringify(query)}`,
          );
          equalSummary(await summary(store, query), expected, `the summary of ${JSON.stringify(query)}`);
        }
      });
      // Each run adds to the store: looking for the least counterexample has to end.
      await fc.assert(property, { seed: SEED, numRuns: runs(25), interruptAfterTimeLimit: 10_000 });
    },
  },
  {
    name: 'the pages of calls together are the whole list, each with its total',
    run: async (store) => {
      const account = await newAccount(store);
      const calls = Array.from({ length: 1203 }, (_, i) => call(account.id, { statusCode: i % 3 === 0 ? 500 : 200 }));
      await record(store, calls);
      const query = allCalls(account.id, { statusCode: 500 });
      const joined: UsageRecord[] = [];
      for (let offset = 0; offset < 450; offset += 90) {
        const page = await list(store, query, { limit: 90, offset });
        equal(page.total, 401, 'the total');
        joined.push(...page.results);
      }
      const newest = await list(store, query, { limit: 90, offset: 90, order: 'desc' });
      equal(newest, { total: 401, results: joined.toReversed().slice(90, 180) }, 'a page of the newest first');
      const ids = Array.from({ length: 401 }, (_, i) => 3 * i + 1);
      equal(
        joined,
        ids.map((id) => ({ ...call(account.id, { statusCode: 500 }), id })),
        'the pages',
      );
      equal(await list(store, query, { limit: 5, offset: 1_000_000 }), { total: 401, results: [] }, 'far past the end');
    },
  },
  {
    name: 'calls between two instants are found anywhere in a long log, in whatever order they were recorded',
    run: async (store) => {
      const { id } = await newAccount(store);
      // Later, earlier and again later ones: 24 000 calls, a second each.
      const seconds = [8000, 0, 16_000].flatMap((start) => Array.from({ length: 8000 }, (_, i) => start + i));
      const calls = seconds.map((n) => call(id, { createdAt: moment(n), responseTimeMs: n }));
      for (let start = 0; start < calls.length; start += 4000) await record(store, calls.slice(start, start + 4000));
      const bounds = [
        [0, 23_999],
        [7990, 8010],
        [15_995, 16_005],
        [5000, 5000],
        [12_000, 11_000],
        [24_000, 30_000],
      ] as const;
      for (const [first, last] of bounds) {
        const query = allCalls(id, { from: moment(first), to: moment(last) });
        const expected = calls.filter((_, i) => (seconds[i] ?? 0) >= first && (seconds[i] ?? 0) <= last);
        const what = `from ${first} to ${last}`;
        const { total, results } = await list(store, query, { limit: 30, offset: 0 });
        equal(
          [total, results.map(({ createdAt }) => createdAt)],
          [expected.length, expected.slice(0, 30).map(({ createdAt }) => createdAt)],
          what,
        );
        equalSummary(await summary(store, query), expected, what);
      }
      const open = await list(store, allCalls(id, { from: moment(15_000) }), { limit: 1, offset: 0 });
      equal(open.total, 9000, 'from an instant on');
      await store.write(at(30), (writer) => writer.usage.deleteBefore(moment(12_000), 100_000));
      equal((await list(store, allCalls(id), { limit: 1, offset: 0 })).total, 12_000, 'what is left');
      await record(store, [call(id, { createdAt: moment(3) })]);
      const late = await list(store, allCalls(id, { to: moment(11_999) }));
      equal(
        late.results.map(({ createdAt }) => createdAt),
        [moment(3)],
        'one that came late',
      );
    },
  },
  {
    name: 'the 95th percentile of response times is within 10 % of the exact one',
    run: async (store) => {
      for (const [name, times] of DISTRIBUTIONS) {
        const { id } = await newAccount(store);
        const calls = times.map((responseTimeMs) => call(id, { responseTimeMs }));
        await record(store, calls);
        equalSummary(await summary(store, allCalls(id)), calls, name);
      }
    },
  },
  {
    name: 'calls that name another account, its firms or nobody are refused, with the whole batch',
    run: async (store) => {
      const [own, foreign] = [await newTenant(store), await newTenant(store)];
      const good = call(own.account.id);
      for (const [what, bad] of [
        ['of a firm of another account', call(own.account.id, { firmId: foreign.firm.id })],
        ['of no firm', call(own.account.id, { firmId: 999 })],
        ['of no account', call(999)],
        ['with a negative time', call(own.account.id, { responseTimeMs: -1 })],
        ['with no time', call(own.account.id, { responseTimeMs: Number.NaN })],
        ['that never ended', call(own.account.id, { responseTimeMs: Number.POSITIVE_INFINITY })],
      ] as const) {
        await fails(record(store, [good, bad]), `a call ${what}`);
      }
      equal(await list(store, allCalls(own.account.id)), { total: 0, results: [] }, 'what was recorded');
      await record(store, [good]);
      equal((await list(store, allCalls(own.account.id))).results[0]?.id, 1, 'the number of the first');
    },
  },
  {
    name: 'old calls are deleted, the oldest first, up to the given number, and no number is used again',
    run: async (store) => {
      const [account, other] = [await newAccount(store), await newAccount(store)];
      const created = [5, 1, 3, 2, 4].map((n) => call(account.id, { createdAt: moment(n), responseTimeMs: n }));
      await record(store, [...created, call(other.id, { createdAt: moment(0) })]);
      const remove = (n: number, limit: number) =>
        store.write(at(30), (writer) => writer.usage.deleteBefore(moment(n), limit));
      const remaining = async (accountId: number) =>
        (await list(store, allCalls(accountId))).results.map(({ id }) => id);
      equal(await remove(0, 100), 0, 'nothing is older: the instant itself stays');
      equal(await remove(4, 2), 2, 'two of four');
      equal([await remaining(account.id), await remaining(other.id)], [[1, 3, 4, 5], []], 'after two of four');
      equal(await remove(4, 100), 2, 'the other two');
      equal(await remaining(account.id), [1, 5], 'after the other two');
      equalSummary(
        await summary(store, allCalls(account.id)),
        [call(account.id, { responseTimeMs: 5 }), call(account.id, { responseTimeMs: 4 })],
        'the summary of what is left',
      );
      equal(await remove(99, 100), 2, 'the rest');
      equal(
        await summary(store, allCalls(account.id)),
        { totalCalls: 0, callsByEndpoint: [], p95ResponseTimeMs: null },
        'the summary of nothing',
      );
      await record(store, [call(account.id), call(other.id)]);
      equal([await remaining(account.id), await remaining(other.id)], [[6], [2]], 'new calls');
    },
  },
  {
    name: 'A-37: a batch of calls is recorded once, however often it is sent, and later batches follow it',
    run: async (store) => {
      const account = await newAccount(store);
      const send = (log: string, number: number) =>
        store.write(at(20), (writer) =>
          writer.usage.insert([call(account.id, { endpoint: `/v1/${log}${number}` })], { log, number }),
        );
      await send('a', 1);
      await send('a', 1);
      await send('b', 1);
      await send('a', 2);
      await send('a', 1);
      await Promise.all([send('a', 3), send('a', 3)]);
      const givenUp = store.write(at(20), async (writer) => {
        await writer.usage.insert([call(account.id)], { log: 'b', number: 2 });
        throw new Error('given up');
      });
      await fails(givenUp, 'a unit of work that fails');
      await send('b', 2);
      const { results } = await list(store, allCalls(account.id));
      equal(
        results.map(({ id, endpoint }) => [id, endpoint]),
        [
          [1, '/v1/a1'],
          [2, '/v1/b1'],
          [3, '/v1/a2'],
          [4, '/v1/a3'],
          [5, '/v1/b2'],
        ],
        'what is recorded',
      );
    },
  },
  {
    name: 'only logs without calls during the retention time are deleted',
    run: async (store) => {
      const account = await newAccount(store);
      const send = (log: string, n: number) =>
        store.write(at(n), (writer) =>
          writer.usage.insert([call(account.id, { endpoint: `/v1/${log}` })], { log, number: 1 }),
        );
      await send('old', 20);
      await send('new', 40);
      await store.write(at(50), (writer) => writer.usage.deleteBefore(moment(40), 10));
      await send('new', 51);
      equal((await list(store, allCalls(account.id))).total, 0, 'what is known is not recorded again');
      await send('old', 51);
      equal((await list(store, allCalls(account.id))).total, 1, 'what is forgotten is');
    },
  },
  {
    name: 'calls raise no revision, and those of a unit of work that fails are not recorded',
    run: async (store) => {
      const { account } = await newTenant(store);
      const before = await store.read((reader) => reader.changes.revisions(account.id));
      await record(store, [call(account.id)]);
      const attempt = store.write(at(30), async (writer) => {
        await writer.usage.insert([call(account.id, { endpoint: '/v1/new' }), call(account.id)]);
        equal((await writer.usage.list(allCalls(account.id), EVERYTHING)).total, 3, 'inside');
        equal(await writer.usage.deleteBefore(moment(99), 1), 1, 'deleted inside');
        throw new Error('given up');
      });
      await fails(attempt, 'a unit of work that fails');
      equal((await list(store, allCalls(account.id))).results, [{ ...call(account.id), id: 1 }], 'what is left');
      await record(store, [call(account.id, { endpoint: '/v1/new' })]);
      equal((await list(store, allCalls(account.id, { endpoint: '/v1/new' }))).results[0]?.id, 2, 'the next');
      equal(await store.read((reader) => reader.changes.revisions(account.id)), before, 'revisions');
    },
  },
];
