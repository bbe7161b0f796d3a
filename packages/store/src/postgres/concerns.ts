import { type Concern, createFairQueue, type WriteContext } from '@tarifario/core/service';
import { BUSY } from '../unavailable.ts';

/** Advisory locks are numbers shared by all users of a database. These are unlikely to be used by anybody else. */
const EVERYTHING = 7_300_000_000_000_000;
const CATALOG = EVERYTHING + 1;
const USAGE = EVERYTHING + 2;
const QUEUE = EVERYTHING + 3;
const ACCOUNTS = EVERYTHING + 1000;

function lockOf(concern: Concern): number {
  if (typeof concern === 'number') return ACCOUNTS + concern;
  return { catalog: CATALOG, usage: USAGE, queue: QUEUE }[concern];
}

/** Ascending, to avoid deadlocks. */
function locksOf(concerns: readonly Concern[]): readonly number[] {
  return [...new Set(concerns.map(lockOf))].sort((a, b) => a - b);
}

/**
 * Statements that lock the concerns of a unit of work until the end of its transaction. A unit of work with concerns
 * takes the global lock in shared mode; one without takes it exclusively.
 */
export function lockStatements({ concerns }: WriteContext): readonly string[] {
  if (concerns === undefined) return [`select pg_advisory_xact_lock(${EVERYTHING})`];
  return [
    `select pg_advisory_xact_lock_shared(${EVERYTHING})`,
    ...locksOf(concerns).map((lock) => `select pg_advisory_xact_lock(${lock})`),
  ];
}

/** Runs work once all earlier work with a common concern has ended. */
type RunInTurn = <T>(context: WriteContext, work: () => Promise<T>) => Promise<T>;

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
    const locks = concerns === undefined ? [EVERYTHING] : locksOf(concerns);
    return locks.reduceRight((inner, lock) => () => queue.run(lock, inner), work)();
  };
}
