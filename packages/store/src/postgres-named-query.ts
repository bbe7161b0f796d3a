import type pg from 'pg';

type Row = Readonly<Record<string, unknown>>;

interface Column {
  readonly name: string;
  readonly read: (text: string) => unknown;
}

export interface NamedStatement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Runs statements under a name. From the second time on, the server does not describe the columns again, and the driver
 * does not look up how to read them. For a statement that returns a row or two this is a large part of its cost.
 */
export function namedQueries(): (client: pg.PoolClient, statement: NamedStatement) => Promise<Row[]> {
  const columnsOf = new WeakMap<pg.PoolClient, Map<string, readonly Column[]>>();
  return async (client, statement) => {
    const ofClient = columnsOf.get(client) ?? new Map<string, readonly Column[]>();
    columnsOf.set(client, ofClient);
    const { name, text, values } = statement;
    const columns = ofClient.get(name);
    if (columns) return await runPrepared(client, statement, columns);
    const { rows, fields } = await client.query<Record<string, unknown>>({ name, text, values: [...values] });
    ofClient.set(
      name,
      fields.map((field) => ({ name: field.name, read: client.getTypeParser(field.dataTypeID, 'text') })),
    );
    return rows;
  };
}

/** The methods of a query that the driver calls, besides `submit`. */
interface Answering extends pg.Submittable {
  /** Read by tools that log statements. */
  readonly text: string;
  /** The driver wraps it to apply its time-out. */
  callback: (error: unknown, rows?: Row[]) => void;
  handleDataRow(message: { readonly fields: readonly (string | null)[] }): void;
  handleCommandComplete(): void;
  handleReadyForQuery(): void;
  handleError(error: unknown): void;
}

function runPrepared(client: pg.PoolClient, { name, text, values }: NamedStatement, columns: readonly Column[]) {
  const texts = values.map((value) => (value === null ? null : String(value)));
  return new Promise<Row[]>((resolve, reject) => {
    const rows: Row[] = [];
    let failure: unknown = null;
    const query: Answering = {
      text,
      callback: (error, answer = []) => (error ? reject(error) : resolve(answer)),
      submit: (connection) => {
        connection.stream.cork();
        connection.bind({ statement: name, values: texts }, false);
        connection.execute(null, false);
        connection.sync();
        connection.stream.uncork();
      },
      handleDataRow: ({ fields }) => {
        try {
          rows.push(rowOf(columns, fields));
        } catch (error) {
          failure ??= error;
        }
      },
      handleCommandComplete: () => {},
      handleReadyForQuery: () => query.callback(failure, rows),
      handleError: (error) => query.callback(error),
    };
    client.query(query);
  });
}

function rowOf(columns: readonly Column[], fields: readonly (string | null)[]): Row {
  const row: Record<string, unknown> = {};
  for (const [index, { name, read }] of columns.entries()) {
    const value = fields[index] ?? null;
    row[name] = value === null ? null : read(value);
  }
  return row;
}
