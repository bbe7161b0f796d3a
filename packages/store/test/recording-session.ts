import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { type Dialect, type Session, sqliteDialect } from '../src/dialects.ts';
import type { Schema } from '../src/schema.ts';

/** A session that records its statements and has no rows. */
export function recordingSession(dialect: Dialect = sqliteDialect) {
  const statements: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];
  const db = new Kysely<Schema>({
    log: ({ query: { sql, parameters } }) => void statements.push({ sql, parameters }),
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
    offerRows: { insert: async () => undefined, replace: async () => 0 },
  };
  return { session, statements };
}
