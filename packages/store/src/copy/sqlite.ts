import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { DatabaseProblem } from '../database.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import { apply, createFile, explained, pathOf } from '../sqlite/open.ts';
import { openReader } from '../sqlite/store.ts';
import { isBegun, MARK, type Source, type Target } from './ends.ts';
import {
  type Cell,
  type Cells,
  inOrder,
  type ListedColumn,
  namesOf,
  pieceRows,
  rowsText,
  sizeText,
  type Table,
  tablesOf,
  writtenColumns,
} from './tables.ts';

const TABLES = "(select name, sql from sqlite_schema where type = 'table' and name not like 'sqlite!_%' escape '!')";
const COLUMNS = `select owner.name as "of", part.name, part.type, part.hidden > 0 as isGenerated,
  nullif(part.pk, 0) as keyPlace from ${TABLES} as owner, pragma_table_xinfo(owner.name) as part`;
const REFERENCES = `select owner.name, part."table" from ${TABLES} as owner, pragma_foreign_key_list(owner.name) as part`;
/** Tables whose ids are not used twice. */
const COUNTED = `select name from ${TABLES} where sql like '%AUTOINCREMENT%'`;
/** A table without a row has no line. */
const LAST_IDS = "select name, seq from sqlite_schema join sqlite_sequence using (name) where type = 'table'";
const TRIGGERS = "select name, sql from sqlite_schema where type = 'trigger' order by rowid";

/** Where the connection of this moment is. */
interface File {
  readonly path: string;
  handle: Database.Database;
}

/** Works on the snapshot of a file, which stays as it is. @throws DatabaseProblem. */
export async function fromSqlite<T>(databaseUrl: string, work: (source: Source) => Promise<T>): Promise<T> {
  const path = pathOf(databaseUrl);
  if (!existsSync(path)) throw new DatabaseProblem(`there is no database file ${path}`);
  const file: File = { path, handle: explained(path, () => openReader(path)) };
  try {
    // The snapshot is taken by the first read.
    explained(path, () => file.handle.exec('begin; select 1 from sqlite_schema'));
    return await work(sourceOn(file));
  } finally {
    file.handle.close();
  }
}

/** Works on a file to fill. `begin` creates it: until then a missing one looks like an empty one. @throws DatabaseProblem. */
export async function toSqlite<T>(databaseUrl: string, work: (target: Target) => Promise<T>): Promise<T> {
  const path = pathOf(databaseUrl);
  const open = () => (existsSync(path) ? openReader(path) : new Database(':memory:'));
  const file: File = { path, handle: explained(path, open) };
  try {
    return await work({ ...sourceOn(file), ...fillingOf(file) });
  } finally {
    // What is not committed is rolled back.
    file.handle.close();
  }
}

/** Rows of a query as lists of values. */
function lists({ path, handle }: File, text: string): readonly Cell[][] {
  return explained(path, () => handle.prepare<[], Cell[]>(text).raw().all());
}

function names(file: File, text: string): readonly string[] {
  return lists(file, text).map(([name]) => String(name));
}

const tableNamesIn = (file: File) => names(file, `select name from ${TABLES}`);

function appliedIn(file: File): readonly string[] | null {
  return tableNamesIn(file).includes('migrations') ? names(file, 'select name from migrations') : null;
}

function listedIn({ path, handle }: File): readonly ListedColumn[] {
  type Listed = Omit<ListedColumn, 'isGenerated'> & { readonly isGenerated: number };
  const listed = explained(path, () => handle.prepare<[], Listed>(COLUMNS).all());
  return listed.map((column) => ({ ...column, isGenerated: column.isGenerated === 1 }));
}

function sourceOn(file: File): Source {
  return {
    name: `the database file ${file.path}`,
    tableNames: async () => tableNamesIn(file),
    applied: async () => appliedIn(file),
    tables: async () => {
      const columns = listedIn(file);
      const references = lists(file, REFERENCES).map(([from, to]) => [String(from), String(to)] as const);
      return inOrder(tablesOf(columns), references);
    },
    sizeOf: async (table) => {
      const [rows, widest] = lists(file, sizeText(table)).flat().map(Number);
      return { rows: rows ?? 0, pieceRows: pieceRows(widest ?? 0) };
    },
    pieces: (table, rows) => piecesOf(file, table, rows),
    lastIds: async () =>
      new Map(
        names(file, COUNTED).length === 0
          ? []
          : lists(file, LAST_IDS).map(([name, last]) => [String(name), Number(last)]),
      ),
  };
}

async function* piecesOf({ path, handle }: File, table: Table, rows: number): AsyncGenerator<readonly Cells[]> {
  const found = explained(path, () => handle.prepare<[], Cell[]>(rowsText(table, 'binary')).raw().iterate());
  const whole = table.columns.flatMap(({ kind }, index) => (kind === 'integer' ? [index] : []));
  const next = () =>
    explained(path, () => {
      const { value, done } = found.next();
      const isInexact = (index: number) => typeof value?.[index] === 'number' && !Number.isSafeInteger(value[index]);
      if (done !== true && whole.some(isInexact)) throw new DatabaseProblem(`a number in ${table.name} is too great`);
      return done === true ? null : value;
    });
  try {
    for (let cells = next(); cells !== null; ) {
      const piece: Cells[] = [];
      for (; cells !== null && piece.length < rows; cells = next()) piece.push(cells);
      yield piece;
    }
  } finally {
    found.return?.();
  }
}

function fillingOf(file: File): Omit<Target, keyof Source> {
  const triggers: string[] = [];
  const begin = () => {
    file.handle.close();
    const handle = createFile(file.path);
    file.handle = handle;
    // Pages of all indices change all the time, and would be written again and again.
    handle.pragma('cache_size = -64000');
    const isMarked = () => isBegun(tableNamesIn(file), appliedIn(file));
    handle.transaction(() => (isMarked() ? [] : apply(handle, [MARK]))).immediate();
    handle.exec('begin immediate');
    isBegun(tableNamesIn(file), appliedIn(file));
    handle.prepare('delete from migrations').run();
    apply(handle, MIGRATIONS);
    for (const { name, sql } of handle.prepare<[], { name: string; sql: string }>(TRIGGERS).all()) {
      handle.exec(`drop trigger "${name}"`);
      triggers.push(sql);
    }
  };
  const insert = (table: Table, rows: readonly Cells[]) => {
    const columns = writtenColumns(table);
    const places = columns.map((column) => table.columns.indexOf(column));
    const values = columns.map(() => '?').join(', ');
    const statement = file.handle.prepare(`insert into "${table.name}" (${namesOf(columns)}) values (${values})`);
    for (const cells of rows) statement.run(...places.map((place) => cells[place]));
  };
  const commit = (lastIds: ReadonlyMap<string, number>) => {
    const stored = new Map(lists(file, LAST_IDS).map(([name, last]) => [String(name), Number(last)]));
    const record = file.handle.prepare('insert into sqlite_sequence (name, seq) values (?, ?)');
    const forget = file.handle.prepare('delete from sqlite_sequence where name = ?');
    for (const name of names(file, COUNTED)) {
      const last = Math.max(stored.get(name) ?? 0, lastIds.get(name) ?? 0);
      forget.run(name);
      if (last > 0) record.run(name, last);
    }
    for (const sql of triggers) file.handle.exec(sql);
    file.handle.exec('commit');
  };
  return {
    begin: async () => explained(file.path, begin),
    insert: async (table, rows) => explained(file.path, () => insert(table, rows)),
    commit: async (lastIds) => explained(file.path, () => commit(lastIds)),
  };
}
