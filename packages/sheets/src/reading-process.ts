// Separate from the rest of the package, so that a program can start the process first and load the rest meanwhile.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { sep } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { ReadJob } from './file-reading.ts';

/** A process that reads one file and exits. It waits for the file, and exits when its parent is gone. */
export interface ReadingProcess {
  readonly output: Readable;
  /** Resolves when the process has ended, or could not be started. */
  readonly ended: Promise<void>;
  /** How the process ended: by a signal, or with a status; both `null`: it is running. */
  end(): { readonly signal: string | null; readonly code: number | null };
  send(job: ReadJob, bytes: Uint8Array | string): void;
  kill(): void;
}

const HEAP_MB = 256;
/**
 * Permissions of the reading process: it may read its own program and its libraries, but not write files, start
 * processes or load anything else. From Node 25 on it has no network either.
 */
const READABLE = [fileURLToPath(new URL('..', import.meta.url)), ...libraryFolders()];

/** Those of this thread. */
const living = new Set<ReadingProcess>();

/**
 * Ends the processes of this thread. A thread that ended before them would leave them behind as entries in the table of
 * processes until this program ends, because no one else waits for them.
 */
export async function endReadingProcesses(): Promise<void> {
  for (const child of living) child.kill();
  await Promise.all([...living].map(({ ended }) => ended));
}

/** @param heapMb - Heap limit of the process. */
export function startReadingProcess(heapMb = HEAP_MB): ReadingProcess {
  const started = readingProcess(heapMb);
  living.add(started);
  void started.ended.then(() => living.delete(started));
  return started;
}

function readingProcess(heapMb: number): ReadingProcess {
  const child = start(heapMb);
  // A process that ended early accepts no more input. How it ended is reported by `ended`.
  child.stdin.on('error', () => {});
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  return {
    output: child.stdout,
    ended,
    end: () => ({ signal: child.signalCode, code: child.exitCode }),
    send(job, bytes) {
      child.stdin.write(`${JSON.stringify(job)}\n`);
      child.stdin.end(bytes);
    },
    kill: () => void child.kill('SIGKILL'),
  };
}

function start(heapMb: number): ChildProcessByStdio<Writable, Readable, null> {
  const isSource = import.meta.url.endsWith('.ts');
  const program = fileURLToPath(new URL(isSource ? './read-child.ts' : './read-child.js', import.meta.url));
  const confined = [
    '--permission',
    ...READABLE.map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${heapMb}`,
  ];
  const conditions = isSource ? ['--conditions=tarifario-source', ...process.execArgv.filter(isTypeStripping)] : [];
  return spawn(process.execPath, [...confined, ...conditions, program], { env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
}

/** Existing library folders in the parent directories. */
function libraryFolders(): readonly string[] {
  const places = createRequire(import.meta.url).resolve.paths('any') ?? [];
  return places
    .filter((place) => place.endsWith(`${sep}node_modules`) && existsSync(place))
    .map((place) => place + sep);
}

/** Whether Node before 22.18 was started with type stripping. */
function isTypeStripping(flag: string): boolean {
  return flag === '--experimental-strip-types';
}
