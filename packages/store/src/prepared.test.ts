import { expect, test } from 'vitest';
import { recordingSession } from '../test/recording-session.ts';
import { postgresDialect } from './dialects.ts';
import { prepared } from './prepared.ts';

test('a prepared query is built once for each kind of database, and run with the parameters of each call', async () => {
  let built = 0;
  const firmsOf = prepared((db, accountId: number) => {
    built += 1;
    return db.selectFrom('firms').select('id').where('account_id', '=', accountId);
  });
  const [one, other] = [recordingSession(), recordingSession(postgresDialect)];
  await firmsOf(one.session, 1);
  await firmsOf(one.session, 2);
  await firmsOf(other.session, 3);
  expect(built).toBe(2);
  expect(one.statements.map(({ parameters }) => parameters)).toEqual([[1], [2]]);
  expect(other.statements.map(({ parameters }) => parameters)).toEqual([[3]]);
  expect(one.statements[0]?.sql).toContain('"account_id" = ?');
});

test('a query that brings a value of its own cannot be prepared', () => {
  const { session } = recordingSession();
  const activeOf = prepared((db, accountId: number) =>
    db.selectFrom('firms').select('id').where('is_active', '=', 1).where('account_id', '=', accountId),
  );
  expect(() => activeOf(session, 7)).toThrow('a prepared query has the parameters it is given');
});
