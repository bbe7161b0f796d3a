import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTarifario, type Fetch, TarifarioError, type TarifarioOptions } from './index.ts';

const KEY = 'tf_secret_7919';

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

/** A client whose requests are written down and answered one after the other, the last answer again and again. */
function clientOf(answers: readonly (Response | Error)[], options: Partial<TarifarioOptions> = {}) {
  const sent: Sent[] = [];
  const fetch: Fetch = async (url, init) => {
    const answer = answers[Math.min(sent.length, answers.length - 1)] ?? json(200, {});
    sent.push({ url, init });
    init.signal?.throwIfAborted();
    if (answer instanceof Error) throw answer;
    return answer.clone();
  };
  return { client: createTarifario({ url: 'http://service.test', key: KEY, fetch, ...options }), sent };
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { 'X-Request-Id': 'r1', ...headers } });
}

const refusal = (status: number, code: string, headers?: Record<string, string>) =>
  json(status, { detail: { code, message: 'a text' } }, headers);
const busy = (seconds: number | string) => refusal(429, 'rate_limited', { 'Retry-After': String(seconds) });

const QUESTION = { supply_type: 'LUZ', energia: { e1: 900 } } as const;

/** What a call failed with. */
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('it succeeded'),
    (error: unknown) => error,
  );

