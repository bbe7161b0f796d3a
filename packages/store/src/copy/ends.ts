import { DatabaseProblem } from '../database.ts';
import { type Migration, UNFINISHED_COPY } from '../migrations/index.ts';
import type { Cells, Table } from './tables.ts';

/** One side of a copy: a database of which everything is read as it was at one moment. */
export interface Source {
  /** For messages, without a password. */
  readonly name: string;
  /** All tables of the database, also those that the schema does not have. */
  tableNames(): Promise<readonly string[]>;
  /** Names of the migrations in its record; `null`: it has none. */
  applied(): Promise<readonly string[] | null>;
  /** The tables to copy, each after those that it refers to. */
  tables(): Promise<readonly Table[]>;
  /** How many rows a table has, and how many of them may be in memory at once. */
  sizeOf(table: Table): Promise<{ readonly rows: number; readonly pieceRows: number }>;
  /** All rows in the order of their key, in pieces. */
  pieces(table: Table, pieceRows: number): AsyncIterable<readonly Cells[]>;
  /** The last id that each table has given, which may be that of a deleted row: ids are not used twice. */
  lastIds(): Promise<ReadonlyMap<string, number>>;
}

/**
 * The other side, which is filled in one transaction: as long as that has not ended, the database is marked as the
 * beginning of a copy, which nothing serves or migrates.
 */
export interface Target extends Source {
  /** Marks it, and begins the transaction with its tables and without their triggers. @throws DatabaseProblem where it is not empty. */
  begin(): Promise<void>;
  insert(table: Table, rows: readonly Cells[]): Promise<void>;
  /** Ends the transaction, with triggers and with ids that come after these. */
  commit(lastIds: ReadonlyMap<string, number>): Promise<void>;
}

/** Its record of it is what marks a database. */
export const MARK: Migration = { name: UNFINISHED_COPY, sqlite: '', postgres: '' };

/** Whether a database is marked; `false`: it is empty. @throws DatabaseProblem where it is neither. */
export function isBegun(tableNames: readonly string[], applied: readonly string[] | null): boolean {
  if (tableNames.length === 0) return false;
  if (tableNames.length === 1 && applied?.length === 1 && applied[0] === UNFINISHED_COPY) return true;
  throw new DatabaseProblem('it is not empty, and a copy needs a database without tables');
}
