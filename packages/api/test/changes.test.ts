import { copyFileSync } from 'node:fs';
import { openStore } from '@tarifario/store';
import { filledWorld, LUZ_BODY, type Sample } from '@tarifario/testkit/api/sample';
import { asRecord, type CallInput, idOf, newClient, newCompany, type World } from '@tarifario/testkit/api/world';
import { temporaryDatabase } from '@tarifario/testkit/temporary-database';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endOf } from './named-calls.ts';
import { ALL_STORES, removeDatabasesAfterEach } from './stores.ts';

removeDatabasesAfterEach();

interface Change {
  readonly noun: string;
  readonly id: number;
  readonly client_id: number | null;
  readonly state: 'active' | 'inactive' | 'gone';
}

/** A caller who reads the changes with one key, page by page. */
function follower(world: World, input: CallInput = {}, limit = 200) {
  let since: string | null = null;
  const page = async (): Promise<{ changes: Change[]; next: string; has_more: boolean }> => {
    const query = { ...Object(input.query), limit: String(limit), ...(since === null ? {} : { since }) };
    const answer = await world.ask('listChanges', { ...input, query });
    return Object(answer);
  };
  return {
    cursor: () => since ?? '',
    async poll(): Promise<Change[]> {
      const all: Change[] = [];
      for (;;) {
        const { changes, next, has_more } = await page();
        since = next;
        all.push(...changes);
        if (!has_more) return all;
        expect(changes).toHaveLength(limit);
      }
    },
  };
}

const shown = (changes: readonly Change[]) => changes.map(({ noun, id, state }) => `${noun} ${id} ${state}`);

async function callFor(world: World, id: string, record: number, body?: object) {
  return world.ask(id, { params: { id: String(record) }, ...(body ? { body } : {}) });
}

