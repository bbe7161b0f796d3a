import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { unavailable } from '../unavailable.ts';
import { serverCodeOf } from './faults.ts';

/**
 * Identifies a transaction. Its number alone is not enough: after a crash the server forgets transactions that were not
 * on disk and uses their numbers again, and so may a replica that takes its place.
 */
export interface TransactionMark {
  readonly xid: string;
  /** Differs after a crash, and on another server. */
  readonly life: string;
}

/** When the server last reset its statistics: a clean stop keeps this value, a crash changes it. */
const LIFE = 'extract(epoch from pg_stat_get_bgwriter_stat_reset_time())::text';

/** Assigns a number to the current transaction and returns its mark as a row. */
export const MARK = `select pg_current_xact_id()::text as xid, ${LIFE} as life`;

/** How often to query the status of a transaction whose commit was not answered. */
const ASK_EVERY_MS = 100;

/**
 * Called when the answer to a commit was lost: asks the database whether it was carried out.
 *
 * @param options - `askMs`: for how long to ask. `error`: thrown when the transaction was not committed.
 * @throws DomainError `unavailable` when the outcome cannot be found out.
 */
export async function resolveUnknownCommit(
  pool: pg.Pool,
  mark: TransactionMark,
  { askMs, error }: { readonly askMs: number; readonly error: unknown },
): Promise<void> {
  const end = performance.now() + askMs;
  for (;;) {
    const status = await statusOf(pool, mark);
    if (status === 'committed') return;
    if (status === 'aborted') throw error;
    if (status === 'unknown' || performance.now() > end)
      throw unavailable('nobody can say whether the change was made: look before repeating it');
    await sleep(ASK_EVERY_MS);
  }
}

interface TransactionStatus {
  readonly status: string | null;
  readonly isSameLife: boolean;
}

const NO_SUCH_TRANSACTION = '22023';

/**
 * `null`: the database cannot be asked, or the transaction is still running. `unknown`: the committed transaction of
 * this number may be another one.
 */
async function statusOf(pool: pg.Pool, { xid, life }: TransactionMark): Promise<string | null> {
  try {
    const text = `select pg_xact_status($1::xid8) as status, ${LIFE} = $2 as "isSameLife"`;
    const [row] = (await pool.query<TransactionStatus>(text, [xid, life])).rows;
    if (!row) return null;
    return row.status === 'committed' && !row.isSameLife ? 'unknown' : row.status;
  } catch (error) {
    return serverCodeOf(error) === NO_SUCH_TRANSACTION ? 'aborted' : null;
  }
}
