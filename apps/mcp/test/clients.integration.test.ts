import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { operations } from '@tarifario/api';
import { contentOf, shownOf } from '@tarifario/testkit/api/tool-calls';
import { fillServer } from '@tarifario/testkit/http/http-world';
import { askFor, type RunningServer } from '@tarifario/testkit/http/running-server';
import { type CallResult, startMcpServer } from '@tarifario/testkit/mcp/mcp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// The two generations of the official client, as they come.

const QUESTION = { supply_type: 'LUZ', energia: { e1: 1200, e2: 900, e3: 1400 }, potencia: { p1: 4.6, p2: 4.6 } };
const ABOUT = { name: 'test', version: '1' };

let server: RunningServer;
let filled: Awaited<ReturnType<typeof fillServer>>;

beforeAll(async () => {
  server = await startMcpServer();
  filled = await fillServer(server, 'clients');
});
afterAll(() => server.close());

const settings = (key: string) => ({ requestInit: { headers: { 'X-API-Key': key } } });
const addressOf = () => new URL(`${server.url}/mcp`);

async function older(key: string) {
  const client = new OlderClient(ABOUT);
  const transport = new OlderTransport(addressOf(), settings(key));
  // Its own types disagree about a property that may be undefined.
  await Reflect.apply(client.connect, client, [transport]);
  return client;
}

async function newer(key: string, mode?: 'auto') {
  const client = new Client(ABOUT, mode ? { versionNegotiation: { mode } } : {});
  await client.connect(new StreamableHTTPClientTransport(addressOf(), settings(key)));
  return client;
}

const resultOf = (result: unknown): CallResult => JSON.parse(JSON.stringify(result));

describe.each([
  ['the client of SDK 1', older, undefined],
  ['the client of SDK 2', (key: string) => newer(key), '2025-11-25'],
  ['the client of SDK 2 that looks for the newest protocol first', (key: string) => newer(key, 'auto'), '2026-07-28'],
])('%s', (_name, connect, version) => {
  it('A-47, A-93: connects, lists the tools, calls one and gets the same answer as over REST', async () => {
    const client = await connect(filled.key);
    if (client instanceof Client) expect(client.getNegotiatedProtocolVersion()).toBe(version);
    const { resources } = await client.listResources();
    const [glossary] = (await client.readResource({ uri: resources[0]?.uri ?? '' })).contents;
    expect(glossary).toMatchObject({ text: expect.stringContaining('`nota_precio`') });
    const invoice = { name: 'compare_for_invoice', arguments: { invoice: 'punta 100 kWh' } };
    expect(JSON.stringify(await client.getPrompt(invoice))).toContain('punta 100 kWh');
    expect(client.getServerVersion()).toMatchObject({ name: 'tarifario' });
    expect(client.getInstructions()).toContain('rank_offers');
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(operations.filter(({ mcp }) => mcp !== null).length);
    const rest = await askFor(server, filled.key, { path: '/v1/offers/efficient', body: QUESTION });
    const ranking = await client.callTool({ name: 'rank_offers', arguments: QUESTION });
    expect(contentOf(resultOf(ranking))).toEqual(shownOf(rest));
    const { luzId } = filled.sample;
    const offer = await client.callTool({ name: 'get_offer', arguments: { id: luzId } });
    const detail = await askFor(server, filled.key, { path: `/v1/offers/${luzId}` });
    expect(contentOf(resultOf(offer))).toEqual(shownOf(detail));
    const refused = await client.callTool({ name: 'get_offer', arguments: { id: luzId, extra: 1 } });
    expect(refused.isError).toBe(true);
    await client.close();
  });

  it('is refused without a key', async () => {
    await expect(connect('')).rejects.toThrow(/401|unauthenticated/i);
  });
});
