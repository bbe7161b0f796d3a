import pg from 'pg';

export interface PostgresOptions {
  /** Connections of this process, >= 1. Each runs one transaction; when all are in use, others wait. */
  readonly maxConnections?: number;
  /** How long to wait for a connection. */
  readonly connectMs?: number;
  /** How long one statement may take. */
  readonly statementMs?: number;
  /** How long to wait for a lock of another transaction or unit of work. */
  readonly lockMs?: number;
  /** How long a transaction may be idle. That of a hanging process is ended, so that others can continue. */
  readonly idleMs?: number;
  /** How long to wait for an answer before the connection counts as dead: longer than the time-outs of the server. */
  readonly answerMs?: number;
  /** How long to query the status of a transaction whose commit was not answered. */
  readonly askMs?: number;
  /** Called with the real reason when a caller gets `unavailable`, and when a connection breaks. */
  readonly report?: (error: unknown) => void;
  /** Called once for each write, in the context of its caller: how long it waited for others that write for the same owner. */
  readonly onWriteWait?: (ms: number) => void;
}

export const POSTGRES_DEFAULTS = {
  maxConnections: 10,
  connectMs: 5000,
  // Longer than `lockMs`, so that waiting in vain fails with "busy".
  statementMs: 20_000,
  // Longer than `idleMs`, so that a transaction that waits for a hanging one survives it.
  lockMs: 15_000,
  idleMs: 10_000,
  answerMs: 40_000,
  askMs: 10_000,
  report: () => {},
  onWriteWait: () => {},
} as const satisfies Required<PostgresOptions>;

/**
 * Connections to the database. A broken connection does not end the process, whether it is idle, in use or being
 * opened.
 *
 * @param databaseUrl - `postgres://...`, as the driver takes it.
 */
export function openPool(databaseUrl: string, options: Required<PostgresOptions>): pg.Pool {
  const { report } = options;
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'tarifario',
    max: options.maxConnections,
    connectionTimeoutMillis: options.connectMs,
    query_timeout: options.answerMs,
    // For statements outside a transaction; each transaction sets its own.
    statement_timeout: options.statementMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser },
  });
  // The pool only forwards errors of idle clients. So there is a listener on each client; without it an error of a
  // client in use would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', report));
  return pool;
}

const INT8 = 20;

/** The type parsers of the driver, except that a bigint (ids and counts) becomes an exact number. */
export function getTypeParser(...[oid, format]: Parameters<typeof pg.types.getTypeParser>) {
  return oid === INT8 ? safeInteger : pg.types.getTypeParser(oid, format);
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('a number of the database is too great');
  return value;
}
