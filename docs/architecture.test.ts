import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '@tarifario/core/service';
import { wrapMethods } from '@tarifario/core/testing';
import { type CallInput, createWorld } from '@tarifario/testkit/api/world';
import { newStore } from '@tarifario/testkit/new-store';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

test('the rooms of core on the page are its folders, and the nouns of the service those that the linter keeps apart', () => {
  const folders = readdirSync(join(root, 'packages/core/src'), { withFileTypes: true }).filter((e) => e.isDirectory());
  const [, section = ''] = page.split('## The rooms of core');
  const rooms = [...section.matchAll(/^\| `(\w+)\/`/gm)].map((match) => match[1]);
  expect(rooms.toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
  const linter = readFileSync(join(root, 'biome.json'), 'utf8');
  const listed = /"packages\/core\/src\/service\/\{([\w,]+)\}\/\*\*"/.exec(linter)?.[1];
  const named = /the nouns \(([^)]+)\)/.exec(section)?.[1] ?? '';
  expect([...named.matchAll(/`(\w+)`/g)].map((match) => match[1]).toSorted()).toEqual(listed?.split(',').toSorted());
});

/** A store that writes down which reads are made of it. */
function observed(store: Store): { readonly store: Store; readonly reads: string[] } {
  const reads: string[] = [];
  const watched = <Nouns extends object>(nouns: Nouns) =>
    wrapMethods(nouns, (name, run) => {
      reads.push(name);
      return run();
    });
  const read: Store['read'] = (work) => store.read((reader) => work(watched(reader)));
  return { store: { ...store, latest: watched(store.latest), read }, reads };
}

/** The same service after its first ranking. */
async function warmService() {
  const service = await coldService();
  await service.rank();
  return service;
}

/** A service that has just started, with one offer, over a store that is watched. */
async function coldService() {
  const { store, reads } = observed(await newStore());
  const world = await createWorld(store);
  const { id: client_id } = await world.ask('createClient', { body: { name: 'Norte' } });
  const { id: company_id } = await world.ask('createCompany', { body: { client_id, name: 'Uno' } });
  const body = { company_id, offer_name: 'O', supply_type: 'LUZ', tariff_type: '2.0TD', e1: 0.1 };
  const created = await world.ask('createOffer', { body: { ...body, acepta_dni: true, territory_peninsula: true } });
  const offerId = Number(created.id);
  let tag = '';
  const ask = async (id: string, input: CallInput = {}) => {
    reads.length = 0;
    const { status, headers } = await world.call(id, input);
    expect(world.bugs).toEqual([]);
    tag = headers.ETag ?? '';
    return { status, reads: [...reads] };
  };
  const rank = () => ask('rankOffers', { body: { supply_type: 'LUZ', energia: { e1: 100 } } });
  const rename = () =>
    store.write({ keyId: null, at: '2026-01-01T00:00:00.000Z' }, async (writer) => {
      const [record] = await writer.offers.byId(world.account.id, [offerId]);
      if (!record) throw new Error('the offer is not there');
      const { offer: before } = record;
      const terms = { ...before, offerName: 'Other' };
      await writer.offers.update(world.account.id, [{ before, terms, sections: ['identity'] }]);
    });
  const askAgain = (id: string) => ask(id, { ifNoneMatch: tag });
  return { ask, askAgain, rank, rename, offerId: String(offerId) };
}

describe('the number of queries', () => {
  /** The reads that the page promises for a request. */
  function promised(request: string): string[] {
    const lines = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    const [, , reads = ''] = lines.find(([, requests = '']) => requests.split('; ').includes(request)) ?? [];
    return [...reads.matchAll(/`([\w.]+)`/g)].map((match) => match[1] ?? '');
  }

  test('an invalid key costs no query', async () => {
    const { ask } = await warmService();
    expect(await ask('listOffers', { key: 'junk' })).toEqual({ status: 401, reads: [] });
    expect(page).toContain('| a key that is junk | none');
  });

  test('a ranking takes the queries that the page says, before and after a write', async () => {
    const service = await warmService();
    expect(await service.rank()).toEqual({ status: 200, reads: promised('a ranking, nothing changed') });
    await service.rename();
    expect(await service.rank()).toEqual({ status: 200, reads: promised('a ranking after an own write') });
    expect(await service.rank()).toEqual({ status: 200, reads: promised('a ranking, nothing changed') });
  });

  test('other requests take the queries that the page says', async () => {
    const { ask, askAgain, offerId, rename } = await warmService();
    const params = { id: offerId };
    expect(await ask('recommendOffers', { query: 'consumption_mwh=1' })).toEqual({
      status: 200,
      reads: promised('a recommendation'),
    });
    expect(await ask('getOffer', { params })).toEqual({ status: 200, reads: promised('an own offer by id') });
    expect(await ask('listOffers', {})).toEqual({ status: 200, reads: promised('a list of own offers') });
    expect(await askAgain('listOffers')).toEqual({
      status: 304,
      reads: promised('anything with its tag in `If-None-Match`'),
    });
    await rename();
    expect(await ask('listOffers', {})).toEqual({ status: 200, reads: promised('a list after an own write') });
    const cold = await coldService();
    const byId = { params: { id: cold.offerId } };
    expect(await cold.ask('listOffers', {})).toEqual({ status: 200, reads: promised('the first list of an account') });
    expect((await cold.ask('getOffer', byId)).reads).toEqual(promised('a list after an own write'));
    expect(await ask('calculateCommission', { params, query: 'consumption_mwh=1' })).toEqual({
      status: 200,
      reads: promised('the commission of an own offer'),
    });
  });
});
