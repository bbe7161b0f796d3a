import type { Concern, WriteContext } from '@tarifario/core/service';
import { busy } from './postgres-faults.ts';

/** Advisory locks are numbers that all users of a database share: these are unlikely to be those of somebody else. */
const EVERYTHING = 7_300_000_000_000_000;
const CATALOG = EVERYTHING + 1;
const USAGE = EVERYTHING + 2;
const QUEUE = EVERYTHING + 3;
const ACCOUNTS = EVERYTHING + 1000;

function lockOf(concern: Concern): number {
  if (typeof concern === 'number') return ACCOUNTS + concern;
  return { catalog: CATALOG, usage: USAGE, queue: QUEUE }[concern];
}

/** Ascending, so that no two units of work wait for each other in a circle. */
function locksOf(concerns: readonly Concern[]): readonly number[] {
  return [...new Set(concerns.map(lockOf))].sort((a, b) => a - b);
}

/**
 * Statements that make a unit of work wait until nobody else is about the same; the end of the transaction ends that.
 * Who is about something shares the lock of everything; who has not said what about has that lock alone.
 */
export function lockStatements({ concerns }: WriteContext): readonly string[] {
  if (concerns === undefined) return [`select pg_advisory_xact_lock(${EVERYTHING})`];
  return [
    `select pg_advisory_xact_lock_shared(${EVERYTHING})`,
    ...locksOf(concerns).map((lock) => `select pg_advisory_xact_lock(${lock})`),
  ];
}

/** Runs work when it is the turn of its concerns. */
export type InTurn = <T>(context: WriteContext, work: () => Promise<T>) => Promise<T>;

/**
 * Lets the units of work of this process that are about the same come one after the other. The locks of the database
 * would do; but whoever waits for those holds a connection, and many writes of one account would leave none to others.
 *
 * @param waitMs - How long to wait before DomainError `unavailable` is thrown.
 */
export function createTurns(waitMs: number): InTurn {
  const last = new Map<number, Promise<void>>();
  const inTurnOf = async <T>(lock: number, work: () => Promise<T>): Promise<T> => {
    const before = last.get(lock) ?? Promise.resolve();
    const { promise: done, resolve } = Promise.withResolvers<void>();
    // Over when those before are over too: who gives up waiting lets nobody past them.
    const mine = before.then(() => done);
    last.set(lock, mine);
    void mine.then(() => {
      if (last.get(lock) === mine) last.delete(lock);
    });
    try {
      await within(before, waitMs);
      return await work();
    } finally {
      resolve();
    }
  };
  return ({ concerns }, work) => {
    const locks = concerns === undefined ? [EVERYTHING] : locksOf(concerns);
    return locks.reduceRight((inner, lock) => () => inTurnOf(lock, inner), work)();
  };
}

async function within(event: Promise<void>, waitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(busy()), waitMs);
  });
  try {
    await Promise.race([event, late]);
  } finally {
    clearTimeout(timer);
  }
}
