import { assert, type ShelfOwner, type WriteContext } from '@tarifario/core/service';
import { sql } from 'kysely';
import type { Session } from './dialects.ts';

/** A write transaction and what has happened in it. */
export interface UnitOfWork extends Session {
  readonly context: WriteContext;
  /** Shelves that were changed, with the revision that this unit of work stamps there. */
  readonly stamps: Map<ShelfOwner, Promise<number>>;
  /** Changes that have begun and not ended. */
  readonly running: Set<Promise<unknown>>;
  isOpen: boolean;
  /** The first change that failed: nothing is kept, even if the author of the work caught the error. */
  failure: { readonly error: unknown } | null;
}

export function newUnitOfWork(session: Session, context: WriteContext): UnitOfWork {
  return { ...session, context, stamps: new Map(), running: new Set(), isOpen: true, failure: null };
}

/**
 * Makes a method of a writer: it refuses to run after the end of its unit of work, explains what the database says,
 * and dooms the unit of work when it fails. Databases differ in what they keep after a failed statement (all, nothing,
 * or no transaction at all); so none is committed.
 */
export function changing<A extends readonly unknown[], T>(unit: UnitOfWork, change: (...args: A) => Promise<T>) {
  return async (...args: A): Promise<T> => {
    assert(unit.isOpen, 'a unit of work that has ended changes nothing');
    const run = change(...args).catch((error: unknown) => {
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
  };
}

/**
 * Ends the work, before the transaction is committed: changes that nobody waited for are part of it.
 *
 * @throws what the first failed change threw.
 */
export async function finish(unit: UnitOfWork): Promise<void> {
  while (unit.running.size > 0) await Promise.allSettled(unit.running);
  unit.isOpen = false;
  if (unit.failure) throw unit.failure.error;
}

/** The number under which a shelf is stored. An account id that cannot be one has an empty shelf, never the catalog's. */
export function shelfIdOf(owner: ShelfOwner): number {
  if (owner === 'catalog') return 0;
  return owner > 0 ? owner : -1;
}

export function accountIdOf(owner: ShelfOwner): number | null {
  return owner === 'catalog' ? null : owner;
}

/** The revision to stamp on what this unit of work changes on a shelf; the first call raises the shelf's by one. */
export function stamp(unit: UnitOfWork, owner: ShelfOwner): Promise<number> {
  const known = unit.stamps.get(owner);
  if (known) return known;
  const raised = unit.db
    .insertInto('revisions')
    .values({ shelf_id: shelfIdOf(owner), revision: 1 })
    .onConflict((conflict) =>
      conflict.column('shelf_id').doUpdateSet({ revision: sql<number>`revisions.revision + 1` }),
    )
    .returning('revision')
    .executeTakeFirstOrThrow()
    .then((row) => row.revision);
  unit.stamps.set(owner, raised);
  return raised;
}

/**
 * The revision that `stamp` would give, without raising the shelf's: for a statement that says by itself whether it
 * changes anything. Whoever may change a shelf is alone with it.
 */
export async function nextStamp(unit: UnitOfWork, owner: ShelfOwner): Promise<number> {
  const known = unit.stamps.get(owner);
  if (known) return await known;
  const stored = unit.db.selectFrom('revisions').select('revision').where('shelf_id', '=', shelfIdOf(owner));
  return ((await stored.executeTakeFirst())?.revision ?? 0) + 1;
}
