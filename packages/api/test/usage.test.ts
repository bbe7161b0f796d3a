import { DomainError, type UsageEntry } from '@tarifario/core/service';
import { createMemoryRateLimiter } from '@tarifario/runtime';
import { filledWorld, goodCalls, type Sample } from '@tarifario/testkit/api/sample';
import { asRecord, type CallInput, createWorld, deactivate, idOf, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { fromWireInstant } from '../src/wire/instants.ts';

let world: World;
let sample: Sample;

beforeEach(async () => {
  ({ world, sample } = await filledWorld());
});

async function listed(input: CallInput = {}): Promise<Record<string, unknown>[]> {
  const { results } = await world.ask('listUsage', input);
  if (!Array.isArray(results)) throw new Error('a list was expected');
  return results.map(asRecord);
}

/** Endpoint, method and status of the calls of a fresh account. */
async function recordedBy(work: (key: string) => Promise<unknown>): Promise<unknown[]> {
  const key = await world.newKey((await world.newAccount()).id);
  await work(key);
  return (await listed({ key })).map(({ endpoint, method, status_code }) => `${method} ${endpoint} ${status_code}`);
}

const entry = (changes: Partial<UsageEntry> = {}): UsageEntry => ({
  accountId: world.account.id,
  firmId: null,
  endpoint: '/v1/offers',
  method: 'GET',
  statusCode: 200,
  responseTimeMs: 1,
  createdAt: '2020-01-01T00:00:00.000Z',
  ...changes,
});

describe('a call is recorded', () => {
  it('A-37: with the template of its path, when it was answered and how long it took', async () => {
    const key = await world.newKey(world.account.id, { firmId: sample.clientId });
    await world.ask('getOffer', { key, params: { id: String(sample.luzId) } });
    expect(await listed({ key })).toEqual([
      {
        id: expect.any(Number),
        endpoint: '/v1/offers/{id}',
        method: 'GET',
        status_code: 200,
        // The clock of these tests goes on by 1.5 ms from one look to the next.
        response_time_ms: 1.5,
        client_id: sample.clientId,
        created_at: expect.stringMatching(/^2026-01-01T00:/),
      },
    ]);
  });

  it('once for each operation', async () => {
    const calls = goodCalls(sample);
    const before = Number((await world.ask('listUsage')).total) + 1;
    for (const [id, input] of Object.entries(calls)) await world.call(id, input);
    expect((await world.ask('listUsage')).total).toBe(before + Object.keys(calls).length);
  });

  it('A-37: also when it is refused, whatever the reason', async () => {
    const recorded = await recordedBy(async (key) => {
      const refusal = new DomainError('not_found');
      const params = { id: '999999' };
      await world.call('listOffers', { key, query: 'limit=0' });
      await world.call('listOffers', { key, query: 'client_id=999999' });
      await world.call('cancelUpload', { key, params });
      await world.call('createClient', { key, body: { name: '' } });
      await world.call('createClient', { key, readBody: () => Promise.reject(new Error('a bug')) });
      await world.unrouted({ apiKey: key, method: 'GET', path: null, refusal });
      await world.unrouted({ apiKey: key, method: 'PUT', path: '/v1/offers/{id}', refusal });
    });
    expect(recorded).toEqual([
      'GET /v1/offers 400',
      'GET /v1/offers 403',
      'DELETE /v1/uploads/{id} 404',
      'POST /v1/clients 422',
      'POST /v1/clients 500',
      'GET (unknown) 404',
      'PUT /v1/offers/{id} 404',
    ]);
  });

  it('A-37: also when its rate is exceeded', async () => {
    world = await createWorld(undefined, createMemoryRateLimiter());
    await world.subscribe(world.account.id, { callsPerMinute: 1 });
    await world.call('listOffers');
    await world.call('listOffers');
    await world.subscribe(world.account.id, {});
    expect((await listed()).map(({ status_code }) => status_code)).toEqual([200, 429]);
  });

  it('A-37: not without an admitted caller', async () => {
    const before = (await world.ask('listUsage')).total;
    const revoked = await world.newAccount();
    const key = await world.newKey(revoked.id);
    await deactivate(world, { accountId: revoked.id });
    for (const nobody of [null, 'junk', 'test-999!', key]) await world.call('listOffers', { key: nobody });
    expect((await world.ask('listUsage')).total).toBe(Number(before) + 1);
    const counted = await world.store.read((reader) =>
      reader.usage.summary({
        accountId: revoked.id,
        firmId: null,
        endpoint: null,
        statusCode: null,
        from: null,
        to: null,
      }),
    );
    expect(counted.totalCalls).toBe(0);
  });
});

describe('usage', () => {
  const times = ['2025-01-01T00:00:00.000Z', '2025-01-01T00:00:00.001Z', '2025-02-28T23:59:59.999Z'];

  it('A-37: is listed by id, and filtered by endpoint, status and time, both ends included', async () => {
    const key = await world.newKey((await world.newAccount()).id);
    const accountId = Number((await world.ask('getAccount', { key })).id);
    for (const [index, createdAt] of times.entries()) {
      world.usageLog.record(
        entry({ accountId, createdAt, endpoint: `/v1/e${index}`, statusCode: index === 1 ? 404 : 200 }),
      );
    }
    const idsOf = async (query: Record<string, string>) =>
      (await listed({ key, query: { ...query, to: query.to ?? '2025-12-31' } })).map(({ endpoint }) => endpoint);
    expect(await idsOf({})).toEqual(['/v1/e0', '/v1/e1', '/v1/e2']);
    expect(await idsOf({ endpoint: '/v1/e1' })).toEqual(['/v1/e1']);
    expect(await idsOf({ endpoint: '/v1/e' })).toEqual([]);
    expect(await idsOf({ status_code: '404' })).toEqual(['/v1/e1']);
    expect(await idsOf({ from: times[1] ?? '' })).toEqual(['/v1/e1', '/v1/e2']);
    expect(await idsOf({ to: times[1] ?? '' })).toEqual(['/v1/e0', '/v1/e1']);
    expect(await idsOf({ from: '2025-01-01T02:00:00+02:00', to: '2025-01-01T00:00Z' })).toEqual(['/v1/e0']);
    expect(await idsOf({ from: '2025-02-28', to: '2025-02-28' })).toEqual(['/v1/e2']);
    expect(await idsOf({ from: '2025-03-01' })).toEqual([]);
    expect(await idsOf({ limit: '1', offset: '1' })).toEqual(['/v1/e1']);
    expect(await idsOf({ order: 'asc' })).toEqual(['/v1/e0', '/v1/e1', '/v1/e2']);
    expect(await idsOf({ order: 'desc' })).toEqual(['/v1/e2', '/v1/e1', '/v1/e0']);
    expect(await idsOf({ order: 'desc', limit: '1', offset: '1' })).toEqual(['/v1/e1']);
  });

  it.each([
    'from=yesterday',
    'from=2025-02-30',
    'from=2025-01-01T24:00:00Z',
    'from=2025-01-01T00:00:00+1',
    'to=1735689600',
    'to=',
    'to=2025-01-01T00:00:00+25:00',
    'status_code=99',
    'status_code=600',
    'status_code=2xx',
    'endpoint=',
    'order=newest',
    'endpoint=%00',
    'from=2025-01-01&from=2025-01-01',
  ])('refuses %s', async (query) => {
    for (const id of ['listUsage', 'getUsageSummary']) expect((await world.call(id, { query })).status).toBe(400);
  });

  it('A-37: of another firm is not shown to a bound key, and is filtered by firm for an unbound one', async () => {
    const key = await world.newKey(world.account.id, { firmId: sample.clientId });
    await world.ask('listOffers', { key });
    expect((await listed({ key })).map(({ client_id }) => client_id)).toEqual([sample.clientId]);
    expect((await listed({ query: { client_id: String(sample.otherClientId) } })).length).toBe(0);
    expect((await listed({ query: { client_id: String(sample.clientId) } })).length).toBe(2);
    expect(await world.ask('getUsageSummary', { key })).toMatchObject({ total_calls: 2 });
    const all = Number((await world.ask('getUsageSummary')).total_calls);
    expect(all).toBeGreaterThan(10);
    const stranger = await world.newKey((await world.newAccount()).id);
    expect(await world.ask('listUsage', { key: stranger })).toMatchObject({ total: 0 });
  });
});

describe('the summary', () => {
  it('counts calls by endpoint, most first, with the 95th percentile of their times', async () => {
    const to = '2020-12-31';
    for (let ms = 1; ms <= 100; ms += 1) {
      const endpoint = ms <= 70 ? '/v1/offers' : '/v1/clients';
      world.usageLog.record(entry({ responseTimeMs: ms, endpoint, statusCode: ms === 100 ? 500 : 200 }));
    }
    const query = { from: '2020-01-01', to };
    const summary = await world.ask('getUsageSummary', { query });
    expect(summary).toMatchObject({
      from: '2020-01-01T00:00:00.000Z',
      to: '2020-12-31T23:59:59.999Z',
      total_calls: 100,
      calls_by_endpoint: [
        { endpoint: '/v1/offers', calls: 70 },
        { endpoint: '/v1/clients', calls: 30 },
      ],
    });
    expect(Math.abs(Number(summary.p95_response_time_ms) / 95 - 1)).toBeLessThanOrEqual(0.1);
    const filtered = { ...query, endpoint: '/v1/clients', status_code: '500' };
    expect(await world.ask('getUsageSummary', { query: filtered })).toMatchObject({
      total_calls: 1,
      calls_by_endpoint: [{ endpoint: '/v1/clients', calls: 1 }],
    });
  });

  it('A-37: is about the last 30 days by default, and has these bounds', async () => {
    const { from, to } = await world.ask('getUsageSummary');
    expect(Date.parse(String(to)) - Date.parse(String(from))).toBe(30 * 86_400_000);
    const justInside = entry({ createdAt: '2025-12-10T00:00:00.000Z' });
    const before = Number((await world.ask('getUsageSummary')).total_calls);
    world.usageLog.record(justInside);
    world.usageLog.record({ ...justInside, createdAt: '2025-12-01T00:00:00.000Z' });
    expect((await world.ask('getUsageSummary')).total_calls).toBe(before + 2);
    expect(await world.ask('getUsageSummary', { query: { to: '2024-03-01T12:00:00Z' } })).toEqual({
      from: '2024-01-31T12:00:00.000Z',
      to: '2024-03-01T12:00:00.000Z',
      total_calls: 0,
      calls_by_endpoint: [],
      p95_response_time_ms: null,
    });
  });
});

it('an id of a call is never used twice', async () => {
  const ids = [];
  for (let i = 0; i < 5; i += 1) ids.push(...(await listed()).map(idOf));
  expect(new Set(ids).size).toBe(Math.max(...ids) - Math.min(...ids) + 1);
});

it.each([
  ['2026-01-31T08:00:00Z', '2026-01-31T08:00:00.000Z'],
  ['2026-01-31T08:00Z', '2026-01-31T08:00:00.000Z'],
  ['2026-01-31T08:00:00.5Z', '2026-01-31T08:00:00.500Z'],
  ['2026-01-31T08:00:00.123456789Z', '2026-01-31T08:00:00.123Z'],
  ['2026-01-31T00:30:00+01:00', '2026-01-30T23:30:00.000Z'],
  ['2024-02-29', '2024-02-29T12:34:56.789Z'],
  ['2025-02-29', null],
  ['2026-01-31 08:00:00Z', null],
  ['2026-01-31T08:00:00', '2026-01-31T08:00:00.000Z'],
  ['2026-01-31T08:00', '2026-01-31T08:00:00.000Z'],
  ['2026-01-31T08:00:00.5', '2026-01-31T08:00:00.500Z'],
  ['2025-02-29T08:00:00', null],
  ['2026-01-31t08:00:00z', null],
  ['2026-01', null],
  ['0000-01-01T00:00:00+01:00', null],
  ['9999-12-31T23:59:59-01:00', null],
  ['2026-01-31T08:00:60Z', null],
])('%s is the instant %s, in every time zone of the machine', (text, instant) => {
  vi.stubEnv('TZ', 'America/New_York');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(fromWireInstant(text, '12:34:56.789')).toBe(instant);
});
