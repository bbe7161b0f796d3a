import type { Store } from '@tarifario/core/service';
import { wrapMethods } from '@tarifario/core/testing';
import { filledWorld } from '@tarifario/testkit/api/sample';
import type { CallInput, World } from '@tarifario/testkit/api/world';
import { newStore } from '@tarifario/testkit/new-store';
import { describe, expect, it } from 'vitest';
import { operations } from '../src/index.ts';
import { ALL_STORES, removeDatabasesAfterEach } from './stores.ts';

removeDatabasesAfterEach();

const REVALIDATED = operations.filter(({ revalidated }) => revalidated).map(({ id }) => id);
const KEPT = { 'Cache-Control': 'private, no-cache', Vary: 'X-API-Key, Authorization' };

/** A store that counts its calls. */
function counted(store: Store): { readonly store: Store; readonly reads: string[] } {
  const reads: string[] = [];
  const watched = <Nouns extends object>(nouns: Nouns) =>
    wrapMethods(nouns, (name, run) => {
      reads.push(name);
      return run();
    });
  const read: Store['read'] = (work) => store.read((reader) => work(watched(reader)));
  return { store: { ...store, latest: watched(store.latest), read }, reads };
}

async function tagOf(world: World, id: string, input: CallInput = {}): Promise<string> {
  const { status, headers } = await world.call(id, input);
  expect([id, status]).toEqual([id, 200]);
  return headers.ETag ?? '';
}

