import { operations } from '@tarifario/api';
import type { Scope } from '@tarifario/core';
import { SCOPES } from '@tarifario/core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type CorpusRequest, corpusOf } from './canary-corpus.ts';
import { fillServer } from './http-world.ts';
import { openConnection, parseAnswer, readToEnd } from './raw-http.ts';
import { ask, askFor, type RunningServer, startTestServer } from './running-server.ts';

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

interface Planting {
  readonly pays: (base: number) => number;
  readonly consumptionType: string;
  readonly powerType: string;
}

/** Plants all that is paid, again where others wrote over it, on active records. Each offer is changed by it. */
async function plant(server: RunningServer, { key, sample }: Pick<Filled, 'key' | 'sample'>, planting: Planting) {
  const { pays, consumptionType, powerType } = planting;
  for (const path of [`/v1/clients/${sample.clientId}`, `/v1/companies/${sample.companyId}`]) {
    const { is_active } = await askFor<{ is_active: boolean }>(server, key, { path });
    if (!is_active) await askFor(server, key, { method: 'PATCH', path: `${path}/toggle` });
  }
  const { services_cost } = await askFor<{ services_cost: number | null }>(server, key, {
    path: `/v1/offers/${sample.luzId}`,
  });
  const bases = { [sample.luzId]: 50, [sample.gasId]: 30, [sample.indexedId]: 70, [sample.otherLuzId]: 60 };
  for (const [id, base] of Object.entries(bases)) {
    const power = { power_from: 0, commission: pays(33), commission_type: powerType };
    const tier = { consumption_from: 0, consumption_to: 3, commission: pays(44), commission_type: consumptionType };
    const body = {
      commission: pays(base),
      commission_type: consumptionType,
      commission_tiers: [tier],
      services_cost: (services_cost ?? 0) + 1,
      is_active: true,
      ...(Number(id) === sample.gasId ? {} : { commission_power_tiers: [power] }),
    };
    await askFor(server, key, { method: 'PATCH', path: `/v1/offers/${id}`, body });
  }
}

/** A server whose offers pay what is planted. */
async function filledServer(planting: Planting): Promise<Filled> {
  const server = await startTestServer({ logLevel: 'trace', metricsPort: 0 });
  const filled = await fillServer(server, 'canarias', planting.pays);
  await plant(server, filled, planting);
  const { accountId, sample } = filled;
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

/** What a key was answered: `200 /v1/offers`. */
async function askAll(
  { server, sample, calls }: Filled,
  key: string,
  look: (bytes: string, request: CorpusRequest) => void,
): Promise<ReadonlySet<string>> {
  const answered = new Set<string>();
  for (const request of corpusOf(sample, calls)) {
    const bytes = await bytesOf(server, key, request);
    answered.add(`${parseAnswer(bytes).status} ${request.path.split('?')[0]}`);
    look(bytes, request);
  }
  return answered;
}

const PLANTED: Planting = { pays: planted, consumptionType: 'per_mwh', powerType: 'per_kw' };

describe('planted commissions', () => {
  let filled: Filled;
  beforeAll(async () => {
    filled = await filledServer(PLANTED);
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
    const seen: Record<string, ReadonlySet<string>> = {};
    let asked = 0;
    for (const [name, key] of Object.entries(blindKeys)) {
      await plant(server, filled, PLANTED);
      seen[name] = await askAll(filled, key, (bytes, request) => {
        asked += 1;
        if (CANARY.test(bytes)) expect.fail(`${name}: ${JSON.stringify(request)} was answered ${bytes}`);
      });
    }
    const all = Object.values(seen).flatMap((answered) => [...answered]);
    expect(all.filter((answer) => answer.startsWith('5'))).toEqual([]);
    for (const status of [200, 201, 400, 403, 404, 405, 409, 422]) {
      expect(all.map((answer) => Number(answer.slice(0, 3)))).toContain(status);
    }
    // Each key was asked in earnest: it could do what it may.
    for (const name of ['every other scope', 'every other scope, bound']) {
      expect(seen[name]).toContain('200 /v1/offers/export');
      expect(seen[name]).toContain('200 /v1/offers/bulk-patch');
    }
    for (const name of ['mcp', 'mcp, bound']) expect(seen[name]).toContain('200 /v1/offers/efficient');
    await expect.poll(() => server.logLines.length).toBeGreaterThan(asked);
    expect(server.logLines.filter((line) => CANARY.test(line))).toEqual([]);
    const metrics = await fetch(`${server.metricsUrl}/metrics`);
    expect(metrics.status).toBe(200);
    expect(await metrics.text()).not.toMatch(CANARY);
  });
});

const POOR: Planting = { pays: (base) => base, consumptionType: 'fixed', powerType: 'fixed' };
/** Another order, other ties and other zeros; amounts of other lengths; other types. */
const RICH: Planting = {
  pays: (base) => (base === 50 ? 0 : 100_000.5 - base),
  consumptionType: 'per_mwh',
  powerType: 'per_kw',
};

describe('two servers that differ in commissions alone', () => {
  let poor: Filled;
  let rich: Filled;
  const start = Date.UTC(2026, 5, 1);

  beforeAll(async () => {
    // Time stands still until the next request, so that stamps, and how long work took, can be compared as they are.
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: start });
    poor = await filledServer(POOR);
    rich = await filledServer(RICH);
  }, 60_000);
  afterAll(async () => {
    vi.useRealTimers();
    await poor.server.close();
    await rich.server.close();
  });

  /** Without what is of the moment: Node's date, and the seconds until a window of real time ends. */
  const timeless = (bytes: string) => bytes.replace(/^Date: .*$/m, 'Date:').replaceAll(/;t=\d+/g, ';t=');

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
    for (const name of ['every other scope', 'every other scope, bound', 'mcp']) {
      const key = poor.blindKeys[name] ?? '';
      await plant(poor.server, poor, POOR);
      await plant(rich.server, rich, RICH);
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
      // No upload has a file to try again yet.
      if (fullAccess || scopes.includes('commissions:read') || id === 'retryUpload') continue;
      const shape = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/ ]+')} 20\\d$`);
      expect(
        [...written].some((entry) => shape.test(entry)),
        id,
      ).toBe(true);
    }
  });
});
