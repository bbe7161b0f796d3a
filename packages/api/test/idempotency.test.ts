import { type Bucket, type KeyRecord, type RateLimiter, SCOPES, type Scope, type Store } from '@tarifario/core/service';
import { filledWorld, goodCalls, LUZ_BODY } from '@tarifario/testkit/api/sample';
import { fakeFile, sheet } from '@tarifario/testkit/api/workbooks';
import { asRecord, type CallInput, operationOf, PASSWORD, type World } from '@tarifario/testkit/api/world';
import { newStore } from '@tarifario/testkit/new-store';
import { shareOf } from '@tarifario/testkit/share';
import { describe, expect, it } from 'vitest';
import { type Dispatch, operations } from '../src/index.ts';
import { codeOf, endOf, NAME, otherBody, othersOf, REPLAYED, traces, turned } from './named-calls.ts';
import { ALL_STORES, removeDatabasesAfterEach } from './stores.ts';

const REPLAYABLE = operations.filter(({ replayable }) => replayable);

const ids = REPLAYABLE.map(({ id }) => id);
/** What a server does for one of them it does for all: filling it takes long. On SQLite each is tried. */
const idsOn = (store: string) => shareOf(ids, store === 'PostgreSQL' ? 6 : 1);

/** Done a second time, these change nothing that is not so already. */
const EQUAL_TWICE = [
  'upsertIndexedPrice',
  'upsertCatalogIndexedPrice',
  'changePassword',
  'bulkPatchOffers',
  'redeliverWebhook',
];

