import { DomainError } from '@tarifario/core';
import { type CompiledQuery, type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * Where databases differ. Everything else is written once, on kysely. A database is added by writing one of these and
 * the opening of its connections and transactions (as `sqlite.ts` does).
 */
export interface Dialect {
  /** Whether a number is one of many, however many, as one parameter: the text of the query stays the same. */
  isAnyOf(number: Expression<number>, numbers: readonly number[]): Expression<SqlBool>;
  /** Whether a text contains another, character by character: no wildcards, no folding. */
  contains(text: Expression<string>, part: string): Expression<SqlBool>;
  /** Ids for new offers, ascending and never given before. Called inside a write transaction. */
  newOfferIds(db: Kysely<Schema>, count: number): Promise<readonly number[]>;
  /** What a failed statement means: a refusal where the database guards a rule of the domain, else the error itself. */
  explain(error: unknown): unknown;
}

/** What the queries of one transaction run on. */
export interface Session {
  readonly db: Kysely<Schema>;
  readonly dialect: Dialect;
  /** Runs one statement for each list of parameters, in order. The parameters it was compiled with do not matter. */
  runEach(statement: CompiledQuery, parameters: readonly (readonly unknown[])[]): Promise<void>;
}

export const sqliteDialect: Dialect = {
  isAnyOf: (number, numbers) => sql<SqlBool>`${number} in (select value from json_each(${JSON.stringify(numbers)}))`,
  contains: (text, part) => sql<SqlBool>`instr(${text}, ${part}) > 0`,
  newOfferIds: async (db, count) => {
    // Inserting an explicit id moves the sequence on, and a write transaction is alone: no need to reserve.
    const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = 'offers'`.execute(db);
    const last = rows[0]?.seq ?? 0;
    return Array.from({ length: count }, (_, i) => last + 1 + i);
  },
  explain: (error) => {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'SQLITE_CONSTRAINT_UNIQUE') return error;
    if (error.message.includes('email_folded')) {
      return new DomainError('duplicate_email', { message: 'another account has that e-mail address' });
    }
    if (error.message.includes('name_folded')) {
      return new DomainError('duplicate_name', { message: 'that name is taken' });
    }
    return error;
  },
};
