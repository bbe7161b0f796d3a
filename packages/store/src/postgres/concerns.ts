import { randomInt } from 'node:crypto';
import { type Concern, createFairQueue, type WriteContext } from '@tarifario/core/service';
import { BUSY } from '../unavailable.ts';
import { ownerIdOf } from '../unit-of-work.ts';

/** Rows of `write_locks` that are of no owner. */
const [USAGE, QUEUE] = [-2, -3];
/** The last of those for units of work without a concern. */
const LONELY = -1000;
const LONELY_ROWS = 10_000;

function lockOf(concern: Concern): number {
  if (concern === 'usage') return USAGE;
  return concern === 'queue' ? QUEUE : ownerIdOf(concern);
}

/** Ascending, to avoid deadlocks. */
function locksOf(concerns: readonly Concern[]): readonly number[] {
  return [...new Set(concerns.map(lockOf))].sort((a, b) => a - b);
}

/** How many of the last marks a row has: who asks for an earlier one is told that nobody can say. */
export const KEPT_MARKS = 32;

/**
 * Statements that lock the concerns of a unit of work until the end of its transaction, and leave its mark there, so
 * that a lost answer to its commit can be found out. One whose concerns are not known locks all rows, also those that
 * do not exist yet.
 *
 * @param options - `mark`: a UUID. `lonely`: the row for a unit of work without a concern.
 * @returns The last but one returns the locked rows, each with how often it was locked, the last how long that took.
 */
export function lockStatements(
  { concerns }: WriteContext,
  { mark, lonely }: { readonly mark: string; readonly lonely: number },
): readonly string[] {
  const locks = concerns === undefined || concerns.length === 0 ? [lonely] : locksOf(concerns);
  return [
    // Earlier releases have other locks and keys: they may not write beside this one.
    "set local tarifario.locks = 'owners'",
    ...(concerns === undefined ? ['lock table write_locks in share row exclusive mode'] : []),
    `insert into write_locks as held (owner_id, writes, marks) values ${locks.map((lock) => `(${lock}, 1, '{${mark}}')`)}
     on conflict (owner_id) do update
     set writes = held.writes + 1, marks = (excluded.marks || held.marks)[1:${KEPT_MARKS}]
     returning owner_id, writes`,
    'select extract(epoch from clock_timestamp() - now())::float8 * 1000 as ms',
  ];
}

/** Runs work with a row for units of work without a concern, which no other of this process has, and others hardly ever. */
export function createLonelyRows() {
  const free: number[] = [];
  const first = randomInt(LONELY_ROWS);
  let made = 0;
  return async <T>(work: (row: number) => Promise<T>): Promise<T> => {
    const row = free.pop() ?? LONELY - ((first + made++) % LONELY_ROWS);
    try {
      return await work(row);
    } finally {
      free.push(row);
    }
  };
}

/** Runs work once all earlier work with a common concern has ended. */
type RunInTurn = <T>(context: WriteContext, work: () => Promise<T>) => Promise<T>;

/** Of work that is about everything. */
const EVERYTHING = 'everything';

/**
 * Runs the units of work of this process with a common concern one after the other. The locks of the database would
 * suffice, but waiting for them holds a connection, and many writes of one account would leave none for others.
 *
 * @param waitMs - How long work may wait; then it fails with DomainError `unavailable`.
 */
export function createWriteQueue(waitMs: number): RunInTurn {
  const queue = createFairQueue({
    places: Number.POSITIVE_INFINITY,
    placesPerKey: 1,
    refusal: BUSY,
    startTimer: (giveUp) => {
      const timer = setTimeout(giveUp, waitMs);
      return () => clearTimeout(timer);
    },
  });
  return ({ concerns }, work) => {
    const locks = concerns === undefined ? ([EVERYTHING] as const) : locksOf(concerns);
    return locks.reduceRight((inner, lock) => () => queue.run(lock, inner), work)();
  };
}