describe('the header Idempotency-Key', () => {
  it('A-53: is used by every POST that writes and by every toggle, and by no other operation', () => {
    // An answer with a key is not stored.
    const without = [
      'rankOffers',
      'rankPortfolio',
      'negotiateOffer',
      'readInvoice',
      'readConsumption',
      'optimizePower',
      'createKey',
    ];
    const expected = operations.filter(
      ({ id, method, path }) => (method === 'POST' && !without.includes(id)) || path.endsWith('/toggle'),
    );
    expect(REPLAYABLE.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    expect(REPLAYABLE.length).toBeGreaterThan(10);
  });

  it.each([
    ['nothing', ''],
    ['a space', ' '],
    ['a space inside', 'a b'],
    ['256 characters', 'x'.repeat(256)],
    ['a letter beyond ASCII', 'año'],
    ['a control character', 'a\u007f'],
    ['a line break', 'a\n'],
    ['two of them', ['a', 'b']],
    ['the same twice', ['a', 'a']],
  ])('is 400 for %s, before the body is read', async (_what, idempotencyKey) => {
    const { world, calls } = await filledWorld();
    const before = await traces(world);
    const readBody = () => Promise.reject(new Error('was read'));
    const answer = await world.call('createOffer', { ...calls.createOffer, idempotencyKey, readBody });
    expect(endOf(answer)).toBe('400 invalid_request');
    expect(JSON.stringify(answer.body)).toContain('"path":"Idempotency-Key"');
    expect(await traces(world)).toBe(before);
    expect(world.bugs).toEqual([]);
  });

  it.each(['!', '~', 'x'.repeat(255), '"quoted, with commas"'.replaceAll(' ', '_'), '__proto__'])(
    'may be %s',
    async (idempotencyKey) => {
      const { world } = await filledWorld();
      const input = { body: { name: 'Asesoría Nueva' }, idempotencyKey };
      const [first, second] = [await world.call('createClient', input), await world.call('createClient', input)];
      expect([first.status, second]).toEqual([201, { ...first, headers: { ...first.headers, ...REPLAYED } }]);
    },
  );

  it('A-53: is ignored by all other operations, whatever its value', async () => {
    const { world, calls } = await filledWorld();
    const others = operations.filter(({ replayable, id }) => !replayable && id !== 'retryUpload');
    for (const { id, method } of others.toSorted((a, b) => Number(a.method !== 'GET') - Number(b.method !== 'GET'))) {
      const { status, headers } = await world.call(id, { ...calls[id], idempotencyKey: ['', 'a b'] });
      expect([id, status < 300 || method !== 'GET', headers]).toEqual([
        id,
        true,
        expect.not.objectContaining(REPLAYED),
      ]);
      expect(status, id).not.toBe(400);
    }
  });

  it('is optional: without it a toggle toggles twice', async () => {
    const { world, calls } = await filledWorld();
    const states = [];
    for (let i = 0; i < 2; i += 1) states.push((await world.ask('toggleOffer', calls.toggleOffer)).is_active);
    expect(states).toEqual([false, true]);
  });

  it('is checked after the key and its scopes, and after the limits', async () => {
    const { world, calls } = await filledWorld();
    const input = { ...calls.createOffer, idempotencyKey: '' };
    expect(endOf(await world.call('createOffer', { ...input, key: null }))).toBe('401 unauthenticated');
    const key = await world.newKey(world.account.id, { scopes: ['offers:read'] });
    expect(endOf(await world.call('createOffer', { ...input, key }))).toBe('403 missing_scope');
  });
});

describe.each(ALL_STORES)('A-53: over %s', (name, makeStore) => {
  removeDatabasesAfterEach();
  describe.each(idsOn(name))('%s', (id) => {
    it('A-53: sent again has one effect and one answer, byte for byte', async () => {
      const { world, calls } = await filledWorld(await makeStore());
      const input = { ...calls[id], idempotencyKey: NAME };
      const first = await world.call(id, input);
      expect(first.status).toBeLessThan(300);
      expect(first.headers).not.toHaveProperty('Idempotent-Replayed');
      const after = await traces(world);
      for (const again of [input, { ...input, body: turned(input.body) }]) {
        const second = await world.call(id, again);
        expect(JSON.stringify(second)).toBe(JSON.stringify({ ...first, headers: { ...first?.headers, ...REPLAYED } }));
      }
      expect(await traces(world)).toBe(after);
      expect(world.bugs).toEqual([]);
    });
  });

  it('A-53: is forgotten after 24 hours', async () => {
    const { world, calls } = await filledWorld(await makeStore());
    const input = { ...calls.toggleOffer, idempotencyKey: NAME };
    const first = await world.call('toggleOffer', input);
    world.passTime(86_400 - 60);
    expect(await world.call('toggleOffer', input)).toEqual({ ...first, headers: { ...first?.headers, ...REPLAYED } });
    world.passTime(120);
    const again = await world.call('toggleOffer', input);
    expect(['Idempotent-Replayed' in again.headers, asRecord(again.body).is_active]).toEqual([false, true]);
    expect(await world.call('toggleOffer', input)).toEqual({ ...again, headers: { ...again.headers, ...REPLAYED } });
  });

  it('A-53: stores no refusal: the next try is checked again', async () => {
    const { world, sample } = await filledWorld(await makeStore());
    const body = { client_id: sample.clientId, name: 'Comercializadora Uno' };
    const attempt = () => world.call('createCompany', { body, idempotencyKey: NAME });
    expect(endOf(await attempt())).toBe('409 duplicate_name');
    expect(endOf(await attempt())).toBe('409 duplicate_name');
    await world.ask('updateCompany', { params: { id: String(sample.companyId) }, body: { name: 'Otra' } });
    expect(await attempt()).toMatchObject({ status: 201, headers: {} });
    expect(await attempt()).toMatchObject({ status: 201, headers: REPLAYED });
  });

  it('20 at once have one effect, and each gets the first answer or 409', async () => {
    const { world, calls } = await filledWorld(await makeStore());
    const before = (await world.ask('listOffers', { query: { limit: '1' } })).total;
    const input = { ...calls.createOffer, idempotencyKey: NAME };
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.call('createOffer', input)));
    const done = answers.filter(({ status }) => status === 201);
    const bodies = new Set(done.map(({ body }) => JSON.stringify(body)));
    const refusals = answers.filter(({ status }) => status !== 201).map(endOf);
    expect([bodies.size, new Set(refusals)]).toEqual([1, new Set(['409 idempotency_in_flight'])]);
    expect((await world.ask('listOffers', { query: { limit: '1' } })).total).toBe(Number(before) + 1);
    expect(await world.call('createOffer', input)).toEqual({
      ...done[0],
      headers: { ...done[0]?.headers, ...REPLAYED },
    });
  });

  it.each(['bulkUpdateOffers', 'bulkUpdateCatalogOffers'])('5 files at once have one effect: %s', async (id) => {
    const othersEnded = Promise.withResolvers<void>();
    const { world, calls } = await filledWorld(await makeStore(), undefined, { beforeFile: () => othersEnded.promise });
    const input = { ...calls[id], idempotencyKey: NAME };
    const ends: (number | string)[] = [];
    const requests = Array.from({ length: 5 }, async () => {
      const answer = await world.call(id, input);
      // However slow the machine is, the first is under way until the four others were answered.
      if (ends.push(endOf(answer)) === 4) othersEnded.resolve();
      return answer;
    });
    const answers = await Promise.all(requests);
    expect(ends).toEqual([...Array.from({ length: 4 }, () => '409 idempotency_in_flight'), 200]);
    const after = await traces(world);
    const first = answers.find(({ status }) => status === 200);
    expect(await world.call(id, input)).toEqual({ ...first, headers: { ...first?.headers, ...REPLAYED } });
    expect(await traces(world)).toBe(after);
  });

  it('5 files at once at 5 processes have one effect, and all get its answer', async () => {
    const store = await makeStore();
    const { world, calls } = await filledWorld(store);
    const input = { ...calls.bulkUpdateOffers, idempotencyKey: NAME };
    const before = await world.ask('listUploads');
    const dispatches = Array.from({ length: 5 }, () => world.newDispatch());
    const answers = await Promise.all(dispatches.map((dispatch) => world.call('bulkUpdateOffers', input, dispatch)));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const headers = answers.map((answer) => answer.headers).filter((each) => 'Idempotent-Replayed' in each);
    expect([answers.map(({ status }) => status), headers]).toEqual([
      [200, 200, 200, 200, 200],
      [REPLAYED, REPLAYED, REPLAYED, REPLAYED],
    ]);
    expect((await world.ask('listUploads')).total).toBe(Number(before.total) + 1);
    expect(world.bugs).toEqual([]);
  });

  it('A-53: a dry run stores no answer and may be repeated; its key cannot be used to apply the file', async () => {
    const { world, calls } = await filledWorld(await makeStore());
    const dry = { ...calls.bulkUpdateOffers, query: { dry_run: 'true' }, idempotencyKey: NAME };
    const before = await traces(world);
    for (let i = 0; i < 2; i += 1)
      expect(await world.call('bulkUpdateOffers', dry)).toMatchObject({ status: 200, headers: {} });
    expect(await traces(world)).toBe(before);
    const real = { ...calls.bulkUpdateOffers, idempotencyKey: NAME };
    expect(await world.call('bulkUpdateOffers', real)).toMatchObject({ status: 200, headers: {} });
    expect(endOf(await world.call('bulkUpdateOffers', dry))).toBe('422 idempotency_mismatch');
  });

  it('A-53: a file with wrong rows stores no answer: each try is checked again and leaves a failed upload', async () => {
    const { world, sample } = await filledWorld(await makeStore());
    const bytes = fakeFile({ borrar: [['offer_id'], [sample.luzId], [sample.clientId + 99_000]] });
    const input = { form: { bytes }, idempotencyKey: NAME };
    const before = await world.ask('listUploads');
    for (let i = 0; i < 2; i += 1) expect(endOf(await world.call('bulkUpdateOffers', input))).toBe('422 business_rule');
    expect((await world.ask('listUploads')).total).toBe(Number(before.total) + 2);
    const mended = { form: { bytes: fakeFile({ borrar: [['offer_id'], [sample.luzId]] }) }, idempotencyKey: NAME };
    expect(await world.call('bulkUpdateOffers', mended)).toMatchObject({ status: 200, headers: {} });
  });

  it('A-53: a file is queued once, and applied once', async () => {
    const { world, calls } = await filledWorld(await makeStore());
    const { form: { bytes } = { bytes: new Uint8Array() } } = calls.bulkUpdateCatalogOffers ?? {};
    const form = { bytes, fields: { kind: 'catalog_bulk_update' } };
    const input = { form, idempotencyKey: NAME };
    const first = await world.call('createUpload', input);
    expect(first).toMatchObject({ status: 202, headers: {} });
    const other = { ...input, form: { ...form, fields: { kind: 'offers_bulk_update' } } };
    expect(endOf(await world.call('createUpload', other))).toBe('422 idempotency_mismatch');
    const before = await traces(world);
    await world.work();
    const after = await traces(world);
    expect(after).not.toBe(before);
    expect(await world.call('createUpload', input)).toEqual({ ...first, headers: { ...first.headers, ...REPLAYED } });
    await world.work();
    expect(await traces(world)).toBe(after);
  });

  it('A-53: a password is changed once, although the second try has the old one', async () => {
    const { world } = await filledWorld(await makeStore());
    const body = { current_password: PASSWORD, new_password: 'gigantes y molinos' };
    const change = (idempotencyKey?: string) =>
      world.call('changePassword', { body, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) });
    expect(await change(NAME)).toEqual({ status: 204, headers: {}, body: undefined });
    expect(await change(NAME)).toEqual({ status: 204, headers: REPLAYED, body: undefined });
    expect(endOf(await change())).toBe('401 wrong_password');
    expect(endOf(await change(`${NAME}x`))).toBe('401 wrong_password');
  });

  it('A-53: an answer with commissions for one key is never given to another key', async () => {
    const { world, sample } = await filledWorld(await makeStore());
    const [seeing, blind] = [['commissions:read', 'offers:write'] as const, ['offers:write'] as const];
    const scopes = { seeing: await world.newKey(world.account.id, { scopes: seeing }), blind: '' };
    scopes.blind = await world.newKey(world.account.id, { scopes: blind });
    const body = { ...LUZ_BODY, company_id: sample.companyId, commission: 7919.1507 };
    const input = { body, idempotencyKey: NAME };
    const first = await world.call('createOffer', { ...input, key: scopes.seeing });
    expect(JSON.stringify(first)).toContain('7919.1507');
    const other = await world.call('createOffer', { ...input, key: scopes.blind });
    const { id: otherId, commission } = asRecord(other.body);
    expect([other.status, 'Idempotent-Replayed' in other.headers, commission]).toEqual([201, false, null]);
    expect(other.headers.Location).toBe(`/v1/offers/${otherId}`);
    expect(JSON.stringify(other)).not.toContain('7919');
    expect(asRecord(other.body).id).not.toBe(asRecord(first.body).id);
    const again = await world.call('createOffer', { ...input, key: scopes.blind });
    expect(again).toEqual({ ...other, headers: { ...other.headers, ...REPLAYED } });
  });

  it('a replay does not return commissions to a key that has lost the right to see them', async () => {
    // The sample makes a proposal with a key of scopes.
    const blind: readonly Scope[] = ['offers:read', 'offers:write', 'proposals:write'];
    let scopes: readonly Scope[] = ['commissions:read', ...blind];
    const store = withRights(await makeStore(), ({ key, ...rest }) => {
      return { ...rest, key: key.fullAccess ? key : { ...key, scopes } };
    });
    const { world, sample } = await filledWorld(store);
    const key = await world.newKey(world.account.id, { scopes });
    const input = { key, params: { id: String(sample.luzId) }, idempotencyKey: NAME };
    expect(asRecord((await world.call('toggleOffer', input)).body).commission).toBe(50);
    scopes = blind;
    const answer = await world.call('toggleOffer', input);
    expect(endOf(answer)).toBe('409 idempotency_rights_changed');
    expect(Object.keys(asRecord(asRecord(answer.body).detail))).toEqual(['code', 'message']);
  });
});

