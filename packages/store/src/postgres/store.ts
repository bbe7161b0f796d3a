import { randomUUID } from 'node:crypto';
import {
  assert,
  DomainError,
  type SingleReads,
  type Store,
  type WriteContext,
  type Writer,
} from '@tarifario/core/service';
import type pg from 'pg';
import { readerOf, writerOf } from '../reader-writer.ts';
import { BUSY } from '../unavailable.ts';
import { finish, newUnitOfWork } from '../unit-of-work.ts';
import { createLonelyRows, createWriteQueue, lockStatements } from './concerns.ts';
import { callerErrorOf, faultOf, isForgotten, isOutcomeUnknown } from './faults.ts';
import type { PostgresOptions } from './pool.ts';
import { beginTransaction, sessionOn, type Transaction } from './transaction.ts';

/** How often a unit of work is tried when it conflicts with others. */
const MAX_ATTEMPTS = 5;

/** The first statement after `begin` takes the snapshot, whatever it is. */
const READ = { begin: 'begin isolation level repeatable read read only', first: ['select 1'] } as const;

/**
 * A PostgreSQL database with the current schema as a store.
 *
 * @param pool - Is closed with the store.
 */
export function postgresStore(pool: pg.Pool, options: Required<PostgresOptions>): Store {
  const runInTurn = createWriteQueue(options.lockMs);
  const withLonelyRow = createLonelyRows();
  let isClosed = false;

  /** The error to rethrow. Of failures of the driver callers only learn that the database cannot be used. */
  const explained = (error: unknown, transaction: Transaction): unknown => {
    const failure = transaction.failure();
    if (failure === null || failure.fault === 'refused') return error;
    options.report(failure.error);
    return error instanceof DomainError && error.code === 'unavailable' ? error : callerErrorOf(failure.error);
  };
  const begin = async (start: Parameters<typeof beginTransaction>[2]): Promise<Transaction> => {
    assert(!isClosed, 'the store is closed');
    try {
      return await beginTransaction(pool, options, start);
    } catch (error) {
      options.report(error);
      throw callerErrorOf(error);
    }
  };

  return {
    latest: latestReads(pool, { isClosed: () => isClosed, report: options.report }),
    async read(work) {
      const transaction = await begin(READ);
      try {
        return await work(readerOf(transaction));
      } catch (error) {
        throw explained(error, transaction);
      } finally {
        transaction.abandon();
      }
    },
    async write(context, work) {
      const calledAt = performance.now();
      let waitedMs = 0;
      const inTurn = (lonely: number) => async () => {
        waitedMs = performance.now() - calledAt;
        for (let attempt = 1; ; attempt += 1) {
          const transaction = await begin(writeStart(context, lonely));
          waitedMs += transaction.waitedMs;
          try {
            return await inTransaction(transaction, context, work);
          } catch (error) {
            const wereOthersInTheWay = transaction.failure()?.fault === 'again';
            if (!wereOthersInTheWay || attempt === MAX_ATTEMPTS) throw explained(error, transaction);
          }
        }
      };
      try {
        return await withLonelyRow((lonely) => runInTurn(context, inTurn(lonely)));
      } catch (error) {
        if (error instanceof DomainError && error.message === BUSY.message) waitedMs = performance.now() - calledAt;
        throw error;
      } finally {
        options.onWriteWait(waitedMs);
      }
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await pool.end();
    },
  };
}

/**
 * Not "repeatable read", because its snapshot would be taken before the wait for the locks. Once they are held, nobody
 * else changes the concerns of the unit of work.
 */
function writeStart(context: WriteContext, lonely: number) {
  const mark = randomUUID();
  return { begin: 'begin isolation level read committed', first: lockStatements(context, { mark, lonely }), mark };
}

async function inTransaction<T>(
  transaction: Transaction,
  context: WriteContext,
  work: (writer: Writer) => Promise<T>,
): Promise<T> {
  const unit = newUnitOfWork(transaction, context);
  try {
    const answer = await work(writerOf(unit));
    await finish(unit);
    await transaction.commit();
    return answer;
  } catch (error) {
    await finish(unit).catch(() => undefined);
    transaction.abandon();
    throw error;
  }
}

/**
 * Reads of one statement each, without a transaction: a single statement sees one state, including everything committed
 * before it. So each takes one round trip instead of three.
 *
 * Statements are prepared once per connection, so the server does not parse and plan them again. Their columns are
 * listed, because a prepared statement with `*` fails once the table gets a new column.
 */
function latestReads(
  pool: pg.Pool,
  { isClosed, report }: Pick<Required<PostgresOptions>, 'report'> & { readonly isClosed: () => boolean },
): SingleReads {
  /** A reader whose method of one statement prepares it under a name. */
  const readerAs = (name: string) =>
    readerOf(
      sessionOn(async (text, values, rowMode) => {
        assert(!isClosed() && !rowMode, 'the store is open, and rows are objects');
        const client = await pool.connect();
        try {
          const answer = await client.query({ name, text, values: [...values] });
          client.release();
          return answer;
        } catch (error) {
          // If a statement is refused that was accepted before, the connection is closed, together with its cached plan.
          client.release(isOutcomeUnknown(error) || faultOf(error) === 'refused' || isForgotten(error));
          throw error;
        }
      }),
    );
  const { keys } = readerAs('tarifario_key');
  const { changes } = readerAs('tarifario_revisions');
  const reportingFailures = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      if (isClosed() || faultOf(error) === 'refused') throw error;
      report(error);
      throw callerErrorOf(error);
    }
  };
  return {
    keys: { byHash: (secretHash) => reportingFailures(keys.byHash(secretHash)) },
    changes: { revisions: (accountId) => reportingFailures(changes.revisions(accountId)) },
  };
}
