import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import pg from 'pg';
import { type Database, DatabaseProblem, type Examination } from '../database.ts';
import { MIGRATIONS, type Migration, pendingAmong, refuse } from '../migrations/index.ts';
import { faultOf, isForgotten, LOCK_TIME_OUT, serverCodeOf } from './faults.ts';
import { createPostgresRateLimiter } from './limiter.ts';
import { openPool, POSTGRES_DEFAULTS, type PostgresOptions } from './pool.ts';
import { postgresStore } from './store.ts';

/** How long opening waits for a server that is slow or hangs. */
interface StartPatience {
  /** For a connection, for the answer to a small query, and for closing the connection. */
  readonly answerMs: number;
  /** For another process that is migrating, until it is looked at; for a lock of a table. */
  readonly lockMs: number;
  /** For the next statement of a process that is migrating: one that hangs must not block the others for ever. */
  readonly idleMs: number;
  /** For one migration: a large table may be rewritten. */
  readonly stepMs: number;
}

export const PATIENCE: StartPatience = { answerMs: 10_000, lockMs: 60_000, idleMs: 30_000, stepMs: 900_000 };
/** Older versions are no longer maintained and were never tested. */
const OLDEST_VERSION = 15;
/** How often migrations are begun that end in a deadlock. */
const MAX_MIGRATION_ATTEMPTS = 20;
/** An arbitrary number, unlikely to be used for another advisory lock. */
const MIGRATION_LOCK = 7_299_999_999_999_999;

/** A database that `migratePostgres` has made. @throws DatabaseProblem. */
export async function openPostgres(databaseUrl: string, options: PostgresOptions = {}): Promise<Database> {
  const pending = await pendingInPostgres(databaseUrl);
  if (pending.length > 0) throw new DatabaseProblem(`${nameOf(databaseUrl)} lacks migrations: ${pending.join(', ')}`);
  const all = { ...POSTGRES_DEFAULTS, ...options };
  let mayForgetStatements = false;
  const report = (error: unknown) => {
    mayForgetStatements ||= isForgotten(error);
    all.report(error);
  };
  const pool = openPool(databaseUrl, { ...all, report });
  return {
    store: postgresStore(pool, { ...all, report }),
    limiter: createPostgresRateLimiter(pool, { ...all, report }),
    longReads: Math.max(1, Math.floor((all.maxConnections - 1) / 3)),
    connections: () => {
      const { totalCount, idleCount: idle, waitingCount: waiting } = pool;
      return { idle, used: totalCount - idle, waiting };
    },
    async pending() {
      // The configuration of a pooler may change while it is running.
      if (mayForgetStatements && (await postgresForgetsStatements(databaseUrl)))
        throw new DatabaseProblem('a pooler forgets prepared statements');
      mayForgetStatements = false;
      // Also on in a standby. Every call is counted by a write, so reads fail as well.
      const { rows } = await pool.query("select current_setting('transaction_read_only') = 'on' as is_read_only");
      if (rows[0]?.is_read_only !== false) throw new DatabaseProblem('the database is read-only');
      return (await pendingOn(pool, MIGRATIONS)).map(({ name }) => name);
    },
  };
}

/**
 * How often two connections are compared, because a busy pooler may return the same session by chance.
 */
const MAX_COMPARISONS = 40;

/**
 * Whether a prepared statement may be missing, or already exist, when a connection begins its next transaction. That
 * happens with a pooler that switches sessions between transactions without tracking prepared statements. PgBouncer
 * tracks them from 1.21 on, with `max_prepared_statements` above 0.
 *
 * @throws DatabaseProblem.
 */
export async function postgresForgetsStatements(databaseUrl: string, patience = PATIENCE): Promise<boolean> {
  // Nobody else prepares a statement of this name, so a session that has it got it from this connection.
  const probe = { name: `tarifario_${randomUUID()}`, text: 'select pg_backend_pid() as pid' };
  const sessionOf = async (client: pg.Client) => (await client.query<{ pid: number }>(probe)).rows[0]?.pid;
  /** Whether the first connection was moved to another session and found its statement there. */
  const isCarriedAlong = async (one: pg.Client, other: pg.Client): Promise<boolean> => {
    const before = await sessionOf(one);
    // Takes the session that has just become free, so that the first connection cannot get it again.
    await other.query('begin');
    try {
      return (await sessionOf(one)) !== before;
    } finally {
      await other.query('rollback');
    }
  };
  return await onClient(databaseUrl, patience, (one) =>
    onClient(databaseUrl, patience, async (other) => {
      try {
        let comparisons = 1;
        while (!(await isCarriedAlong(one, other)) && comparisons < MAX_COMPARISONS) comparisons += 1;
        return false;
      } catch (error) {
        if (isForgotten(error)) return true;
        throw error;
      }
    }),
  );
}

