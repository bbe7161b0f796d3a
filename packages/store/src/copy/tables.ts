import { createHash } from 'node:crypto';

/** A value of a column, of either database. */
export type Cell = string | number | Uint8Array | null;
/** The values of a row, in the order of the columns of its table. */
export type Cells = readonly Cell[];

/** What a column stores, whatever the database calls it. */
export type Kind = 'integer' | 'real' | 'text' | 'bytes';

export interface Column {
  readonly name: string;
  readonly kind: Kind;
  /** Made from others by the database: read, never written. */
  readonly isGenerated: boolean;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Columns of the primary key, in its order. */
  readonly key: readonly string[];
}

/** A column as a database lists it in its schema. */
export interface ListedColumn {
  readonly of: string;
  readonly name: string;
  readonly type: string;
  readonly isGenerated: boolean;
  /** The place in the primary key, from any number on; `null`: none. */
  readonly keyPlace: number | null;
}

/**
 * Tables that are not copied, each because it is about a database and not about what is stored: which migrations it has
 * had, its locks, and calls counted in windows of an hour at most, which SQLite has in memory.
 */
export const LEFT_OUT: ReadonlySet<string> = new Set(['migrations', 'rate_buckets', 'write_locks']);

const KINDS: Readonly<Record<string, Kind>> = {
  ...{ bigint: 'integer', integer: 'integer', smallint: 'integer', INTEGER: 'integer' },
  ...{ 'double precision': 'real', REAL: 'real', text: 'text', TEXT: 'text', bytea: 'bytes', BLOB: 'bytes' },
};

/** Tables to copy, by name. Their columns are by name too, because migrations may add them in another order. */
export function tablesOf(listed: readonly ListedColumn[]): readonly Table[] {
  const byTable = Map.groupBy(listed, ({ of }) => of);
  const names = [...byTable.keys()].filter((name) => !LEFT_OUT.has(name)).sort();
  return names.map((name) => {
    const all = (byTable.get(name) ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const inKey = all.filter(({ keyPlace }) => keyPlace !== null);
    const key = inKey.toSorted((a, b) => Number(a.keyPlace) - Number(b.keyPlace)).map((column) => column.name);
    if (key.length === 0) throw new Error(`the table ${name} has no primary key, which orders its rows`);
    const columns = all.map((column) => ({
      name: column.name,
      kind: kindOf(name, column),
      isGenerated: column.isGenerated,
    }));
    return { name, columns, key };
  });
}

function kindOf(table: string, { name, type }: ListedColumn): Kind {
  const kind = KINDS[type];
  if (kind === undefined) throw new Error(`copies of ${type} are not defined: ${table}.${name}`);
  return kind;
}

/** Tables so that each comes after those that its rows refer to. @param references - From a table to another one. */
export function inOrder(
  tables: readonly Table[],
  references: readonly (readonly [from: string, to: string])[],
): readonly Table[] {
  const ordered: Table[] = [];
  let waiting = [...tables];
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name));
    const isFree = ({ name }: Table) => !references.some(([from, to]) => from === name && to !== name && names.has(to));
    const free = waiting.filter(isFree);
    if (free.length === 0) throw new Error(`tables refer to each other in a circle: ${[...names].join(', ')}`);
    ordered.push(...free);
    waiting = waiting.filter((table) => !free.includes(table));
  }
  return ordered;
}

const quoted = (name: string) => `"${name}"`;
export const writtenColumns = ({ columns }: Table) => columns.filter(({ isGenerated }) => !isGenerated);
export const namesOf = (columns: readonly Column[]) => columns.map(({ name }) => quoted(name)).join(', ');

/** All rows in the order of their key, which is the same in both databases. @param collation - Of the texts of a key. */
export function rowsText({ name, columns, key }: Table, collation: string): string {
  const isText = (part: string) => columns.some((column) => column.name === part && column.kind === 'text');
  const order = key.map((part) => (isText(part) ? `${quoted(part)} collate ${collation}` : quoted(part)));
  return `select ${namesOf(columns)} from ${quoted(name)} order by ${order.join(', ')}`;
}

/** How many rows a table has, and the bytes of the texts and files of its widest one. */
export function sizeText({ name, columns }: Table): string {
  const wide = columns.filter(({ kind }) => kind === 'text' || kind === 'bytes');
  const bytes = ['0', ...wide.map((column) => `coalesce(octet_length(${quoted(column.name)}), 0)`)].join(' + ');
  return `select count(*), coalesce(max(${bytes}), 0) from ${quoted(name)}`;
}

const PIECE_BYTES = 4e6;
const MAX_PIECE_ROWS = 2000;

/** How many rows are in memory at once: a few megabytes of them, and one where it is larger. */
export function pieceRows(widestBytes: number): number {
  return Math.max(1, Math.min(MAX_PIECE_ROWS, Math.floor(PIECE_BYTES / Math.max(1, widestBytes))));
}

/** Adds rows to the digest of a table, each as one line of JSON in which a file is its digest. */
export function createTableDigest() {
  const whole = createHash('sha256');
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  let rows = 0;
  return {
    add(piece: readonly Cells[]): void {
      const line = (cells: Cells) =>
        JSON.stringify(cells.map((cell) => (cell instanceof Uint8Array ? [sha256(cell)] : cell)));
      whole.update(piece.map((cells) => `${line(cells)}\n`).join(''));
      rows += piece.length;
    },
    end: () => ({ rows, sha256: whole.digest('hex') }),
  };
}
