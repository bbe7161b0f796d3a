import type { Scope } from '@tarifario/core/service';
import { beforeEach, describe, expect, it } from 'vitest';
import { fillSample, GAS_BODY, HOUSEHOLD, LUZ_BODY, type Sample } from './sample.ts';
import { everythingOf, removeDatabasesAfterEach, STORES } from './stores.ts';
import { asRecord, createWorld, deactivate, idOf, newCompany, type World } from './world.ts';

/** May write offers and read them, but sees no commission. */
const BLIND: readonly Scope[] = ['offers:read', 'offers:write'];
const _TIER = { consumption_from: 0, consumption_to: 5, commission: 3, commission_type: 'fixed' };

removeDatabasesAfterEach();

describe.each(STORES)('changes of offers, over %s', (_name, makeStore) => {
  let world: World;
  let sample: Sample;

  beforeEach(async () => {
    world = await createWorld(await makeStore());
    sample = await fillSample(world);
  });

  const read = (id: number, key = world.fullKey) => world.ask('getOffer', { key, params: { id: String(id) } });
  const patch = (id: number, body: object, key = world.fullKey) =>
    world.call('updateOffer', { key, params: { id: String(id) }, body });
  const refusalOf = async (id: number, body: object) => {
    const answer = await patch(id, body);
    return { status: answer.status, errors: asRecord(asRecord(answer.body).detail).errors };
  };

  const everything = () => everythingOf(world);

  describe('A-30: updateOffer', () => {
    it('refuses a body without fields', async () => {
      expect(await refusalOf(sample.luzId, {})).toEqual({
        status: 400,
        errors: [{ path: '', error: 'must name at least one field' }],
      });
    });

    it('A-24: moves an offer to another own company, and to no other', async () => {
      const moved = await patch(sample.luzId, { company_id: sample.otherCompanyId });
      expect(moved).toMatchObject({
        status: 200,
        body: { company: { id: sample.otherCompanyId, client: { id: sample.otherClientId } } },
      });
      const before = await everything();
      const stranger = await world.newAccount();
      const strangerKey = await world.newKey(stranger.id);
      const client = await world.ask('createClient', { key: strangerKey, body: { name: 'Ajena' } });
      const foreign = await newCompany(world, idOf(client), 'Ajena', strangerKey);
      const answers = [];
      for (const company_id of [foreign, sample.catalogCompanyId, 999_999]) {
        answers.push(JSON.stringify(await patch(sample.luzId, { company_id, e1: -1 })));
      }
      expect(new Set(answers).size).toBe(1);
      expect(JSON.parse(answers[0] ?? '')).toMatchObject({
        status: 404,
        body: { detail: { code: 'not_found', errors: [{ path: 'company_id', error: 'no such company' }] } },
      });
      expect(await everything()).toBe(before);
    });

    it('A-30: keeps every one of many changes at once in different fields', async () => {
      const fields = 'e1 e2 e3 e4 e5 e6 p1 p2 p3 p4 p5 p6 fee_power services_cost'.split(' ');
      const sent = Object.fromEntries(fields.map((field, index) => [field, (index + 1) / 100]));
      await Promise.all(Object.entries(sent).map(([field, value]) => patch(sample.luzId, { [field]: value })));
      expect(await read(sample.luzId)).toMatchObject(sent);
    });
  });

  describe('toggleOffer and deleteOffer', () => {
    it('A-29: answer the offer, which is kept and no longer listed or ranked', async () => {
      const params = { id: String(sample.luzId) };
      const deleted = await world.call('deleteOffer', { params });
      expect(deleted).toMatchObject({ status: 200, body: { id: sample.luzId, is_active: false } });
      expect(await world.call('deleteOffer', { params })).toEqual(deleted);
      expect(await read(sample.luzId)).toMatchObject({ is_active: false });
      const listed = async (query = {}) => JSON.stringify(await world.ask('listOffers', { query }));
      expect(await listed()).not.toContain('Luz Clara');
      expect(await listed({ include_inactive: 'true' })).toContain('Luz Clara');
      expect(JSON.stringify(await world.ask('rankOffers', { body: HOUSEHOLD }))).not.toContain('Luz Clara');
      expect(await world.call('toggleOffer', { params })).toMatchObject({ status: 200, body: { is_active: true } });
      expect(await world.call('toggleOffer', { params })).toMatchObject({ status: 200, body: { is_active: false } });
    });

    it('toggled any number of times at once, an offer is flipped that many times', async () => {
      const params = { id: String(sample.luzId) };
      const answers = await Promise.all(Array.from({ length: 15 }, () => world.ask('toggleOffer', { params })));
      expect(answers.filter((answer) => answer.is_active === true)).toHaveLength(7);
      expect(await read(sample.luzId)).toMatchObject({ is_active: false });
    });
  });

  it('A-21: no write under /v1/offers reaches the catalog', async () => {
    const before = await everything();
    const params = { id: String(sample.catalogId) };
    const body = { offer_ids: [sample.luzId, sample.catalogId], updates: { e1: 0.1 } };
    const answers = [
      await world.call('updateOffer', { params, body: { e1: 0.1 } }),
      await world.call('toggleOffer', { params }),
      await world.call('deleteOffer', { params }),
      await world.call('bulkPatchOffers', { body }),
    ];
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 404, body: { detail: { code: 'not_found' } } });
    expect(await everything()).toBe(before);
  });

  describe('A-26: a key that may write commissions and not read them', () => {
    const COMMISSIONS: readonly object[] = [
      { commission: 50 },
      { commission_type: 'fixed' },
      { commission_tiers: [] },
      { commission_power_tiers: [] },
    ];

    it('A-17: does not learn which of its writes change something', async () => {
      const key = await world.newKey(world.account.id, { scopes: BLIND });
      const { id } = await world.ask('createOffer', { body: { ...LUZ_BODY, company_id: sample.companyId } });
      for (const equal of [...COMMISSIONS, { commission: 51 }, { commission: 50 }]) {
        const before = await read(Number(id), key);
        const answer = await patch(Number(id), equal, key);
        expect(answer, JSON.stringify(equal)).toMatchObject({
          status: 200,
          body: { commission: null, commission_tiers: null },
        });
        const seen = await read(Number(id));
        expect(asRecord(answer.body).updated_at).toBe(before.updated_at);
        const batch = { offer_ids: [id, sample.gasId], updates: equal };
        expect(await world.ask('bulkPatchOffers', { key, body: batch })).toMatchObject({ updated: 2 });
        expect((await read(Number(id), key)).updated_at).toBe(before.updated_at);
        expect((await read(Number(id))).updated_at).not.toBe(seen.updated_at);
      }
      expect(await read(Number(id))).toMatchObject({ commission: 50, commission_type: 'fixed', commission_tiers: [] });
    });
  });

  it('A-34: counts own records, of the account or of one firm', async () => {
    const count = (total: number, active: number, indexed = 0) => ({ total, active, indexed });
    await world.ask('deleteOffer', { params: { id: String(sample.luzId) } });
    await world.ask('createOffer', {
      body: { ...GAS_BODY, company_id: sample.otherCompanyId, is_indexed: true, is_active: false },
    });
    await world.ask('toggleCompany', { params: { id: String(sample.companyId) } });
    const uploads = { pending: 0, processing: 0, completed: 0, failed: 0, cancelled: 0 };
    expect(await world.ask('getStats')).toEqual({
      offers: { total: 6, active: 4, by_supply: { LUZ: count(4, 3, 1), GAS: count(2, 1) } },
      clients: { total: 2, active: 2 },
      companies: { total: 2, active: 1 },
      uploads: { total: 2, by_status: { ...uploads, pending: 1, failed: 1 } },
    });
    await world.ask('createUpload', { body: { file_name: 'ofertas.xlsx', client_id: sample.otherClientId } });
    await world.ask('createUpload', { body: { file_name: 'ofertas.xlsx', client_id: sample.clientId } });
    const other = {
      offers: { total: 2, active: 1, by_supply: { LUZ: count(1, 1), GAS: count(1, 0) } },
      clients: { total: 1, active: 1 },
      companies: { total: 1, active: 1 },
      uploads: { total: 1, by_status: { ...uploads, pending: 1 } },
    };
    const bound = await world.newKey(world.account.id, { firmId: sample.otherClientId, scopes: ['offers:read'] });
    expect(await world.ask('getStats', { key: bound })).toEqual(other);
    expect(await world.ask('getStats', { query: { client_id: String(sample.otherClientId) } })).toEqual(other);
    await deactivate(world, { firmId: sample.clientId });
    expect(await world.ask('getStats')).toMatchObject({ clients: { total: 2, active: 1 } });
  });
});
