import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { expect, test } from 'vitest';
import { type Dialect, postgresDialect, type Session, sqliteDialect } from './dialects.ts';
import { prepared } from './prepared.ts';
import type { Schema } from './schema.ts';

/** A session that records its statements and has no rows. */
function listening(dialect: Dialect = sqliteDialect) {
  const statements: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];
  const db = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (any) => new SqliteIntrospector(any),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  const session: Session = {
    db,
    dialect,
    rows: async ({ sql }, parameters) => {
      statements.push({ sql, parameters });
      return [];
    },
    lists: async () => [],
    insertRows: async () => undefined,
    offerRows: { insert: async () => undefined, replace: async () => [] },
  };
  return { session, statements };
}

test('a prepared query is built once for each kind of database, and run with the parameters of each call', async () => {
  let built = 0;
  const firmsOf = prepared((db, accountId: number) => {
    built += 1;
    return db.selectFrom('firms').select('id').where('account_id', '=', accountId);
  });
  const [one, other] = [listening(), listening(postgresDialect)];
  await firmsOf(one.session, 1);
  await firmsOf(one.session, 2);
  await firmsOf(other.session, 3);
  expect(built).toBe(2);
  expect(one.statements.map(({ parameters }) => parameters)).toEqual([[1], [2]]);
  expect(other.statements.map(({ parameters }) => parameters)).toEqual([[3]]);
  expect(one.statements[0]?.sql).toContain('"account_id" = ?');
});

test('a query that brings a value of its own cannot be prepared', () => {
  const { session } = listening();
  const activeOf = prepared((db, accountId: number) =>
    db.selectFrom('firms').select('id').where('is_active', '=', 1).where('account_id', '=', accountId),
  );
  expect(() => activeOf(session, 7)).toThrow('a prepared query has the parameters it is given');
});
