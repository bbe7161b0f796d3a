import { createFairQueue, DomainError, type Reader, type SingleReads, type Store } from '@tarifario/core/service';
import Database from 'better-sqlite3';
import { type CompiledQuery, Kysely, SqliteDialect } from 'kysely';
import { pause } from '../chunks.ts';
import { columnsOf, conflictText, type Row, type RowTable, type Session, sqliteDialect } from '../dialects.ts';
import { readerOf, writerOf } from '../reader-writer.ts';
import type { Schema } from '../schema.ts';
import { BUSY, unavailable } from '../unavailable.ts';
import { finish, newUnitOfWork, type UnitOfWork } from '../unit-of-work.ts';
import { sqliteOfferRows } from './offers.ts';

/** How many read transactions can be open at once, each on its own connection; others wait. */
const MAX_READERS = 8;
/** Leaves connections for short reads next to a workbook and three pages. */
export const MAX_LONG_READS = 2;
/**
 * How long a unit of work waits for the writer of another process, or of the thread that applies files: the largest
 * file takes some seconds to write, on a busy machine ten.
 */
const WRITE_WAIT_MS = 15_000;
/** How long opening a file may block the thread. */
const OPEN_WAIT_MS = 5000;
/** SQLite blocks the thread while it waits for a lock, so only very briefly; after that we wait asynchronously. */
const BUSY_TIMEOUT_MS = 10;
const RETRY_MS = 15;
/** Readers only wait for the recovery after a crashed process. */
const READER_BUSY_TIMEOUT_MS = 2000;
/** How many prepared statements a connection caches: more than this package has queries. */
const MAX_STATEMENTS = 300;

export interface SqliteOptions {
  readonly writeWaitMs?: number;
  /** Pages of 4 KiB that the file may have. */
  readonly maxPages?: number;
  /** Called with the real reason when a caller gets `unavailable`. */
  readonly report?: (error: unknown) => void;
}

/** The file is damaged, missing, not readable or writable, or its disk is full; the request itself is valid. */
const UNUSABLE = /^SQLITE_(CORRUPT|NOTADB|CANTOPEN|IOERR|FULL|READONLY)/;

interface Connection extends Session {
  readonly handle: Database.Database;
  /** Begins a snapshot: all reads until `endRead` see this moment. */
  beginRead(): void;
  endRead(): void;
}

/** A SQLite file with the current schema as a store. */
export function sqliteStore(path: string, options: SqliteOptions = {}): Store {
  const { writeWaitMs = WRITE_WAIT_MS, report = () => {} } = options;
  const reportingFailures = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Database.SqliteError) || !UNUSABLE.test(error.code)) throw error;
      report(error);
      throw unavailable();
    }
  };
  const writer = connect(openWriter(path));
  if (options.maxPages !== undefined) writer.handle.pragma(`max_page_count = ${options.maxPages}`);
  const readers = createReaders(path);
  const writes = createFairQueue({ places: 1 });
  let isClosed = false;
  let single: ReadingConnection | null = null;
  /**
   * Reads without transactions, so that each statement sees what is committed. They complete synchronously, and no
   * writer waits for them.
   */
  const latest = (): SingleReads => {
    if (isClosed) throw new RangeError('the store is closed');
    single ??= readingOn(connect(openReader(path), { inTransactions: false }));
    return single.reader;
  };

  return {
    latest: {
      keys: { byHash: (secretHash) => reportingFailures(() => latest().keys.byHash(secretHash)) },
      changes: { revisions: (accountId) => reportingFailures(() => latest().changes.revisions(accountId)) },
    },
    read: (work) =>
      reportingFailures(() => readers.run((connection) => inSnapshot(connection, () => work(connection.reader)))),
    write(context, work) {
      // Concerns take turns: the many writes of one account delay those of another by one.
      const turn = context.concerns?.[0] ?? 'all';
      return reportingFailures(() =>
        writes.run(turn, async () => {
          // Yields, because units of work that waited for the same writer would otherwise run without a break.
          await pause();
          if (isClosed) throw new RangeError('the store is closed');
          await beginWrite(writer.handle, writeWaitMs);
          const unit = newUnitOfWork(writer, context);
          return await inTransaction(writer.handle, unit, () => work(writerOf(unit)));
        }),
      );
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      // Waits for the running unit of work. Waiting ones are refused when it is their turn.
      (await writes.take('close'))();
      await readers.close();
      single?.handle.close();
      writer.handle.close();
    },
  };
}

/** The connection for writing, with all settings for durability and integrity. */
export function openWriter(path: string): Database.Database {
  const handle = new Database(path, { timeout: OPEN_WAIT_MS });
  handle.pragma('journal_mode = WAL');
  handle.pragma('synchronous = FULL');
  handle.pragma('foreign_keys = ON');
  handle.pragma('trusted_schema = OFF');
  handle.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  return handle;
}

