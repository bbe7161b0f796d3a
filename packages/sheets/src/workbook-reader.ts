import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
  FILE_CAPS,
  type FileCaps,
  type FileForm,
  type SheetPart,
  UnreadableFile,
  type Workbooks,
} from '@tarifario/core';
import type { ReadJob } from './file-reading.ts';
import { decodeFrame, type Frame } from './frames.ts';
import { partsOf } from './sheet-parts.ts';
import { createTurns } from './turns.ts';

export interface WorkbookReaderSettings {
  readonly caps?: FileCaps;
  /** That a file may take, not counting how long whoever reads its parts takes for them. */
  readonly wallMs?: number;
  /** That a file may take of the processors. */
  readonly cpuMs?: number;
  /** Of the memory in which the file is taken apart. */
  readonly heapMb?: number;
  /** Files that may wait while one is read. */
  readonly waiting?: number;
  /** What those are told who find all places taken. */
  readonly retryAfterSeconds?: number;
}

export interface WorkbookReader extends Pick<Workbooks, 'read'> {
  /** Ends what runs and sends away what waits. */
  close(): void;
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

/**
 * Reads files one at a time, each in a process of its own that is started for it: a file that was made to break a
 * parser breaks that process, and the memory and time that it can take are those of that process.
 */
export function createWorkbookReader({
  caps = FILE_CAPS,
  wallMs = 30_000,
  cpuMs = 20_000,
  heapMb = 256,
  waiting = 2,
  retryAfterSeconds = 10,
}: WorkbookReaderSettings = {}): WorkbookReader {
  const turns = createTurns({ waiting, retryAfterSeconds });
  const running = new Set<Child>();

  async function* read(bytes: Uint8Array, form: FileForm): AsyncGenerator<SheetPart> {
    if (bytes.length > caps.sentBytes) throw new UnreadableFile('too_large');
    const endTurn = await turns.take();
    const child = start({ form, caps, cpuMs }, heapMb);
    const ended = endOf(child);
    running.add(child);
    try {
      feed(child, bytes);
      yield* partsOf(framesOf(child, { wallMs, ended }));
    } finally {
      child.kill('SIGKILL');
      await ended;
      running.delete(child);
      endTurn();
    }
  }

  return {
    read,
    close() {
      turns.close();
      for (const child of running) child.kill('SIGKILL');
    },
  };
}

function start(job: ReadJob, heapMb: number): Child {
  const isSource = import.meta.url.endsWith('.ts');
  const program = fileURLToPath(new URL(isSource ? './read-child.ts' : './read-child.js', import.meta.url));
  // What reads a stranger's file may read files, which is how it loads itself, and may not write, start or load others.
  const confined = ['--permission', '--allow-fs-read=*', `--max-old-space-size=${heapMb}`];
  const conditions = isSource ? ['--conditions=source', ...process.execArgv.filter(isTypeStripping)] : [];
  return spawn(process.execPath, [...confined, ...conditions, program, JSON.stringify(job)], {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}

/** What a Node before 22.18 was started with to read sources. */
function isTypeStripping(flag: string): boolean {
  return flag === '--experimental-strip-types';
}

/** Settles when the process is gone, or never came to be. */
function endOf(child: Child): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
}

function feed(child: Child, bytes: Uint8Array): void {
  // A process that ended early takes no more input. What that means is told by how it ended.
  child.stdin.on('error', () => {});
  child.stdin.end(bytes);
}

/** The frames as they come. The process is ended when it makes this side wait too long, all waiting taken together. */
async function* framesOf(
  child: Child,
  { wallMs, ended }: { readonly wallMs: number; readonly ended: Promise<void> },
): AsyncGenerator<Frame> {
  child.stdout.setEncoding('utf8');
  const pieces: AsyncIterator<string> = child.stdout[Symbol.asyncIterator]();
  const lines = createLines();
  let leftMs = wallMs;
  for (;;) {
    const asked = performance.now();
    const timer = setTimeout(() => child.kill('SIGKILL'), leftMs);
    const piece = await pieces.next().finally(() => clearTimeout(timer));
    leftMs = Math.max(0, leftMs - (performance.now() - asked));
    if (piece.done) break;
    for (const line of lines.add(piece.value)) yield decodeFrame(line);
  }
  await ended;
  // A signal: from the clock above, from the engine out of memory, or from a system short of it.
  if (child.signalCode !== null) throw new UnreadableFile('too_costly');
  throw new Error(`the process that reads files ended with code ${child.exitCode}`);
}

/** Characters that a frame never has: about a hundred times what it is meant to hold. */
const LONGEST_FRAME = 4 * 1024 * 1024;

/** Puts lines together from pieces. */
function createLines() {
  let begun: string[] = [];
  let length = 0;
  return {
    /** The lines that the piece completes. */
    *add(piece: string): Generator<string> {
      const [first = '', ...more] = piece.split('\n');
      begun.push(first);
      length += first.length;
      if (length > LONGEST_FRAME) throw new Error('the process that reads files sent a frame that does not end');
      for (const next of more) {
        yield begun.join('');
        begun = [next];
        length = next.length;
      }
    },
  };
}
