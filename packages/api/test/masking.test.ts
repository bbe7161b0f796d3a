import { createOfferCache, type OfferDepth, SCOPES, type Store } from '@tarifario/core/service';
import { createMemoryStore } from '@tarifario/core/testing';
import {
  filledWorld,
  fillSample,
  GAS_BODY,
  goodCalls,
  HOUSEHOLD,
  LUZ_BODY,
  PROFILED,
  type Sample,
} from '@tarifario/testkit/api/sample';
import { fakeFile, sheet } from '@tarifario/testkit/api/workbooks';
import { asRecord, type CallInput, createWorld, type World } from '@tarifario/testkit/api/world';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { operations } from '../src/index.ts';

/** A bot that talks to customers, and a writer that must not read what it writes. */
const BLIND_SCOPES = SCOPES.filter((scope) => scope !== 'commissions:read');

/** Amounts that occur nowhere else in the sample. */
const CANARY = 7919.1357;

type Blind = Awaited<ReturnType<typeof blindWorld>>;

async function blindWorld(pays: (base: number) => number) {
  const world = await createWorld();
  const sample = await fillSample(world, pays);
  return { world, sample, key: await world.newKey(world.account.id, { scopes: BLIND_SCOPES }) };
}

/** Requests whose answers could depend on commissions: filters, pages, ids, and refusals of many kinds. */
function corpus(sample: Sample): readonly (readonly [string, CallInput])[] {
  const good = Object.entries(goodCalls(sample));
  const offerIds = [sample.luzId, sample.gasId, sample.indexedId, sample.catalogId].map(String);
  return [
    ...good,
    ...offerIds.map((id) => ['getOffer', { params: { id } }] as const),
    ...offerIds.map((id) => ['calculateCommission', { params: { id }, query: { consumption_mwh: '1' } }] as const),
    ['compareOffers', { query: { ids: offerIds } }],
    ['listCatalogOffers', { query: { supply_type: 'LUZ', client_type: 'dni' } }],
    ['getCatalogOffer', { params: { id: String(sample.catalogIndexedId) } }],
    ['updateCatalogOffer', { params: { id: String(sample.catalogId) }, body: { commission: 50 } }],
    ['listOffers', { query: { supply_type: 'GAS' } }],
    ['listOffers', { query: { limit: '1', offset: '1', include_inactive: 'true' } }],
    ['rankOffers', { body: { ...HOUSEHOLD, w: 1 } }],
    ['rankOffers', { body: { ...HOUSEHOLD, w: 0.5 } }],
    ['rankOffers', { body: { ...HOUSEHOLD, limit: 1 } }],
    ['rankOffers', { body: { ...HOUSEHOLD, fee_energia: 20, fee_potencia: 3, dias: 30 } }],
    ['rankOffers', { body: { ...HOUSEHOLD, mes: '2025-12' } }],
    ['rankOffers', { body: { supply_type: 'GAS', consumo_gas: 5000 } }],
    ['rankOffers', { body: { ...PROFILED, w: 1 } }],
    ['rankOffers', { body: { ...PROFILED, tolerancia: 2 } }],
    ['rankOffers', { body: { ...HOUSEHOLD, tolerancia: 0 } }],
    ['rankOffers', { body: { ...HOUSEHOLD, tolerancia: 2 } }],
    ['rankOffers', { body: { ...HOUSEHOLD, contrato_actual: { coste_total: 700 } } }],
    [
      'rankOffers',
      { body: { supply_type: 'GAS', consumo_gas: 5000, contrato_actual: { gas_energy: 0.06, gas_fixed: 5 } } },
    ],
    [
      'rankPortfolio',
      {
        body: {
          customers: [
            { ref: 'a', ...HOUSEHOLD, w: 0.5 },
            { ref: 'b', ...HOUSEHOLD, w: 1 },
            { ref: 'c', ...HOUSEHOLD, tolerancia: 1, contrato_actual: { coste_total: 700 } },
            { ref: 'p', ...PROFILED, w: 1 },
            { ref: 'd', ...HOUSEHOLD, tolerancia: 0, contrato_actual: { coste_total: 700 } },
          ],
        },
      },
    ],
    ['createOffer', { body: { ...LUZ_BODY, company_id: sample.companyId, placas_solares: true, acepta_dni: false } }],
    ['createOffer', { body: { ...GAS_BODY, company_id: sample.companyId } }],
  ];
}

