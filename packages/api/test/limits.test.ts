import { DomainError, draftOffer, type Plan } from '@tarifario/core/service';
import { pointsLeft } from '@tarifario/core/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createMemoryRateLimiter } from '../../runtime/src/rate-limiter.ts';
import type { ApiAnswer } from '../src/index.ts';
import { defineOperation } from '../src/operation.ts';
import { fillSample, goodCalls } from './sample.ts';
import { fakeFile } from './workbooks.ts';
import { asRecord, createWorld, idOf, PASSWORD, type World } from './world.ts';

let world: World;

beforeEach(async () => {
  vi.useFakeTimers();
  world = await createWorld(undefined, createMemoryRateLimiter());
});
afterEach(() => {
  vi.useRealTimers();
});

/** A fresh account with a key that is not bound and one that is. */
async function newCaller(plan: Plan): Promise<{ accountId: number; key: string; boundKey: string }> {
  const { id } = await world.newAccount({ plan });
  const terms = { name: 'Asesoría', imageUrl: null, catalogDefault: 'all', isActive: true } as const;
  const at = '2026-01-01T00:00:00.000Z';
  const firm = await world.store.write({ keyId: null, at }, (writer) => writer.insertFirm(id, terms));
  return { accountId: id, key: await world.newKey(id), boundKey: await world.newKey(id, { firmId: firm.id }) };
}

const codeOf = ({ body }: ApiAnswer) => asRecord(asRecord(body ?? { detail: {} }).detail ?? {}).code;
const ask = (key: string | null, address?: string) =>
  world.send('getAccount', { key, ...(address === undefined ? {} : { address }) });

/** Calls until one is refused for its rate: how many passed before. */
async function passing(call: () => Promise<ApiAnswer>): Promise<{ passed: number; refused: ApiAnswer }> {
  for (let passed = 0; passed < 1000; passed += 1) {
    const answer = await call();
    if (answer.status === 429) return { passed, refused: answer };
  }
  throw new Error('a thousand calls passed');
}

describe('the ceilings of the specification', () => {
  it.each([
    ['free', 60, 30],
    ['trial', 60, 30],
    ['starter', 60, 30],
    ['pro', 150, 40],
    ['business', 400, 60],
  ] as const)('A-40: %s: %d calls a minute of an account, %d of a firm', async (plan, ofAccount, ofFirm) => {
    const { key, boundKey } = await newCaller(plan);
    expect((await passing(() => ask(boundKey))).passed).toBe(ofFirm);
    // What the firm's ceiling refused took nothing from the account's.
    expect((await passing(() => ask(key))).passed).toBe(ofAccount - ofFirm);
    vi.advanceTimersByTime(60_001);
    expect((await passing(() => ask(key))).passed).toBe(ofAccount);
  });

  it('an account without a subscription has the ceilings of free', async () => {
    const { accountId, key } = await newCaller('business');
    const cancelled = { plan: 'business', status: 'cancelled', firmLimit: 9, trialEndsAt: null } as const;
    const terms = {
      ...cancelled,
      currentPeriodEnd: '2026-12-01T00:00:00.000Z',
      callsPerMinute: null,
      firmCallsPerMinute: null,
      quotas: {},
    };
    const at = '2026-01-01T00:00:00.000Z';
    await world.store.write({ keyId: null, at }, (writer) => writer.putSubscription(accountId, terms));
    expect((await passing(() => ask(key))).passed).toBe(60);
  });

  it('ceilings agreed with an account replace those of its plan, within the current minute', async () => {
    const { accountId, key, boundKey } = await newCaller('free');
    await passing(() => ask(key));
    await world.subscribe(accountId, { plan: 'free', callsPerMinute: 70, firmCallsPerMinute: 3 });
    expect((await passing(() => ask(boundKey))).passed).toBe(3);
    expect((await passing(() => ask(key))).passed).toBe(7);
  });
});

