import {
  createFairQueue,
  FILE_CAPS,
  type FileCaps,
  type FileForm,
  type SheetPart,
  UnreadableFile,
  type Workbooks,
} from '@tarifario/core/service';
import { decodeFrame, type Frame } from './frames.ts';
import { type ReadingProcess, startReadingProcess } from './reading-process.ts';
import { partsOf } from './sheet-parts.ts';

export interface WorkbookReaderSettings {
  readonly caps?: FileCaps;
  /** That a file may take, not counting how long whoever reads its parts takes for them. */
  readonly wallMs?: number;
  /** That a file may take of the processors. */
  readonly cpuMs?: number;
  /** Of the memory in which the file is taken apart. */
  readonly heapMb?: number;
  /** A process that was started already, for the first file. */
  readonly ready?: ReadingProcess | null;
  /** Files that may wait while one is read. */
  readonly waiting?: number;
  /** What those are told who find all places taken. */
  readonly retryAfterSeconds?: number;
}

export interface WorkbookReader extends Pick<Workbooks, 'read'> {
  /** Starts a process for the next file, so that it need not wait for it. */
  expect(): void;
  /** Ends what runs and sends away what waits. */
  close(): void;
}

/**
 * Reads files one at a time, each in a process of its own that is started for it: a file that was made to break a
 * parser breaks that process, and the memory and time that it can take are those of that process.
 */
export function createWorkbookReader({
  caps = FILE_CAPS,
  wallMs = 30_000,
  cpuMs = 20_000,
  heapMb,
  waiting = 2,
  retryAfterSeconds = 10,
  ready = null,
}: WorkbookReaderSettings = {}): WorkbookReader {
  const queue = createFairQueue({ places: 1, waitingPerKey: waiting, refusal: { retryAfterSeconds } });
  const running = new Set<ReadingProcess>();
  let next = ready;
  /** The one that is ready, unless it is gone: a system short of memory ends what does nothing first. */
  const take = () => {
    const taken = next;
    next = null;
    const isThere = taken !== null && taken.end().signal === null && taken.end().code === null;
    return isThere ? taken : startReadingProcess(heapMb);
  };

  async function* read(bytes: Uint8Array | string, form: FileForm): AsyncGenerator<SheetPart> {
    if (bytes.length > caps.sentBytes) throw new UnreadableFile('too_large');
    const giveBack = await queue.take('file');
    const child = take();
    running.add(child);
    try {
      child.send({ form, caps, cpuMs }, bytes);
      yield* partsOf(framesOf(child, wallMs));
    } finally {
      child.kill();
      await child.ended;
      running.delete(child);
      giveBack();
    }
  }

  return {
    read,
    expect() {
      next ??= startReadingProcess(heapMb);
    },
    close() {
      queue.close();
      next?.kill();
      for (const child of running) child.kill();
    },
  };
}

/** The frames as they come. The process is ended when it makes this side wait too long, all waiting taken together. */
async function* framesOf(child: ReadingProcess, wallMs: number): AsyncGenerator<Frame> {
  const { output } = child;
  output.setEncoding('utf8');
  const pieces: AsyncIterator<string> = output[Symbol.asyncIterator]();
  const lines = createLines();
  let leftMs = wallMs;
  for (;;) {
    const asked = performance.now();
    const timer = setTimeout(child.kill, leftMs);
    const piece = await pieces.next().finally(() => clearTimeout(timer));
    leftMs = Math.max(0, leftMs - (performance.now() - asked));
    if (piece.done) break;
    for (const line of lines.add(piece.value)) yield decodeFrame(line);
  }
  await child.ended;
  const { signal, code } = child.end();
  // From the clock above, or from a system short of memory; any other signal is that of an engine out of memory.
  if (signal !== null) throw new UnreadableFile(signal === 'SIGKILL' ? 'too_costly' : 'too_much_memory');
  throw new Error(`the process that reads files ended with code ${code}`);
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
