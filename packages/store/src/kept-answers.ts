import { DomainError, type KeptAnswer, type Reader, type Writer } from '@tarifario/core/service';
import { sql } from 'kysely';
import type { Session } from './dialects.ts';
import { changing, type UnitOfWork } from './unit-of-work.ts';

export function keptAnswerReads({ db }: Session): Pick<Reader, 'keptAnswer'> {
  return {
    keptAnswer: async (keyId, idempotencyKey) => {
      const named = db.selectFrom('kept_answers').selectAll().where('key_id', '=', keyId);
      const row = await named.where('idempotency_key', '=', idempotencyKey).executeTakeFirst();
      if (!row) return null;
      const { fingerprint, rights, answer, kept_at: keptAt } = row;
      return { keyId, idempotencyKey, fingerprint, rights, answer, keptAt };
    },
  };
}

export function keptAnswerWrites(unit: UnitOfWork): Pick<Writer, 'keepAnswer' | 'deleteAnswersBefore'> {
  return {
    keepAnswer: changing(unit, (answer, { insteadOf }) => keepAnswer(unit, answer, insteadOf)),
    deleteAnswersBefore: changing(unit, (instant, limit) => deleteAnswersBefore(unit, instant, limit)),
  };
}

/** One statement, so that of two transactions at once the unique index lets one through. */
async function keepAnswer({ db, context }: UnitOfWork, kept: KeptAnswer, insteadOf: string): Promise<void> {
  const { fingerprint, rights, answer } = kept;
  const what = { fingerprint, rights, answer, kept_at: context.at };
  const row = await db
    .insertInto('kept_answers')
    .values({ key_id: kept.keyId, idempotency_key: kept.idempotencyKey, ...what })
    .onConflict((conflict) =>
      conflict
        .columns(['key_id', 'idempotency_key'])
        .doUpdateSet(what)
        .where(sql.ref('kept_answers.kept_at'), '<', insteadOf),
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
    // Where others write at the same time, another answer may have taken the place of an old one since it was found.
    .where('kept_at', '<', instant)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
