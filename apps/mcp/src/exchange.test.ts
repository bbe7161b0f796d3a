import { Server, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { ToolResult } from '@tarifario/api';
import { callerOf } from '@tarifario/core/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ExchangeOptions, exchange, refusalOf } from './exchange.ts';
import type { Request } from './message.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const VERSION = '2026-07-28';
const CALL: Request = { kind: 'request', id: 7, method: 'tools/call', params: { name: 'list_offers' } };
const MODERN_CALL: Request = { ...CALL, params: { ...CALL.params, _meta: metaOf(VERSION) } };
const DONE: ToolResult = { content: [{ type: 'text', text: '{}' }], isError: false };

function metaOf(version: string) {
  return {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
}

type Headers = Readonly<Record<string, string>>;

function options(headers: Headers = {}, changes: Partial<ExchangeOptions> = {}): ExchangeOptions {
  return {
    caller: callerOf({ fullAccess: true }),
    header: (name) => headers[name] ?? null,
    call: async () => DONE,
    reportBug: () => {},
    ...changes,
  };
}

/** A request of the newest version, with the headers that mirror it unless others are given. */
function ask(
  method: string,
  params: Record<string, unknown> = {},
  changes: Readonly<Record<string, string | null>> = {},
) {
  const name = params.name ?? params.uri;
  const mirrored = {
    'mcp-protocol-version': VERSION,
    'mcp-method': method,
    ...(name ? { 'mcp-name': String(name) } : {}),
  };
  const headers = Object.entries({ ...mirrored, ...changes }).flatMap(([key, value]) =>
    value === null ? [] : [[key, value]],
  );
  const request: Request = { kind: 'request', id: 7, method, params: { _meta: metaOf(VERSION), ...params } };
  return exchange(request, options(Object.fromEntries(headers)));
}

const HEADERS = { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/call', 'mcp-name': 'list_offers' };

describe.each([
  ['an older version', CALL, {}],
  ['the newest version', MODERN_CALL, HEADERS],
])('a request of %s', (_version, call, headers) => {
  it('A-48: gets a server of its own, which is closed after the answer', async () => {
    const connect = vi.spyOn(Server.prototype, 'connect');
    await Promise.all([exchange(call, options(headers)), exchange(call, options(headers))]);
    const failing = options(headers, { call: () => Promise.reject(new Error('SELECT 1')) });
    expect(await exchange(call, failing)).toMatchObject({
      status: 200,
      body: { id: 7, error: { message: 'internal error' } },
    });
    expect(new Set(connect.mock.contexts).size).toBe(3);
    await expect
      .poll(() => connect.mock.contexts.every((server) => Reflect.get(Object(server), 'transport') === undefined))
      .toBe(true);
  });
});

describe('A-93: a request of version 2026-07-28', () => {
  it('is answered with resultType, and with how long the result is valid where it depends on the key alone', async () => {
    expect(await ask('tools/list')).toMatchObject({
      status: 200,
      body: {
        id: 7,
        result: { resultType: 'complete', ttlMs: 300_000, cacheScope: 'private', tools: expect.any(Array) },
      },
    });
    expect(await ask('server/discover')).toMatchObject({
      status: 200,
      body: {
        result: {
          resultType: 'complete',
          supportedVersions: [VERSION, ...SUPPORTED_PROTOCOL_VERSIONS],
          capabilities: { tools: {}, prompts: {}, resources: {} },
          instructions: expect.stringContaining('rank_offers'),
          ttlMs: 300_000,
          cacheScope: 'private',
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'tarifario' } },
        },
      },
    });
    const { body } = await ask('tools/call', { name: 'list_offers' });
    expect(body).toMatchObject({ result: { ...DONE, resultType: 'complete' } });
    expect(body).not.toHaveProperty('result.ttlMs');
  });

  it('can read the glossary and the prompt', async () => {
    expect(await ask('resources/read', { uri: 'tarifario://glossary' })).toMatchObject({
      body: { result: { contents: [{ text: expect.stringMatching(/^# /) }], cacheScope: 'private' } },
    });
    expect(await ask('prompts/get', { name: 'compare_for_invoice', arguments: { invoice: '3 kW' } })).toMatchObject({
      body: { result: { messages: [{ role: 'user', content: { text: expect.stringContaining('"3 kW"') } }] } },
    });
  });

  const OBJECT = 'arguments must be an object, such as {"limit":5}';
  const MISMATCH = 'MCP-Protocol-Version, Mcp-Method and Mcp-Name must say what the message says';
  it.each([
    ['no header for the version', { 'mcp-protocol-version': null }],
    ['another version in the header', { 'mcp-protocol-version': '2025-11-25' }],
    ['no header for the method', { 'mcp-method': null }],
    ['another method in the header', { 'mcp-method': 'tools/list' }],
    ['no header for the name', { 'mcp-name': null }],
    ['another name in the header', { 'mcp-name': 'get_offer' }],
  ])('with %s is refused with 400 and -32020', async (_what, headers) => {
    expect(await ask('tools/call', { name: 'list_offers' }, headers)).toEqual({
      status: 400,
      body: { jsonrpc: '2.0', id: 7, error: { code: -32020, message: MISMATCH } },
    });
  });

  it.each([
    ['in both places', { _meta: metaOf('2099-01-01') }, '2099-01-01'],
    ['in the header alone', { _meta: undefined }, '2099-01-01'],
  ])(
    'of the unknown version %s is refused with 400, -32022 and the supported versions',
    async (_where, params, version) => {
      const { status, body } = await ask('tools/list', params, { 'mcp-protocol-version': version });
      expect([status, body]).toMatchObject([
        400,
        { error: { code: -32022, data: { requested: version, supported: [VERSION, ...SUPPORTED_PROTOCOL_VERSIONS] } } },
      ]);
    },
  );

  it.each(['tools/nothing', 'initialize', 'ping', 'subscriptions/listen', '__proto__'])(
    'for the method %s is refused with 404 and -32601',
    async (method) => {
      const { status, body } = await ask(method);
      expect([status, body]).toEqual([
        404,
        { jsonrpc: '2.0', id: 7, error: { code: -32601, message: 'no such method' } },
      ]);
    },
  );

  it.each<[string, Headers, unknown, number]>([
    ['another method in the header', { 'mcp-method': 'tools/call' }, VERSION, -32020],
    ['another method in the header and no version in the message', { 'mcp-method': 'tools/call' }, null, -32020],
    ['another version in the header', { 'mcp-protocol-version': '2025-11-25' }, VERSION, -32020],
    ['an unknown version', { 'mcp-protocol-version': '2099-01-01' }, '2099-01-01', -32022],
    ['an unknown version in the header alone', { 'mcp-protocol-version': '2099-01-01' }, null, -32022],
    ['a version that is no text', {}, 5, -32602],
  ])('as a notification with %s is refused', (_what, changes, version, code) => {
    const method = 'notifications/cancelled';
    const mirrored = { 'mcp-protocol-version': VERSION, 'mcp-method': method };
    const note = (version: unknown) => {
      const _meta = version === null ? undefined : { 'io.modelcontextprotocol/protocolVersion': version };
      return { kind: 'notification', method, params: { _meta } } as const;
    };
    expect(refusalOf(note(version), options({ ...mirrored, ...changes }))).toMatchObject({ id: null, error: { code } });
    // The specification asks for no header of a notification, and older versions have none.
    for (const version of [VERSION, null])
      for (const headers of [mirrored, {}]) expect(refusalOf(note(version), options(headers))).toBeNull();
  });

  it('without what its version requires in _meta is refused with 400 and -32602', async () => {
    for (const _meta of [{}, { 'io.modelcontextprotocol/protocolVersion': VERSION }, undefined]) {
      const { status, body } = await ask('tools/list', { _meta });
      expect([status, body]).toMatchObject([
        400,
        { error: { code: -32602, message: expect.stringMatching(/^params._meta/) } },
      ]);
    }
  });

  it.each([
    ['tools/call', { name: 'delete_offer' }, 'no such tool: tools/list names them'],
    ['tools/call', { name: 'toString' }, 'no such tool: tools/list names them'],
    ['tools/call', { name: 5 }, 'name must be text'],
    ['tools/call', { name: 'list_offers', arguments: [] }, OBJECT],
    ['tools/call', { name: 'list_offers', arguments: '' }, OBJECT],
    ['tools/call', { name: 'list_offers', arguments: '{limit: 5}' }, OBJECT],
    ['tools/call', { name: 'list_offers', arguments: '5' }, OBJECT],
    ['tools/list', { cursor: 'x' }, 'there is one page, and no cursor'],
    ['prompts/get', { name: 'x' }, 'no such prompt: prompts/list names them'],
    ['prompts/get', { name: 'compare_for_invoice' }, 'arguments.invoice must be text of at most 20000 characters'],
    ['resources/read', { uri: 'file:///x' }, 'no such resource: resources/list names them', { uri: 'file:///x' }],
  ])('%s with %j is refused with our own message', async (method, params, message, data?: object) => {
    expect(await ask(method, params)).toEqual({
      status: 200,
      body: { jsonrpc: '2.0', id: 7, error: { code: -32602, message, ...(data ? { data } : {}) } },
    });
  });
});

it('a text that is too long is refused, or repeated in part', async () => {
  const params = { name: 'compare_for_invoice', arguments: { invoice: 'x'.repeat(20_001) } };
  const message = 'arguments.invoice must be text of at most 20000 characters';
  expect(await ask('prompts/get', params)).toMatchObject({ body: { error: { code: -32602, message } } });
  const unknown = await ask('resources/read', { uri: 'x'.repeat(2001) });
  expect(unknown).toMatchObject({ body: { error: { code: -32602, data: { uri: 'x'.repeat(2000) } } } });
});

it('A-48: a tool that is not listed for a key is as unknown to it as one that does not exist', async () => {
  const caller = callerOf({ fullAccess: false, scopes: new Set(['offers:read', 'catalog:read']) });
  const answers = ['calculate_commission', 'delete_offer'].map((name) =>
    exchange({ ...CALL, params: { name } }, options({}, { caller })),
  );
  const [hidden, missing] = await Promise.all(answers);
  expect(hidden).toEqual(missing);
  expect(hidden).toMatchObject({ body: { error: { code: -32602, message: 'no such tool: tools/list names them' } } });
});