it('A-26: two services that differ only in commissions give a key without commissions:read the same bytes', async () => {
  const lowCommission = await blindWorld((base) => base);
  // Another order, other ties and other zeros than in the first world.
  const highCommission = await blindWorld((base) => (base === 50 ? 0 : 1000 - base));
  expect(highCommission.sample).toEqual(lowCommission.sample);
  const requests = corpus(lowCommission.sample);
  expect(new Set(requests.map(([id]) => id))).toEqual(new Set(operations.map((operation) => operation.id)));
  for (const [id, input] of requests) {
    const inLowCommission = await lowCommission.world.call(id, { ...input, key: lowCommission.key });
    const inHighCommission = await highCommission.world.call(id, { ...input, key: highCommission.key });
    expect(JSON.stringify(inHighCommission), `${id} ${JSON.stringify(input)}`).toBe(JSON.stringify(inLowCommission));
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
  expect(onlyWithScope.filter((path) => !marked.has(path))).toEqual([]);
  expect(onlyWithScope.length).toBeGreaterThan(30);
});

/** Changes of commissions and of nothing else, in every way in which they are written. */
async function changeCommissions({ world, sample }: Pick<Blind, 'world' | 'sample'>, pays: (base: number) => number) {
  const done = async (id: string, input: CallInput) => expect((await world.call(id, input)).status, id).toBe(200);
  const { luzId, gasId, indexedId, catalogId } = sample;
  const body = { commission: pays(50) };
  await done('updateOffer', { params: { id: String(luzId) }, body });
  await done('updateCatalogOffer', { params: { id: String(catalogId) }, body: { commission: pays(50) } });
  await done('bulkPatchOffers', { body: { offer_ids: [gasId, indexedId], updates: { commission: pays(30) } } });
  const sheets = {
    ofertas: sheet(['offer_id', 'commission'], [indexedId, pays(70)]),
    tramos_consumo: sheet(['offer_id', 'consumption_from', 'consumption_to', 'commission'], [luzId, 0, 5, pays(33)]),
  };
  await done('bulkUpdateOffers', { form: { bytes: fakeFile(sheets) } });
}

it('A-26: a change of commissions alone changes no answer to a key without commissions:read', async () => {
  const [still, moved] = [await blindWorld((base) => base), await blindWorld((base) => base)];
  // The same calls at the same moments: those of the first world say what is stored already, and do it once more.
  for (const pays of [(base: number) => base, (base: number) => 98 - base]) {
    await changeCommissions(still, (base) => base);
    await changeCommissions(moved, pays);
  }
  const stamp = async ({ world, sample }: Blind) =>
    (await world.ask('getOffer', { params: { id: String(sample.luzId) } })).updated_at;
  expect(await stamp(moved)).not.toBe(await stamp(still));
  for (const [id, input] of corpus(still.sample)) {
    const before = await still.world.call(id, { ...input, key: still.key });
    const after = await moved.world.call(id, { ...input, key: moved.key });
    expect(JSON.stringify(after), `${id} ${JSON.stringify(input)}`).toBe(JSON.stringify(before));
  }
});

/** Reads, and rankings, which are read by POST. */
const READS = new Set([
  ...operations.filter(({ method }) => method === 'GET').map(({ id }) => id),
  ...['rankOffers', 'rankPortfolio'],
]);

/** The same commissions, or others, of the firm of the sample, of another firm and of the catalog. */
async function payDifferently({ world, sample }: Pick<Blind, 'world' | 'sample'>, more: number) {
  const { luzId, otherLuzId, gasId, catalogId } = sample;
  const pay = async (operation: string, id: number, commission: number) =>
    world.ask(operation, { params: { id: String(id) }, body: { commission } });
  await pay('updateOffer', luzId, 50 + more);
  await pay('updateOffer', otherLuzId, 60 + more);
  await pay('updateCatalogOffer', catalogId, 50 + more);
  await world.ask('bulkPatchOffers', { body: { offer_ids: [gasId], updates: { commission: 30 + more } } });
}

/** All reads of a key, with their headers, before and after commissions are written, and of records made afterwards. */
async function readsAround(more: number, isBound: boolean) {
  const world = await createWorld();
  const sample = await fillSample(world);
  const firm = isBound ? { firmId: sample.clientId } : {};
  const key = await world.newKey(world.account.id, { ...firm, scopes: BLIND_SCOPES });
  const requests = corpus(sample).filter(([id]) => READS.has(id));
  const read = async (all: readonly (readonly [string, CallInput])[]) => {
    const answers: string[] = [];
    for (const [id, input] of all) answers.push(`${id} ${JSON.stringify(await world.call(id, { ...input, key }))}`);
    return answers;
  };
  const { next } = await world.ask('listChanges', { key });
  // Usage counts the reads themselves.
  const repeatable = requests.filter(([id]) => !id.includes('Usage'));
  const before = await read(repeatable);
  await payDifferently({ world, sample }, more);
  const after = await read(repeatable);
  const { id } = await world.ask('createProposal', { ...goodCalls(sample).createProposal, key });
  await world.ask('updateOffer', { params: { id: String(sample.gasId) }, body: { services_cost: 7 } });
  const params = { id: String(id) };
  const made = await read([
    ...(['getProposal', 'getProposalPage', 'verifyProposal'] as const).map((one) => [one, { params }] as const),
    ['listChanges', { query: { since: String(next) } }],
    ...requests,
  ]);
  // What a cursor holds is encrypted, and its length is always the same.
  return { before, after, made: made.map((answer) => answer.replace(/"next":"[a-p]+"/, '"next":""')) };
}

it.each([
  ['the whole account', false],
  ['one firm', true],
])(
  'A-26: other commissions move no byte of any read of a key for %s, also of a record made later',
  async (_, isBound) => {
    expect(READS.size).toBeGreaterThan(25);
    const [still, moved] = [await readsAround(0, isBound), await readsAround(1, isBound)];
    expect(moved.after).toEqual(moved.before);
    expect(moved.made).toEqual(still.made);
  },
);

it('A-26: a change of commissions changes the tag and the stamp of an offer only for keys with commissions:read', async () => {
  const blind = await blindWorld((base) => base);
  const { world, sample, key } = blind;
  const look = async (caller: { readonly key?: string }) => {
    const ids = [sample.luzId, sample.gasId, sample.indexedId].map(String);
    const answers = await Promise.all(ids.map((id) => world.call('getOffer', { ...caller, params: { id } })));
    const asJson = await world.call('rankOffers', { ...caller, body: { ...HOUSEHOLD, w: 1 }, takesJson: true });
    return JSON.stringify([answers, new TextDecoder().decode(asJson.json)]);
  };
  const before = { masked: await look({ key }), seen: await look({}) };
  await changeCommissions(blind, (base) => base + 1);
  // The ranking with commissions is first: the other must not get anything that it cached.
  expect(await look({})).not.toBe(before.seen);
  expect(await look({ key })).toBe(before.masked);
  await world.ask('updateOffer', { params: { id: String(sample.luzId) }, body: { e1: 0.19 } });
  expect(await look({ key })).not.toBe(before.masked);
});

it('A-26: the same two services answer a key with commissions:read differently', async () => {
  const lowCommission = await blindWorld((base) => base);
  const highCommission = await blindWorld((base) => (base === 50 ? 0 : 1000 - base));
  for (const id of [
    'listOffers',
    'getOffer',
    'compareOffers',
    'listCatalogOffers',
    'getCatalogOffer',
    'rankOffers',
    'rankPortfolio',
    'recommendOffers',
    'calculateCommission',
  ]) {
    const input = goodCalls(lowCommission.sample)[id];
    const answers = [await lowCommission.world.call(id, input), await highCommission.world.call(id, input)];
    expect(JSON.stringify(answers[0]), id).not.toBe(JSON.stringify(answers[1]));
  }
});

it('A-26: no answer to a key without commissions:read contains a commission', async () => {
  const { world, sample, key } = await blindWorld(() => CANARY);
  for (const [id, input] of corpus(sample)) {
    const writes = /^(create|update)(Catalog)?Offer$/.test(id);
    const body = writes ? { ...asRecord(input.body), commission: CANARY } : input.body;
    const text = JSON.stringify(await world.call(id, { ...input, body, key }));
    expect(text, id).not.toContain('7919');
  }
  expect(JSON.stringify(await world.call('listOffers'))).toContain(String(CANARY));
});

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
  const store = createMemoryStore();
  const depths: OfferDepth[] = [];
  const watched = <A extends readonly unknown[], T>(read: (...args: A) => T, depthIn: (args: A) => unknown) => {
    return (...args: A): T => {
      depths.push({ withCommissions: Object(depthIn(args)).withCommissions !== false });
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
    return { asking, withCommissions: new Set(depths.map((depth) => depth.withCommissions)) };
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
    withCommissions: new Set([false]),
  });
  expect((await depthsOf(world.fullKey)).withCommissions).toEqual(new Set([true, false]));
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
