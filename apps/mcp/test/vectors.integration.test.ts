import { operations, type Tool } from '@tarifario/api';
import { contentOf, shownOf, toArguments } from '@tarifario/testkit/api/tool-calls';
import { BLIND_SCOPES, buildVectorWorld, readVectors } from '@tarifario/testkit/api/vectors';
import { requestOf } from '@tarifario/testkit/http/http-world';
import { ask, askFor, type RunningServer } from '@tarifario/testkit/http/running-server';
import { callTool, post, request, startMcpServer } from '@tarifario/testkit/mcp/mcp-server';
import { shareOf } from '@tarifario/testkit/share';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differencesOf } from '../../../test-fixtures/vectors/oracle/differences.mjs';

// REST and the tools answer the vectors over a socket, from a server on a SQLite file. They only read, so those about the
// same offers share one.

const vectors = readVectors();
const worlds = [...Map.groupBy(vectors, ({ given }) => JSON.stringify(given.offers)).values()];
/** Each needs a server. Without a socket all vectors are tested each time. */
const asked = [...Map.groupBy(worlds, ([first]) => first?.given.request.operation).values()].flatMap((some) =>
  shareOf(some, 3),
);
/** What a tool answers where REST says that `w` needs `commissions:read`. */
const UNKNOWN_ARGUMENT = { body: { detail: { code: 'invalid_request' } } };
const isWeightRefused = (body: unknown) => JSON.stringify(body).includes('"weight_needs_commissions"');
/** Texts that tools read as what they say. */
const READ_AS_MEANT = ['A consumption as text is refused', 'A ranking filter on balancing costs as text is refused'];
/** A tool that a key may not call is unknown to it. */
const isScopeMissing = (body: unknown) => JSON.stringify(body).includes('"missing_scope"');
const toolNames = new Map(operations.map(({ id, mcp }) => [id, mcp]));

it('every operation with vectors is tested', () => {
  expect(vectors.length).toBeGreaterThanOrEqual(40);
  expect(worlds.flat()).toHaveLength(vectors.length);
  const operationsOf = (some: typeof vectors) => new Set(some.map(({ given }) => given.request.operation));
  expect(operationsOf(asked.flat())).toEqual(operationsOf(vectors));
});

describe.each(asked.map((world) => ({ first: world[0]?.name, world })))('offers of "$first"', ({ world }) => {
  let server: RunningServer;
  let tools: readonly Tool[];
  const keys = new Map<string, string>();

  beforeAll(async () => {
    server = await startMcpServer();
    const accountId = await server.addAccount('vectors');
    const key = await server.addKey(accountId, {});
    keys.set('full', key);
    keys.set('no-commissions', await server.addKey(accountId, { scopes: BLIND_SCOPES }));
    const askAs = (id: string, sent: Parameters<typeof requestOf>[1]) => askFor(server, key, requestOf(id, sent));
    await buildVectorWorld({ store: server.service.store, ask: askAs }, world[0]?.given.offers ?? []);
    tools = JSON.parse((await post(server, key, request('tools/list'))).text).result.tools;
  });

  afterAll(() => server.close());

  it.each(world)('$file: $name', async ({ name, given, expect: expected }) => {
    const { operation, ...sent } = given.request;
    const key = keys.get(given.caller) ?? '';
    const { status, text } = await ask(server, key, requestOf(operation, sent));
    expect(differencesOf(expected, { status, body: JSON.parse(text) })).toEqual([]);
    // Agents have no portfolios.
    if (!toolNames.get(operation)) return;
    const tool = tools.find(({ name }) => name === toolNames.get(operation));
    if (!tool) throw new Error(`no tool for ${operation}`);
    const args = toArguments(tool, sent);
    if (isScopeMissing(expected.body)) {
      const { error } = JSON.parse(
        (await post(server, key, request('tools/call', { name: tool.name, arguments: args }))).text,
      );
      expect(error.message).toBe('no such tool: tools/list names them');
      return;
    }
    const result = await callTool(server, key, tool.name, args);
    expect(result.isError).toBe(expected.status >= 400 && !READ_AS_MEANT.includes(name));
    const { next_offset: _next, note: _note, ...content } = contentOf(result);
    if (expected.status < 400) expect(content).toEqual(shownOf(JSON.parse(text)));
    const { body } = isWeightRefused(expected.body) ? UNKNOWN_ARGUMENT : expected;
    if (result.isError) expect(differencesOf(body, content)).toEqual([]);
  });
});