describe('a request', () => {
  test('has the parameters of its path in the path, all others in the query, and the key in a header alone', async () => {
    const { client, sent } = clientOf([json(200, { id: 7 })]);
    await client.getIndexedPrice({ id: 7, month: '2026-01', client_id: 3 });
    await client.compareOffers({ ids: [4, 2] });
    expect(sent.map(({ url }) => url)).toEqual([
      'http://service.test/v1/offers/7/indexed-prices/2026-01?client_id=3',
      'http://service.test/v1/offers/compare?ids=4&ids=2',
    ]);
    expect(sent[0]?.init.headers).toEqual({ 'X-API-Key': KEY });
  });

  test('follows no redirect and sends no cookie', async () => {
    const { client, sent } = clientOf([json(200, {})]);
    await client.getAccount();
    expect(sent[0]?.init).toMatchObject({ redirect: 'error', credentials: 'omit' });
  });

  test.each(['', '.', '..', undefined])('with %j in its path is refused before it is sent', async (id) => {
    const { client, sent } = clientOf([json(200, {})]);
    expect(await failureOf(Reflect.apply(client.deleteOffer, undefined, [{ id }]))).toBeInstanceOf(TypeError);
    expect(sent).toEqual([]);
  });

  test('encodes a parameter that looks like another path or query', async () => {
    const { client, sent } = clientOf([json(200, {})]);
    await Reflect.apply(client.getOffer, undefined, [{ id: '../account?x=1#y' }]);
    expect(sent[0]?.url).toBe('http://service.test/v1/offers/..%2Faccount%3Fx%3D1%23y');
  });

  test('of a replayable operation has an Idempotency-Key of its own, the same in each retry', async () => {
    const { client, sent } = clientOf([busy(0), json(201, {}), json(201, {})]);
    await client.createClient({ body: { name: 'Asesoría Sur' } });
    await client.createClient({ body: { name: 'Asesoría Sur' } });
    await client.createClient({ body: { name: 'Asesoría Sur' } }, { idempotencyKey: 'mine' });
    await client.updateClient({ id: 1, body: { name: 'Norte' } }, { ifMatch: '"a"' });
    const names = sent.map(({ init }) => new Headers(init.headers).get('Idempotency-Key'));
    expect(names[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(names).toEqual([names[0], names[0], expect.stringMatching(/^[0-9a-f]{32}$/), 'mine', null]);
    expect(names[2]).not.toBe(names[0]);
    expect(new Headers(sent.at(-1)?.init.headers).get('If-Match')).toBe('"a"');
  });

  test('that makes a key takes no idempotencyKey, under which it would be made twice', async () => {
    const { client, sent } = clientOf([json(201, {})]);
    const call = client.createKey({ body: { scopes: ['offers:read'] } }, { idempotencyKey: 'mine' });
    expect(await failureOf(call)).toEqual(new TypeError('idempotencyKey: this operation takes none'));
    expect(sent).toEqual([]);
  });

  test('that would change a record without the tag that an answer lacked is not sent', async () => {
    const { client, sent } = clientOf([json(200, {})]);
    const { headers } = await client.getOffer({ id: 1 }).withResponse();
    const call = client.updateOffer({ id: 1, body: { services_cost: 2 } }, { ifMatch: headers.get('ETag') });
    expect(await failureOf(call)).toEqual(new TypeError('ifMatch: the answer had no ETag'));
    expect(sent).toHaveLength(1);
  });

  test('leaves out a parameter that is null or undefined', async () => {
    const { client, sent } = clientOf([json(200, {})]);
    await Reflect.apply(client.compareOffers, undefined, [{ ids: [4, null], client_id: null, fields: undefined }]);
    expect(sent[0]?.url).toBe('http://service.test/v1/offers/compare?ids=4');
  });

  test.each(['service.test', 'ftp://service.test', 'http://user:pass@service.test', 'http://service.test/?a=1'])(
    'to the address %s cannot be made, and the message does not repeat it',
    (url) => {
      expect(() => createTarifario({ url, key: KEY })).toThrow(/^url: an absolute http address/);
    },
  );

  test('with a key that no header can carry cannot be made, and the message does not repeat it', () => {
    for (const key of [`${KEY}\n`, '', undefined]) {
      const options = { url: 'http://service.test', key };
      expect(() => Reflect.apply(createTarifario, undefined, [options])).toThrow(/^key: visible ASCII/);
    }
  });

  test('asks for messages in the language of the client', async () => {
    const { client, sent } = clientOf([json(200, {})], { language: 'es' });
    await client.getAccount();
    expect(sent[0]?.init.headers).toEqual({ 'X-API-Key': KEY, 'Accept-Language': 'es' });
  });

  test('asks for messages in the language at the time when it is sent', async () => {
    let language: 'es' | 'en' = 'es';
    const { client, sent } = clientOf([json(200, {})], { language: () => language });
    await client.getAccount();
    language = 'en';
    await client.getAccount();
    expect(sent.map(({ init }) => new Headers(init.headers).get('Accept-Language'))).toEqual(['es', 'en']);
  });

  test('reports the status of its answer, also of a refusal', async () => {
    const seen: number[] = [];
    const { client } = clientOf([json(200, {}), refusal(401, 'unauthenticated')], {
      onStatus: (one) => seen.push(one),
    });
    await client.getAccount();
    await failureOf(client.getAccount());
    expect(seen).toEqual([200, 401]);
  });

  test('to a service below a path has that path', async () => {
    const { client, sent } = clientOf([json(200, {})], { url: 'https://service.test/tarifario/' });
    await client.getAccount();
    expect(sent[0]?.url).toBe('https://service.test/tarifario/v1/account');
  });
});

describe('an answer', () => {
  test('is JSON, a text without its byte order mark, bytes, or nothing', async () => {
    const csv = new Response('\ufeffa;b', { headers: { 'Content-Type': 'text/csv; charset=utf-8' } });
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    const xlsx = new Response(Uint8Array.of(80, 75), { headers: { 'Content-Type': type } });
    const { client } = clientOf([json(200, { id: 1 }), csv, xlsx, new Response(null, { status: 204 })]);
    expect(await client.getAccount()).toEqual({ id: 1 });
    expect(await client.exportOffers()).toBe('\ufeffa;b');
    expect(await client.bulkTemplateOffers()).toEqual(Uint8Array.of(80, 75));
    expect(await client.deleteIndexedPrice({ id: 1, month: '2026-01' })).toBeUndefined();
  });

  test('has its status and headers when they are requested', async () => {
    const { client } = clientOf([json(201, { id: 1 }, { ETag: '"a"' })]);
    const { data, status, headers } = await client
      .createCompany({ body: { client_id: 1, name: 'Alba' } })
      .withResponse();
    expect([data, status, headers.get('ETag')]).toEqual([{ id: 1 }, 201, '"a"']);
  });

  const page = (offset: number, ids: readonly number[]) =>
    json(200, { total: 5, limit: 2, offset, results: ids.map((id) => ({ id })) });

  test('that is a list gives its records one by one, with pages after the last record', async () => {
    const { client, sent } = clientOf([page(0, [1, 2]), page(0, [4, 7]), page(0, [9])]);
    const ids: number[] = [];
    for await (const { id } of client.listClients({ limit: 2, include_inactive: true, offset: 0 })) ids.push(id);
    expect(ids).toEqual([1, 2, 4, 7, 9]);
    const path = 'http://service.test/v1/clients?limit=2&include_inactive=true';
    expect(sent.map(({ url }) => url)).toEqual([`${path}&offset=0`, `${path}&after_id=2`, `${path}&after_id=7`]);
  });

  test('that is a list without ids gives its records by offset, and ends where the list has shrunk', async () => {
    const { client, sent } = clientOf([page(0, [1, 2]), page(2, [3, 4]), page(4, [])]);
    const records = [];
    for await (const record of client.getOfferHistory({ id: 1, limit: 2 })) records.push(record);
    expect(records).toHaveLength(4);
    const path = 'http://service.test/v1/offers/1/history?limit=2';
    expect(sent.map(({ url }) => url)).toEqual([path, `${path}&offset=2`, `${path}&offset=4`]);
  });

  test('that is a list in another order gives its records by the cursor of each page, and without it by offset', async () => {
    const next = (cursor: string, ids: readonly number[]) =>
      json(200, { limit: 2, offset: 0, next: cursor, results: ids.map((id) => ({ id })) });
    const { client, sent } = clientOf([next('aa', [7, 2]), next('bb', [9, 1]), page(0, [4])]);
    const ids: number[] = [];
    for await (const { id } of client.listOffers({ sort: '-updated_at', limit: 2, offset: 0 })) ids.push(id);
    expect(ids).toEqual([7, 2, 9, 1, 4]);
    const path = 'http://service.test/v1/offers?sort=-updated_at&limit=2';
    expect(sent.map(({ url }) => url)).toEqual([`${path}&offset=0`, `${path}&after=aa`, `${path}&after=bb`]);

    const short = clientOf([page(0, [7, 2]), page(2, [])]);
    for await (const _offer of short.client.listOffers({ sort: 'offer_name', limit: 2 }));
    expect(short.sent.map(({ url }) => url.split('?')[1])).toEqual([
      'sort=offer_name&limit=2',
      'sort=offer_name&limit=2&offset=2',
    ]);
  });

  test('that is a list of few fields gives its records by id or by offset, and ends with an empty page', async () => {
    const some = (records: readonly object[]) => json(200, { results: records });
    const pages = [some([{ id: 3 }, { id: 5 }]), some([{ id: 8 }]), some([])];
    const { client, sent } = clientOf(pages);
    const ids: number[] = [];
    for await (const { id } of client.listOffers({ fields: 'results.id' })) ids.push(id);
    expect(ids).toEqual([3, 5, 8]);
    const path = 'http://service.test/v1/offers?fields=results.id';
    expect(sent.map(({ url }) => url)).toEqual([path, `${path}&after_id=5`, `${path}&after_id=8`]);

    const named = clientOf([some([{ name: 'A' }, { name: 'B' }]), some([])]);
    const names: string[] = [];
    for await (const { name } of named.client.listClients({ fields: 'results.name', offset: 4 })) names.push(name);
    expect(names).toEqual(['A', 'B']);
    expect(named.sent[1]?.url).toMatch(/fields=results.name&offset=6$/);

    const limited = clientOf([some([{ name: 'A' }])]);
    for await (const { name } of limited.client.listClients({ fields: 'results.name', limit: 2 })) names.push(name);
    expect([names.at(-1), limited.sent.length]).toEqual(['A', 1]);
  });

  test('of some fields has the type of these alone', async () => {
    const { client } = clientOf([json(200, { total: 1, results: [{ offer: { id: 7 } }] })]);
    const { total, results } = await client.rankOffers({ body: QUESTION, fields: 'total,results.offer.id' });
    const ids: (number | undefined)[] = results.map(({ offer }) => offer.id);
    expect([total, ids]).toEqual([1, [7]]);
    const spaced = await client.rankOffers({ body: QUESTION, fields: 'total, results.offer.id' });
    expect([spaced.total, spaced.results[0]?.offer.id]).toEqual([1, 7]);
    // @ts-expect-error: a cost was not asked for
    expect(results[0]?.cost).toBeUndefined();
    // @ts-expect-error: the name of the offer was not asked for
    expect(results[0]?.offer.offer_name).toBeUndefined();
    // @ts-expect-error: without results there are no records to go through
    expect(client.listOffers({ fields: 'total' })[Symbol.asyncIterator]).toBeDefined();
    // @ts-expect-error: a write takes no fields
    client.createClient({ body: { name: 'A' }, fields: 'id' });
    const chosen: string = 'total';
    const any = await client.rankOffers({ body: QUESTION, fields: chosen });
    // @ts-expect-error: each field may be missing
    expect(any.results.length).toBe(1);
    expect(any.results?.[0]?.offer?.id).toBe(7);
  });

  test('that is a list whose records have their ids elsewhere gives them by offset', async () => {
    const pages = [[1, 2], [3]].map((ids, index) => {
      const results = ids.map((id) => ({ company: { id }, subscribed: true }));
      return json(200, { total: 3, limit: 2, offset: 2 * index, results });
    });
    const { client, sent } = clientOf(pages);
    const ids: number[] = [];
    for await (const { company } of client.listCatalogSubscriptions({ id: 1, limit: 2 })) ids.push(company.id);
    expect([ids, sent.length]).toEqual([[1, 2, 3], 2]);
    expect(sent[1]?.url).toMatch(/limit=2&offset=2$/);
  });
});

describe('a failure', () => {
  test('has the code, the status, the id of the request, the time to wait and the details', async () => {
    const errors = [{ path: 'e1', error: 'must be at least 0' }];
    const detail = { code: 'business_rule', message: 'the request breaks a rule', errors };
    const { client } = clientOf([json(422, { detail }, { 'Retry-After': '7' })]);
    const failure = await failureOf(client.getAccount());
    expect(failure).toBeInstanceOf(TarifarioError);
    const facts = { code: 'business_rule', status: 422, requestId: 'r1', retryAfterSeconds: 7, errors, detail };
    expect(failure).toMatchObject({ name: 'TarifarioError', ...facts });
  });

  test.each([
    ['without errors', undefined, 'not valid'],
    [
      'with an error of a field',
      [
        { path: 'e1', error: 'too low' },
        { path: 'e2', error: 'x' },
      ],
      'not valid: e1: too low',
    ],
    ['with one of no field', [{ path: '', error: 'too long' }], 'not valid: too long'],
    ['with one of a row', [{ sheet: 'ofertas', row: 2, error: 'e1: x' }], 'not valid: ofertas 2: e1: x'],
  ])('%s has the first of them in its message', async (_, errors, message) => {
    const detail = { code: 'business_rule', message: 'not valid', ...(errors && { errors }) };
    const { client } = clientOf([json(422, { detail })]);
    expect(await failureOf(client.getAccount())).toMatchObject({ message, detail: { message: 'not valid' } });
  });

  const CSV = { 'Content-Type': 'text/csv; charset=utf-8' };
  test.each([
    [
      'a page in place of a table',
      'exportOffers',
      new Response('<h1>Log in</h1>', { headers: { 'Content-Type': 'text/html' } }),
    ],
    ['a table in place of JSON', 'listOffers', new Response('a;b', { headers: CSV })],
    ['nothing in place of JSON', 'listOffers', new Response('', { headers: { 'Content-Type': 'application/json' } })],
    ['no content in place of a table', 'exportOffers', new Response(null, { status: 204 })],
    ['null', 'listOffers', json(200, null)],
    [
      'a page where nothing is answered',
      'deleteWebhook',
      new Response('<h1>Log in</h1>', { headers: { 'Content-Type': 'text/html' } }),
    ],
  ] as const)('that is %s is no answer of the service', async (_what, id, answer) => {
    const { client } = clientOf([answer]);
    const call: Promise<unknown> = id === 'deleteWebhook' ? client.deleteWebhook({ id: 1 }) : client[id]();
    expect(await failureOf(call)).toMatchObject({ code: 'unexpected_answer', status: answer.status });
  });

  test('that is no answer of the service has its own code', async () => {
    const page = new Response('<h1>Bad gateway</h1>', { status: 502 });
    const half = new Response('{"id":', { headers: { 'Content-Type': 'application/json' } });
    const login = new Response('<h1>Log in</h1>', { headers: { 'Content-Type': 'text/html' } });
    for (const [answer, status] of [
      [page, 502],
      [half, 200],
      [login, 200],
    ] as const) {
      const failure = await failureOf(clientOf([answer]).client.getAccount());
      expect(failure).toMatchObject({ code: 'unexpected_answer', status });
    }
    const networkError = new TypeError('fetch failed');
    expect(await failureOf(clientOf([networkError]).client.getAccount())).toMatchObject({
      code: 'unreachable',
      cause: networkError,
    });
  });

  test('shows the key nowhere, and neither does the client', async () => {
    const { client } = clientOf([new TypeError('fetch failed'), refusal(401, 'unauthenticated'), json(200, {})]);
    const shown = [client, await failureOf(client.getAccount()), await failureOf(client.getAccount())];
    shown.push(await client.getAccount().withResponse());
    for (const value of shown) {
      expect(inspect(value, { depth: null, showHidden: true }) + JSON.stringify(value)).not.toContain(KEY);
    }
  });

  test('of a call whose status or records are used is reported once', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const { client } = clientOf([refusal(404, 'not_found')]);
    await failureOf(client.getOffer({ id: 1 }).withResponse());
    const iterated = (async () => {
      for await (const _ of client.listOffers()) expect.fail('there are none');
    })();
    expect(await failureOf(iterated)).toMatchObject({ code: 'not_found' });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('a busy service', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** The seconds between the tries of a call. */
  async function waitsOf(answers: readonly Response[], options?: Partial<TarifarioOptions>) {
    const { client, sent } = clientOf(answers, options);
    const ended = client.getAccount().then(
      () => 'answered',
      (error: TarifarioError) => error.code,
    );
    const waits: number[] = [];
    for (let tries = 1; ; tries += 1) {
      await vi.advanceTimersByTimeAsync(0);
      if (vi.getTimerCount() === 0) return { waits, ended: await ended, tries: sent.length };
      const begun = Date.now();
      await vi.advanceTimersToNextTimerAsync();
      waits.push((Date.now() - begun) / 1000);
      expect(tries).toBeLessThan(20);
    }
  }

  test('is called again after 429 and 503 when Retry-After says, in seconds or as a date', async () => {
    const later = new Date(Date.now() + 9000).toUTCString();
    const answers = [busy(3), refusal(503, 'unavailable', { 'Retry-After': later }), json(200, {})];
    const { waits, ended } = await waitsOf(answers);
    expect([waits[0], ended]).toEqual([3, 'answered']);
    // The date was written 3 s before it is read, in whole seconds.
    expect(waits[1]).toBeGreaterThanOrEqual(5);
    expect(waits[1]).toBeLessThanOrEqual(6);
  });

  test('without Retry-After is called again after 1 and 2 seconds, and then no more', async () => {
    expect(await waitsOf([refusal(503, 'unavailable')])).toEqual({ waits: [1, 2], ended: 'unavailable', tries: 3 });
  });

  test.each(['0.5', '-1', '1.5', '2 seconds', '2026-01-02'])(
    'with the Retry-After %s, neither seconds nor a date of HTTP, as without',
    async (text) => {
      expect(await waitsOf([busy(text)])).toEqual({ waits: [1, 2], ended: 'rate_limited', tries: 3 });
    },
  );

  test('makes no second key after 503, whose first may exist, but asks again after 429, which made none', async () => {
    const body = { name: 'Bot', scopes: ['offers:read'] } as const;
    const made = clientOf([refusal(503, 'unavailable', { 'Retry-After': '0' }), json(201, {})]);
    const failure = failureOf(made.client.createKey({ body: { ...body, scopes: [...body.scopes] } }));
    await vi.runAllTimersAsync();
    expect([await failure, made.sent.length]).toEqual([expect.objectContaining({ code: 'unavailable' }), 1]);

    const limited = clientOf([busy(1), json(201, { id: 3 })]);
    const call = limited.client.createKey({ body: { ...body, scopes: [...body.scopes] } });
    await vi.runAllTimersAsync();
    expect([await call, limited.sent.length]).toEqual([{ id: 3 }, 2]);
  });

  test('with a long Retry-After, or without retries, is not called again', async () => {
    const once = { waits: [], ended: 'rate_limited', tries: 1 };
    expect(await waitsOf([busy(61)])).toEqual(once);
    // No timer waits for more than 2^31 ms: it would end at once.
    const forEver = { maxWaitSeconds: Number.POSITIVE_INFINITY };
    expect(await waitsOf([busy(2_147_484)], forEver)).toEqual(once);
    expect((await waitsOf([busy(2_147_483), json(200, {})], forEver)).waits).toEqual([2_147_483]);
    expect(await waitsOf([busy(6)], { maxWaitSeconds: 5 })).toEqual(once);
    expect(await waitsOf([busy(1)], { retries: 0 })).toEqual(once);
  });

  test.each([500, 502, 409, 404])('is not called again after %i', async (status) => {
    expect(await waitsOf([refusal(status, 'internal_error')])).toMatchObject({ waits: [], tries: 1 });
  });

  test('is called again until the call is aborted, which rejects with the reason of the signal', async () => {
    const { client, sent } = clientOf([busy(30)]);
    const controller = new AbortController();
    const failure = failureOf(client.getAccount({}, { signal: controller.signal }));
    await vi.advanceTimersByTimeAsync(10);
    controller.abort(new Error('not needed'));
    expect(await failure).toEqual(new Error('not needed'));
    expect([sent.length, vi.getTimerCount()]).toEqual([1, 0]);
    expect(await failureOf(client.getAccount({}, { signal: controller.signal }))).toEqual(new Error('not needed'));
  });
});
