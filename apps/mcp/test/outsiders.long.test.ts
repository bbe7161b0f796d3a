import { rm } from 'node:fs/promises';
import { operations } from '@tarifario/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../packages/store/test/temporary-folder.ts';
import { fillServer } from '../../http/test/http-world.ts';
import { askFor, type RunningServer } from '../../http/test/running-server.ts';
import { startMcpServer } from './mcp-server.ts';
import { BASELINE, HOW_TO_INSTALL, isInstalled, runOutsider } from './outsiders.ts';
import { openSuiteDoor } from './suite-door.ts';

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
    return runOutsider('mcp-inspector', [...where, '--method', method, ...more], folder);
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
    expect(JSON.parse(called.stdout).structuredContent).toEqual(rest);
  });

  it('is refused without a key in force', async () => {
    const { status, stderr, stdout } = await inspect('nobody', 'tools/list');
    expect(status).not.toBe(0);
    expect(stderr + stdout).toMatch(/auth/);
  });
});

describe.skipIf(!isInstalled('conformance'))(`the conformance suite (${HOW_TO_INSTALL})`, () => {
  it('passes but for what this server does not offer', async () => {
    const door = await openSuiteDoor({ url: server.url, key: filled.key });
    const asked = ['server', '--url', `${door.url}/mcp`, '--requirements', '2025-11-25'];
    const { status, stdout } = await runOutsider('conformance', [...asked, '--expected-failures', BASELINE], folder);
    await door.close();
    expect(stdout).toMatch(/✓ tools-call-simple-text/);
    expect(stdout).toMatch(/✓ tools-call-error/);
    expect(stdout).toMatch(/✓ dns-rebinding-protection/);
    expect(status, stdout).toBe(0);
  });

  it('fails with a baseline that forgives nothing', async () => {
    const door = await openSuiteDoor({ url: server.url, key: filled.key });
    const asked = ['server', '--url', `${door.url}/mcp`, '--requirements', '2025-11-25'];
    const { status } = await runOutsider('conformance', asked, folder);
    await door.close();
    expect(status).toBe(1);
  });
});
