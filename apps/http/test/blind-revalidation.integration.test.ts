import { operations } from '@tarifario/api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fillServer, requestOf } from './http-world.ts';
import { ask, askFor, type RunningServer, startTestServer } from './running-server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it('A-98, A-99: to a key without commissions:read a change of commissions alone is 304, and not in the list of changes', async () => {
  const { accountId, key, sample, calls } = await fillServer(server, 'blind');
  const blind = await server.addKey(accountId, { scopes: ['offers:read', 'offers:export', 'catalog:read'] });
  const ids = operations.filter(({ revalidated }) => revalidated).map(({ id }) => id);
  const offers = ids.filter((id) => /^(list|get|compare|export)(Catalog)?Offers?(History)?$/.test(id));
  const paths = offers.map((id) => requestOf(id, calls[id]).path);
  const look = (path: string, tag = '"x"') => ask(server, blind, { path, headers: { 'If-None-Match': tag } });
  const feed = async (reader: string, since = '') => (await ask(server, reader, { path: `/v1/changes${since}` })).text;
  const tags = await Promise.all(paths.map(async (path) => (await look(path)).headers.get('ETag')));
  const [before, all] = [await feed(blind), await feed(key)];
  const { next } = JSON.parse(before);
  const changes = await feed(blind, `?since=${next}`);
  for (const commission of [71, 72]) {
    for (const path of [`/v1/offers/${sample.luzId}`, `/v1/catalog/offers/${sample.catalogId}`]) {
      await askFor(server, key, { method: 'PATCH', path, body: { commission } });
    }
    for (const [index, path] of paths.entries()) {
      const { status, text, headers } = await look(path, tags[index] ?? '');
      expect([path, status, text, headers.get('ETag')]).toEqual([path, 304, '', tags[index]]);
    }
    expect(await feed(blind)).toBe(before);
    expect(await feed(blind, `?since=${next}`)).toBe(changes);
  }
  expect(JSON.parse(await feed(key, `?since=${JSON.parse(all).next}`)).changes).toHaveLength(2);
});