describe('A-53: a name', () => {
  describe.each(ids)('of %s', (id) => {
    it('A-53: is 422 for another query, path or body under the same name, and does nothing', async () => {
      const { world, sample, calls } = await filledWorld();
      const call = calls[id] ?? {};
      await world.call(id, { ...call, idempotencyKey: NAME });
      const after = await traces(world);
      const others: CallInput[] = [
        { ...call, query: { client_id: String(sample.clientId) } },
        ...(call.params === undefined ? [] : [{ ...call, params: { ...call.params, id: '999' } }]),
        ...(call.body === undefined ? [] : [{ ...call, body: otherBody(call.body) }]),
        ...(call.form === undefined ? [] : othersOf(call.form).map((form) => ({ ...call, form }))),
      ];
      for (const other of others) {
        const answer = await world.call(id, { ...other, idempotencyKey: NAME });
        expect(endOf(answer), JSON.stringify(other)).toBe('422 idempotency_mismatch');
      }
      expect(await traces(world)).toBe(after);
    });

    it('A-53: is done for another name and for another key, which has names of its own', async () => {
      const { world, calls } = await filledWorld();
      await world.call(id, { ...calls[id], idempotencyKey: NAME });
      const otherKey = await world.newKey(world.account.id);
      for (const input of [{ idempotencyKey: `${NAME}x` }, { idempotencyKey: NAME, key: otherKey }]) {
        const before = await traces(world);
        const answer = await world.call(id, { ...calls[id], ...input });
        expect(answer.headers).not.toHaveProperty('Idempotent-Replayed');
        // It is done: what was done before is seen in a name that is taken, a file that is applied, or a second effect.
        if (answer.status >= 300) expect(['duplicate_name', 'wrong_state']).toContain(codeOf(answer));
        else if (!EQUAL_TWICE.includes(id)) expect(await traces(world)).not.toBe(before);
      }
    });

    it('A-53: is 409 once the rights of the key have changed', async () => {
      let change = (record: KeyRecord): KeyRecord => record;
      const { world, calls } = await filledWorld(withRights(await newStore(), (record) => change(record)));
      const input = { ...calls[id], idempotencyKey: NAME };
      const first = await world.call(id, input);
      const after = await traces(world);
      const changes: readonly ((record: KeyRecord) => KeyRecord)[] = [
        ({ key, ...rest }) => ({ ...rest, key: { ...key, scopes: SCOPES } }),
        ({ account, ...rest }) => ({ ...rest, account: { ...account, isCatalogEditor: false } }),
        // Without full access, operations that need it refuse by themselves.
        ({ key, ...rest }) => ({
          ...rest,
          key: { ...key, fullAccess: operationOf(id).fullAccess, scopes: ['catalog:read', ...operationOf(id).scopes] },
        }),
      ];
      for (const [index, next] of changes.entries()) {
        change = next;
        const answer = await world.call(id, input);
        expect([index, answer]).toEqual([
          index,
          {
            status: 409,
            headers: {},
            body: { detail: { code: 'idempotency_rights_changed', message: expect.stringContaining('rights') } },
          },
        ]);
      }
      change = (record) => record;
      expect(await world.call(id, input)).toEqual({ ...first, headers: { ...first?.headers, ...REPLAYED } });
      expect(await traces(world)).toBe(after);
    });
  });
});

