import { DomainError } from '@tarifario/core/service';
import { pointsLeft } from '@tarifario/core/testing';
import { createMemoryRateLimiter } from '@tarifario/runtime';
import { createWorld, PASSWORD, type World } from '@tarifario/testkit/api/world';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { codeOf, limitCalls } from './limit-calls.ts';

let world: World;

beforeEach(async () => {
  // A store takes turns of the event loop.
  vi.useFakeTimers({ toNotFake: ['setImmediate'] });
  world = await createWorld(undefined, createMemoryRateLimiter());
});
afterEach(() => {
  vi.useRealTimers();
});

const { newCaller, ask, passing } = limitCalls(() => world);

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