describe('the headers', () => {
  it('A-40: name every limit of the call, and the points left in the tightest', async () => {
    const { key, boundKey } = await newCaller('pro');
    expect((await ask(key)).headers).toEqual({
      'RateLimit-Policy': '"account";q=150;w=60',
      RateLimit: '"account";r=149;t=60',
    });
    vi.advanceTimersByTime(10_000);
    expect((await ask(boundKey)).headers).toEqual({
      'RateLimit-Policy': '"account";q=150;w=60, "client";q=40;w=60',
      RateLimit: '"client";r=39;t=60',
    });
    for (let i = 0; i < 40; i += 1) await ask(boundKey);
    const refused = await ask(boundKey);
    expect(refused.headers).toEqual({
      'RateLimit-Policy': '"account";q=150;w=60, "client";q=40;w=60',
      RateLimit: '"client";r=0;t=60',
      'Retry-After': '60',
    });
    expect(refused.body).toEqual({
      detail: { code: 'rate_limited', message: 'too many requests: client allows 40 in 60 seconds' },
    });
  });

  it('are in every answer to an admitted caller, and in no other', async () => {
    const { accountId, key } = await newCaller('business');
    const scoped = await world.newKey(accountId, { scopes: ['offers:write'] });
    const params = { id: '999999' };
    const answers = [
      await world.send('listOffers', { key }),
      await world.send('listOffers', { key, query: 'limit=0' }),
      await world.send('listOffers', { key: scoped }),
      await world.send('getOffer', { key, params }),
      await world.send('createClient', { key, body: { name: '' } }),
      await world.send('cancelUpload', { key, params }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 403, 404, 422, 404]);
    answers.forEach(({ headers }, index) => {
      expect(headers.RateLimit).toBe(`"account";r=${399 - index};t=60`);
    });
    for (const answer of [await ask(null), await ask('junk'), await ask('test-999!')]) {
      expect([answer.status, Object.keys(answer.headers)]).toEqual([401, ['WWW-Authenticate']]);
    }
  });

  it('are in the answer to a bug, too', async () => {
    const readBody = () => Promise.reject(new Error('a bug'));
    const { status, headers } = await world.send('createClient', { readBody });
    expect([status, headers.RateLimit]).toEqual([500, '"account";r=399;t=60']);
  });
});

describe('the points of a call', () => {
  it('A-40: are taken before the body is read, and not returned', async () => {
    const limiter = createMemoryRateLimiter();
    const other = await createWorld(undefined, limiter);
    const account = { name: 'account', key: `account:${other.account.id}`, points: 400, windowSeconds: 60 };
    let leftWhenRead: readonly number[] = [];
    const readBody = async () => {
      leftWhenRead = await pointsLeft(limiter, [account]);
      throw new DomainError('invalid_request');
    };
    const { status } = await other.send('createOffer', { readBody });
    expect([status, leftWhenRead]).toEqual([400, [399]]);
    expect(await pointsLeft(limiter, [account])).toEqual([399]);
  });

  it('once used up, the next body is not read', async () => {
    const { accountId, key } = await newCaller('free');
    await world.subscribe(accountId, { callsPerMinute: 1 });
    let reads = 0;
    const readBody = async () => {
      reads += 1;
      return {};
    };
    await world.send('createClient', { key, readBody });
    expect((await world.send('createClient', { key, readBody })).status).toBe(429);
    expect(reads).toBe(1);
  });

  it('A-40: are one for each call, whatever it asks for', async () => {
    const { key } = await newCaller('free');
    const noSuchPath = { method: 'GET', path: null, refusal: new DomainError('not_found') };
    const noSuchMethod = { method: 'PUT', path: '/v1/offers', refusal: new DomainError('method_not_allowed') };
    const kinds = [
      () => world.unrouted({ apiKey: key, ...noSuchPath }),
      () => world.unrouted({ apiKey: key, ...noSuchMethod }),
      () => world.send('listOffers', { key, query: 'limit=0' }),
      () => world.send('getOffer', { key, params: { id: 'x' } }),
    ];
    let turn = 0;
    const { passed } = await passing(() => kinds[turn++ % kinds.length]?.() ?? ask(null));
    expect(passed).toBe(60);
  });
});

