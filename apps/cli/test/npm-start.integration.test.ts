import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addressOf, openWorkplace, type Workplace } from './run-program.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

let place: Workplace;

beforeEach(async () => {
  place = await openWorkplace();
});

afterEach(() => place.remove());

// npm starts scripts through a shell, which would die of the signal and leave the server behind.
it('npm start passes SIGTERM on: the server drains, and both end with status 0', async () => {
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    env: {
      ...process.env,
      DATABASE_URL: `sqlite:${place.databaseFile}`,
      PORT: '0',
      LOG_LEVEL: 'warn',
      npm_config_update_notifier: 'false',
    },
    timeout: 600_000,
    killSignal: 'SIGKILL',
  });
  const url = await addressOf(child);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});