/** A store in which keys have other rights than they were made with. */
function withRights(store: Store, change: (record: KeyRecord) => KeyRecord): Store {
  return {
    ...store,
    latest: {
      ...store.latest,
      keys: {
        byHash: async (hash) => {
          const record = await store.latest.keys.byHash(hash);
          return record && change(record);
        },
      },
    },
  };
}

it('A-53: a replay costs the points of any call, those of the limits of its operation included', async () => {
  const taken: string[][] = [];
  const take = async (buckets: readonly Bucket[]) => {
    taken.push(buckets.map(({ name }) => name));
    return { accepted: true, states: [] };
  };
  const limiter: RateLimiter = { take, giveBack: async () => {} };
  const { world, sample } = await filledWorld(undefined, limiter);
  taken.length = 0;
  const input = { ...goodCalls(sample).bulkPatchOffers, idempotencyKey: NAME };
  for (let i = 0; i < 2; i += 1) await world.call('bulkPatchOffers', input);
  expect(taken).toEqual(sheet(['account', 'bulk_patch'], ['account', 'bulk_patch']));
});

it('a revoked key is refused before anything is looked up', async () => {
  const { world, calls } = await filledWorld();
  const key = await world.newKey(world.account.id);
  const input = { ...calls.createOffer, key, idempotencyKey: NAME };
  expect((await world.call('createOffer', input)).status).toBe(201);
  await world.store.write({ keyId: null, at: '2026-01-01T00:00:00.000Z' }, async (writer) => {
    const last = (await writer.keys.list(world.account.id)).at(-1);
    await writer.keys.revoke(last?.id ?? 0);
  });
  expect(endOf(await world.call('createOffer', input))).toBe('401 unauthenticated');
});