describe('a path that does not exist', () => {
  const refusal = new DomainError('not_found', { message: 'no such path' });
  const nothing = { method: 'GET', path: null, refusal };

  it('is answered 404 without a key, and not counted', async () => {
    const answer = await world.unrouted({ apiKey: null, ...nothing });
    const body = { detail: { code: 'not_found', message: 'no such path' } };
    expect(answer).toEqual({ status: 404, headers: {}, body });
    expect(world.usageLog.waiting()).toBe(0);
  });

  it('with a key is admitted first', async () => {
    expect((await world.unrouted({ apiKey: 'junk', ...nothing })).status).toBe(401);
    expect((await world.unrouted({ apiKey: 'test-999!', ...nothing })).status).toBe(401);
    const { accountId, key } = await newCaller('free');
    expect(await world.unrouted({ apiKey: key, ...nothing })).toMatchObject({
      status: 404,
      headers: { RateLimit: '"account";r=59;t=60' },
    });
    await world.subscribe(accountId, { callsPerMinute: 1 });
    expect((await world.unrouted({ apiKey: key, ...nothing })).status).toBe(429);
  });
});

describe('the limits of single operations', () => {
  it.each([
    ['bulkPatchOffers', 'bulk_patch', 30, 60],
    ['updateAccount', 'account_edit', 30, 3600],
    ['changePassword', 'password', 5, 300],
    ['bulkUpdateOffers', 'bulk_update', 10, 3600],
    ['bulkUpdateCatalogOffers', 'catalog_bulk_update', 10, 3600],
  ])(
    'A-40: %s: %s allows %d in %d seconds to an account, whatever the key',
    async (id, name, points, windowSeconds) => {
      const sample = await fillSample(world);
      const sent = id === 'updateAccount' ? { body: { name: 'Cuenta' } } : goodCalls(sample)[id];
      const keys = [world.fullKey, await world.newKey(world.account.id)];
      let turn = 0;
      const call = () => world.send(id, { ...sent, key: keys[turn++ % 2] ?? null });
      const { passed, refused } = await passing(call);
      expect(passed).toBe(points);
      expect(refused.headers['RateLimit-Policy']).toContain(`"${name}";q=${points};w=${windowSeconds}`);
      expect(refused.headers.RateLimit).toMatch(new RegExp(`^"${name}";r=0;t=\\d+$`));
      // The other calls of the account go on, and those of other accounts.
      expect((await ask(world.fullKey)).status).toBe(200);
      vi.advanceTimersByTime((windowSeconds - 1) * 1000);
      expect((await call()).status).toBe(429);
      vi.advanceTimersByTime(1001);
      expect((await call()).status).toBeLessThan(300);
    },
  );

  it('a call that the ceiling refuses costs none of their points, and the other way round', async () => {
    const { accountId, key } = await newCaller('free');
    await world.subscribe(accountId, { callsPerMinute: 1 });
    await ask(key);
    for (let i = 0; i < 40; i += 1) {
      expect((await world.send('updateAccount', { key, body: { name: 'x' } })).headers.RateLimit).toMatch(/^"account"/);
    }
    await world.subscribe(accountId, { callsPerMinute: 100 });
    const { passed } = await passing(() => world.send('updateAccount', { key, body: { name: 'x' } }));
    expect(passed).toBe(30);
    for (let i = 0; i < 10; i += 1) await world.send('updateAccount', { key, body: { name: 'x' } });
    expect((await ask(key)).headers.RateLimit).toBe('"account";r=68;t=60');
  });

  it.each([
    ['changePassword', ['offers:read'], 'not_full_access', 5],
    ['updateAccount', ['offers:read'], 'not_full_access', 30],
    ['bulkPatchOffers', ['offers:read'], 'missing_scope', 30],
    ['bulkUpdateOffers', ['offers:read'], 'missing_scope', 10],
    ['bulkUpdateCatalogOffers', ['catalog:read'], 'missing_scope', 10],
  ] as const)('A-40: %s: keys that may not call it use none of its points', async (id, scopes, code, points) => {
    const sample = await fillSample(world);
    const sent = id === 'updateAccount' ? { body: { name: 'Cuenta' } } : goodCalls(sample)[id];
    const key = await world.newKey(world.account.id, { scopes });
    for (let i = 0; i < points + 1; i += 1) {
      const refused = await world.send(id, { ...sent, key });
      expect([refused.status, codeOf(refused)]).toEqual([403, code]);
      expect(refused.headers['RateLimit-Policy']).toBe('"account";q=400;w=60');
    }
    expect((await passing(() => world.send(id, sent))).passed).toBe(points);
  });

  it('A-40: catalog writes are counted by key', async () => {
    const write = defineOperation({
      id: 'planted',
      method: 'GET',
      path: '/v1/planted',
      summary: 'Planted',
      description: 'Answers nothing.',
      scopes: ['clients:read'],
      limits: ['catalog_write'],
      output: z.unknown(),
      examples: [],
      answer: async () => ({}),
    });
    const { accountId, key } = await newCaller('business');
    const { passed, refused } = await passing(() => world.send(write, { key }));
    expect(passed).toBe(120);
    expect(refused.headers.RateLimit).toMatch(/^"catalog_write";r=0;/);
    expect((await world.send(write, { key: await world.newKey(accountId) })).status).toBe(200);
  });
});

