import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { main } from '@tarifario/cli';
import { vi } from 'vitest';
import { childEnvironment } from '../child-environment.ts';

export const PROGRAM = fileURLToPath(new URL('../../../../apps/cli/bin/tarifario.mjs', import.meta.url));

export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A new folder with a database. The program runs there in a separate process. */
export interface Workplace {
  readonly folder: string;
  readonly databaseFile: string;
  /** Everything that the database keeps. */
  storedBytes(): Promise<string>;
  run(args: readonly string[], options?: RunOptions): Promise<Finished>;
  /** The document that a successful command prints, run inside this process unless it needs flags of Node. */
  json<T>(args: readonly string[], options?: RunOptions): Promise<T>;
  /** The same inside this process. It is a hundred times faster, for long tables of refusals. */
  runHere(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Finished>;
  /** A command that keeps running. */
  start(args: readonly string[], options?: RunOptions): ChildProcess;
  remove(): Promise<void>;
}

export interface RunOptions {
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** Flags of Node; by default those of the first line of the program. */
  readonly nodeFlags?: readonly string[];
}

export async function openWorkplace(): Promise<Workplace> {
  const folder = await mkdtemp(join(tmpdir(), 'tarifario-cli-'));
  const databaseFile = join(folder, 'test.db');
  const environment = {
    ...childEnvironment,
    DATABASE_URL: `sqlite:${databaseFile}`,
    LOG_LEVEL: 'warn',
    // No load balancer has to find out.
    DRAIN_SECONDS: '0',
  };
  const start: Workplace['start'] = (args, { env = {}, nodeFlags = ['--conditions=tarifario-source'] } = {}) =>
    spawn(process.execPath, [...nodeFlags, PROGRAM, ...args], {
      cwd: folder,
      env: { ...environment, ...env },
      // Whatever a failed test leaves behind ends by itself.
      timeout: 600_000,
      killSignal: 'SIGKILL',
    });
  const run: Workplace['run'] = async (args, options = {}) => {
    const child = start(args, options);
    child.stdin?.end(options.stdin ?? '');
    const [stdout, stderr, [status]] = await Promise.all([read(child.stdout), read(child.stderr), once(child, 'exit')]);
    return { status, stdout, stderr };
  };
  return {
    folder,
    databaseFile,
    async storedBytes() {
      const files = [databaseFile, `${databaseFile}-wal`].filter((file) => existsSync(file));
      return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('');
    },
    start,
    run,
    runHere: (args, env = {}) => runHere(args, { ...environment, ...env }),
    async json(args, options = {}) {
      const { stdin, nodeFlags, env = {} } = options;
      const finished = nodeFlags ? run(args, options) : runHere(args, { ...environment, ...env }, stdin);
      const { status, stdout, stderr } = await finished;
      if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
      return JSON.parse(stdout);
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

async function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input: string | Uint8Array = '',
): Promise<Finished> {
  const printed = { stdout: '', stderr: '' };
  const stdin = Readable.from([Buffer.from(input)], { objectMode: false });
  const typing = vi
    .spyOn(process, 'stdin', 'get')
    .mockReturnValue(Object.assign(stdin, { fd: 0 }) as typeof process.stdin);
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk: string | Uint8Array, ...more: readonly unknown[]) => {
      printed[name] += chunk;
      more.find((one): one is () => void => typeof one === 'function')?.();
      return true;
    }),
  );
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  try {
    return { status: await main(args), ...printed };
  } finally {
    vi.unstubAllEnvs();
    for (const spy of [typing, ...spies]) spy.mockRestore();
  }
}

function read(stream: NodeJS.ReadableStream | null): Promise<string> {
  return stream === null ? Promise.resolve('') : text(stream);
}

/** What a running program has printed once a text was found in it; fails when it ends before. */
export function printedUntil(child: ChildProcess, wanted: RegExp): Promise<string> {
  let printed = '';
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      printed += chunk;
      if (wanted.test(printed)) resolve(printed);
    });
    child.once('exit', () => reject(new Error(`the program ended early: ${printed}`)));
  });
}

/** The address that a server prints once it listens. */
export async function addressOf(child: ChildProcess): Promise<string> {
  const printed = await printedUntil(child, /^listening on \S+\n/m);
  return /^listening on (\S+)\n/m.exec(printed)?.[1] ?? '';
}
