import { filledWorld, LUZ_BODY } from '@tarifario/testkit/api/sample';
import { asRecord, type CallInput, idOf, newClient, newCompany, type World } from '@tarifario/testkit/api/world';
import { describe, expect, it } from 'vitest';
import { endOf } from './named-calls.ts';
import { ALL_STORES, removeDatabasesAfterEach } from './stores.ts';

removeDatabasesAfterEach();

type Query = Readonly<Record<string, string>>;

async function list(
  world: World,
  query: Query,
  { id = 'listOffers', ...input }: CallInput & { readonly id?: string } = {},
) {
  const { total, results, next } = await world.ask(id, { ...input, query });
  const names = Array.isArray(results) ? results.map((offer) => String(asRecord(offer).offer_name)) : [];
  return { total, names, next: next === undefined ? null : String(next) };
}

/** Offers of two retailers whose names have accents and signs. */
async function namedWorld(store?: Parameters<typeof filledWorld>[0]) {
  const filled = await filledWorld(store);
  const { world } = filled;
  const clientId = await newClient(world, 'Asesoría Tres');
  const companies = [await newCompany(world, clientId, 'Ñandú Energía'), await newCompany(world, clientId, 'alba')];
  const ids: number[] = [];
  for (const [index, offer_name] of ['Única 100%', 'unica_b', 'Zeta', 'ALFA'].entries()) {
    const body = { ...LUZ_BODY, offer_name, company_id: companies[index % 2], commission: 10 * index };
    ids.push(idOf(await world.ask('createOffer', { body })));
  }
  return { ...filled, clientId, ids, only: { client_id: String(clientId) } };
}

describe.each(ALL_STORES)('a list of offers: %s', (_name, make) => {
  it('A-130: with q has the offers with every word in their name or that of their retailer', async () => {
    const { world, only } = await namedWorld(await make());
    const named = async (q: string) => (await list(world, { ...only, q })).names;
    expect(await named('UNICA')).toEqual(['Única 100%', 'unica_b']);
    expect(await named('  energia   nandu ')).toEqual(['Única 100%', 'Zeta']);
    expect(await named('ñandu zeta')).toEqual(['Zeta']);
    expect(await named('%')).toEqual(['Única 100%']);
    expect(await named('_')).toEqual(['unica_b']);
    expect(await named('unica zeta')).toEqual([]);
    expect((await list(world, { q: 'alfa' })).total).toBe(1);
    const shared = await list(world, { q: 'comun LUZ' }, { id: 'listCatalogOffers' });
    expect(shared.names).toEqual(['Luz Común']);
    const { body: exported } = await world.call('exportOffers', { query: { ...only, q: 'alba' } });
    expect(exported).toContain('ALFA');
    expect(exported).not.toContain('Zeta');
  });

  it('A-130: with sort is in that order, page after page, and at an offset', async () => {
    const { world, ids, only } = await namedWorld(await make());
    const sorted = async (sort: string) => (await list(world, { ...only, sort })).names;
    expect(await sorted('offer_name')).toEqual(['ALFA', 'Única 100%', 'unica_b', 'Zeta']);
    expect(await sorted('-offer_name')).toEqual(['Zeta', 'unica_b', 'Única 100%', 'ALFA']);
    expect(await sorted('company_name')).toEqual(['ALFA', 'unica_b', 'Única 100%', 'Zeta']);
    await world.ask('updateOffer', { params: { id: String(ids[1]) }, body: { e1: 0.2 } });
    expect((await sorted('-updated_at'))[0]).toBe('unica_b');
    expect((await sorted('updated_at')).at(-1)).toBe('unica_b');
    const first = await list(world, { ...only, sort: 'offer_name', limit: '3' });
    expect(first).toMatchObject({ total: 4, names: ['ALFA', 'Única 100%', 'unica_b'] });
    const rest = await list(world, { ...only, sort: 'offer_name', limit: '3', after: String(first.next) });
    expect(rest).toEqual({ total: 4, names: ['Zeta'], next: null });
    const atOffset = await list(world, { ...only, sort: 'offer_name', limit: '1', offset: '1' });
    expect(atOffset.names).toEqual(['Única 100%']);
    expect((await list(world, { ...only, sort: 'offer_name', limit: '4' })).next).toBeNull();
    expect((await list(world, { ...only, limit: '1' })).next).toBeNull();
    const shared = await list(world, { sort: '-offer_name', include_inactive: 'true' }, { id: 'listCatalogOffers' });
    expect(shared.names.toSorted().reverse()).toEqual(shared.names);
  });
});

