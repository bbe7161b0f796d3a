import { rmSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { CommandError } from '../command.ts';
import { shownName, sizeOf } from '../input-files.ts';
import type { Progress } from '../progress.ts';
import { createBestSavings } from './best-savings.ts';
import { type CustomerRow, customersIn } from './customer-file.ts';
import type { Piece } from './rank-thread.ts';
import { type PieceMakers, startPieceMakers } from './rank-threads.ts';
import type { RankerSettings, RankRows } from './ranker.ts';
import { headOf, type OutputForm } from './record-text.ts';

export interface PortfolioJob {
  readonly customersFile: string;
  readonly outFile: string;
  readonly form: OutputForm;
  /** `null`: depends on the size of the file. */
  readonly threads: number | null;
  /** Only this many customers, those who save most; `null`: all. */
  readonly bestSaving: number | null;
  /** The offers to rank over, or what ranks, in this thread. */
  readonly ranking: RankerSettings | RankRows;
  readonly progress: Progress;
}

export interface PortfolioCounts {
  readonly customers: number;
  readonly errors: number;
  /** Customers without a saving to sort by. */
  readonly leftOut: number;
}

/**
 * How many customers a piece has: enough that passing it to a thread costs little, few enough that all threads get work
 * soon.
 */
const PIECE = 200;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** About 25 000 customers: ranking them takes about as long as threads need to load the program and the offers. */
const SMALL_FILE_BYTES = 8 * 2 ** 20;

/**
 * The default number of threads: one for a small file, otherwise all processors.
 *
 * @param bytes - Of the file.
 */
export function threadsFor(bytes: number, processors: number = availableParallelism()): number {
  return bytes < SMALL_FILE_BYTES ? 1 : processors;
}

/**
 * Ranks the customers of a file, in order, into another file, which appears when it is complete. Only a few pieces are
 * in memory at a time.
 *
 * @throws CommandError for a file that cannot be read or written; no output file remains then.
 */
export async function rankPortfolioFile(job: PortfolioJob): Promise<PortfolioCounts> {
  const { customersFile, outFile, threads, bestSaving, ranking, progress } = job;
  const size = await sizeOf(customersFile).catch((error: Error) => {
    throw new CommandError(`cannot read ${shownName(customersFile)}: ${error.message}`);
  });
  const unfinished = `${outFile}.${process.pid}.tmp`;
  const output = await open(unfinished, 'wx').catch((error: Error) => {
    throw new CommandError(`cannot write ${outFile}: ${error.message}`);
  });
  // Without a listener, a signal ends Node at once and leaves the file.
  const interrupted = (_signal: string, number: number) => {
    rmSync(unfinished, { force: true });
    process.exit(128 + number);
  };
  for (const signal of SIGNALS) process.once(signal, interrupted);
  let makers: PieceMakers | null = null;
  const counts = { customers: 0, errors: 0, leftOut: 0 };
  const best = bestSaving === null ? null : createBestSavings(bestSaving);
  let done = 0;
  try {
    const { form, pieces } = await formWithBills(job.form, piecesOf(customersIn(customersFile)));
    makers = startPieceMakers(threads ?? threadsFor(size), { ranking, form, onlySaving: bestSaving !== null });
    await output.writeFile(headOf(form));
    for await (const { piece, rows, length } of inOrder(makers, pieces)) {
      if (best) {
        best.add(piece.savings);
        counts.leftOut += rows - piece.savings.length;
      } else {
        // Waiting for the output slows down the production of further pieces.
        await output.writeFile(piece.bytes);
      }
      counts.customers += rows;
      counts.errors += piece.errorCount;
      done += length;
      progress.tell(size === 0 ? 0 : done / size, `${counts.customers} customers`);
    }
    for (const bytes of best?.inOrder() ?? []) await output.writeFile(bytes);
    await output.close();
    await rename(unfinished, outFile);
    return counts;
  } catch (error) {
    await output.close();
    await rm(unfinished, { force: true });
    throw isOfSystem(error) ? new CommandError(`cannot write ${outFile}: ${error.message}`) : error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupted);
    progress.end();
    await makers?.close();
  }
}

function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

type Rows = readonly CustomerRow[];

/** The form with the columns of bills where a customer of the first piece asks for one. A table has no place for others. */
async function formWithBills(sent: OutputForm, pieces: AsyncGenerator<Rows>) {
  const { value: first = [] } = await pieces.next();
  const form = { ...sent, hasBills: sent.hasBills || first.some(asksForBill) };
  async function* checked(): AsyncGenerator<Rows> {
    yield first;
    for await (const rows of pieces) {
      const late = form.format === 'ndjson' || form.hasBills ? undefined : rows.find(asksForBill);
      if (late) {
        throw new CommandError(
          `line ${late.line} asks for a bill, and the first ${PIECE} customers do not: use --taxes, or --out FILE.ndjson`,
        );
      }
      yield rows;
    }
  }
  return { form, pieces: checked() };
}

function asksForBill({ json, body }: CustomerRow): boolean {
  return json === null ? 'impuestos' in Object(body) : json.includes('"impuestos"');
}

async function* piecesOf(customers: AsyncIterable<CustomerRow>): AsyncGenerator<Rows> {
  let rows: CustomerRow[] = [];
  for await (const row of customers) {
    rows.push(row);
    if (rows.length < PIECE) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}

interface RankedPiece {
  readonly piece: Piece;
  readonly rows: number;
  /** Characters of the file, approximately. */
  readonly length: number;
}

/** The pieces in the order of the file; at most two per thread are in progress. */
async function* inOrder(makers: PieceMakers, pieces: AsyncIterable<Rows>): AsyncGenerator<RankedPiece> {
  const underWay: Promise<RankedPiece>[] = [];
  for await (const rows of pieces) {
    const length = rows.reduce((sum, row) => sum + row.length, 0);
    const made = makers.make(rows).then((piece) => ({ piece, rows: rows.length, length }));
    // Awaited later, in order; until then the rejection must not count as unhandled.
    made.catch(() => {});
    underWay.push(made);
    const first = underWay.length >= 2 * makers.count ? underWay.shift() : undefined;
    if (first) yield await first;
  }
  for (const made of underWay) yield await made;
}
