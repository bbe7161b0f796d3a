/** The name of the column of a field: `firm_limit` of `firmLimit`. */
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name;

type Stored<Value> = Value extends boolean ? number : Value extends string | number | null ? Value : string;

/** A record as a row: flags are 0 or 1, lists and objects are JSON, and other values are unchanged. */
export type RowOf<T> = { [Name in keyof T & string as Snake<Name>]: Stored<T[Name]> };

/** Reads and writes records whose columns have the names of their fields. */
export interface RecordCodec<T> {
  readonly columns: readonly (keyof RowOf<T> & string)[];
  read(row: RowOf<T>): T;
  /** Reads a record from the columns of a joined table, which have this prefix. */
  readerIn(prefix: string): (row: object) => T;
  /** The columns of the given fields. */
  write<Part extends Partial<T>>(record: Part): RowOf<Pick<T, keyof T & keyof Part>>;
}

/** Columns of a joined table under a prefix, for `readerIn`. */
export function aliased<Table extends string, Column extends string, Prefix extends string>(
  table: Table,
  columns: readonly Column[],
  prefix: Prefix,
) {
  return columns.map((column) => `${table}.${column} as ${prefix}${column}` as const);
}

type NamesOf<T, Value> = { [Name in keyof T & string]: T[Name] extends Value ? Name : never }[keyof T & string];

/** @param missing - Fields that are in none of the lists, although each has to be in one. */
export function recordCodec<T>() {
  return <Plain extends NamesOf<T, string | number | null>, Flag extends NamesOf<T, boolean>, Json extends keyof T>(
    names: { readonly plain: readonly Plain[]; readonly flags?: readonly Flag[]; readonly json?: readonly Json[] },
    ..._missing: Exclude<keyof T, Plain | Flag | Json> extends never ? [] : [Exclude<keyof T, Plain | Flag | Json>]
  ): RecordCodec<T> => codecOf(names);
}

interface Form {
  readonly read: (stored: unknown) => unknown;
  readonly write: (value: unknown) => unknown;
}

const PLAIN: Form = { read: (stored) => stored, write: (value) => value };
const FLAG: Form = { read: (stored) => stored === 1 || stored === true, write: Number };
const JSON_TEXT: Form = {
  read: (stored) => (stored === null ? null : JSON.parse(String(stored))),
  write: (value) => (value === null ? null : JSON.stringify(value)),
};

type Names = Readonly<Record<'plain' | 'flags' | 'json', readonly PropertyKey[]>>;

function codecOf<T>({ plain, flags = [], json = [] }: Partial<Names> & Pick<Names, 'plain'>): RecordCodec<T> {
  const placed = (form: Form) => (name: PropertyKey) => {
    return {
      ...form,
      name: String(name),
      column: String(name).replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    };
  };
  const fields = [...plain.map(placed(PLAIN)), ...flags.map(placed(FLAG)), ...json.map(placed(JSON_TEXT))];
  const readerIn = (prefix: string) => {
    const own = fields.map((field) => ({ ...field, column: prefix + field.column }));
    return (row: object) => {
      const stored = row as Readonly<Record<string, unknown>>;
      const record: Record<string, unknown> = {};
      for (const { name, column, read } of own) record[name] = read(stored[column]);
      return record as T;
    };
  };
  return {
    columns: fields.map(({ column }) => column as keyof RowOf<T> & string),
    read: readerIn(''),
    readerIn,
    write: (record) => {
      const values = record as Readonly<Record<string, unknown>>;
      const given = fields.filter(({ name }) => values[name] !== undefined);
      return Object.fromEntries(given.map(({ name, column, write }) => [column, write(values[name])])) as never;
    },
  };
}
