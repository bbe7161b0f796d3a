import { answerParent } from '../child.ts';
import { answerDatabase, type DatabaseDriver } from '../database-peer.ts';
import { createTables, rankingQuery, tableRows } from '../sql.ts';

/** As much of @duckdb/node-api as is used here: it is installed with the benchmark alone. */
interface DuckDb {
  readonly DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Connection> }> };
}

interface Connection {
  run(sql: string): Promise<unknown>;
  prepare(sql: string): Promise<Prepared>;
  createAppender(table: string): Promise<Appender>;
}

interface Prepared {
  bindDouble(index: number, value: number): void;
  run(): Promise<{ getColumns(): Promise<readonly (readonly (number | bigint)[])[]> }>;
}

interface Appender {
  appendBigInt(value: bigint): void;
  appendInteger(value: number): void;
  appendDouble(value: number): void;
  appendNull(): void;
  endRow(): void;
  closeSync(): void;
}

const specifier: string = '@duckdb/node-api';
const { DuckDBInstance }: DuckDb = await import(specifier);
const [threads] = process.argv.slice(2);

/** DuckDB in memory with a prepared statement. Arguments: how many threads. */
const driver: DatabaseDriver = {
  form: {
    parameter: (n) => `$${n}`,
    double: 'double',
    id: 'bigint',
    clustered: '',
    greatest: (a, b) => `greatest(${a}, ${b})`,
    least: (a, b) => `least(${a}, ${b})`,
  },
  async load(offers) {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run(`set threads to ${Number(threads)}`);
    for (const sql of createTables(driver.form)) await connection.run(sql);
    for (const { table, columns, rows } of tableRows(offers)) {
      const appender = await connection.createAppender(table);
      for (const row of rows) {
        for (const [column, value] of row.entries()) append(appender, columns[column] ?? '', value);
        appender.endRow();
      }
      appender.closeSync();
    }
    const statement = await connection.prepare(rankingQuery(driver.form));
    return async (parameters) => {
      for (const [index, value] of parameters.entries()) statement.bindDouble(index + 1, value);
      const [ids = []] = await (await statement.run()).getColumns();
      return ids.map(Number);
    };
  },
};

const WHOLE = new Set(['is_active', 'in_peninsula', 'accepts_cif']);

function append(appender: Appender, column: string, value: number | null): void {
  if (value === null) appender.appendNull();
  else if (column === 'id' || column === 'offer_id') appender.appendBigInt(BigInt(value));
  else if (WHOLE.has(column)) appender.appendInteger(value);
  else appender.appendDouble(value);
}

answerParent(answerDatabase(driver));
