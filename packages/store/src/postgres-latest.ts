import { assert, type SingleReads } from '@tarifario/core/service';
import type pg from 'pg';
import { faultOf, isForgotten, leavesOpen, toldOf } from './postgres-faults.ts';
import { namedQueries } from './postgres-known-query.ts';
import type { PostgresOptions } from './postgres-pool.ts';
import { sessionOn } from './postgres-transaction.ts';
import { readerOf } from './reader-writer.ts';

/**
 * Reads of one statement each, without a transaction around them: a statement alone sees one state, which has all that
 * was committed before it. So each is one round trip in place of three.
 *
 * Statements are prepared under a name, on each connection once: the server parses and plans them no more. Their columns
 * are listed, because a statement that was prepared with a `*` fails from the moment on when a table gets a new column.
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
      // Refused is a statement that once was accepted: what this connection keeps of it, its plan too, goes with it.
      client.release(leavesOpen(error) || faultOf(error) === 'refused' || isForgotten(error));
      throw error;
    }
  });
  const reader = readerOf(session);
  const told = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      if (isClosed() || faultOf(error) === 'refused') throw error;
      report(error);
      throw toldOf(error);
    }
  };
  return {
    keyByHash: (secretHash) => told(reader.keyByHash(secretHash)),
    revisions: (accountId) => told(reader.revisions(accountId)),
  };
}
