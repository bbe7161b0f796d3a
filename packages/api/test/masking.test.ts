import { createOfferCache, type OfferDepth, SCOPES, type Store } from '@tarifario/core/service';
import { questions } from '@tarifario/testkit/api/questions';
import {
  filledWorld,
  fillSample,
  GAS_BODY,
  goodCalls,
  HOUSEHOLD,
  LUZ_BODY,
  type Sample,
} from '@tarifario/testkit/api/sample';
import { fakeFile, sheet } from '@tarifario/testkit/api/workbooks';
import { asRecord, type CallInput, createWorld, type World } from '@tarifario/testkit/api/world';
import { AMOUNTS, expectNoTrace } from '@tarifario/testkit/leaks';
import { newStore } from '@tarifario/testkit/new-store';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { operations } from '../src/index.ts';

/** A bot that talks to customers, and a writer that must not read what it writes. */
const BLIND_SCOPES = SCOPES.filter((scope) => scope !== 'commissions:read');

type Blind = Awaited<ReturnType<typeof blindWorld>>;

async function blindWorld(pays: (base: number) => number) {
  const world = await createWorld();
  const sample = await fillSample(world, pays);
  return { world, sample, key: await world.newKey(world.account.id, { scopes: BLIND_SCOPES }) };
}

/** Requests whose answers could depend on commissions: a good call of each operation, questions, and writes. */
function corpus(sample: Sample): readonly (readonly [string, CallInput])[] {
  const sold = { ...LUZ_BODY, company_id: sample.companyId, placas_solares: true, acepta_dni: false };
  return [
    ...Object.entries(goodCalls(sample)),
    ...questions(sample),
    ['rankOffers', { body: { ...HOUSEHOLD, w: 1 }, takesJson: true }],
    ['updateCatalogOffer', { params: { id: String(sample.catalogId) }, body: { commission: 50 } }],
    ['createOffer', { body: sold }],
    ['createOffer', { body: { ...GAS_BODY, company_id: sample.companyId } }],
  ];
}

it('A-26: two services that differ only in commissions give a key without commissions:read the same bytes, without a commission', async () => {
  const planted = await blindWorld(AMOUNTS.planted);
  // Another order, other ties and other zeros than in the first world.
  const other = await blindWorld((base) => (base === 50 ? 0 : 1000 - base));
  expect(other.sample).toEqual(planted.sample);
  const requests = corpus(planted.sample);
  expect(new Set(requests.map(([id]) => id))).toEqual(new Set(operations.map((operation) => operation.id)));
  const seeing = 'listOffers getOffer compareOffers listCatalogOffers getCatalogOffer rankOffers rankPortfolio';
  for (const id of `${seeing} recommendOffers calculateCommission`.split(' ')) {
    const input = goodCalls(planted.sample)[id];
    const [one, two] = [await planted.world.call(id, input), await other.world.call(id, input)];
    expect(JSON.stringify(one), id).not.toBe(JSON.stringify(two));
  }
  expect(JSON.stringify(await planted.world.call('listOffers'))).toMatch(AMOUNTS.trace);
  await other.world.call('listOffers');
  for (const [id, input] of requests) {
    const isWritten = /^(create|update)(Catalog)?Offer$/.test(id);
    const body = isWritten ? { ...asRecord(input.body), commission: AMOUNTS.planted(50) } : input.body;
    const one = JSON.stringify(await planted.world.call(id, { ...input, body, key: planted.key }));
    const two = JSON.stringify(await other.world.call(id, { ...input, body, key: other.key }));
    expect(two, `${id} ${JSON.stringify(input)}`).toBe(one);
    expectNoTrace(AMOUNTS, { [id]: one });
  }
});

type Schema = Readonly<Record<string, unknown>>;

