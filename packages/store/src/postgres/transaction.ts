import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type pg from 'pg';
import { columnsOf, conflictText, postgresDialect, type Session } from '../dialects.ts';
import type { Schema } from '../schema.ts';
import { type Fault, faultOf, isOutcomeUnknown } from './faults.ts';
import { postgresOfferRows } from './offers.ts';
import type { PostgresOptions } from './pool.ts';
import { resolveUnknownCommit, type WriteMark } from './unknown-commit.ts';

/** A transaction on its own connection. */
export interface Transaction extends Session {
  /** How long what came first in it has waited for locks. */
  readonly waitedMs: number;
  /** The first error of the driver. The transaction is lost then, even if the work handles the error. */
  failure(): Failure | null;
  /**
   * Commits; resolves when that is certain.
   *
   * @throws the error of the driver when nothing was committed; DomainError `unavailable` when the outcome is unknown.
   */
  commit(): Promise<void>;
  /** Rolls back and returns the connection, in the background. Never throws. */
  abandon(): void;
}

interface Failure {
  readonly error: unknown;
  readonly fault: Fault;
}

/**
 * Begins a transaction in one round trip.
 *
 * @param start - `begin` with its mode, and what comes first in it once its time-outs are set. `mark`: what it leaves in
 *   the row that is returned last but for the wait, needed to `commit`.
 * @throws what the driver says.
 */
export async function beginTransaction(
  pool: pg.Pool,
  options: Required<PostgresOptions>,
  start: { readonly begin: string; readonly first: readonly string[]; readonly mark?: string },
): Promise<Transaction> {
  const client = await pool.connect();
  // Set for this transaction only, because with a pooler the session is shared with others.
  const settings = [
    `set local statement_timeout = ${options.statementMs}`,
    `set local lock_timeout = ${options.lockMs}`,
    `set local idle_in_transaction_session_timeout = ${options.idleMs}`,
    // A server may be configured to round numbers.
    'set local extra_float_digits = 1',
  ];
  try {
    const results: unknown = await client.query([start.begin, ...settings, ...start.first].join('; '));
    const waitedMs = rowOf<{ readonly ms: number }>(results, -1)?.ms ?? 0;
    return transactionOn(client, { pool, askMs: options.askMs, waitedMs, mark: markIn(results, start.mark) });
  } catch (error) {
    await giveBack(client, error);
    throw error;
  }
}

/** The first row of a result. A text of several statements has several results; the types of the driver know of one. */
function rowOf<Row>(results: unknown, index: number): Row | undefined {
  const result: unknown = Array.isArray(results) ? results.at(index) : null;
  return typeof result === 'object' && result !== null && 'rows' in result ? (result.rows as Row[])[0] : undefined;
}

function markIn(results: unknown, mark: string | undefined): WriteMark | null {
  if (mark === undefined) return null;
  const row = rowOf<{ readonly owner_id: number; readonly writes: number }>(results, -2);
  return row ? { ownerId: row.owner_id, writes: row.writes, mark } : null;
}

function transactionOn(
  client: pg.PoolClient,
  {
    pool,
    askMs,
    waitedMs,
    mark,
  }: {
    readonly pool: pg.Pool;
    readonly askMs: number;
    readonly waitedMs: number;
    readonly mark: WriteMark | null;
  },
): Transaction {
  let isOpen = true;
  let failure: Failure | null = null;
  let last: Promise<unknown> = Promise.resolve();

  /** Runs queries one after the other, because the driver takes one at a time. */
  const query: Query = (text, parameters, rowMode) => {
    const result = last.then(async () => {
      // A query after the end would run in another transaction.
      if (!isOpen) throw new Error('no transaction is open');
      try {
        if (rowMode) return await client.query({ text, values: [...parameters], rowMode });
        return await client.query(text, [...parameters]);
      } catch (error) {
        failure ??= { error, fault: faultOf(error) };
        throw error;
      }
    });
    last = result.catch(() => undefined);
    return result;
  };
  const end = async (): Promise<void> => {
    await last;
    isOpen = false;
  };
  let isGivenBack = false;
  const give = async ({ isOver = false } = {}): Promise<void> => {
    if (isGivenBack) return;
    isGivenBack = true;
    if (isOver) client.release();
    else await giveBack(client, failure?.error);
  };

  return {
    ...sessionOn(query),
    waitedMs,
    failure: () => failure,
    async commit() {
      await end();
      if (failure) throw failure.error;
      try {
        const { command } = await client.query('commit');
        // After a failed statement the server answers a commit with ROLLBACK.
        if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
      } catch (error) {
        failure = { error, fault: faultOf(error) };
        if (mark === null || !isOutcomeUnknown(error)) throw error;
        void give();
        await resolveUnknownCommit(pool, mark, { askMs, error });
        return;
      }
      void give({ isOver: true });
    },
    abandon() {
      void end().then(() => give());
    },
  };
}

/** The used part of a query result. */
type Answer = Pick<pg.QueryResult, 'rows' | 'rowCount'>;

/** @param rowMode - Rows as lists of values; else they are objects. */
type Query = (text: string, parameters: readonly unknown[], rowMode?: 'array') => Promise<Answer>;

/** A session that runs queries with this function. */
export function sessionOn(query: Query): Session {
  return {
    dialect: postgresDialect,
    db: kyselyOn({
      executeQuery: async ({ sql, parameters }) => {
        const { rows, rowCount } = await query(sql, parameters);
        return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
      },
      streamQuery: () => {
        throw new Error('queries are not streamed');
      },
    }),
    rows: async <Row>(compiled: CompiledQuery<Row>, parameters: readonly (string | number)[]) =>
      (await query(compiled.sql, parameters)).rows as readonly Row[],
    lists: async (compiled, parameters) => (await query(compiled.sql, parameters, 'array')).rows,
    insertRows: async (table, rows, options) => {
      const columns = columnsOf(rows).join(', ');
      const given = `json_populate_recordset(null::${table}, $1)`;
      const insert = `insert into ${table} (${columns}) select ${columns} from ${given}`;
      await query(insert + conflictText(rows, options), [JSON.stringify(rows)]);
    },
    offerRows: postgresOfferRows(query),
  };
}

/**
 * kysely only builds queries and reads results; unlike `PostgresDialect` it neither opens connections nor begins
 * transactions.
 */
function kyselyOn(connection: DatabaseConnection): Kysely<Schema> {
  return new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => Object.assign(new DummyDriver(), { acquireConnection: async () => connection }),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}

/**
 * Rolls back what is not committed, in any case: after a failure the driver does not know whether there is a
 * transaction. A broken connection is not used again.
 */
async function giveBack(client: pg.PoolClient, error: unknown): Promise<void> {
  if (error !== undefined && isOutcomeUnknown(error)) {
    client.release(true);
    return;
  }
  try {
    await client.query('rollback');
    client.release();
  } catch {
    client.release(true);
  }
}