describe('ten files an hour', () => {
  const file = { bytes: fakeFile({}) };
  const wrong = { bytes: fakeFile({ borrar: [['offer_id'], [999_999]] }) };
  const unreadable = { bytes: new Uint8Array(4) };
  const queue = (key: string, kind: string) => world.send('createUpload', { key, form: { fields: { kind }, ...file } });

  it('are counted whatever the result: applied, wrong, unreadable, malformed, dry run or queued', async () => {
    const { key } = await newCaller('business');
    const statuses = [];
    for (const form of [file, wrong, unreadable, { ...file, fields: { x: '1' } }]) {
      statuses.push((await world.send('bulkUpdateOffers', { key, form })).status);
      statuses.push((await world.send('bulkUpdateOffers', { key, form, query: { dry_run: 'true' } })).status);
    }
    expect(statuses).toEqual([200, 200, 422, 422, 400, 400, 400, 400]);
    const queued = [await queue(key, 'offers_bulk_update'), await queue(key, 'offers_bulk_update')];
    expect(queued.map(({ status }) => status)).toEqual([202, 202]);
    for (const refused of [
      await world.send('bulkUpdateOffers', { key, form: file }),
      await queue(key, 'offers_bulk_update'),
    ]) {
      expect([refused.status, refused.headers['Retry-After']]).toEqual([429, '3600']);
      expect(refused.headers.RateLimit).toBe('"bulk_update";r=0;t=3600');
    }
    // An announced size alone is not a file.
    expect((await world.send('createUpload', { key, body: { file_name: 'x' } })).status).toBe(201);
    vi.advanceTimersByTime(3_600_001);
    expect((await queue(key, 'offers_bulk_update')).status).toBe(202);
  });

  it('are ten of own offers and ten of the catalog', async () => {
    const key = world.fullKey;
    for (const kind of ['offers_bulk_update', 'catalog_bulk_update']) {
      expect((await passing(() => queue(key, kind))).passed).toBe(10);
    }
    expect((await world.send('bulkUpdateCatalogOffers', { form: file })).status).toBe(429);
    const { key: stranger } = await newCaller('free');
    expect((await queue(stranger, 'offers_bulk_update')).status).toBe(202);
  });

  it('A-38: a retried file costs a point again', async () => {
    const { key } = await newCaller('business');
    await world.send('bulkUpdateOffers', { key, form: unreadable });
    const listed = asRecord((await world.send('listUploads', { key })).body);
    const id = String(idOf(asRecord(Array.isArray(listed.results) ? listed.results[0] : null)));
    const retry = async () => {
      const answer = await world.send('retryUpload', { key, params: { id } });
      await world.work();
      return answer;
    };
    expect((await passing(retry)).passed).toBe(9);
    expect((await retry()).headers.RateLimit).toBe('"bulk_update";r=0;t=3600');
    expect((await world.send('bulkUpdateOffers', { key, form: file })).status).toBe(429);
  });

  it("A-40: files for the catalog count among the key's writes to the catalog", async () => {
    const { accountId } = await newCaller('business');
    await world.store.write({ keyId: null, at: '2026-01-01T00:00:00.000Z' }, (writer) =>
      writer.updateAccount(accountId, { isCatalogEditor: true }),
    );
    const key = await world.newKey(accountId);
    const create = () => world.send('createCatalogCompany', { key, body: {} });
    expect((await passing(create)).passed).toBe(120);
    const refused = await world.send('bulkUpdateCatalogOffers', { key, form: file });
    expect([refused.status, refused.headers.RateLimit]).toEqual([429, '"catalog_write";r=0;t=60']);
  });
});

