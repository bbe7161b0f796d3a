import type { Scope } from '@tarifario/core/service';
import { createMemoryRateLimiter } from '@tarifario/runtime';
import { filledWorld, fillSample, goodCalls, LUZ_BODY, type Sample } from '@tarifario/testkit/api/sample';
import { asRecord, type CallInput, createWorld, idOf, operationOf, type World } from '@tarifario/testkit/api/world';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { operations } from '../src/index.ts';
import { everythingOf } from './stores.ts';

afterEach(() => {
  vi.useRealTimers();
});

const EVERYTHING = { limit: 2000, offset: 0 };
const writes = operations.filter(({ limits }) => limits.includes('catalog_write')).map(({ id }) => id);

it('A-40: a key may make 120 catalog writes a minute, of any kind, and reads are not counted', async () => {
  // A store takes turns of the event loop.
  vi.useFakeTimers({ toNotFake: ['setImmediate'] });
  const world = await createWorld(undefined, createMemoryRateLimiter());
  await world.subscribe(world.account.id, { callsPerMinute: 1000 });
  const sample = await fillSample(world);
  const key = await world.newKey(world.account.id);
  const toggles = [
    ['toggleCatalogCompany', { id: String(sample.catalogCompanyId) }],
    ['toggleCatalogOffer', { id: String(sample.catalogId) }],
  ] as const;
  const statuses: number[] = [];
  for (let count = 0; count < 60; count += 1) {
    for (const [id, params] of toggles) statuses.push((await world.send(id, { key, params })).status);
  }
  expect(new Set(statuses)).toEqual(new Set([200]));
  for (const id of writes) {
    const { status, headers } = await world.send(id, { key, ...goodCalls(sample)[id] });
    expect([status, headers.RateLimit], id).toEqual([429, expect.stringMatching(/^"catalog_write";r=0;/)]);
  }
  expect((await world.send('listCatalogOffers', { key })).status).toBe(200);
  expect((await world.send('toggleCatalogOffer', { params: toggles[1][1] })).status).toBe(200);
});

