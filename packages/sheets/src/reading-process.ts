// Kept apart from the rest of this package: whoever needs a process soon starts it with this, and loads the rest while
// it comes up.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { sep } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { ReadJob } from './file-reading.ts';

/** A process that reads one file and ends. It waits for it as long as need be, and ends when nobody can send one. */
export interface ReadingProcess {
  readonly output: Readable;
  /** Settles when the process is gone, or never came to be. */
  readonly ended: Promise<void>;
  /** Why it is gone: a signal, or how it ended by itself; both `null`: it is not. */
  end(): { readonly signal: string | null; readonly code: number | null };
  send(job: ReadJob, bytes: Uint8Array | string): void;
  kill(): void;
}

const HEAP_MB = 256;
/**
 * What reads a stranger's file may read its own program and the libraries beside it, and neither write, start nor load
 * anything else. From Node 25 on it has no network either.
 */
const READABLE = [fileURLToPath(new URL('..', import.meta.url)), ...libraryFolders()];

/** @param heapMb - Of the memory in which the file is taken apart. */
export function startReadingProcess(heapMb = HEAP_MB): ReadingProcess {
  const child = start(heapMb);
  // A process that ended early takes no more input. What that means is told by how it ended.
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

/** Those of the folders above that are there. */
function libraryFolders(): readonly string[] {
  const places = createRequire(import.meta.url).resolve.paths('any') ?? [];
  return places
    .filter((place) => place.endsWith(`${sep}node_modules`) && existsSync(place))
    .map((place) => place + sep);
}

/** What a Node before 22.18 was started with to read sources. */
function isTypeStripping(flag: string): boolean {
  return flag === '--experimental-strip-types';
}
