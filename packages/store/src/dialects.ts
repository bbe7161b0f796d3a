import { assert, DomainError } from '@tarifario/core/service';
import { type CompiledQuery, type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import type { OfferRows } from './offer-rows.ts';
import type { Schema } from './schema.ts';

/**
 * The differences between databases. Everything else is written once, with kysely. To add a database, implement this
 * interface and the opening of connections and transactions (as in `sqlite.ts`).
 */
export interface Dialect {
  /** Whether others can write at the same time, so that a row must be locked to stay as it was read. */
  readonly locksRows: boolean;
  /**
   * How many records are read or written at once. The SQLite driver blocks the thread, so this limits for how long;
   * elsewhere it saves round trips.
   */
  readonly chunkSize: number;
  /** Whether the database runs in another process, so that this thread is free meanwhile. */
  readonly worksElsewhere: boolean;
  /**
   * Whether a number is in a list that is passed as one parameter, so that the SQL text does not depend on its length.
   */
  isAnyOf(number: Expression<number>, numbers: readonly number[]): Expression<SqlBool>;
  /** The same in two steps: a list of numbers as a parameter, and whether a number is in it. */
  listParameter(numbers: readonly number[]): unknown;
  isIn(number: Expression<number>, list: unknown): Expression<SqlBool>;
  /** Whether a text contains another one literally: no wildcards, case-sensitive. */
  contains(text: Expression<string>, part: string): Expression<SqlBool>;
  /**
   * Increments the revision of an owner, with a mark of the new one.
   *
   * @returns `last`: the instant of the last change of the owner's offers; every change stamps its offer.
   */
  raiseRevision(db: Kysely<Schema>, ownerId: number, mark: number): Promise<Raised>;
  /** New ids for offers, ascending and never used before. Called inside a write transaction. */
  newOfferIds(db: Kysely<Schema>, count: number): Promise<readonly number[]>;
  /** The current time; `own` where all users of the database are on one machine. */
  instant(db: Kysely<Schema>, own: string): Promise<string>;
  /**
   * Translates the error of a statement: a refusal where a constraint enforces a rule of the domain, else the error
   * itself.
   */
  explain(error: unknown): unknown;
}

interface Raised {
  readonly revision: number;
  readonly last: string | null;
}

/** Runs the queries of one transaction. */
export interface Session {
  readonly db: Kysely<Schema>;
  readonly dialect: Dialect;
  /** Runs a compiled query with new parameters. */
  rows<Row>(query: CompiledQuery<Row>, parameters: readonly (string | number)[]): Promise<readonly Row[]>;
  /** Runs a query and returns rows as arrays of values, which is faster than objects for thousands of rows. */
  lists(query: CompiledQuery, parameters: readonly unknown[]): Promise<unknown[][]>;
  /**
   * Inserts rows in the order given: at least one, all with the same columns.
   *
   * @param options - `replacing`: columns of a unique key. An existing row with the same key is updated with the new
   *   columns.
   */
  insertRows(table: RowTable, rows: readonly Row[], options?: InsertOptions): Promise<void>;
  readonly offerRows: OfferRows;
}

interface InsertOptions {
  readonly replacing?: readonly string[];
}

/** Tables of which many rows are written at once. */
export type RowTable = 'index_days' | 'monthly_prices' | 'offer_versions' | 'usage_log';
/** Columns by name. */
export type Row = Readonly<Record<string, string | number | null>>;

/** The names of the columns of rows, as SQL. */
export function columnsOf(rows: readonly Row[]): readonly string[] {
  return Object.keys(rows[0] ?? {}).map((column) => `"${column}"`);
}

/** The `on conflict` clause of an insert, for both databases. */
export function conflictText(rows: readonly Row[], { replacing = [] }: InsertOptions = {}): string {
  if (replacing.length === 0) return '';
  const keys = replacing.map((column) => `"${column}"`);
  const others = columnsOf(rows).filter((column) => !keys.includes(column));
  return ` on conflict (${keys.join(', ')}) do update set ${others.map((name) => `${name} = excluded.${name}`).join(', ')}`;
}

const RAISE = (ownerId: number) => sql`insert into revisions (owner_id, revision) values (${ownerId}, 1)
  on conflict (owner_id) do update set revision = revisions.revision + 1`;
const LAST = (ownerId: number) =>
  sql`(select updated_at from offers where owner_id = ${ownerId} order by revision desc limit 1)`;

export const sqliteDialect: Dialect = {
  locksRows: false,
  chunkSize: 100,
  worksElsewhere: false,
  isAnyOf: (number, numbers) => sqliteDialect.isIn(number, sqliteDialect.listParameter(numbers)),
  listParameter: (numbers) => JSON.stringify(numbers),
  isIn: (number, list) => sql<SqlBool>`${number} in (select value from json_each(${list}))`,
  contains: (text, part) => sql<SqlBool>`instr(${text}, ${part}) > 0`,
  raiseRevision: async (db, ownerId, mark) => {
    const raised = sql<Raised>`${RAISE(ownerId)} returning revision, ${LAST(ownerId)} as last`;
    const [row] = (await raised.execute(db)).rows;
    assert(row !== undefined, 'an insert returns its row');
    const values = { owner_id: ownerId, revision: row.revision, mark };
    await db.replaceInto('revision_marks').values(values).execute();
    return row;
  },
  newOfferIds: async (db, count) => {
    // Inserting an explicit id advances the sequence, and there is only one write transaction at a time, so no ids need
    // to be reserved.
    const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = 'offers'`.execute(db);
    const last = rows[0]?.seq ?? 0;
    return Array.from({ length: count }, (_, i) => last + 1 + i);
  },
  instant: async (_, own) => own,
  explain: (error) => {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'SQLITE_CONSTRAINT_UNIQUE') return error;
    if (error.message.includes('email_folded')) return duplicateEmail();
    return error.message.includes('name_folded') ? duplicateName() : error;
  },
};

/** Unique indexes that enforce a rule of the domain. */
const UNIQUE_RULES: readonly (readonly [index: string, refusal: () => DomainError])[] = [
  ['accounts_email', duplicateEmail],
  ['firms_name', duplicateName],
  ['companies_name_in_firm', duplicateName],
  ['companies_name_in_catalog', duplicateName],
];

export const postgresDialect: Dialect = {
  locksRows: true,
  chunkSize: 500,
  worksElsewhere: true,
  isAnyOf: (number, numbers) => postgresDialect.isIn(number, postgresDialect.listParameter(numbers)),
  listParameter: (numbers) => numbers,
  isIn: (number, list) => sql<SqlBool>`${number} = any(${list}::bigint[])`,
  contains: (text, part) => sql<SqlBool>`strpos(${text}, ${part}) > 0`,
  raiseRevision: async (db, ownerId, mark) => {
    const raised = sql<Raised>`with raised as (${RAISE(ownerId)} returning revision),
      marked as (
        insert into revision_marks (owner_id, revision, mark) select ${ownerId}::bigint, revision, ${mark}::bigint from raised
        on conflict (owner_id, revision) do update set mark = excluded.mark
      )
      select revision, ${LAST(ownerId)} as last from raised`;
    const [row] = (await raised.execute(db)).rows;
    assert(row !== undefined, 'an insert returns its row');
    return row;
  },
  newOfferIds: async (db, count) => {
    const next = sql<{ id: number }>`select nextval('offers_id_seq') as id from generate_series(1, ${count}::bigint)`;
    return (await next.execute(db)).rows.map(({ id }) => id);
  },
  instant: async (db) => {
    const clock = sql`clock_timestamp() at time zone 'UTC'`;
    const now = sql<{ instant: string }>`select to_char(${clock}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as instant`;
    return (await now.execute(db)).rows[0]?.instant ?? '';
  },
  explain: (error) => {
    if (!(error instanceof Error) || !('code' in error) || error.code !== '23505') return error;
    // A table that is divided names a part of the index, and only in the message, which may be in any language.
    const named = 'constraint' in error && error.constraint ? String(error.constraint) : error.message;
    return UNIQUE_RULES.find(([name]) => named.includes(name))?.[1]() ?? error;
  },
};

function duplicateEmail(): DomainError {
  return new DomainError('duplicate_email', { message: 'another account has that e-mail address' });
}

function duplicateName(): DomainError {
  return new DomainError('duplicate_name', { message: 'that name is taken, and inactive records keep theirs' });
}
