import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import {
  type CellToWrite,
  type ColumnToWrite,
  createFairQueue,
  type SheetToWrite,
  type Workbooks,
} from '@tarifario/core/service';
import type { FromWriteWorker, ToWriteWorker } from './write-worker.ts';

/** `Retry-After` when the queue is full. */
const RETRY_AFTER_SECONDS = 5;

export interface WorkbookWriter extends Pick<Workbooks, 'write'> {
  /** Ends the running thread and refuses waiting files. */
  close(): Promise<void>;
}

/**
 * Writes files one at a time, each in its own thread; rows are sent to it in parts.
 *
 * @param waiting - How many files may wait while one is made.
 */
export function createWorkbookWriter(waiting = 8): WorkbookWriter {
  const queue = createFairQueue({
    places: 1,
    waitingPerKey: waiting,
    refusal: { retryAfterSeconds: RETRY_AFTER_SECONDS },
  });
  const running = new Set<Worker>();
  return {
    write: (sheets) =>
      queue.run('file', async () => {
        const worker = start();
        running.add(worker);
        try {
          return await writeWith(worker, sheets);
        } finally {
          await worker.terminate();
          running.delete(worker);
        }
      }),
    async close() {
      queue.close();
      await Promise.all([...running].map((worker) => worker.terminate()));
    },
  };
}

function start(): Worker {
  const isSource = import.meta.url.endsWith('.ts');
  const flags = process.execArgv.filter((flag) => flag === '--experimental-strip-types');
  return new Worker(new URL(isSource ? './write-worker.ts' : './write-worker.js', import.meta.url), {
    env: {},
    execArgv: isSource ? ['--conditions=tarifario-source', ...flags] : [],
  });
}

async function writeWith(worker: Worker, sheets: readonly SheetToWrite[]): Promise<Uint8Array> {
  const answers = on(worker, 'message', { close: ['exit'] });
  const ask = async (message: ToWriteWorker): Promise<FromWriteWorker> => {
    worker.postMessage(message);
    const { value, done } = await answers.next();
    if (done) throw new Error('the thread that makes files has ended');
    return value[0];
  };
  for (const sheet of sheets) {
    if (sheet.kind === 'notes') {
      await ask({ kind: 'sheet', head: sheet });
      continue;
    }
    const { kind, name, columns, rows } = sheet;
    checkChoices(columns);
    await ask({ kind: 'sheet', head: { kind, name, columns } });
    for (const some of piecesOf(rows, columns.length)) await ask({ kind: 'rows', rows: some });
  }
  const file = await ask({ kind: 'finish' });
  if (file === null) throw new Error('the thread that makes files has not made one');
  return file;
}

/** How many cells are sent at once: a few milliseconds, and other work runs in between. */
const CELLS_PER_PIECE = 4_000;

function* piecesOf(rows: Iterable<readonly CellToWrite[]>, columns: number): Generator<(readonly CellToWrite[])[]> {
  let piece: (readonly CellToWrite[])[] = [];
  for (const row of rows) {
    if (row.length !== columns) throw new RangeError(`a row of ${row.length} cells under a header of ${columns}`);
    row.forEach(checkCell);
    piece.push(row);
    if (piece.length * columns < CELLS_PER_PIECE) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}

/** The maximum length of text in a cell. */
const LONGEST_TEXT = 32_767;

function checkCell(cell: CellToWrite): void {
  if (typeof cell === 'number' && !Number.isFinite(cell)) throw new RangeError(`${cell} is no number of a cell`);
  if (typeof cell === 'string' && cell.length > LONGEST_TEXT) throw new RangeError('a text too long for a cell');
}

/** The maximum length of an inline list of choices. */
const LONGEST_LIST = 255;

function checkChoices(columns: readonly ColumnToWrite[]): void {
  for (const { header, choices = [] } of columns) {
    const isList = choices.every((choice) => !choice.includes(',')) && choices.join(',').length <= LONGEST_LIST;
    if (!isList) throw new RangeError(`the choices of ${header} do not fit`);
  }
}