describe('a cursor of offers in order', () => {
  it('A-130: is good for its question, key and list alone: any other is 410', async () => {
    const { world, clientId, only } = await namedWorld();
    const question = { ...only, sort: 'offer_name', limit: '1' };
    const { next } = await list(world, question);
    const after = String(next);
    expect((await list(world, { ...question, after, limit: '200', fields: 'results,total' })).names).toHaveLength(3);
    const key = await world.newKey(world.account.id);
    const masked = await world.newKey(world.account.id, { scopes: ['offers:read'] });
    const { client_id: _client, ...wide } = question;
    for (const [query, input] of [
      [{ ...question, after: 'x' }, {}],
      [{ ...question, after: '' }, {}],
      [{ ...question, after: after.toUpperCase() }, {}],
      [{ ...question, after, sort: '-offer_name' }, {}],
      [{ ...question, after, q: 'a' }, {}],
      [{ ...question, after, include_inactive: 'true' }, {}],
      [{ ...question, after, supply_type: 'GAS' }, {}],
      [{ ...wide, after }, {}],
      [{ ...question, after }, { key }],
      [{ ...question, after }, { key: masked }],
    ] as const) {
      expect(endOf(await world.call('listOffers', { query, ...input })), JSON.stringify(query)).toBe(
        '410 unknown_cursor',
      );
    }
    const sort = 'offer_name';
    const ofCatalog = await world.call('listCatalogOffers', { query: { sort, after, client_id: String(clientId) } });
    expect(endOf(ofCatalog)).toBe('410 unknown_cursor');
  });

  it('A-130: tells nothing of the names that it stands for, and holds the longest', async () => {
    const { world, sample } = await filledWorld();
    const [company, offer_name] = ['😀'.repeat(200), '한'.repeat(200)];
    const company_id = await newCompany(world, sample.clientId, company);
    for (const name of [offer_name, '𝄞'.repeat(200), `${'𝄞'.repeat(100)}a`]) {
      await world.ask('createOffer', { body: { ...LUZ_BODY, company_id, offer_name: name } });
    }
    const question = { sort: 'company_name', q: '😀', limit: '1' };
    const pages = [await list(world, question)];
    for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) {
      expect(next).toMatch(/^[a-p]{200,2000}$/);
      pages.push(await list(world, { ...question, after: next }));
    }
    expect(pages.flatMap(({ names }) => names).map((name) => [...name].length)).toEqual([200, 200, 101]);
  });

  it('A-98: keeps the tag of a page that did not change', async () => {
    const { world, only } = await namedWorld();
    const query = { ...only, sort: '-updated_at', limit: '2' };
    const { headers } = await world.call('listOffers', { query });
    const tag = String(headers?.ETag);
    expect((await world.call('listOffers', { query, ifNoneMatch: [tag] })).status).toBe(304);
  });
});

describe('a list of offers', () => {
  it.each<[what: string, path: string, query: Query]>([
    ['after without sort', 'after', { after: 'x' }],
    ['after beside offset', 'after', { after: 'x', sort: 'offer_name', offset: '0' }],
    ['after_id beside sort', 'after_id', { after_id: '1', sort: 'offer_name' }],
    ['sort by commission', 'sort', { sort: 'commission' }],
    ['an empty sort', 'sort', { sort: '' }],
    ['two orders', 'sort', { sort: '-offer_name,offer_name' }],
    ['a cursor that is too long', 'after', { after: 'a'.repeat(2001), sort: 'offer_name' }],
    ['an empty q', 'q', { q: '' }],
    ['spaces as q', 'q', { q: ' ' }],
    ['a q of 101 characters', 'q', { q: 'a'.repeat(101) }],
    ['an invisible character in q', 'q', { q: 'a\u200b' }],
  ])('A-130: with %s is 400 at %s', async (_what, path, query) => {
    const { world } = await filledWorld();
    for (const id of ['listOffers', 'listCatalogOffers']) {
      const answer = await world.call(id, { query });
      expect(endOf(answer)).toBe('400 invalid_request');
      expect(JSON.stringify(answer.body)).toContain(`"path":"${path}"`);
    }
  });

  it('A-26: is in the same order for a masked key, whatever was done to commissions', async () => {
    const { world, ids, only } = await namedWorld();
    const masked = await world.newKey(world.account.id, { scopes: ['offers:read'] });
    const query = { ...only, sort: '-updated_at', limit: '2' };
    const before = await world.call('listOffers', { query, key: masked });
    await world.ask('updateOffer', { params: { id: String(ids[0]) }, body: { commission: 77 } });
    expect((await list(world, query)).names[0]).toBe('Única 100%');
    const { body } = await world.call('listOffers', { query, key: masked });
    expect(body).toEqual(before.body);
  });

  it('A-130: has what a search finds of another account nowhere', async () => {
    const { world } = await namedWorld();
    const key = await world.newKey((await world.newAccount()).id);
    const answer = await world.ask('listOffers', { query: { q: 'luz', sort: 'offer_name' }, key });
    expect(answer).toMatchObject({ total: 0, results: [] });
  });
});