describe('the list of changes', () => {
  it('A-99: has each record that was created, changed or deactivated since, once, in the order of its last change', async () => {
    const { world, sample } = await filledWorld();
    const { poll } = follower(world);
    expect(await poll()).toEqual([]);
    await callFor(world, 'updateOffer', sample.luzId, { offer_name: 'Una' });
    const clientId = await newClient(world, 'Nueva');
    const companyId = await newCompany(world, clientId, 'Suya');
    await callFor(world, 'deleteOffer', sample.gasId);
    await callFor(world, 'updateOffer', sample.luzId, { offer_name: 'Otra' });
    await callFor(world, 'upsertIndexedPrice', sample.indexedId, { reference_month: '2025-11', e1: 0.7 });
    await callFor(world, 'updateCatalogOffer', sample.catalogId, { offer_name: 'Nueva' });
    await callFor(world, 'toggleCatalogCompany', sample.catalogCompanyId);
    const subscription = { id: String(clientId), company_id: String(sample.catalogCompanyId) };
    await world.ask('unsubscribeFromCatalogCompany', { params: subscription });
    const changes = await poll();
    expect(shown(changes)).toEqual([
      `client ${clientId} active`,
      `company ${companyId} active`,
      `offer ${sample.gasId} inactive`,
      `offer ${sample.luzId} active`,
      `offer ${sample.indexedId} active`,
      `catalog_subscriptions ${clientId} active`,
      `catalog_offer ${sample.catalogId} active`,
      `catalog_company ${sample.catalogCompanyId} inactive`,
    ]);
    expect(changes.map(({ client_id }) => client_id).slice(0, 3)).toEqual([clientId, clientId, sample.clientId]);
    expect(changes.at(-1)?.client_id).toBeNull();
    expect(await poll()).toEqual([]);
  });

  it.each(ALL_STORES)(
    'A-99: applied page by page makes a copy of the account, whatever is written in between: %s',
    async (name, make) => {
      const { world, sample } = await filledWorld(await make());
      const company_id = sample.companyId;
      const offers = [sample.luzId, sample.gasId, sample.indexedId];
      const steps: Readonly<Record<string, (n: number) => Promise<unknown>>> = {
        create: async () => offers.push(idOf(await world.ask('createOffer', { body: { ...LUZ_BODY, company_id } }))),
        rename: (n) => callFor(world, 'updateOffer', offers[n % offers.length] ?? 0, { offer_name: `N${n}` }),
        toggle: (n) => callFor(world, 'toggleOffer', offers[n % offers.length] ?? 0),
        batch: (n) => world.ask('bulkPatchOffers', { body: { offer_ids: offers, updates: { services_cost: n } } }),
      };
      const copy = new Map<number, boolean>();
      const whole = async () => {
        for (const supply_type of ['LUZ', 'GAS']) {
          const query = { supply_type, limit: '200', include_inactive: 'true' };
          const { results } = await world.ask('listOffers', { query });
          for (const one of Object(results)) copy.set(one.id, one.is_active);
        }
        return new Map([...copy].sort(([a], [b]) => a - b));
      };
      const copies = [1, 2, 200].map((limit) => ({ ...follower(world, {}, limit), known: new Map<number, boolean>() }));
      for (const { poll, known } of copies) {
        await poll();
        for (const [id, isActive] of await whole()) known.set(id, isActive);
      }
      const step = fc.tuple(fc.constantFrom(...Object.keys(steps)), fc.nat(50), fc.nat(2));
      const property = fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (plan) => {
        for (const [what, n, whose] of plan) {
          await steps[what]?.(n);
          const { poll, known } = copies[whose] ?? { poll: async () => [], known: new Map() };
          for (const { noun, id, state } of await poll()) if (noun === 'offer') known.set(id, state === 'active');
        }
        const truth = await whole();
        for (const { poll, known } of copies) {
          for (const { noun, id, state } of await poll()) if (noun === 'offer') known.set(id, state === 'active');
          expect(new Map([...known].sort(([a], [b]) => a - b))).toEqual(truth);
        }
      });
      await fc.assert(property, { seed: 19, numRuns: name === 'SQLite' ? 12 : 3 });
      expect(world.bugs).toEqual([]);
    },
  );

  it('A-99: does not have a change of commissions alone for a key that may not see them, whose cursor does not move', async () => {
    const { world, sample } = await filledWorld();
    const key = await world.newKey(world.account.id, { scopes: ['offers:read', 'catalog:read'] });
    const [masked, full] = [follower(world, { key }), follower(world)];
    await masked.poll();
    await full.poll();
    const before = masked.cursor();
    const pay = async (commission: number) => {
      await callFor(world, 'updateOffer', sample.luzId, { commission });
      await callFor(world, 'updateCatalogOffer', sample.catalogId, { commission });
      await world.ask('bulkPatchOffers', { body: { offer_ids: [sample.gasId], updates: { commission } } });
    };
    await pay(71);
    expect(shown(await full.poll())).toHaveLength(3);
    expect(await masked.poll()).toEqual([]);
    expect(masked.cursor()).toBe(before);
    expect((await world.ask('listChanges', { key })).next).toBe(before);
    await callFor(world, 'updateOffer', sample.gasId, { services_cost: 9 });
    await pay(72);
    expect(shown(await masked.poll())).toEqual([`offer ${sample.gasId} active`]);
    expect(shown(await full.poll())).toHaveLength(3);
  });

  it('A-99: for a key bound to a firm has that firm alone, and an offer that moves to another firm as gone', async () => {
    const { world, sample } = await filledWorld();
    const key = await world.newKey(world.account.id, { firmId: sample.clientId });
    const scopes = ['offers:read', 'companies:read', 'clients:read'] as const;
    const narrow = await world.newKey(world.account.id, { firmId: sample.clientId, scopes: [...scopes] });
    const narrowed = { query: { client_id: String(sample.clientId) } };
    const followers = [follower(world, { key }), follower(world, { key: narrow }), follower(world, narrowed)];
    for (const { poll } of followers) await poll();
    const cursors = followers.map(({ cursor }) => cursor());
    await callFor(world, 'updateOffer', sample.otherLuzId, { offer_name: 'De otra' });
    await newCompany(world, sample.otherClientId, 'De otra');
    for (const [index, { poll, cursor }] of followers.entries()) {
      expect(await poll()).toEqual([]);
      // What happens to others moves no cursor either.
      expect(cursor()).toBe(cursors[index]);
    }
    await callFor(world, 'updateOffer', sample.luzId, { company_id: sample.otherCompanyId });
    await callFor(world, 'updateOffer', sample.luzId, { offer_name: 'Allí' });
    for (const { poll } of followers) {
      expect(await poll()).toEqual([{ noun: 'offer', id: sample.luzId, client_id: null, state: 'gone' }]);
    }
    await callFor(world, 'updateOffer', sample.luzId, { offer_name: 'Allí otra vez' });
    for (const { poll } of followers) expect(await poll()).toEqual([]);
  });

  it.each(ALL_STORES)(
    'A-99: has a moved offer as gone at the time of its move, whatever is changed there before the next page: %s',
    async (_name, make) => {
      const { world, sample } = await filledWorld(await make());
      const { poll, cursor } = follower(world, { query: { client_id: String(sample.clientId) } }, 1);
      await poll();
      await callFor(world, 'updateOffer', sample.luzId, { company_id: sample.otherCompanyId });
      await callFor(world, 'updateOffer', sample.gasId, { offer_name: 'Aquí' });
      await callFor(world, 'updateOffer', sample.luzId, { offer_name: 'Allí' });
      expect(shown(await poll())).toEqual([`offer ${sample.luzId} gone`, `offer ${sample.gasId} active`]);
      const known = cursor();
      await callFor(world, 'updateOffer', sample.luzId, { offer_name: 'Allí otra vez' });
      expect(await poll()).toEqual([]);
      expect(cursor()).toBe(known);
    },
  );

  it.each([
    ['offers:read', ['offer']],
    ['companies:read', ['company']],
    ['clients:read', ['client', 'catalog_subscriptions']],
    ['catalog:read', ['catalog_company', 'catalog_offer']],
    ['offers:write', []],
  ] as const)('A-99: for a key with %s has %j alone', async (scope, nouns) => {
    const { world, sample } = await filledWorld();
    const key = await world.newKey(world.account.id, { scopes: [scope] });
    const { poll } = follower(world, { key });
    await poll();
    await changeAll(world, sample);
    expect(new Set((await poll()).map(({ noun }) => noun))).toEqual(new Set(nouns));
  });

  it('A-99: has no decision about a retailer of the catalog that was made before', async () => {
    const { world, sample } = await filledWorld();
    const { poll } = follower(world);
    const params = { id: String(sample.clientId), company_id: String(sample.catalogCompanyId) };
    await world.ask('unsubscribeFromCatalogCompany', { params });
    await poll();
    await world.ask('unsubscribeFromCatalogCompany', { params });
    expect(await poll()).toEqual([]);
    await world.ask('subscribeToCatalogCompany', { params });
    expect((await poll()).map(({ noun }) => noun)).toEqual(['catalog_subscriptions']);
  });

  it('A-99: refuses an unknown cursor with 410: made up, of another key, another client_id or another service', async () => {
    const { world, sample } = await filledWorld();
    const other = await filledWorld();
    const key = await world.newKey(world.account.id);
    const { next } = await world.ask('listChanges');
    const since = String(next);
    const client_id = String(sample.clientId);
    for (const input of [
      { query: { since: '' } },
      { query: { since: 'x' } },
      { query: { since: since.toUpperCase() } },
      { query: { since }, key },
      { query: { since, client_id } },
    ]) {
      expect(endOf(await world.call('listChanges', input))).toBe('410 unknown_cursor');
    }
    expect(endOf(await world.call('listChanges', { query: { since: 'a'.repeat(401) } }))).toBe('400 invalid_request');
    // The secrets of both worlds are the same: what tells them apart is how far they are.
    await newClient(other.world, 'Más');
    const ahead = String((await other.world.ask('listChanges')).next);
    expect(endOf(await world.call('listChanges', { query: { since: ahead } }))).toBe('410 unknown_cursor');
  });

  it('A-99: after a restore refuses cursors of revisions that were lost with 410, and accepts older ones', async () => {
    const place = await temporaryDatabase();
    const saved = await temporaryDatabase();
    const reopened = async (from: string, to: string) => {
      copyFileSync(from, to);
      return openStore(place.url);
    };
    let store = await openStore(place.url);
    try {
      const { world, sample } = await filledWorld(store);
      const early = follower(world);
      await early.poll();
      await callFor(world, 'updateOffer', sample.luzId, { offer_name: 'Guardada' });
      await store.close();
      copyFileSync(place.path, saved.path);
      store = await openStore(place.url);
      const before = world.newDispatch(store);
      const ask = (dispatch: typeof before, input: CallInput) => world.call('listChanges', input, dispatch);
      const rename = (dispatch: typeof before, offer_name: string) =>
        world.call('updateOffer', { params: { id: String(sample.luzId) }, body: { offer_name } }, dispatch);
      await rename(before, 'Perdida');
      const { next: late } = asRecord((await ask(before, {})).body);
      await store.close();
      store = await reopened(saved.path, place.path);
      const after = world.newDispatch(store);
      const lateSent = { query: { since: String(late) } };
      expect(endOf(await ask(after, lateSent))).toBe('410 unknown_cursor');
      // As many writes as there were: the revision is there again, and is another one.
      await rename(after, 'Otra');
      await rename(after, 'Y otra');
      expect(endOf(await ask(after, lateSent))).toBe('410 unknown_cursor');
      const { changes } = asRecord((await ask(after, { query: { since: early.cursor() } })).body);
      expect(changes).toMatchObject([{ noun: 'offer', id: sample.luzId }]);
      expect(world.bugs).toEqual([]);
    } finally {
      await store.close();
      place.remove();
      saved.remove();
    }
  });
});

/** One change of each noun. */
async function changeAll(world: World, sample: Sample): Promise<void> {
  const { luzId, companyId, clientId, catalogId, catalogCompanyId } = sample;
  await callFor(world, 'updateOffer', luzId, { offer_name: 'X' });
  await callFor(world, 'updateCompany', companyId, { name: 'X' });
  await callFor(world, 'updateClient', clientId, { name: 'X' });
  await callFor(world, 'updateCatalogOffer', catalogId, { offer_name: 'X' });
  await callFor(world, 'updateCatalogCompany', catalogCompanyId, { name: 'X' });
  const params = { id: String(clientId), company_id: String(catalogCompanyId) };
  for (const id of ['unsubscribeFromCatalogCompany', 'subscribeToCatalogCompany']) await world.ask(id, { params });
}
