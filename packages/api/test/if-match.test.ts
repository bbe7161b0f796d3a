import { filledWorld } from '@tarifario/testkit/api/sample';
import type { CallInput, World } from '@tarifario/testkit/api/world';
import { describe, expect, it } from 'vitest';
import { operations } from '../src/index.ts';
import { codeOf, endOf, NAME, REPLAYED, traces } from './named-calls.ts';
import { ALL_STORES, removeDatabasesAfterEach } from './stores.ts';

removeDatabasesAfterEach();

const CONDITIONAL = operations.filter(({ conditional }) => conditional).map(({ id }) => id);
/** The month of the sample that each call about a month is about. */
const MONTH = '2025-11';

/** The operation that reads what another one writes, and its call. */
function readerOf(id: string, { params = {} }: CallInput): readonly [string, CallInput] {
  const noun = id.replace(/^(update|toggle|delete|upsert)/, '');
  const isMonth = noun.endsWith('IndexedPrice');
  return [`get${noun}`, { params: isMonth ? { ...params, month: MONTH } : params }];
}

/** The call of the sample; that of a month is about one that is there. */
function callOf(calls: Readonly<Record<string, CallInput>>, id: string): CallInput {
  const input = calls[id] ?? {};
  return id.startsWith('upsert') ? { ...input, body: { reference_month: MONTH, e1: 0.25 } } : input;
}

async function tagFrom(world: World, id: string, input: CallInput): Promise<string> {
  const [reader, question] = readerOf(id, input);
  const { status, headers } = await world.call(reader, question);
  expect([reader, status]).toEqual([reader, 200]);
  return headers.ETag ?? '';
}