/** The places of marked members in a schema, such as `results[].nota_comision`. */
function markedIn(schema: unknown, root: Schema, path = ''): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap((part) => markedIn(part, root, path));
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, items, anyOf, oneOf, $ref, masked } = asRecord(schema);
  const named = typeof $ref === 'string' ? asRecord(root.$defs)[$ref.replace('#/$defs/', '')] : null;
  return [
    ...(masked === null ? [path] : []),
    ...[named, anyOf, oneOf].flatMap((part) => markedIn(part, root, path)),
    ...markedIn(items, root, `${path}[]`),
    ...Object.entries(asRecord(properties)).flatMap(([name, part]) => markedIn(part, root, `${path}.${name}`)),
  ];
}

/** Each member of an answer with its place. */
function membersOf(value: unknown, path = ''): readonly (readonly [place: string, value: unknown])[] {
  if (Array.isArray(value)) return value.flatMap((entry) => membersOf(entry, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    [`${path}.${name}`, inner] as const,
    ...membersOf(inner, `${path}.${name}`),
  ]);
}

it('A-26: exactly the marked members are null for a key without commissions:read and not for others', async () => {
  const [blind, other] = [await blindWorld((base) => base), await blindWorld((base) => base)];
  const marked = new Set<string>();
  const [shown, seen] = [new Set<string>(), new Set<string>()];
  for (const { id, output } of operations) {
    const schema = output === null ? {} : z.toJSONSchema(output);
    for (const path of markedIn(schema, schema)) marked.add(id + path);
  }
  for (const [id, input] of corpus(blind.sample)) {
    const masked = await blind.world.call(id, { ...input, key: blind.key });
    const whole = await other.world.call(id, input);
    if (masked.status >= 400 || whole.status >= 400) continue;
    for (const [path, value] of membersOf(masked.body)) (value === null ? seen : shown).add(id + path);
    for (const [path, value] of membersOf(whole.body)) if (value !== null) seen.add(`${id}${path} with the scope`);
  }
  expect([...marked].filter((path) => shown.has(path))).toEqual([]);
  const onlyWithScope = [...seen].filter((path) => seen.has(`${path} with the scope`) && !shown.has(path));
  // The address of a webhook is shown to its own key and to full access.
  const ofItsKey = new Set(['listWebhooks.results[].url', 'getWebhook.url']);
  expect(onlyWithScope.filter((path) => !marked.has(path) && !ofItsKey.has(path))).toEqual([]);
  expect(onlyWithScope.length).toBeGreaterThan(30);
});

/** Reads, and rankings, which are read by POST. */
const READS = new Set([
  ...operations.filter(({ method }) => method === 'GET').map(({ id }) => id),
  ...['rankOffers', 'rankPortfolio'],
]);

/** Commissions and nothing else, of the firm of the sample, of another firm and of the catalog. */
async function pay({ world, sample }: Pick<Blind, 'world' | 'sample'>, more: number) {
  const { luzId, otherLuzId, gasId, indexedId, catalogId } = sample;
  const set = async (operation: string, id: number, commission: number) =>
    world.ask(operation, { params: { id: String(id) }, body: { commission } });
  await set('updateOffer', luzId, 50 + more);
  await set('updateOffer', otherLuzId, 60 + more);
  await set('updateCatalogOffer', catalogId, 50 + more);
  await world.ask('bulkPatchOffers', { body: { offer_ids: [gasId, indexedId], updates: { commission: 30 + more } } });
}

/** The same with a file, which leaves an upload. */
async function payWithFile({ world, sample: { indexedId, luzId } }: Pick<Blind, 'world' | 'sample'>, more: number) {
  const tiers = ['offer_id', 'consumption_from', 'consumption_to', 'commission'];
  const bytes = fakeFile({
    ofertas: sheet(['offer_id', 'commission'], [indexedId, 70 + more]),
    tramos_consumo: sheet(tiers, [luzId, 0, 5, 33 + more]),
  });
  await world.ask('bulkUpdateOffers', { form: { bytes } });
}

