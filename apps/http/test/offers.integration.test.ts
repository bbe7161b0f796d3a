import { once } from 'node:events';
import { createConnection } from 'node:net';
import { draftOffer, type OfferTerms } from '@tarifario/core/service';
import { createLog } from '@tarifario/runtime';
import { ask, askFor, type RunningServer, startTestServer } from '@tarifario/testkit/http/running-server';
import { shareOf } from '@tarifario/testkit/share';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startServer } from '../src/server.ts';

let server: RunningServer;
let key: string;
let companyId: number;

beforeAll(async () => {
  server = await startTestServer();
  const accountId = await server.addAccount('uno');
  key = await server.addKey(accountId, {});
  const client = await askFor<{ id: number }>(server, key, { path: '/v1/clients', body: { name: '=Asesoría' } });
  const company = { client_id: client.id, name: '@Comercializadora "Uno"; SA' };
  companyId = (await askFor<{ id: number }>(server, key, { path: '/v1/companies', body: company })).id;
  const { store, clock } = server.service;
  const terms = Array.from({ length: 2100 }, (_, index): OfferTerms => {
    const required = { companyId, offerName: `-Luz ${index}`, supplyType: 'LUZ', tariffType: '2.0TD' } as const;
    const tiers = [{ from: 0, to: null, value: 12.5, type: 'per_mwh' }];
    return draftOffer(required, {
      energyEurPerKwh: [0.125, null, 0.5],
      accepts: { dni: true },
      territories: { peninsula: true },
      communities: ['navarra', 'aragon'],
      consumptionTiers: tiers,
    }).terms;
  });
  await store.write({ keyId: null, at: clock.now() }, (writer) => writer.offers.insert(accountId, terms));
});

afterAll(() => server.close());

describe('the export over HTTP', () => {
  it('A-35: has decimal commas and a byte order mark when a semicolon separates', async () => {
    const response = await fetch(`${server.url}/v1/offers/export?separator=%3B`, { headers: { 'X-API-Key': key } });
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const text = new TextDecoder().decode(bytes);
    expect(text.split('\r\n')[1]).toContain(';0,125;;0,5;');
  });

  it('answers HEAD with the same headers and no body', async () => {
    const answer = await ask(server, key, { method: 'HEAD', path: '/v1/offers/export' });
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: '' });
    expect(answer.headers.get('X-Total-Count')).toBe('2100');
  });

  it('blocks nothing for a reader who reads nothing: writes continue, and a disconnect is no error', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = createConnection({ host: hostname, port: Number(port) });
    socket.pause();
    const before = server.logLines.length;
    socket.write(`GET /v1/offers/export HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`);
    // Something of the answer is there, and nobody takes it.
    await once(socket, 'readable');
    const path = '/v1/offers/1';
    const changed = await ask(server, key, { method: 'PATCH', path, body: { services_cost: 3 } });
    expect(changed.status).toBe(200);
    expect(await askFor(server, key, { path })).toMatchObject({ services_cost: 3 });
    socket.destroy();
    const lines = () => server.logLines.slice(before).map((line) => JSON.parse(line));
    await expect.poll(() => lines().map(({ route }) => route)).toContain('/v1/offers/export');
    expect(lines().filter(({ level }) => level !== 'info')).toEqual([]);
  });
});

describe('ETag and If-None-Match over HTTP', () => {
  it.each(shareOf(['/v1/offers', '/v1/offers/1', '/v1/clients', '/v1/offers/export', '/v1/offers/bulk-template'], 5))(
    'A-98: %s with the tag of the last answer is 304 without a body, also to HEAD',
    async (path) => {
      const first = await ask(server, key, { path });
      const tag = first.headers.get('ETag') ?? '';
      for (const method of ['GET', 'HEAD']) {
        const again = await ask(server, key, { method, path, headers: { 'If-None-Match': `"x", W/${tag}` } });
        expect([again.status, again.text, again.headers.get('ETag')]).toEqual([304, '', tag]);
        expect(again.headers.get('Cache-Control')).toBe('private, no-cache');
        expect(again.headers.get('Vary')).toBe('X-API-Key, Authorization');
        for (const name of ['Content-Type', 'Content-Disposition', 'X-Total-Count']) {
          expect(again.headers.get(name)).toBeNull();
        }
      }
      const other = await ask(server, key, { path, headers: { 'If-None-Match': '"x"' } });
      expect([other.status, other.headers.get('ETag')]).toEqual([200, tag]);
      const refused = await ask(server, key, { path: `${path}?x=1` });
      expect([refused.headers.get('ETag'), refused.headers.get('Cache-Control')]).toEqual([null, 'no-store']);
    },
  );
});

describe('ETag and If-Match over HTTP', () => {
  it('A-66: a change over HTTP with a stale tag is 412, and with that of the last answer it is done', async () => {
    const path = '/v1/offers/1';
    const change = (offer_name: string, headers: Readonly<Record<string, string>>) =>
      ask(server, key, { path, method: 'PATCH', body: { offer_name }, headers });
    const read = (await ask(server, key, { path })).headers.get('ETag') ?? '';
    const first = await change('Uno', { 'If-Match': read });
    expect(first.status).toBe(200);
    expect((await change('Dos', { 'If-Match': read })).status).toBe(412);
    expect((await ask(server, key, { path })).text).toContain('"offer_name":"Uno"');
    const next = first.headers.get('ETag') ?? '';
    expect((await change('Dos', { 'if-match': `"x" , ${next}` })).status).toBe(200);
    expect((await change('Tres', { 'If-Match': 'x' })).status).toBe(400);
  });
});

it('a write is in the very next ranking of each of two servers, whichever of them wrote', async () => {
  const other = await startServer({ config: { ...server.config, port: 0 }, log: createLog('silent') });
  onTestFinished(other.close);
  const body = { supply_type: 'GAS', tariff_type: 'RL.1', acepta_dni: true, territory_peninsula: true };
  const customer = { supply_type: 'GAS', consumo_gas: 1000, w: 1, limit: 200 };
  type Ranked = { results: { offer: { id: number }; cost: { total: number } }[] };
  for (let round = 1; round <= 20; round += 1) {
    const offer = {
      ...body,
      company_id: companyId,
      offer_name: `Gas ${round}`,
      gas_energy: 0.3 - round / 100,
      gas_fixed: 0,
    };
    const writer = round % 2 === 0 ? server : other;
    const { id } = await askFor<{ id: number }>(writer, key, { path: '/v1/offers', body: offer });
    for (const reader of [server, other]) {
      const { results } = await askFor<Ranked>(reader, key, { path: '/v1/offers/efficient', body: customer });
      expect(results).toHaveLength(round);
      expect(results[0]).toMatchObject({ offer: { id }, cost: { total: expect.closeTo(300 - round * 10, 6) } });
    }
  }
});
