import { filledWorld, LUZ_BODY } from '@tarifario/testkit/api/sample';
import type { CallInput, World } from '@tarifario/testkit/api/world';
import { CUPS } from '@tarifario/testkit/leaks';
import { describe, expect, it } from 'vitest';
import { openApiDocument, operations } from '../src/index.ts';
import { hasPages } from '../src/page-links.ts';

const LISTS = operations.filter(hasPages).map(({ id }) => id);
/** That of calls grows by each call. */
const STILL = LISTS.filter((id) => id !== 'listUsage');

type Links = Readonly<Partial<Record<string, string>>>;

/** The links of an answer by their relation. */
function linksIn({ Link = '' }: Readonly<Record<string, string>>): Links {
  return Object.fromEntries([...Link.matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, uri, relation]) => [relation, uri]));
}

/** The answer to a link, which leads to the same operation. */
async function follow(world: World, id: string, input: CallInput, uri: string | undefined) {
  const { pathname, searchParams } = new URL(uri ?? '', 'http://localhost');
  expect(pathname).toMatch(/^\/v1\//);
  return world.call(id, { ...input, query: String(searchParams) });
}

const resultsOf = ({ body }: { readonly body: unknown }) => (body as { readonly results: readonly unknown[] }).results;

describe('the header Link of a list', () => {
  it('is that of every list with total, limit and offset, and each documents it', () => {
    const others = operations.filter(({ id }) => !LISTS.includes(id));
    expect(others.filter(({ output }) => 'offset' in Object(Object(output).shape)).map(({ id }) => id)).toEqual([]);
    const document = JSON.parse(JSON.stringify(openApiDocument()));
    const told = operations.filter(
      ({ method, path }) => document.paths[path][method.toLowerCase()].responses['200']?.headers?.Link,
    );
    expect(told.map(({ id }) => id)).toEqual(LISTS);
  });

  it.each(STILL)(
    'leads through the whole list of %s, whose pages are those by offset, with the same query',
    async (id) => {
      const { world, calls } = await filledWorld();
      const { offset: _offset, ...asked }: Record<string, string> = Object(calls[id]?.query);
      const kept = { ...asked, limit: '1' };
      const whole = await world.call(id, { ...calls[id], query: { ...kept, limit: '200' } });
      const all = resultsOf(whole);
      expect(Object.keys(linksIn(whole.headers))).toEqual(['first', 'last']);
      let page = await world.call(id, { ...calls[id], query: kept });
      const seen = [...resultsOf(page)];
      for (let links = linksIn(page.headers); links.next !== undefined; links = linksIn(page.headers)) {
        expect(links.next).toContain('limit=1');
        page = await follow(world, id, calls[id] ?? {}, links.next);
        seen.push(...resultsOf(page));
        const before = await follow(world, id, calls[id] ?? {}, linksIn(page.headers).prev);
        expect(resultsOf(before)).toEqual(all.slice(seen.length - 2, seen.length - 1));
      }
      expect(seen).toEqual(all);
      const { first, last } = linksIn(page.headers);
      expect(resultsOf(await follow(world, id, calls[id] ?? {}, first))).toEqual(all.slice(0, 1));
      expect(resultsOf(await follow(world, id, calls[id] ?? {}, last))).toEqual(all.slice(-1));
    },
  );

  it('is the same where fields leave out what it is made of, and the body stays as it is', async () => {
    const { world } = await filledWorld();
    const { headers, body } = await world.call('listOffers', { query: { limit: '1', fields: 'results.id' } });
    expect(Object.keys(Object(body))).toEqual(['results']);
    const uriTo = (offset: number) => `/v1/offers?limit=1&fields=results.id&offset=${offset}`;
    expect(linksIn(headers)).toEqual({ next: uriTo(1), first: uriTo(0), last: uriTo(3) });
  });

  it('goes on after a record or by a cursor where the question does, and beyond the end back to it', async () => {
    const { world, sample } = await filledWorld();
    await world.ask('createOffer', { body: { ...LUZ_BODY, company_id: sample.companyId } });
    const linksOf = async (query: Readonly<Record<string, string>>) =>
      linksIn((await world.call('listOffers', { query })).headers);
    expect(await linksOf({ limit: '1', after_id: String(2 ** 53) })).toEqual({ first: '/v1/offers?limit=1' });
    const [first] = resultsOf(await world.call('listOffers', { query: { limit: '1' } })) as { readonly id: number }[];
    const later = await linksOf({ limit: '1', after_id: String(first?.id) });
    expect(later.next).toMatch(/^\/v1\/offers\?limit=1&after_id=\d+$/);
    const sorted = await linksOf({ sort: 'offer_name', limit: '1' });
    expect(sorted.next).toMatch(/^\/v1\/offers\?sort=offer_name&limit=1&after=[\w%-]+$/);
    const { pathname, searchParams } = new URL(sorted.next ?? '', 'http://localhost');
    expect(pathname).toBe('/v1/offers');
    expect((await linksOf(Object.fromEntries(searchParams))).first).toBe('/v1/offers?sort=offer_name&limit=1');
    expect((await linksOf({ limit: '1', offset: '900' })).prev).toBe((await linksOf({ limit: '1' })).last);
  });

  it('is left out where it would repeat a supply point', async () => {
    const { world } = await filledWorld();
    const { status, headers } = await world.call('listOffers', { query: { company_name: `x ${CUPS.planted}` } });
    expect([status, headers.Link]).toEqual([200, undefined]);
  });

  it('is shorter than proxies refuse, and encodes what a query has', async () => {
    const { world } = await filledWorld();
    const { headers } = await world.call('listCatalogOffers', { query: { q: `>; "ñ ${'é'.repeat(60)}`, limit: '1' } });
    expect(headers.Link).toMatch(/^<\/v1\/catalog\/offers\?q=%3E%3B%20%22%C3%B1%20/);
    expect(headers.Link?.length).toBeLessThan(2000);
    const empty = await world.call('listOffers', { query: { company_name: 'é'.repeat(200) } });
    expect(Object.keys(linksIn(empty.headers))).toEqual(['first']);
  });
});
