import { setImmediate as nextTurn } from 'node:timers/promises';
import { operations } from '@tarifario/api';
import { createTarifario, TarifarioError } from '@tarifario/client';
import { SCOPES } from '@tarifario/core/service';
import { type ApiDocument, type Contract, type Row, readContract } from '@tarifario/testkit/api/contract';
import { EXAMPLE_PASSWORD, fillExampleWorld } from '@tarifario/testkit/api/example-world';
import { xlsxFile } from '@tarifario/testkit/http/forms';
import { type RunningServer, startTestServer } from '@tarifario/testkit/http/running-server';
import { runsOf, shareOf } from '@tarifario/testkit/share';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOfForm, fileOfForm } from './fuzz-forms.ts';
import { type Draft, exampleOf, randomDraft, systematicDrafts } from './fuzz-requests.ts';

/** Everything that is sent comes from the document that the server shows; everything it answers is held against it. */

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_120);
const RANDOM_RUNS = Number(process.env.FUZZ_RUNS ?? runsOf(3, 40));

/** One of so many requests is sent unless the tests go their full length. */
const SHARE = 28;
/** So many at least, each of another kind. */
const FEWEST = 6;

/** What no refusal says: none of these words is ours. */
const NOT_OURS = /node_modules|\.[tj]s:|sqlite|constraint|zod|stack|Unexpected token/i;

const KEYS = ['full', 'blind', 'reader', 'bound', 'junk', 'none'] as const;
type KeyName = (typeof KEYS)[number];

/** An account with the records of the examples, and keys with different rights. */
interface World {
  readonly keys: Readonly<Record<KeyName, string | null>>;
  readonly ids: Readonly<Record<string, readonly number[]>>;
}

let server: RunningServer;
let contract: Contract;
let passwordHash: string;
/** The world of another account. */
let foreign: World;
let worldCount = 0;
/** The operations that were performed through the client. */
const answeredByClient = new Set<string>();

beforeAll(async () => {
  server = await startTestServer({ logLevel: 'error' });
  const served = await fetch(`${server.url}/openapi.json`);
  const document: ApiDocument = JSON.parse(await served.text());
  contract = readContract(document);
  passwordHash = await server.service.secrets.hashPassword(EXAMPLE_PASSWORD);
  foreign = await newWorld();
});
afterAll(() => server.close());

async function newWorld(): Promise<World> {
  worldCount += 1;
  const name = `fuzz${worldCount}`;
  const accountId = await server.addAccount(name);
  const full = await server.addKey(accountId, {});
  const { store } = server.service;
  const answerOf = async (row: Row, draft: Draft) => {
    const { status, text } = await send({ row, key: full, draft });
    if (status >= 300) throw new Error(`${row.path} was answered ${status}: ${text}`);
    return JSON.parse(text);
  };
  const email = `${name}@energiaclara.example`;
  const catalog = await fillExampleWorld({
    ...{ store, accountId, email, passwordHash, catalogName: (text) => `${text} ${name}` },
    ...{ makeFile: xlsxFile, now: () => new Date().toISOString() },
    ask: (id, { params = {}, body }) => answerOf(rowOf(id), { params, query: [], body }),
  });
  const lists = [
    'listClients',
    'listCompanies',
    'listOffers',
    'listProposals',
    'listUploads',
    'listWebhooks',
    'listKeys',
  ];
  const ids: Record<string, readonly number[]> = {
    catalogCompanies: catalog.companyIds,
    catalogOffers: catalog.offerIds,
  };
  for (const list of lists) {
    const supplies = list === 'listOffers' ? ['LUZ', 'GAS'] : [undefined];
    const idsOfSupply = supplies.map(async (supply) => {
      const { results } = await answerOf(rowOf(list), { params: {}, query: supply ? [['supply_type', supply]] : [] });
      // Without its own key a world would be over.
      return results.flatMap(({ id, is_own }: { readonly id: number; readonly is_own?: true }) => (is_own ? [] : [id]));
    });
    ids[rowOf(list).path.slice('/v1/'.length)] = (await Promise.all(idsOfSupply)).flat().toSorted((a, b) => a - b);
  }
  return {
    ids,
    keys: {
      full,
      blind: await server.addKey(accountId, { scopes: SCOPES.filter((scope) => scope !== 'commissions:read') }),
      reader: await server.addKey(accountId, { scopes: SCOPES.filter((scope) => scope.endsWith(':read')) }),
      bound: await server.addKey(accountId, { firmId: ids.clients?.[0] ?? 0 }),
      junk: 'tf_junk',
      none: null,
    },
  };
}

