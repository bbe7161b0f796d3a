import { isDeepStrictEqual } from 'node:util';
import { DatabaseProblem } from '../database.ts';
import { MIGRATIONS, pendingAmong } from '../migrations/index.ts';
import { isPostgres } from '../open.ts';
import { isBegun, type Source, type Target } from './ends.ts';
import { fromPostgres, toPostgres } from './postgres.ts';
import { fromSqlite, toSqlite } from './sqlite.ts';
import { type Cells, createTableDigest, type Table } from './tables.ts';

/** What a copy has of a table. */
export interface CopiedTable {
  readonly table: string;
  readonly rows: number;
  /** Of all rows in the order of their key, the same in both databases; `null`: they were only counted. */
  readonly sha256: string | null;
}

export interface CopyReport {
  /** `false`: nothing was written, because it was only asked, or the same was there already. */
  readonly isCopied: boolean;
  readonly rows: number;
  readonly tables: readonly CopiedTable[];
}

export interface CopyOptions {
  /** Only counts what would be copied. */
  readonly isDryRun?: boolean;
  /** @param done - Rows that were written or read again, of `all` of both. */
  readonly onProgress?: (done: number, all: number, table: string) => void;
}

/**
 * Copies everything that is stored from one database to another, empty one, of either kind, and reads it again to
 * compare. The source is read as it was at one moment, and stays as it is. The target is filled in one transaction: a
 * copy that was ended leaves a database that nothing serves and that the next copy begins anew.
 *
 * @throws DatabaseProblem: the source lacks migrations; the target has tables and not the same content.
 */
export function copyDatabase(from: string, to: string, options: CopyOptions = {}): Promise<CopyReport> {
  const read = isPostgres(from) ? fromPostgres : fromSqlite;
  const fill = isPostgres(to) ? toPostgres : toSqlite;
  return read(from, async (source) => {
    await refuseOther(source);
    return fill(to, (target) => copy(source, target, options));
  });
}

/** What a database has, as the report of a copy says it. @throws DatabaseProblem. */
export function digestsOf(databaseUrl: string): Promise<readonly CopiedTable[]> {
  const read = isPostgres(databaseUrl) ? fromPostgres : fromSqlite;
  return read(databaseUrl, async (source) => digestsIn(source, await source.tables()));
}

/** Tables are copied as this release has them: an older database would lose what a migration changes. */
async function refuseOther({ name, applied }: Source): Promise<void> {
  const names = await applied();
  const lacking = namedAs(name, () => pendingAmong(MIGRATIONS, names)).map((migration) => migration.name);
  if (lacking.length > 0) {
    throw new DatabaseProblem(`${name} lacks migrations: ${lacking.join(', ')}: run tarifario migrate on it first`);
  }
  const later = names?.filter((applied) => !MIGRATIONS.some((migration) => migration.name === applied)) ?? [];
  if (later.length > 0)
    throw new DatabaseProblem(`${name} is of a later release, which can copy it: ${later.join(', ')}`);
}

function namedAs<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof DatabaseProblem ? new DatabaseProblem(`${name} cannot be used: ${error.message}`) : error;
  }
}

async function copy(
  source: Source,
  target: Target,
  { isDryRun = false, onProgress }: CopyOptions,
): Promise<CopyReport> {
  const tables = await source.tables();
  const [names, applied] = [await target.tableNames(), await target.applied()];
  const refuseContent = () => namedAs(target.name, () => isBegun(names, applied));
  // A copy that was ended when it was whole already.
  const mayBeWhole = !isDryRun && MIGRATIONS.every(({ name }) => applied?.includes(name) === true);
  if (!mayBeWhole) {
    refuseContent();
    // Before rows are counted, which takes long: a process killed meanwhile leaves no database that is taken for a new one.
    if (!isDryRun) await target.begin();
  }
  const counted = await countsOf(source, tables);
  if (mayBeWhole) {
    if (isDeepStrictEqual(await countsOf(target, tables), counted)) {
      const [there, here] = [await digestsIn(target, tables), await digestsIn(source, tables)];
      if (isDeepStrictEqual(there, here)) return reportOf(here, false);
    }
    refuseContent();
  }
  if (isDryRun) return reportOf(counted, false);

  if (!isDeepStrictEqual(await target.tables(), tables)) throw new DatabaseProblem(`${source.name} has other tables`);
  let done = 0;
  const all = 2 * reportOf(counted, false).rows;
  const tell = (table: Table) => (rows: number) => {
    done += rows;
    onProgress?.(done, all, table.name);
  };
  const read: CopiedTable[] = [];
  for (const table of tables) {
    const each = async (piece: readonly Cells[]) => {
      await target.insert(table, piece);
      tell(table)(piece.length);
    };
    read.push(await digestOf(source, table, each));
  }
  for (const [index, table] of tables.entries()) {
    const stored = await digestOf(target, table, async (piece) => tell(table)(piece.length));
    if (!isDeepStrictEqual(stored, read[index])) {
      throw new DatabaseProblem(`${target.name} does not give back what was written to ${table.name}`);
    }
  }
  await target.commit(await source.lastIds());
  return reportOf(read, true);
}

function reportOf(tables: readonly CopiedTable[], isCopied: boolean): CopyReport {
  return { isCopied, rows: tables.reduce((sum, { rows }) => sum + rows, 0), tables };
}

async function countsOf(source: Source, tables: readonly Table[]): Promise<readonly CopiedTable[]> {
  const counts: CopiedTable[] = [];
  for (const table of tables) counts.push({ table: table.name, rows: (await source.sizeOf(table)).rows, sha256: null });
  return counts;
}

async function digestsIn(source: Source, tables: readonly Table[]): Promise<readonly CopiedTable[]> {
  const digests: CopiedTable[] = [];
  for (const table of tables) digests.push(await digestOf(source, table));
  return digests;
}

/** Reads a table. @param each - With each piece of it. */
async function digestOf(
  source: Source,
  table: Table,
  each: (piece: readonly Cells[]) => Promise<void> = async () => {},
): Promise<CopiedTable> {
  const digest = createTableDigest();
  const { pieceRows } = await source.sizeOf(table);
  for await (const piece of source.pieces(table, pieceRows)) {
    digest.add(piece);
    await each(piece);
  }
  return { table: table.name, ...digest.end() };
}
