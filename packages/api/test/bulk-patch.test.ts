import { beforeEach, describe, expect, it } from 'vitest';
import { fillSample, LUZ_BODY, type Sample } from './sample.ts';
import { everythingOf, removeDatabasesAfterEach, STORES } from './stores.ts';
import { asRecord, createWorld, idOf, newCompany, type World } from './world.ts';

const TIER = { consumption_from: 0, consumption_to: 5, commission: 3, commission_type: 'fixed' };

removeDatabasesAfterEach();

describe.each(STORES)('bulkPatchOffers, over %s', (_name, makeStore) => {
  let world: World;
  let sample: Sample;

  beforeEach(async () => {
    world = await createWorld(await makeStore());
    sample = await fillSample(world);
  });

  const read = (id: number) => world.ask('getOffer', { params: { id: String(id) } });
  const everything = () => everythingOf(world);

  describe('A-36: bulkPatchOffers', () => {
    const bulk = (offer_ids: unknown, updates: unknown, key = world.fullKey) =>
      world.call('bulkPatchOffers', { key, body: { offer_ids, updates } });

    it('A-36: makes the same changes to every offer and says which, in the order asked', async () => {
      const ids = [sample.otherLuzId, sample.gasId, sample.luzId];
      const updates = { services_cost: 4, is_active: false, offer_name: 'Igual', commission_tiers: [TIER] };
      expect(await bulk(ids, updates)).toEqual({ status: 200, headers: {}, body: { updated: 3, offer_ids: ids } });
      for (const id of ids) expect(await read(id)).toMatchObject(updates);
      expect(await read(sample.indexedId)).toMatchObject({ offer_name: 'Luz Indexada', is_active: true });
    });

    it('A-36: changes nothing when one offer breaks a rule, and names each that does with its field', async () => {
      const solar = { placas_solares: true, precio_excedentes: 0.1 };
      await world.ask('updateOffer', { params: { id: String(sample.luzId) }, body: solar });
      const before = await everything();
      const answer = await bulk([sample.luzId, sample.gasId, sample.indexedId, sample.otherLuzId], {
        placas_solares: true,
        e1: 0.1,
        acepta_dni: false,
      });
      expect(answer).toMatchObject({ status: 422, body: { detail: { code: 'business_rule' } } });
      const { errors } = asRecord(asRecord(answer.body).detail);
      const rule = { path: 'acepta_dni', error: 'at least one type of customer must be accepted' };
      expect(errors).toEqual([
        { ...rule, offer_id: sample.luzId },
        { path: 'e1', error: 'is not a field of GAS offers', offer_id: sample.gasId },
        { path: 'placas_solares', error: 'is not a field of GAS offers', offer_id: sample.gasId },
        { ...rule, offer_id: sample.gasId },
        { ...rule, offer_id: sample.indexedId },
        { ...rule, offer_id: sample.otherLuzId },
      ]);
      expect(await everything()).toBe(before);
    });

    it('A-24, A-36: does not say which offer is foreign or missing, and changes nothing', async () => {
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
  const world = await createWorld();
  const sample = await fillSample(world);
  const { companyId } = sample;
  await world.store.write({ keyId: null, at: '2026-01-01T00:00:00.000Z' }, async (writer) => {
    const [record] = await writer.offersById(world.account.id, [sample.luzId]);
    if (!record) throw new Error('an offer was expected');
    await writer.insertOffers(
      world.account.id,
      Array.from({ length: 500 }, () => ({ ...record.offer, companyId })),
    );
  });
  const { results } = await world.store.read((reader) =>
    reader.companies({ owner: world.account.id, firmId: null, includeInactive: true }, { limit: 1, offset: 0 }),
  );
  expect(results).toHaveLength(1);
  const all = await world.store.read((reader) => reader.changesSince(world.account.id, 0));
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
