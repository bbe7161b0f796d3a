import { inspect } from 'node:util';
import { operations } from '@tarifario/api';
import { createTarifario, TarifarioError } from '@tarifario/client';
import { SCOPES, type Scope } from '@tarifario/core/service';
import { addFailedAttempt } from '@tarifario/testkit/api/example-world';
import { CALLS_OF_ITS_KEY, SCOPES_OF_CALLS } from '@tarifario/testkit/api/sample';
import { asRecord, idOf } from '@tarifario/testkit/api/world';
import { FORM_TYPE, unpacked } from '@tarifario/testkit/http/forms';
import { fillServer } from '@tarifario/testkit/http/http-world';
import { openConnection, parseAnswer, readBytesToEnd } from '@tarifario/testkit/http/raw-http';
import { ask, askFor, type RunningServer, startTestServer } from '@tarifario/testkit/http/running-server';
import { AMOUNTS, expectNoTrace, metricsOf } from '@tarifario/testkit/leaks';
import { shareOf } from '@tarifario/testkit/share';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type CorpusRequest, corpusOf } from './canary-corpus.ts';

// Two servers differ only in commissions. The commissions of the first are numbers that occur nowhere else. Keys without
// access to commissions ask both servers for everything: the answers must be equal and must not contain such a number.

const WITHOUT: readonly Scope[] = SCOPES.filter((scope) => scope !== 'commissions:read');
/** As `key create --mcp` makes them. */
const MCP: readonly Scope[] = ['offers:read', 'catalog:read'];
/** Keys that lack `commissions:read`. */
const BLIND_KEYS: readonly { readonly name: string; readonly scopes: readonly Scope[]; readonly isBound: boolean }[] = [
  { name: 'all-others', scopes: WITHOUT, isBound: false },
  { name: 'all-others-bound', scopes: WITHOUT, isBound: true },
  { name: 'mcp', scopes: MCP, isBound: false },
  { name: 'mcp-bound', scopes: MCP, isBound: true },
  { name: 'none', scopes: [], isBound: false },
];

interface Planting {
  readonly pays: (base: number) => number;
  readonly consumptionType: string;
  readonly powerType: string;
}

/** A caller without `commissions:read`, in an account of its own, so that none uses up the limits of another. */
interface BlindCaller extends Awaited<ReturnType<typeof fillServer>> {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly blindKey: string;
}

interface Filled {
  readonly server: RunningServer;
  readonly callers: readonly BlindCaller[];
}

/**
 * A server whose own offers and catalog offers pay the planted commissions.
 *
 * @param twins - Callers of another server, whose keys are keys here too: tags are made under them.
 */
async function filledServer(planting: Planting, twins: readonly BlindCaller[] = []): Promise<Filled> {
  const server = await startTestServer({ logLevel: 'trace', metricsPort: 0 });
  const callers: BlindCaller[] = [];
  for (const [index, { name, scopes, isBound }] of BLIND_KEYS.entries()) {
    const filled = await fillServer(server, name, planting.pays);
    await plantTypes(server, filled, planting);
    const bound = isBound ? { firmId: filled.sample.clientId } : {};
    const rights = { scopes, ...bound, ...(twins[index] && { key: twins[index].blindKey }) };
    const blindKey = await server.addKey(filled.accountId, rights);
    const calls = {
      ...filled.calls,
      ...(await callsOfItsKey(server, { accountId: filled.accountId, scopes, blindKey })),
    };
    callers.push({ ...filled, name, scopes, blindKey, calls });
  }
  return { server, callers };
}

/** The calls about a webhook that the key itself registers, where it may: others are refused it. */
async function callsOfItsKey(
  server: RunningServer,
  { accountId, scopes, blindKey }: Pick<BlindCaller, 'accountId' | 'scopes' | 'blindKey'>,
) {
  if (!scopes.includes('webhooks:write')) return {};
  const body = { url: 'https://receptor.example.com/' };
  const id = idOf(asRecord(await askFor(server, blindKey, { method: 'POST', path: '/v1/webhooks', body })));
  await addFailedAttempt({ store: server.service.store, accountId }, id);
  const params = { id: String(id), delivery_id: '1' };
  return Object.fromEntries(CALLS_OF_ITS_KEY.map((call) => [call, { params }]));
}