function rowOf(operationId: string): Row {
  const row = contract.rows.find(({ operation }) => operation.operationId === operationId);
  if (!row) throw new Error(`${operationId} is not documented`);
  return row;
}

/** Text with references to records as their ids. */
function withIds(text: string, ids: World['ids'] = {}): string {
  return text.replaceAll(
    /"?@(clients|companies|offers|proposals|uploads|webhooks|keys|catalogCompanies|catalogOffers):(\w+)"?/g,
    (match, noun: string, which: string) => {
      const own = ids[noun] ?? [];
      const id = which === 'foreign' ? foreign.ids[noun]?.[0] : own[Number(which) % own.length];
      const value = String(which === 'missing' ? 999_999_999 : (id ?? 1));
      // In JSON an id is a number; in an address there are no quotes around it.
      return match.startsWith('"') && match.endsWith('"') ? value : match.replace(/@\w+:\w+/, value);
    },
  );
}

interface Call {
  readonly row: Row;
  readonly key: string | null;
  readonly draft: Draft;
  /** The header `Idempotency-Key`. */
  readonly name?: string | undefined;
  readonly ids?: World['ids'];
}

/** The request as it goes out. */
function requestOf({ row, key, draft, name, ids }: Call) {
  const { params, query, rawQuery, body, rawBody, contentType = 'application/json' } = draft;
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = withIds(params[name] ?? '', ids);
    return text === '%zz' ? text : encodeURIComponent(text.toWellFormed());
  });
  const search = new URLSearchParams(
    query.map(([name, text]): [string, string] => [name, withIds(text, ids)]),
  ).toString();
  const address = `${path}?${[search, rawQuery].filter(Boolean).join('&')}`;
  const ownHeaders = {
    ...(key === null ? {} : { 'X-API-Key': key }),
    ...(name === undefined ? {} : { 'Idempotency-Key': name }),
  };
  if (draft.form) {
    const form = bodyOfForm(draft.form, (text) => withIds(text, ids));
    return { address, headers: { ...ownHeaders, 'Content-Type': form.contentType }, body: form.body };
  }
  const bodyText = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const sent = bodyText === undefined ? undefined : withIds(bodyText, ids).replaceAll(/"@raw:([^"]*)"/g, '$1');
  return {
    address,
    headers: {
      ...ownHeaders,
      ...(sent === undefined ? {} : { 'Content-Type': contentType }),
    },
    body: sent,
  };
}

/** Through the client where it can send the call. It cannot send broken JSON or another address. */
async function send(call: Call) {
  const { address, headers, body = null } = requestOf(call);
  // Requests are made for seconds on a busy machine: a connection that the server closed meanwhile is noticed first.
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  const args = argumentsOf(call, body);
  const response = args
    ? await sendByClient(call, args)
    : await fetch(server.url + address, { method: call.row.method, headers, body });
  return {
    status: response.status,
    header: (name: string) => response.headers.get(name),
    text: await response.text(),
  };
}

type Arguments = Readonly<Record<string, unknown>>;

