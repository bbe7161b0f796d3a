import type { Tool } from '@tarifario/api';
import { createLog } from '@tarifario/runtime';
import { toArguments } from '@tarifario/testkit/api/tool-calls';
import { brokenValues } from '@tarifario/testkit/http/fuzz-values';
import { fillServer } from '@tarifario/testkit/http/http-world';
import type { RunningServer } from '@tarifario/testkit/http/running-server';
import { request, startMcpServer } from '@tarifario/testkit/mcp/mcp-server';
import { runsOf, shareOf } from '@tarifario/testkit/share';
import type { AnySchemaObject } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mcpMount } from '../src/index.ts';

// Every argument of every tool gets every value that broke a program before, one at a time, with valid other arguments.

/** The beginnings of messages of zod, ajv, SQLite and V8. */
const NOT_OUR_WORDS =
  /Invalid input|Expected|received|Too (big|small)|must match|SQLITE|Cannot|undefined|at Object|\.ts:/;

let server: RunningServer;
let filled: Awaited<ReturnType<typeof fillServer>>;
const bugs: string[] = [];

beforeAll(async () => {
  server = await startMcpServer();
  filled = await fillServer(server, 'hostile');
});
afterAll(() => server.close());

/** The handler itself, without a socket. */
async function send(body: string) {
  const log = createLog('warn', (line) => bugs.push(line));
  const { dispatch } = server.service;
  const mount = mcpMount({ dispatch, log, config: { ...server.config, mcpAllowedHosts: [], mcpAllowedOrigins: [] } });
  const answer = await mount.handle({
    method: 'POST',
    apiKey: filled.key,
    address: '::1',
    header: (name) => (name === 'host' ? 'localhost' : null),
    readBody: async () => JSON.parse(body),
  });
  return JSON.parse(JSON.stringify(answer.body));
}

/** The JSON text as it arrives: with a number that JSON.stringify would write in another way, and existing ids. */
function written(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(/"@raw:([^"]*)"/g, '$1')
    .replaceAll(/"@\w+:\d+"/g, String(filled.sample.luzId));
}

const SOUND: Readonly<Record<string, object>> = {
  rank_offers: { supply_type: 'LUZ', energia: { e1: 1000 } },
  recommend_offers: { consumption_mwh: 3 },
  calculate_commission: { consumption_mwh: 3 },
};

it('no arguments make a tool fail, or answer with the text of a library', {
  timeout: 120_000,
}, async () => {
  const tools: readonly Tool[] = (await send(JSON.stringify(request('tools/list')))).result.tools;
  let refused = 0;
  let done = 0;
  for (const tool of tools) {
    const properties: Readonly<Record<string, AnySchemaObject>> = JSON.parse(
      JSON.stringify(tool.inputSchema.properties),
    );
    const call = filled.calls[toOperation(tool.name)] ?? {};
    const { include_inactive: _left, ...sound } = { ...toArguments(tool, call), ...SOUND[tool.name] };
    const fields: [string, AnySchemaObject][] = [...Object.entries(properties), ['unknown_one', { type: 'string' }]];
    for (const [turn, [name, schema]] of fields.entries()) {
      for (const value of shareOf(
        brokenValues(schema, (inner) => inner),
        3,
        turn,
      )) {
        const args = `{${[...Object.entries(sound).filter(([other]) => other !== name), [name, value] as const]
          .map(([key, each]) => `${JSON.stringify(key)}:${written(each)}`)
          .join(',')}}`;
        const message = JSON.stringify(request('tools/call', { name: tool.name, arguments: '@args' }));
        const { result, error } = await send(message.replace('"@args"', () => args));
        const asked = `${tool.name} ${args}`;
        expect(error, asked).toBeUndefined();
        if (result.isError) {
          const { detail } = JSON.parse(result.content[0].text);
          expect(['invalid_request', 'not_found', 'foreign_firm', 'business_rule'], asked).toContain(detail.code);
          // Paths repeat the input; the rest of the text is ours.
          const messages = [detail.message, ...(detail.errors ?? []).map((each: { error: string }) => each.error)].join(
            ' ',
          );
          expect(messages, asked).not.toMatch(NOT_OUR_WORDS);
          refused += 1;
        } else {
          done += 1;
        }
      }
    }
  }
  expect(bugs).toEqual([]);
  expect(refused).toBeGreaterThan(runsOf(700, 2000));
  expect(done).toBeGreaterThan(runsOf(60, 200));
});

function toOperation(toolName: string): string {
  return toolName.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
