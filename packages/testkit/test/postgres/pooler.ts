import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { quietPort } from './quiet-port.ts';

export type PoolMode = 'session' | 'transaction';

/** PgBouncer in front of a server. */
export interface Pooler {
  /** The address of a database, through it. */
  url(direct: string): string;
  /** Ends it, and starts it again at the same place. */
  restart(mode: PoolMode): Promise<void>;
  stop(): Promise<void>;
}

export const hasPooler = spawnSync('pgbouncer', ['--version'], { stdio: 'ignore' }).error === undefined;
if (!hasPooler) console.warn('!!! NOT TESTED: there is no pgbouncer here, so no pooler was tried !!!');

/** @param direct - The address of any database of the server. */
export async function startPooler(direct: string, mode: PoolMode): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'tarifario-pgbouncer-'));
  // It refuses to run as root.
  chmodSync(folder, 0o755);
  const { hostname, port: serverPort, username } = new URL(direct);
  const port = await quietPort();
  const file = join(folder, 'pgbouncer.ini');
  let child: ChildProcess | null = null;
  const start = async (as: PoolMode) => {
    const settings = [
      `[databases]\n* = host=${hostname} port=${serverPort} user=${username}`,
      `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nauth_type = any\nunix_socket_dir =`,
      `pool_mode = ${as}\nmax_client_conn = 200\ndefault_pool_size = 20`,
      'ignore_startup_parameters = statement_timeout,extra_float_digits',
    ];
    writeFileSync(file, `${settings.join('\n')}\n`);
    const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    child = spawn('pgbouncer', [...user, '-q', file], { stdio: 'ignore', timeout: 900_000, killSignal: 'SIGKILL' });
    for (let tries = 0; !(await isOpen(port)); tries += 1) {
      if (tries === 200) throw new Error('pgbouncer does not listen');
      await sleep(50);
    }
  };
  const stop = async () => {
    if (child === null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  await start(mode);
  return {
    url(database) {
      const url = new URL(database);
      url.hostname = '127.0.0.1';
      url.port = String(port);
      return url.href;
    },
    async restart(as) {
      await stop();
      await start(as);
    },
    async stop() {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
