import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '@tarifario/testkit/child-environment';
import { addressOf } from '@tarifario/testkit/cli/run-program';
import { quietPort } from '@tarifario/testkit/postgres/quiet-port';
import { further } from '@tarifario/testkit/share';
import { temporaryFolder } from '@tarifario/testkit/temporary-folder';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SETTINGS = { LOG_LEVEL: 'warn', DATABASE_URL: 'sqlite:./here.db', DRAIN_SECONDS: '0' };
let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rm(folder, { recursive: true }));

/** The program as npm runs it: in its own folder, with the folder of the caller in a variable. */
function start(env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, ['--conditions=tarifario-source', PROGRAM], {
    cwd: join(ROOT, 'apps/mcp'),
    env: { ...childEnvironment, ...SETTINGS, INIT_CWD: folder, ...env },
    timeout: 600_000,
    killSignal: 'SIGKILL',
  });
}

describe('the MCP server alone', () => {
  further('starts with npm where npm was called, and stops on the signal that npm forwards', async () => {
    const child = spawn('npm', ['start', '--prefix', ROOT, '-w', 'apps/mcp'], {
      cwd: folder,
      env: { ...process.env, ...SETTINGS, PORT: '0', npm_config_update_notifier: 'false' },
      timeout: 600_000,
      killSignal: 'SIGKILL',
    });
    const url = await addressOf(child);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(existsSync(join(folder, 'here.db'))).toBe(true);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  it('serves /mcp and the health checks, and nothing else, even if its standard output is closed', async () => {
    const port = await quietPort();
    const child = start({ PORT: String(port) });
    child.stdout?.destroy();
    const statusOf = async (path: string, init?: RequestInit) =>
      (await fetch(`http://127.0.0.1:${port}${path}`, init)).status;
    await expect.poll(() => statusOf('/readyz').catch(String)).toBe(200);
    expect(await statusOf('/healthz')).toBe(200);
    expect(await statusOf('/mcp')).toBe(405);
    expect(await statusOf('/mcp', { method: 'POST' })).toBe(401);
    for (const path of ['/v1/offers', '/openapi.json', '/docs/']) expect(await statusOf(path)).toBe(404);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each([
    [{ PORT: 'x' }, 2, /^tarifario: PORT must be a whole number[^\n]+\n$/],
    [{ HOST: '203.0.113.9', PORT: '0', LOG_LEVEL: 'error' }, 1, /^tarifario: cannot listen on PORT 0 [^\n]+\n$/],
  ])('ends with one line when it cannot start: %j', async (env, status, line) => {
    const child = start(env);
    const [output, [code]] = await Promise.all([text(child.stderr ?? process.stdin), once(child, 'exit')]);
    expect(code).toBe(status);
    expect(output).toMatch(line);
  });
});