/**
 * Migrates a database to the current schema. All pending migrations are applied in one transaction. Several processes
 * may call this at once: one applies them, the others wait for as long as it is at work.
 *
 * @param options - `onWait`: called after each `lockMs` of waiting for another process.
 * @returns The names of the migrations that this call applied.
 * @throws DatabaseProblem, also when the server does not answer.
 */
export async function migratePostgres(
  databaseUrl: string,
  { patience = PATIENCE, migrations = MIGRATIONS, onWait = () => {} } = {},
): Promise<{ readonly applied: readonly string[] }> {
  return await onClient(databaseUrl, patience, async (client) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await beginMigration(client, patience, onWait);
        const pending = await pendingOn(client, migrations);
        await apply(client, pending, patience);
        await client.query(lasting('commit', patience.lockMs, patience));
        return { applied: pending.map(({ name }) => name) };
      } catch (error) {
        // Units of work of an earlier release may lock the same tables in another order.
        if (faultOf(error) !== 'again' || attempt === MAX_MIGRATION_ATTEMPTS) throw error;
        await client.query('rollback');
      }
    }
  });
}

/** Longer than the time-outs of the server for locks and statements, so that the server fails first, with a reason. */
function lasting(text: string, ms: number, { answerMs }: StartPatience) {
  return { text, query_timeout: ms + answerMs };
}