describe('A-53: a named request', () => {
  it('A-53: whose commit succeeded but was reported as failed gets its answer, and has one effect', async () => {
    const { world, calls } = await filledWorld();
    const lossy: Store = {
      ...world.store,
      write: async (context, work) => {
        await world.store.write(context, work);
        throw new Error('connection lost');
      },
    };
    const input = { ...calls.createOffer, idempotencyKey: NAME };
    const answer = await world.call('createOffer', input, world.newDispatch(lossy));
    expect(answer).toMatchObject({ status: 201, headers: REPLAYED });
    const after = await traces(world);
    expect(await world.call('createOffer', input)).toEqual(answer);
    expect(await traces(world)).toBe(after);
  });

  it('A-53: whose unit of work the store repeats has one effect, and stores the answer of the last try', async () => {
    const { world, calls } = await filledWorld();
    class Conflict extends Error {}
    const repeating: Store = {
      ...world.store,
      write: async (context, work) => {
        const conflict = world.store.write(context, async (writer) => {
          await work(writer);
          throw new Conflict();
        });
        await expect(conflict).rejects.toThrow(Conflict);
        return world.store.write(context, work);
      },
    };
    const before = (await world.ask('listOffers', { query: { limit: '1' } })).total;
    const input = { ...calls.createOffer, idempotencyKey: NAME };
    const first = await world.call('createOffer', input, world.newDispatch(repeating));
    expect(first).toMatchObject({ status: 201, headers: expect.not.objectContaining(REPLAYED) });
    expect((await world.ask('listOffers', { query: { limit: '1' } })).total).toBe(Number(before) + 1);
    expect(await world.call('createOffer', input)).toEqual({ ...first, headers: { ...first.headers, ...REPLAYED } });
  });

  /** A dispatch whose first write begins once another process has answered a request. */
  function overtakenBy(world: World, id: string, input: CallInput): Dispatch {
    const faster = world.newDispatch();
    let isFirst = true;
    return world.newDispatch({
      ...world.store,
      write: async (context, work) => {
        if (isFirst) await world.call(id, input, faster);
        isFirst = false;
        return world.store.write(context, work);
      },
    });
  }

  it.each(['createClient', 'toggleOffer', 'changePassword'])(
    'A-53: that another process performs meanwhile gets its answer: %s',
    async (id) => {
      const { world, calls } = await filledWorld();
      const input = { ...calls[id], idempotencyKey: NAME };
      const answer = await world.call(id, input, overtakenBy(world, id, input));
      expect([answer.status < 300, answer.headers]).toEqual([true, expect.objectContaining(REPLAYED)]);
      expect(await world.call(id, input)).toEqual(answer);
    },
  );

  it('A-53: whose name another process uses meanwhile for something else is 422, and changes nothing', async () => {
    const { world, calls } = await filledWorld();
    const other = { body: { name: 'Otra' }, idempotencyKey: NAME };
    const through = overtakenBy(world, 'createClient', other);
    const answer = await world.call('toggleOffer', { ...calls.toggleOffer, idempotencyKey: NAME }, through);
    expect(endOf(answer)).toBe('422 idempotency_mismatch');
    expect((await world.ask('getOffer', calls.toggleOffer ?? {})).is_active).toBe(true);
  });

  it('A-53: of a file whose confirmation was lost gets its answer, and a replay hands no file over', async () => {
    let handed = 0;
    const parts = await filledWorld(undefined, undefined, {
      afterFile: () => {
        handed += 1;
        throw new Error('the thread has ended');
      },
    });
    const input = { ...parts.calls.bulkUpdateOffers, idempotencyKey: NAME };
    const answer = await parts.world.call('bulkUpdateOffers', input);
    expect(answer).toMatchObject({ status: 200, headers: REPLAYED });
    expect(await parts.world.call('bulkUpdateOffers', input)).toEqual(answer);
    expect(handed).toBe(1);
  });
});