/** A request as arguments of the client; `null` where it has none for it. */
function argumentsOf({ row, key, draft, name, ids }: Call, sent: string | Uint8Array | null): Arguments | null {
  const { params, query, rawQuery, contentType, form } = draft;
  const pathTexts = Object.entries(params).map(([name, text]) => [name, withIds(text, ids).toWellFormed()]);
  const isOdd = pathTexts.some(([, text = '']) => text === '%zz' || /^\.{0,2}$/.test(text));
  const isReplayable = operations.some(({ id, replayable }) => replayable && id === row.operation.operationId);
  if (key === null || rawQuery !== undefined || contentType !== undefined || isOdd) return null;
  if (name !== undefined && !isReplayable) return null;
  const texts = Map.groupBy(query, ([name]) => name);
  const queries = [...texts].map(([name, pairs]) => [name, pairs.map(([, text]) => withIds(text, ids))]);
  const args = Object.fromEntries([...pathTexts, ...queries]);
  if (form) {
    const file = fileOfForm(form, (text) => withIds(text, ids));
    return (
      file && {
        ...args,
        body: { ...Object.fromEntries(form.fields.map(([name, text]) => [name, withIds(text, ids)])), file },
      }
    );
  }
  if (typeof sent !== 'string') return args;
  const body = jsonOf(sent);
  return JSON.stringify(body) === sent ? { ...args, body } : null;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends a request by the client, holds what it says against what was received, and returns that. */
async function sendByClient({ row, key, name }: Call, args: Arguments): Promise<Response> {
  const received: Response[] = [];
  const client = createTarifario({
    ...{ url: server.url, key: key ?? '', retries: 0 },
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      received.push(response.clone());
      return response;
    },
  });
  const method: unknown = Reflect.get(client, row.operation.operationId);
  if (typeof method !== 'function') throw new Error(`the client has no ${row.operation.operationId}`);
  const result = await method(args, name === undefined ? {} : { idempotencyKey: name }).then(
    (data: unknown) => ({ data }),
    (error: unknown) => ({ error }),
  );
  const [response, ...others] = received;
  if (response?.ok) answeredByClient.add(row.operation.operationId);
  if (!response || others.length > 0)
    throw new Error(`the client got ${received.length} answers: ${result.error}`, { cause: result.error });
  const text = await response.clone().text();
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
  if (response.ok && isJson) expect(result).toEqual({ data: JSON.parse(text) });
  if (!response.ok) {
    expect(result.error).toBeInstanceOf(TarifarioError);
    const { code, message } = JSON.parse(text).detail;
    const requestId = response.headers.get('X-Request-Id');
    // The client adds the first wrong field.
    expect(String(Object(result.error).message).startsWith(String(message))).toBe(true);
    expect(result.error).toMatchObject({ code, requestId, status: response.status });
  }
  return response;
}

