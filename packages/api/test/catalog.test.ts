import { SCOPES, type Scope } from '@tarifario/core/service';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemoryRateLimiter } from '../../runtime/src/rate-limiter.ts';
import { operations } from '../src/index.ts';
import { fillSample, GAS_BODY, goodCalls, HOUSEHOLD, LUZ_BODY, type Sample } from './sample.ts';
import { everythingOf, removeDatabasesAfterEach, STORES } from './stores.ts';
import { asRecord, createWorld, idOf, newClient, operationOf, type Sent, type World } from './world.ts';

removeDatabasesAfterEach();
afterEach(() => {
  vi.useRealTimers();
});

const EVERYTHING = { limit: 2000, offset: 0 };
const writes = operations.filter(({ limits }) => limits.includes('catalog_write')).map(({ id }) => id);

it('A-40: 120 writes a minute of one key are done, whichever they are, and reads are not counted among them', async () => {
  vi.useFakeTimers();
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

describe.each(STORES)('the catalog, over %s', (_name, makeStore) => {
  let world: World;
  let sample: Sample;

  beforeEach(async () => {
    world = await createWorld(await makeStore());
    sample = await fillSample(world);
  });

  const audit = () => world.store.read((reader) => reader.catalogWrites(EVERYTHING));
  const everything = async () => JSON.stringify([await everythingOf(world), await audit()]);
  const namesIn = (list: Record<string, unknown>) =>
    Array.isArray(list.results) ? list.results.map((entry) => String(asRecord(entry).offer_name ?? entry.name)) : [];
  const refusal = (status: number, code: string) => ({ status, body: { detail: { code } } });

  describe('A-21: the lists', () => {
    it('A-21: show the whole catalog to any key with catalog:read, subscribed or not, and nothing else', async () => {
      const outside = await newClient(world, 'Sin catálogo', { catalog: 'none' });
      const key = await world.newKey(world.account.id, { firmId: outside, scopes: ['catalog:read'] });
      const stranger = await world.newAccount();
      for (const reader of [key, await world.newKey(stranger.id), world.fullKey]) {
        const companies = await world.ask('listCatalogCompanies', { key: reader });
        expect(companies).toMatchObject({ total: 1, results: [{ id: sample.catalogCompanyId, client_id: null }] });
        const offers = await world.ask('listCatalogOffers', { key: reader });
        expect(offers).toMatchObject({
          total: 1,
          results: [{ id: sample.catalogId, is_catalog: true, company: { id: sample.catalogCompanyId, client: null } }],
        });
        const params = { id: String(sample.catalogIndexedId) };
        expect(await world.ask('listCatalogIndexedPrices', { key: reader, params })).toMatchObject({
          total: 1,
          results: [{ reference_month: '2025-11-01', e1: 0.1 }],
        });
        expect(await world.ask('getCatalogOffer', { key: reader, params })).toMatchObject({
          is_active: false,
          indexed_prices: [{ reference_month: '2025-11-01' }],
        });
      }
    });

    it('A-21: show both supplies unless one is named, and are filtered by retailer, customer and activity', async () => {
      const other = idOf(await world.ask('createCatalogCompany', { body: { name: 'Otra Común' } }));
      const gas = { ...GAS_BODY, company_id: other, offer_name: 'Gas Común', acepta_dni: false, acepta_cif: true };
      await world.ask('createCatalogOffer', { body: gas });
      const list = async (query: Record<string, string>) => namesIn(await world.ask('listCatalogOffers', { query }));
      expect(await list({})).toEqual(['Luz Común', 'Gas Común']);
      expect(await list({ supply_type: 'GAS' })).toEqual(['Gas Común']);
      expect(await list({ supply_type: 'LUZ' })).toEqual(['Luz Común']);
      expect(await list({ client_type: 'cif' })).toEqual(['Gas Común']);
      expect(await list({ company_id: String(other) })).toEqual(['Gas Común']);
      expect(await list({ company_id: String(sample.companyId) })).toEqual([]);
      expect(await list({ include_inactive: 'true' })).toEqual(['Luz Común', 'Luz Común Indexada', 'Gas Común']);
      expect(await list({ include_inactive: 'true', limit: '1', offset: '1' })).toEqual(['Luz Común Indexada']);
    });

    it('A-17: need catalog:read, and commissions:read for what is paid', async () => {
      const key = await world.newKey(world.account.id, { scopes: ['catalog:read'] });
      const { results } = await world.ask('listCatalogOffers', { key });
      expect(results).toMatchObject([{ commission: null, commission_type: null, commission_power_tiers: null }]);
      expect(await world.ask('listCatalogOffers')).toMatchObject({ results: [{ commission: 50 }] });
    });
  });

  describe('A-23: who may write it', () => {
    it.each(writes)('A-23: %s is for catalog editors, and changes and records nothing for others', async (id) => {
      const stranger = await world.newAccount();
      const keys = [
        [await world.newKey(stranger.id), 'not_catalog_editor'],
        [await world.newKey(stranger.id, { scopes: ['catalog:write'] }), 'not_catalog_editor'],
        [await world.newKey(world.account.id, { firmId: sample.clientId }), 'bound_key'],
        [await world.newKey(world.account.id, { firmId: sample.clientId, scopes: ['catalog:write'] }), 'bound_key'],
      ] as const;
      const sent = goodCalls(sample)[id];
      const before = await everything();
      for (const [key, code] of keys) expect(await world.call(id, { ...sent, key })).toMatchObject(refusal(403, code));
      expect(await everything()).toBe(before);
      const editor = await world.newKey(world.account.id, { scopes: ['catalog:write'] });
      expect(operationOf(id).success).toContain((await world.call(id, { ...sent, key: editor })).status);
      expect(await everything()).not.toBe(before);
    });

    it('A-23: takes no other scope for it', async () => {
      const others: readonly Scope[] = SCOPES.filter((scope) => scope !== 'catalog:write');
      const key = await world.newKey(world.account.id, { scopes: others });
      for (const id of writes) {
        expect(await world.call(id, { ...goodCalls(sample)[id], key })).toMatchObject(refusal(403, 'missing_scope'));
      }
    });

    it('A-23: reaches no own record, neither by its id nor as the retailer of an offer', async () => {
      const before = await everything();
      const body = { ...LUZ_BODY, company_id: sample.companyId };
      const noSuchCompany = {
        status: 404,
        body: { detail: { code: 'not_found', errors: [{ path: 'company_id', error: 'no such company' }] } },
      };
      expect(await world.call('createCatalogOffer', { body })).toMatchObject(noSuchCompany);
      const params = { id: String(sample.catalogId) };
      const moved = { params, body: { company_id: sample.companyId } };
      expect(await world.call('updateCatalogOffer', moved)).toMatchObject(noSuchCompany);
      const own = { params: { id: String(sample.luzId) }, body: { e1: 0.1 } };
      expect(await world.call('updateCatalogOffer', own)).toMatchObject(refusal(404, 'not_found'));
      const missing = { params: { id: String(sample.catalogIndexedId), month: '2020-01' } };
      expect(await world.call('deleteCatalogIndexedPrice', missing)).toMatchObject(refusal(404, 'not_found'));
      expect(await everything()).toBe(before);
    });
  });

  describe('A-23: the writes', () => {
    it('A-17, A-26: of commissions count by a key that may not see them, also when they are equal', async () => {
      const blind = await world.newKey(world.account.id, { scopes: ['catalog:write'] });
      const params = { id: String(sample.catalogId) };
      const version = () => world.store.read((reader) => reader.versionsOf(sample.catalogId));
      const before = (await version()).length;
      expect(await world.ask('updateCatalogOffer', { key: blind, params, body: { commission: 50 } })).toMatchObject({
        commission: null,
      });
      expect(await version()).toHaveLength(before + 1);
      await world.ask('updateCatalogOffer', { params, body: { commission: 50 } });
      expect(await version()).toHaveLength(before + 1);
    });

    it('A-23: leave a record of who did what, and of how much the catalog had before and after', async () => {
      const { total: earlier } = await audit();
      const key = await world.newKey(world.account.id, { scopes: ['catalog:write'] });
      const keyId = (await world.store.read((reader) => reader.keys(world.account.id))).at(-1)?.id;
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

  describe('A-21 and A-22: a change of the catalog', () => {
    /** One firm that subscribes to all, one that has left the retailer, one that takes nothing of the catalog. */
    async function threeFirms() {
      const left = await newClient(world, 'Se fue');
      const params = { id: String(left), company_id: String(sample.catalogCompanyId) };
      await world.ask('unsubscribeFromCatalogCompany', { params });
      const none = await newClient(world, 'Sin catálogo', { catalog: 'none' });
      const keyOf = (firmId: number) => world.newKey(world.account.id, { firmId });
      return { all: await keyOf(sample.clientId), left: await keyOf(left), none: await keyOf(none), noneId: none };
    }

    /** Whether a key meets an offer, on every path on which offers are met. */
    async function paths(key: string, id: number): Promise<readonly boolean[]> {
      const params = { id: String(id) };
      const has = async (operationId: string, sent: Sent) => {
        const { results } = await world.ask(operationId, { key, ...sent });
        if (!Array.isArray(results)) throw new Error('a list was expected');
        return results.some((entry) => asRecord(asRecord(entry).offer).id === id);
      };
      const reaches = async (operationId: string, sent: Sent) =>
        (await world.call(operationId, { key, ...sent })).status === 200;
      const other = idOf(await world.ask('createOffer', { body: { ...LUZ_BODY, company_id: sample.companyId } }));
      const companion = (await reaches('getOffer', { params: { id: String(other) } })) ? other : null;
      return [
        await has('rankOffers', { body: HOUSEHOLD }),
        await has('recommendOffers', { query: { consumption_mwh: '3.5' } }),
        await reaches('getOffer', { params }),
        await reaches('listIndexedPrices', { params }),
        await reaches('calculateCommission', { params, query: { consumption_mwh: '3.5' } }),
        ...(companion === null
          ? []
          : [await reaches('compareOffers', { query: { ids: [String(id), String(companion)] } })]),
      ];
    }

    it('A-21: is in the next ranking of subscribed firms, absent for others, on every path that takes an id', async () => {
      const firms = await threeFirms();
      const warm = [firms.all, firms.left, firms.none];
      for (const key of warm) await world.ask('rankOffers', { key, body: HOUSEHOLD });
      const body = { ...LUZ_BODY, company_id: sample.catalogCompanyId, offer_name: 'Recién llegada' };
      const id = idOf(await world.ask('createCatalogOffer', { body }));
      const expected = async (met: boolean) => {
        expect(new Set(await paths(firms.all, id))).toEqual(new Set([met]));
        expect(new Set(await paths(firms.left, id))).toEqual(new Set([false]));
        expect(new Set(await paths(firms.none, id))).toEqual(new Set([false]));
      };
      const params = { id: String(id) };
      const company = { id: String(sample.catalogCompanyId) };
      await expected(true);
      await world.ask('toggleCatalogOffer', { params });
      await expected(false);
      await world.ask('toggleCatalogOffer', { params });
      await expected(true);
      await world.ask('deleteCatalogCompany', { params: company });
      await expected(false);
      await world.ask('toggleCatalogCompany', { params: company });
      await expected(true);
      await world.ask('deleteCatalogOffer', { params });
      await expected(false);
    });

    it('counts with its prices and months at once', async () => {
      const ranked = async () => {
        const { results } = await world.ask('rankOffers', { body: { ...HOUSEHOLD, w: 1 } });
        const list = Array.isArray(results) ? results.map(asRecord) : [];
        return list.find((entry) => asRecord(entry.offer).id === sample.catalogId)?.cost;
      };
      const params = { id: String(sample.catalogId) };
      const before = asRecord(await ranked());
      await world.ask('updateCatalogOffer', { params, body: { services_cost: 10 } });
      expect(await ranked()).toEqual({ ...before, servicios: 120, total: expect.closeTo(Number(before.total) + 120) });
      const prices = { p1: 0.08, p2: 0.01 };
      await world.ask('updateCatalogOffer', { params, body: { is_indexed: true, ...prices } });
      expect(await ranked()).toBeUndefined();
      const month = { reference_month: '2025-11', e1: 0.01, e2: 0.01, e3: 0.01, ...prices };
      await world.ask('upsertCatalogIndexedPrice', { params, body: month });
      expect(await ranked()).toMatchObject({ energia: 35 });
      await world.call('deleteCatalogIndexedPrice', { params: { ...params, month: '2025-11' } });
      expect(await ranked()).toBeUndefined();
    });

    it('A-22: reaches a retailer that is added later by the default of the firm, and what it decides afterwards', async () => {
      const firms = await threeFirms();
      const later = idOf(await world.ask('createCatalogCompany', { body: { name: 'Posterior' } }));
      const id = idOf(await world.ask('createCatalogOffer', { body: { ...LUZ_BODY, company_id: later } }));
      expect(new Set(await paths(firms.all, id))).toEqual(new Set([true]));
      expect(new Set(await paths(firms.left, id))).toEqual(new Set([true]));
      expect(new Set(await paths(firms.none, id))).toEqual(new Set([false]));
      const params = { id: String(firms.noneId), company_id: String(later) };
      await world.ask('subscribeToCatalogCompany', { params });
      expect(new Set(await paths(firms.none, id))).toEqual(new Set([true]));
      await world.ask('unsubscribeFromCatalogCompany', { params });
      expect(new Set(await paths(firms.none, id))).toEqual(new Set([false]));
    });
  });

  describe('A-22: subscriptions', () => {
    const list = (clientId: number, sent: Sent = {}) =>
      world.ask('listCatalogSubscriptions', { ...sent, params: { id: String(clientId) } });
    const place = (clientId: number, companyId: number) => ({
      params: { id: String(clientId), company_id: String(companyId) },
    });

    it('A-22: list every retailer of the catalog with whether the firm subscribes', async () => {
      const company = { id: sample.catalogCompanyId, client_id: null, name: 'Comercializadora Común', logo_url: null };
      const none = await newClient(world, 'Sin catálogo', { catalog: 'none' });
      const closed = idOf(await world.ask('createCatalogCompany', { body: { name: 'Cerrada' } }));
      await world.ask('deleteCatalogCompany', { params: { id: String(closed) } });
      const page = (subscribed: boolean) => ({
        ...{ total: 1, limit: 50, offset: 0 },
        results: [{ company: { ...company, is_active: true }, subscribed }],
      });
      expect(await list(sample.clientId)).toEqual(page(true));
      expect(await list(none)).toEqual(page(false));
      expect(await list(none, { query: { include_inactive: 'true' } })).toMatchObject({ total: 2 });
      const entry = await world.ask('subscribeToCatalogCompany', place(none, sample.catalogCompanyId));
      expect(entry).toEqual({ company: { ...company, is_active: true }, subscribed: true });
      expect(await list(none)).toEqual(page(true));
      const ended = await world.ask('unsubscribeFromCatalogCompany', place(sample.clientId, sample.catalogCompanyId));
      expect(ended).toEqual({ company: { ...company, is_active: true }, subscribed: false });
      expect(await list(sample.clientId)).toEqual(page(false));
      expect(await list(sample.otherClientId)).toEqual(page(true));
    });
  });
});
