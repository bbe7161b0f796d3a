import type { Scope } from '@tarifario/core';
import { expect, it } from 'vitest';
import { operations } from '../src/index.ts';
import { fillSample, GAS_BODY, goodCalls, HOUSEHOLD, LUZ_BODY, type Sample } from './sample.ts';
import { asRecord, createWorld, type Sent, type World } from './world.ts';

/** A bot that talks to customers, and a writer that must not read what it writes. */
const BLIND_SCOPES: readonly Scope[] = [
  'offers:read',
  'offers:write',
  'offers:export',
  'indexed_prices:read',
  'companies:read',
  'companies:write',
  'clients:read',
  'clients:write',
  'catalog:read',
  'catalog:write',
];

/** Amounts that occur nowhere else in the sample. */
const CANARY = 7919.1357;

async function blindWorld(pays: (base: number) => number) {
  const world = await createWorld();
  const sample = await fillSample(world, pays);
  return { world, sample, key: await world.newKey(world.account.id, { scopes: BLIND_SCOPES }) };
}

/** Requests whose answers could depend on commissions: filters, pages, ids, and refusals of many kinds. */
function corpus(sample: Sample): readonly (readonly [string, Sent])[] {
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
    [
      'rankPortfolio',
      {
        body: {
          customers: [
            { ref: 'a', ...HOUSEHOLD, w: 0.5 },
            { ref: 'b', ...HOUSEHOLD, w: 1 },
          ],
        },
      },
    ],
    ['createOffer', { body: { ...LUZ_BODY, company_id: sample.companyId, placas_solares: true, acepta_dni: false } }],
    ['createOffer', { body: { ...GAS_BODY, company_id: sample.companyId } }],
  ];
}

it('A-26: two worlds that differ only in commissions answer a key without commissions:read byte for byte alike', async () => {
  const poor = await blindWorld((base) => base);
  // Another order, other ties and other zeros than in the first world.
  const rich = await blindWorld((base) => (base === 50 ? 0 : 1000 - base));
  expect(rich.sample).toEqual(poor.sample);
  const requests = corpus(poor.sample);
  expect(new Set(requests.map(([id]) => id))).toEqual(new Set(operations.map((operation) => operation.id)));
  for (const [id, sent] of requests) {
    const inPoor = await poor.world.call(id, { ...sent, key: poor.key });
    const inRich = await rich.world.call(id, { ...sent, key: rich.key });
    expect(JSON.stringify(inRich), `${id} ${JSON.stringify(sent)}`).toBe(JSON.stringify(inPoor));
  }
});

it('A-26: the two worlds do differ for a key that may see commissions', async () => {
  const poor = await blindWorld((base) => base);
  const rich = await blindWorld((base) => (base === 50 ? 0 : 1000 - base));
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
    const sent = goodCalls(poor.sample)[id];
    const answers = [await poor.world.call(id, sent), await rich.world.call(id, sent)];
    expect(JSON.stringify(answers[0]), id).not.toBe(JSON.stringify(answers[1]));
  }
});

it('A-26: no answer to a key without commissions:read contains a commission', async () => {
  const { world, sample, key } = await blindWorld(() => CANARY);
  for (const [id, sent] of corpus(sample)) {
    const writes = /^(create|update)(Catalog)?Offer$/.test(id);
    const body = writes ? { ...asRecord(sent.body), commission: CANARY } : sent.body;
    const text = JSON.stringify(await world.call(id, { ...sent, body, key }));
    expect(text, id).not.toContain('7919');
  }
  expect(JSON.stringify(await world.call('listOffers'))).toContain(String(CANARY));
});

it('masks exactly the four commission fields, and leaves the power tiers of gas absent', async () => {
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

it('lets a key write commissions that it may not read', async () => {
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
