import { randomInt } from 'node:crypto';
import { assert, type RecordOwner, type WriteContext } from '@tarifario/core/service';
import { sql } from 'kysely';
import type { Session } from './dialects.ts';

/** A write transaction and what has happened in it. */
export interface UnitOfWork extends Session {
  readonly context: WriteContext;
  /** Owners whose records were changed. */
  readonly stamps: Map<RecordOwner, Promise<Stamp>>;
  /** Changes in progress. */
  readonly running: Set<Promise<unknown>>;
  isOpen: boolean;
  /** The error of the first failed change: the unit of work is rolled back, even if the error was caught. */
  failure: { readonly error: unknown } | null;
}

export function newUnitOfWork(session: Session, context: WriteContext): UnitOfWork {
  return { ...session, context, stamps: new Map(), running: new Set(), isOpen: true, failure: null };
}

/**
 * Runs a change of a unit of work that has not ended, translates errors of the database, and marks the unit of work as
 * failed. After a failed statement databases behave differently (they keep everything, nothing, or end the
 * transaction), so nothing is ever committed then.
 */
export async function runIn<T>(unit: UnitOfWork, change: () => Promise<T>): Promise<T> {
  assert(unit.isOpen, 'a unit of work that has ended changes nothing');
  const run = change().catch((error: unknown) => {
    const explained = unit.dialect.explain(error);
    unit.failure ??= { error: explained };
    throw explained;
  });
  unit.running.add(run);
  try {
    return await run;
  } finally {
    unit.running.delete(run);
  }
}

/**
 * Ends the work before the commit, including changes that were not awaited.
 *
 * @throws the error of the first failed change.
 */
export async function finish(unit: UnitOfWork): Promise<void> {
  while (unit.running.size > 0) await Promise.allSettled(unit.running);
  unit.isOpen = false;
  if (unit.failure) throw unit.failure.error;
}

/**
 * The number under which the records of an owner are stored. An invalid account id gives a number without records,
 * never that of the catalog.
 */
export function ownerIdOf(owner: RecordOwner): number {
  if (owner === 'catalog') return 0;
  return owner > 0 ? owner : -1;
}

export function accountIdOf(owner: RecordOwner): number | null {
  return owner === 'catalog' ? null : owner;
}

/** What is written with the changed records of an owner. */
export interface Stamp {
  readonly revision: number;
  /** Of changes of offers: never before that of the last one, also after the clock went back (A-86). */
  readonly at: string;
}

/** More than these are too many to be guessed. */
const MARKS = 2 ** 48 - 1;

/** The stamp for the records of an owner that this unit of work changes. The first call increments the revision. */
export function stamp(unit: UnitOfWork, owner: RecordOwner): Promise<Stamp> {
  const earlier = unit.stamps.get(owner);
  if (earlier) return earlier;
  const raised = unit.dialect
    .raiseRevision(unit.db, ownerIdOf(owner), randomInt(MARKS))
    .then((stored) => stampAfter(unit, stored));
  unit.stamps.set(owner, raised);
  return raised;
}

function stampAfter(
  { context: { at } }: UnitOfWork,
  { revision, last }: { readonly revision: number; readonly last: string | null },
): Stamp {
  return { revision, at: last !== null && last > at ? last : at };
}

/** Adds to the number of records of an owner, whose revision this unit of work has raised. */
export async function addToCount(
  { db }: UnitOfWork,
  owner: RecordOwner,
  column: 'companies' | 'months',
  number: number,
): Promise<void> {
  if (number === 0) return;
  await db
    .updateTable('revisions')
    .set(({ eb }) => ({ [column]: eb(column, '+', number) }))
    .where('owner_id', '=', ownerIdOf(owner))
    .execute();
}

/** Adds to the bytes that are stored for an owner (A-162). */
export async function addToBytes(
  { db }: UnitOfWork,
  owner: RecordOwner,
  column: 'history' | 'proposals',
  bytes: number,
): Promise<void> {
  await db
    .insertInto('stored_bytes')
    .values({ owner_id: ownerIdOf(owner), [column]: bytes })
    .onConflict((conflict) =>
      conflict.column('owner_id').doUpdateSet({ [column]: sql`${sql.ref(`stored_bytes.${column}`)} + ${bytes}` }),
    )
    .execute();
}