describe('the catalog', () => {
  let world: World;
  let sample: Sample;

  beforeEach(async () => {
    ({ world, sample } = await filledWorld());
  });

  const audit = () => world.store.read((reader) => reader.catalog.writes(EVERYTHING));
  const everything = async () => JSON.stringify([await everythingOf(world), await audit()]);
  const refusal = (status: number, code: string) => ({ status, body: { detail: { code } } });

  describe('A-23: who may write it', () => {
    it.each(writes)(
      'A-23: %s is allowed to catalog editors, and changes and records nothing for others',
      async (id) => {
        const stranger = await world.newAccount();
        const keys = [
          [await world.newKey(stranger.id), 'not_catalog_editor'],
          [await world.newKey(stranger.id, { scopes: ['catalog:write'] }), 'not_catalog_editor'],
          [await world.newKey(world.account.id, { firmId: sample.clientId }), 'bound_key'],
          [await world.newKey(world.account.id, { firmId: sample.clientId, scopes: ['catalog:write'] }), 'bound_key'],
        ] as const;
        const sent = goodCalls(sample)[id];
        const before = await everything();
        for (const [key, code] of keys)
          expect(await world.call(id, { ...sent, key })).toMatchObject(refusal(403, code));
        expect(await everything()).toBe(before);
        const editor = await world.newKey(world.account.id, { scopes: ['catalog:write'] });
        expect(operationOf(id).success).toContain((await world.call(id, { ...sent, key: editor })).status);
        expect(await everything()).not.toBe(before);
      },
    );
  });

  describe('A-23: the writes', () => {
    it('A-23: leave a record of the author, the change, and the size of the catalog before and after', async () => {
      const { total: earlier } = await audit();
      const key = await world.newKey(world.account.id, { scopes: ['catalog:write'] });
      const keyId = (await world.store.read((reader) => reader.keys.list(world.account.id))).at(-1)?.id;
      const companyId = idOf(await world.ask('createCatalogCompany', { key, body: { name: 'Nueva' } }));
      const body = { ...LUZ_BODY, company_id: companyId, is_indexed: true };
      const offerId = idOf(await world.ask('createCatalogOffer', { key, body }));
      const params = { id: String(offerId) };
      const month = { reference_month: '2026-01', e1: 0.1 };
      await world.ask('upsertCatalogIndexedPrice', { key, params, body: month });
      await world.call('deleteCatalogIndexedPrice', { key, params: { ...params, month: '2026-01' } });
      await world.ask('updateCatalogOffer', { key, params, body: { e1: 0.2 } });
      await world.ask('toggleCatalogOffer', { key, params });
      await world.ask('deleteCatalogOffer', { key, params });
      const company = { id: String(companyId) };
      await world.ask('updateCatalogCompany', { key, params: company, body: { name: 'Novísima' } });
      await world.ask('toggleCatalogCompany', { key, params: company });
      await world.ask('deleteCatalogCompany', { key, params: company });
      const records = (await audit()).results.slice(earlier);
      const count = (companies: number, offers: number, months: number, more = { companies, offers }) => ({
        companies: { total: companies, active: more.companies },
        offers: { total: offers, active: more.offers },
        months,
      });
      const states = [
        count(1, 2, 1, { companies: 1, offers: 1 }),
        count(2, 2, 1, { companies: 2, offers: 1 }),
        count(2, 3, 1, { companies: 2, offers: 2 }),
        count(2, 3, 2, { companies: 2, offers: 2 }),
        count(2, 3, 1, { companies: 2, offers: 2 }),
        count(2, 3, 1, { companies: 2, offers: 2 }),
        count(2, 3, 1, { companies: 2, offers: 1 }),
        count(2, 3, 1, { companies: 2, offers: 1 }),
        count(2, 3, 1, { companies: 2, offers: 1 }),
        count(2, 3, 1, { companies: 1, offers: 1 }),
        count(2, 3, 1, { companies: 1, offers: 1 }),
      ];
      const steps = [
        ['create_company', companyId],
        ['create_offer', offerId],
        ['put_month', offerId],
        ['delete_month', offerId],
        ['update_offer', offerId],
        ['toggle_offer', offerId],
        ['deactivate_offer', offerId],
        ['update_company', companyId],
        ['toggle_company', companyId],
        ['deactivate_company', companyId],
      ] as const;
      const who = { accountId: world.account.id, keyId, fileHash: null };
      expect(records).toEqual(
        steps.map(([operation, recordId], index) => ({
          ...{ ...who, operation, recordId, id: expect.any(Number), at: expect.stringMatching(/^2026-01-01T/) },
          ...{ before: states[index], after: states[index + 1] },
        })),
      );
    });
  });
});