/** Begins a transaction that migrates as the only one. */
export async function beginMigration(client: pg.Client, patience = PATIENCE, onWait = () => {}): Promise<void> {
  const { lockMs, stepMs, idleMs } = patience;
  const limits = [
    `lock_timeout = ${lockMs}`,
    `statement_timeout = ${stepMs}`,
    `idle_in_transaction_session_timeout = ${idleMs}`,
  ];
  for (;;) {
    await client.query(['begin', ...limits.map((limit) => `set local ${limit}`)].join('; '));
    try {
      await client.query(lasting(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`, lockMs, patience));
      return;
    } catch (error) {
      if (serverCodeOf(error) !== LOCK_TIME_OUT) throw error;
      await client.query('rollback');
      if (!(await isMigratedByOther(client, idleMs))) throw error;
      onWait();
    }
  }
}

/** Whether who holds the lock is at work, or is gone. Of other users the server does not tell, nor of a process that hangs. */
async function isMigratedByOther(client: pg.Client, idleMs: number): Promise<boolean> {
  const isAtWork = "state = 'active' or state_change > clock_timestamp() - make_interval(secs => $2)";
  const { rows } = await client.query<{ is: boolean }>(
    `select coalesce(bool_and(coalesce(${isAtWork}, false)), true) as is
     from pg_locks join pg_database on pg_database.oid = database left join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and pg_database.datname = current_database()
       and (classid::bigint << 32) | objid::bigint = $1`,
    [MIGRATION_LOCK, idleMs / 1000],
  );
  return rows[0]?.is === true;
}

/** Applies migrations in a transaction that is open. */
export async function apply(client: pg.Client, pending: readonly Migration[], patience = PATIENCE): Promise<void> {
  await client.query(
    'create table if not exists migrations (name text collate "C" primary key, applied_at text not null)',
  );
  for (const { name, postgres, refusals } of pending) {
    if (refusals) refuse(name, (await client.query(lasting(refusals.postgres, patience.stepMs, patience))).rows);
    await client.query(lasting(postgres, patience.stepMs, patience));
    await client.query(
      `insert into migrations (name, applied_at)
         values ($1, to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
      [name],
    );
  }
}

/** Names of the migrations that a database lacks. @throws DatabaseProblem. */
export async function pendingInPostgres(
  databaseUrl: string,
  { patience = PATIENCE, migrations = MIGRATIONS } = {},
): Promise<readonly string[]> {
  return await onClient(databaseUrl, patience, async (client) => {
    return (await pendingOn(client, migrations)).map(({ name }) => name);
  });
}

/** Looks at a database without changing it. @throws DatabaseProblem. */
export async function examinePostgres(databaseUrl: string, patience = PATIENCE): Promise<Examination> {
  return await onClient(databaseUrl, patience, async (client) => {
    const askedAt = Date.now();
    const { rows } = await client.query<{ version: string; ms: number; lacks: string[] }>(`
      select 'PostgreSQL ' || current_setting('server_version') as version,
        extract(epoch from clock_timestamp())::float8 * 1000 as ms,
        array(
          select 'to create tables in ' || current_schema() where not has_schema_privilege(current_schema(), 'create')
          union all
          select 'to read and write ' || string_agg(tablename, ', ' order by tablename) from pg_tables
          where schemaname = current_schema() and exists (
            select from unnest(array['select', 'insert', 'update', 'delete']) as needed
            where not has_table_privilege(format('%I.%I', schemaname, tablename), needed))
          having count(*) > 0) as lacks`);
    const { version = '', ms = 0, lacks = [] } = rows[0] ?? {};
    return { version, clockAheadMs: Math.round(ms - (askedAt + Date.now()) / 2), lacks };
  });
}

async function pendingOn(client: pg.Client | pg.Pool, migrations: readonly Migration[]) {
  const { rows: tables } = await client.query<{ name: string }>(
    "select name from unnest(array['accounts', 'migrations']) as name where to_regclass(name) is not null",
  );
  const isMigrated = tables.some(({ name }) => name === 'migrations');
  const applied = isMigrated ? (await client.query<{ name: string }>('select name from migrations')).rows : [];
  return pendingAmong(migrations, tables.length === 0 ? null : applied.map(({ name }) => name));
}

/** Works on a connection of its own. @throws DatabaseProblem. */
export async function onClient<T>(
  databaseUrl: string,
  { answerMs }: StartPatience,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  let client: pg.Client | null = null;
  const socket = new Socket();
  try {
    client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'tarifario',
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      stream: () => socket,
    });
    // A broken connection already fails its query; without a listener the error would also end the process.
    client.on('error', () => {});
    await client.connect();
    await requireFit(client);
    return await work(client);
  } catch (error) {
    throw problemOf(databaseUrl, error);
  } finally {
    // A server that does not answer does not close the connection either.
    const hangUp = setTimeout(() => socket.destroy(), answerMs);
    await client?.end().catch(() => undefined);
    clearTimeout(hangUp);
    socket.destroy();
  }
}

/** An error of the driver in words for the operator. */
export function problemOf(databaseUrl: string, error: unknown): Error {
  const name = nameOf(databaseUrl);
  const isExplained = error instanceof Error && error.message.startsWith(`${name} `);
  return isExplained ? error : new DatabaseProblem(`${name} ${explanationOf(error)}`, { cause: error });
}

async function requireFit(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string }>(
    "select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding",
  );
  const { version = 0, encoding = '' } = rows[0] ?? {};
  const major = Math.floor(version / 10_000);
  if (major < OLDEST_VERSION) {
    throw new DatabaseProblem(
      `PostgreSQL ${OLDEST_VERSION} or later is needed, and this is ${major}.${version % 10_000}`,
    );
  }
  if (encoding !== 'UTF8') throw new DatabaseProblem(`its encoding has to be UTF8, and is ${encoding}`);
}

/** The address of a database without user and password. */
export function nameOf(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return `the database ${decoded(pathname.slice(1)) || '(default)'} on ${decoded(host) || 'this machine'}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const NOBODY_TRUSTED = 'shows a certificate of nobody who is trusted: name its authority in sslrootcert';

const EXPLANATIONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'cannot be reached: nothing listens there'],
  ['ENOTFOUND', 'cannot be reached: there is no such host'],
  ['SELF_SIGNED_CERT_IN_CHAIN', NOBODY_TRUSTED],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', NOBODY_TRUSTED],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', NOBODY_TRUSTED],
  ['CERT_SIGNATURE_FAILURE', NOBODY_TRUSTED],
  ['CERT_HAS_EXPIRED', 'shows a certificate that has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'shows a certificate for another name'],
  ['28P01', 'refuses the password'],
  ['28000', 'refuses the user'],
  ['3D000', 'does not exist: create it first'],
  ['42501', 'refuses what migrations do: its user may not create tables'],
  ['53300', 'has no connection left'],
  ['55P03', 'is kept busy by another process: start again'],
  ['57014', 'takes too long'],
  ['57P03', 'is starting or stopping'],
]);

/** Messages of the driver for time-outs. */
const SILENCE = /^(timeout expired|Query read timeout)$/;

function explanationOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof Error && SILENCE.test(error.message)) return 'does not answer';
  const reason = error instanceof Error && error.message !== '' ? error.message : code;
  return EXPLANATIONS.get(code) ?? `cannot be used: ${reason}`;
}
