import { assert, type SingleReads } from '@tarifario/core/service';
import type pg from 'pg';
import { callerErrorOf, faultOf, isForgotten, isOutcomeUnknown } from './postgres-faults.ts';
import { namedQueries } from './postgres-known-query.ts';
import type { PostgresOptions } from './postgres-pool.ts';
import { sessionOn } from './postgres-transaction.ts';
import { readerOf } from './reader-writer.ts';

/**
 * Reads of one statement each, without a transaction: a single statement sees one state, including everything committed
 * before it. So each takes one round trip instead of three.
 *
 * Statements are prepared once per connection, so the server does not parse and plan them again. Their columns are
 * listed, because a prepared statement with `*` fails once the table gets a new column.
 */
export function latestReads(
  pool: pg.Pool,
  { isClosed, report }: Pick<Required<PostgresOptions>, 'report'> & { readonly isClosed: () => boolean },
): SingleReads {
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const name = names.get(text) ?? `tarifario_${names.size}`;
    names.set(text, name);
    return name;
  };
  const run = namedQueries();
  const session = sessionOn(async (text, parameters, rowMode) => {
    assert(!isClosed() && !rowMode, 'the store is open, and rows are objects');
    const client = await pool.connect();
    try {
      const rows = await run(client, { name: nameOf(text), text, values: parameters });
      client.release();
      return { rows, rowCount: rows.length };
    } catch (error) {
      // If a statement is refused that was accepted before, the connection is closed, together with its cached plan.
      client.release(isOutcomeUnknown(error) || faultOf(error) === 'refused' || isForgotten(error));
      throw error;
    }
  });
  const reader = readerOf(session);
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
    keyByHash: (secretHash) => reportingFailures(reader.keyByHash(secretHash)),
    revisions: (accountId) => reportingFailures(reader.revisions(accountId)),
  };
}
