import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { serverCodeOf, unavailable } from './postgres-faults.ts';

/**
 * Which transaction it is. The number alone does not say so: what a server had not put on its disk when it crashed never
 * was, the number included, and it gives it again to somebody else. A copy that takes its place may do the same.
 */
export interface TransactionMark {
  readonly xid: string;
  /** Differs after a crash, and on another server. */
  readonly life: string;
}

/** Since when a server has counted what it does: it keeps that over an orderly stop, and loses it in a crash. */
const LIFE = 'extract(epoch from pg_stat_get_bgwriter_stat_reset_time())::text';

/** Gives the transaction in which it runs a number, and its mark as a row. */
export const MARK = `select pg_current_xact_id()::text as xid, ${LIFE} as life`;

/** How often a transaction whose commit was not answered is asked about. */
const ASK_EVERY_MS = 100;

/**
 * The answer to a commit was lost. Whether it was carried out is what the database says, and not how it looked.
 *
 * @param doubt - `askMs`: for how long to ask. `error`: what is thrown when nothing was kept.
 * @throws DomainError `unavailable` when nobody can say.
 */
export async function requireCommitted(
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

interface Told {
  readonly status: string | null;
  readonly isSameLife: boolean;
}

const NO_SUCH_TRANSACTION = '22023';

/** `null`: it cannot be asked for now, or it is under way. `unknown`: it may be somebody else's that was kept. */
async function statusOf(pool: pg.Pool, { xid, life }: TransactionMark): Promise<string | null> {
  try {
    const text = `select pg_xact_status($1::xid8) as status, ${LIFE} = $2 as "isSameLife"`;
    const [told] = (await pool.query<Told>(text, [xid, life])).rows;
    if (!told) return null;
    return told.status === 'committed' && !told.isSameLife ? 'unknown' : told.status;
  } catch (error) {
    return serverCodeOf(error) === NO_SUCH_TRANSACTION ? 'aborted' : null;
  }
}