describe('unknown keys', () => {
  const unknown = 'test-99999!';

  it('A-40: are answered 401 sixty times a minute and address, then 429', async () => {
    const { passed, refused } = await passing(() => ask(unknown, '198.51.100.1'));
    expect(passed).toBe(60);
    expect(refused).toMatchObject({ status: 429, headers: { 'Retry-After': '60' } });
    expect(codeOf(refused)).toBe('rate_limited');
    expect(refused.headers).toEqual({
      'RateLimit-Policy': '"unknown_key";q=60;w=60',
      RateLimit: '"unknown_key";r=0;t=60',
      'Retry-After': '60',
    });
    expect((await ask(unknown, '198.51.100.2')).status).toBe(401);
    vi.advanceTimersByTime(60_001);
    expect((await ask(unknown, '198.51.100.1')).status).toBe(401);
  });

  it('A-40: do not affect valid keys, and malformed keys are not counted', async () => {
    const { key } = await newCaller('free');
    await passing(() => ask(unknown));
    for (const junk of [null, '', 'junk', 'test-1']) expect((await ask(junk)).status).toBe(401);
    expect((await ask(key)).status).toBe(200);
    expect((await passing(() => ask(key))).passed).toBe(59);
  });

  it('malformed and missing keys are never limited', async () => {
    for (let i = 0; i < 200; i += 1) expect((await ask(i % 2 === 0 ? null : 'junk')).status).toBe(401);
    expect((await passing(() => ask(unknown))).passed).toBe(60);
  });
});

describe('wrong passwords', () => {
  const edit = (password: string, key = world.fullKey) =>
    world.send('updateAccount', { key, body: { email: `x@example.com`, current_password: password } });
  const change = (password: string, key = world.fullKey) =>
    world.send('changePassword', { key, body: { current_password: password, new_password: PASSWORD } });

  it('A-40: of both operations are counted together: the sixth within five minutes is not checked', async () => {
    for (const attempt of [edit('a'), change('b'), edit('c'), change('d'), edit('e')]) {
      expect((await attempt).status).toBe(401);
    }
    const refused = await edit(PASSWORD);
    expect([refused.status, codeOf(refused), refused.headers['Retry-After']]).toEqual([429, 'rate_limited', '300']);
    expect(refused.headers['RateLimit-Policy']).toBe(
      '"account";q=400;w=60, "account_edit";q=30;w=3600, "wrong_password";q=5;w=300',
    );
    expect(refused.headers.RateLimit).toBe('"wrong_password";r=0;t=300');
    expect((await change(PASSWORD)).status).toBe(429);
    const stranger = await newCaller('free');
    expect((await edit('a', stranger.key)).status).toBe(401);
    vi.advanceTimersByTime(300_001);
    expect((await edit(PASSWORD)).status).toBe(200);
  });

  it('are named in a refusal also when a limit of the operation is used up', async () => {
    expect((await edit('a')).status).toBe(401);
    vi.advanceTimersByTime(10_000);
    for (const attempt of [change('b'), change('c'), change('d'), change('e')])
      expect((await attempt).status).toBe(401);
    const { status, headers } = await change(PASSWORD);
    expect([status, headers.RateLimit, headers['Retry-After']]).toEqual([429, '"wrong_password";r=0;t=290', '290']);
    expect(headers['RateLimit-Policy']).toContain('"password";q=5;w=300, "wrong_password";q=5;w=300');
  });

  it('are the only ones counted', async () => {
    for (let i = 0; i < 8; i += 1) expect((await edit(PASSWORD)).status).toBe(200);
    for (let i = 0; i < 5; i += 1) expect((await edit('wrong')).status).toBe(401);
    expect((await edit(PASSWORD)).status).toBe(429);
  });

  it('sent at once are counted as if one after another', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => edit(`wrong ${i}`)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  });
});

