import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { unavailable } from '../unavailable.ts';
import { KEPT_MARKS } from './concerns.ts';

/** What a unit of work leaves in a row of `write_locks` when it is committed. */
export interface WriteMark {
  readonly ownerId: number;
  /** How often the row was locked, this time included. */
  readonly writes: number;
  readonly mark: string;
}

/** How long to wait after a failure to ask. */
const ASK_EVERY_MS = 100;

/**
 * Called when the answer to a commit was lost: asks the database whether it was carried out.
 *
 * @param options - `askMs`: for how long to ask. `error`: thrown when the transaction was not committed.
 * @throws DomainError `unavailable` when the outcome cannot be found out.
 */
export async function resolveUnknownCommit(
  pool: pg.Pool,
  mark: WriteMark,
  { askMs, error }: { readonly askMs: number; readonly error: unknown },
): Promise<void> {
  const end = performance.now() + askMs;
  for (;;) {
    const row = await rowOf(pool, mark);
    if (row?.isMade) return;
    // A server that has lost the commit has counted on without it.
    if (row && row.writes - mark.writes < KEPT_MARKS) throw error;
    if (row || performance.now() > end)
      throw unavailable('nobody can say whether the change was made: look before repeating it');
    await sleep(ASK_EVERY_MS);
  }
}

interface MarkedRow {
  readonly writes: number;
  readonly isMade: boolean;
}

/** Waits for the lock that the transaction holds until it has ended. `null`: the database cannot be asked. */
async function rowOf(pool: pg.Pool, { ownerId, mark }: WriteMark): Promise<MarkedRow | null> {
  const text = `insert into write_locks as held (owner_id, writes, marks) values ($1, 0, '{}')
    on conflict (owner_id) do update set writes = held.writes
    returning writes, $2::uuid = any(marks) as "isMade"`;
  try {
    return (await pool.query<MarkedRow>(text, [ownerId, mark])).rows[0] ?? null;
  } catch {
    return null;
  }
}