/** All reads of a key, with their headers, before and after commissions are written, and of records made afterwards. */
async function readsAround(more: number, isBound: boolean) {
  const world = await createWorld();
  const sample = await fillSample(world);
  const firm = isBound ? { firmId: sample.clientId } : {};
  const key = await world.newKey(world.account.id, { ...firm, scopes: BLIND_SCOPES });
  const read = async (all: readonly (readonly [string, CallInput])[], reader = key) => {
    const answers: string[] = [];
    for (const [id, input] of all) {
      answers.push(`${id} ${JSON.stringify(await world.call(id, { ...input, key: reader }))}`);
    }
    return answers;
  };
  const { next } = await world.ask('listChanges', { key });
  // Usage counts the reads themselves.
  const repeatable = corpus(sample).filter(([id]) => READS.has(id) && !id.includes('Usage'));
  await pay({ world, sample }, 0);
  const before = await read(repeatable);
  await pay({ world, sample }, more);
  // What a key that sees them makes the service compute must not come out of its memory for another.
  const seen = await read(repeatable, world.fullKey);
  const after = await read(repeatable);
  await payWithFile({ world, sample }, more);
  const { id } = await world.ask('createProposal', { ...goodCalls(sample).createProposal, key });
  await world.ask('updateOffer', { params: { id: String(sample.gasId) }, body: { services_cost: 7 } });
  const params = { id: String(id) };
  const made = await read([
    ...(['getProposal', 'getProposalPage', 'verifyProposal'] as const).map((one) => [one, { params }] as const),
    ['listChanges', { query: { since: String(next) } }],
    // Writes too, each answered from what is stored.
    ...corpus(sample),
  ]);
  // What a cursor holds is encrypted, and its length is always the same.
  return { before, after, seen, made: made.map((answer) => answer.replace(/"next":"[a-p]+"/, '"next":""')) };
}

it.each([
  ['the whole account', false],
  ['one firm', true],
])(
  'A-26: other commissions move no byte of any answer to a key for %s, tags and stamps included, also of a record made later',
  async (_, isBound) => {
    expect(READS.size).toBeGreaterThan(25);
    const [still, moved] = [await readsAround(0, isBound), await readsAround(1, isBound)];
    expect(moved.seen).not.toEqual(still.seen);
    expect(moved.after).toEqual(moved.before);
    expect(moved.made).toEqual(still.made);
    expect(moved.made).not.toEqual(moved.after);
  },
);

it('A-26: masks exactly the four commission fields, and leaves the power tiers of gas absent', async () => {
  const { world, sample, key } = await blindWorld((base) => base);
  for (const [id, masked] of [
    [sample.luzId, ['commission', 'commission_type', 'commission_tiers', 'commission_power_tiers']],
    [sample.gasId, ['commission', 'commission_type', 'commission_tiers']],
  ] as const) {
    const params = { id: String(id) };
    const seen = await world.ask('getOffer', { params });
    const blind = await world.ask('getOffer', { params, key });
    expect(Object.keys(blind)).toEqual(Object.keys(seen));
    expect(blind).toEqual({ ...seen, ...Object.fromEntries(masked.map((field) => [field, null])) });
  }
});

it('A-26: lets a key write commissions that it may not read', async () => {
  const { world, sample, key } = await blindWorld((base) => base);
  const body = { ...LUZ_BODY, company_id: sample.companyId, commission: 123 };
  const created = await world.ask('createOffer', { key, body });
  expect(created.commission).toBeNull();
  expect(await readCommission(world, created.id)).toBe(123);
  // Also one that is stored already: whether it is must not show in what the write does.
  const params = { id: String(sample.luzId) };
  const { updated_at } = await world.ask('getOffer', { params });
  await world.ask('updateOffer', { key, params, body: { commission: 50 } });
  expect((await world.ask('getOffer', { params })).updated_at).not.toBe(updated_at);
});