/** Sends a request and throws all there is to know if the answer breaks the contract. */
async function tryCall(
  world: World,
  target: Pick<Call, 'row' | 'draft' | 'name'> & { readonly keyName: KeyName },
): Promise<number> {
  const { row, draft, name } = target;
  const call: Call = { row, key: world.keys[target.keyName], draft, name, ids: world.ids };
  const received = await send(call);
  const problems = [
    ...(received.status >= 500 ? ['the service failed'] : []),
    ...(received.status >= 400 && NOT_OURS.test(received.text) ? ['the refusal is in the words of a library'] : []),
    ...contract.problemsOf(target.row, received),
  ];
  if (problems.length > 0) {
    const { address, headers, body } = requestOf(call);
    const lines = [
      `${target.row.operation.operationId} with the key "${target.keyName}" breaks the contract:`,
      ...problems.map((problem) => `  - ${problem}`),
      `${target.row.method} ${address}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '',
      target.draft.form ? JSON.stringify(target.draft.form) : String(body ?? '(no body)'),
      '',
      `answered ${received.status}, request id ${received.header('X-Request-Id')}`,
      received.text,
    ];
    throw new Error(lines.join('\n'));
  }
  return received.status;
}

/** The world of a caller who only reads. */
let readWorld: Promise<World> | undefined;

/** Worlds for the calls of one operation: a new one when the limits of the operation end the use of the last. */
function createWorlds({ operation }: Row) {
  const limits = operation['x-rate-limits'];
  const onlyReads = operation['x-scopes'].length > 0 && operation['x-scopes'].every((scope) => scope.endsWith(':read'));
  // One call more than it allows, so that the refusal is seen as well.
  const callsPerWorld = Math.min(...limits.map(({ points }) => points + 1), 1_000_000);
  let callsLeft = 0;
  let world: World | undefined;
  return async (): Promise<World> => {
    if (onlyReads && limits.length === 0) {
      readWorld ??= newWorld();
      return readWorld;
    }
    if (world === undefined || callsLeft === 0) {
      world = await newWorld();
      callsLeft = callsPerWorld;
    }
    callsLeft -= 1;
    return world;
  };
}

/** A workbook is read or made for each call, by a process or a thread of its own. */
function isSlow(id: string): boolean {
  return /^bulk(Update|Template)/.test(id);
}

/** The limits of an operation that an account has, or each key. */
function limitsOf(row: Row | undefined, per: 'account' | 'key') {
  return row?.operation['x-rate-limits'].filter((limit) => limit.per === per) ?? [];
}

describe.each(operations.map(({ id }) => id))('%s', (id) => {
  const seen = new Set<number>();
  const drafts: Draft[] = [];
  let nextWorld: () => Promise<World>;

  beforeAll(() => {
    const row = rowOf(id);
    nextWorld = createWorlds(row);
    const all = systematicDrafts(row, contract.resolve);
    // Enough of them to come to the end of a limit that its account has, also in the second world.
    const points = limitsOf(row, 'account').map((limit) => 2 * limit.points + 8);
    const every = Math.floor(all.length / Math.max(...points, all.length / SHARE, FEWEST));
    drafts.push(...shareOf(all, Math.max(1, isSlow(id) && points.length === 0 ? 2 * SHARE : every)));
    const example = exampleOf(row);
    drafts.push({ ...example, query: [...example.query, ['client_id', '@clients:foreign']] });
  });

  it('keeps the contract when one part is wrong', async () => {
    const row = rowOf(id);
    for (const [index, draft] of drafts.entries()) {
      // The example is tried with every key, the rest mostly with the one that may do most.
      const others = row.operation['x-full-access'] ? (['full'] as const) : (['blind', 'bound'] as const);
      const keyNames: readonly KeyName[] = index === 0 ? KEYS : index % 10 === 0 ? others : ['full'];
      for (const keyName of keyNames) seen.add(await tryCall(await nextWorld(), { row, keyName, draft }));
    }
  });

  it('keeps the contract whatever is sent', async () => {
    const row = rowOf(id);
    const keyName = fc.oneof({ weight: 4, arbitrary: fc.constant<KeyName>('full') }, fc.constantFrom(...KEYS));
    // Few names, so that many requests come under one that is taken.
    const name = fc.option(fc.constantFrom('one', 'two', 'three', 'a b', ''), { nil: undefined });
    const request = fc.record({ keyName, name, draft: randomDraft(row, contract.resolve) });
    const property = fc.asyncProperty(request, async (sent) => {
      seen.add(await tryCall(await nextWorld(), { row, ...sent }));
    });
    await fc.assert(property, { seed: SEED, numRuns: isSlow(id) ? Math.floor(RANDOM_RUNS / 3) : RANDOM_RUNS });
  });

  it('had successes and refusals, so the test shows something', () => {
    const successes = [...seen].filter((status) => status < 300);
    expect(successes.length).toBeGreaterThan(0);
    expect(answeredByClient).toContain(id);
    const isLimited = limitsOf(rowOf(id), 'account').length > 0;
    expect([...seen]).toEqual(expect.arrayContaining([400, 401, 403, ...(isLimited ? [429] : [])]));
  });
});

it('keeps the contract over a limit that each key has, and that operations share', async () => {
  const limited = contract.rows.filter((row) => limitsOf(row, 'key').length > 0);
  expect(new Set(limited.flatMap((row) => limitsOf(row, 'key')).map(({ name }) => name))).toEqual(
    new Set(['catalog_write']),
  );
  const world = await newWorld();
  const [first] = limited;
  const points = limitsOf(first, 'key')[0]?.points ?? 0;
  const statusOf = (row: Row | undefined) => row && tryCall(world, { row, keyName: 'full', draft: exampleOf(row) });
  // A call counts when it is refused too, but only of a key that may make it. Some points went into the world.
  let count = 1;
  while ((await statusOf(first)) !== 429) count += 1;
  expect(count).toBeGreaterThan(points / 2);
  expect(count).toBeLessThanOrEqual(points);
  for (const row of limited) expect([row.path, await statusOf(row)]).toEqual([row.path, 429]);
});

it('has no prototype with new properties afterwards', () => {
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});
