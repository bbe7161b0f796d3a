import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { operations } from '@tarifario/api';
import { contentOf, shownOf } from '@tarifario/testkit/api/tool-calls';
import { fillServer } from '@tarifario/testkit/http/http-world';
import { askFor, type RunningServer } from '@tarifario/testkit/http/running-server';
import { post, request, startMcpServer } from '@tarifario/testkit/mcp/mcp-server';
import { temporaryFolder } from '@tarifario/testkit/temporary-folder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openConformanceProxy } from './conformance-proxy.ts';
import { baselineOf, HOW_TO_INSTALL, isInstalled, runExternalProgram } from './external-programs.ts';

// Programs of others, as they come: the Inspector's command line, the official conformance suite and an agent.

let server: RunningServer;
let filled: Awaited<ReturnType<typeof fillServer>>;
let folder: string;

beforeAll(async () => {
  folder = temporaryFolder();
  server = await startMcpServer();
  filled = await fillServer(server, 'outsiders');
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const TARIFARIO = join(import.meta.dirname, '../../cli/bin/tarifario.mjs');

/** Where the Inspector finds the tools of a key. */
const PLACES: Readonly<Record<string, (key: string) => readonly string[]>> = {
  HTTP: (key) => [`${server.url}/mcp`, '--transport', 'http', '--header', `X-API-Key: ${key}`],
  stdio: (key) => {
    const run = [
      process.execPath,
      '--conditions=tarifario-source',
      TARIFARIO,
      'mcp',
      '--url',
      server.url,
      '--key',
      key,
    ];
    return ['--transport', 'stdio', ...run];
  },
};

describe.skipIf(!isInstalled('mcp-inspector'))(`the Inspector (${HOW_TO_INSTALL})`, () => {
  async function inspect(place: string, key: string, method: string, more: readonly string[] = []) {
    const where = PLACES[place]?.(key) ?? [];
    return runExternalProgram('mcp-inspector', ['--cli', ...where, '--method', method, ...more], folder);
  }

  it.each(Object.keys(PLACES))('A-47, A-94: over %s lists the tools and calls one', async (place) => {
    const listed = await inspect(place, filled.key, 'tools/list');
    expect(listed).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(listed.stdout).tools).toHaveLength(operations.filter(({ mcp }) => mcp !== null).length);
    const args = ['--tool-name', 'rank_offers', '--tool-arg', 'supply_type=LUZ', 'energia={"e1":1200}', 'limit=1'];
    const called = await inspect(place, filled.key, 'tools/call', args);
    expect(called).toMatchObject({ status: 0, stderr: '' });
    const body = { supply_type: 'LUZ', energia: { e1: 1200 }, limit: 1 };
    const rest = await askFor(server, filled.key, { path: '/v1/offers/efficient', body });
    const { next_offset: _next, ...shown } = contentOf(JSON.parse(called.stdout));
    expect(shown).toEqual(shownOf(rest));
  });

  it('is refused without a valid key', async () => {
    const { status, stderr, stdout } = await inspect('HTTP', 'nobody', 'tools/list');
    expect(status).not.toBe(0);
    expect(stderr + stdout).toMatch(/auth/);
  });
});

describe.skipIf(!isInstalled('agent.mjs'))(`an agent of the AI SDK (${HOW_TO_INSTALL})`, () => {
  it('A-47: gives its model the tools with their schemas, and what a tool answers', async () => {
    const question = { supply_type: 'LUZ', energia: { e1: '1200' }, condiciones: null, limit: 1 };
    const args = [`${server.url}/mcp`, filled.key, JSON.stringify(question)];
    const { status, stdout, stderr } = await runExternalProgram('agent.mjs', args, folder);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const { tools, told } = z
      .object({ tools: z.array(z.looseObject({ name: z.string() })), told: z.array(z.looseObject({})) })
      .parse(JSON.parse(stdout));
    const names = operations.flatMap(({ mcp }) => mcp ?? []);
    expect(tools.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    expect(JSON.stringify(tools)).toContain('"umbrales_consumo":{"type":"boolean"}');
    const { text } = await post(
      server,
      filled.key,
      request('tools/call', { name: 'rank_offers', arguments: question }),
    );
    expect(told).toMatchObject([{ output: { value: JSON.parse(text).result.content } }]);
  });
});

describe.skipIf(!isInstalled('conformance'))(`the conformance suite (${HOW_TO_INSTALL})`, () => {
  const run = async (args: readonly string[]) => {
    const proxy = await openConformanceProxy({ url: server.url, key: filled.key });
    const done = await runExternalProgram('conformance', ['server', '--url', `${proxy.url}/mcp`, ...args], folder);
    await proxy.close();
    return done;
  };

  it.each(['2025-11-25', '2026-07-28'])(
    'A-93: of version %s passes except for features that this server does not offer',
    async (version) => {
      const baseline = ['--expected-failures', baselineOf(version)];
      const { status, stdout } = await run(['--requirements', version, ...baseline]);
      expect(stdout).toMatch(/✓ tools-call-simple-text/);
      expect(stdout).toMatch(/✓ tools-call-error/);
      expect(stdout).toMatch(/✓ dns-rebinding-protection/);
      if (version > '2026') expect(stdout).toMatch(/✓ caching.*✓ http-header-validation/s);
      expect(status, stdout).toBe(0);
    },
  );

  it('A-93: about requests without a session passes all cases that it can try', async () => {
    const args = ['--scenario', 'server-stateless', '--spec-version', '2026-07-28', '--verbose'];
    const { stdout } = await run(args);
    const checks = z
      .array(z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }))
      .parse(JSON.parse(stdout.slice(stdout.indexOf('[\n'), stdout.lastIndexOf('\n]') + 2)));
    expect(checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(20);
    const failed = checks.filter(({ status }) => status === 'FAILURE');
    for (const { id, errorMessage } of failed) expect(errorMessage, id).toMatch(/^Not testable/);
    expect(failed).toHaveLength(4);
  });

  it('fails with an empty baseline, so the suite does check something', async () => {
    expect((await run(['--requirements', '2025-11-25'])).status).toBe(1);
  });
});