describe('the header If-None-Match', () => {
  it('A-98: is used by lists, details, exports and templates of offers, months, retailers and firms', () => {
    const expected = [
      ...'listOffers compareOffers exportOffers bulkTemplateOffers bulkTemplateIndexedOffers getOffer'.split(' '),
      ...'getOfferHistory listIndexedPrices getIndexedPrice listClients getClient listCompanies'.split(' '),
      ...'getCompany listCatalogSubscriptions listCatalogCompanies getCatalogCompany listCatalogOffers'.split(' '),
      ...'bulkTemplateCatalogOffers bulkTemplateIndexedCatalogOffers getCatalogOffer'.split(' '),
      ...'listCatalogIndexedPrices getCatalogIndexedPrice'.split(' '),
    ];
    expect(REVALIDATED).toEqual(expected);
  });

  it.each(ALL_STORES)('A-98: with the tag of the answer is 304, and costs one query: %s', async (_name, make) => {
    const { store, reads } = counted(await make());
    const { world, calls } = await filledWorld(store);
    for (const id of REVALIDATED) {
      for (const takesJson of [false, true]) {
        const input = { ...calls[id], takesJson };
        const ifNoneMatch = await tagOf(world, id, input);
        expect([id, ifNoneMatch]).toEqual([id, expect.stringMatching(/^"[a-p]{32}"$/)]);
        const unchanged = { status: 304, headers: { ...KEPT, ETag: ifNoneMatch }, body: undefined };
        expect(await world.call(id, { ...input, ifNoneMatch })).toEqual(unchanged);
        reads.length = 0;
        expect(await world.call(id, { ...input, ifNoneMatch })).toEqual(unchanged);
        expect([id, reads]).toEqual([id, ['keys.byHash', 'changes.revisions']]);
      }
    }
  });

  it('A-98: costs one query from the first time on for offers in memory', async () => {
    const { store, reads } = counted(await newStore());
    const { world, calls } = await filledWorld(store);
    for (const id of ['listOffers', 'listCatalogOffers', 'getOffer', 'compareOffers', 'exportOffers']) {
      for (let times = 0; times < 2; times++) await tagOf(world, id, calls[id]);
      const ifNoneMatch = await tagOf(world, id, calls[id]);
      reads.length = 0;
      expect((await world.call(id, { ...calls[id], ifNoneMatch })).status).toBe(304);
      expect([id, reads]).toEqual([id, ['keys.byHash', 'changes.revisions']]);
    }
  });

  it.each(REVALIDATED)('A-98: %s after a visible change gets the whole answer, with another tag', async (id) => {
    const { world, calls, sample } = await filledWorld();
    const input = calls[id] ?? {};
    const ifNoneMatch = await tagOf(world, id, input);
    // Asked again, so that the tag is remembered.
    expect((await world.call(id, { ...input, ifNoneMatch })).status).toBe(304);
    await changeEverything(world, sample);
    const answer = await world.call(id, { ...input, ifNoneMatch });
    expect([answer.status, answer.headers.ETag === ifNoneMatch]).toEqual([200, false]);
    expect(answer.headers).toMatchObject(KEPT);
    expect(await tagOf(world, id, input)).toBe(answer.headers.ETag);
  });

  it('A-98: stays 304 after a change of another record', async () => {
    const { world, calls } = await filledWorld();
    const ifNoneMatch = await tagOf(world, 'listClients');
    await world.ask('toggleOffer', calls.toggleOffer);
    expect((await world.call('listClients', { ifNoneMatch })).status).toBe(304);
  });

  it('A-98: recognises a tag among others, a weak one and *, and ignores what is none of these', async () => {
    const { world } = await filledWorld();
    const tag = await tagOf(world, 'listOffers');
    for (const known of [`"x", ${tag}`, `W/${tag}`, '*', ['"x"', tag]]) {
      expect((await world.call('listOffers', { ifNoneMatch: known })).status).toBe(304);
    }
    for (const other of ['"x"', 'x', '', `${tag.slice(0, -1)}x"`, tag.toUpperCase()]) {
      expect((await world.call('listOffers', { ifNoneMatch: other })).status).toBe(200);
    }
  });

  it('A-98: does not prevent a refusal', async () => {
    const { world, sample } = await filledWorld();
    const ifNoneMatch = '*';
    const refused = [
      await world.call('getOffer', { params: { id: '999999' }, ifNoneMatch }),
      await world.call('listOffers', { query: 'limit=x', ifNoneMatch }),
      await world.call('listOffers', { query: 'client_id=999999', ifNoneMatch }),
      await world.call('getOffer', { params: { id: String(sample.luzId) }, key: 'junk', ifNoneMatch }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 400, 403, 401]);
    for (const { headers } of refused) expect(headers).not.toHaveProperty('ETag');
  });

  it('A-98: has different tags for two keys and for two questions', async () => {
    const { world, sample } = await filledWorld();
    const firmKey = await world.newKey(world.account.id, { firmId: sample.clientId });
    const masked = await world.newKey(world.account.id, { scopes: ['offers:read'] });
    const tags = await Promise.all([
      tagOf(world, 'listOffers'),
      tagOf(world, 'listOffers', { query: 'limit=1' }),
      tagOf(world, 'listOffers', { key: firmKey }),
      tagOf(world, 'listOffers', { key: masked }),
    ]);
    expect(new Set(tags).size).toBe(tags.length);
    for (const key of [firmKey, masked]) {
      expect((await world.call('listOffers', { key, ifNoneMatch: tags[0] ?? '' })).status).toBe(200);
    }
  });

  it('A-98: a change of commissions alone is 304 to a key that does not see them, also where the tag is known', async () => {
    const { world, calls, sample } = await filledWorld();
    const scopes = ['offers:read', 'offers:export', 'catalog:read'] as const;
    const key = await world.newKey(world.account.id, { scopes: [...scopes] });
    const ids = REVALIDATED.filter((id) => /^(list|get|compare|export)(Catalog)?Offers?(History)?$/.test(id));
    const requests = ['bulkTemplateCatalogOffers', ...ids].map((id) => ({ id, input: { ...calls[id], key } }));
    expect(requests).toHaveLength(8);
    const tags = new Map<string, string>();
    for (const { id, input } of requests) tags.set(id, await tagOf(world, id, input));
    for (const commission of [71, 72]) {
      await world.ask('updateOffer', { params: { id: String(sample.luzId) }, body: { commission } });
      await world.ask('updateCatalogOffer', { params: { id: String(sample.catalogId) }, body: { commission } });
      for (const { id, input } of requests) {
        const answer = await world.call(id, { ...input, ifNoneMatch: tags.get(id) ?? '' });
        expect([id, answer.status, answer.headers.ETag]).toEqual([id, 304, tags.get(id)]);
      }
    }
  });
});

/** Changes something in each answer of the sample. */
async function changeEverything(world: World, sample: Awaited<ReturnType<typeof filledWorld>>['sample']) {
  const { luzId, gasId, indexedId, catalogId, catalogIndexedId, clientId, companyId, catalogCompanyId } = sample;
  const change = (id: string, record: number, body: object) => world.ask(id, { params: { id: String(record) }, body });
  for (const id of [luzId, gasId, indexedId]) await change('updateOffer', id, { offer_name: `Nueva ${id}` });
  for (const id of [catalogId, catalogIndexedId]) await change('updateCatalogOffer', id, { offer_name: `Nueva ${id}` });
  for (const reference_month of ['2025-10', '2025-11', '2025-12']) {
    await change('upsertIndexedPrice', indexedId, { reference_month, e1: 0.77 });
    await change('upsertCatalogIndexedPrice', catalogIndexedId, { reference_month, e1: 0.77 });
  }
  await change('updateClient', clientId, { name: 'Otro nombre' });
  await change('updateCompany', companyId, { name: 'Otro nombre' });
  await change('updateCatalogCompany', catalogCompanyId, { name: 'Otro nombre' });
}
