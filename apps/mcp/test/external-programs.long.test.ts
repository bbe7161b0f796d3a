import { rm } from 'node:fs/promises';
import { operations } from '@tarifario/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentOf, shownOf } from '../../../packages/api/test/tool-calls.ts';
import { temporaryFolder } from '../../../packages/store/test/temporary-folder.ts';
import { fillServer } from '../../http/test/http-world.ts';
import { askFor, type RunningServer } from '../../http/test/running-server.ts';
import { openConformanceProxy } from './conformance-proxy.ts';
import { BASELINE, HOW_TO_INSTALL, isInstalled, runExternalProgram } from './external-programs.ts';
import { startMcpServer } from './mcp-server.ts';

// Programs of others, as they come: the Inspector's command line and the official conformance suite.

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

describe.skipIf(!isInstalled('mcp-inspector'))(`the Inspector (${HOW_TO_INSTALL})`, () => {
  async function inspect(key: string, method: string, more: readonly string[] = []) {
    const where = ['--cli', `${server.url}/mcp`, '--transport', 'http', '--header', `X-API-Key: ${key}`];
    return runExternalProgram('mcp-inspector', [...where, '--method', method, ...more], folder);
  }

  it('lists the tools and calls one', async () => {
    const listed = await inspect(filled.key, 'tools/list');
    expect(listed).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(listed.stdout).tools).toHaveLength(operations.filter(({ mcp }) => mcp !== null).length);
    const args = ['--tool-name', 'rank_offers', '--tool-arg', 'supply_type=LUZ', 'energia={"e1":1200}', 'limit=1'];
    const called = await inspect(filled.key, 'tools/call', args);
    expect(called).toMatchObject({ status: 0, stderr: '' });
    const body = { supply_type: 'LUZ', energia: { e1: 1200 }, limit: 1 };
    const rest = await askFor(server, filled.key, { path: '/v1/offers/efficient', body });
    expect(contentOf(JSON.parse(called.stdout))).toEqual(shownOf(rest));
  });

  it('is refused without a valid key', async () => {
    const { status, stderr, stdout } = await inspect('nobody', 'tools/list');
    expect(status).not.toBe(0);
    expect(stderr + stdout).toMatch(/auth/);
  });
});

describe.skipIf(!isInstalled('conformance'))(`the conformance suite (${HOW_TO_INSTALL})`, () => {
  it('passes except for features that this server does not offer', async () => {
    const proxy = await openConformanceProxy({ url: server.url, key: filled.key });
    const asked = ['server', '--url', `${proxy.url}/mcp`, '--requirements', '2025-11-25'];
    const { status, stdout } = await runExternalProgram(
      'conformance',
      [...asked, '--expected-failures', BASELINE],
      folder,
    );
    await proxy.close();
    expect(stdout).toMatch(/✓ tools-call-simple-text/);
    expect(stdout).toMatch(/✓ tools-call-error/);
    expect(stdout).toMatch(/✓ dns-rebinding-protection/);
    expect(status, stdout).toBe(0);
  });

  it('fails with an empty baseline, so the suite does check something', async () => {
    const proxy = await openConformanceProxy({ url: server.url, key: filled.key });
    const asked = ['server', '--url', `${proxy.url}/mcp`, '--requirements', '2025-11-25'];
    const { status } = await runExternalProgram('conformance', asked, folder);
    await proxy.close();
    expect(status).toBe(1);
  });
});
