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
import { columnsOf, conflictText, postgresDialect, type Session } from './dialects.ts';
import { requireCommitted, type TransactionMark } from './postgres-doubt.ts';
import { type Fault, faultOf, leavesOpen } from './postgres-faults.ts';
import { postgresOfferRows } from './postgres-offers.ts';
import type { PostgresOptions } from './postgres-pool.ts';
import type { Schema } from './schema.ts';

/** A transaction on a connection of its own. */
export interface Transaction extends Session {
  /** The first failure of the driver in it: the transaction is lost with it, whatever the work makes of it. */
  failure(): Failure | null;
  /**
   * Keeps what was written; resolves when that is certain.
   *
   * @throws what the driver says when nothing was kept; DomainError `unavailable` when nobody can say.
   */
  commit(): Promise<void>;
  /** Keeps nothing and gives the connection back, in the background. Never throws. */
  abandon(): void;
}

export interface Failure {
  readonly error: unknown;
  readonly fault: Fault;
}

/**
 * Begins a transaction in one round trip.
 *
 * @param start - `begin` with its mode, and what comes first in it once its time-outs are set. A last row that is a
 *   `TransactionMark` says which transaction it is: needed to `commit`.
 * @throws what the driver says.
 */
export async function beginTransaction(
  pool: pg.Pool,
  options: Required<PostgresOptions>,
  start: { readonly begin: string; readonly first: readonly string[] },
): Promise<Transaction> {
  const client = await pool.connect();
  // For this transaction alone: with a pooler in between, a session is shared with others.
  const settings = [
    `set local statement_timeout = ${options.statementMs}`,
    `set local lock_timeout = ${options.lockMs}`,
    `set local idle_in_transaction_session_timeout = ${options.idleMs}`,
    // A server may be set to round what it tells.
    'set local extra_float_digits = 1',
  ];
  try {
    const results: unknown = await client.query([start.begin, ...settings, ...start.first].join('; '));
    return transactionOn(client, { pool, askMs: options.askMs, mark: markIn(results) });
  } catch (error) {
    await giveBack(client, error);
    throw error;
  }
}

/** A text of several statements has several results; the types of the driver know of one. */
function markIn(results: unknown): TransactionMark | null {
  const last: unknown = Array.isArray(results) ? results.at(-1) : null;
  if (typeof last !== 'object' || last === null || !('rows' in last) || !Array.isArray(last.rows)) return null;
  const { xid, life }: { readonly xid?: unknown; readonly life?: unknown } = last.rows[0] ?? {};
  return typeof xid === 'string' && typeof life === 'string' ? { xid, life } : null;
}

function transactionOn(
  client: pg.PoolClient,
  { pool, askMs, mark }: { readonly pool: pg.Pool; readonly askMs: number; readonly mark: TransactionMark | null },
): Transaction {
  let isOpen = true;
  let failure: Failure | null = null;
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other: the driver takes one query at a time. */
  const query: Query = (text, parameters, rowMode) => {
    const result = last.then(async () => {
      // What runs after the end would run in the transaction of somebody else.
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
    failure: () => failure,
    async commit() {
      await end();
      if (failure) throw failure.error;
      try {
        const { command } = await client.query('commit');
        // So it is answered when a statement had failed before.
        if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
      } catch (error) {
        failure = { error, fault: faultOf(error) };
        if (mark === null || !leavesOpen(error)) throw error;
        void give();
        await requireCommitted(pool, mark, { askMs, error });
        return;
      }
      void give({ isOver: true });
    },
    abandon() {
      void end().then(() => give());
    },
  };
}

/** What is looked at of an answer. */
export type Answer = Pick<pg.QueryResult, 'rows' | 'rowCount'>;

/** @param rowMode - Rows as lists of values; else they are objects. */
type Query = (text: string, parameters: readonly unknown[], rowMode?: 'array') => Promise<Answer>;

/** What queries run on. */
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
    rows: async <Found>(compiled: CompiledQuery<Found>, parameters: readonly (string | number)[]) =>
      (await query(compiled.sql, parameters)).rows as readonly Found[],
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

/** kysely writes and reads the queries; it neither opens connections nor begins transactions, as `PostgresDialect` would. */
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
 * Rolls back what is not committed. It is not asked whether there is anything to roll back: what the driver knows of that
 * is from before the last failure. A connection that broke is not used again.
 */
async function giveBack(client: pg.PoolClient, error: unknown): Promise<void> {
  if (error !== undefined && leavesOpen(error)) {
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