/** Gives every own offer the types of commission, and tiers. Each of them is changed, whatever the types are. */
async function plantTypes(
  server: RunningServer,
  { key, sample }: Pick<BlindCaller, 'key' | 'sample'>,
  { pays, consumptionType, powerType }: Planting,
): Promise<void> {
  for (const id of [sample.luzId, sample.gasId, sample.indexedId, sample.otherLuzId]) {
    const power = { power_from: 0, commission: pays(33), commission_type: powerType };
    const body = {
      commission_type: consumptionType,
      commission_tiers: [
        { consumption_from: 0, consumption_to: 3, commission: pays(44), commission_type: consumptionType },
      ],
      services_cost: 1.5,
      ...(id === sample.gasId ? {} : { commission_power_tiers: [power] }),
    };
    await askFor(server, key, { method: 'PATCH', path: `/v1/offers/${id}`, body });
  }
}

/** Sends a request by hand and returns every byte of the answer, as text; a workbook unpacked. */
async function bytesOf(
  server: RunningServer,
  key: string,
  request: CorpusRequest,
  { isBearer = false } = {},
): Promise<string> {
  const { method, path, body, formBody, headers = {} } = request;
  const json = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const sent = formBody ?? json;
  const head = {
    Host: 'localhost',
    Connection: 'close',
    ...(isBearer ? { Authorization: `Bearer ${key}` } : { 'X-API-Key': key }),
    'X-Request-Id': 'canary-request',
    ...(formBody ? { 'Content-Type': FORM_TYPE } : json === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(sent === undefined ? {} : { 'Content-Length': Buffer.byteLength(sent) }),
    ...headers,
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  const socket = await openConnection(server.url);
  const answer = readBytesToEnd(socket);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  socket.write(sent ?? '');
  const bytes = await answer;
  return bytes.includes('Content-Type: application/vnd.') ? withWorkbook(bytes) : bytes.toString('utf8');
}

/** Its properties say when it was made, by a clock that is not the server's; so its length is of the moment, too. */
function withWorkbook(bytes: Buffer): string {
  const end = bytes.indexOf('\r\n\r\n') + 4;
  const head = bytes.toString('latin1', 0, end).replace(/^Content-Length: \d+$/m, '');
  if (end === bytes.length) return head;
  const parts = [...unpacked(bytes.subarray(end))].filter(([name]) => name !== 'docProps/core.xml');
  return head + JSON.stringify(parts);
}

/** Waits for what a request has set going in the background: what comes next is not to hang on how fast that is. */
async function recorded(server: RunningServer, { method, path }: CorpusRequest): Promise<void> {
  if (method !== 'PATCH' || !path.startsWith('/v1/uploads/')) return;
  const { store, clock } = server.service;
  const page = { limit: 1, offset: 0 };
  const isAtRest = () =>
    store.read(async (reader) => {
      for (const { id } of await reader.accounts.list()) {
        if ((await reader.uploads.list({ accountId: id, firmId: null, status: 'processing' }, page)).total > 0)
          return false;
      }
      return !(await reader.queue.isWaiting(clock.now()));
    });
  await expect.poll(isAtRest).toBe(true);
}

/** All that the client hands over of a call of each operation, answer or error, in either language. */
async function handedOver(server: RunningServer, key: string, calls: BlindCaller['calls']): Promise<readonly string[]> {
  const clients = (['en', 'es'] as const).map((language) =>
    createTarifario({ url: server.url, key, language, retries: 0 }),
  );
  const shown: string[] = [];
  for (const [index, [id, { params, query, body, form }]] of Object.entries(calls).entries()) {
    const method: unknown = Reflect.get(clients[index % 2] ?? {}, id);
    if (typeof method !== 'function') throw new Error(`the client has no ${id}`);
    const file = form && { ...form.fields, file: new File([form.bytes], 'hoja.xlsx') };
    const sent = file ?? body;
    const parts = typeof query === 'string' ? Object.fromEntries(new URLSearchParams(query)) : query;
    const call: Promise<unknown> = method({ ...params, ...parts, ...(sent !== undefined && { body: sent }) });
    const received = await call.catch((error: unknown) => {
      if (!(error instanceof TarifarioError)) throw error;
      const { code, message, status, detail } = error;
      return { code, message, status, detail };
    });
    // A workbook says when it was made; what it holds is looked at as bytes.
    shown.push(
      `${id}: ${received instanceof Uint8Array ? 'a workbook' : inspect(received, { depth: null, maxArrayLength: null })}`,
    );
  }
  return shown;
}

/** How a request ended: `200 GET /v1/offers`. */
function endOf(bytes: string, { method, path }: CorpusRequest): string {
  return `${parseAnswer(bytes).status} ${method} ${path.split('?')[0]}`;
}

const LISTS = ['/v1/offers', '/v1/offers/export', '/v1/offers/export?separator=%3B'];

const PLANTED: Planting = { pays: AMOUNTS.planted, consumptionType: 'per_mwh', powerType: 'per_kw' };
/** Another order, other ties and other zeros; amounts of other lengths; other types. */
const OTHERS: Planting = {
  pays: (base) => (base === 50 ? 0 : 98 - base),
  consumptionType: 'fixed',
  powerType: 'fixed',
};

describe('two servers that differ only in commissions', () => {
  let one: Filled;
  let other: Filled;
  const start = Date.UTC(2020, 5, 1);

  beforeAll(async () => {
    // Time stands still until the next request, so that stamps, and how long work took, can be compared as they are.
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: start });
    one = await filledServer(PLANTED);
    other = await filledServer(OTHERS, one.callers);
  });
  afterAll(async () => {
    vi.useRealTimers();
    await one.server.close();
    await other.server.close();
  });

  /**
   * Without what is of the moment: Node's date, the seconds until a window of real time ends, and when a file was
   * applied, which happens in a thread whose time goes on, and the tag of what has such a stamp, or, as the answer to
   * HEAD, may have one. Whether it changed something shows still. What was sent to a webhook depends on when its sender
   * looked. The cursor of changes holds a random mark, and a proposal a random member, which its hash covers.
   */
  const timeless = (bytes: string, { path }: CorpusRequest) => {
    const text = bytes
      .replace(/^Date: .*$/m, 'Date:')
      // The minute of the limit may begin anew between the two; what a call costs is tested with the limits.
      .replaceAll(/;r=\d+;t=\d+/g, ';r=;t=')
      .replaceAll(/"next":"[a-p]+"/g, '"next":')
      .replaceAll(RANDOM, '')
      .replaceAll(SENT, 'of the moment')
      .replace(path.includes('/webhooks/') ? /^Content-Length: \d+$/m : '', '')
      .replaceAll(/\b(?!2020-)\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'of the moment');
    return text.includes('of the moment') || text.endsWith('\r\n\r\n') ? text.replace(TAG, 'ETag:') : text;
  };
  const RANDOM = /(?<="sal":"|\bsal: ')[0-9a-f]{32}|\b[0-9a-f]{64}\b|whsec_\w{44}/g;
  const SENT = /(?:\s*\{[^{}]*\bsent_at\b[^{}]*\},?\s*)+|(?<=\bmsg_\d+_)\d+/g;
  const TAG = /^ETag: "\w+"$/m;

  it('give different answers to callers who may see commissions, with the planted amounts', async () => {
    const ids = ({ sample }: BlindCaller) => [
      sample.luzId,
      sample.gasId,
      sample.indexedId,
      sample.otherLuzId,
      sample.catalogId,
    ];
    // Both get the same number of calls, because the count of calls is part of an answer.
    const seenBy = async ({ server }: Filled, caller: BlindCaller) => [
      ...(await Promise.all(ids(caller).map((id) => ask(server, caller.key, { path: `/v1/offers/${id}` })))),
      ...(await Promise.all(LISTS.map((path) => ask(server, caller.key, { path })))),
      { text: await bytesOf(server, caller.key, { method: 'GET', path: '/v1/catalog/offers/bulk-template' }) },
    ];
    for (const caller of one.callers)
      for (const { text } of await seenBy(one, caller)) expect(text).toMatch(AMOUNTS.trace);
    for (const caller of other.callers)
      for (const { text } of await seenBy(other, caller)) expect(text).not.toMatch(AMOUNTS.trace);
    for (const form of ['7919.1507', '7919,1507', '79191507', '7.9191507e3', '7 919,1507'])
      expect(form).toMatch(AMOUNTS.trace);
  });

  it('give the same answers to all other callers, byte for byte, without the planted amounts', async () => {
    let second = 0;
    const ends = new Map<string, Set<string>>();
    const tagged = new Set<string>();
    for (const [index, caller] of one.callers.entries()) {
      const { name, scopes, blindKey, sample, calls } = caller;
      const twin = other.callers[index];
      expect(twin?.sample).toEqual(sample);
      const seen = new Set<string>();
      ends.set(name, seen);
      const corpus = corpusOf(sample, calls, {
        isWriter: scopes === WITHOUT,
        // The next caller asks others.
        take: (things, every, round = 0) => shareOf(things, every, index + round),
      });
      for (const request of corpus) {
        second += 1;
        vi.setSystemTime(start + second * 1000);
        const isBearer = second % 2 === 0;
        const [bytes, otherBytes] = await Promise.all([
          bytesOf(one.server, blindKey, request, { isBearer }),
          bytesOf(other.server, twin?.blindKey ?? '', request, { isBearer }),
        ]);
        expectNoTrace(AMOUNTS, { [`${name}: ${JSON.stringify(request)}`]: bytes });
        expect(timeless(otherBytes, request), `${name}: ${JSON.stringify(request)}`).toBe(timeless(bytes, request));
        // The time of a change would tell that there was one; a page is the same for everybody.
        if (request.path.startsWith('/v1/')) expect(bytes).not.toMatch(/^last-modified:/im);
        seen.add(endOf(bytes, request));
        if (TAG.test(timeless(bytes, request))) tagged.add(endOf(bytes, request));
        await Promise.all([recorded(one.server, request), recorded(other.server, request)]);
      }
    }
    const all = [...ends.values()].flatMap((seen) => [...seen]);
    // On a very busy machine a file may wait longer than its caller can, on both servers alike.
    expect(all.filter((end) => /^5(?!03 POST \S+bulk-update$)/.test(end))).toEqual([]);
    for (const status of [200, 201, 400, 403, 404, 405, 409, 422]) {
      expect(all.map((end) => Number(end.slice(0, 3)))).toContain(status);
    }
    // Each operation succeeded for a caller who may use it.
    for (const name of ['all-others', 'all-others-bound']) {
      for (const end of [
        '200 GET /v1/offers/export',
        '200 POST /v1/offers/bulk-patch',
        '422 POST /v1/offers/bulk-patch',
        '200 POST /v1/offers/bulk-update',
        '200 GET /v1/catalog/offers/bulk-template',
      ]) {
        expect(ends.get(name)).toContain(end);
      }
    }
    for (const name of ['mcp', 'mcp-bound']) expect(ends.get(name)).toContain('200 POST /v1/offers/efficient');
    expect([...tagged]).toContainEqual(expect.stringMatching(/^200 GET \/v1\/offers\/\d+$/));
    // Among all of that each operation was done at least once, unless it or its call needs to see commissions.
    for (const { id, scopes, fullAccess, method, path } of operations) {
      if (fullAccess || [...scopes, ...(SCOPES_OF_CALLS[id] ?? [])].includes('commissions:read')) continue;
      const shape = new RegExp(`^20\\d ${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      expect(
        all.some((end) => shape.test(end)),
        id,
      ).toBe(true);
    }
  });

  it('give such a caller the same results through the client, without the planted amounts', async () => {
    const ofMoment = /(?!2020-)\d{4}-\d\d-\d\dT[\d:.]+Z|(?<=next:\s+')[a-p]+/g;
    const withoutMoment = (shown: readonly string[]) =>
      shown.map((text) => text.replaceAll(SENT, '').replaceAll(ofMoment, '').replaceAll(RANDOM, ''));
    for (const [index, { blindKey, calls }] of shareOf([...one.callers.entries()], 3)) {
      const shown = await handedOver(one.server, blindKey, calls);
      expect(shown.length).toBeGreaterThan(60);
      expectNoTrace(AMOUNTS, { shown });
      const twin = await handedOver(other.server, other.callers[index]?.blindKey ?? '', calls);
      expect(withoutMoment(twin)).toEqual(withoutMoment(shown));
    }
    const [first] = one.callers;
    const seen = await handedOver(one.server, first?.key ?? '', first?.calls ?? {});
    expect(seen.filter((text) => AMOUNTS.trace.test(text)).length).toBeGreaterThan(3);
  });

  it('write the planted amounts into no line of the log at its lowest level, and into no metric', async () => {
    const { server } = one;
    await expect.poll(() => server.logLines.length).toBeGreaterThan(1500);
    expectNoTrace(AMOUNTS, { log: server.logLines, metrics: await metricsOf(server) });
  });
});
