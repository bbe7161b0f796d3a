import { DomainError, type Reader, type StoredAnswer, type Writes } from '@tarifario/core/service';
import { sql } from 'kysely';
import type { Session } from './dialects.ts';
import type { UnitOfWork } from './unit-of-work.ts';

export function storedAnswerReads({ db }: Session): Reader['answers'] {
  return {
    get: async (keyId, idempotencyKey) => {
      const named = db.selectFrom('kept_answers').selectAll().where('key_id', '=', keyId);
      const row = await named.where('idempotency_key', '=', idempotencyKey).executeTakeFirst();
      if (!row) return null;
      const { fingerprint, rights, answer, kept_at: storedAt } = row;
      return { keyId, idempotencyKey, fingerprint, rights, answer, storedAt };
    },
  };
}

export function storedAnswerWrites(unit: UnitOfWork): Writes['answers'] {
  return {
    store: (answer, { replacesOlderThan }) => storeAnswer(unit, answer, replacesOlderThan),
    deleteBefore: (instant, limit) => deleteAnswersBefore(unit, instant, limit),
  };
}

/** A single statement, so that of two concurrent transactions the unique index lets only one succeed. */
async function storeAnswer(
  { db, context }: UnitOfWork,
  stored: StoredAnswer,
  replacesOlderThan: string,
): Promise<void> {
  const { fingerprint, rights, answer } = stored;
  const what = { fingerprint, rights, answer, kept_at: context.at };
  const row = await db
    .insertInto('kept_answers')
    .values({ key_id: stored.keyId, idempotency_key: stored.idempotencyKey, ...what })
    .onConflict((conflict) =>
      conflict
        .columns(['key_id', 'idempotency_key'])
        .doUpdateSet(what)
        .where(sql.ref('kept_answers.kept_at'), '<', replacesOlderThan),
    )
    .returning('id')
    .executeTakeFirst();
  if (!row) throw new DomainError('idempotency_in_flight');
}

async function deleteAnswersBefore({ db }: UnitOfWork, instant: string, limit: number): Promise<number> {
  const oldest = db.selectFrom('kept_answers').select('id').where('kept_at', '<', instant);
  const { numDeletedRows } = await db
    .deleteFrom('kept_answers')
    .where('id', 'in', oldest.orderBy('kept_at').orderBy('id').limit(limit))
    // On PostgreSQL a concurrent write may have replaced an old answer since it was selected.
    .where('kept_at', '<', instant)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
