import { operations } from '@tarifario/api';
import type { Scope } from '@tarifario/core';
import { SCOPES } from '@tarifario/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type CorpusRequest, corpusOf } from './canary-corpus.ts';
import { fillServer } from './http-world.ts';
import { openConnection, parseAnswer, readToEnd } from './raw-http.ts';
import { ask, type RunningServer, startTestServer } from './running-server.ts';

// What is paid is planted as numbers that occur nowhere else; whoever may not see it asks for everything there is, in
// every way, and not a byte of what comes back or is logged may hold them, or depend on them.

const BLIND: readonly Scope[] = SCOPES.filter((scope) => scope !== 'commissions:read');
/** As `key create --mcp` makes them. */
const MCP: readonly Scope[] = ['offers:read', 'catalog:read'];

/** 7919.1507 for what would pay 50, and so on: seven digits or more that nothing else has. */
const planted = (base: number) => Number(`7919.1${base}7`);
/** The digits of such a number, in a group, with a comma, without a point, or with an exponent. */
const CANARY = /7[.,_' \u00a0]?9[.,_' \u00a0]?1[.,_' \u00a0]?9[.,_' \u00a0]?1[.,_' \u00a0]?\d+7/;

interface Filled extends Awaited<ReturnType<typeof fillServer>> {
  readonly server: RunningServer;
  /** Keys without `commissions:read`, by what they are. */
  readonly blindKeys: Readonly<Record<string, string>>;
}

/** A server whose offers pay as `pays` says, and whose types of commission are `types`. */
async function filledServer(
  pays: (base: number) => number,
  types: { readonly consumption: string; readonly power: string },
): Promise<Filled> {
  const server = await startTestServer({ logLevel: 'trace', metricsPort: 0 });
  const filled = await fillServer(server, 'canarias', pays);
  const { accountId, sample } = filled;
  const power = { power_from: 0, commission: pays(33), commission_type: types.power };
  for (const id of [sample.luzId, sample.indexedId, sample.otherLuzId, sample.gasId]) {
    const more = id === sample.gasId ? {} : { commission_power_tiers: [power] };
    const body = { commission_type: types.consumption, services_cost: 1.5, ...more };
    const { status } = await ask(server, filled.key, { method: 'PATCH', path: `/v1/offers/${id}`, body });
    if (status !== 200) throw new Error(`an offer was changed: ${status}`);
  }
  const { store, clock } = server.service;
  await store.write({ keyId: null, at: clock.now() }, async (writer) => {
    const [record] = await writer.offersById('catalog', [sample.catalogId]);
    if (record?.offer.supplyType !== 'LUZ') throw new Error('the catalog has an offer');
    const tiers = [{ from: 0, to: null, value: pays(44), type: 'per_mwh' } as const];
    await writer.updateOffers('catalog', [
      { offerId: record.offer.id, terms: { ...record.offer, consumptionTiers: tiers, servicesEurPerMonth: 1 } },
    ]);
  });
  const firmId = sample.clientId;
  const keyWith = (scopes: readonly Scope[], bound = {}) => server.addKey(accountId, { scopes, ...bound });
  const blindKeys = {
    'every other scope': await keyWith(BLIND),
    'every other scope, bound': await keyWith(BLIND, { firmId }),
    mcp: await keyWith(MCP),
    'mcp, bound': await keyWith(MCP, { firmId }),
    'no scope': await keyWith([]),
  };
  return { ...filled, server, blindKeys };
}

/** Sends a request by hand and returns every byte of the answer, as text. */
async function bytesOf(server: RunningServer, key: string, request: CorpusRequest): Promise<string> {
  const { method, path, body, headers = {} } = request;
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const head = {
    Host: 'localhost',
    Connection: 'close',
    'X-API-Key': key,
    'X-Request-Id': 'canary-request',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
    ...headers,
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  const socket = await openConnection(server.url);
  const answer = readToEnd(socket);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`);
  return answer;
}

/** Every status that a key was answered. */
async function askAll(
  { server, sample, calls }: Filled,
  key: string,
  look: (bytes: string, request: CorpusRequest) => void,
): Promise<ReadonlySet<number>> {
  const statuses = new Set<number>();
  for (const request of corpusOf(sample, calls)) {
    const bytes = await bytesOf(server, key, request);
    statuses.add(parseAnswer(bytes).status);
    look(bytes, request);
  }
  return statuses;
}

describe('planted commissions', () => {
  let filled: Filled;
  beforeAll(async () => {
    filled = await filledServer(planted, { consumption: 'per_mwh', power: 'per_kw' });
  }, 60_000);
  afterAll(() => filled.server.close());

  it('are what those see who may, so they can be found', async () => {
    const { server, key, sample } = filled;
    for (const id of [sample.luzId, sample.gasId, sample.indexedId, sample.otherLuzId, sample.catalogId]) {
      const { text } = await ask(server, key, { path: `/v1/offers/${id}` });
      expect(text).toMatch(CANARY);
    }
    for (const path of ['/v1/offers', '/v1/offers/export', '/v1/offers/export?separator=%3B']) {
      expect((await ask(server, key, { path })).text).toMatch(CANARY);
    }
    for (const form of ['7919.1507', '7919,1507', '79191507', '7.9191507e3', '7 919,1507'])
      expect(form).toMatch(CANARY);
  });

  it('are in no byte of any answer to a key that may not see them, and in no line of the log', {
    timeout: 240_000,
  }, async () => {
    const { server, blindKeys } = filled;
    const seen: Record<string, ReadonlySet<number>> = {};
    let asked = 0;
    for (const [name, key] of Object.entries(blindKeys)) {
      seen[name] = await askAll(filled, key, (bytes, request) => {
        asked += 1;
        if (CANARY.test(bytes)) expect.fail(`${name}: ${JSON.stringify(request)} was answered ${bytes}`);
      });
    }
    for (const status of [200, 201, 400, 403, 404, 405, 409, 422]) expect(seen['every other scope']).toContain(status);
    for (const statuses of Object.values(seen)) expect(Math.max(...statuses)).toBeLessThan(500);
    await expect.poll(() => server.logLines.length).toBeGreaterThan(asked);
    expect(server.logLines.filter((line) => CANARY.test(line))).toEqual([]);
    const metrics = await fetch(`${server.metricsUrl}/metrics`);
    expect(metrics.status).toBe(200);
    expect(await metrics.text()).not.toMatch(CANARY);
  });
});

describe('two servers that differ in commissions alone', () => {
  let poor: Filled;
  let rich: Filled;
  const start = Date.UTC(2026, 5, 1);

  beforeAll(async () => {
    // Time stands still until the next request, so that stamps can be compared as they are.
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    poor = await filledServer((base) => base, { consumption: 'fixed', power: 'fixed' });
    // Another order, other ties and other zeros; amounts of other lengths; other types.
    rich = await filledServer((base) => (base === 50 ? 0 : 100_000.5 - base), {
      consumption: 'per_mwh',
      power: 'per_kw',
    });
  }, 60_000);
  afterAll(async () => {
    vi.useRealTimers();
    await poor.server.close();
    await rich.server.close();
  });

  /** Without what is of the moment: Node's date, the seconds until a window of real time ends, how long work took. */
  const timeless = (bytes: string) => {
    const lasting = bytes.replace(/^Date: .*$/m, 'Date:').replaceAll(/;t=\d+/g, ';t=');
    const timed = /"(response_time_ms|p95_response_time_ms)":[\d.e-]+/g;
    if (!timed.test(lasting)) return lasting;
    return lasting.replaceAll(timed, '"$1":').replace(/^Content-Length: .*$/m, 'Content-Length:');
  };

  it('differ for those who may see commissions', async () => {
    for (const path of ['/v1/offers', '/v1/offers/recommend?consumption_mwh=3', '/v1/offers/export']) {
      const [one, other] = [await ask(poor.server, poor.key, { path }), await ask(rich.server, rich.key, { path })];
      expect(one.status).toBe(200);
      expect(other.text).not.toBe(one.text);
    }
  });

  it('answer all others alike, byte for byte', { timeout: 240_000 }, async () => {
    expect(rich.sample).toEqual(poor.sample);
    let second = 0;
    const written = new Set<string>();
    for (const [name, key] of Object.entries(poor.blindKeys)) {
      for (const request of corpusOf(poor.sample, poor.calls)) {
        second += 1;
        vi.setSystemTime(start + second * 1000);
        const inPoor = await bytesOf(poor.server, key, request);
        const inRich = await bytesOf(rich.server, rich.blindKeys[name] ?? '', request);
        expect(timeless(inRich), `${name}: ${JSON.stringify(request)}`).toBe(timeless(inPoor));
        expect(inPoor).not.toMatch(/^(etag|last-modified):/im);
        written.add(`${request.method} ${request.path.split('?')[0]} ${parseAnswer(inPoor).status}`);
      }
    }
    // Among all of that each operation was done at least once.
    for (const { id, scopes, fullAccess, method, path } of operations) {
      if (fullAccess || scopes.includes('commissions:read')) continue;
      const shape = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/ ]+')} 20\\d$`);
      expect(
        [...written].some((entry) => shape.test(entry)),
        id,
      ).toBe(true);
    }
  });
});