describe('A-65: the points of a batch of offers', () => {
  /** A free account with so many offers. */
  async function withOffers(count: number) {
    const { accountId, key, boundKey } = await newCaller('free');
    const [firm] = (await world.store.read((reader) => reader.changesSince(accountId, 0))).firms;
    const at = '2026-01-01T00:00:00.000Z';
    const ids = await world.store.write({ keyId: null, at }, async (writer) => {
      const terms = { firmId: firm?.id ?? 0, name: 'Iber', logoUrl: null, isActive: true };
      const company = await writer.insertCompany(accountId, terms);
      const required = { companyId: company.id, offerName: 'x', supplyType: 'LUZ', tariffType: '2.0TD' } as const;
      const rest = { territories: { peninsula: true }, accepts: { dni: true } };
      const offers = Array.from({ length: count }, () => draftOffer(required, rest).terms);
      return (await writer.insertOffers(accountId, offers)).map(({ id }) => id);
    });
    const patch = (size: number, by: string, idempotencyKey?: string) =>
      world.send('bulkPatchOffers', {
        key: by,
        body: { offer_ids: ids.slice(0, size), updates: { commission: size } },
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
      });
    return { key, boundKey, ids, patch };
  }

  it.each([
    [1, 1],
    [250, 1],
    [251, 2],
    [500, 2],
  ])('A-65: %d offers cost %d points of the account', async (size, cost) => {
    const { key, patch } = await withOffers(500);
    const { status } = await patch(size, key);
    expect(status).toBe(200);
    expect((await ask(key)).headers.RateLimit).toBe(`"account";r=${60 - cost - 1};t=60`);
  });

  it('A-65: allow every key of the smallest plan the 30 batches of 500 a minute of the specification', async () => {
    const { key, boundKey, patch } = await withOffers(500);
    for (let i = 0; i < 30; i += 1) expect((await patch(500, boundKey)).status).toBe(200);
    expect((await ask(key)).status).toBe(429);
    vi.advanceTimersByTime(60_001);
    const { passed, refused } = await passing(() => patch(500, key));
    expect([passed, codeOf(refused)]).toEqual([30, 'rate_limited']);
  });

  it('A-65: are in the headers of the answer, of a refusal and of a replay', async () => {
    const { key, ids, patch } = await withOffers(251);
    // So that the account has less left than the limit of the operation.
    for (let i = 0; i < 40; i += 1) await ask(key);
    expect((await patch(251, key, 'once')).headers.RateLimit).toBe('"account";r=18;t=60');
    const replay = (await patch(251, key, 'once')).headers;
    expect([replay.RateLimit, replay['Idempotent-Replayed']]).toEqual(['"account";r=16;t=60', 'true']);
    const wrong = { offer_ids: [...ids.slice(1), 999_999], updates: { commission: 1 } };
    const { status, headers } = await world.send('bulkPatchOffers', { key, body: wrong });
    expect([status, headers.RateLimit]).toEqual([404, '"account";r=14;t=60']);
    expect((await ask(key)).headers.RateLimit).toBe('"account";r=13;t=60');
  });

  it('A-65: a batch that costs more than the remaining points is refused and changes nothing, and a smaller one is done', async () => {
    const { key, ids, patch } = await withOffers(251);
    for (let i = 0; i < 58; i += 1) await ask(key);
    await patch(1, key);
    const refused = await patch(251, key);
    expect([refused.status, codeOf(refused)]).toEqual([429, 'rate_limited']);
    expect(refused.headers['Retry-After']).toBe('60');
    vi.advanceTimersByTime(60_001);
    const params = { id: String(ids[250]) };
    expect(asRecord((await world.send('getOffer', { key, params })).body).commission).toBe(0);
  });
});