it('A-17: refuses w below 1 without commissions:read, after malformed input', async () => {
  const { world, key } = await blindWorld((base) => base);
  const ask = (body: object) => world.call('rankOffers', { key, body: { ...HOUSEHOLD, ...body } });
  expect(await ask({ w: 0.999 })).toMatchObject({
    status: 403,
    body: { detail: { code: 'weight_needs_commissions' } },
  });
  expect(await ask({ w: 0, territory: 'x' })).toMatchObject({ status: 400 });
  expect(await ask({ w: -1 })).toMatchObject({ status: 400 });
  expect(await ask({ w: 0, consumo_gas: 1 })).toMatchObject({ status: 403 });
  expect(await ask({ w: 1 })).toMatchObject({ status: 200, body: { w: 1 } });
  expect(await ask({})).toMatchObject({ status: 200, body: { w: 1, mas_comision_id: null, umbrales: null } });
});

async function readCommission(world: World, id: unknown) {
  return (await world.ask('getOffer', { params: { id: String(id) } })).commission;
}

it('A-62: no read for a key that may not see commissions reads them from the store', async () => {
  const store = await newStore();
  const depths: OfferDepth[] = [];
  const watched = <A extends readonly unknown[], T>(read: (...args: A) => T, depthIn: (args: A) => unknown) => {
    return (...args: A): T => {
      depths.push({ seesCommissions: Object(depthIn(args)).seesCommissions !== false });
      return read(...args);
    };
  };
  const read: Store['read'] = (work) =>
    store.read((reader) =>
      work({
        ...reader,
        offers: {
          ...reader.offers,
          list: watched(reader.offers.list, ([query]) => query),
          byId: watched(reader.offers.byId, ([, , depth]) => depth),
        },
        changes: { ...reader.changes, since: watched(reader.changes.since, () => null) },
      }),
    );
  // Answers from memory are masked there, like rankings: see `offers-in-memory.ts`.
  const offerCache = { ...createOfferCache(), isWorthKeeping: () => false };
  const { world, sample } = await filledWorld({ ...store, read }, undefined, { offerCache });
  const blind = await world.newKey(world.account.id, { scopes: BLIND_SCOPES });
  // Rankings need commissions to leave offers out, and are answered from the cache of all offers.
  const reads = operations.filter(({ method, id }) => method === 'GET' && id !== 'recommendOffers');
  const depthsOf = async (key: string) => {
    depths.length = 0;
    const asking: string[] = [];
    for (const { id } of reads) {
      const before = depths.length;
      const { status } = await world.call(id, { ...goodCalls(sample)[id], key });
      if (status === 200 && depths.length > before) asking.push(id);
    }
    return { asking, seesCommissions: new Set(depths.map((depth) => depth.seesCommissions)) };
  };
  expect(await depthsOf(blind)).toEqual({
    asking: [
      'listOffers',
      'compareOffers',
      'exportOffers',
      'getOffer',
      'getOfferHistory',
      'listIndexedPrices',
      'getIndexedPrice',
      'listCatalogOffers',
      'getCatalogOffer',
      'listCatalogIndexedPrices',
      'getCatalogIndexedPrice',
    ],
    seesCommissions: new Set([false]),
  });
  expect((await depthsOf(world.fullKey)).seesCommissions).toEqual(new Set([true, false]));
});

it('A-03: prices that were applied to an indexed offer have 6 decimals for every key, and its cost is that of all', async () => {
  const { world, sample, key } = await blindWorld((base) => base);
  const body = { reference_month: '2026-01', e1: 0.1, e2: 0.1, e3: -0.01 };
  await world.ask('upsertIndexedPrice', { params: { id: String(sample.indexedId) }, body });
  const question = { supply_type: 'LUZ', tariff_type: '2.0TD', energia: { e1: 3_000_000 }, territory: 'peninsula' };
  for (const reader of [world.fullKey, key]) {
    const { results } = await world.ask('rankOffers', { key: reader, body: question });
    expect(results).toContainEqual(
      expect.objectContaining({
        offer: expect.objectContaining({ id: sample.indexedId }),
        indexada: expect.objectContaining({ precios: expect.objectContaining({ e1: 0.133333, e3: -0.01 }) }),
        cost: expect.objectContaining({ energia: 400_000 }),
      }),
    );
  }
});