export function openReader(path: string): Database.Database {
  const handle = new Database(path, { readonly: true, fileMustExist: true, timeout: READER_BUSY_TIMEOUT_MS });
  handle.pragma('query_only = ON');
  // Eight of these with 16 MB each would grow by 128 MB under long reads; the system keeps the pages too.
  handle.pragma('cache_size = -4000');
  handle.pragma('trusted_schema = OFF');
  return handle;
}

/**
 * Connects kysely to a handle. The handle stays owned by this file, which begins and ends transactions.
 *
 * @param options - `inTransactions: false`: statements run outside transactions, for a handle that only reads.
 */
function connect(handle: Database.Database, { inTransactions = true } = {}): Connection {
  const statements = new Map<string, Database.Statement<unknown[]>>();
  const prepare = (sql: string): Database.Statement<unknown[]> => {
    // After some errors (a full disk) SQLite ends the transaction itself. A later statement would be committed on its
    // own.
    if (inTransactions && !handle.inTransaction) throw new Error('no transaction is open');
    const cached = statements.get(sql);
    if (cached) return cached;
    if (statements.size >= MAX_STATEMENTS) statements.clear();
    const statement = handle.prepare<unknown[]>(sql);
    statements.set(sql, statement);
    return statement;
  };
  // Prepared like the others, because each runs twice in every request.
  const begin = handle.prepare('begin');
  const firstRow = handle.prepare('select 1 from revisions limit 1').pluck();
  const end = handle.prepare('commit');
  return {
    handle,
    // `begin` alone would take the snapshot only at the first read.
    beginRead: () => {
      begin.run();
      firstRow.get();
    },
    endRead: () => {
      end.run();
    },
    dialect: sqliteDialect,
    db: new Kysely<Schema>({ dialect: new SqliteDialect({ database: { prepare, close: () => undefined } }) }),
    rows: async <Row>(query: CompiledQuery<Row>, parameters: readonly (string | number)[]) =>
      prepare(query.sql).all(...parameters) as readonly Row[],
    lists: async (query, parameters) =>
      prepare(query.sql)
        .raw(true)
        .all(...parameters) as unknown[][],
    insertRows: async (table, rows, options) => {
      const statement = prepare(insertText(table, rows) + conflictText(rows, options));
      for (const row of rows) statement.run(...Object.values(row));
    },
    offerRows: sqliteOfferRows(prepare),
  };
}

/** A prepared statement that runs once for each row is the fastest way into SQLite. */
function insertText(table: RowTable, rows: readonly Row[]): string {
  const columns = columnsOf(rows);
  return `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;
}

/** Runs `work` so that all its reads see one state. */
async function inSnapshot<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  try {
    connection.beginRead();
    return await work();
  } finally {
    if (connection.handle.inTransaction) connection.endRead();
  }
}

/**
 * Begins a transaction that holds the write lock from the start, so that it never fails later because another process
 * has written meanwhile.
 *
 * @throws DomainError `unavailable` when another process keeps writing.
 */
async function beginWrite(handle: Database.Database, waitMs: number): Promise<void> {
  const start = performance.now();
  rollBack(handle);
  for (;;) {
    try {
      handle.exec('begin immediate');
      return;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() - start > waitMs) {
        throw new DomainError('unavailable', BUSY);
      }
    }
    await new Promise((resolve) => {
      setTimeout(resolve, RETRY_MS);
    });
  }
}

export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

async function inTransaction<T>(handle: Database.Database, unit: UnitOfWork, work: () => Promise<T>): Promise<T> {
  try {
    const answer = await work();
    await finish(unit);
    handle.exec('commit');
    return answer;
  } catch (error) {
    await finish(unit).catch(() => undefined);
    rollBack(handle);
    throw error;
  }
}

/** SQLite may have rolled back itself. An error here must not replace the original one. */
function rollBack(handle: Database.Database): void {
  try {
    if (handle.inTransaction) handle.exec('rollback');
  } catch {
    // The next unit of work rolls back again before it begins.
  }
}

/** A connection for reading, with the reader for its transactions. */
interface ReadingConnection extends Connection {
  readonly reader: Reader;
}

function readingOn(connection: Connection): ReadingConnection {
  return { ...connection, reader: readerOf(connection) };
}

/** Connections for reading, opened as they are needed. */
function createReaders(path: string) {
  const places = createFairQueue({ places: MAX_READERS });
  const idle: ReadingConnection[] = [];
  const running = new Set<Promise<unknown>>();
  let isClosed = false;
  return {
    async run<T>(work: (connection: ReadingConnection) => Promise<T>): Promise<T> {
      if (isClosed) throw new RangeError('the store is closed');
      const mustWait = running.size >= MAX_READERS;
      const result = places.run('', async () => {
        // Yields, because reads that waited for the same connection would otherwise run without a break.
        if (mustWait) await pause();
        const connection = idle.pop() ?? readingOn(connect(openReader(path)));
        try {
          return await work(connection);
        } finally {
          idle.push(connection);
        }
      });
      running.add(result);
      try {
        return await result;
      } finally {
        running.delete(result);
      }
    },
    async close(): Promise<void> {
      isClosed = true;
      await Promise.allSettled(running);
      for (const { handle } of idle) handle.close();
    },
  };
}