describe('A-24: a record that is not found', () => {
  const refusalOf = async (world: World, id: string, input: CallInput) => {
    const { status, body } = await world.call(id, input);
    const { errors, ...detail } = asRecord(asRecord(body).detail);
    expect([status, detail]).toEqual([404, { code: 'not_found', message: 'not found' }]);
    return errors;
  };

  it('is named by its kind, in the same words whether it is missing or of another account', async () => {
    const { world, sample } = await filledWorld();
    const stranger = await world.newKey((await world.newAccount()).id);
    const calls: readonly (readonly [string, string, number])[] = [
      ['getOffer', 'no such offer', sample.luzId],
      ['deleteOffer', 'no such offer', sample.luzId],
      ['getCompany', 'no such company', sample.companyId],
      ['getClient', 'no such firm', sample.clientId],
      ['getUpload', 'no such upload', sample.keptUploadId],
      ['getProposal', 'no such proposal', sample.proposalId],
      ['getWebhook', 'no such webhook', sample.webhookId],
      ['revokeKey', 'no such key', sample.keyId],
    ];
    for (const [operation, error, id] of calls) {
      const errors = [{ path: 'id', error }];
      expect(await refusalOf(world, operation, { params: { id: '99999' } }), operation).toEqual(errors);
      expect(await refusalOf(world, operation, { key: stranger, params: { id: String(id) } }), operation).toEqual(
        errors,
      );
    }
    const month = { params: { id: String(sample.indexedId), month: '2001-01-01' } };
    const noMonth = [{ path: 'id', error: 'the offer has no such month' }];
    expect(await refusalOf(world, 'getIndexedPrice', month)).toEqual(noMonth);
    expect(await refusalOf(world, 'deleteIndexedPrice', month)).toEqual(noMonth);
    const noRetailer = { params: { id: String(sample.clientId), company_id: '99999' } };
    for (const operation of ['subscribeToCatalogCompany', 'unsubscribeFromCatalogCompany']) {
      const errors = [{ path: 'company_id', error: 'no such company' }];
      expect(await refusalOf(world, operation, noRetailer)).toEqual(errors);
    }
    const batch = { body: { offer_ids: [99999], updates: { e1: 0.1 } } };
    expect(await refusalOf(world, 'bulkPatchOffers', batch)).toEqual([{ path: 'offer_ids', error: 'no such offer' }]);
    const query = { ids: [String(sample.luzId), '99999'] };
    expect(await refusalOf(world, 'compareOffers', { query })).toEqual([{ path: 'ids', error: 'no such offer' }]);
  });

  it('A-21: is said to be of the catalog where own offers are changed by who may read it there, and by nobody else', async () => {
    const { world, sample } = await filledWorld();
    const params = { id: String(sample.catalogId) };
    const body = { e1: 0.1 };
    const ofCatalog = 'is an offer of the shared catalog, which is changed under /v1/catalog/offers';
    const errorFor = async (
      scopes: readonly Scope[],
      operation = 'updateOffer',
      input: CallInput = { params, body },
    ) => {
      const key = await world.newKey(world.account.id, { scopes: ['offers:write', ...scopes] });
      const [first] = (await refusalOf(world, operation, { ...input, key })) as readonly { readonly error: string }[];
      return first?.error;
    };
    expect(await errorFor(['offers:read'])).toBe(ofCatalog);
    expect(await errorFor(['catalog:read'])).toBe(ofCatalog);
    expect(await errorFor([])).toBe('no such offer');
    for (const operation of ['toggleOffer', 'deleteOffer']) {
      expect(await errorFor(['offers:read'], operation, { params })).toBe(ofCatalog);
    }
    const catalogCompany = { params: { id: String(sample.catalogCompanyId) } };
    const companyError = (scope: Scope, operation: string) => {
      const renamed = operation === 'updateCompany' ? { body: { name: 'Otra' } } : {};
      return errorFor(['companies:write', scope], operation, { ...catalogCompany, ...renamed });
    };
    const retailer = 'is a company of the shared catalog, which is changed under /v1/catalog/companies';
    for (const operation of ['updateCompany', 'toggleCompany', 'deleteCompany']) {
      expect(await companyError('catalog:read', operation)).toBe(retailer);
      expect(await companyError('companies:read', operation)).toBe('no such company');
    }
    await world.ask('deleteCatalogCompany', catalogCompany);
    expect(await errorFor(['offers:read'])).toBe('no such offer');
    expect(await errorFor(['catalog:read'])).toBe(ofCatalog);
  });
});

it('an offer of the catalog has its months under /v1/offers too, also before offers are in memory', async () => {
  const { world, sample } = await filledWorld();
  const params = { id: String(sample.catalogIndexedId) };
  await world.ask('toggleCatalogOffer', { params });
  const both = async (id: string, ofCatalog: string, more: object = {}) => {
    const [own, catalog] = [await world.ask(id, { params, ...more }), await world.ask(ofCatalog, { params, ...more })];
    expect(own).toEqual(catalog);
    return catalog;
  };
  const { results } = await both('listIndexedPrices', 'listCatalogIndexedPrices');
  const [month] = results as { reference_month: string }[];
  expect(month).toBeDefined();
  const named = { params: { ...params, month: month?.reference_month ?? '' } };
  await both('getIndexedPrice', 'getCatalogIndexedPrice', named);
  const { indexed_prices: months } = await world.ask('getOffer', { params });
  expect(months).toEqual(results);
});
