import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { childEnvironment } from '@tarifario/testkit/child-environment';
import { fillServer } from '@tarifario/testkit/http/http-world';
import type { RunningServer } from '@tarifario/testkit/http/running-server';
import { startMcpServer } from '@tarifario/testkit/mcp/mcp-server';
import { shareOf } from '@tarifario/testkit/share';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

// Each setting of a client that docs/mcp.md shows is used unchanged, except for the address, the key and the database.

const ROOT = join(import.meta.dirname, '../../..');
const page = readFileSync(join(ROOT, 'docs/mcp.md'), 'utf8');
const sections = page.split(/^(?=\*\*)/m).map((text) => ({ client: /^\*\*(.*?)\*\*/.exec(text)?.[1] ?? '', text }));

const entrySchema = z.looseObject({
  command: z.string().optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  url: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
});
type Entry = z.infer<typeof entrySchema>;
const settings = z.looseObject({
  servers: z.object({ tarifario: entrySchema }).optional(),
  mcpServers: z.object({ tarifario: entrySchema }).optional(),
});

const shown = sections.flatMap(({ client, text }) => {
  const json = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, block = '']) => {
    const { servers, mcpServers } = settings.parse(JSON.parse(block));
    return (servers ?? mcpServers)?.tarifario ?? {};
  });
  const shell = [...text.matchAll(/^claude mcp add (.*)$/gm)].map(([, words = '']) => entryOf(words));
  return [...json, ...shell].map((entry) => ({ client, how: entry.url ? 'over HTTP' : 'over stdio', entry }));
});

/** Settings that say the same, with the clients that have them: each starts the program once. */
const distinct = [...Map.groupBy(shown, ({ entry }) => meaningOf(entry))].map(([meaning, alike]) => ({
  clients: alike.map(({ client }) => client).join(' and '),
  how: alike[0]?.how,
  entry: entrySchema.parse(JSON.parse(meaning)),
}));

/** What a client makes of a setting, whatever it calls the place of the key. */
function meaningOf({ command, args, env, url, headers }: Entry): string {
  return JSON.stringify({ command, args, env, url, headers }).replaceAll(/"(\$\{(input|env):[\w-]+\}|KEY)"/g, '"KEY"');
}

/** What `claude mcp add` keeps. */
function entryOf(line: string): Entry {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
  const after = (flag: string) => words.flatMap((word, at) => (word === flag ? [words[at + 1] ?? ''] : []));
  const pairs = (texts: readonly string[], sign: string) =>
    Object.fromEntries(texts.map((text) => text.split(sign, 2)));
  const from = words.indexOf('--');
  if (from < 0) return { url: words.find((word) => word.startsWith('http:')), headers: pairs(after('--header'), ': ') };
  return { command: words[from + 1], args: words.slice(from + 2), env: pairs(after('--env'), '=') };
}

let server: RunningServer;
let filled: Awaited<ReturnType<typeof fillServer>>;
beforeAll(async () => {
  server = await startMcpServer();
  filled = await fillServer(server, 'settings');
});
afterAll(() => server.close());

/** With the place, the address, the key and the database of this test. */
function filledIn(entry: Entry): Entry {
  const text = JSON.stringify(entry)
    .replaceAll('sqlite:/path/to/tarifario.db', server.config.databaseUrl)
    .replaceAll('/path/to/tarifario', ROOT)
    .replaceAll('http://127.0.0.1:3000', server.url)
    .replaceAll('"KEY"', JSON.stringify(filled.key));
  return entrySchema.parse(JSON.parse(text));
}

test('the page has settings for four clients', () => {
  const clients = shown.map(({ client }) => client);
  expect(new Set(clients)).toEqual(new Set(['Claude Code', 'Claude Desktop', 'VS Code', 'Cursor']));
  expect(shown).toHaveLength(6);
  expect(distinct).toHaveLength(3);
});

test.each(shareOf(distinct, 3))('A-94: the setting of $clients $how connects them to the offers', async ({ entry }) => {
  const { command, args = [], env = {}, url, headers = {} } = filledIn(entry);
  const transport = url
    ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
    : new StdioClientTransport({ command: command ?? '', args, env: { ...inherited(), ...env }, stderr: 'ignore' });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transport);
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  expect(client.getServerVersion()).toMatchObject({ name: 'tarifario' });
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('rank_offers');
  const { content } = await client.callTool({ name: 'get_offer', arguments: { id: filled.sample.luzId } });
  expect(JSON.stringify(content)).toContain('Luz Clara');
  await client.close();
});

/** The environment in which a program of the user starts. */
function inherited(): Record<string, string> {
  return { ...childEnvironment, HOME: process.env.HOME ?? '', npm_config_update_notifier: 'false' };
}

test('the program of docs/mcp.md ranks the offers', async () => {
  const [, block = ''] = /```ts\n(.*?)```/s.exec(page) ?? [];
  const [imported = '', code = ''] = block.split(/^(?=\nconst)/m, 2);
  expect(imported).toBe("import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';\n");
  const names = ['Client', 'StreamableHTTPClientTransport', 'process'];
  const run = new AsyncFunction(...names, `${code.replace('http://127.0.0.1:3000', server.url)}; return ranking;`);
  const ranking = await run(Client, StreamableHTTPClientTransport, { env: { TARIFARIO_KEY: filled.key } });
  expect(ranking.results.length).toBeGreaterThan(0);
});

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
