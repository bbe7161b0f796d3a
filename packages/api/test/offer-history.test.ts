import { filledWorld, fillSample } from '@tarifario/testkit/api/sample';
import { createWorld } from '@tarifario/testkit/api/world';
import { describe, expect, it } from 'vitest';
import { ALL_STORES, removeDatabasesAfterEach } from './stores.ts';

removeDatabasesAfterEach();

describe.each(ALL_STORES)('the history of an offer, over %s', (_name, makeStore) => {
  it('A-87: has the author, the time and the values before and after of each change, the newest first', async () => {
    const { world, sample } = await filledWorld(await makeStore());
    const params = { id: String(sample.indexedId) };
    const other = await world.newKey(world.account.id);
    const tiers = [{ consumption_from: 0, consumption_to: null, commission: 5, commission_type: 'fixed' }];
    const change = { offer_name: 'Otra', e1: 0.5, acepta_cif: true, commission_tiers: tiers };
    await world.ask('updateOffer', { key: other, params, body: change });
    const { updated_at } = await world.ask('getOffer', { params });
    await world.ask('updateOffer', { params, body: { e1: 0.5 } });
    await world.call('deleteIndexedPrice', { params: { ...params, month: '2025-11' } });
    await world.ask('upsertIndexedPrice', { params, body: { reference_month: '2025-12', e1: 0.3 } });
    const { total, results } = await world.ask('getOfferHistory', { params, query: { limit: '5' } });
    expect(total).toBe(6);
    const month = (name: string, e1: number, e2: number | null, e3: number | null) =>
      expect.objectContaining({ reference_month: name, e1, e2, e3 });
    const [replaced, deleted, changed, added, first] = results as readonly { fields: unknown; key_id: number }[];
    expect(replaced?.fields).toEqual([
      {
        field: 'indexed_prices',
        before: month('2025-12-01', 0.2, 0.1, -0.01),
        after: month('2025-12-01', 0.3, null, null),
      },
    ]);
    expect(deleted?.fields).toEqual([
      { field: 'indexed_prices', before: month('2025-11-01', 0.1, 0.1, -0.01), after: null },
    ]);
    expect(changed).toEqual({
      changed_at: updated_at,
      key_id: expect.any(Number),
      fields: expect.arrayContaining([
        { field: 'offer_name', before: 'Luz Indexada', after: 'Otra' },
        { field: 'e1', before: 0.18, after: 0.5 },
        { field: 'acepta_cif', before: false, after: true },
        { field: 'commission_tiers', before: [], after: tiers },
      ]),
    });
    expect(changed?.fields).toHaveLength(4);
    expect(changed?.key_id).not.toBe(replaced?.key_id);
    expect([added?.fields, first?.fields]).toEqual([
      [{ field: 'indexed_prices', before: null, after: month('2025-12-01', 0.2, 0.1, -0.01) }],
      [{ field: 'indexed_prices', before: null, after: month('2025-11-01', 0.1, 0.1, -0.01) }],
    ]);
    const { results: last } = await world.ask('getOfferHistory', { params, query: { offset: '5' } });
    expect(last).toEqual([{ changed_at: expect.any(String), key_id: expect.any(Number), fields: [] }]);
  });

  it('A-87: begins with the last move to the firm for a key that is bound to it', async () => {
    const { world, sample } = await filledWorld(await makeStore());
    const { indexedId, companyId, otherCompanyId, clientId, otherClientId } = sample;
    const params = { id: String(indexedId) };
    const [before, after] = [
      await world.newKey(world.account.id, { firmId: clientId }),
      await world.newKey(world.account.id, { firmId: otherClientId }),
    ];
    const history = (key: string, query = {}) => world.ask('getOfferHistory', { key, params, query });
    const all = await history(world.fullKey);
    expect(await history(before)).toEqual(all);
    const { id: sisterId } = await world.ask('createCompany', { body: { client_id: otherClientId, name: 'Hermana' } });
    const move = { company_id: otherCompanyId, e1: 0.31 };
    const { updated_at: movedAt } = await world.ask('updateOffer', { params, body: move });
    await world.ask('upsertIndexedPrice', { params, body: { reference_month: '2025-11', e1: 0.9 } });
    await world.ask('updateOffer', { params, body: { company_id: sisterId } });
    const key_id = expect.any(Number);
    const shown = [
      { key_id, fields: [{ field: 'company_id', before: otherCompanyId, after: sisterId }] },
      { key_id, fields: [{ field: 'indexed_prices', before: { e1: 0.1 }, after: { e1: 0.9 } }] },
      { changed_at: movedAt, key_id, fields: [] },
    ];
    expect(await history(after)).toMatchObject({ total: 3, results: shown });
    expect(await history(world.fullKey, { client_id: String(otherClientId) })).toEqual(await history(after));
    expect(await history(world.fullKey)).toMatchObject({ total: Number(all.total) + 3 });
    expect((await world.call('getOfferHistory', { key: before, params })).status).toBe(404);
    await world.ask('updateOffer', { params, body: { company_id: companyId } });
    expect(await history(before)).toMatchObject({ total: 1, results: [{ fields: [] }] });
  });

  it('A-87: has no changes of commissions for a key that may not see them', async () => {
    const worlds = [];
    for (const base of [0, 100]) {
      const world = await createWorld(await makeStore());
      const { luzId } = await fillSample(world, (pays) => pays + base);
      const params = { id: String(luzId) };
      const masked = await world.newKey(world.account.id, { scopes: ['offers:read'] });
      await world.ask('updateOffer', { params, body: { e1: 0.5, commission: base } });
      const before = await world.ask('getOfferHistory', { key: masked, params });
      await world.ask('updateOffer', { params, body: { commission: 7 + base, commission_power_tiers: [] } });
      expect(await world.ask('getOfferHistory', { key: masked, params })).toEqual(before);
      expect(before).toMatchObject({
        total: 2,
        results: [{ fields: [{ field: 'e1', before: 0.18, after: 0.5 }] }, {}],
      });
      expect(await world.ask('getOfferHistory', { params })).toMatchObject({ total: 3 });
      worlds.push(JSON.stringify(before));
    }
    expect(worlds[0]).toBe(worlds[1]);
  });

  it('A-87: is readable for visible offers alone, and has no keys for those of the catalog', async () => {
    const {
      world,
      sample: { catalogId, catalogIndexedId, luzId, otherClientId },
    } = await filledWorld(await makeStore());
    await world.ask('updateCatalogOffer', { params: { id: String(catalogId) }, body: { e1: 0.4 } });
    expect(await world.ask('getOfferHistory', { params: { id: String(catalogId) } })).toMatchObject({
      results: [
        { key_id: null, fields: [{ field: 'e1' }] },
        { key_id: null, fields: [] },
      ],
    });
    const bound = await world.newKey(world.account.id, { firmId: otherClientId });
    const foreign = await world.newKey((await world.newAccount()).id);
    for (const [key, id] of [
      [bound, luzId],
      [foreign, luzId],
      [world.fullKey, catalogIndexedId],
    ] as const) {
      expect((await world.call('getOfferHistory', { key, params: { id: String(id) } })).status).toBe(404);
    }
  });
});
