import {
  type Closing,
  DomainError,
  FILE_CAPS,
  type FileForm,
  onceClosed,
  type SheetPart,
  UnreadableFile,
  type Workbooks,
} from '@tarifario/core/service';
import { type ReadingProcess, startReadingProcess } from './reading-process.ts';
import { partsOf } from './sheet-parts.ts';

/** `Retry-After` once the reader is closed. */
const RETRY_AFTER_SECONDS = 10;

export interface WorkbookReaderSettings {
  /** Time limit for a file, without the time that the consumer of its parts takes. */
  readonly wallMs?: number;
  /** CPU time limit for a file. */
  readonly cpuMs?: number;
  /** Heap limit of the reading process. */
  readonly heapMb?: number;
  /** A process started earlier, for the first file. */
  readonly ready?: ReadingProcess | null;
}

export interface WorkbookReader extends Pick<Workbooks, 'read'> {
  /** Starts the process for the next file in advance. */
  expect(): void;
  /** Ends the running processes and refuses further files. */
  close(): void;
}

/**
 * Reads each file in its own process: a file that breaks the parser only breaks that process, and the limits on memory
 * and time apply to that process. How many are read at once is up to the caller.
 */
export function createWorkbookReader({
  wallMs = 30_000,
  cpuMs = 20_000,
  heapMb,
  ready = null,
}: WorkbookReaderSettings = {}): WorkbookReader {
  const running = new Set<ReadingProcess>();
  let isClosed = false;
  let next = ready;
  /** The process started in advance, unless it is gone: a system short of memory kills idle processes first. */
  const take = () => {
    const taken = next;
    next = null;
    const isThere = taken !== null && taken.end().signal === null && taken.end().code === null;
    return isThere ? taken : startReadingProcess(heapMb);
  };

  async function* read(bytes: Uint8Array | string, form: FileForm, closing?: Closing): AsyncGenerator<SheetPart> {
    if (bytes.length > FILE_CAPS.sentBytes) throw new UnreadableFile('too_large');
    if (isClosed) throw new DomainError('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    const child = take();
    running.add(child);
    const forget = onceClosed(closing, child.kill);
    try {
      child.send({ form, caps: FILE_CAPS, cpuMs }, bytes);
      yield* partsOf(linesOf(child, wallMs));
    } finally {
      forget();
      child.kill();
      await child.ended;
      running.delete(child);
    }
  }

  return {
    read,
    expect() {
      next ??= startReadingProcess(heapMb);
    },
    close() {
      isClosed = true;
      next?.kill();
      for (const child of running) child.kill();
    },
  };
}

/**
 * Upper bound for the length of a line, more than the longest row takes, so that a process that sends no end of line
 * cannot fill the memory.
 */
const LONGEST_LINE = 4 * 1024 * 1024;

/** The lines of the process. It is ended when the total time of waiting for it exceeds the limit. */
async function* linesOf(child: ReadingProcess, wallMs: number): AsyncGenerator<string> {
  const { output } = child;
  output.setEncoding('utf8');
  const pieces: AsyncIterator<string> = output[Symbol.asyncIterator]();
  let begun = '';
  let leftMs = wallMs;
  for (;;) {
    const startedAt = performance.now();
    const timer = setTimeout(child.kill, leftMs);
    const piece = await pieces.next().finally(() => clearTimeout(timer));
    leftMs = Math.max(0, leftMs - (performance.now() - startedAt));
    if (piece.done) break;
    const [first, ...others] = piece.value.split('\n');
    begun += first;
    if (begun.length > LONGEST_LINE) throw new Error('the process that reads files sent a line that does not end');
    for (const next of others) {
      yield begun;
      begun = next;
    }
  }
  await child.ended;
  const { signal, code } = child.end();
  // Sent by the timer above, or by a system short of memory; any other signal means that the JavaScript engine ran out
  // of memory.
  if (signal !== null) throw new UnreadableFile(signal === 'SIGKILL' ? 'too_costly' : 'too_much_memory');
  throw new Error(`the process that reads files ended with code ${code}`);
}
