import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addressOf, openWorkplace, type Workplace } from '@tarifario/testkit/cli/run-program';
import { afterEach, beforeEach, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

let place: Workplace;

beforeEach(async () => {
  place = await openWorkplace();
});

afterEach(() => place.remove());

function npmStart(env: Readonly<Record<string, string>> = {}): ChildProcess {
  return spawn('npm', ['start'], {
    cwd: ROOT,
    env: {
      ...process.env,
      DATABASE_URL: `sqlite:${place.databaseFile}`,
      PORT: '0',
      DRAIN_SECONDS: '0',
      LOG_LEVEL: 'warn',
      npm_config_update_notifier: 'false',
      ...env,
    },
    timeout: 600_000,
    killSignal: 'SIGKILL',
  });
}

it('npm start passes SIGTERM on: the server drains, and both processes end with status 0', async () => {
  const child = npmStart();
  const url = await addressOf(child);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});

// As cmd of Windows: it knows no `exec`, so it looks for a program of that name.
const SHELL_WITHOUT_EXEC = `#!/usr/bin/env node
const { spawn } = require('node:child_process');
const [program, ...args] = process.argv.at(-1).split(' ');
const child = spawn(program, args, { stdio: 'inherit' });
child.on('error', () => process.exit(127));
child.on('exit', (code) => process.exit(code ?? 1));
process.on('SIGTERM', () => child.kill('SIGTERM'));
`;

it('npm start does so too where the shell does not replace itself by the program', async () => {
  const shell = join(place.folder, 'shell.cjs');
  writeFileSync(shell, SHELL_WITHOUT_EXEC, { mode: 0o755 });
  const child = npmStart({ npm_config_script_shell: shell });
  const url = await addressOf(child);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});
