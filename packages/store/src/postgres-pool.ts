import pg from 'pg';

export interface PostgresOptions {
  /** Connections of this process, >= 1. Each holds one transaction; whoever comes when all are taken waits. */
  readonly maxConnections?: number;
  /** How long to wait for a connection, a new one or one that comes free. */
  readonly connectMs?: number;
  /** How long one statement may take. */
  readonly statementMs?: number;
  /** How long to wait for what another transaction holds, another unit of work included. */
  readonly lockMs?: number;
  /** How long a transaction may do nothing: that of a process that hangs is ended, and lets the others go on. */
  readonly idleMs?: number;
  /** How long to wait for an answer, before the connection is taken for dead: longer than what the server allows. */
  readonly answerMs?: number;
  /** How long to ask about a transaction whose commit was not answered. */
  readonly askMs?: number;
  /** Told the real reason when a caller is told that the database cannot be used, and when a connection breaks. */
  readonly report?: (error: unknown) => void;
}

export const POSTGRES_DEFAULTS = {
  maxConnections: 10,
  connectMs: 5000,
  // Longer than `lockMs`: who waits in vain is told that others were busy.
  statementMs: 20_000,
  // Longer than `idleMs`: whoever waits for one that hangs outlives it.
  lockMs: 15_000,
  idleMs: 10_000,
  answerMs: 40_000,
  askMs: 10_000,
  report: () => {},
} as const satisfies Required<PostgresOptions>;

/**
 * Connections to the database. None of them ends the process when it breaks: idle, taken, or while it is opened.
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
    // Of statements outside a transaction; each transaction sets its own.
    statement_timeout: options.statementMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser },
  });
  // The pool passes on what idle clients say; the clients are listened to themselves, because nobody would listen to
  // those in use, and the end of such a connection would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', report));
  return pool;
}

const INT8 = 20;

/** As the driver reads values, but for bigint: ids and counts are numbers here, and never rounded. */
function getTypeParser(...[oid, format]: Parameters<typeof pg.types.getTypeParser>) {
  return oid === INT8 ? safeInteger : pg.types.getTypeParser(oid, format);
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('a number of the database is too great');
  return value;
}
