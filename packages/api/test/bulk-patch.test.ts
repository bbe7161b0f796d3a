import { filledWorld, LUZ_BODY, type Sample } from '@tarifario/testkit/api/sample';
import { asRecord, idOf, newCompany, type World } from '@tarifario/testkit/api/world';
import { beforeEach, describe, expect, it } from 'vitest';
import { everythingOf } from './stores.ts';

const TIER = { consumption_from: 0, consumption_to: 5, commission: 3, commission_type: 'fixed' };

describe('bulkPatchOffers', () => {
  let world: World;
  let sample: Sample;

  beforeEach(async () => {
    ({ world, sample } = await filledWorld());
  });

  const everything = () => everythingOf(world);

  describe('A-36: bulkPatchOffers', () => {
    const bulk = (offer_ids: unknown, updates: unknown, key = world.fullKey) =>
      world.call('bulkPatchOffers', { key, body: { offer_ids, updates } });

    it('A-24, A-36: does not say which offer is of another account or missing, and changes nothing', async () => {
      const stranger = await world.newAccount();
      const key = await world.newKey(stranger.id);
      const client = await world.ask('createClient', { key, body: { name: 'Ajena' } });
      const company_id = await newCompany(world, idOf(client), 'Ajena', key);
      const foreign = idOf(await world.ask('createOffer', { key, body: { ...LUZ_BODY, company_id } }));
      const before = await everything();
      const answers = [];
      for (const id of [foreign, 999_999, sample.catalogId, 2 ** 60]) {
        answers.push(JSON.stringify(await bulk([sample.luzId, id], { e1: -1 })));
      }
      expect(new Set(answers).size).toBe(1);
      expect(JSON.parse(answers[0] ?? '')).toMatchObject({ status: 404, body: { detail: { code: 'not_found' } } });
      const bound = await world.newKey(world.account.id, { firmId: sample.otherClientId });
      expect(JSON.stringify(await bulk([sample.luzId, sample.otherLuzId], { e1: 0.1 }, bound))).toBe(answers[0]);
      expect(await everything()).toBe(before);
    });

    it.each<[string, unknown, unknown]>([
      ['offer_ids', [], { e1: 0.1 }],
      ['offer_ids', [1, 2, 1], { e1: 0.1 }],
      ['offer_ids', Array.from({ length: 501 }, (_, index) => index + 1), { e1: 0.1 }],
      ['offer_ids.1', [1, '2'], { e1: 0.1 }],
      ['offer_ids.0', [0], { e1: 0.1 }],
      ['offer_ids', 1, { e1: 0.1 }],
      ['updates', [1], {}],
      ['updates', [1], []],
      ['updates.company_id', [1], { company_id: 1 }],
      ['updates.supply_type', [1], { supply_type: 'GAS' }],
      ['updates.id', [1], { id: 1 }],
      ['updates.e1', [1], { e1: '0.1' }],
      ['updates.commission', [1], { commission: null }],
    ])('A-36: refuses a malformed %s', async (path, ids, updates) => {
      const answer = await bulk(ids, updates);
      expect(answer).toMatchObject({ status: 400, body: { detail: { errors: [{ path }] } } });
    });
  });
});

it('A-36: names every one of 500 failing offers, also when one has most of the findings', async () => {
  const { world, sample } = await filledWorld();
  const { companyId } = sample;
  await world.store.write({ keyId: null, at: '2026-01-01T00:00:00.000Z' }, async (writer) => {
    const [record] = await writer.offers.byId(world.account.id, [sample.luzId]);
    if (!record) throw new Error('an offer was expected');
    await writer.offers.insert(
      world.account.id,
      Array.from({ length: 500 }, () => ({ ...record.offer, companyId })),
    );
  });
  const { results } = await world.store.read((reader) =>
    reader.companies.list({ owner: world.account.id, firmId: null, includeInactive: true }, { limit: 1, offset: 0 }),
  );
  expect(results).toHaveLength(1);
  const all = await world.store.read((reader) => reader.changes.since(world.account.id, 0));
  const ids = all.offers.map(({ offer }) => offer.id).slice(-500);
  const wrong = { ...TIER, consumption_from: 9, consumption_to: 3, commission: -1, commission_type: 'x' };
  const body = { offer_ids: ids, updates: { e1: 11, commission_tiers: [wrong] } };
  const answer = await world.call('bulkPatchOffers', { body });
  const { errors } = asRecord(asRecord(answer.body).detail);
  const named = (Array.isArray(errors) ? errors : []).map((error) => asRecord(error).offer_id);
  expect(answer.status).toBe(422);
  expect(named).toHaveLength(1000);
  expect([...new Set(named)]).toEqual(ids);
});