describe('the header If-Match', () => {
  it('A-66: is used by every change and deletion of offers, firms, retailers and months, and by no other operation', () => {
    const isRecord = (path: string) => /^\/v1\/(catalog\/)?(offers|companies|clients)\/\{id\}/.test(path);
    const expected = operations.filter(
      ({ method, path }) =>
        isRecord(path) && !path.includes('subscriptions') && !path.includes('catalog/{') && method !== 'GET',
    );
    const subscribing = ['subscribeToCatalogCompany', 'unsubscribeFromCatalogCompany'];
    expect(CONDITIONAL).toEqual(expected.map(({ id }) => id).filter((id) => !subscribing.includes(id)));
    expect(CONDITIONAL).toHaveLength(19);
  });

  it.each(CONDITIONAL)('A-66: %s with the current tag is done, and answers the tag of the new state', async (id) => {
    const { world, calls } = await filledWorld();
    const input = callOf(calls, id);
    const read = await tagFrom(world, id, input);
    expect(read).toMatch(/^"[a-p]{32}"$/);
    const { status, headers } = await world.call(id, { ...input, ifMatch: read });
    expect(status).toBeLessThan(300);
    if (status === 204) return expect(headers).not.toHaveProperty('ETag');
    expect(headers.ETag).not.toBe(read);
    expect(headers.ETag).toBe(await tagFrom(world, id, input));
  });

  it.each(CONDITIONAL)('A-66: %s with a stale tag is 412, and changes nothing', async (id) => {
    const { world, calls } = await filledWorld();
    const input = callOf(calls, id);
    const read = await tagFrom(world, id, input);
    const noun = id.replace(/^(update|toggle|delete|upsert)/, '');
    const change = noun.endsWith('IndexedPrice') ? `upsert${noun}` : `toggle${noun}`;
    const body = { reference_month: MONTH, e1: 0.31 };
    await world.ask(change, {
      params: { id: input.params?.id ?? '' },
      ...(change.startsWith('upsert') ? { body } : {}),
    });
    const before = await traces(world);
    for (const ifMatch of [read, `W/${await tagFrom(world, id, input)}`, '"unknown"', `"a" , ,"b"`, [read, '"c"']]) {
      expect(endOf(await world.call(id, { ...input, ifMatch }))).toBe('412 precondition_failed');
    }
    expect(await traces(world)).toBe(before);
    const tags = `"other", ${await tagFrom(world, id, input)}`;
    expect((await world.call(id, { ...input, ifMatch: tags })).status).toBeLessThan(300);
  });

  it.each(CONDITIONAL)('A-66: %s with * is done if the record exists', async (id) => {
    const { world, calls } = await filledWorld();
    expect((await world.call(id, { ...callOf(calls, id), ifMatch: '*' })).status).toBeLessThan(300);
  });

  it.each(CONDITIONAL)('A-66: %s of a missing record is 404', async (id) => {
    const { world, calls } = await filledWorld();
    const input = callOf(calls, id);
    const params = { ...input.params, id: '999999' };
    for (const ifMatch of ['*', '"a"'])
      expect(endOf(await world.call(id, { ...input, params, ifMatch }))).toBe('404 not_found');
  });

  it('A-66: a visible offer of the catalog is 404 to a change of own offers, whatever the tag', async () => {
    const { world, sample } = await filledWorld();
    const params = { id: String(sample.catalogId) };
    const visible = await world.call('getOffer', { params });
    expect(visible.status).toBe(200);
    for (const ifMatch of [visible.headers.ETag ?? '', '"stale"', '*']) {
      const answer = await world.call('updateOffer', { params, body: { e1: 0.3 }, ifMatch });
      expect(endOf(answer)).toBe('404 not_found');
    }
  });

  it('A-66: a missing month is created neither with a tag nor with *', async () => {
    const { world, calls } = await filledWorld();
    for (const id of ['upsertIndexedPrice', 'upsertCatalogIndexedPrice']) {
      const before = await traces(world);
      for (const ifMatch of ['*', '"a"']) {
        expect(endOf(await world.call(id, { ...calls[id], ifMatch }))).toBe('412 precondition_failed');
      }
      expect(await traces(world)).toBe(before);
    }
  });

  it.each([
    ['nothing', ''],
    ['no quotation marks', 'abc'],
    ['one quotation mark', '"abc'],
    ['a mark inside', '"a"b"'],
    ['a small w', 'w/"a"'],
    ['no comma between two', '"a" "b"'],
    ['* among tags', '*, "a"'],
    ['* twice', ['*', '*']],
    ['a blank in a tag', '"a b"'],
    ['a tag and rest', '"a"x'],
  ])('A-66: is 400 for %s, before the body is read', async (_what, ifMatch) => {
    const { world, calls } = await filledWorld();
    const readBody = () => Promise.reject(new Error('was read'));
    const answer = await world.call('updateOffer', { ...calls.updateOffer, ifMatch, readBody });
    expect(endOf(answer)).toBe('400 invalid_request');
    expect(JSON.stringify(answer.body)).toContain('"path":"If-Match"');
    expect(world.bugs).toEqual([]);
  });

  it('A-66: is ignored by all other operations, whatever its value', async () => {
    const { world, calls } = await filledWorld();
    for (const id of ['listOffers', 'getOffer', 'createOffer', 'createClient', 'updateAccount']) {
      expect((await world.call(id, { ...calls[id], ifMatch: 'x' })).status, id).toBeLessThan(300);
    }
  });

  it('A-66: a replay under an Idempotency-Key returns the first answer, although its tag is stale', async () => {
    const { world, calls } = await filledWorld();
    const input = callOf(calls, 'toggleOffer');
    const named = { ...input, ifMatch: await tagFrom(world, 'toggleOffer', input), idempotencyKey: NAME };
    const first = await world.call('toggleOffer', named);
    const again = await world.call('toggleOffer', named);
    expect(first.status).toBe(200);
    expect(again).toEqual({ ...first, headers: { ...first.headers, ...REPLAYED } });
    const other = { ...named, idempotencyKey: `${NAME}2` };
    expect(codeOf(await world.call('toggleOffer', other))).toBe('precondition_failed');
    // A refusal keeps no answer: under the same name the next try is judged anew.
    const fresh = { ...other, ifMatch: await tagFrom(world, 'toggleOffer', input) };
    expect((await world.call('toggleOffer', fresh)).status).toBe(200);
  });

  it('A-66: a change of a month changes the tag of its offer', async () => {
    const { world, calls, sample } = await filledWorld();
    const params = { id: String(sample.indexedId) };
    const read = await tagFrom(world, 'updateOffer', { params });
    await world.ask('upsertIndexedPrice', { ...calls.upsertIndexedPrice });
    expect(await tagFrom(world, 'updateOffer', { params })).not.toBe(read);
  });

  it('A-66: two keys have different tags for the same record', async () => {
    const { world, sample } = await filledWorld();
    const key = await world.newKey(world.account.id);
    const input = { params: { id: String(sample.luzId) } };
    const [own, others] = [await world.call('getOffer', input), await world.call('getOffer', { ...input, key })];
    expect(others.body).toEqual(own.body);
    expect(others.headers.ETag).not.toBe(own.headers.ETag);
  });

  it.each(ALL_STORES)('A-66: of 10 changes of one state at once, one is done: %s', async (_name, makeStore) => {
    const { world, calls } = await filledWorld(await makeStore());
    for (const id of ['updateOffer', 'toggleOffer', 'updateClient', 'updateCatalogOffer', 'upsertIndexedPrice']) {
      const input = callOf(calls, id);
      // Read twice, offers are in memory; what is compared is still the state in the transaction.
      await tagFrom(world, id, input);
      const ifMatch = await tagFrom(world, id, input);
      const dispatches = [world.dispatch, world.newDispatch()];
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => world.call(id, { ...input, ifMatch }, dispatches[index % 2])),
      );
      const done = answers.filter(({ status }) => status < 300);
      const refused = answers.filter((answer) => endOf(answer) === '412 precondition_failed');
      expect([id, done.length, refused.length]).toEqual([id, 1, 9]);
    }
    expect(world.bugs).toEqual([]);
  });
});
